"""Frozen results about raters.  In: nothing.  Out: agreement with intervals and prevalence."""

from __future__ import annotations

from dataclasses import dataclass

from finassay.records import Unscored


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreementCoefficient:
    """One chance-corrected coefficient.

    Attributes:
        name: Cohen's kappa, Fleiss' kappa, Krippendorff's alpha or Gwet's AC1.
        value: (observed - expected) / (1 - expected); None when it is undefined.
        low: low end of its bootstrap interval; None when it cannot be made.
        high: high end.
        observed: share of agreement that was observed; None without ratings.
        expected: share of agreement that chance would give under this coefficient.
        analytic_error: large-sample standard error for independent units, where one is standard.
        n_units: units that count for it.
        n_undefined: resamples in which it had no value.
    """

    name: str
    value: float | None
    low: float | None
    high: float | None
    observed: float | None
    expected: float | None
    analytic_error: float | None
    n_units: int
    n_undefined: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RaterPrevalence:
    """How often one rater uses each category: ratings given, missing, and (category, share)."""

    rater: str
    n: int
    n_missing: int
    shares: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreementPart:
    """Agreement over one part of the units.

    Attributes:
        by: what the part is cut by: "" for all units, "task", "system", a scorer id, ...
        stratum: the part.
        n_units: units with at least one rating.
        n_complete: units rated by all raters.
        n_clusters: clusters that are drawn.
        coefficients: one entry a coefficient.
        prevalence: one entry a rater.
        table: (category of the first rater, of the second, units); empty with more than two.
        warnings: what a reader must know of this part.
    """

    by: str
    stratum: str
    n_units: int
    n_complete: int
    n_clusters: int
    coefficients: tuple[AgreementCoefficient, ...]
    prevalence: tuple[RaterPrevalence, ...]
    table: tuple[tuple[str, str, int], ...]
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """How far raters agree on the same predictions.

    Attributes:
        raters: scorer ids.
        categories: what a rating can be, in increasing order.
        unit: what is rated.
        overall: all units.
        parts: one entry a stratum.
        level: confidence level.
        draws: resamples.
        seed: seed of the resamples.
        resampled: what is drawn.
        policy: what was done with unscored verdicts: a rating of 0, or missing.
        method: formulas and interval.
        warnings: what a reader must know.
    """

    raters: tuple[str, ...]
    categories: tuple[str, ...]
    unit: str
    overall: AgreementPart
    parts: tuple[AgreementPart, ...]
    level: float
    draws: int
    seed: int
    resampled: str
    policy: Unscored
    method: str
    warnings: tuple[str, ...] = ()
