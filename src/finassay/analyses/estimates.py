"""Estimates of accuracy.  In: a VerdictMatrix.  Out: an Estimate with denominator and policy."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.kernels.intervals import clopper_pearson, jeffreys, student_t, wilson
from finassay.analyses.results_overturns import CountRate
from finassay.analyses.results_scores import Estimate, IntervalMethod
from finassay.errors import UsageError
from finassay.marking.matrix import ABSENT, SCORED, STATUS_CODES, VerdictMatrix
from finassay.records import UNSCORED_POLICIES, Unscored

SILENT = (STATUS_CODES["no_answer"], STATUS_CODES["unparsed"])
"""Statuses that the policy for the unscored is about."""

_INTERVALS = {"wilson": wilson, "clopper-pearson": clopper_pearson, "jeffreys": jeffreys}


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How estimates are made; every analysis that makes one takes this.

    Attributes:
        policy: what is done with verdicts without an answer; required.
        level: confidence level in (0, 1).
        interval: interval for shares of right verdicts.

    Raises:
        UsageError: a policy, level or interval that does not exist.
    """

    policy: Unscored
    level: float = 0.95
    interval: IntervalMethod = "wilson"

    def __post_init__(self) -> None:
        if self.policy not in UNSCORED_POLICIES:
            raise UsageError(f"`policy` must be one of {UNSCORED_POLICIES}, got {self.policy!r}")
        if self.interval not in _INTERVALS:
            raise UsageError(
                f"`interval` must be one of {tuple(_INTERVALS)}, got {self.interval!r}"
            )
        if not 0.0 < self.level < 1.0:
            raise UsageError(f"`level` must be in (0, 1), got {self.level!r}; for 95% pass 0.95")


def silent(status: NDArray[np.int8]) -> NDArray[np.bool_]:
    """Return where a verdict gives no value because there was no answer or it was unreadable."""
    return np.asarray((status == SILENT[0]) | (status == SILENT[1]))


def points(
    matrix: VerdictMatrix, policy: Unscored
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return (R, C) values and (R, C) whether they count, for analyses that need one value a cell.

    Under "exclude" only scored cells count.  Under "wrong" and "bounds" the silent cells count as
    0.0: such an analysis shows the worst case, and its result says so.
    """
    return points_of(matrix.values, matrix.status, policy)


def points_of(
    values: NDArray[np.float64], status: NDArray[np.int8], policy: Unscored
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return what `points` returns, for values and status that stand in no matrix."""
    scored = np.equal(status, SCORED)
    counted = scored if policy == "exclude" else scored | silent(status)
    return np.where(scored, values, 0.0), counted


def worst_case_note(policy: Unscored, n_unscored: int) -> tuple[str, ...]:
    """Return a warning that `points` counted unscored verdicts as wrong although bounds were asked.

    It is empty where that is not so.
    """
    if policy != "bounds" or not n_unscored:
        return ()
    return ("unscored verdicts count as wrong here: this analysis shows the worst case alone",)


def estimate(
    values: NDArray[np.float64],
    status: NDArray[np.int8],
    settings: Settings,
    *,
    name: str = "accuracy",
) -> Estimate:
    """Return the mean of (R,) verdicts with its interval under the policy of `settings`.

    Unanswered and unreadable verdicts are wrong, left out, or counted both ways; failed,
    inapplicable and missing ones are left out under every policy, and counted.  Under "bounds" the
    interval runs from the low end of the worst case to the high end of the best case.  For graded
    scores (not all 0 or 1) the interval is Student's t for the mean, whatever is asked for shares.
    """
    scored = values[status == SCORED]
    unscored = int(silent(status).sum())
    graded = bool(((scored != 0.0) & (scored != 1.0)).any())
    total = math.fsum(scored.tolist()) if graded else float(np.count_nonzero(scored))
    full = len(scored) + unscored
    n = len(scored) if settings.policy == "exclude" else full
    best, worst = _share(total + unscored, full), _share(total, full)
    value = _share(total, n)
    if settings.policy == "bounds" and best != worst:
        value = None
    extra = unscored if settings.policy == "bounds" else 0
    if graded:
        squares = math.fsum((scored**2).tolist())
        low, high = _t_ends(total, squares, n, extra=extra, level=settings.level)
    else:
        low, high = _share_ends(round(total), n, extra=extra, settings=settings)
    return Estimate(
        name=name,
        value=value,
        low=low,
        high=high,
        level=settings.level,
        method="student-t" if graded else settings.interval,
        n=n,
        total=total,
        n_unscored=unscored,
        n_failed=int((status == STATUS_CODES["failed"]).sum()),
        n_not_applicable=int((status == STATUS_CODES["not_applicable"]).sum()),
        n_missing=int((status == ABSENT).sum()),
        policy=settings.policy,
        best=best,
        worst=worst,
    )


def point(given: Estimate) -> float | None:
    """Return the value, the worst case where bounds leave no single value, None when n is 0."""
    return given.value if given.value is not None or not given.n else given.worst


def _share(total: float, n: int) -> float | None:
    return total / n if n else None


Ends = tuple[float | None, float | None]


def _share_ends(right: int, n: int, *, extra: int, settings: Settings) -> Ends:
    """Return the low end of `right` of n and the high end of `right + extra` of n."""
    if n == 0:
        return None, None
    make, level = _INTERVALS[settings.interval], settings.level
    low, _ = make(right=right, n=n, level=level)
    _, high = make(right=right + extra, n=n, level=level)
    return low, high


def _t_ends(total: float, squares: float, n: int, *, extra: int, level: float) -> Ends:
    """Return the low end of the worst case and the high end of the best, by Student's t."""
    low, _ = student_t(total=total, squares=squares, n=n, level=level)
    _, high = student_t(total=total + extra, squares=squares + extra, n=n, level=level)
    return low, high


def column_estimates(
    matrix: VerdictMatrix, settings: Settings, *, rows: NDArray[np.bool_] | None = None
) -> tuple[Estimate, ...]:
    """Return one estimate a column of the matrix, over the rows where the (R,) mask is true."""
    keep = np.ones(len(matrix.rows), dtype=bool) if rows is None else rows
    return tuple(
        estimate(matrix.values[keep, j], matrix.status[keep, j], settings)
        for j in range(len(matrix.columns))
    )


def count_rate(k: int, n: int, *, level: float = 0.95) -> CountRate:
    """Return k of n with its rate and Wilson interval; without observations neither."""
    if n == 0:
        return CountRate(k=k, n=n, rate=None, low=None, high=None)
    low, high = wilson(right=k, n=n, level=level)
    return CountRate(k=k, n=n, rate=k / n, low=low, high=high)


def macro_mean(parts: tuple[Estimate, ...]) -> float | None:
    """Return the unweighted mean of the estimates; None when one of them has no value."""
    shares = [part.value for part in parts]
    known = [share for share in shares if share is not None]
    return math.fsum(known) / len(known) if known and len(known) == len(shares) else None
