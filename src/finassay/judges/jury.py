"""Several judges as one.  In: their verdicts on one answer.  Out: the verdict of the jury."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from finassay.errors import UsageError
from finassay.judges.identity import JURY_PREFIX, JudgeId, Task
from finassay.judges.votes import Vote, count_votes
from finassay.records import Verdict

JURY = "jury:"
"""Beginning of the flag that keeps how the judges of a jury split."""

LEFT_OUT = "jurors_left_out:"
"""Beginning of the flag that counts the judges who may not judge this answer."""


def jury_id(name: str, jurors: Collection[JudgeId]) -> JudgeId:
    """Return the id of a jury.

    Args:
        name: what it is called, without `jury-`.
        jurors: judges under one protocol, by their ids.

    Raises:
        UsageError: there are fewer than two judges, or they were asked differently.
    """
    if len({juror.name for juror in jurors}) < 2:
        raise UsageError(f"a jury needs at least two judges, got {sorted(map(str, jurors))}")
    asked = {(one.task, one.arm, one.prompt, one.tolerance) for one in jurors}
    if len(asked) > 1:
        raise UsageError(
            f"the judges of a jury are asked alike, got {sorted(map(str, jurors))}; choose judges "
            f"of one task, arm, prompt and tolerance"
        )
    task, arm, prompt, tolerance = next(iter(asked))
    return JudgeId(name=JURY_PREFIX + name, task=task, arm=arm, prompt=prompt, tolerance=tolerance)


def jury_verdict(
    verdicts: Mapping[str, Verdict], *, task: Task, excluded: Collection[str] = ()
) -> Verdict:
    """Return the verdict of a jury on one answer: one vote for each judge.

    A judge without a verdict on the answer has no vote, and neither has one whose verdict is that
    it does not apply; a judge whose reply could not be read has an unread vote.

    Args:
        verdicts: scorer id of each judge and its verdict.
        task: what the judges were asked; not `pairwise`.
        excluded: ids of judges who may not judge this answer, for instance because it is theirs.
    """
    settled = _settled(verdicts)
    if settled is not None:
        return settled
    voting = {
        name: one
        for name, one in verdicts.items()
        if name not in excluded and one.status != "not_applicable"
    }
    out = tuple(f"{LEFT_OUT}{n}" for n in [len(verdicts.keys() & set(excluded))] if n)
    if not voting:
        return Verdict(status="not_applicable", reason="no judge may judge this answer", flags=out)
    found = count_votes([_vote(name, one) for name, one in voting.items()], task=task)
    split = tuple(flag.replace("votes:", JURY, 1) for flag in found.flags)
    sided = [name for name, one in voting.items() if one.label == found.label]
    return Verdict(
        status=found.status,
        value=found.value,
        label=found.label,
        flags=(*split, *out),
        reason=_told(found.reason, sided) if found.status == "scored" else found.reason,
        evidence_id=found.evidence_id,
    )


def _settled(verdicts: Mapping[str, Verdict]) -> Verdict | None:
    """Return what all judges say alike without having been asked: no answer, for instance."""
    ends = {(one.status, one.reason) for one in verdicts.values()}
    if len(ends) != 1:
        return None
    status, _ = next(iter(ends))
    return next(iter(verdicts.values())) if status in ("no_answer", "not_applicable") else None


def _vote(name: str, verdict: Verdict) -> Vote:
    status = verdict.status if verdict.status in ("scored", "failed") else "unparsed"
    return Vote(
        status=status,
        label=verdict.label,
        value=verdict.value,
        reason=f"{name}: {verdict.reason}" if verdict.reason else "",
        evidence_id=verdict.evidence_id,
    )


def _told(reason: str, sided: list[str]) -> str:
    return f"{reason.replace('votes', 'judges')} ({', '.join(sorted(sided))})"
