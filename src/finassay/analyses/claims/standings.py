"""Systems under one rule.  In: verdicts in the scope of a claim.  Out: scores, ranks, tests."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.kernels.ranks import ranks
from finassay.analyses.pair_tests import Sheet, bootstrap_p, lattice_of
from finassay.analyses.results_compare import PValue
from finassay.analyses.results_scores import RankConvention
from finassay.analyses.wording import percent
from finassay.errors import MissingVerdictsError

TEST_WORK = 200_000_000
"""Multiply-adds that one exact test may take: claims are tested under very many rules."""

TEST_DRAWS = 100_000


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Cells:
    """The verdicts behind a standing.

    Attributes:
        values: (R, C) values; 0.0 where a cell does not count.
        counted: (R, C) whether a cell counts under the policy.
        labels: (R,) cluster of each item.
        seed: seed of what is drawn.
    """

    values: NDArray[np.float64]
    counted: NDArray[np.bool_]
    labels: NDArray[np.int64]
    seed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Standing:
    """Scores of the systems that are ranked together under one rule, in the scope of a claim.

    Attributes:
        rule: its name.
        systems: C names.
        scores: (C,) accuracy as a fraction.
        n: items that the scores are over; None for a printed column.
        convention: convention of the ranks.
        cells: the verdicts; None for a printed column.
    """

    rule: str
    systems: tuple[str, ...]
    scores: NDArray[np.float64]
    n: int | None
    convention: RankConvention = "competition"
    cells: Cells | None = None
    _at: dict[str, int] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_at", {name: at for at, name in enumerate(self.systems)})

    def score(self, system: str) -> float:
        """Return the accuracy of a system."""
        return float(self.scores[self._at[system]])

    def said(self, system: str) -> str:
        """Return "NAME 75.1%"."""
        return f"{system} {percent(self.score(system), self.n or 1000)}%"

    def ranks(self, convention: RankConvention | None = None) -> NDArray[np.float64]:
        """Return the (C,) ranks, 1 for the highest score."""
        return ranks(self.scores, convention=convention or self.convention)

    def rank(self, system: str) -> float:
        """Return the rank of a system."""
        return float(self.ranks()[self._at[system]])

    def test(self, a: str, b: str, *, clustered: bool) -> PValue:
        """Return p of the paired bootstrap of two systems, over items or over clusters.

        Raises:
            MissingVerdictsError: there are no verdicts behind the scores.
        """
        if self.cells is None:
            raise MissingVerdictsError(
                f"{self.rule!r} is a printed column: it holds scores and no verdicts to test"
            )
        where = [self._at[a], self._at[b]]
        values = self.cells.values[:, where]
        steps, per_one = lattice_of(values)
        sheet = Sheet(
            values=values,
            counted=self.cells.counted[:, where],
            steps=steps,
            per_one=per_one,
            labels=self.cells.labels if clustered else None,
            work=TEST_WORK,
            draws=TEST_DRAWS,
            seed=self.cells.seed,
        )
        return bootstrap_p(sheet, [(0, 1)], clustered=clustered)[0]
