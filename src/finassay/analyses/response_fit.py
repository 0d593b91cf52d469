"""The response model of a set of items.  In: right and wrong.  Out: parameters with errors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.kernels.response_model import Fit, Priors, even_grid, fit_2pl
from finassay.analyses.results_difficulty import Ability, ModelStatus, ResponseModel

Floats = NDArray[np.float64]

METHOD = (
    "two-parameter logistic model, standard normal ability, marginal likelihood by EM over an even "
    "grid of 121 nodes (Bock and Aitkin, 1981), posterior mode under the priors; standard errors "
    "from the observed information (Louis, 1982)"
)

MANY_SYSTEMS = 200
"""Below this many systems item parameters rest on the priors to a degree that must be said."""

MOST_VERDICTS = 50_000
"""Items times systems up to which a model is fitted; rounds over more take minutes."""

MOST_ITEMS = 2000
"""Items beyond which the joint information of all parameters is not formed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemParameters:
    """Parameters of the R items, in row order.

    Attributes:
        status: (R,) whether each item was fitted.
        values: (R, 4) a, its error, b, its error; read only where fitted.
        has_errors: whether the errors are there.
        summary: the model as a whole; None when it was not fitted.
        warnings: why it was not.
    """

    status: tuple[ModelStatus, ...]
    values: Floats
    has_errors: bool
    summary: ResponseModel | None
    warnings: tuple[str, ...] = ()


def fit_items(
    right: Floats, systems: Sequence[str], priors: Priors | None = None
) -> ItemParameters:
    """Return the response model of (R items, C systems) of 0 and 1.

    Items that every system gets right, or none, are not fitted: their parameters would be the
    prior.
    """
    given = Priors() if priors is None else priors
    k, c = right.sum(axis=1), right.shape[1]
    inside = (k > 0) & (k < c)
    why = _why_not(int(inside.sum()), c)
    if why:
        return _unfitted(k, c, why)
    fit = fit_2pl(right[inside], priors=given, grid=even_grid())
    values = np.zeros((len(right), 4))
    a, b = np.exp(fit.parameters[:, 0]), fit.parameters[:, 1]
    values[inside, 0], values[inside, 2] = a, b
    if fit.errors is not None:
        values[inside, 1], values[inside, 3] = a * fit.errors[:, 0], fit.errors[:, 1]
    status = _status(k, c)
    return ItemParameters(
        status=status,
        values=values,
        has_errors=fit.errors is not None,
        summary=_summary(fit, given, systems=systems, status=status),
    )


def _why_not(items: int, systems: int) -> str:
    if systems < 3:
        return f"{systems} systems: a response model needs at least 3"
    if items < 3:
        return f"{items} items that some but not all systems get right: a response model needs 3"
    if items > MOST_ITEMS:
        return f"{items} items: a response model is fitted for at most {MOST_ITEMS}"
    if items * systems > MOST_VERDICTS:
        return f"{items * systems} verdicts: a response model is fitted for at most {MOST_VERDICTS}"
    return ""


def _status(k: Floats, systems: int) -> tuple[ModelStatus, ...]:
    return tuple(
        "none_right" if right == 0 else "all_right" if right == systems else "fitted" for right in k
    )


def _unfitted(k: Floats, systems: int, why: str) -> ItemParameters:
    fitted: dict[ModelStatus, ModelStatus] = {"fitted": "not_fitted"}
    status = tuple(fitted.get(state, state) for state in _status(k, systems))
    return ItemParameters(
        status=status, values=np.zeros((len(k), 4)), has_errors=False, summary=None, warnings=(why,)
    )


def _summary(
    fit: Fit, priors: Priors, *, systems: Sequence[str], status: Sequence[ModelStatus]
) -> ResponseModel:
    shares: list[float | None] = [None, None]
    if fit.errors is not None:
        found = np.median(fit.errors**2, axis=0) * priors.precision
        shares = [float(share) if share > 0 else None for share in found]
    return ResponseModel(
        n_items=sum(state == "fitted" for state in status),
        n_all_right=sum(state == "all_right" for state in status),
        n_none_right=sum(state == "none_right" for state in status),
        n_systems=len(systems),
        log_likelihood=fit.log_likelihood,
        rounds=fit.rounds,
        is_converged=fit.is_converged,
        has_errors=fit.errors is not None,
        priors=_words(priors),
        prior_share_a=shares[0],
        prior_share_b=shares[1],
        abilities=tuple(
            Ability(system=name, mean=float(mean), sd=float(sd))
            for name, mean, sd in zip(systems, fit.ability, fit.ability_sd, strict=True)
        ),
        method=METHOD,
        warnings=_warnings(fit, len(systems), shares[0]),
    )


def _words(priors: Priors) -> str:
    def one(name: str, mean: float, sd: float | None) -> str:
        return f"no prior for {name}" if sd is None else f"{name} ~ normal({mean:g}, sd {sd:g})"

    return (
        f"{one('log a', priors.log_a_mean, priors.log_a_sd)}; "
        f"{one('b', priors.b_mean, priors.b_sd)}"
    )


def _warnings(fit: Fit, systems: int, share: float | None) -> tuple[str, ...]:
    out = []
    if systems < MANY_SYSTEMS:
        said = (
            "" if share is None else f"; {100 * share:.0f}% of the prior variance of log a is left"
        )
        out.append(
            f"{systems} systems cannot carry a two-parameter model (about {MANY_SYSTEMS} can): its "
            f"item parameters rest largely on the priors{said}; use them to look at items, not to "
            f"score systems"
        )
    if not fit.is_converged:
        out.append(f"the response model did not come to rest in {fit.rounds} rounds")
    if fit.errors is None:
        out.append("the response model has no standard errors: its information is not positive")
    return tuple(out)
