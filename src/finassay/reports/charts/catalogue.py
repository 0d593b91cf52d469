"""Every chart of an audit by name.  In: an audit and what belongs to it.  Out: charts."""

from __future__ import annotations

from finassay.analyses.results_audit import Audit
from finassay.analyses.results_multiverse import MultiverseResult
from finassay.reports import numbers as num
from finassay.reports.charts import curve, labels, ranks, rules
from finassay.reports.charts.chart import Chart
from finassay.reports.tables import shown_names

AUDIT_CHARTS = ("ranks", "reachable")


def audit_charts(audit: Audit) -> dict[str, Chart]:
    """Return the charts that an audit has numbers for, by key: ranks and reachable intervals."""
    names = shown_names(audit)
    made = (
        None if audit.regimes is None else ranks.bump(audit.regimes, names),
        None if audit.extraction is None else labels.reachable(audit.extraction, names),
    )
    return {chart.key: chart for chart in made if chart is not None}


def rule_charts(found: MultiverseResult) -> dict[str, Chart]:
    """Return the charts of a multiverse by key: the curve, open ranks, what moves the score."""
    names = num.short_names(found.systems)
    made = (
        curve.specification_curve(found, names),
        rules.rank_intervals(found, names),
        rules.effects(found),
    )
    return {chart.key: chart for chart in made if chart is not None}
