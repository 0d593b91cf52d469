"""Tables of a multiverse.  In: a result.  Out: tables of strings."""

from __future__ import annotations

from collections import Counter

from finassay.analyses.multiverse.sentences import flip_text
from finassay.analyses.results_multiverse import (
    Conclusions,
    Ends,
    MultiverseResult,
    Number,
    PairShare,
)
from finassay.reports import numbers as num
from finassay.reports.figures_effects import effect_name
from finassay.reports.table import Gaps, Table, lefts, rights

SHOWN_PAIRS = 40
SHOWN_FLIPS = 20
SHOWN_GROUPS = 8
SHOWN_EFFECTS = 25

MOST_HEADS = 6
"""Systems that head columns by name; more are numbered, so that the table fits a page."""

NOTHING = "nothing to count"


def multiverse_tables(found: MultiverseResult, names: dict[str, str]) -> dict[str, Table]:
    """Return every table of a multiverse by key."""
    made = [
        ranges(found, names),
        dimensions(found),
        effects(found),
        choice_means(found, names),
        flips(found, names),
        pairs(found, names),
        alike(found),
        conclusions(found, names),
    ]
    return {table.key: table for table in made if table is not None}


def _span(ends: Ends, gaps: Gaps, *, percents: bool) -> str:
    if ends.low is None or ends.high is None:
        return gaps.dash(NOTHING)
    if percents:
        return num.span(ends.low, ends.high, 100)
    low, high = num.rank(ends.low), num.rank(ends.high)
    return low if low == high else f"{low}{num.EN_DASH}{high}"


def _share(value: Number, gaps: Gaps) -> str:
    return gaps.dash(NOTHING) if value is None else f"{num.percent(value, 100)}%"


def ranges(found: MultiverseResult, names: dict[str, str]) -> Table:
    """Return the accuracies and ranks that the rule, the sample, and both leave open."""
    gaps = Gaps()
    rows = []
    for one in found.ranges:
        spans = [
            *(_span(e, gaps, percents=True) for e in (one.rule_accuracy, one.weighted_accuracy)),
            *(_span(e, gaps, percents=True) for e in (one.sampling_accuracy, one.both_accuracy)),
        ]
        ranks = [
            _span(e, gaps, percents=False)
            for e in (one.rule_rank, one.weighted_rank, one.sampling_rank, one.both_rank)
        ]
        rank = gaps.dash(NOTHING) if one.rank is None else num.rank(one.rank)
        rows.append((names[one.system], _share(one.accuracy, gaps), *spans, rank, *ranks))
    level = f"{100 * found.level:g}%"
    return Table(
        key="rule-ranges",
        caption=(
            f"Accuracy in % and rank under the base rule, and what {num.count(found.n_rules)} "
            "rules and the sample leave open"
        ),
        columns=(
            *lefts("System"),
            *rights("Base", "Every rule", "Central rules", "Sample", "Both"),
            *rights("Rank", "Every rule", "Central rules", "Sample", "Both"),
        ),
        rows=tuple(rows),
        notes=gaps.notes(
            f"Every rule: lowest to highest, no chance in it. Central rules: the middle {level} "
            f"by plausibility{'' if found.is_weighted else ', all choices equally plausible'}. "
            f"Sample: {level} interval under the base rule, {num.count(found.draws)} draws of "
            f"{found.resampled}, seed {found.seed}. Both: from the lowest to the highest end "
            "over all rules.",
            f"Ranks are {found.rank_convention} ranks.",
            f"Not ranked: {', '.join(found.left_out)}." if found.left_out else "",
            found.method,
            *found.warnings,
        ),
    )


def dimensions(found: MultiverseResult) -> Table:
    """Return what the rules decide: every dimension with its choices."""
    return Table(
        key="rule-choices",
        caption=f"What a rule of the grid {num.clean(found.grid)} decides",
        columns=(
            *lefts("Dimension", "What is decided", "Choices", "Only where"),
            *rights("Rules"),
            *lefts("Moves a verdict"),
        ),
        rows=tuple(
            (
                num.clean(one.name),
                num.clean(one.title),
                ", ".join(
                    num.clean(
                        f"{c.name} ({num.percent(c.weight, 100)}%)" if found.is_weighted else c.name
                    )
                    for c in one.choices
                ),
                num.clean(one.applies) or "always",
                num.count(one.n_rules),
                "yes" if one.moves_verdicts else "no",
            )
            for one in found.dimensions
        ),
        notes=Gaps().notes(
            f"{num.plural(found.n_rules, 'rule')}, {num.count(found.n_distinct)} with different "
            f"verdicts; {num.plural(found.n_pruned, 'combination')} ruled out by the grid.",
            f"Base rule: {num.clean(found.rules[found.base].rule_id)}.",
        ),
    )


def effects(found: MultiverseResult) -> Table | None:
    """Return the shares of the variance between rules; None where nothing varies."""
    rows = [e for e in found.decomposition.effects if (e.accuracy or 0.0) + (e.rank or 0.0) > 0]
    if not rows:
        return None
    gaps = Gaps()
    shown = rows[:SHOWN_EFFECTS]
    cells = []
    for one in shown:
        wide = _wide(None if one.accuracy_range is None else 100 * one.accuracy_range, gaps)
        far = _wide(one.rank_range, gaps)
        shares = (_share(one.accuracy, gaps), _share(one.rank, gaps), _share(one.level, gaps))
        cells.append((num.clean(effect_name(one)), *shares, wide, far))
    parts = found.decomposition
    return Table(
        key="effects",
        caption="What moves the score: shares of the variance between rules",
        columns=(
            *lefts("Choice"),
            *rights("Of accuracy", "Of rank", "Of the mean", "Points", "Ranks"),
        ),
        rows=tuple(cells),
        notes=gaps.notes(
            "Of accuracy and of rank: over all systems together. Of the mean: of the mean over "
            "systems, which shifts everybody alike. Points and ranks: between the means of the "
            "choices, averaged over systems.",
            f"Beyond single choices and pairs: {_share(parts.accuracy_left, gaps)} of accuracy, "
            f"{_share(parts.rank_left, gaps)} of rank.",
            f"{num.plural(len(rows) - len(shown), 'smaller effect')} in the JSON."
            if len(rows) > len(shown)
            else "",
        ),
    )


def _wide(value: Number, gaps: Gaps) -> str:
    return gaps.dash("an interaction has no range") if value is None else num.fixed(value, 1)


def choice_means(found: MultiverseResult, names: dict[str, str]) -> Table:
    """Return the mean accuracy of each system over the rules that make a choice."""
    gaps = Gaps()
    rows: list[tuple[str, ...]] = []
    breaks = []
    last = ""
    for one in found.decomposition.choices:
        if one.dimension != last and rows:
            breaks.append(len(rows))
        means = [_bare(value, gaps) for value in one.accuracy]
        first = "" if one.dimension == last else num.clean(one.dimension)
        rows.append((first, num.clean(one.choice), *means))
        last = one.dimension
    heads = [names[system] for system in found.systems]
    numbered = [f"{at} {name}" for at, name in enumerate(heads, start=1)]
    is_wide = len(heads) > MOST_HEADS
    return Table(
        key="choice-means",
        caption="Mean accuracy in % over the rules that make a choice",
        columns=(
            *lefts("Dimension", "Choice"),
            *rights(*(map(str, range(1, len(heads) + 1)) if is_wide else heads)),
        ),
        rows=tuple(rows),
        breaks=tuple(breaks),
        notes=gaps.notes(f"Systems: {', '.join(numbered)}." if is_wide else ""),
    )


def _bare(value: Number, gaps: Gaps) -> str:
    return gaps.dash(NOTHING) if value is None else num.percent(value, 100)


def flips(found: MultiverseResult, names: dict[str, str]) -> Table | None:
    """Return the fewest changed choices that turn a leader or a pair over."""
    known = [one for one in found.flips if one.n_changes is not None]
    if not known:
        return None
    gaps = Gaps()
    shown = known[:SHOWN_FLIPS]
    rows = []
    for one in shown:
        ends = (one.base_difference, one.difference)
        gap = " to ".join(gaps.dash(NOTHING) if d is None else num.points(d, 100) for d in ends)
        rows.append(
            (
                "leader" if one.kind == "leader" else "pair",
                names[one.above],
                names[one.below],
                str(one.n_changes),
                num.clean(flip_text(one)),
                num.count(one.n_rules),
                gap,
            )
        )
    never = sum(one.n_changes is None for one in found.flips)
    return Table(
        key="flips",
        caption="The fewest changed choices that turn an order over",
        columns=(
            *lefts("What", "Above under the base rule", "Then above"),
            *rights("Changes"),
            *lefts("For instance"),
            *rights("Rules as near", "Points"),
        ),
        rows=tuple(rows),
        notes=gaps.notes(
            f"No rule turns {num.plural(never, 'other order')} over." if never else "",
            f"{num.plural(len(known) - len(shown), 'more order')} in the JSON."
            if len(known) > len(shown)
            else "",
        ),
    )


def pairs(found: MultiverseResult, names: dict[str, str]) -> Table:
    """Return the pairs that the rules decide least clearly, with and without plausibility."""
    gaps = Gaps()
    best: dict[frozenset[str], PairShare] = {}
    for one in found.pairs:
        key = frozenset((one.above, one.below))
        if key not in best or (one.share or 0.0) > (best[key].share or 0.0):
            best[key] = one
    ordered = sorted(best.values(), key=lambda p: p.share or 0.0)
    shown = ordered[:SHOWN_PAIRS]
    return Table(
        key="rule-pairs",
        caption="Share of rules under which one system stands above another, most open first",
        columns=(
            *lefts("Above", "Below"),
            *rights("Rules", "By plausibility", "Significantly", "By plausibility", "Ties"),
            *rights("Difference, points"),
        ),
        rows=tuple(
            (
                names[one.above],
                names[one.below],
                f"{_share(one.share, gaps)} ({num.share(one.n_above, one.n_rules)})",
                _share(one.weighted_share, gaps),
                _share(one.significant_share, gaps),
                _share(one.weighted_significant_share, gaps),
                num.count(one.n_tied),
                gaps.dash(NOTHING)
                if one.least is None or one.most is None
                else f"{num.points(one.least, 100)} to {num.points(one.most, 100)}",
            )
            for one in shown
        ),
        notes=gaps.notes(
            f"Significantly: the paired test is below {found.alpha:g}, for one test.",
            f"{num.plural(len(ordered) - len(shown), 'clearer pair')} in the JSON."
            if len(ordered) > len(shown)
            else "",
        ),
    )


def alike(found: MultiverseResult) -> Table | None:
    """Return the largest groups of rules that give every verdict alike; None without one."""
    sizes = Counter(rule.verdicts for rule in found.rules)
    groups = [(number, size) for number, size in sizes.most_common() if size > 1]
    if not groups:
        return None
    shown = groups[:SHOWN_GROUPS]
    rows = []
    for number, size in shown:
        members = [dict(rule.choices) for rule in found.rules if rule.verdicts == number]
        shared = [
            f"{one.name} {members[0][one.name]}"
            for one in found.dimensions
            if one.name in members[0]
            and all(m.get(one.name) == members[0][one.name] for m in members)
        ]
        free = [one.name for one in found.dimensions if len({m.get(one.name) for m in members}) > 1]
        rows.append((num.count(size), num.clean("; ".join(free)), num.clean("; ".join(shared))))
    together = sum(size for _, size in groups)
    return Table(
        key="alike",
        caption="Rules that give the same verdicts on these replies",
        columns=(*rights("Rules"), *lefts("What makes no difference", "What they share")),
        rows=tuple(rows),
        notes=Gaps().notes(
            f"{num.count(together)} of {num.plural(found.n_rules, 'rule')} have a twin; "
            f"{num.count(len(groups))} groups, the largest shown.",
        ),
    )


def conclusions(found: MultiverseResult, names: dict[str, str]) -> Table | None:
    """Return what all rules say beside those that agree with people; None without a floor."""
    floor = found.floor
    if floor is None:
        return None
    gaps = Gaps()
    columns = [("All rules", floor.before)]
    if floor.after is not None:
        columns.append((f"Kappa at least {floor.floor:g}", floor.after))
    facts = [
        ("Rules", [num.count(one.n_rules) for _, one in columns]),
        ("Different verdicts", [num.count(one.n_distinct) for _, one in columns]),
        ("Pairs whose order holds", [num.share(c.n_held, c.n_pairs) for _, c in columns]),
        ("Systems that lead under some rule", [_leaders(c, names) for _, c in columns]),
        ("Mean range of accuracy, points", [_points(c, gaps) for _, c in columns]),
        ("Mean range of rank", [_far(c, gaps) for _, c in columns]),
    ]
    return Table(
        key="floor",
        caption=f"How the conclusions tighten for rules that agree with {num.clean(floor.people)}",
        columns=(*lefts("What"), *lefts(*(name for name, _ in columns))),
        rows=tuple((name, *cells) for name, cells in facts),
        notes=gaps.notes(
            f"{num.plural(floor.n_labels, 'prediction')} labelled; "
            f"{num.count(floor.n_kept)} of {num.plural(found.n_rules, 'rule')} reach the floor."
        ),
    )


def _leaders(one: Conclusions, names: dict[str, str]) -> str:
    return num.listed(f"{names[n]} {num.percent(share, 100)}%" for n, share in one.leaders)


def _points(one: Conclusions, gaps: Gaps) -> str:
    value = one.mean_accuracy_range
    return gaps.dash(NOTHING) if value is None else num.fixed(100 * value, 1)


def _far(one: Conclusions, gaps: Gaps) -> str:
    value = one.mean_rank_range
    return gaps.dash(NOTHING) if value is None else num.fixed(value, 1)
