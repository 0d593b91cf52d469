"""Chance-corrected agreement.  In: ratings of units.  Out: coefficients from sums over units.

Every coefficient here is a function of sums of features of the units.  So one product of resample
counts with the features gives the coefficient in every resample, and leaving a unit out is a
subtraction.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]

MISSING = -1
"""Code of a rating that was not given."""

Scale = Literal["nominal", "ordinal", "interval"]
"""How far apart two categories are."""

Summary = Callable[[Floats], tuple[Floats, Floats]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Coefficient:
    """A coefficient as features of units and what their sums say.

    Attributes:
        name: its name.
        features: (U, F) features of the units; units that do not count have zeros.
        summary: from (B, F) sums to (B,) observed and (B,) expected agreement.
        used: (U,) whether each unit counts.
    """

    name: str
    features: Floats
    summary: Summary
    used: NDArray[np.bool_]

    def values(self, sums: Floats) -> tuple[Floats, NDArray[np.bool_]]:
        """Return (B,) coefficients of (B, F) sums, and whether they are defined.

        (observed - expected) / (1 - expected): undefined without ratings, or when chance alone
        would always agree.
        """
        observed, expected = self.summary(sums)
        with np.errstate(invalid="ignore"):
            whole = np.isfinite(observed) & np.isfinite(expected) & (expected < 1.0 - 1e-12)
            top, bottom = observed - expected, 1.0 - expected
        return np.divide(top, bottom, out=np.zeros(len(observed)), where=whole), whole


def _ratio(top: Floats, bottom: Floats) -> Floats:
    return np.asarray(np.divide(top, bottom, out=np.full(np.shape(top), np.nan), where=bottom > 0))


def _counts(codes: Codes, categories: int) -> Floats:
    """Return (U, K) how many raters put each unit into each category."""
    return np.stack([(codes == k).sum(axis=1) for k in range(categories)], axis=1).astype(float)


def cohen(codes: Codes, categories: int) -> Coefficient:
    """Return Cohen's kappa of (U, 2) codes: raters have their own margins.

    Units that one rater left out do not count.  Cohen (1960), Educational and Psychological
    Measurement 20, 37-46.

    Raises:
        ValueError: other than two raters.
    """
    if codes.shape[1] != 2:
        raise ValueError(f"Cohen's kappa is for two raters, got {codes.shape[1]}; use Fleiss'")
    used = (codes != MISSING).all(axis=1)
    cell = np.where(used, codes[:, 0] * categories + codes[:, 1], 0)
    features = np.zeros((len(codes), categories**2))
    features[np.arange(len(codes)), cell] = used

    def summary(sums: Floats) -> tuple[Floats, Floats]:
        table = sums.reshape(-1, categories, categories)
        n = table.sum(axis=(1, 2))
        observed = _ratio(np.trace(table, axis1=1, axis2=2), n)
        chance = (table.sum(axis=2) * table.sum(axis=1)).sum(axis=1)
        return observed, _ratio(chance, n * n)

    return Coefficient(name="Cohen's kappa", features=features, summary=summary, used=used)


def cohen_error(codes: Codes, categories: int) -> float | None:
    """Return the large-sample standard error of Cohen's kappa; None where it is undefined.

    Fleiss, Cohen and Everitt (1969), Psychological Bulletin 72, 323-327, equation 13.
    """
    table = cohen(codes, categories).features.sum(axis=0).reshape(categories, categories)
    n = float(table.sum())
    if n == 0:
        return None
    p = table / n
    rows, cols = p.sum(axis=1), p.sum(axis=0)
    observed, expected = float(np.trace(p)), float(rows @ cols)
    if expected >= 1.0 - 1e-12:
        return None
    kappa = (observed - expected) / (1.0 - expected)
    on = float((np.diag(p) * (1.0 - (rows + cols) * (1.0 - kappa)) ** 2).sum())
    margins = (cols[:, None] + rows[None, :]) ** 2
    off = (1.0 - kappa) ** 2 * float((p * margins).sum() - (np.diag(p) * np.diag(margins)).sum())
    spread = on + off - (kappa - expected * (1.0 - kappa)) ** 2
    return math.sqrt(max(spread, 0.0) / n) / (1.0 - expected)


def fleiss(codes: Codes, categories: int) -> Coefficient:
    """Return Fleiss' kappa of (U, R) codes: raters share their margins.

    Only units rated by all raters count.  Fleiss (1971), Psychological Bulletin 76, 378-382.
    """
    used = (codes != MISSING).all(axis=1)
    raters = codes.shape[1]
    counts = np.where(used[:, None], _counts(codes, categories), 0.0)
    agreeing = (counts * (counts - 1)).sum(axis=1) / max(raters * (raters - 1), 1)
    features = np.column_stack([used, agreeing, counts / raters])

    def summary(sums: Floats) -> tuple[Floats, Floats]:
        n = sums[:, 0]
        shares = _ratio(sums[:, 2:], np.broadcast_to(n[:, None], sums[:, 2:].shape))
        return _ratio(sums[:, 1], n), (shares**2).sum(axis=1)

    return Coefficient(name="Fleiss' kappa", features=features, summary=summary, used=used)


def distances(totals: Floats, values: Floats, scale: Scale) -> Floats:
    """Return (B, K, K) squared differences of categories.

    Nominal: 1 when they differ.  Interval: squared difference of their (K,) values.  Ordinal:
    squared number of ratings between them, counting half of each end, from (B, K) totals.
    Krippendorff (2019), Content Analysis, 4th edition, section 12.3.
    """
    size = len(values)
    if scale == "nominal":
        plain = 1.0 - np.eye(size)
    elif scale == "interval":
        plain = (values[:, None] - values[None, :]) ** 2
    else:
        middle = np.cumsum(totals, axis=1) - totals / 2.0
        return np.asarray((middle[:, :, None] - middle[:, None, :]) ** 2)
    return np.broadcast_to(plain, (len(totals), size, size))


def krippendorff(codes: Codes, values: Floats, scale: Scale = "nominal") -> Coefficient:
    """Return Krippendorff's alpha of (U, R) codes; ratings may be missing.

    Units with a single rating pair with nothing and do not count.  `observed` and `expected` are
    1 minus the disagreements, in units of the expected disagreement unless the scale is nominal.
    Krippendorff (2019), section 12.3; Hayes and Krippendorff (2007).

    Args:
        codes: ratings as 0..K-1, or MISSING.
        values: (K,) numeric value of each category, increasing; used on the interval scale.
        scale: nominal, ordinal or interval.
    """
    size = len(values)
    counts = _counts(codes, size)
    given = counts.sum(axis=1)
    used = given >= 2
    pairs = counts[:, :, None] * counts[:, None, :] - counts[:, :, None] * np.eye(size)
    inside = np.where(used, 1.0 / np.maximum(given - 1.0, 1.0), 0.0)
    features = (pairs * inside[:, None, None]).reshape(len(codes), -1)

    def summary(sums: Floats) -> tuple[Floats, Floats]:
        table = sums.reshape(-1, size, size)
        totals = table.sum(axis=2)
        n = totals.sum(axis=1)
        far = distances(totals, values, scale)
        chance = np.einsum("bk,bl,bkl->b", totals, totals, far)
        seen = _ratio((table * far).sum(axis=(1, 2)), n)
        expected = _ratio(chance, n * np.maximum(n - 1.0, 1.0))
        if scale != "nominal":
            # Disagreement has no upper end here, so chance is put at 0 agreement.
            return 1.0 - _ratio(seen, expected), np.where(expected > 0, 0.0, 1.0)
        return 1.0 - seen, 1.0 - expected

    return Coefficient(
        name=f"Krippendorff's alpha ({scale})", features=features, summary=summary, used=used
    )


def gwet(codes: Codes, categories: int) -> Coefficient:
    """Return Gwet's AC1 of (U, R) codes; ratings may be missing.

    Chance agreement is sum p (1 - p) / (K - 1), which stays small when one category prevails.
    Agreement is over units with two ratings or more, prevalence over units with any.  Gwet (2008),
    British Journal of Mathematical and Statistical Psychology 61, 29-48.
    """
    counts = _counts(codes, categories)
    given = counts.sum(axis=1)
    used, any_ = given >= 2, given >= 1
    pairs = np.maximum(given * (given - 1), 1.0)
    agreeing = np.where(used, (counts * (counts - 1)).sum(axis=1) / pairs, 0.0)
    shares = counts / np.maximum(given, 1.0)[:, None]
    features = np.column_stack([used, agreeing, any_, shares])

    def summary(sums: Floats) -> tuple[Floats, Floats]:
        n = np.broadcast_to(sums[:, 2:3], sums[:, 3:].shape)
        p = _ratio(sums[:, 3:], n)
        chance = (p * (1.0 - p)).sum(axis=1) / max(categories - 1, 1)
        return _ratio(sums[:, 1], sums[:, 0]), chance

    return Coefficient(name="Gwet's AC1", features=features, summary=summary, used=used)
