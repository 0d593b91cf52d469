"""The report as one HTML file.  In: an audit.  Out: a page without scripts or outside parts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Final

from jinja2 import Environment, StrictUndefined, Template
from markupsafe import Markup

from finassay.analyses.results import Audit, Finding, Severity
from finassay.reports import numbers as num
from finassay.reports.drawings import Figure
from finassay.reports.figures import figures
from finassay.reports.outline import SECTION_NAMES, Report, anchor, outline
from finassay.reports.tables import shown_names

SEVERITIES: Final[dict[Severity, str]] = {
    "high": "High: changes a conclusion",
    "medium": "Medium: may change a conclusion",
    "low": "Low: worth knowing",
    "note": "Note",
}

WORDY = frozenset({"settings", "names", "inputs", "packages"})
"""Tables of words, which are stacked rather than scrolled on a narrow screen."""


@dataclass(frozen=True, slots=True)
class ShownFinding:
    """A finding with its words cleaned and its link resolved."""

    severity: Severity
    title: str
    evidence: str
    advice: str
    anchor: str
    label: str


def html(audit: Audit, *, no_text: bool = False) -> str:
    """Return the report as one self-contained HTML page.

    Args:
        audit: what was measured.
        no_text: leave out free text that came with the inputs.  An audit holds no questions and
            no replies, so no report ever shows these.
    """
    report = outline(audit, no_text=no_text)
    names = shown_names(audit)
    found = [_shown(finding, names) for finding in audit.findings]
    return page(report, figures(audit, names), found)


def page(report: Report, drawn: dict[str, Figure], findings: Sequence[ShownFinding] = ()) -> str:
    """Return a report as one self-contained HTML page.

    Args:
        report: rooms, tables and sentences.
        drawn: figures by key.
        findings: what was found, with words cleaned.
    """
    table_numbers, figure_numbers = _numbers(report, drawn)
    return _template().render(
        report=report,
        figures=drawn,
        findings=findings,
        severities=SEVERITIES,
        table_numbers=table_numbers,
        figure_numbers=figure_numbers,
        wordy=WORDY,
        css=Markup(template_text("report.css")),  # noqa: S704 - our own style sheet
    )


def template_text(name: str) -> str:
    """Return the text of a template or style sheet of the package."""
    return files("finassay.reports").joinpath("templates", name).read_text(encoding="utf-8")


def _drawn(svg: str) -> Markup:
    """Let a drawing through unescaped: the drawing library has escaped every text in it."""
    return Markup(svg)  # noqa: S704 - made by finassay.reports.canvas.render


def _template() -> Template:
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=False)
    environment.filters["drawn"] = _drawn
    return environment.from_string(template_text("report.html.j2"))


def _shown(finding: Finding, names: Iterable[str]) -> ShownFinding:
    return ShownFinding(
        severity=finding.severity,
        title=num.clean(finding.title),
        evidence=num.sentence(finding.evidence, names),
        advice=num.sentence(finding.advice),
        anchor=anchor(finding.link),
        label=SECTION_NAMES[finding.link],
    )


def _numbers(report: Report, drawn: dict[str, Figure]) -> tuple[dict[str, int], dict[str, int]]:
    """Number tables and figures in the order in which they stand on the page."""
    parts = [part for room in report.rooms for part in room.parts]
    tables = [key for part in parts for key in (*part.tables, *(key for _, key in part.folded))]
    shown = [key for key in tables if key in report.tables and key != "findings"]
    pictures = [key for part in parts for key in part.figures if key in drawn]
    return (
        {key: index for index, key in enumerate(shown, start=1)},
        {key: index for index, key in enumerate(pictures, start=1)},
    )
