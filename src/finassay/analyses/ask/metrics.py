"""The eight metrics, exact.  In: outcomes of states.  Out: fractions, None where undefined.

With T_ask and T_proceed the states by recorded action, z the alignment of the request (1 direct,
0.5 partial, 0 none or not asked): Zhong et al. (2026), arXiv 2608.25325, equations 8 to 21.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from finassay.analyses.results_ask import AskScores
from finassay.benchmarks.ask.states import ASK, PROCEED

Metric = Literal["ERA", "BAcc", "AskR", "ProceedR", "RAA", "CRA", "DEH", "REH"]
METRICS: tuple[Metric, ...] = ("ERA", "BAcc", "AskR", "ProceedR", "RAA", "CRA", "DEH", "REH")
REQUEST_METRICS: tuple[Metric, ...] = ("ERA", "CRA", "DEH", "REH")
"""Metrics that need a request; a reference policy makes none."""

Exact = Mapping[Metric, Fraction | None]
"""One value for each metric, as a fraction in [0, 1]."""

HALF = Fraction(1, 2)

ALWAYS_ASK = "Always-Ask"
ALWAYS_PROCEED = "Always-Proceed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a system did at one state.

    Attributes:
        trajectory: the review that the state belongs to.
        recorded: the recorded action, ask or proceed.
        action: ask, proceed or invalid.
        z: alignment of the request, 0, 1/2 or 1; 0 where nothing usable was asked.
    """

    trajectory: str
    recorded: str
    action: str
    z: Fraction = Fraction(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """Weighted sums over outcomes; with weight 1 for every state they are counts."""

    ask: Fraction
    proceed: Fraction
    asked: Fraction
    went_on: Fraction
    aligned: Fraction
    direct: Fraction
    relevant: Fraction


def tally(outcomes: Sequence[Outcome]) -> Tally:
    """Return the counts of outcomes."""
    return _weighted(outcomes, [Fraction(1)] * len(outcomes))


def _weighted(outcomes: Sequence[Outcome], weights: Sequence[Fraction]) -> Tally:
    both = list(zip(outcomes, weights, strict=True))
    on_ask = [(one, w) for one, w in both if one.recorded == ASK]
    on_proceed = [(one, w) for one, w in both if one.recorded == PROCEED]
    nil = Fraction(0)
    return Tally(
        ask=sum((w for _, w in on_ask), nil),
        proceed=sum((w for _, w in on_proceed), nil),
        asked=sum((w for one, w in on_ask if one.action == ASK), nil),
        went_on=sum((w for one, w in on_proceed if one.action == PROCEED), nil),
        aligned=sum((one.z * w for one, w in on_ask), nil),
        direct=sum((w for one, w in on_ask if one.z == 1), nil),
        relevant=sum((w for one, w in on_ask if one.z >= HALF), nil),
    )


def share(part: Fraction, whole: Fraction) -> Fraction | None:
    """Return part / whole, None where there is no whole."""
    return part / whole if whole else None


def metrics(counted: Tally) -> dict[Metric, Fraction | None]:
    """Return the eight metrics of a tally; None where a denominator is 0."""
    ask_recall = share(counted.asked, counted.ask)
    proceed_recall = share(counted.went_on, counted.proceed)
    balanced = None
    if ask_recall is not None and proceed_recall is not None:
        balanced = (ask_recall + proceed_recall) / 2
    return {
        "ERA": share(counted.aligned, counted.ask),
        "BAcc": balanced,
        "AskR": ask_recall,
        "ProceedR": proceed_recall,
        "RAA": share(counted.asked + counted.went_on, counted.ask + counted.proceed),
        "CRA": share(counted.aligned, counted.asked),
        "DEH": share(counted.direct, counted.ask),
        "REH": share(counted.relevant, counted.ask),
    }


def ask_metrics(outcomes: Sequence[Outcome]) -> dict[Metric, Fraction | None]:
    """Return the eight metrics in which every state counts once."""
    return metrics(tally(outcomes))


def trajectory_metrics(outcomes: Sequence[Outcome]) -> dict[Metric, Fraction | None]:
    """Return the eight metrics in which every trajectory counts once.

    Recalls, ERA, CRA, DEH and REH weigh a state by 1 / states of its trajectory with the same
    recorded action, so that ERA = AskR x CRA and ERA = (DEH + REH) / 2 still hold; RAA weighs it
    by 1 / states of its trajectory, so it is no mixture of the two recalls any more.
    """
    by_class: defaultdict[tuple[str, str], int] = defaultdict(int)
    by_trajectory: defaultdict[str, int] = defaultdict(int)
    for one in outcomes:
        by_class[one.trajectory, one.recorded] += 1
        by_trajectory[one.trajectory] += 1
    inside = [Fraction(1, by_class[one.trajectory, one.recorded]) for one in outcomes]
    found = metrics(_weighted(outcomes, inside))
    whole = [Fraction(1, by_trajectory[one.trajectory]) for one in outcomes]
    found["RAA"] = metrics(_weighted(outcomes, whole))["RAA"]
    return found


def policies(n_ask: int, n_proceed: int) -> dict[str, dict[Metric, Fraction | None]]:
    """Return the metrics of the two reference policies; they make no request, so those are None.

    Args:
        n_ask: ask states.
        n_proceed: proceed states.
    """
    found = {}
    for name, action in ((ALWAYS_ASK, ASK), (ALWAYS_PROCEED, PROCEED)):
        states = [(ASK, n_ask), (PROCEED, n_proceed)]
        outcomes = [
            Outcome(trajectory="", recorded=recorded, action=action)
            for recorded, n in states
            for _ in range(n)
        ]
        values = ask_metrics(outcomes)
        found[name] = values | dict.fromkeys(REQUEST_METRICS)
    return found


def scores_of(exact: Exact) -> AskScores:
    """Return metrics as floats."""

    def plain(metric: Metric) -> float | None:
        value = exact[metric]
        return None if value is None else float(value)

    return AskScores(
        era=plain("ERA"),
        bacc=plain("BAcc"),
        ask_recall=plain("AskR"),
        proceed_recall=plain("ProceedR"),
        raa=plain("RAA"),
        cra=plain("CRA"),
        deh=plain("DEH"),
        reh=plain("REH"),
    )
