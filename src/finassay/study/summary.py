"""What a study holds, at a glance.  In: a snapshot.  Out: rows, versions and digests."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

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
        tables: its tables.
    """

    name: str
    created: str
    unscored: str
    tables: tuple[TableSummary, ...]

    def to_lines(self) -> list[str]:
        """Return the summary in plain lines."""
        return [
            f"{self.name}, made {self.created}, unscored verdicts: {self.unscored}",
            *(
                f"{table.name:<12} {table.rows:>10,} rows  version {table.version:>4}  "
                f"{table.digest[:16]}"
                for table in self.tables
            ),
        ]


def summarise(snapshot: Snapshot) -> StudySummary:
    """Return rows, versions and digests of all tables."""
    return StudySummary(
        name=snapshot.config.name,
        created=snapshot.config.created,
        unscored=snapshot.config.unscored,
        tables=tuple(
            TableSummary(
                name=name,
                rows=int(snapshot.scan(name).select(pl.len()).collect().item()),
                version=snapshot.versions[name],
                digest=snapshot.digest(name),
            )
            for name in TABLES
        ),
    )
