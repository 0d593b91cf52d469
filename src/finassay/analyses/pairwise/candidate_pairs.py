"""Pairs of a correct and an incorrect answer.  In: what people settled.  Out: pairs and codes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.kernels.judge_tables import CORRECT, INCORRECT
from finassay.analyses.kernels.pairwise_tables import MISSING, NEITHER, OTHER, SAME
from finassay.analyses.pairwise.decisions import decided
from finassay.analyses.pairwise.results import DecisionRule
from finassay.marking.duels import StoredComparison
from finassay.marking.matrix import VerdictMatrix
from finassay.runs.pairwise import BOTH_ORDERS, JudgedPair, OneOrder, Order, Winner

Codes = NDArray[np.int64]

ORDERS: Mapping[str, Order] = {order: order for order in BOTH_ORDERS}
WINNERS: Mapping[str, Winner] = {"left": "left", "right": "right", "tie": "tie"}


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidatePair:
    """Two answers to one item of which people call one correct and the other incorrect.

    Attributes:
        item: index of the item.
        item_id: its id.
        left: the system whose name sorts first.
        right: the other system.
        better: left or right, the one that people call correct.
    """

    item: int
    item_id: str
    left: str
    right: str
    better: Winner


def candidate_pairs(
    truth: Codes, item_ids: Sequence[str], systems: Sequence[str]
) -> tuple[CandidatePair, ...]:
    """Return every pair of a correct and an incorrect answer to the same item.

    All combinations of candidates, by item and then by name, so that the same labels always make
    the same pairs.

    Args:
        truth: (I, S) CORRECT, INCORRECT, or anything else where people settled nothing.
        item_ids: I ids.
        systems: S display names.
    """
    out = []
    for i, row in enumerate(truth):
        right = [systems[j] for j in np.flatnonzero(row == CORRECT).tolist()]
        wrong = [systems[j] for j in np.flatnonzero(row == INCORRECT).tolist()]
        for first, second in sorted(tuple(sorted((a, b))) for a in right for b in wrong):
            out.append(
                CandidatePair(
                    item=i,
                    item_id=item_ids[i],
                    left=first,
                    right=second,
                    better="left" if first in right else "right",
                )
            )
    return tuple(out)


def judged(
    pairs: Sequence[CandidatePair], stored: Sequence[StoredComparison], judge: str
) -> tuple[JudgedPair | None, ...]:
    """Return what a judge said of each pair, in the pair's arrangement; None where not asked.

    A comparison that failed (no reply was obtained) counts as not asked; one that could not be
    read is an order without a decision.
    """
    held: dict[tuple[str, str, str], dict[Order, OneOrder]] = {}
    for one in stored:
        order = ORDERS.get(one.order, "left_first")
        if one.status == "failed":
            continue
        is_turned = one.left > one.right
        left, right = (one.right, one.left) if is_turned else (one.left, one.right)
        winner = WINNERS.get(one.winner or "") if one.status == "scored" else None
        if is_turned:
            order = "right_first" if order == "left_first" else "left_first"
            winner = {"left": "right", "right": "left", "tie": "tie", None: None}[winner]
        made = OneOrder(order=order, winner=winner)
        held.setdefault((one.item_id, left, right), {}).setdefault(order, made)
    return tuple(_judged_pair(pair, held, judge) for pair in pairs)


def _judged_pair(
    pair: CandidatePair, held: Mapping[tuple[str, str, str], dict[Order, OneOrder]], judge: str
) -> JudgedPair | None:
    orders = held.get((pair.item_id, pair.left, pair.right))
    if not orders:
        return None
    return JudgedPair(
        pair_id=f"{pair.item_id}/{pair.left}/{pair.right}",
        judge=judge,
        label=pair.better,
        source="",
        orders=tuple(orders[order] for order in ORDERS.values() if order in orders),
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairCodes:
    """What one judge or baseline says of P pairs.

    Attributes:
        codes: (P,) SAME, OTHER, NEITHER or MISSING.
        unread: (P,) whether NEITHER means that nothing could be read.
    """

    codes: Codes
    unread: NDArray[np.bool_]


def codes_of_judge(said: Sequence[JudgedPair | None], rule: DecisionRule) -> PairCodes:
    """Return the codes of a judge: both orders of a pair make one decision."""
    codes = np.full(len(said), MISSING, dtype=np.int64)
    unread = np.zeros(len(said), dtype=np.bool_)
    for p, pair in enumerate(said):
        if pair is None:
            continue
        winner = decided([one.winner for one in pair.orders], rule)
        unread[p] = winner is None
        codes[p] = NEITHER if winner in {None, "tie"} else SAME if winner == pair.label else OTHER
    return PairCodes(codes=codes, unread=unread)


def codes_of_scores(pairs: Sequence[CandidatePair], matrix: VerdictMatrix) -> PairCodes:
    """Return the codes of a baseline: the answer with the higher value wins, equal ones are a tie.

    A pair of which an answer has no value is not asked about.
    """
    rows = {row[0]: i for i, row in enumerate(matrix.rows)}
    columns = {name: j for j, name in enumerate(matrix.columns)}
    codes = np.full(len(pairs), MISSING, dtype=np.int64)
    for p, pair in enumerate(pairs):
        i, a, b = rows.get(pair.item_id), columns.get(pair.left), columns.get(pair.right)
        if i is None or a is None or b is None:
            continue
        if not (matrix.scored[i, a] and matrix.scored[i, b]):
            continue
        gap = matrix.values[i, a] - matrix.values[i, b]
        picked = "left" if gap > 0 else "right"
        codes[p] = NEITHER if gap == 0 else SAME if picked == pair.better else OTHER
    return PairCodes(codes=codes, unread=np.zeros(len(pairs), dtype=np.bool_))
