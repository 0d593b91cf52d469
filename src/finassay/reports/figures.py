"""The figures of a report.  In: an audit.  Out: static SVGs with text alternatives."""

from __future__ import annotations

from finassay.analyses.extraction.results_sweep import LabelSweep
from finassay.analyses.results import (
    Audit,
    Comparisons,
    ItemCoverage,
    Leaderboard,
    RegimeComparison,
    RuleAgreement,
)
from finassay.reports import (
    figures_evidence,
    figures_extraction,
    figures_items,
    figures_ranks,
    figures_scores,
)
from finassay.reports import numbers as num
from finassay.reports.drawings import Figure
from finassay.reports.outline_multiverse import multiverse_figures
from finassay.reports.tables_scores import people_note


def leaderboard(board: Leaderboard, names: dict[str, str]) -> Figure | None:
    """Return accuracy with intervals by family; None without systems."""
    if not board.rows:
        return None
    first, last = board.rows[0], (board.ranked or board.rows)[-1]
    summary = (
        f"{num.plural(len(board.rows), 'system')}. Highest: "
        f"{figures_scores.said_of(names[first.system], first.estimate)}. Lowest ranked: "
        f"{figures_scores.said_of(names[last.system], last.estimate)}."
    )
    more = len(board.families) - (figures_scores.MAX_PANELS - 1)
    reading = (
        "Dots are accuracy in %, bars its interval; hollow dots are not ranked. "
        + (
            f"Diamonds are people on their own items. {people_note(board)} "
            if board.persons
            else ""
        )
        + ("Dotted line: majority floor of a label family. " if board.floors else "")
        + ("Dashed line: the first person. " if board.persons else "")
        + (f"{num.plural(more, 'more family', 'more families')} in the table." if more > 0 else "")
    )
    return Figure(
        key="fig-leaderboard",
        title=f"Accuracy under {num.clean(board.rule)}",
        summary=summary,
        reading=reading.strip(),
        canvas=figures_scores.dot_plot(board, names),
        tables=("leaderboard", "families"),
    )


def ranks(comparison: RegimeComparison, names: dict[str, str]) -> Figure | None:
    """Return the bump chart; None with fewer than two regimes or systems."""
    if len(comparison.regimes) < 2 or len(comparison.systems) < 2:
        return None
    moved = {system: figures_ranks.change(comparison, system) for system in comparison.systems}
    far = sorted(moved, key=lambda system: (-abs(moved[system]), system))[:3]
    said = "; ".join(
        f"{names[s]} moves {num.signed(moved[s], 0 if moved[s].is_integer() else 1)}" for s in far
    )
    ends = [num.clean(comparison.regimes[i].regime) for i in (0, -1)]
    return Figure(
        key="fig-ranks",
        title=f"Ranks of {len(comparison.systems)} systems across regimes",
        summary=f"From {ends[0]} to {ends[1]} (positive is a fall): {said}.",
        reading=(
            f"Numbers in circles are {comparison.rank_convention} ranks; a bar joins systems "
            "that tie. Blue solid: rises by three ranks or more from the first to the last "
            "regime. Orange dashed: falls by as much. The outer numbers are accuracy in %."
        ),
        canvas=figures_ranks.bump(comparison, names),
        tables=("regimes",),
    )


def intervals(comparison: RegimeComparison, names: dict[str, str]) -> Figure | None:
    """Return each system's interval under each regime; None without regimes or systems."""
    if not comparison.regimes or not comparison.systems:
        return None
    spans = "; ".join(
        f"{num.clean(r.regime)} {num.span(r.low, r.high, comparison.n_items)}%"
        for r in comparison.regimes
        if r.low is not None and r.high is not None
    )
    return Figure(
        key="fig-regimes",
        title="Accuracy of each system under each regime",
        summary=f"Lowest to highest system: {spans}.",
        reading="One shape a regime, with its interval; systems in the order of the first.",
        canvas=figures_scores.regime_intervals(comparison, names),
        tables=("regimes",),
    )


def coverage(result: ItemCoverage) -> Figure | None:
    """Return the distribution of k and of the pairs separated; None without items."""
    if not result.items:
        return None
    silent = len(result.zero_information)
    return Figure(
        key="fig-coverage",
        title="Which items carry the evidence",
        summary=(
            f"{num.share(silent, result.n_items)} items separate no pair of systems: every "
            f"system is right on {num.count(result.all_right)} and none on "
            f"{num.count(result.none_right)}."
        ),
        reading="Grey bars: items that separate no pair of systems.",
        canvas=figures_items.coverage(result),
        tables=("by-k",),
    )


def agreement(result: RuleAgreement, names: dict[str, str]) -> Figure | None:
    """Return the heat map of rules against stored verdicts; None without distances."""
    if not result.distances:
        return None
    common = "no rule is common to most systems"
    if result.common_rule is not None:
        common = f"most systems are closest to {num.clean(result.common_rule)}"
    outliers = num.listed(names[name] for name in result.outliers) or "none"
    return Figure(
        key="fig-agreement",
        title=f"Mismatches of each rule with the {num.clean(result.stored)} verdicts",
        summary=f"{common[0].upper()}{common[1:]}; systems that differ: {outliers}.",
        reading="Numbers are mismatches; a stronger shade is more. Outlined: the closest rule. "
        "Bold with a triangle: closest to another rule than the rest.",
        canvas=figures_items.agreement(result, names),
        tables=("agreement",),
    )


def significance(result: Comparisons, names: dict[str, str]) -> Figure | None:
    """Return the matrix of p values; None unless all pairs were tested."""
    if not result.letters:
        return None
    kept = sum(t.item.adjusted.inclusive < result.alpha for t in result.pairs)
    tied = sum(
        t.item.adjusted.exclusive < result.alpha <= t.item.adjusted.inclusive for t in result.pairs
    )
    clustered = [t.cluster for t in result.pairs if t.cluster is not None]
    said = f"Over items {num.share(kept, len(result.pairs))} pairs survive the correction"
    if clustered:
        held = sum(t.adjusted.inclusive < result.alpha for t in clustered)
        said += f", over clusters {num.share(held, len(clustered))}"
    said += f"; for {num.plural(tied, 'pair')} over items the tie convention alone decides."
    below = " Below the diagonal: p over clusters." if clustered else ""
    return Figure(
        key="fig-significance",
        title="Which differences survive",
        summary=said,
        reading=f"Systems by score. Above the diagonal: p over items.{below} Blue and bold: below "
        "the corrected level. Orange: below it only if ties at the threshold do not count. p is "
        "shown before correction.",
        canvas=figures_evidence.significance(result, names),
        tables=("significance-counts", "pairs"),
    )


def evidence_figures(audit: Audit, names: dict[str, str]) -> list[Figure | None]:
    """Return the figures about pairs, open ranks and items that the audit has numbers for."""
    made: list[Figure | None] = []
    if audit.comparisons is not None:
        made.append(significance(audit.comparisons, names))
    if audit.rank_sets is not None:
        ranked = audit.rank_sets
        first = ranked.rows[0]
        best, worst = first.simultaneous
        made.append(
            Figure(
                key="fig-rank-sets",
                title="Ranks that the items leave open",
                summary=f"{names[first.system]} may have ranks {best} to {worst}; "
                f"{num.plural(ranked.n_open, 'pair')} of systems cannot be put in order.",
                reading="Thick bar: ranks that stay open for this system alone. Thin bar: for all "
                "systems together. Circle: observed rank.",
                canvas=figures_evidence.rank_sets(ranked, names),
                tables=("rank-sets",),
            )
        )
    if audit.item_analysis is not None and audit.item_analysis.items:
        items = audit.item_analysis
        varying = sum(item.item_rest is not None for item in items.items)
        made.append(
            Figure(
                key="fig-item-map",
                title="Difficulty and discrimination of the items",
                summary=f"{num.share(varying, items.n_items)} items vary between systems; "
                f"{num.count(len(items.negative))} of them are got right more often by weaker "
                "systems than by stronger ones.",
                reading="Numbers are items. Orange, below the line: items on which weaker systems "
                "do better. Items that all or no systems get right are not on the map.",
                canvas=figures_evidence.item_map(items),
                tables=("suspects",),
            )
        )
    return made


def extraction(sweep: LabelSweep, names: dict[str, str]) -> Figure:
    """Return the reachable interval of every cell against its floor."""
    drawn = figures_extraction.drawn_rows(sweep)
    rest = len(sweep.rows) - len(drawn)
    more = f" {num.plural(rest, 'more cell')} in the table." if rest else ""
    return Figure(
        key="fig-extraction",
        title="Accuracy that rules reading a label can reach, against the floor",
        summary=figures_extraction.summary(sweep),
        reading=(
            "Bars run from the lowest to the highest accuracy in % that a rule selecting an "
            "occurring label can make of the same replies; dashed strokes are the best constant "
            f"answer. Bold with diamonds: undetermined.{more}"
        ),
        canvas=figures_extraction.intervals(sweep, names),
        tables=("extraction",),
    )


def figures(audit: Audit, names: dict[str, str]) -> dict[str, Figure]:
    """Return every figure that the audit has numbers for, by key."""
    made = [leaderboard(audit.leaderboard, names)]
    if audit.regimes is not None:
        made += [ranks(audit.regimes, names), intervals(audit.regimes, names)]
    if audit.coverage is not None:
        made.append(coverage(audit.coverage))
    if audit.agreement is not None:
        made.append(agreement(audit.agreement, names))
    made += evidence_figures(audit, names)
    if audit.extraction is not None:
        made.append(extraction(audit.extraction, names))
    drawn = {figure.key: figure for figure in made if figure is not None}
    if audit.multiverse is not None:
        drawn |= multiverse_figures(audit.multiverse, names)
    return drawn
