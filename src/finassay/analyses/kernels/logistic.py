"""Logistic regression with clustered errors.  In: a design and outcomes.  Out: estimates.

Maximum likelihood by iteratively reweighted least squares (McCullagh and Nelder, 1989, section
2.5), with the sandwich of Liang and Zeger (1986, Biometrika 73, 13-22) over clusters: bread is the
inverse information, meat the sum over clusters of the outer products of their scores.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, special

Floats = NDArray[np.float64]

STEPS = 100
TOLERANCE = 1e-10

LARGEST_LOGIT = 30.0
"""Fitted log odds beyond which a fit is taken for separated: P differs from 0 or 1 by 1e-13."""

FEWEST_CLUSTERS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class LogisticFit:
    """A fitted model of P parameters.

    Attributes:
        coefficients: (P,) log odds.
        errors: (P,) cluster-robust standard errors.
        n: rows.
        n_clusters: clusters.
    """

    coefficients: Floats
    errors: Floats
    n: int
    n_clusters: int


def logistic_fit(
    design: Floats, outcome: NDArray[np.bool_], clusters: NDArray[np.int64]
) -> LogisticFit | str:
    """Return the fit of (n,) outcomes on an (n, P) design, or why there is none.

    The sandwich is corrected for few clusters by G / (G - 1) * (n - 1) / (n - P).

    Args:
        design: one row an observation; a column of ones is the constant.
        outcome: whether it happened.
        clusters: (n,) cluster of each row.

    Raises:
        ValueError: the lengths differ.
    """
    n, width = design.shape
    if outcome.shape != (n,) or clusters.shape != (n,):
        raise ValueError(
            f"a design of {n} rows got outcomes {outcome.shape} and clusters {clusters.shape}"
        )
    groups = np.unique(clusters, return_inverse=True)[1]
    n_groups = int(groups.max(initial=-1)) + 1
    if n <= width:
        return f"{n} rows are too few for {width} parameters"
    if outcome.all() or not outcome.any():
        return "the outcome is the same in every row"
    if n_groups < FEWEST_CLUSTERS:
        return "all rows are about one cluster"
    if np.linalg.matrix_rank(design) < width:
        return "a column of the design follows from the others"
    found = _maximised(design, outcome)
    if found is None:
        return "the outcome can be told apart perfectly, so that no finite estimate exists"
    coefficients, chances = found
    bread = linalg.inv(design.T @ (design * (chances * (1.0 - chances))[:, None]))
    scores = design * (outcome - chances)[:, None]
    sums = np.zeros((n_groups, width))
    np.add.at(sums, groups, scores)
    correction = n_groups / (n_groups - 1) * (n - 1) / (n - width)
    covariance = correction * bread @ (sums.T @ sums) @ bread
    return LogisticFit(
        coefficients=coefficients,
        errors=np.sqrt(np.diag(covariance)),
        n=n,
        n_clusters=n_groups,
    )


def _maximised(design: Floats, outcome: NDArray[np.bool_]) -> tuple[Floats, Floats] | None:
    """Return the estimate and the fitted chances; None where it runs away."""
    estimate = np.zeros(design.shape[1])
    reached = _likelihood(design, outcome, estimate)
    for _ in range(STEPS):
        chances = special.expit(design @ estimate)
        gradient = design.T @ (outcome - chances)
        information = design.T @ (design * (chances * (1.0 - chances))[:, None])
        try:
            step = linalg.solve(information, gradient, assume_a="pos")
        except linalg.LinAlgError:
            return None
        estimate, reached, moved = _ascended(design, outcome, estimate, step, reached)
        if np.abs(design @ estimate).max() > LARGEST_LOGIT:
            return None
        if moved < TOLERANCE * (1.0 + float(np.abs(estimate).max())):
            return estimate, special.expit(design @ estimate)
    return None


def _ascended(
    design: Floats, outcome: NDArray[np.bool_], at: Floats, step: Floats, reached: float
) -> tuple[Floats, float, float]:
    """Return the next estimate, its likelihood and how far it moved: halved until it climbs."""
    length = 1.0
    while length > TOLERANCE:
        there = at + length * step
        found = _likelihood(design, outcome, there)
        if found >= reached - abs(reached) * 1e-14:
            return there, found, float(np.abs(length * step).max())
        length /= 2.0
    return at, reached, 0.0


def _likelihood(design: Floats, outcome: NDArray[np.bool_], at: Floats) -> float:
    logits = design @ at
    return float(np.where(outcome, logits, 0.0).sum() - np.logaddexp(0.0, logits).sum())
