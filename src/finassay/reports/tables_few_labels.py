"""Tables about scores from few labels.  In: results.  Out: tables of strings."""

from __future__ import annotations

from finassay.analyses.results_few_labels import (
    ESTIMATORS,
    FewLabels,
    JudgeRate,
    LabelAdvice,
    LabelBudget,
    LabelDifference,
    LabelEstimate,
    LabelledSystem,
)
from finassay.reports import numbers as num
from finassay.reports.table import Gaps, Table, lefts, rights

SHOWN_PAIRS = 60
NO_RATE = "no label of that kind"
NO_WIDTH = "every answer is labelled, so the score is known"

HEADERS = {
    "judge": "Judge as it is",
    "human": "Labels alone",
    "horvitz-thompson": "Horvitz-Thompson",
    "hajek": "Hájek",
    "rogan-gladen": "Rogan-Gladen",
    "rogan-gladen pooled": "the same, pooled",
    "ppi": "PPI",
    "ppi++": "PPI++",
}


def few_label_tables(found: FewLabels) -> list[Table]:
    """Return scores, what they are worth, differences and the errors of the judge."""
    tables = [scores_table(found)]
    if not found.is_convenience:
        tables.append(worth_table(found))
    if found.differences:
        tables.append(differences_table(found))
    return [*tables, errors_table(found)]


def scores_table(found: FewLabels) -> Table:
    """Return the score of every system by every estimator, with its interval."""
    gaps = Gaps()
    return Table(
        key="few-labels",
        caption=f"Scores that people would give, of {found.population}, %: "
        f"{num.count(found.n_labels)} labels on {num.count(found.n)} answers",
        columns=(
            *lefts("System"),
            *rights("Labels", *(HEADERS[name] for name in ESTIMATORS)),
        ),
        rows=tuple(_scores(row, gaps) for row in found.systems),
        notes=gaps.notes(
            f"{num.level(found.level)} intervals; judge: {num.clean(found.judge)}",
            found.method,
            *found.warnings,
        ),
    )


def _scores(row: LabelledSystem, gaps: Gaps) -> tuple[str, ...]:
    cells = (_score(row.by(name), row.n, gaps) for name in ESTIMATORS)
    return num.shortened(row.system), num.share(row.n_labels, row.n), *cells


def _score(one: LabelEstimate, n: int, gaps: Gaps) -> str:
    if one.value is None:
        return gaps.dash(one.reason)
    value = num.percent(one.value, n)
    if one.low is None or one.high is None:
        return value if one.estimator == "judge" else value + gaps.mark(one.reason)
    cut = gaps.mark("cut to the range from 0 to 100") if one.clipped else ""
    return f"{value}{cut} ({num.span(one.low, one.high, n)})"


def worth_table(found: FewLabels) -> Table:
    """Return how many plain labels each interval is worth."""
    gaps = Gaps()
    shown = ("human", "rogan-gladen", "rogan-gladen pooled", "ppi", "ppi++")

    def worth(one: LabelEstimate) -> str:
        if one.effective_size is not None:
            return num.fixed(one.effective_size, 0)
        return gaps.dash(one.reason or NO_WIDTH)

    names = tuple(name for name in ESTIMATORS if name in shown)
    return Table(
        key="few-labels-worth",
        caption="What the labels are worth: labels drawn one by one with as wide an interval",
        columns=(*lefts("System"), *rights("Labels", *(HEADERS[name] for name in names))),
        rows=tuple(
            (
                num.shortened(row.system),
                num.count(row.n_labels),
                *(worth(row.by(name)) for name in names),
            )
            for row in found.systems
        ),
        notes=gaps.notes(),
    )


def differences_table(found: FewLabels) -> Table:
    """Return the differences of pairs by every estimator."""
    gaps = Gaps()
    shown = found.differences[:SHOWN_PAIRS]
    rest = len(found.differences) - len(shown)
    level = num.level(found.level)
    pairs = len({(one.left, one.right) for one in found.differences})
    return Table(
        key="few-labels-differences",
        caption="Differences of systems, points, left less right",
        columns=(
            *lefts("Left", "Right", "Estimator"),
            *rights("Difference", level, f"{level}, all pairs at once", "Common items"),
        ),
        rows=tuple(_difference(one, gaps) for one in shown),
        notes=gaps.notes(
            f"all pairs at once: Bonferroni over {num.plural(pairs, 'pair')}",
            f"and {num.count(rest)} more rows in the JSON report" if rest else "",
        ),
    )


def _difference(one: LabelDifference, gaps: Gaps) -> tuple[str, ...]:
    value = gaps.dash(one.reason) if one.value is None else num.points(one.value, 100)
    return (
        num.shortened(one.left),
        num.shortened(one.right),
        HEADERS[one.estimator],
        value,
        _ends(one.low, one.high, gaps, one.reason),
        _ends(one.family_low, one.family_high, gaps, one.reason),
        num.count(one.n_common),
    )


def _ends(low: float | None, high: float | None, gaps: Gaps, reason: str) -> str:
    if low is None or high is None:
        return gaps.dash(reason or "no interval")
    return f"{num.points(low, 100)} to {num.points(high, 100)}"


def errors_table(found: FewLabels) -> Table:
    """Return how often the judge is right, over all, by system and by stratum."""
    gaps = Gaps()
    parts = [
        ("all answers", [found.errors]),
        ("system", [row.errors for row in found.systems]),
        ("stratum", [row.errors for row in found.strata]),
    ]
    rows = tuple(
        (
            kind,
            num.shortened(one.scope),
            _rate(one.sensitivity, gaps),
            _rate(one.specificity, gaps),
            _rate(one.agreement, gaps),
        )
        for kind, errors in parts
        for one in errors
    )
    return Table(
        key="judge-errors",
        caption=f"How often the judge is right, %: {num.clean(found.judge)}",
        columns=(
            *lefts("By", "Part"),
            *rights("Right answers marked right", "Wrong answers marked wrong", "Agreement"),
        ),
        rows=rows,
        breaks=(1, 1 + len(found.systems)) if found.strata else (1,),
        notes=gaps.notes("Weighted by inclusion probability; in brackets interval and labels."),
    )


def _rate(rate: JudgeRate, gaps: Gaps) -> str:
    if rate.rate is None:
        return gaps.dash(NO_RATE)
    ends = (
        "" if rate.low is None or rate.high is None else f"{num.span(rate.low, rate.high, 100)}, "
    )
    return f"{num.percent(rate.rate, 100)} ({ends}{num.count(rate.n)})"


def budget_table(budget: LabelBudget) -> Table:
    """Return what numbers of labels would find, the number that is needed among them."""
    rows = tuple(
        (
            num.count(point.labels),
            num.percent(point.power, 100),
            f"±{num.fixed(100 * point.half_width, 1)}",
        )
        for point in budget.curve
    )
    return Table(
        key="label-budget",
        caption=f"Labels that separate {num.clean(budget.left)} and {num.clean(budget.right)}, "
        f"{num.points(budget.difference, 100)} points apart",
        columns=rights("Labels", "Chance to find it, %", "Expected interval, points"),
        rows=rows,
        notes=Gaps().notes(
            f"{num.count(budget.needed)} labels find it with a chance of "
            f"{num.percent(budget.power, 100)}% at level {budget.alpha:g}; without the judge "
            f"{num.count(budget.needed_without_judge)}",
            f"{budget.design}; correlation of verdict and label {budget.correlation:.2f}; at most "
            f"{num.count(budget.most)} labels can be given",
            budget.method,
            *budget.warnings,
        ),
    )


def advice_table(advice: LabelAdvice) -> Table:
    """Return where the next labels help most."""
    return Table(
        key="next-labels",
        caption=f"Where the next {num.plural(advice.labels, 'label')} help most: "
        f"{num.clean(advice.target)}",
        columns=(
            *lefts("Stratum"),
            *rights("Size", "Labelled", "Spread left", "Part of the variance, %"),
            *rights("One label takes off, %", "Next"),
        ),
        rows=tuple(
            (
                num.shortened(one.stratum),
                num.count(one.size),
                num.count(one.labelled),
                num.fixed(one.spread, 2),
                num.percent(one.share, 100),
                num.fixed(100 * one.gain, 2),
                num.count(one.suggested),
            )
            for one in advice.strata
        ),
        notes=Gaps().notes(
            f"standard error now {num.fixed(100 * advice.error_before, 1)} points, expected after "
            f"them {num.fixed(100 * advice.error_after, 1)}",
            *advice.warnings,
        ),
    )
