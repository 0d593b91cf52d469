"""The score table that selection works on.  In: columns of scores.  Out: exact, masked arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

from finassay.errors import UsageError

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

POINTS = "points of 100"

MEAN_DIGITS = 9
"""Digits to which means are rounded, so that sums made in another order tie."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ScoreSheet:
    """Scores of systems in operations, beside a broad knowledge score.

    Attributes:
        systems: names of the M systems.
        knowledge_name: what the knowledge score is.
        operations: names of the O operations.
        layers: layer of each operation; "" where it is not known.
        judged: whether an evaluator system gave the scores of an operation.
        evaluators: systems that judged.
        knowledge: (M,) scores times `scale`.
        has_knowledge: (M,) where there is one.
        scores: (M, O) scores times `scale`; 0.0 where there is none.
        present: (M, O) where there is a score.
        scale: power of ten that makes printed decimals whole; 1 for means.
        unit: unit of the scores.
    """

    systems: tuple[str, ...]
    knowledge_name: str
    operations: tuple[str, ...]
    layers: tuple[str, ...]
    judged: tuple[bool, ...]
    evaluators: tuple[str, ...]
    knowledge: Floats
    has_knowledge: Mask
    scores: Floats
    present: Mask
    scale: int
    unit: str

    def __post_init__(self) -> None:
        if not self.operations:
            raise UsageError("selection needs at least one operation, got none")
        unknown = [name for name in self.evaluators if name not in self.systems]
        if unknown:
            raise UsageError(
                f"no system is called {unknown[0]!r}, which is said to have judged; there are: "
                f"{', '.join(self.systems)}"
            )

    @property
    def is_evaluator(self) -> Mask:
        """(M,) whether the system judged."""
        return np.array([name in self.evaluators for name in self.systems], dtype=np.bool_)

    def eligible(self, operation: int) -> Mask:
        """Return (M,) the systems that are compared in one operation.

        They have a knowledge score and a score; an evaluator is left out where it judged.
        """
        kept = self.has_knowledge & self.present[:, operation]
        return kept & ~self.is_evaluator if self.judged[operation] else kept

    def comparable(self) -> Mask:
        """Return (M,) the systems that are compared across operations."""
        whole = np.stack([self.eligible(at) for at in range(len(self.operations))], axis=1)
        kept = np.asarray(whole.all(axis=1))
        return kept & ~self.is_evaluator

    def native(self, scaled: float) -> float:
        """Return a score or difference in the unit of the source."""
        return float(scaled) / self.scale

    def names(self, kept: Mask) -> tuple[str, ...]:
        """Return the names of the systems where the (M,) mask is true."""
        return tuple(name for name, keep in zip(self.systems, kept, strict=True) if keep)


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """What the columns of a printed table are.

    Attributes:
        knowledge: column of the knowledge score.
        operations: columns of operations.
        layers: operation -> layer, where known.
        judged: operations whose scores an evaluator system gave.
        evaluators: systems that judged.
    """

    knowledge: str
    operations: tuple[str, ...]
    layers: Mapping[str, str]
    judged: tuple[str, ...] = ()
    evaluators: tuple[str, ...] = ()


def printed_sheet(
    cells: Mapping[tuple[str, str], Decimal], systems: Sequence[str], columns: Columns
) -> ScoreSheet:
    """Return the sheet of printed numbers, exact on their decimals.

    Args:
        cells: (system, column) -> number.
        systems: names, in order.
        columns: what the columns are.

    Raises:
        UsageError: a column has no number, or an evaluator is none of the systems.
    """
    wanted = (columns.knowledge, *columns.operations)
    known = {column for _, column in cells}
    for name in wanted:
        if name not in known:
            raise UsageError(
                f"no number stands in a column {name!r}; there are: {', '.join(sorted(known))}"
            )
    used = [number for (_, column), number in cells.items() if column in wanted]
    scale = 10 ** max(_decimals(number) for number in used)
    table = np.zeros((len(systems), len(wanted)))
    present = np.zeros(table.shape, dtype=np.bool_)
    for i, system in enumerate(systems):
        for j, column in enumerate(wanted):
            number = cells.get((system, column))
            if number is not None:
                table[i, j], present[i, j] = int(number * scale), True
    return ScoreSheet(
        systems=tuple(systems),
        knowledge_name=columns.knowledge,
        operations=columns.operations,
        layers=tuple(columns.layers.get(name, "") for name in columns.operations),
        judged=tuple(name in columns.judged for name in columns.operations),
        evaluators=columns.evaluators,
        knowledge=table[:, 0],
        has_knowledge=present[:, 0],
        scores=table[:, 1:],
        present=present[:, 1:],
        scale=scale,
        unit=POINTS if max(used) > 1 else "as printed",
    )


def _decimals(number: Decimal) -> int:
    exponent = number.as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0
