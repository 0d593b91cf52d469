"""From replies to verdicts.  In: cases, and what the judge replied.  Out: outcomes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from finassay.judges.cases import Case
from finassay.judges.identity import Task
from finassay.judges.menus import read_vote
from finassay.judges.replies import Reply
from finassay.judges.votes import Vote, count_votes, side_of
from finassay.records import Status, Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a case came to.

    Attributes:
        case: the case.
        status: of the verdict.
        value: of the verdict; None for pairs.
        label: of the verdict; of a pair the winner, left, right or tie.
        flags: the split of the votes, and what else is to be known.
        reason: why there is no value, or how the votes split.
        evidence_id: id of the reply that it rests on.
    """

    case: Case
    status: Status
    value: float | None = None
    label: str | None = None
    flags: tuple[str, ...] = ()
    reason: str = ""
    evidence_id: str | None = None

    @property
    def told(self) -> str:
        """The label, or the status where there is none."""
        return self.label if self.status == "scored" and self.label else self.status

    @property
    def verdict(self) -> Verdict:
        """The outcome of a case of one answer as a verdict."""
        return Verdict(
            status=self.status,
            value=self.value,
            label=self.label,
            flags=self.flags,
            reason=self.reason,
            evidence_id=self.evidence_id,
        )


@dataclass(slots=True)
class Tally:
    """What the cases of one judge under one protocol came to.

    Attributes:
        outcomes: of the cases that are decided.
        left: cases of which votes are still to come.
        redacted: cases of which a reply was masked, so that it cannot be read again.
        unparsed: votes that were not read, by reason.
        failed: votes that did not come, by reason.
    """

    outcomes: list[Outcome] = field(default_factory=list)
    left: int = 0
    redacted: int = 0
    unparsed: Counter[str] = field(default_factory=Counter)
    failed: Counter[str] = field(default_factory=Counter)


def decide(
    cases: Iterable[Case],
    replies: Mapping[str, Sequence[Reply]],
    *,
    task: Task,
    votes: int,
) -> Tally:
    """Return what cases came to.

    Args:
        cases: what verdicts are wanted on.
        replies: of the judge, by the id of the prompt.
        task: what the judge was asked.
        votes: how many replies decide a case; one with fewer is left for later.
    """
    tally = Tally()
    cast: dict[str, tuple[Vote, ...]] = {}
    for case in cases:
        if case.settled is not None:
            tally.outcomes.append(_settled(case, case.settled))
            continue
        prompt_id = "" if case.prompt is None else case.prompt.item.item_id
        said = replies.get(prompt_id, ())
        if len(said) < votes:
            tally.left += 1
        elif any(one.is_redacted for one in said):
            tally.redacted += 1
        else:
            if prompt_id not in cast:
                cast[prompt_id] = tuple(read_vote(one.prediction, task=task) for one in said)
                _note(tally, cast[prompt_id])
            tally.outcomes.append(_counted(case, cast[prompt_id], task))
    return tally


def _note(tally: Tally, votes: Iterable[Vote]) -> None:
    for vote in votes:
        if vote.status != "scored":
            counts = tally.failed if vote.status == "failed" else tally.unparsed
            # What follows the colon quotes the single reply.
            counts[vote.reason.partition(": ")[0]] += 1


def _settled(case: Case, verdict: Verdict) -> Outcome:
    return Outcome(
        case=case,
        status=verdict.status,
        value=verdict.value,
        label=verdict.label,
        flags=(*verdict.flags, *case.flags),
        reason=verdict.reason,
    )


def _counted(case: Case, votes: Sequence[Vote], task: Task) -> Outcome:
    found = count_votes(votes, task=task)
    label = found.label
    if task == "pairwise" and label is not None:
        label = side_of(label, left_first=case.order != "right_first")
    prompt_flags = () if case.prompt is None else case.prompt.flags
    return Outcome(
        case=case,
        status=found.status,
        value=found.value,
        label=label,
        flags=(*found.flags, *prompt_flags, *case.flags),
        reason=found.reason,
        evidence_id=found.evidence_id,
    )
