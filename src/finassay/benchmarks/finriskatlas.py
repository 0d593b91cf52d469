"""Figures printed about FinRiskAtlas.  In: nothing.  Out: reported scores, table by table.

Tables 8 to 11 of arXiv 2608.25325: 33 configurations, scores in points of 100 as printed.
"""

from __future__ import annotations

import csv
import io
from dataclasses import replace

from finassay.benchmarks.reading import data_text
from finassay.benchmarks.reported import load_reported
from finassay.errors import InputError
from finassay.records import ReportedScore

FINRISKATLAS = "finriskatlas"
SOURCE = "arXiv 2608.25325"
FILES = {
    "Table 8": "finriskatlas_domain_knowledge.csv",
    "Table 9": "finriskatlas_operations_structured.csv",
    "Table 10": "finriskatlas_operations_judged.csv",
}
"""Printed table -> the file that holds it; Table 11 is read from the figures of FinRisk-Ask."""

_ASK_TABLE = "Table 11"
_POLICIES = ("Always-Ask", "Always-Proceed")


def load_finriskatlas() -> dict[str, tuple[ReportedScore, ...]]:
    """Return the scores of tables 8 to 11: knowledge, two tables of operations, ask or proceed.

    Raises:
        InputError: a file cannot be read, or a cell is no number.

    Example:
        >>> tables = load_finriskatlas()
        >>> [(name, len(scores)) for name, scores in tables.items()]
        [('Table 8', 198), ('Table 9', 264), ('Table 10', 99), ('Table 11', 264)]
        >>> tables["Table 8"][0].column, tables["Table 8"][0].printed
        ('risk_compliance', '64.00')
    """
    tables = {table: _scores(table, file) for table, file in FILES.items()}
    return {**tables, _ASK_TABLE: _ask_scores()}


def _ask_scores() -> tuple[ReportedScore, ...]:
    """Return Table 11 in points, without the rows of policies that are no configuration."""
    return tuple(
        replace(score, source=SOURCE, value=float(score.printed), unit="points", n=None, note="")
        for score in load_reported("finrisk-ask")
        if score.table == _ASK_TABLE and score.row not in _POLICIES
    )


def _scores(table: str, file: str) -> tuple[ReportedScore, ...]:
    reader = csv.DictReader(io.StringIO(data_text(file), newline=""), strict=True)
    columns = [name for name in reader.fieldnames or () if name != "model"]
    found = []
    for row in reader:
        for column in columns:
            try:
                value = float(row[column])
            except ValueError as error:
                raise InputError(
                    f"{file}:{reader.line_num}: {column!r} must be a number, got {row[column]!r}"
                ) from error
            found.append(
                ReportedScore(
                    source=SOURCE,
                    table=table,
                    row=row["model"],
                    column=column,
                    value=value,
                    printed=row[column],
                    unit="points",
                )
            )
    return tuple(found)
