"""Agreement while people label.  In: a draw and current answers.  Out: kappa by stratum, intervals.

People are called by letters here: who said what is for the person who reviews to find out later.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.adjudication.settling import Kind, SettledUnit, settle_units
from finassay.analyses.adjudication.status import Assigned, label_codes
from finassay.analyses.kernels.agreement import MISSING, Coefficient, cohen, krippendorff
from finassay.analyses.kernels.bootstrap import Statistic, bca_intervals, grouped_sums
from finassay.study.adjudication.draws import Draw
from finassay.study.adjudication.ledger import AnswerRevision
from finassay.study.adjudication.letters import letter

DRAWS = 2000
LEVEL = 0.95
FEW_UNITS = 30

METHOD = (
    "Cohen's kappa (1960) for two people, Krippendorff's alpha (nominal) for more, on units with "
    'two labels or more, "not sure" left out; BCa bootstrap that draws whole items'
)


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreementRow:
    """Agreement on some units.

    Attributes:
        name: stratum, pair of people, or "all".
        n_units: units with two labels or more.
        observed: share of agreement that was observed, in [0, 1]; None without units.
        value: coefficient; None where it is undefined.
        low: lower end of its interval; None without one.
        high: upper end.
    """

    name: str
    n_units: int
    observed: float | None
    value: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveAgreement:
    """Agreement of a draw as it stands.

    Attributes:
        draw: name.
        coefficient: which one.
        whole: over all units.
        strata: one entry a stratum of the draw.
        pairs: one entry a pair of people, named by letters.
        units: units of the draw.
        settled: units that have a label that counts.
        conflicts: units on which people differ, all having answered.
        open: units that still lack answers.
        level: confidence level.
        method: formulas.
        warnings: what a reader must know.
    """

    draw: str
    coefficient: str
    whole: AgreementRow
    strata: tuple[AgreementRow, ...]
    pairs: tuple[AgreementRow, ...]
    units: int
    settled: int
    conflicts: int
    open: int
    level: float
    method: str
    warnings: tuple[str, ...] = ()

    @property
    def is_open(self) -> bool:
        """Whether units still lack answers."""
        return self.open > 0


def live_agreement(
    draw: Draw, current: Sequence[AnswerRevision], assigned: Assigned
) -> LiveAgreement:
    """Return how far the people of a draw agree, by stratum and by pair.

    Args:
        draw: the draw.
        current: the latest revision of every answer.
        assigned: units of each (annotator, role).
    """
    codes, people = label_codes(draw, current)
    size = max(int(codes.max(initial=0)) + 1, 2)
    items = _codes_of([unit.key.item_id for unit in draw.units])
    strata = np.array([unit.stratum for unit in draw.units])
    settled = settle_units(draw.by_unit, current, assigned)
    whole = _row("all", codes, items, size)
    return LiveAgreement(
        draw=draw.name,
        coefficient=_coefficient(codes, size).name,
        whole=whole,
        strata=tuple(
            _row(one.name, codes[strata == one.name], items[strata == one.name], size)
            for one in draw.strata
        ),
        pairs=tuple(
            _row(f"{letter(i)} and {letter(j)}", codes[:, [i, j]], items, size)
            for i, j in combinations(range(len(people)), 2)
        ),
        units=len(draw.units),
        settled=sum(unit.label is not None for unit in settled.values()),
        conflicts=_of_kind(settled.values(), "conflict"),
        open=_of_kind(settled.values(), "open"),
        level=LEVEL,
        method=METHOD,
        warnings=_warnings(whole.n_units),
    )


def _of_kind(units: Iterable[SettledUnit], kind: Kind) -> int:
    return sum(unit.kind == kind for unit in units)


def _codes_of(names: Sequence[str]) -> NDArray[np.int64]:
    return np.unique(np.array(names, dtype=object), return_inverse=True)[1].astype(np.int64)


def _coefficient(codes: NDArray[np.int64], size: int) -> Coefficient:
    if codes.shape[1] == 2:
        return cohen(codes, size)
    return krippendorff(codes, np.arange(size, dtype=np.float64))


def _row(name: str, codes: NDArray[np.int64], items: NDArray[np.int64], size: int) -> AgreementRow:
    made = _coefficient(codes, size)
    used = made.used
    if not used.any():
        return AgreementRow(name=name, n_units=0, observed=None, value=None, low=None, high=None)
    clusters = np.unique(items[used], return_inverse=True)[1].astype(np.int64)
    sums = grouped_sums(made.features[used], clusters)
    whole = sums.sum(axis=0, keepdims=True)
    (value,), (is_defined,) = made.values(whole)
    (interval,) = bca_intervals(
        [Statistic(sums=sums, values=made.values)],
        draws=DRAWS,
        rng=np.random.default_rng(0),
        level=LEVEL,
    )
    shares = _agreeing(codes[used])
    return AgreementRow(
        name=name,
        n_units=int(used.sum()),
        observed=float(shares.mean()),
        value=float(value) if is_defined else None,
        low=interval.low,
        high=interval.high,
    )


def _agreeing(codes: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the share of equal pairs of labels on each unit."""
    pairs = list(combinations(range(codes.shape[1]), 2))
    both = np.stack([(codes[:, [i, j]] != MISSING).all(axis=1) for i, j in pairs])
    same = np.stack([codes[:, i] == codes[:, j] for i, j in pairs]) & both
    return np.asarray(same.sum(axis=0) / both.sum(axis=0), dtype=np.float64)


def _warnings(n_units: int) -> tuple[str, ...]:
    if n_units >= FEW_UNITS:
        return ()
    return (f"only {n_units} units have two labels or more: agreement is a first impression",)
