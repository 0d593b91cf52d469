"""Agreement of raters.  In: one items x systems matrix a rater.  Out: coefficients with intervals.

A rater is a scorer: a string rule, a judge, a person who marks.  A unit is one prediction.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.alignment import require_items
from finassay.analyses.estimates import Settings, points
from finassay.analyses.kernels.agreement import (
    MISSING,
    Coefficient,
    Scale,
    cohen,
    cohen_error,
    fleiss,
    gwet,
    krippendorff,
)
from finassay.analyses.kernels.bootstrap import Interval, Statistic, bca_intervals, grouped_sums
from finassay.analyses.rank_sets import Resampling
from finassay.analyses.results_raters import (
    Agreement,
    AgreementCoefficient,
    AgreementPart,
    RaterPrevalence,
)
from finassay.analyses.units import Units, units_of
from finassay.errors import UsageError
from finassay.marking.matrix import VerdictMatrix
from finassay.records import Item

Codes = NDArray[np.int64]
Bools = NDArray[np.bool_]

METHOD = (
    "Cohen (1960) for two raters, else Fleiss (1971), on units that all rated; Krippendorff's "
    "alpha and Gwet's AC1 (2008) on units with two ratings or more; BCa bootstrap that draws "
    "whole clusters"
)

STRATA = ("family", "task", "difficulty", "language", "split", "system")
"""What agreement can be cut by, besides the verdicts of another scorer."""

SKEWED = 0.9
"""Share of one category beyond which kappa and alpha are low however well raters agree."""

FEW_UNITS = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Ratings:
    """Units x raters.

    Attributes:
        codes: (U, R) index into `values`, or MISSING.
        values: (K,) values of the categories, increasing.
        raters: R scorer ids.
        items: (U,) index of the unit's item.
        systems: (U,) display name of the unit's system.
    """

    codes: Codes
    values: NDArray[np.float64]
    raters: tuple[str, ...]
    items: Codes
    systems: tuple[str, ...]

    @property
    def categories(self) -> tuple[str, ...]:
        """Names of the categories."""
        return tuple(f"{value:g}" for value in self.values)


def ratings_of(
    raters: Mapping[str, VerdictMatrix], *, items: Sequence[Item], settings: Settings
) -> Ratings:
    """Return the ratings of every prediction that at least one rater has a verdict on.

    Unanswered and unreadable verdicts are a rating of 0 under "wrong" and "bounds", missing under
    "exclude"; failed and inapplicable ones are missing.

    Raises:
        UsageError: fewer than two raters, rows that are not items, or no rating at all.
    """
    if len(raters) < 2:
        raise UsageError(f"agreement needs at least two raters, got {tuple(raters)!r}")
    at = {item.item_id: i for i, item in enumerate(items)}
    systems = list(dict.fromkeys(name for m in raters.values() for name in m.columns))
    cube = np.full((len(items), len(systems), len(raters)), np.nan)
    for r, matrix in enumerate(raters.values()):
        require_items(matrix)
        values, counted = points(matrix, settings.policy)
        rows = [(at[row[0]], i) for i, row in enumerate(matrix.rows) if row[0] in at]
        into = np.array([i for i, _ in rows], dtype=np.int64)[:, None]
        columns = np.array([systems.index(name) for name in matrix.columns])[None, :]
        inside = [i for _, i in rows]
        cube[into, columns, r] = np.where(counted[inside], values[inside], np.nan)
    flat = cube.reshape(-1, len(raters))
    keep = np.isfinite(flat).any(axis=1)
    if not keep.any():
        raise UsageError(f"{tuple(raters)!r} rate no prediction; mark the study with them first")
    return _coded(flat[keep], np.flatnonzero(keep), tuple(raters), systems)


def _coded(
    given: NDArray[np.float64], at: Codes, raters: tuple[str, ...], systems: Sequence[str]
) -> Ratings:
    values = np.unique(given[np.isfinite(given)])
    if set(values.tolist()) <= {0.0, 1.0}:
        values = np.array([0.0, 1.0])
    codes = np.where(np.isfinite(given), np.searchsorted(values, np.nan_to_num(given)), MISSING)
    return Ratings(
        codes=codes.astype(np.int64),
        values=values,
        raters=raters,
        items=at // len(systems),
        systems=tuple(systems[i] for i in at % len(systems)),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What agreement is computed of, and how.

    Attributes:
        settings: policy for the unscored, and level.
        resampling: draws, seed and clusters; items are drawn by default, since the answers of all
            systems to one item are marked alike.
        scale: distance between categories for Krippendorff's alpha.
        by: fields to cut by, of `STRATA`.
        given: scorer id -> verdicts to cut by: agreement where this third scorer says right, and
            where it says wrong.
    """

    settings: Settings
    resampling: Resampling
    scale: Scale = "nominal"
    by: tuple[str, ...] = ()
    given: Mapping[str, VerdictMatrix] | None = None


def agree(raters: Mapping[str, VerdictMatrix], *, items: Sequence[Item], plan: Plan) -> Agreement:
    """Return how far raters agree on the same predictions, overall and per stratum.

    Args:
        raters: scorer id -> items x systems verdicts; two or more.
        items: every item.
        plan: policy, resampling, scale and strata.

    Raises:
        UsageError: fewer than two raters, an unknown stratum, a rater as condition, or no
            ratings.
    """
    ratings = ratings_of(raters, items=items, settings=plan.settings)
    cuts = [cut for name in plan.by for cut in _strata(name, ratings, items)]
    for name, matrix in (plan.given or {}).items():
        if name in raters:
            raise UsageError(f"`given` must be a third scorer, got the rater {name!r}")
        cuts += _conditions(name, matrix, ratings, items)
    units = units_of(items, plan.resampling.cluster)
    every = np.ones(len(ratings.codes), dtype=np.bool_)
    return Agreement(
        raters=ratings.raters,
        categories=ratings.categories,
        unit="prediction (item x system)",
        overall=_part(("", "all units"), ratings, every, units, plan),
        parts=tuple(_part((by, name), ratings, mask, units, plan) for by, name, mask in cuts),
        level=plan.settings.level,
        draws=plan.resampling.draws,
        seed=plan.resampling.seed,
        resampled=units.name,
        policy=plan.settings.policy,
        method=METHOD,
        warnings=units.warnings(),
    )


Cut = tuple[str, str, Bools]


def _strata(name: str, ratings: Ratings, items: Sequence[Item]) -> list[Cut]:
    if name not in STRATA:
        raise UsageError(f"`by` must be one of {STRATA}, got {name!r}")
    if name == "system":
        labels = list(ratings.systems)
    else:
        labels = [str(getattr(items[i], name)) for i in ratings.items]
    column = np.asarray(labels, dtype=object)
    return [(name, label, column == label) for label in dict.fromkeys(labels) if label]


def _conditions(
    name: str, matrix: VerdictMatrix, ratings: Ratings, items: Sequence[Item]
) -> list[Cut]:
    row_at = {row[0]: i for i, row in enumerate(matrix.rows)}
    col_at = {system: j for j, system in enumerate(matrix.columns)}
    said = np.full(len(ratings.codes), MISSING)
    for u, (i, system) in enumerate(zip(ratings.items, ratings.systems, strict=True)):
        row, col = row_at.get(items[i].item_id), col_at.get(system)
        if row is not None and col is not None and matrix.scored[row, col]:
            said[u] = int(matrix.values[row, col] >= 0.5)
    cuts = [(name, "right", said == 1), (name, "wrong", said == 0)]
    return [cut for cut in cuts if cut[2].any()]


def _part(
    cut: tuple[str, str], ratings: Ratings, mask: Bools, units: Units, plan: Plan
) -> AgreementPart:
    codes = ratings.codes[mask]
    _, clusters = np.unique(units.codes[ratings.items[mask]], return_inverse=True)
    found = _intervals(
        _coefficients(codes, ratings.values, plan.scale), codes, clusters.astype(np.int64), plan
    )
    prevalence = tuple(
        _prevalence(name, codes[:, r], ratings.categories) for r, name in enumerate(ratings.raters)
    )
    complete = (codes != MISSING).all(axis=1)
    return AgreementPart(
        by=cut[0],
        stratum=cut[1],
        n_units=len(codes),
        n_complete=int(complete.sum()),
        n_clusters=len(np.unique(clusters)),
        coefficients=found,
        prevalence=prevalence,
        table=_table(codes, ratings.categories),
        warnings=_warnings(found, prevalence, int(complete.sum())),
    )


def _coefficients(
    codes: Codes, values: NDArray[np.float64], scale: Scale
) -> tuple[Coefficient, ...]:
    size = len(values)
    first = cohen(codes, size) if codes.shape[1] == 2 else fleiss(codes, size)
    return first, krippendorff(codes, values, scale), gwet(codes, size)


def _intervals(
    made: Sequence[Coefficient], codes: Codes, clusters: Codes, plan: Plan
) -> tuple[AgreementCoefficient, ...]:
    how = plan.resampling
    statistics = [
        Statistic(sums=grouped_sums(one.features, clusters), values=one.values) for one in made
    ]
    rng = np.random.default_rng(how.seed)
    found = bca_intervals(statistics, draws=how.draws, rng=rng, level=plan.settings.level)
    return tuple(
        _coefficient(one, codes, statistic.sums.sum(axis=0, keepdims=True), interval)
        for one, statistic, interval in zip(made, statistics, found, strict=True)
    )


def _coefficient(
    made: Coefficient, codes: Codes, whole: NDArray[np.float64], interval: Interval
) -> AgreementCoefficient:
    (value,), (is_defined,) = made.values(whole)
    observed, expected = (float(part[0]) for part in made.summary(whole))
    is_rated = bool(np.isfinite(observed) and np.isfinite(expected))
    size = int(codes.max()) + 1 if len(codes) else 0
    return AgreementCoefficient(
        name=made.name,
        value=float(value) if is_defined else None,
        low=interval.low,
        high=interval.high,
        observed=observed if is_rated else None,
        expected=expected if is_rated else None,
        analytic_error=cohen_error(codes, max(size, 2)) if made.name == "Cohen's kappa" else None,
        n_units=int(made.used.sum()),
        n_undefined=interval.n_undefined,
    )


def _prevalence(name: str, codes: Codes, categories: Sequence[str]) -> RaterPrevalence:
    given = codes[codes != MISSING]
    shares = (
        tuple((label, float((given == k).mean())) for k, label in enumerate(categories))
        if len(given)
        else ()
    )
    return RaterPrevalence(
        rater=name, n=len(given), n_missing=len(codes) - len(given), shares=shares
    )


def _table(codes: Codes, categories: Sequence[str]) -> tuple[tuple[str, str, int], ...]:
    if codes.shape[1] != 2:
        return ()
    return tuple(
        (left, right, int(((codes[:, 0] == i) & (codes[:, 1] == j)).sum()))
        for i, left in enumerate(categories)
        for j, right in enumerate(categories)
    )


def _warnings(
    found: Sequence[AgreementCoefficient], prevalence: Sequence[RaterPrevalence], complete: int
) -> tuple[str, ...]:
    out = []
    skewed = [r.rater for r in prevalence if any(share >= SKEWED for _, share in r.shares)]
    if skewed:
        out.append(
            f"one category holds {100 * SKEWED:.0f}% or more of the ratings of "
            f"{', '.join(skewed)}: kappa and alpha are then low however well raters agree"
        )
    if complete < FEW_UNITS:
        shown = f"only {complete} units are" if complete else "no unit is"
        out.append(f"{shown} rated by all")
    if any(c.value is not None and c.low == c.high for c in found):
        out.append("no resample differs, so the interval has no width: it says nothing of chance")
    undefined = max((c.n_undefined for c in found), default=0)
    if undefined:
        out.append(f"up to {undefined} resamples had no value and were left out")
    return tuple(out)
