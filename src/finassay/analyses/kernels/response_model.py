"""The two-parameter logistic model.  In: right and wrong.  Out: item parameters and their errors.

P(right) = 1 / (1 + exp(-a (ability - b))), abilities standard normal.  Estimated by marginal
maximum likelihood with an EM algorithm over fixed quadrature nodes (Bock and Aitkin, 1981,
Psychometrika 46, 443-459), or as the posterior mode when priors are given (Mislevy, 1986,
Psychometrika 51, 177-195).  Standard errors come from the observed information of the marginal
likelihood by Louis's identity (1982, JRSS B 44, 226-233), over all items at once.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.polynomial.hermite_e import hermegauss
from numpy.typing import NDArray
from scipy import linalg, special

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Priors:
    """Normal priors of log a and b; a spread of None is no prior.

    Attributes:
        log_a_mean: mean of log a.
        log_a_sd: standard deviation of log a.
        b_mean: mean of b.
        b_sd: standard deviation of b.
    """

    log_a_mean: float = 0.0
    log_a_sd: float | None = 0.5
    b_mean: float = 0.0
    b_sd: float | None = 2.0

    @property
    def precision(self) -> Floats:
        """(2,) inverse variances of (log a, b)."""
        return np.array([0.0 if sd is None else sd**-2 for sd in (self.log_a_sd, self.b_sd)])

    @property
    def means(self) -> Floats:
        """(2,) means of (log a, b)."""
        return np.array([self.log_a_mean, self.b_mean])


NO_PRIORS = Priors(log_a_sd=None, b_sd=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """A fitted model of J items and C systems.

    Attributes:
        parameters: (J, 2) log a and b.
        errors: (J, 2) their standard errors; None when the information is not positive definite.
        ability: (C,) posterior means of ability.
        ability_sd: (C,) posterior standard deviations.
        log_likelihood: marginal, without the priors.
        rounds: EM rounds made.
        is_converged: whether the last round moved no parameter by more than the tolerance.
    """

    parameters: Floats
    errors: Floats | None
    ability: Floats
    ability_sd: Floats
    log_likelihood: float
    rounds: int
    is_converged: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """Quadrature over ability: (Q,) nodes and (Q,) log weights that sum to one."""

    nodes: Floats
    log_weights: Floats


def gauss_hermite(nodes: int) -> Grid:
    """Return Gauss-Hermite nodes and log weights for a standard normal ability."""
    at, weights = hermegauss(nodes)
    return Grid(nodes=np.asarray(at), log_weights=np.log(weights) - 0.5 * math.log(2.0 * math.pi))


def even_grid(reach: float = 6.0, step: float = 0.1) -> Grid:
    """Return evenly spaced nodes over [-reach, reach] with normal log weights.

    With hundreds of items a system's posterior is far narrower than the gaps between Gauss-Hermite
    nodes; an even grid is accurate as long as its step is below the posterior's deviation.
    """
    nodes = np.linspace(-reach, reach, round(2.0 * reach / step) + 1)
    weights = -0.5 * nodes**2
    return Grid(nodes=nodes, log_weights=weights - special.logsumexp(weights))


def logits(parameters: Floats, nodes: Floats) -> Floats:
    """Return (J, Q) log odds of a right answer at each node."""
    return np.asarray(np.exp(parameters[:, :1]) * (nodes[None, :] - parameters[:, 1:]))


def posterior(right: Floats, parameters: Floats, grid: Grid) -> tuple[Floats, float]:
    """Return (C, Q) posterior weights of the nodes and the marginal log-likelihood.

    `right` is (J items, C systems) of 0 and 1.
    """
    eta = logits(parameters, grid.nodes)
    joint = right.T @ eta - np.logaddexp(0.0, eta).sum(axis=0)[None, :] + grid.log_weights
    whole = special.logsumexp(joint, axis=1)
    return np.exp(joint - whole[:, None]), float(whole.sum())


def _slopes(parameters: Floats, nodes: Floats) -> Floats:
    """Return (2, J, Q) derivatives of the log odds by log a and by b."""
    eta = logits(parameters, nodes)
    return np.stack([eta, np.broadcast_to(-np.exp(parameters[:, :1]), eta.shape)])


def _improved(
    parameters: Floats, counts: tuple[Floats, Floats], nodes: Floats, priors: Priors
) -> Floats:
    """Return parameters after one damped scoring step of every item on its expected counts."""
    correct, total = counts
    p = special.expit(logits(parameters, nodes))
    slopes = _slopes(parameters, nodes)
    gradient = np.einsum("kjq,jq->jk", slopes, correct - total * p)
    gradient -= priors.precision * (parameters - priors.means)
    information = np.einsum("kjq,ljq,jq->jkl", slopes, slopes, total * p * (1.0 - p))
    information += np.diag(priors.precision + 1e-9)
    step = np.linalg.solve(information, gradient[:, :, None])[:, :, 0]
    longest = np.abs(step).max(axis=1, keepdims=True)
    return np.asarray(parameters + step * np.minimum(1.0, 0.7 / np.maximum(longest, 1e-12)))


SCORING_STEPS = 2


def fit_2pl(
    right: Floats,
    *,
    priors: Priors = NO_PRIORS,
    grid: Grid | None = None,
    rounds: int = 1000,
    tolerance: float = 1e-5,
) -> Fit:
    """Return the two-parameter logistic model of (J items, C systems) of 0 and 1.

    Items that all or no systems get right have no finite estimate without priors: leave them out.

    Args:
        right: items x systems.
        priors: of log a and b; none by default.
        grid: quadrature over ability; 41 Gauss-Hermite nodes by default.
        rounds: most EM rounds.
        tolerance: largest move of a parameter in a round at which it stops.

    Raises:
        ValueError: an array without items or systems, or values that are not 0 or 1.
    """
    if right.size == 0 or not np.isin(right, (0.0, 1.0)).all():
        raise ValueError(
            f"`right` must be items x systems of 0 and 1 with at least one of each, got an array "
            f"of shape {right.shape}"
        )
    grid = gauss_hermite(41) if grid is None else grid
    share = (right.sum(axis=1) + 0.5) / (right.shape[1] + 1.0)
    parameters = np.column_stack([np.zeros(len(right)), -special.logit(share) * 1.2])
    made, moved = 0, math.inf
    while made < rounds and moved > tolerance:
        weights, _ = posterior(right, parameters, grid)
        counts = (
            right @ weights,
            np.broadcast_to(weights.sum(axis=0), (len(right), len(grid.nodes))),
        )
        before = parameters
        for _ in range(SCORING_STEPS):
            parameters = _improved(parameters, counts, grid.nodes, priors)
        moved, made = float(np.abs(parameters - before).max()), made + 1
    weights, likelihood = posterior(right, parameters, grid)
    mean = weights @ grid.nodes
    return Fit(
        parameters=parameters,
        errors=standard_errors(right, parameters, grid, priors),
        ability=mean,
        ability_sd=np.sqrt(np.maximum(weights @ grid.nodes**2 - mean**2, 0.0)),
        log_likelihood=likelihood,
        rounds=made,
        is_converged=moved <= tolerance,
    )


def observed_information(
    right: Floats, parameters: Floats, grid: Grid, priors: Priors = NO_PRIORS
) -> Floats:
    """Return the (2J, 2J) negative Hessian of the marginal log-likelihood plus the log priors.

    Louis (1982): expected complete information minus the posterior variance of the complete
    score.  Parameters are ordered (log a, b) of the first item, of the second, and so on.
    """
    items, systems = right.shape
    weights, _ = posterior(right, parameters, grid)
    p = special.expit(logits(parameters, grid.nodes))
    slopes = _slopes(parameters, grid.nodes)
    total = weights.sum(axis=0)
    miss = right @ weights - total * p
    complete = np.einsum("kjq,ljq,jq->jkl", slopes, slopes, total * p * (1.0 - p))
    # Second derivatives of the log odds: by log a twice, by log a and b; by b twice it is zero.
    complete[:, 0, 0] -= (miss * slopes[0]).sum(axis=1)
    cross = (miss * slopes[1]).sum(axis=1)
    complete[:, 0, 1] -= cross
    complete[:, 1, 0] -= cross
    information = np.asarray(linalg.block_diag(*(complete + np.diag(priors.precision))))
    for c in range(systems):
        score = (slopes * (right[:, c, None] - p)).transpose(1, 0, 2).reshape(2 * items, -1)
        mean = score @ weights[c]
        information -= (score * weights[c]) @ score.T - np.outer(mean, mean)
    return information


def standard_errors(
    right: Floats, parameters: Floats, grid: Grid, priors: Priors = NO_PRIORS
) -> Floats | None:
    """Return (J, 2) standard errors of (log a, b); None where the information is singular."""
    information = observed_information(right, parameters, grid, priors)
    try:
        factor = linalg.cho_factor(information)
    except linalg.LinAlgError:
        return None
    variances = np.diag(linalg.cho_solve(factor, np.eye(len(information))))
    return np.sqrt(variances).reshape(-1, 2)
