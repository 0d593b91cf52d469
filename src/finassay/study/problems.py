"""What is wrong with a study.  In: rows that break a rule.  Out: a problem, with examples."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import polars as pl

Severity = Literal["error", "warning", "note"]

SEVERITIES: tuple[Severity, ...] = ("error", "warning", "note")

EXAMPLES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One thing that is wrong with a study, or worth knowing.

    Attributes:
        severity: "error" (figures cannot be trusted), "warning" (a verdict is stale) or "note"
            (something was done on purpose, such as a redaction).
        code: what kind, for instance `verdict_without_prediction`.
        table: where.
        n: rows concerned.
        message: what, with examples, and what to do.
    """

    severity: Severity
    code: str
    table: str
    n: int
    message: str


def problem_of(
    severity: Severity, code: str, table: str, rows: pl.DataFrame, what: str
) -> Iterator[Problem]:
    """Yield one problem for all rows, if there are any.

    Args:
        severity: how bad it is.
        code: kind of problem.
        table: where the rows stand.
        rows: the rows; the first are shown as examples.
        what: what is wrong with them and what to do, as it follows their number.
    """
    if not rows.height:
        return
    examples = "; ".join(str(row) for row in rows.head(EXAMPLES).iter_rows(named=True))
    yield Problem(
        severity=severity,
        code=code,
        table=table,
        n=rows.height,
        message=f"{table}: {rows.height} {what}, for instance {examples}",
    )
