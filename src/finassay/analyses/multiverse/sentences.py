"""What a multiverse says in sentences.  In: a result.  Out: sentences that one may quote."""

from __future__ import annotations

from collections import defaultdict
from typing import Literal

from finassay.analyses.results_multiverse import (
    Flip,
    MultiverseResult,
    RobustOrder,
)
from finassay.analyses.wording import count, fixed, listed, percent, plural

Topic = Literal["order", "leaders", "effects", "flips", "floor"]
"""What a sentence is about."""

MOST_HEADS = 2
"""Systems whose place above others is spelled out."""

MOST_BELOW = 3
"""Systems below each of them that are named."""


def multiverse_sentences(found: MultiverseResult) -> tuple[tuple[Topic, str], ...]:
    """Return two to five sentences, each with its topic: what holds, what does not, and why."""
    said: tuple[tuple[Topic, str], ...] = (
        ("order", order_sentence(found)),
        ("leaders", _leaders(found)),
        ("effects", _mover(found)),
        ("flips", _flip(found)),
        ("floor", _floor(found)),
    )
    return tuple((topic, sentence) for topic, sentence in said if sentence)


def order_sentence(found: MultiverseResult) -> str:
    """Return which systems keep their order under all rules, and how many pairs do not."""
    order = found.orders[0]
    rules = f"all {plural(found.n_rules, 'rule')} tried"
    pairs = plural(order.n_pairs, "pair")
    if not order.n_held:
        text = (
            f"Under {rules} no pair of the {len(found.systems)} systems keeps its order: which "
            f"one stands above is decided by the rule for each of the {pairs}"
        )
        return f"{text}{_mostly(found)}."
    heads = _heads(order)
    spelled = [
        f"{name} stays above {listed(below, MOST_BELOW)}" for name, below in heads[:MOST_HEADS]
    ]
    rest = order.n_held - sum(len(below) for _, below in heads[:MOST_HEADS])
    more = f", and {plural(rest, 'more pair')} of {order.n_pairs} keep their order" if rest else ""
    left = order.n_pairs - order.n_held
    tail = f"; the order of the other {plural(left, 'pair')} is decided by the rule" if left else ""
    return f"Under {rules}, {listed(spelled)}{more}{tail}."


def _heads(order: RobustOrder) -> list[tuple[str, list[str]]]:
    """Return the systems that stand above others, those above most first, with all below."""
    below: defaultdict[str, set[str]] = defaultdict(set)
    place = {name: at for at, level in enumerate(order.levels) for name in level}
    for high, low in sorted(order.edges, key=lambda edge: -place[edge[0]]):
        below[high] |= {low} | below.get(low, set())
    ranked = sorted(below.items(), key=lambda pair: -len(pair[1]))
    return [(name, sorted(names, key=lambda n: (place[n], n))) for name, names in ranked]


def _mostly(found: MultiverseResult) -> str:
    """Return how many pairs keep their order under most rules, where such an order was made."""
    likely = next((one for one in found.orders if one.least_share < 1.0), None)
    if likely is None:
        return ""
    share = f"{100 * likely.least_share:g}%"
    how = "of the plausibility" if found.is_weighted else "of them"
    return f"; under {share} {how}, {count(likely.n_held)} keep it"


def _leaders(found: MultiverseResult) -> str:
    leaders = found.conclusions.leaders
    if len(leaders) < 2:
        name = leaders[0][0] if leaders else ""
        return f"{name} leads, alone or jointly, under every rule." if name else ""
    spelled = [f"{name} ({percent(share, 100)}% of the rules)" for name, share in leaders[:2]]
    return (
        f"{count(len(leaders))} of the {len(found.systems)} systems lead under some rule, most "
        f"often {listed(spelled)}."
    )


def _mover(found: MultiverseResult) -> str:
    mains = [
        one
        for one in found.decomposition.effects
        if len(one.dimensions) == 1 and one.accuracy is not None and one.accuracy > 0
    ]
    if not mains:
        return ""
    top = max(mains, key=lambda one: one.accuracy or 0.0)
    titles = {one.name: one.title for one in found.dimensions}
    text = (
        f"What moves accuracy most is {titles.get(top.dimensions[0], top.dimensions[0])}: "
        f"{percent(top.accuracy or 0.0, 100)}% of the variance between rules"
    )
    if top.accuracy_range is not None:
        text += f", {fixed(100 * top.accuracy_range, 1)} points between its choices"
    return f"{text}."


def _flip(found: MultiverseResult) -> str:
    flip = next((one for one in found.flips if one.kind == "leader"), None)
    if flip is None or flip.n_changes is None:
        return ""
    return (
        f"{'One changed choice' if flip.n_changes == 1 else f'{flip.n_changes} changed choices'} "
        f"({flip_text(flip)}) "
        f"{'is' if flip.n_changes == 1 else 'are'} enough to put {flip.below} above {flip.above}, "
        f"{'who leads' if _leads(found, flip.above) else 'a leader'} under the base rule."
    )


def _leads(found: MultiverseResult, name: str) -> bool:
    ranks = dict(zip(found.systems, found.ranks[found.base], strict=True))
    return ranks[name] == 1 and list(ranks.values()).count(1.0) == 1


def flip_text(flip: Flip) -> str:
    """Return the choices that a flip changes, "matcher: token_set to includes"."""
    parts = []
    for change in flip.changes:
        if change.base is None:
            parts.append(f"{change.dimension}: {change.other}")
        elif change.other is None:
            parts.append(f"{change.dimension}: no longer {change.base}")
        else:
            parts.append(f"{change.dimension}: {change.base} to {change.other}")
    return ", ".join(parts)


def _floor(found: MultiverseResult) -> str:
    floor = found.floor
    if floor is None:
        return ""
    kept = f"{count(floor.n_kept)} of {plural(found.n_rules, 'rule')}"
    text = f"{kept} agree with {floor.people} at kappa {floor.floor:g} or more"
    if floor.after is None:
        return f"{text}, so none is left to say anything."
    return (
        f"{text}; under these {count(floor.after.n_held)} of {plural(floor.after.n_pairs, 'pair')} "
        f"keep their order, under all rules {count(floor.before.n_held)}."
    )
