"""Decisions of pairwise judges.  In: judgments in both orders.  Out: decisions and their sums."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from finassay.analyses.pairwise.results import DecisionRule
from finassay.runs.pairwise import JudgedPair, OneOrder, Winner
from finassay.scorers.judge_verdicts import JUDGEBENCH, PAIRWISE, Menu, Reading, read_verdict

EVEN = 0.5
"""Value of a verdict that prefers neither."""

Outcome = Literal["right", "wrong", "tie", "unread"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Derived:
    """A decision read from what a judge said.

    Attributes:
        winner: the decision in terms of the pair; None where none can be read.
        why: why not, or "".
    """

    winner: Winner | None
    why: str = ""


def flipped(winner: Winner) -> Winner:
    """Return the other answer; a tie stays one."""
    if winner == "tie":
        return "tie"
    return "right" if winner == "left" else "left"


def derived(one: OneOrder, menu: Menu) -> Derived | None:
    """Return the decision that follows from scores or reply; None where the file stores neither."""
    if one.scores is not None:
        left, right = one.scores
        return Derived(winner="tie" if left == right else "left" if left > right else "right")
    if one.reply is None:
        return None
    reading = read_verdict(one.reply, menu=menu)
    if reading.value is None:
        return Derived(winner=None, why=reading.reason)
    return Derived(winner=of_position(reading.value, one))


def of_position(first: float, one: OneOrder) -> Winner:
    """Return who wins in terms of the pair, from the share of the win of the answer shown first."""
    if first == EVEN:
        return "tie"
    won: Winner = "left" if first > EVEN else "right"
    return won if one.order == "left_first" else flipped(won)


def menu_for(pairs: Iterable[JudgedPair]) -> Menu:
    """Return the menu under which more replies of a judge can be read, JudgeBench's where equal."""
    replies = [one.reply for pair in pairs for one in pair.orders if one.reply is not None]

    def read(menu: Menu) -> int:
        readings: Iterable[Reading] = (read_verdict(reply, menu=menu) for reply in replies)
        return sum(reading.status == "scored" for reading in readings)

    return JUDGEBENCH if read(JUDGEBENCH) >= read(PAIRWISE) else PAIRWISE


def as_derived(pair: JudgedPair, menu: Menu) -> JudgedPair:
    """Return a pair with the decisions that follow from its replies or scores."""
    orders = []
    for one in pair.orders:
        found = derived(one, menu)
        orders.append(replace(one, winner=None if found is None else found.winner))
    return replace(pair, orders=tuple(orders))


def decided(winners: Sequence[Winner | None], rule: DecisionRule) -> Winner | None:
    """Return what the orders of one pair come to; None where no order has a decision.

    Sum: +1 for left, -1 for right, 0 for a tie or no decision; the sign decides.  Both orders: what
    they agree on, and a tie where they differ; a pair judged in one order only is a tie too, since
    nothing confirms it.
    """
    known = [winner for winner in winners if winner is not None]
    if not known:
        return None
    if rule == "sum":
        total = known.count("left") - known.count("right")
        return "tie" if total == 0 else "left" if total > 0 else "right"
    agree = len(known) == len(winners) > 1 and len(set(known)) == 1
    return known[0] if agree else "tie"


def outcome(pair: JudgedPair, rule: DecisionRule) -> Outcome:
    """Return whether the decision of a labelled pair is right."""
    winner = decided([one.winner for one in pair.orders], rule)
    if winner is None:
        return "unread"
    if winner == "tie":
        return "tie"
    return "right" if winner == pair.label else "wrong"
