"""What several votes add up to.  In: readings of a judge's replies.  Out: one verdict.

A label wins when it has more than half of the votes that could be read, and more than half of all
votes could be read.  On a scale the middle vote stands where no label has such a majority.  The
flag `votes:4-1` keeps the split: votes for what won, other readable votes, and, where there are
any, votes that could not be read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from finassay.judges.identity import Task
from finassay.records import Status, Verdict

VOTES = "votes:"
"""Beginning of the flag that keeps the split of the votes."""

SCALED: frozenset[Task] = frozenset({"rubric", "rating", "alignment"})
"""Tasks whose verdicts have an order, so that the middle one is one."""

Side = Literal["left", "right", "tie"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Vote:
    """One reply of a judge, as it was read.

    Attributes:
        status: "scored" where it was read; "failed" where no reply came.
        label: what it says, None where nothing could be read.
        value: what that is worth in [0, 1], None where nothing could be read; for pairs it has
            no meaning.
        reason: why nothing could be read.
        evidence_id: prediction id of the reply.
    """

    status: Status
    label: str | None = None
    value: float | None = None
    reason: str = ""
    evidence_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """Votes counted.

    Attributes:
        label: what won, None where nothing did.
        value: what that is worth, None for pairs and where nothing won.
        status: "scored" exactly where something won.
        reason: why nothing won, or how the votes split.
        flags: the split.
        evidence_id: prediction id of the first vote for what won, else of the first reply.
    """

    label: str | None
    value: float | None
    status: Status
    reason: str
    flags: tuple[str, ...]
    evidence_id: str | None


def count_votes(votes: Sequence[Vote], *, task: Task) -> Count:
    """Return what the votes on one prompt add up to.

    Args:
        votes: in the order of their trials; none at all count as failed.
        task: on a scale the middle vote may win without a majority.
    """
    read = [vote for vote in votes if vote.status == "scored" and vote.label is not None]
    if 2 * len(read) <= len(votes):
        return _unread(votes, n_read=len(read))
    tally = Counter(vote.label for vote in read).most_common()
    winner, most = tally[0]
    if 2 * most <= len(read):
        if task not in SCALED:
            return _undecided(votes, [n for _, n in tally], [str(label) for label, _ in tally])
        winner = _middle(read).label
    chosen = next(vote for vote in read if vote.label == winner)
    sided = sum(vote.label == winner for vote in read)
    return Count(
        label=winner,
        value=None if task == "pairwise" else chosen.value,
        status="scored",
        reason=_told(sided, len(votes)),
        flags=(_split(sided, len(read) - sided, len(votes) - len(read)),),
        evidence_id=chosen.evidence_id,
    )


def majority(votes: Sequence[Vote], *, task: Task, flags: Sequence[str] = ()) -> Verdict:
    """Return the verdict of the votes on one answer.

    Args:
        votes: in the order of their trials.
        task: what the judge was asked; not `pairwise`.
        flags: what else is to be known of the verdict.
    """
    found = count_votes(votes, task=task)
    return Verdict(
        status=found.status,
        value=found.value,
        label=found.label,
        flags=(*found.flags, *flags),
        reason=found.reason,
        evidence_id=found.evidence_id,
    )


def side_of(label: str, *, left_first: bool) -> Side | None:
    """Return which answer of a pair a label of the pairwise menu names; None for another label.

    Args:
        label: A, B or TIE, in any case.
        left_first: whether the left answer was shown as A.
    """
    sides: dict[str, Side] = {
        "A": "left" if left_first else "right",
        "B": "right" if left_first else "left",
        "TIE": "tie",
    }
    return sides.get(label.upper())


def _middle(read: Sequence[Vote]) -> Vote:
    """Return the middle vote by value; of two middle ones the lower, so that doubt earns less."""
    ranked = sorted(read, key=lambda vote: vote.value or 0.0)
    return ranked[(len(ranked) - 1) // 2]


def _split(sided: int, others: int, unread: int) -> str:
    return f"{VOTES}{sided}-{others}" + (f"-{unread}" if unread else "")


def _told(sided: int, n: int) -> str:
    return f"{sided} of {n} votes" if n > 1 else "one vote"


def _undecided(votes: Sequence[Vote], counts: Sequence[int], labels: Sequence[str]) -> Count:
    unread = len(votes) - sum(counts)
    if len(counts) == 2:
        reason = f"votes are tied {counts[0]} to {counts[1]}"
    else:
        told = ", ".join(f"{label} {n}" for label, n in zip(labels, counts, strict=True))
        reason = f"no label has more than half of the votes ({told})"
    return Count(
        label=None,
        value=None,
        status="unparsed",
        reason=reason,
        flags=(_split(counts[0], sum(counts[1:]), unread),),
        evidence_id=_first_reply(votes),
    )


def _unread(votes: Sequence[Vote], *, n_read: int) -> Count:
    """Return that too few votes could be read; failed where asking again may settle it."""
    n_failed = sum(vote.status == "failed" for vote in votes)
    mute = [vote for vote in votes if vote.status not in ("scored", "failed")]
    if not mute:
        lacking = f"{n_failed} of {len(votes)} votes failed" if votes else "no vote was asked for"
        reason = next((vote.reason for vote in votes if vote.reason), "")
    else:
        lacking = f"{n_read} of {len(votes)} votes could be read"
        reason = next((vote.reason for vote in mute if vote.reason), "")
    settled = 2 * (n_read + n_failed) <= len(votes) and bool(mute)
    return Count(
        label=None,
        value=None,
        status="unparsed" if settled else "failed",
        reason=f"{lacking}: {reason}" if reason else lacking,
        flags=(_split(n_read, 0, len(votes) - n_read),) if votes else (),
        evidence_id=_first_reply(votes),
    )


def _first_reply(votes: Sequence[Vote]) -> str | None:
    return next((vote.evidence_id for vote in votes if vote.evidence_id is not None), None)
