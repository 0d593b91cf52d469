"""The report as Markdown.  In: an audit.  Out: text with the same tables."""

from __future__ import annotations

import re

from finassay.analyses.results import Audit
from finassay.reports.drawings import Figure
from finassay.reports.figures import figures
from finassay.reports.outline import Report, outline
from finassay.reports.rooms import Part
from finassay.reports.table import Table
from finassay.reports.tables import shown_names

SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~$])")


def escaped(text: str) -> str:
    """Return text in which no character has a meaning in Markdown or HTML."""
    return SPECIAL.sub(r"\\\1", text.replace("&", "&amp;"))


def markdown_table(table: Table) -> str:
    """Return one table in pipe form, its caption before and its notes after it."""
    lines = [f"**{escaped(table.caption)}**", ""]
    lines.append(f"| {' | '.join(escaped(column.header) for column in table.columns)} |")
    sides = ("---:" if column.align == "right" else ":---" for column in table.columns)
    lines.append(f"| {' | '.join(sides)} |")
    lines += [f"| {' | '.join(escaped(cell) for cell in row)} |" for row in table.rows]
    if table.notes:
        lines += ["", "  \n".join(escaped(note) for note in table.notes)]
    return "\n".join(lines)


def markdown(audit: Audit, *, no_text: bool = False) -> str:
    """Return the report as Markdown; figures are told in words."""
    return pages(outline(audit, no_text=no_text), figures(audit, shown_names(audit)))


def pages(report: Report, drawn: dict[str, Figure]) -> str:
    """Return a report as Markdown.

    Args:
        report: rooms, tables and sentences.
        drawn: figures by key, which are told in words.
    """
    blocks = [f"# {escaped(report.title)}", "## Verdict", _facts(report)]
    if report.strip:
        blocks.append(
            "\n".join(
                f"{index}. {escaped(claim.text)} ([{claim.label}](#{claim.anchor}))"
                for index, claim in enumerate(report.strip, start=1)
            )
        )
    for room in report.rooms:
        blocks.append(f'<a id="{room.anchor}"></a>\n\n## {room.heading}')
        for part in room.parts:
            blocks += _part(part, report, drawn)
    if report.commands:
        commands = "\n".join(f"    {command}" for command in report.commands)
        blocks.append(f"### Commands that regenerate this report\n\n{commands}")
    return "\n\n".join(blocks) + "\n"


def _facts(report: Report) -> str:
    return " · ".join(f"{name}: {value}" for name, value in report.facts)


def _part(part: Part, report: Report, drawn: dict[str, Figure]) -> list[str]:
    blocks = [f'<a id="{part.anchor}"></a>']
    if part.heading:
        blocks.append(f"{'#' * part.level} {part.heading}")
    blocks += [escaped(text) for text in part.text]
    for key in part.figures:
        if key in drawn:
            figure = drawn[key]
            blocks.append(f"*{escaped(figure.title)}.* {escaped(figure.summary)}")
    keys = (*part.tables, *(key for _, key in part.folded))
    found = [report.tables[key] for key in keys if key in report.tables]
    blocks += [markdown_table(table) for table in found if table.rows]
    for title, entries in part.lists:
        listed = "\n".join(f"- {escaped(entry)}" for entry in entries)
        blocks.append(f"{escaped(title)} ({len(entries)}):\n\n{listed}")
    return blocks
