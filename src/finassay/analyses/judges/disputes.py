"""Judges beside judges.  In: a board.  Out: disputes, and which side people take."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from finassay.analyses.estimates import count_rate
from finassay.analyses.judges.board import Board, Bools, Codes
from finassay.analyses.judges.figures import figure
from finassay.analyses.judges.inputs import JudgePlan
from finassay.analyses.judges.references import LISTED
from finassay.analyses.judges.results import JudgeIdentity
from finassay.analyses.judges.results_compare import Dispute, JudgePair, PeoplePair, Siding
from finassay.analyses.kernels.block_bootstrap import Block, resample, sample
from finassay.analyses.kernels.judge_tables import CORRECT, INCORRECT, MISSING, two_judges
from finassay.marking.consensus import CONSENSUS, CORRECT_LABEL, INCORRECT_LABEL, NOT_SURE

LABELS = {INCORRECT: INCORRECT_LABEL, CORRECT: CORRECT_LABEL, MISSING: ""}


def judge_pairs(
    board: Board, judges: Sequence[JudgeIdentity], plan: JudgePlan
) -> tuple[JudgePair, ...]:
    """Return every two judges of other names that were asked alike, on what both scored.

    Asked alike means the same task, arm, prompt and tolerance; a judge whose id does not say its
    parts stands beside every other.
    """
    pairs = [
        (left.scorer_id, right.scorer_id)
        for left, right in combinations(judges, 2)
        if left.name != right.name and _asked_alike(left, right)
    ]
    blocks = resample(
        [_block(board, left, right) for left, right in pairs],
        draws=plan.resampling.draws,
        rng=np.random.default_rng(plan.resampling.seed),
    )
    return tuple(
        _pair(board, left, right, block, plan)
        for (left, right), block in zip(pairs, blocks, strict=True)
    )


def _asked_alike(left: JudgeIdentity, right: JudgeIdentity) -> bool:
    if not left.task or not right.task:
        return True
    return (left.task, left.arm, left.prompt, left.tolerance) == (
        right.task,
        right.arm,
        right.prompt,
        right.tolerance,
    )


def _scored(codes: Codes) -> Bools:
    return np.asarray((codes == CORRECT) | (codes == INCORRECT))


def _block(board: Board, left: str, right: str) -> np.typing.NDArray[np.float64]:
    a, b = board.said(left).ravel(), board.said(right).ravel()
    features = np.zeros((a.size, 4))
    both = np.flatnonzero(_scored(a) & _scored(b))
    features[both, 2 * a[both] + b[both]] = 1.0
    return board.by_cluster(features)


def _pair(board: Board, left: str, right: str, block: Block, plan: JudgePlan) -> JudgePair:
    a, b = board.said(left), board.said(right)
    both = _scored(a) & _scored(b)
    disputed = both & (a != b)
    n = int(both.sum())
    return JudgePair(
        left=left,
        right=right,
        n=n,
        agreement=count_rate(n - int(disputed.sum()), n, level=plan.level),
        kappa=figure(sample(block, two_judges), plan.level),
        n_disputed=int(disputed.sum()),
        disputes=_disputes(board, a, disputed),
        sides=tuple(_sides(board, a, disputed, plan.level)),
    )


def _disputes(board: Board, left: Codes, disputed: Bools) -> tuple[Dispute, ...]:
    rows, columns = np.nonzero(disputed)
    return tuple(
        Dispute(
            item_id=board.items[i].item_id,
            system=board.systems[j],
            left_says=LABELS[int(left[i, j])],
            people=LABELS[int(board.truth[i, j])],
        )
        for i, j in list(zip(rows.tolist(), columns.tolist(), strict=True))[:LISTED]
    )


def _sides(board: Board, left: Codes, disputed: Bools, level: float) -> list[Siding]:
    """Return the sidings of the consensus and of each person, over all disputes and by task."""
    if not board.people or not disputed.any():
        return []
    tasks = np.asarray([item.task or item.family for item in board.items], dtype=object)
    parts: list[tuple[str, str, Bools]] = [("", "", disputed)]
    named = [task for task in dict.fromkeys(tasks.tolist()) if task]
    if len(named) > 1:
        parts += [("task", task, disputed & (tasks == task)[:, None]) for task in named]
    deciders = [(CONSENSUS, board.truth)]
    if len(board.people) > 1:
        labels = board.labels.astype(np.int64)
        deciders += [(name, labels[:, :, r]) for r, name in enumerate(board.people)]
    return [
        _siding((by, stratum, name), left, said, where, level)
        for by, stratum, where in parts
        if where.any()
        for name, said in deciders
    ]


def _siding(
    named: tuple[str, str, str], left: Codes, said: Codes, where: Bools, level: float
) -> Siding:
    by, stratum, adjudicator = named
    decided = where & _scored(said)
    n = int(decided.sum())
    return Siding(
        by=by,
        stratum=stratum,
        adjudicator=adjudicator,
        left=count_rate(int((decided & (said == left)).sum()), n, level=level),
        n_undecided=int(where.sum()) - n,
    )


def people_pairs(board: Board, level: float) -> tuple[PeoplePair, ...]:
    """Return every two people on the predictions that both labelled."""
    labels = board.labels.astype(np.int64)
    return tuple(
        _people(board.people[r], board.people[s], labels[:, :, r], labels[:, :, s], level)
        for r, s in combinations(range(len(board.people)), 2)
    )


def _people(left: str, right: str, a: Codes, b: Codes, level: float) -> PeoplePair:
    both = _scored(a) & _scored(b)
    unsure = (a != MISSING) & (b != MISSING) & ((a == NOT_SURE) | (b == NOT_SURE))
    x, y = a[both], b[both]
    counts = np.zeros((1, 4))
    np.add.at(counts[0], 2 * x + y, 1.0)
    found = float(two_judges(counts)[0])
    return PeoplePair(
        left=left,
        right=right,
        n=len(x),
        n_not_sure=int(unsure.sum()),
        agreement=count_rate(int((x == y).sum()), len(x), level=level),
        kappa=found if np.isfinite(found) else None,
    )
