"""What several judges come to together.  In: their outcomes.  Out: outcomes of the jury."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from finassay.judges.cases import Case
from finassay.judges.independence import SELF_JUDGED
from finassay.judges.jury import JURY, jury_verdict
from finassay.judges.protocol import Protocol
from finassay.judges.votes import VOTES, Vote, count_votes
from finassay.judges.voting import Outcome

Key = tuple[str, ...]


def jury_outcomes(
    said: Mapping[str, Sequence[Outcome]], protocol: Protocol
) -> tuple[list[Outcome], int]:
    """Return the outcomes of a jury, and how many cases wait for one of its judges.

    A judge has no vote on its own answers, nor on a pair that one of them is in.

    Args:
        said: scorer id of each judge, and the outcomes of its cases.
        protocol: what all were asked.
    """
    by_case: dict[Key, dict[str, Outcome]] = {}
    for scorer_id, outcomes in said.items():
        for one in outcomes:
            by_case.setdefault(one.case.key, {})[scorer_id] = one
    whole = [votes for votes in by_case.values() if len(votes) == len(said)]
    decide = _of_pair if protocol.task == "pairwise" else _of_answer
    return [decide(votes, protocol) for votes in whole], len(by_case) - len(whole)


def _excluded(votes: Mapping[str, Outcome]) -> list[str]:
    return [name for name, one in votes.items() if SELF_JUDGED in one.flags]


def _of_answer(votes: Mapping[str, Outcome], protocol: Protocol) -> Outcome:
    verdict = jury_verdict(
        {name: one.verdict for name, one in votes.items()},
        task=protocol.task,
        excluded=_excluded(votes),
    )
    return Outcome(
        case=_case(votes),
        status=verdict.status,
        value=verdict.value,
        label=verdict.label,
        flags=verdict.flags,
        reason=verdict.reason,
        evidence_id=verdict.evidence_id,
    )


def _of_pair(votes: Mapping[str, Outcome], protocol: Protocol) -> Outcome:
    first = next(iter(votes.values()))
    if {one.status for one in votes.values()} in ({"no_answer"}, {"not_applicable"}):
        return first
    excluded = _excluded(votes)
    cast = [
        Vote(
            status=one.status if one.status in ("scored", "failed") else "unparsed",
            label=one.label,
            reason=f"{name}: {one.reason}" if one.reason else "",
            evidence_id=one.evidence_id,
        )
        for name, one in votes.items()
        if name not in excluded and one.status != "not_applicable"
    ]
    if not cast:
        reason = "no judge may judge this pair"
        return Outcome(case=_case(votes), status="not_applicable", reason=reason)
    found = count_votes(cast, task=protocol.task)
    return Outcome(
        case=_case(votes),
        status=found.status,
        label=found.label,
        flags=tuple(flag.replace(VOTES, JURY, 1) for flag in found.flags),
        reason=found.reason,
        evidence_id=found.evidence_id,
    )


def _case(votes: Mapping[str, Outcome]) -> Case:
    return next(iter(votes.values())).case
