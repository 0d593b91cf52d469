"""A study on disk: the one door through which tables are written.

In: frames and records.  Out: commits, each the atomic replacement of one partition.
"""

from __future__ import annotations

import random
import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import polars as pl
from deltalake import DeltaTable
from deltalake.exceptions import CommitFailedError

from finassay.errors import ConflictError, StudyError, UsageError
from finassay.records import Item, RunRecord, SystemSpec, Unscored
from finassay.study.config import (
    CONFIG_NAME,
    StudyConfig,
    read_config,
    require_local,
    require_storable,
    write_config,
)
from finassay.study.digests import table_digest
from finassay.study.disk import writing
from finassay.study.guards import COMMITTED_ALONE, check_across
from finassay.study.rows import items_frame, runs_frame, systems_frame
from finassay.study.schemas import (
    SCHEMA_VERSION,
    SCORERS,
    TABLES,
    Block,
    TableSchema,
    table_schema,
)
from finassay.study.snapshot import Snapshot
from finassay.study.tables import (
    create_table,
    open_table,
    refuse_orphans,
    replace_partition,
    scan_partition,
)
from finassay.study.validate import check_all, check_partition, conform

ATTEMPTS = 20
"""Times a commit is tried against other writers before it gives up."""

LONGEST_WAIT_S = 1.0
"""Longest wait between two tries, in seconds."""

LABELS_NAME = "labels.sqlite"

Build = Callable[[DeltaTable], pl.LazyFrame]
"""Makes the rows of a partition, given the table that they will be committed on top of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    """What a commit did.

    Attributes:
        table: its name.
        version: the table's version that holds the rows.
        rows: rows in the partition.
        changed: False when the partition held the same content already; nothing was written.
    """

    table: str
    version: int
    rows: int
    changed: bool


class Study:
    """A directory of tables, opened for reading and writing.

    Use `Study.create`, `Study.open` or `Study.open_or_create`.

    Attributes:
        root: the directory.
        config: what study.toml says.
    """

    def __init__(self, root: Path, config: StudyConfig) -> None:
        self.root = root
        self.config = config
        self._opened: dict[str, DeltaTable] = {}

    @classmethod
    def create(
        cls, path: str | Path, *, name: str | None = None, unscored: Unscored = "bounds"
    ) -> Study:
        """Make an empty study and return it.

        Args:
            path: a directory that does not exist yet, or is empty.
            name: display name; the directory's name by default.
            unscored: default policy for verdicts without a value.

        Raises:
            UsageError: there is a study already, the directory holds something else, or the
                storage format cannot take its path, or it is none of a file system.
        """
        root = Path(path)
        require_local(root)
        if (root / CONFIG_NAME).exists():
            raise UsageError(f"there is a study at {str(root)!r} already; open it, or name another")
        require_storable(root)
        if root.exists() and not root.is_dir():
            raise UsageError(f"a study is a directory, got the file {str(root)!r}; name another")
        with writing(f"the study at {root}"):
            root.mkdir(parents=True, exist_ok=True)
        # Tables without study.toml are what a killed creation leaves: they are taken over.
        foreign = sorted(p.name for p in root.iterdir() if p.name not in TABLES)
        foreign = [name for name in foreign if not name.endswith(".tmp")]
        if foreign:
            raise UsageError(
                f"{str(root)!r} is not empty (it holds {foreign[0]!r}); expected a new or empty "
                f"directory; name another"
            )
        refuse_orphans(root)
        for schema in TABLES.values():
            create_table(root, schema)
        config = StudyConfig(
            name=name or root.resolve().name,
            schema_version=SCHEMA_VERSION,
            created=datetime.now(UTC).isoformat(timespec="seconds"),
            unscored=unscored,
        )
        write_config(root, config)
        return cls(root, config)

    @classmethod
    def open(cls, path: str | Path) -> Study:
        """Return the study at a path.

        Raises:
            NoStudyError: there is none.
            StudyError: its layout is newer than this version of Finassay, or older.
            UsageError: the storage format cannot take its path, or it is none of a file system.
        """
        root = Path(path)
        require_local(root)
        config = read_config(root)
        require_storable(root)
        if config.schema_version > SCHEMA_VERSION:
            raise StudyError(
                f"the study at {root} has schema version {config.schema_version}; expected "
                f"{SCHEMA_VERSION} or older; install a newer Finassay"
            )
        if config.schema_version < SCHEMA_VERSION:
            raise StudyError(
                f"the study at {root} has schema version {config.schema_version}; expected "
                f"{SCHEMA_VERSION}; copy the directory, then run `finassay study migrate {root}`"
            )
        return cls(root, config)

    @classmethod
    def open_or_create(
        cls, path: str | Path, *, name: str | None = None, unscored: Unscored = "bounds"
    ) -> Study:
        """Return the study at a path, made first if there is none; see `create` and `open`."""
        config = Path(path) / CONFIG_NAME
        if config.exists():
            return cls.open(path)
        try:
            return cls.create(path, name=name, unscored=unscored)
        except UsageError:
            # Another process may have made it meanwhile.
            if config.exists():
                return cls.open(path)
            raise

    def snapshot(self, versions: Mapping[str, int] | None = None) -> Snapshot:
        """Return the study pinned as it is now, or at older versions of the tables named.

        Raises:
            StudyError: an older version was removed by a redaction.
            UnknownNameError: there is no table of that name.
        """
        return Snapshot(self.root, self.config, versions)

    def commit(self, table: str, data: pl.DataFrame | pl.LazyFrame, *, partition: Block) -> Commit:
        """Replace one partition of a table, or a block of them, by these rows, atomically.

        A block gives several values to partition columns and replaces every combination in one
        commit: those without rows become empty.  The same content as the partition holds (volatile
        columns aside) is a no-op.  A lazy frame is evaluated once, to a file beside the tables, and
        streamed from there, so it never stands in memory whole.

        Args:
            table: its name.
            data: all columns of the table's schema; every row belongs to the partition.
            partition: value, or values, of each partition column.

        Raises:
            UnknownNameError: there is no table of that name.
            UsageError: the partition is not named completely.
            SchemaError: a column is missing, unknown, of another type, or breaks a rule.
            KeyClashError: two rows stand under one key.
            ConflictError: other writers kept committing to this partition first.
        """
        schema = table_schema(table)
        check_partition(schema, partition)
        with self._ready(schema, data, partition) as rows:

            def build(current: DeltaTable) -> pl.LazyFrame:
                check_across(schema, current, rows)
                return rows

            return self._replace(schema, partition, build)

    def drop(self, table: str, partition: Mapping[str, str]) -> Commit:
        """Replace one partition by nothing; older versions of the table keep its rows.

        Raises:
            UnknownNameError: there is no table of that name.
            UsageError: the partition is not named completely.
            ConflictError: other writers kept committing to this partition first.
        """
        schema = table_schema(table)
        check_partition(schema, partition)
        return self._replace(schema, partition, lambda _: schema.empty().lazy())

    def rewrite(
        self,
        table: str,
        partition: Mapping[str, str],
        change: Callable[[pl.DataFrame], pl.DataFrame],
    ) -> Commit:
        """Replace one partition by a function of its own rows, atomically.

        `change` is called again when another writer commits to the partition meanwhile, so nothing
        of theirs is lost.

        Raises:
            UnknownNameError: there is no table of that name.
            UsageError: the partition is not named completely.
            SchemaError: a changed row breaks the table's schema or rules.
            KeyClashError: two changed rows stand under one key.
            ConflictError: other writers kept committing to this partition first.
        """
        schema = table_schema(table)
        check_partition(schema, partition)

        def build(current: DeltaTable) -> pl.LazyFrame:
            held = scan_partition(current, schema, partition).collect()
            rows = conform(schema, change(held).lazy())
            check_all(schema, rows, partition)
            check_across(schema, current, rows)
            return rows

        return self._replace(schema, partition, build)

    def add_items(self, items: Iterable[Item], *, benchmark: str) -> Commit:
        """Replace the items of a benchmark by these.

        Items without a benchmark get this one.

        Raises:
            UsageError: an item belongs to another benchmark.
            KeyClashError: an item id stands twice, or in another benchmark of the study.
        """
        listed = [replace(item, benchmark=item.benchmark or benchmark) for item in items]
        for item in listed:
            if item.benchmark != benchmark:
                raise UsageError(
                    f"item {item.item_id!r} belongs to benchmark {item.benchmark!r}, expected "
                    f"{benchmark!r}; add each benchmark by itself"
                )
        return self.commit("items", items_frame(listed), partition={"benchmark": benchmark})

    def add_system(self, spec: SystemSpec) -> str:
        """Add a system if it is new, and return its id; raises as `add_systems`."""
        self.add_systems([spec])
        return spec.system_id

    def add_systems(self, specs: Sequence[SystemSpec]) -> Commit:
        """Add the systems that are new, in one commit.

        Raises:
            UsageError: a display name is empty, or two systems of the study would have it.
        """
        if any(not spec.name for spec in specs):
            raise UsageError("a system must have a display name, got ''; name it")
        partition = {"system_id": [spec.system_id for spec in specs]}
        return self.commit("systems", systems_frame(specs), partition=partition)

    def add_run(self, run: RunRecord) -> Commit:
        """Add a run, or replace what is known of it (see `add_runs`)."""
        return self.add_runs([run])

    def add_runs(self, runs: Sequence[RunRecord]) -> Commit:
        """Add runs, or replace what is known of them, in one commit.

        Times and retries are volatile: runs that differ in nothing else are a no-op.
        """
        partition = {"run_id": [run.run_id for run in runs]}
        return self.commit("runs", runs_frame(runs), partition=partition)

    def add_scorer(
        self, scorer_id: str, scorer_version: str, *, name: str, spec: str, package_version: str
    ) -> Commit:
        """Record how a scorer was made, so that its verdicts can be made again.

        Other versions of the scorer stay beside it.  The same version with the same name and
        spec is a no-op, whatever the package version.

        Args:
            scorer_id: what verdicts are filed under.
            scorer_version: version of the rule's behaviour.
            name: display name.
            spec: the scorer's spec as JSON.
            package_version: version of the package that made it.
        """
        partition = {"scorer_id": scorer_id}
        check_partition(SCORERS, partition)
        row = (scorer_id, scorer_version, name, spec, package_version)
        new = pl.DataFrame([row], schema=SCORERS.polars_schema, orient="row")

        def build(current: DeltaTable) -> pl.LazyFrame:
            known = scan_partition(current, SCORERS, partition).collect()
            same = known.join(new, on=["scorer_version", "name", "spec"], how="semi")
            if same.height:
                return known.lazy()
            others = known.filter(pl.col("scorer_version") != scorer_version)
            return pl.concat([others, new]).lazy()

        return self._replace(SCORERS, partition, build)

    @contextmanager
    def _ready(
        self,
        schema: TableSchema,
        data: pl.DataFrame | pl.LazyFrame,
        partition: Block,
    ) -> Iterator[pl.LazyFrame]:
        """Yield rows that were checked and can be read as often as needed."""
        lazy = conform(schema, data.lazy())
        spool: Path | None = None
        try:
            if isinstance(data, pl.LazyFrame):
                spool = self.root / f"spool-{uuid.uuid4().hex}.tmp"
                with writing(f"rows for table {schema.name!r} of the study at {self.root}"):
                    lazy.sink_parquet(spool)
                lazy = pl.scan_parquet(spool, glob=False)
            check_all(schema, lazy, partition)
            yield lazy
        finally:
            if spool is not None:
                spool.unlink(missing_ok=True)

    def _current(self, name: str) -> DeltaTable:
        """Return a table at its newest version; opened once, then brought up to date."""
        table = self._opened.get(name)
        if table is None:
            table = self._opened[name] = open_table(self.root, name)
        else:
            table.update_incremental()
        return table

    def _replace(self, schema: TableSchema, partition: Block, build: Build) -> Commit:
        for attempt in range(ATTEMPTS):
            current = self._current(schema.name)
            held = scan_partition(current, schema, partition)
            rows = build(current)
            count = rows.select(pl.len()).collect().item()
            # Digests cost more than counts, and a new partition has nothing to be equal to.
            same_size = held.select(pl.len()).collect().item() == count
            if same_size and table_digest(held, schema) == table_digest(rows, schema):
                return Commit(
                    table=schema.name, version=current.version(), rows=count, changed=False
                )
            try:
                replace_partition(
                    current, schema, rows, partition, alone=schema.name in COMMITTED_ALONE
                )
            except CommitFailedError:
                time.sleep(_wait_s(attempt))
                continue
            return Commit(table=schema.name, version=current.version(), rows=count, changed=True)
        raise ConflictError(
            f"table {schema.name!r} of {self.root}, partition {dict(partition)}: other writers "
            f"committed first {ATTEMPTS} times; nothing was written; expected fewer writers on one "
            f"partition; stop them or try again"
        )


def _wait_s(attempt: int) -> float:
    longest = min(LONGEST_WAIT_S, 0.02 * 2**attempt)
    return random.uniform(0.0, longest)  # noqa: S311 - jitter, not a secret
