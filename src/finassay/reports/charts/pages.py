"""Pages with charts.  In: results.  Out: the report in reading order, its charts, and what to say.

The report is the one that the command of the same name writes; charts take the place of figures.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from finassay.analyses.adjudication.results import DrawStatus
from finassay.analyses.judges.results import JudgeStanding, Standing
from finassay.analyses.operations.results import OperationsResult
from finassay.analyses.results_ask import AskReport
from finassay.analyses.results_audit import Audit
from finassay.reports import numbers as num
from finassay.reports.ask_page import ask_report_page
from finassay.reports.charts.ask import ask_charts
from finassay.reports.charts.chart import Chart
from finassay.reports.charts.judges import judge_charts, progress, with_charts
from finassay.reports.charts.operations import operation_charts
from finassay.reports.operations_page import operations_report
from finassay.reports.outline import Link, Report
from finassay.reports.outline_people import HEADING, people_rooms, people_tables
from finassay.reports.rooms import Part, Room
from finassay.reports.table import Table, lefts, rights
from finassay.reports.tables import shown_names
from finassay.reports.tables_judges import STANDINGS, judge_name


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartedReport:
    """A report whose figures are charts.

    Attributes:
        report: in reading order.
        charts: by the keys that its parts name as figures.
    """

    report: Report
    charts: Mapping[str, Chart]

    def drawn(self, part: Part) -> list[tuple[Chart, list[Table]]]:
        """Return the charts of a part, each with the tables behind it that are not shown there."""
        shown = {*part.tables, *(key for _, key in part.folded)}
        return [
            (
                self.charts[key],
                [
                    self.report.tables[table]
                    for table in self.charts[key].tables
                    if table in self.report.tables and table not in shown
                ],
            )
            for key in part.figures
            if key in self.charts
        ]


_ORDER: tuple[Standing, ...] = ("fails", "not_calibrated", "undetermined", "open", "passes")


def judges_report(audit: Audit) -> ChartedReport:
    """Return the page about judges and people; what fails calibration is said first."""
    names = shown_names(audit)
    tables = people_tables(audit, names)
    charts = judge_charts(audit, names)
    rooms = [with_charts(room, charts) for room in people_rooms(audit, tables)]
    judges = () if audit.judges is None else audit.judges.judges
    return ChartedReport(
        report=Report(
            title=HEADING,
            facts=_facts(audit),
            strip=tuple(_standing_link(one) for one in _failing_first(judges)),
            rooms=tuple(rooms),
            tables=tables,
            commands=(),
            warnings=() if audit.judges is None else audit.judges.warnings,
        ),
        charts=charts,
    )


def with_progress(page: ChartedReport, draws: Sequence[DrawStatus]) -> ChartedReport:
    """Return the page with a room about draws of replies to label; as it is without any."""
    bars = progress(draws)
    if bars is None:
        return page
    key = "adjudication-progress"
    part = Part(anchor="progress-main", figures=(bars.key,), tables=(key,))
    room = Room(anchor="progress", heading="How far people are", parts=(part,))
    report = page.report
    return ChartedReport(
        report=replace(
            report,
            rooms=(*report.rooms, room),
            tables={**report.tables, key: progress_table(draws)},
        ),
        charts={**page.charts, bars.key: bars},
    )


def _failing_first(judges: Sequence[JudgeStanding]) -> list[JudgeStanding]:
    own = [one for one in judges if not one.identity.is_control]
    return sorted(own, key=lambda one: _ORDER.index(one.standing))


def _standing_link(one: JudgeStanding) -> Link:
    name = judge_name(one.identity.scorer_id)
    text = f"{name} {STANDINGS[one.standing]}: {one.reason}."
    return Link(text=num.clean(text), anchor="s-judges-main", label="All judges")


def _facts(audit: Audit) -> tuple[tuple[str, str], ...]:
    found: list[tuple[str, str]] = []
    if audit.judges is not None:
        own = [one for one in audit.judges.judges if not one.identity.is_control]
        found.append(("Judges", num.count(len(own))))
        failing = sum(one.standing == "fails" for one in own)
        found.append(("Fail calibration", num.count(failing)))
        if audit.judges.consensus is not None:
            counts = audit.judges.consensus
            found += [
                ("People", num.count(len(counts.people))),
                ("Replies labelled", num.count(counts.n_labelled)),
                ("Settled", num.count(counts.n_settled)),
            ]
    return tuple(found)


def progress_table(draws: Sequence[DrawStatus]) -> Table:
    """Return how far each draw of labels is, and how far its people agree."""
    return Table(
        key="adjudication-progress",
        caption="How far each draw of replies to label is, and how far its people agree",
        columns=(
            *lefts("Draw", "Task"),
            *rights("Units", "Settled", "Not sure", "Conflicts", "Open", "People"),
            *lefts("Agreement"),
        ),
        rows=tuple(
            (
                num.shortened(draw.draw),
                draw.task,
                num.count(draw.units),
                num.count(draw.unanimous + draw.majority + draw.single + draw.resolved),
                num.count(draw.unsure),
                num.count(draw.conflicts),
                num.count(draw.open),
                num.count(len({one.annotator for one in draw.annotators})),
                "; ".join(
                    f"{one.name} {num.fixed(one.value, 2)}"
                    for one in draw.agreement
                    if one.value is not None
                )
                or num.EM_DASH,
            )
            for draw in draws
        ),
    )


def operations_charted(found: OperationsResult) -> ChartedReport:
    """Return the page about operations, with the profiles of systems in a room of their own."""
    report, charts = operations_report(found), operation_charts(found)
    rooms = list(report.rooms)
    if "fig-profiles" in charts:
        part = Part(
            anchor="profiles-main",
            figures=("fig-profiles",),
            folded=tuple(
                pair
                for pair in (
                    ("The numbers behind the figure", "profiles"),
                    ("Near in knowledge, apart in profile", "near-pairs"),
                )
                if pair[1] in report.tables
            ),
        )
        rooms.insert(1, Room(anchor="profiles", heading="Profiles", parts=(part,)))
    return ChartedReport(report=replace(report, rooms=tuple(rooms)), charts=charts)


def ask_charted(report: AskReport) -> ChartedReport:
    """Return the page about asking or going on."""
    return ChartedReport(report=ask_report_page(report), charts=ask_charts(report))
