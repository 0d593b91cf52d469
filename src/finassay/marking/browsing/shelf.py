"""Verdicts at hand by item.  In: snapshots.  Out: the verdicts on one item's replies.

A study files verdicts by scorer and system, so those on one item lie in hundreds of files.  A shelf
keeps a copy sorted by item, one file a scorer, in a temporary directory; a scorer whose files did
not change since is not copied again.
"""

from __future__ import annotations

import shutil
import threading
import weakref
from pathlib import Path
from tempfile import mkdtemp

import polars as pl

from finassay.marking.table import newest_versions
from finassay.study.schemas import VERDICTS
from finassay.study.snapshot import Snapshot

ROWS_TOGETHER = 4096
"""Verdicts that are read together; a file says between which items each group of them lies."""

Files = tuple[str, ...]


class VerdictShelf:
    """Copies of verdicts, sorted by item; gone when the shelf is."""

    def __init__(self) -> None:
        self._folder = Path(mkdtemp(prefix="finassay-verdicts-"))
        # Also where nobody closes it: the copies go with the shelf.
        self._gone = weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)
        self._lock = threading.Lock()
        self._held: dict[str, tuple[Files, Path]] = {}
        self._copies = 0
        self._stocked: tuple[Snapshot, tuple[Path, ...]] | None = None

    def stock(self, snapshot: Snapshot) -> tuple[Path, ...]:
        """Copy what changed since, and return one file for each scorer of the study."""
        done = self._stocked
        if done is not None and done[0] is snapshot:
            return done[1]
        by_scorer: dict[str, list[str]] = {}
        for (scorer_id, _, _), file in snapshot.files("verdicts"):
            by_scorer.setdefault(scorer_id, []).append(file)
        with self._lock:
            paths = tuple(
                self._copy(snapshot, scorer_id, tuple(sorted(files)))
                for scorer_id, files in sorted(by_scorer.items())
            )
            self._stocked = snapshot, paths
        return paths

    def verdicts(self, snapshot: Snapshot, item_id: str, trial: int) -> pl.DataFrame:
        """Return the verdicts of every scorer's newest version on one item in one trial.

        Rows have the columns of the table `verdicts`, sorted by its key.
        """
        own = pl.col("item_id").eq(item_id), pl.col("trial").eq(trial)
        files = self.stock(snapshot)
        if not files:
            return VERDICTS.empty()
        return pl.scan_parquet(list(files)).filter(*own).collect().sort(VERDICTS.key)

    def close(self) -> None:
        """Remove the copies."""
        self._gone()

    def _copy(self, snapshot: Snapshot, scorer_id: str, files: Files) -> Path:
        known = self._held.get(scorer_id)
        if known is not None and known[0] == files:
            return known[1]
        rows = snapshot.scan("verdicts").filter(pl.col("scorer_id").eq(scorer_id)).collect()
        self._copies += 1
        path = self._folder / f"{self._copies}.parquet"
        newest = newest_versions(rows).sort("item_id")
        newest.write_parquet(path, row_group_size=ROWS_TOGETHER, compression="lz4")
        self._held[scorer_id] = (files, path)
        # The file before is left: another thread may be reading it.  All go with the shelf.
        return path
