"""Labels and verdicts side by side.  In: inputs.  Out: codes of items x systems, and clusters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.alignment import aligned
from finassay.analyses.judges.inputs import JudgeInputs, JudgePlan
from finassay.analyses.judges.results import JudgeIdentity
from finassay.analyses.kernels.bootstrap import grouped_sums
from finassay.analyses.kernels.judge_tables import (
    CORRECT,
    INCORRECT,
    MISSING,
    NO_VERDICT,
    cell_features,
)
from finassay.analyses.raters import STRATA
from finassay.analyses.units import Units, units_of
from finassay.errors import UsageError
from finassay.marking.consensus import NO_LABEL, NOT_SURE, Settled, settle
from finassay.marking.matrix import STATUS_CODES, VerdictMatrix
from finassay.records import Item

Codes = NDArray[np.int64]
Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Board:
    """Items x systems, with what people and judges say.

    Attributes:
        items: I items.
        systems: S display names.
        labels: (I, S, R) labels of R people.
        people: R scorer ids.
        settled: what the labels come to, over the I*S predictions.
        truth: (I, S) CORRECT or INCORRECT where people settled it, else MISSING.
        units: clusters of the items.
        matrices: judge -> its verdicts, aligned with the board.
        own: judge -> (I, S) whether the answer is its own.
        keeps_own: whether verdicts on own answers count in agreement.
    """

    items: tuple[Item, ...]
    systems: tuple[str, ...]
    labels: NDArray[np.int8]
    people: tuple[str, ...]
    settled: Settled
    truth: Codes
    units: Units
    matrices: dict[str, VerdictMatrix]
    own: dict[str, Bools]
    keeps_own: bool

    def said(self, judge: str) -> Codes:
        """Return (I, S) what a judge says; MISSING where it was not asked or failed."""
        return judge_codes(self.matrices[judge])

    def counted(self, judge: str) -> Bools:
        """Return (I, S) where people and the judge can be compared."""
        both = (self.truth != MISSING) & (self.said(judge) != MISSING)
        return np.asarray(both if self.keeps_own else both & ~self.own[judge])

    def block(self, judge: str, where: Bools) -> Floats:
        """Return (G, 6) counts of cells by cluster, over the predictions in an (I, S) mask."""
        said = np.where(where, self.said(judge), MISSING)
        features = cell_features(self.truth.ravel(), said.ravel())
        return self.by_cluster(features)

    def by_cluster(self, features: Floats) -> Floats:
        """Return (G, F) sums over clusters of (I*S, F) features of predictions."""
        by_item = features.reshape(len(self.items), len(self.systems), -1).sum(axis=1)
        return grouped_sums(by_item, self.units.codes)

    def n_clusters(self, where: Bools) -> int:
        """Return how many clusters have a prediction in an (I, S) mask."""
        return len(np.unique(self.units.codes[where.any(axis=1)]))

    def pairs(self, where: Bools) -> list[tuple[str, str]]:
        """Return (item id, system) of the predictions in an (I, S) mask, in order."""
        return [
            (self.items[i].item_id, self.systems[j])
            for i, j in zip(*np.nonzero(where), strict=True)
        ]


def board_of(inputs: JudgeInputs, plan: JudgePlan, judges: Sequence[JudgeIdentity]) -> Board:
    """Return the board of a study.

    Raises:
        UnknownNameError: no item has one of the columns that make clusters.
    """
    sources = [*inputs.judges.values(), *inputs.people.values()]
    systems = tuple(sorted({name for matrix in sources for name in matrix.columns}))
    people = tuple(inputs.people)
    shape = (len(inputs.items), len(systems))
    labels = np.full((*shape, len(people)), NO_LABEL, dtype=np.int8)
    for r, name in enumerate(people):
        labels[:, :, r] = label_codes(widened(inputs.people[name], inputs.items, systems))
    settled = settle(labels.reshape(shape[0] * shape[1], len(people)), plan.consensus)
    own = {one.scorer_id: np.isin(systems, one.own) for one in judges}
    return Board(
        items=inputs.items,
        systems=systems,
        labels=labels,
        people=people,
        settled=settled,
        truth=settled.label.astype(np.int64).reshape(shape),
        units=units_of(inputs.items, plan.resampling.cluster),
        matrices={
            name: widened(matrix, inputs.items, systems) for name, matrix in inputs.judges.items()
        },
        own={name: np.broadcast_to(mine, shape) for name, mine in own.items()},
        keeps_own=plan.with_own,
    )


def widened(matrix: VerdictMatrix, items: Sequence[Item], systems: Sequence[str]) -> VerdictMatrix:
    """Return a matrix with one row an item and one column a system; ABSENT where it had none."""
    found = aligned(matrix, items)
    at = np.array([systems.index(name) for name in found.columns], dtype=np.int64)
    values = np.zeros((len(items), len(systems)))
    status = np.full(values.shape, -1, dtype=np.int8)
    values[:, at], status[:, at] = found.values, found.status
    return VerdictMatrix(
        values=values,
        status=status,
        row_names=found.row_names,
        rows=found.rows,
        column_name=found.column_name,
        columns=tuple(systems),
    )


def judge_codes(matrix: VerdictMatrix) -> Codes:
    """Return what a judge says: CORRECT, INCORRECT, NO_VERDICT (unparsed), else MISSING.

    A reply that was never shown to it (no answer), a failed call and an inapplicable judge are no
    disagreement: they are MISSING here and counted elsewhere.
    """
    said = np.where(matrix.right, CORRECT, INCORRECT)
    unread = matrix.status == STATUS_CODES["unparsed"]
    return np.where(matrix.scored, said, np.where(unread, NO_VERDICT, MISSING)).astype(np.int64)


def label_codes(matrix: VerdictMatrix) -> NDArray[np.int8]:
    """Return what a person says: CORRECT, INCORRECT, NOT_SURE, else NO_LABEL."""
    said = np.where(matrix.right, CORRECT, INCORRECT)
    unsure = matrix.status == STATUS_CODES["unparsed"]
    return np.where(matrix.scored, said, np.where(unsure, NOT_SURE, NO_LABEL)).astype(np.int8)


Cut = tuple[str, str, Bools]
"""Field, stratum and (I, S) mask."""


def cuts(board: Board, by: Sequence[str]) -> list[Cut]:
    """Return the strata of every field, in order of first appearance.

    Raises:
        UsageError: no item has a field of that name.
    """
    return [cut for name in by for cut in _cuts_of(board, name)]


def _cuts_of(board: Board, name: str) -> list[Cut]:
    shape = board.truth.shape
    if name == "system":
        names = np.asarray(board.systems, dtype=object)
        return [(name, one, np.broadcast_to(names == one, shape)) for one in board.systems]
    if name in STRATA:
        values = [str(getattr(item, name)) for item in board.items]
    else:
        values = [dict(item.strata).get(name, "") for item in board.items]
    column = np.asarray(values, dtype=object)
    known = [value for value in dict.fromkeys(values) if value]
    if not known:
        extra = sorted({key for item in board.items for key, _ in item.strata})
        raise UsageError(
            f"--by {name}: no item has it; expected one of {', '.join((*STRATA, *extra))}"
        )
    return [(name, value, np.broadcast_to((column == value)[:, None], shape)) for value in known]
