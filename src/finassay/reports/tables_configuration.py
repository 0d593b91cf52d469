"""Tables about the condition of runs.  In: a configuration or an attribution.  Out: tables."""

from __future__ import annotations

from finassay.analyses.results import Configuration
from finassay.analyses.results_compare import BootstrapTest
from finassay.analyses.results_configuration import (
    AtCapAssociation,
    BudgetCurve,
    FreeBoard,
    LengthEffect,
    RunPair,
    Verbosity,
)
from finassay.analyses.results_overturns import CountRate
from finassay.reports import numbers as num
from finassay.reports.table import Gaps, Table, lefts, rights
from finassay.reports.tables_evidence import UNSCORED


def configuration_tables(found: Configuration) -> list[Table]:
    """Return the tables of a configuration, in reading order."""
    tables = [caps(found), *(free_board(found, board) for board in found.boards)]
    if found.pairs:
        tables.append(pairs(found))
    if found.arms:
        tables.append(arms(found))
    tables += [budget(curve) for curve in found.budgets if not curve.is_cut]
    cut = [curve for curve in found.budgets if curve.is_cut]
    if cut:
        tables.append(cut_table(cut))
    tables += [association(one) for one in found.associations]
    if found.verbosity is not None:
        tables += [effects(found.verbosity), lengths(found.verbosity)]
    return tables


def rate_text(given: CountRate, gaps: Gaps, why: str = "no reply") -> str:
    """Return "31.1% (107/344)"."""
    if given.rate is None:
        return gaps.dash(why)
    return f"{num.percent(given.rate, given.n)}% ({num.share(given.k, given.n)})"


def caps(found: Configuration) -> Table:
    """Return how many replies of each system stand at its cap."""
    gaps = Gaps()
    families = [name for name, _, _ in found.free_families]
    rows = []
    for row in found.caps:
        by_family = dict(row.families)
        ends = ", ".join(f"{name} {num.count(n)}" for name, n in row.finishes)
        tokens = gaps.dash("the log does not say")
        if row.most_tokens is not None:
            tokens = f"{num.count(row.most_tokens)} ({num.count(row.at_most_tokens)} replies)"
        rows.append(
            (
                num.shortened(row.system),
                "none" if row.cap is None else num.count(row.cap),
                "declared" if row.is_declared else "found",
                rate_text(row.at_cap, gaps),
                *(
                    num.share(by_family[name].k, by_family[name].n)
                    if name in by_family
                    else gaps.dash("no item")
                    for name in families
                ),
                ends,
                tokens,
            )
        )
    free = ", ".join(f"{name} {num.share(k, n)}" for name, k, n in found.free_families)
    return Table(
        key="caps",
        caption=f"Replies at the cap on {num.plural(found.n_items, 'item')}",
        columns=(
            *lefts("System"),
            *rights("Cap"),
            *lefts("Known"),
            *rights("At the cap", *families),
            *lefts("Ended"),
            *rights("Most tokens"),
        ),
        rows=tuple(rows),
        notes=gaps.notes(
            f"Nobody is at the cap on {num.share(found.n_free, found.n_items)} items"
            + (f" ({free})" if len(found.free_families) > 1 else ""),
            found.method,
            *found.warnings,
        ),
    )


def free_board(found: Configuration, board: FreeBoard) -> Table:
    """Return scores and ranks on all items and on those where nobody is at the cap."""
    gaps = Gaps()
    rows = tuple(
        (
            num.shortened(row.system),
            rate_text(row.score_free, gaps),
            str(row.rank_free),
            rate_text(row.score_all, gaps),
            str(row.rank_all),
            num.signed(row.rank_all - row.rank_free),
        )
        for row in board.rows
    )
    said = "" if board.spearman is None else num.coefficient(board.spearman)
    return Table(
        key=f"free-{board.rule}",
        caption=(
            f"Under {num.clean(board.rule)}, the {num.plural(board.n_free, 'item')} where nobody "
            f"is at the cap beside all {num.count(board.n_all)}"
        ),
        columns=(*lefts("System"), *rights("Below caps", "Rank", "All", "Rank", "Ranks gained")),
        rows=rows,
        notes=gaps.notes(
            f"Spearman's rho of the two columns: {said}" if said else "",
            f"Not ranked: {', '.join(board.left_out)}" if board.left_out else "",
            UNSCORED[found.policy],
        ),
    )


def _tested(test: BootstrapTest | None, gaps: Gaps) -> str:
    if test is None:
        return gaps.dash("no clusters were declared")
    return f"{num.p_exact(test.p.inclusive)} / {num.p_exact(test.p.exclusive)}"


def pairs(found: Configuration) -> Table:
    """Return two runs of one model beside each other, with what changed between them."""
    gaps = Gaps()
    return Table(
        key="run-pairs",
        caption=f"Two runs of one model, under {num.clean(found.rule)}",
        columns=(
            *lefts("Left", "Right", "Changed"),
            *rights("n", "Left, %", "Right, %", "Points", "Interval", "p over items"),
            *rights("p over clusters", "At cap, left", "At cap, right", "Same reply"),
        ),
        rows=tuple(_pair_row(pair, gaps) for pair in found.pairs),
        notes=gaps.notes(
            "Points: right minus left. p is inclusive (>=) / exclusive (>), for one test.",
            "Everything that changed at once may be the reason for a difference.",
        ),
    )


def _pair_row(pair: RunPair, gaps: Gaps) -> tuple[str, ...]:
    changed = "; ".join(
        num.clean(f"{c.field}: {c.left or '(none)'} -> {c.right or '(none)'}") for c in pair.changed
    )
    low, high = (num.points(end, pair.n) for end in (pair.low, pair.high))
    return (
        num.shortened(pair.left),
        num.shortened(pair.right),
        changed or "nothing that the manifests say",
        num.count(pair.n),
        num.percent(pair.left_score, pair.n),
        num.percent(pair.right_score, pair.n),
        num.points(pair.difference, pair.n),
        f"{low} to {high}",
        _tested(pair.item, gaps),
        _tested(pair.cluster, gaps),
        rate_text(pair.left_at_cap, gaps),
        rate_text(pair.right_at_cap, gaps),
        gaps.dash("no replies are held") if pair.n_same is None else num.share(pair.n_same, pair.n),
    )


def arms(found: Configuration) -> Table:
    """Return prompt arms over the models that were run with both."""
    gaps = Gaps()
    return Table(
        key="prompt-arms",
        caption=f"Prompt arms, under {num.clean(found.rule)}",
        columns=(
            *lefts("Left arm", "Right arm"),
            *rights("Models", "n", "Points", "Higher", "Lower", "p over items", "p over clusters"),
        ),
        rows=tuple(
            (
                num.clean(arm.left) or "(none)",
                num.clean(arm.right) or "(none)",
                num.count(len(arm.models)),
                num.count(arm.n),
                num.points(arm.difference, arm.n),
                num.count(arm.n_positive),
                num.count(arm.n_negative),
                _tested(arm.item, gaps),
                _tested(arm.cluster, gaps),
            )
            for arm in found.arms
        ),
        notes=gaps.notes(
            "Points: mean over models and items of right minus left. Higher and Lower count the "
            "models that score higher or lower with the right arm.",
        ),
    )


def budget(curve: BudgetCurve) -> Table:
    """Return accuracy by completion budget of one model."""
    gaps = Gaps()
    return Table(
        key=f"budget-{curve.name}",
        caption=f"{num.clean(curve.name)} by completion budget, under {num.clean(curve.rule)}",
        columns=(*lefts("Budget", "System"), *rights("Accuracy", "At the cap or truncated")),
        rows=tuple(
            (
                num.clean(point.budget),
                num.shortened(point.system),
                rate_text(point.score, gaps),
                rate_text(point.at_cap, gaps),
            )
            for point in curve.points
        ),
        notes=gaps.notes(curve.method),
    )


def cut_table(curves: list[BudgetCurve]) -> Table:
    """Return accuracy by the length that replies are cut to, one row a system."""
    gaps = Gaps()
    heads = [point.budget for point in curves[0].points]
    return Table(
        key="cut-replies",
        caption=f"Accuracy in % when replies are cut, under {num.clean(curves[0].rule)}",
        columns=(*lefts("System"), *rights(*heads)),
        rows=tuple(
            (
                num.shortened(curve.name),
                *(
                    gaps.dash("no verdict")
                    if point.score.rate is None
                    else num.percent(point.score.rate, point.score.n)
                    for point in curve.points
                ),
            )
            for curve in curves
        ),
        notes=gaps.notes(curves[0].method),
    )


def association(found: AtCapAssociation) -> Table:
    """Return at-cap rates beside changes of score, with r without each system."""
    gaps = Gaps()
    rows = tuple(
        (
            num.shortened(point.system),
            rate_text(point.at_cap, gaps),
            num.percent(point.before, 1000),
            num.percent(point.after, 1000),
            num.points(point.change, 1000),
            gaps.dash("not counted")
            if point.left_out
            else gaps.dash("no coefficient")
            if point.r_without is None
            else num.coefficient(point.r_without),
        )
        for point in found.points
    )
    said = "No coefficient: fewer than three systems, or a constant column."
    if found.pearson is not None and found.pearson_p is not None:
        said = (
            f"Pearson's r of {num.plural(found.n, 'system')}: {num.coefficient(found.pearson)}, "
            f"p {num.p_exact(found.pearson_p)} ({found.pearson_method})"
        )
    if found.spearman is not None and found.spearman_p is not None:
        said += (
            f"; Spearman's rho {num.coefficient(found.spearman)}, "
            f"p {num.p_exact(found.spearman_p)} ({found.spearman_method})"
        )
    return Table(
        key=f"at-cap-{found.before}-{found.after}",
        caption=f"At-cap rate against the change from {found.before} to {found.after}",
        columns=(*lefts("System"), *rights("At the cap", "Before", "After", "Change", "r without")),
        rows=rows,
        notes=gaps.notes(
            said,
            f"No score before or after: {', '.join(found.missing)}" if found.missing else "",
            found.method,
            *found.warnings,
        ),
    )


def effects(found: Verbosity) -> Table:
    """Return the coefficient of log length, raw and adjusted."""
    gaps = Gaps()
    level = num.percent(found.level, 100).removesuffix(".0")
    return Table(
        key="length-effects",
        caption=(
            f"Does the length of a reply go with being overturned? {num.clean(found.rule)} wrong, "
            f"{num.clean(found.judge)} right"
        ),
        columns=(
            *lefts("Model"),
            *rights("n", "Overturned", "Items", "Coefficient", "Error", f"{level}% interval", "p"),
            *rights("Odds if twice as long"),
        ),
        rows=tuple(_effect_row(effect, gaps) for effect in found.effects),
        notes=gaps.notes(found.method, *found.warnings),
    )


def _effect_row(effect: LengthEffect, gaps: Gaps) -> tuple[str, ...]:
    counts = (effect.name, num.count(effect.n), num.count(effect.n_overturned))
    if (
        effect.coefficient is None
        or effect.error is None
        or effect.low is None
        or effect.high is None
        or effect.p is None
        or effect.odds_per_doubling is None
    ):
        return (*counts, num.count(effect.n_clusters), *[gaps.dash(effect.reason)] * 5)
    return (
        *counts,
        num.count(effect.n_clusters),
        num.signed(effect.coefficient, 3),
        num.fixed(effect.error, 3),
        f"{num.signed(effect.low, 3)} to {num.signed(effect.high, 3)}",
        num.p_exact(effect.p),
        num.fixed(effect.odds_per_doubling, 2),
    )


def lengths(found: Verbosity) -> Table:
    """Return raw median lengths of the overturned and the others."""
    gaps = Gaps()

    def median(value: float | None) -> str:
        return gaps.dash("no such reply") if value is None else num.fixed(value, 0)

    whole = (
        "all",
        num.count(found.n_overturned),
        median(found.median_overturned),
        num.count(found.n - found.n_overturned),
        median(found.median_kept),
    )
    rows = [whole]
    for system, turned, long, kept, short in found.systems:
        rows.append(
            (num.shortened(system), num.count(turned), median(long), num.count(kept), median(short))
        )
    return Table(
        key="length-medians",
        caption="Median characters of rule-wrong replies",
        columns=(
            *lefts("System"),
            *rights("Overturned", "Median", "Not overturned", "Median"),
        ),
        rows=tuple(rows),
        breaks=(1,),
        notes=gaps.notes("Raw medians: neither task nor system is accounted for."),
    )
