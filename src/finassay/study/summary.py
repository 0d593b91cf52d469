"""What a study holds, at a glance.  In: a snapshot.  Out: rows, versions and digests."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from finassay.study.nested import JUDGING
from finassay.study.schemas import TABLES
from finassay.study.snapshot import Snapshot


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSummary:
    """One table of a study.

    Attributes:
        name: its name.
        rows: number of rows.
        version: pinned version.
        digest: canonical digest.
    """

    name: str
    rows: int
    version: int
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StudySummary:
    """A study at a glance.

    Attributes:
        name: name of the study.
        created: when it was made (UTC, ISO 8601).
        unscored: default policy for verdicts without a value.
        tables: its tables, and as judging/NAME those of what its judges were asked.
    """

    name: str
    created: str
    unscored: str
    tables: tuple[TableSummary, ...]

    def to_lines(self) -> list[str]:
        """Return the summary in plain lines."""
        width = max((12, *(len(table.name) for table in self.tables)))
        return [
            f"{self.name}, made {self.created}, unscored verdicts: {self.unscored}",
            *(
                f"{table.name:<{width}} {table.rows:>10,} rows  version {table.version:>4}  "
                f"{table.digest[:16]}"
                for table in self.tables
            ),
        ]


def summarise(snapshot: Snapshot, judging: Snapshot | None = None) -> StudySummary:
    """Return rows, versions and digests of all tables.

    Args:
        snapshot: of the study.
        judging: of the study of what its judges were asked, where there is one.
    """
    inner = () if judging is None else _tables(judging, f"{JUDGING}/")
    return StudySummary(
        name=snapshot.config.name,
        created=snapshot.config.created,
        unscored=snapshot.config.unscored,
        tables=(*_tables(snapshot, ""), *inner),
    )


def _tables(snapshot: Snapshot, prefix: str) -> tuple[TableSummary, ...]:
    return tuple(
        TableSummary(
            name=f"{prefix}{name}",
            rows=int(snapshot.scan(name).select(pl.len()).collect().item()),
            version=snapshot.versions[name],
            digest=snapshot.digest(name),
        )
        for name in TABLES
    )
