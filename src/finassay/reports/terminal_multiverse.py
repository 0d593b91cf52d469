"""A multiverse on a terminal.  In: its result.  Out: at most forty lines or so of plain text."""

from __future__ import annotations

from finassay.analyses.results_multiverse import Ends, Flip, KappaFloor, MultiverseResult
from finassay.reports import numbers as num
from finassay.reports.plain import table_lines, wrapped
from finassay.reports.table import Column, Table, lefts, rights

WIDTH = 100
NAME = 24
SHOWN_PAIRS = 8
SHOWN_EFFECTS = 6
SHOWN_FLIPS = 3


def multiverse_lines(found: MultiverseResult) -> list[str]:
    """Return the result in lines: what holds, the table of ranges, what moves, what flips."""
    short = num.short_names(found.systems, NAME)
    lines = wrapped(_head(found), WIDTH)
    for text in multiverse_sentences(found):
        lines += wrapped(f"* {text}", WIDTH)
    lines += ["", *table_lines(_ranges(found, short)), "", *table_lines(_effects(found))]
    if found.floor is not None:
        lines += ["", *wrapped(_floor(found.floor), WIDTH)]
    for note in found.warnings:
        lines += wrapped(num.sentence(note, found.systems), WIDTH)
    return lines


def _head(found: MultiverseResult) -> str:
    return (
        f"{num.count(found.n_rules)} rules ({found.grid}), {num.count(found.n_distinct)} distinct "
        f"verdict vectors, on {num.plural(found.n_items, 'item')} and "
        f"{num.plural(len(found.systems), 'system')}; {num.count(found.n_pruned)} combinations "
        f"forbidden; unscored: {found.policy}; base rule {found.rules[found.base].rule_id}"
    )


def multiverse_sentences(found: MultiverseResult) -> list[str]:
    """Return what a careful person would quote, with counts."""
    return [*_held(found), *_leaders(found), *_nearest(found)]


def _held(found: MultiverseResult) -> list[str]:
    every, clear, plausible = found.orders
    rules = f"all {num.count(found.n_rules)} rules"
    if every.n_held:
        shown = [f"{a} above {b}" for a, b in every.edges[:SHOWN_PAIRS]]
        more = len(every.edges) - len(shown)
        tail = f" and {more} more" if more > 0 else ""
        text = (
            f"The order of {every.n_held} of {num.plural(every.n_pairs, 'pair')} is the same under "
            f"{rules}: {', '.join(shown)}{tail}; the other {every.n_pairs - every.n_held} are "
            f"decided by the rule."
        )
    else:
        text = (
            f"No pair of systems keeps its order under {rules}: each of the {every.n_pairs} is "
            f"decided by the rule."
        )
    likely = (
        f"{num.plural(plausible.n_held, 'pair')} keep their order under at least "
        f"{100 * plausible.least_share:g}% of the plausibility; "
        f"{num.plural(clear.n_held, 'pair')} differ significantly under every rule."
    )
    return [text, likely]


def _leaders(found: MultiverseResult) -> list[str]:
    said = [
        f"{name} ({num.percent(share, found.n_rules)}%)"
        for name, share in found.conclusions.leaders[:5]
    ]
    if not said:
        return []
    more = len(found.conclusions.leaders) - len(said)
    tail = f" and {more} more" if more > 0 else ""
    what = "leads" if len(found.conclusions.leaders) == 1 else "lead, alone or jointly"
    return [f"By share of rules, {num.listed(said)}{tail} {what}."]


def _nearest(found: MultiverseResult) -> list[str]:
    leaders = [flip for flip in found.flips if flip.kind == "leader"]
    pairs = [flip for flip in found.flips if flip.kind == "pair" and flip.n_changes is not None]
    return [flip_sentence(flip) for flip in [*leaders, *pairs][:SHOWN_FLIPS]]


def flip_sentence(flip: Flip) -> str:
    """Return what turns a leader or a pair over."""
    if flip.n_changes is None:
        what = f"{flip.above} from the lead" if flip.kind == "leader" else "this pair around"
        return f"No rule of the grid takes {what}."
    changed = ", ".join(f"{one.dimension} {one.base} to {one.other}" for one in flip.changes)
    verb = "puts" if flip.n_changes == 1 else "put"
    ways = f" ({flip.n_rules} ways)" if flip.n_rules > 1 else ""
    return (
        f"{num.plural(flip.n_changes, 'change')} of the base rule{ways} {verb} {flip.below} above "
        f"{flip.above}: {changed}."
    )


def _ranges(found: MultiverseResult, short: dict[str, str]) -> Table:
    heads: tuple[Column, ...] = (
        *lefts("system"),
        *rights("base %", "rules", "sampling", "both", "rank", "rules", "sampling", "both"),
    )
    n = found.n_items
    rows = [
        (
            short[row.system],
            num.EM_DASH if row.accuracy is None else num.percent(row.accuracy, n),
            *(
                _span(ends, n)
                for ends in (row.rule_accuracy, row.sampling_accuracy, row.both_accuracy)
            ),
            num.EM_DASH if row.rank is None else num.rank(row.rank),
            *(_places(ends) for ends in (row.rule_rank, row.sampling_rank, row.both_rank)),
        )
        for row in found.ranges
    ]
    return Table(
        key="multiverse-ranges",
        caption=f"Accuracy and rank: all rules, chance under the base rule "
        f"({100 * found.level:g}%), and both",
        columns=heads,
        rows=tuple(rows),
    )


def _span(ends: Ends, n: int) -> str:
    if ends.low is None or ends.high is None:
        return num.EM_DASH
    return num.span(ends.low, ends.high, n)


def _places(ends: Ends) -> str:
    if ends.low is None or ends.high is None:
        return num.EM_DASH
    low, high = num.rank(ends.low), num.rank(ends.high)
    return low if low == high else f"{low}{num.EN_DASH}{high}"


def _effects(found: MultiverseResult) -> Table:
    rows = [
        (
            " x ".join(effect.dimensions),
            _percent(effect.accuracy),
            _percent(effect.rank),
            num.EM_DASH
            if effect.accuracy_range is None
            else num.fixed(100 * effect.accuracy_range, 1),
            num.EM_DASH if effect.rank_range is None else num.fixed(effect.rank_range, 1),
        )
        for effect in found.decomposition.effects[:SHOWN_EFFECTS]
    ]
    return Table(
        key="multiverse-effects",
        caption="What moves the score: share of the variance between rules, %",
        columns=(*lefts("choice"), *rights("of accuracy", "of rank", "points", "ranks")),
        rows=tuple(rows),
    )


def _percent(share: float | None) -> str:
    return num.EM_DASH if share is None else num.fixed(100 * share, 1)


def _floor(floor: KappaFloor) -> str:
    head = (
        f"{num.count(floor.n_kept)} of {num.plural(floor.before.n_rules, 'rule')} agree with "
        f"{floor.people} ({num.plural(floor.n_labels, 'label')}) at kappa {floor.floor:g} or more"
    )
    if floor.after is None:
        return f"{head}; nothing is left to conclude from."
    before, after = floor.before, floor.after
    return (
        f"{head}; with these alone {after.n_held} of {num.plural(after.n_pairs, 'pair')} keep "
        f"their order (all rules: {before.n_held}), and the mean range of ranks is "
        f"{_mean(after.mean_rank_range)} instead of {_mean(before.mean_rank_range)}."
    )


def _mean(value: float | None) -> str:
    return num.EM_DASH if value is None else num.fixed(value, 1)
