"""Tables about few labels.  In: corrected scores and advice.  Out: tables."""

from __future__ import annotations

from finassay.analyses.results_few_labels import FewLabels, LabelAdvice, LabelEstimate
from finassay.reports import numbers as num
from finassay.reports.table import Gaps, Table, lefts, rights

SHOWN = ("judge", "horvitz-thompson", "rogan-gladen", "ppi++")
_HEADS = {
    "judge": "Judge as it is, %",
    "human": "Labels, %",
    "horvitz-thompson": "Labels, weighted, %",
    "rogan-gladen": "Rogan-Gladen, %",
    "ppi++": "PPI++, %",
}


def corrected(found: FewLabels, names: dict[str, str]) -> Table:
    """Return each system's score by the judge, by labels, and by both."""
    gaps = Gaps()
    shown = [one for one in SHOWN if any(_has(row.estimates, one) for row in found.systems)]
    return Table(
        key="corrected-scores",
        caption="Scores that people would give, from their labels and the judge's verdicts",
        columns=(
            *lefts("System"),
            *rights("Answers", "Labels", *(_HEADS[one] for one in shown)),
        ),
        rows=tuple(
            (
                names.get(row.system, num.shortened(row.system)),
                num.count(row.n),
                num.count(row.n_labels),
                *(
                    _cell(next(e for e in row.estimates if e.estimator == one), row.n, gaps)
                    for one in shown
                ),
            )
            for row in found.systems
        ),
        notes=gaps.notes(
            f"judge: {num.clean(found.judge)}; intervals of {num.level(found.level)}",
            found.method,
            *found.warnings,
        ),
    )


def _has(estimates: tuple[LabelEstimate, ...], estimator: str) -> bool:
    return any(one.estimator == estimator for one in estimates)


def _cell(one: LabelEstimate, n: int, gaps: Gaps) -> str:
    if one.value is None:
        return gaps.dash(one.reason or "it cannot be estimated")
    value = num.percent(one.value, n)
    if one.low is None or one.high is None:
        return value
    return f"{value} ({num.span(one.low, one.high, n)})"


def advice(found: LabelAdvice) -> Table:
    """Return where the next labels help most."""
    return Table(
        key="next-labels",
        caption=f"Where the next {num.plural(found.labels, 'label')} help {found.target} most",
        columns=(
            *lefts("Answers on which"),
            *rights("Answers", "Labelled", "Share of what is uncertain, %", "Next labels"),
        ),
        rows=tuple(
            (
                num.clean(row.stratum),
                num.count(row.size),
                num.count(row.labelled),
                num.fixed(100 * row.share, 0),
                num.count(row.suggested),
            )
            for row in found.strata
        ),
        notes=tuple(num.sentence(warning) for warning in found.warnings),
    )
