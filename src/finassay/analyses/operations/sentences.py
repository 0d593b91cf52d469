"""Which system to take, in words.  In: facts and intervals of one operation.  Out: sentences."""

from __future__ import annotations

from finassay.analyses.operations.results import Between, Recommendation
from finassay.analyses.operations.shortlists import OperationFacts
from finassay.analyses.wording import fixed, plural

NO_ITEMS = "no interval can be given, as printed scores have no items"

DIGITS = 2
MOST_NAMES = 3

NOWHERE = Between(low=None, high=None)


def spelled(name: str) -> str:
    """Return the name of an operation or family as words."""
    return " ".join(name.replace("_", " ").split())


def _points(value: float) -> str:
    return fixed(value, DIGITS)


def either(names: tuple[str, ...]) -> str:
    """Return "A", "A or B", "A, B or C"; beyond three only how many: "any of 5 systems"."""
    if len(names) > MOST_NAMES:
        return f"any of {plural(len(names), 'system')}"
    return " or ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def printed_recommendation(facts: OperationFacts) -> Recommendation:
    """Return the recommendation that printed scores allow: no interval."""
    after = ""
    if facts.runner_up is not None:
        name, score = facts.runner_up
        after = f"; next is {name}, {_points(facts.best - score)} below"
    text = (
        f"For {spelled(facts.operation)} take {either(facts.leaders)} ({_points(facts.best)}"
        f"{after}); {_cost(facts, NOWHERE, 0.0)}; {NO_ITEMS}."
    )
    return _recommendation(facts, facts.leaders, NOWHERE, text, has_interval=False)


def item_recommendation(
    facts: OperationFacts,
    tied: tuple[str, ...],
    *,
    n_items: int,
    n_clusters: int,
    cost: Between,
    level: float,
) -> Recommendation:
    """Return the recommendation that items allow: every system that may be the best.

    Args:
        facts: what the scores say.
        tied: systems that the items cannot tell from the best; empty where that was not tested.
        n_items: items of the operation.
        n_clusters: what is drawn, of the operation: fewer than items where some are drawn together.
        cost: interval of the regret of the knowledge leader.
        level: confidence level.
    """
    take = tied or facts.leaders
    seen = plural(n_items, "item")
    if n_clusters < n_items:
        seen += f" in {plural(n_clusters, 'cluster')}"
    why = f"{_points(facts.best)} on {seen}"
    if len(take) > 1:
        why = f"{seen} cannot tell them from the best at {100 * level:g}%"
    text = f"For {spelled(facts.operation)} take {either(take)} ({why}); "
    inside = [name for name in facts.knowledge_leaders if name in take]
    if inside and facts.cost > 0:
        text += (
            f"the knowledge leader, {either(tuple(inside))}, is among them, "
            f"{_points(facts.cost)} points below the highest{_interval(cost, level)}."
        )
    else:
        text += f"{_cost(facts, cost, level)}."
    return _recommendation(facts, take, cost, text, has_interval=True)


def _cost(facts: OperationFacts, cost: Between, level: float) -> str:
    who = either(facts.knowledge_leaders)
    if facts.cost <= 0:
        return f"the knowledge leader, {who}, costs nothing{_interval(cost, level)}"
    return (
        f"the knowledge leader, {who}, would cost {_points(facts.cost)} points"
        f"{_interval(cost, level)}"
    )


def _interval(cost: Between, level: float) -> str:
    if cost.low is None or cost.high is None:
        return ""
    return f" ({100 * level:g}% interval {_points(cost.low)} to {_points(cost.high)})"


def _recommendation(
    facts: OperationFacts,
    take: tuple[str, ...],
    cost: Between,
    text: str,
    *,
    has_interval: bool,
) -> Recommendation:
    return Recommendation(
        operation=facts.operation,
        take=take,
        has_interval=has_interval,
        knowledge_leaders=facts.knowledge_leaders,
        cost=facts.cost,
        cost_interval=cost,
        text=text,
    )
