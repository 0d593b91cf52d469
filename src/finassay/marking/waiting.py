"""What is made waits here to be committed.  In: verdict partitions.  Out: commits of bounded size.

Whoever marks, one process commits: the one that holds the study open.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from finassay.study.study import Commit, Study

MOST_WAITING = 1_000_000
"""Verdict rows that may wait for a commit."""

Of = tuple[str, str, str]
"""Scorer id, scorer version and system id: what one partition of verdicts is of."""


class Waiting:
    """Verdicts that wait to be committed together.

    A commit costs far more than marking a few hundred replies, so partitions go together up to a
    number of rows that fits in memory.  Systems with the same scorers waiting share one commit.
    """

    def __init__(self, study: Study) -> None:
        self._study = study
        self._parts: dict[tuple[str, str], dict[str, pl.DataFrame]] = {}
        self._rows = 0
        self.commits: list[Commit] = []

    def add(self, verdicts: pl.DataFrame, of: Of) -> None:
        """Keep the verdicts of one scorer on one system; commit when there are many.

        Args:
            verdicts: rows of the verdict table; none to empty the partition.
            of: what they are of.
        """
        scorer_id, version, system_id = of
        self._parts.setdefault((version, system_id), {})[scorer_id] = verdicts
        self._rows += verdicts.height
        if self._rows > MOST_WAITING:
            self.commit()

    def commit(self) -> None:
        """Commit what waits: one commit for each version and set of scorers."""
        blocks: dict[tuple[str, tuple[str, ...]], dict[str, list[pl.DataFrame]]] = {}
        for (version, system_id), parts in self._parts.items():
            block = blocks.setdefault((version, tuple(parts)), {})
            block[system_id] = list(parts.values())
        for (version, scorer_ids), systems in blocks.items():
            rows = pl.concat([frame for frames in systems.values() for frame in frames])
            partition = {
                "scorer_id": list(scorer_ids),
                "scorer_version": version,
                "system_id": list(systems),
            }
            self.commits.append(self._study.commit("verdicts", rows, partition=partition))
        self._parts.clear()
        self._rows = 0

    def commit_files(self, files: Sequence[Path], of: Of) -> None:
        """Commit one partition whose rows stand in files written aside, and remove these.

        The partition is replaced whole by one commit; its rows are streamed.

        Args:
            files: Parquet files with the columns of the verdict table, at least one.
            of: what they are of.
        """
        scorer_id, version, system_id = of
        rows = pl.concat([pl.scan_parquet(file, glob=False) for file in files])
        partition = {"scorer_id": scorer_id, "scorer_version": version, "system_id": system_id}
        self.commits.append(self._study.commit("verdicts", rows, partition=partition))
        for file in files:
            file.unlink(missing_ok=True)
