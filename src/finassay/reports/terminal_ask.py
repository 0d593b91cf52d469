"""Asking or going on, in a terminal.  In: a report.  Out: lines."""

from __future__ import annotations

from finassay.analyses.results_ask import AskReport, AskStates
from finassay.reports import numbers as num
from finassay.reports.plain import joined_lines, wrapped
from finassay.reports.tables_ask import ask_tables, states_table

WIDTH = 100


def ask_lines(report: AskReport) -> list[str]:
    """Return every table of a report, then findings and warnings in sentences."""
    tables = [table for table in ask_tables(report) if table.key != "findings"]
    lines = joined_lines(tables)
    if report.findings:
        lines += ["", "Findings"]
    for one in report.findings:
        told = f"[{one.severity}] {num.clean(one.title)}: {num.clean(one.evidence)}."
        lines += wrapped(told, WIDTH, "  ")
    for warning in report.warnings:
        lines += ["", *wrapped(f"Note: {num.sentence(warning)}", WIDTH)]
    return lines


def states_lines(found: AskStates) -> list[str]:
    """Return what the retention rules made of a file of states."""
    lines = joined_lines([states_table(found)])
    return [*lines, *([f"filed in {found.study}"] if found.study else [])]
