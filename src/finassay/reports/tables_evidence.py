"""Tables about ranks, items and raters.  In: results.  Out: tables."""

from __future__ import annotations

from finassay.analyses.results_difficulty import (
    DifficultyTrend,
    ItemAnalysis,
    ItemStatistics,
    LabelledDifficulty,
)
from finassay.analyses.results_ranks import RankSets
from finassay.analyses.results_raters import Agreement, AgreementPart
from finassay.records import Unscored
from finassay.reports import numbers as num
from finassay.reports.table import Column, Gaps, Table, lefts, rights

SHOWN_ITEMS = 15

UNSCORED: dict[Unscored, str] = {
    "wrong": "Unscored verdicts count as wrong.",
    "exclude": "Unscored verdicts are left out.",
    "bounds": "Unscored verdicts count as wrong here, which is the worst case: this analysis needs "
    "one value for each reply.",
}


def rank_range(best: int, worst: int) -> str:
    """Return "3" or "2–5"."""
    return str(best) if best == worst else f"{best}{num.EN_DASH}{worst}"


def rank_sets(result: RankSets, names: dict[str, str]) -> Table:
    """Return which ranks each system may have."""
    rows = tuple(
        (
            names[row.system],
            num.percent(row.value, result.n_items),
            str(row.rank),
            rank_range(*row.marginal),
            rank_range(*row.simultaneous),
            num.percent(row.rank_shares[0], 100),
        )
        for row in result.rows
    )
    level = num.percent(result.level, 100).removesuffix(".0")
    pairs = len(rows) * (len(rows) - 1) // 2
    return Table(
        key="rank-sets",
        caption=f"Ranks that {num.plural(result.n_items, 'item')} leave open, {level}% confidence",
        columns=(
            *lefts("System"),
            *rights("Score, %", "Rank", "Ranks, alone", "Ranks, together", "First, %"),
        ),
        rows=rows,
        notes=Gaps().notes(
            f"Alone: the set holds this system's rank with {level}% confidence. Together: all sets "
            f"hold all ranks at once. First: share of resamples in which no system is better.",
            f"{num.share(result.n_open, pairs)} pairs of systems are not settled together.",
            f"{num.count(result.draws)} resamples of {result.n_clusters} {result.resampled}, seed "
            f"{result.seed}; Monte Carlo standard error of a share at most "
            f"{num.percent(result.standard_error, 100)} points.",
            result.method,
            f"{num.plural(result.n_excluded, 'item')} left out: a system has no usable verdict."
            if result.n_excluded
            else "",
            UNSCORED[result.policy],
            *result.warnings,
        ),
    )


def superiority(result: RankSets, names: dict[str, str]) -> Table:
    """Return the share of resamples in which the row system scores above the column system."""
    gaps = Gaps()
    rows = tuple(
        (
            f"{at}. {names[row.system]}",
            *(
                gaps.dash("the system itself") if j == at - 1 else num.percent(share, 100)
                for j, share in enumerate(row.above)
            ),
        )
        for at, row in enumerate(result.rows, start=1)
    )
    return Table(
        key="superiority",
        caption="How often the row scores above the column, % of resamples",
        columns=(*lefts("System"), *(Column(str(at + 1)) for at in range(len(rows)))),
        rows=rows,
        notes=gaps.notes("Ties count for neither, so two cells of a pair may add up to less."),
    )


def item_facts(result: ItemAnalysis) -> Table:
    """Return what the items measure as a whole, one line a fact."""
    rows = [("Items counted", num.count(result.n_items))]
    alpha = result.reliability
    if alpha.value is not None:
        said = num.coefficient(alpha.value)
        if alpha.low is not None and alpha.high is not None:
            low, high = num.coefficient(alpha.low), num.coefficient(alpha.high)
            said += f" ({low} to {high})"
        rows.append((alpha.name, said))
    rows.append(("Items with a negative item-rest correlation", num.count(len(result.negative))))
    notes = [alpha.method]
    if result.subset is not None:
        subset = result.subset
        proof = "proven" if subset.is_smallest else f"at least {subset.bound}"
        rows.append(("Fewest items that keep the ranking", f"{num.count(subset.size)} ({proof})"))
        notes.append(f"Fewest items: {subset.method}")
    if result.model is not None:
        model = result.model
        rows.append(("Items in the response model", num.count(model.n_items)))
        if model.prior_share_a is not None:
            share = f"{num.percent(model.prior_share_a, 100)}%"
            rows.append(("Prior variance of log a left, median", share))
        notes += [f"Response model: {model.method}", f"Priors: {model.priors}"]
    return Table(
        key="item-facts",
        caption=f"What the items measure, under {num.clean(result.rule)}",
        columns=(*lefts("Measure"), *rights("Value")),
        rows=tuple(rows),
        notes=Gaps().notes(*notes, UNSCORED[result.policy], *result.warnings),
    )


def labels(result: LabelledDifficulty, names: dict[str, str]) -> Table:
    """Return accuracy by difficulty label with a trend test, systems together first."""
    gaps = Gaps()

    def row(trend: DifficultyTrend, name: str) -> tuple[str, ...]:
        why = "nothing varies"
        return (
            name,
            *(
                gaps.dash("no items") if c.rate is None else num.percent(c.rate, c.n)
                for c in trend.cells
            ),
            "yes" if trend.is_declining else "no",
            gaps.dash(why) if trend.z is None else num.signed(trend.z, 2),
            gaps.dash(why) if trend.p is None else num.p_value(trend.p),
        )

    rows = (
        row(result.pooled, "All systems"),
        *(row(trend, names[trend.system]) for trend in result.systems),
    )
    heads = [num.clean(f"{c.label} ({c.n})") for c in result.pooled.cells]
    return Table(
        key="label-trends",
        caption="Difficulty labels against accuracy, %",
        columns=(
            *lefts("System"),
            *(Column(head) for head in heads),
            *lefts("Falls at every step"),
            *rights("z", "p"),
        ),
        rows=rows,
        breaks=(1,) if len(rows) > 1 else (),
        notes=gaps.notes(
            f"{num.share(len(result.declining), len(result.systems))} systems fall at every step. "
            "A negative z is accuracy that falls from easy to hard.",
            result.method,
            f"{num.plural(result.n_unlabelled, 'item')} without one of these labels."
            if result.n_unlabelled
            else "",
        ),
    )


def contested(result: ItemAnalysis) -> Table | None:
    """Return the items on which rules disagree most; None when none is disputed."""
    if not result.contested:
        return None
    shown = result.contested[:SHOWN_ITEMS]
    rest = len(result.contested) - len(shown)
    m = len(result.systems)
    return Table(
        key="contested",
        caption=f"Items on which {num.plural(len(result.rules), 'rule')} disagree most",
        columns=(
            *lefts("Item", "Family", "Difficulty"),
            *rights(f"Right, of {m}", "Replies disputed", "Division"),
        ),
        rows=tuple(
            (
                num.shortened(item.item_id),
                num.clean(item.family) or "(none)",
                num.clean(item.difficulty) or "(none)",
                str(item.k),
                num.share(item.disputed, item.n),
                num.fixed(item.division, 2),
            )
            for item in shown
        ),
        notes=Gaps().notes(
            "Division: 1 when the rules are split in halves on every reply, 0 when they agree. A "
            "reply and each rule's reason: `finassay explain STUDY --item ID --system NAME`.",
            f"{num.plural(rest, 'more item')} disputed; the JSON report has them." if rest else "",
        ),
    )


def suspects(result: ItemAnalysis) -> Table | None:
    """Return the items that better systems get wrong more often; None without one."""
    found = [item for item in result.items if item.item_rest is not None and item.item_rest < 0]
    if not found:
        return None
    shown = sorted(found, key=lambda item: item.item_rest or 0.0)[:SHOWN_ITEMS]
    rest = len(found) - len(shown)
    return Table(
        key="suspects",
        caption="Items that stronger systems get wrong more often than weaker ones",
        columns=(
            *lefts("Item", "Family", "Difficulty"),
            *rights("Right", "Item-rest", "b (error)", "a (error)"),
        ),
        rows=tuple(_suspect(item) for item in shown),
        notes=Gaps().notes(
            "Item-rest: correlation with the score on all other items. Look at the reference "
            "first: a wrong key looks like this, and so does chance with few systems.",
            "The parameter b is the ability at which half the answers are right, a the "
            "discrimination; both lean on priors.",
            f"{num.plural(rest, 'more item')} below zero; the JSON report has them."
            if rest
            else "",
        ),
    )


def _suspect(item: ItemStatistics) -> tuple[str, ...]:
    return (
        num.shortened(item.item_id),
        num.clean(item.family) or "(none)",
        num.clean(item.difficulty) or "(none)",
        num.share(item.k, item.n),
        num.fixed(item.item_rest or 0.0, 2),
        _with_error(item.b, item.b_se),
        _with_error(item.a, item.a_se),
    )


def _with_error(value: float | None, error: float | None) -> str:
    if value is None:
        return "not fitted"
    return num.fixed(value, 2) + ("" if error is None else f" ({num.fixed(error, 2)})")


def agreement(result: Agreement) -> Table:
    """Return every coefficient with its interval, overall and per stratum."""
    gaps = Gaps()
    parts = (result.overall, *result.parts)
    rows = [row for part in parts for row in _agreement_rows(part, gaps)]
    each = len(result.overall.coefficients)
    level = num.percent(result.level, 100).removesuffix(".0")
    warned = [f"{_stratum(part)}: {text}" for part in parts for text in part.warnings]
    return Table(
        key="raters",
        caption=f"Agreement of {num.listed(num.clean(name) for name in result.raters)}",
        columns=(
            *lefts("Units", "Coefficient"),
            *rights("n", "Value", f"{level}% interval", "Observed", "By chance"),
        ),
        rows=tuple(rows),
        breaks=tuple(range(each, len(rows), each)),
        notes=gaps.notes(
            f"A unit is a {result.unit}. Observed and by chance are shares of agreement.",
            f"{num.count(result.draws)} resamples of {result.resampled}, seed {result.seed}.",
            result.method,
            UNSCORED[result.policy],
            *result.warnings,
            *warned,
        ),
    )


def _stratum(part: AgreementPart) -> str:
    return num.clean(f"{part.by}: {part.stratum}" if part.by else part.stratum)


def _agreement_rows(part: AgreementPart, gaps: Gaps) -> list[tuple[str, ...]]:
    why = "no unit is rated by both, or chance alone would always agree"

    def number(value: float | None) -> str:
        return gaps.dash(why) if value is None else num.coefficient(value)

    rows: list[tuple[str, ...]] = []
    for at, one in enumerate(part.coefficients):
        ends = gaps.dash(why)
        if one.low is not None and one.high is not None:
            ends = f"{num.coefficient(one.low)} to {num.coefficient(one.high)}"
        rows.append(
            (
                _stratum(part) if at == 0 else "",
                one.name,
                num.count(one.n_units),
                number(one.value),
                ends,
                number(one.observed),
                number(one.expected),
            )
        )
    return rows


def prevalence(result: Agreement) -> Table:
    """Return how often each rater uses each category, overall."""
    return Table(
        key="prevalence",
        caption="How often each rater uses each verdict, %",
        columns=(
            *lefts("Rater"),
            *rights("Ratings", "Missing", *(num.clean(name) for name in result.categories)),
        ),
        rows=tuple(
            (
                num.clean(rater.rater),
                num.count(rater.n),
                num.count(rater.n_missing),
                *(
                    num.percent(dict(rater.shares).get(name, 0.0), max(rater.n, 1))
                    for name in result.categories
                ),
            )
            for rater in result.overall.prevalence
        ),
    )
