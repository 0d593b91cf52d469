"""A study as it stood at one moment.  In: pinned table versions.  Out: frames, records, digests.

A command takes one snapshot and reads everything through it, so that what another process writes
meanwhile cannot mix into its figures; results print `versions`.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from urllib.parse import unquote

import polars as pl
from deltalake import DeltaTable

from finassay.errors import StudyError, UnknownNameError, UsageError
from finassay.records import Item, SystemSpec
from finassay.study.config import StudyConfig
from finassay.study.digests import table_digest
from finassay.study.rows import items_from, systems_from
from finassay.study.schemas import TABLES, table_schema
from finassay.study.tables import damaged_file, live_files, open_table, scan_table

ID_PREFIX = 4
"""Fewest characters of a system id that stand for the whole."""

BLOCK_ROWS = 500_000
"""Rows that are worked on together where systems are taken block by block."""

BY_SYSTEM = ("predictions", "verdicts")
"""Large tables, of which each partition belongs to one system."""

_SHOWN = 5

Wanted = str | int | Sequence[str] | Sequence[int]
"""A value that a column must equal, or a sequence of values of which it must be one."""


class Snapshot:
    """The tables of a study, each pinned at one version.

    Attributes:
        root: the study's directory.
        config: what study.toml said.
        versions: pinned version by table name.
    """

    def __init__(
        self, root: Path, config: StudyConfig, versions: Mapping[str, int] | None = None
    ) -> None:
        self.root = root
        self.config = config
        asked = dict(versions or {})
        for name in asked:
            table_schema(name)
        self._tables: dict[str, DeltaTable] = {
            name: open_table(root, name, asked.get(name)) for name in TABLES
        }
        self.versions: Mapping[str, int] = {
            name: table.version() for name, table in self._tables.items()
        }
        self._digests: dict[str, str] = {}
        self._systems: tuple[SystemSpec, ...] | None = None
        self._sound: set[str] = set()
        for name in asked:
            self._refuse_removed(name)

    def _refuse_removed(self, name: str) -> None:
        files = live_files(self._tables[name], self.root / name)
        if not all(file.exists() for file in files):
            raise StudyError(
                f"version {self.versions[name]} of table {name!r} in {self.root} cannot be read: "
                f"its files were removed by a redaction; read the latest version instead"
            )

    @property
    def is_newest(self) -> bool:
        """Whether no table has a version after the pinned one; looks at names of files alone."""
        following = ((name, version + 1) for name, version in self.versions.items())
        return not any(
            (self.root / name / "_delta_log" / f"{version:020d}.json").exists()
            for name, version in following
        )

    def scan(self, table: str) -> pl.LazyFrame:
        """Return a table lazily, columns in schema order, rows in no particular order.

        Raises:
            UnknownNameError: there is no table of that name.
            StudyError: a file of it is missing or cut.
        """
        schema = table_schema(table)
        self._refuse_damage(table)
        return scan_table(self._tables[table], schema)

    def files(self, table: str) -> list[tuple[tuple[str, ...], str]]:
        """Return (values of its partition columns, name) of each data file of a table.

        Files are never changed: the same names hold the same rows in any snapshot.

        Raises:
            UnknownNameError: there is no table of that name.
        """
        schema = table_schema(table)
        actions = pl.DataFrame(self._tables[table].get_add_actions(flatten=True))
        columns = [actions[f"partition.{name}"] for name in schema.partition]
        return list(zip(zip(*columns, strict=True), actions["path"], strict=True))

    def files_with_rows(self, table: str) -> list[tuple[tuple[str, ...], str, int]]:
        """Return (values of its partition columns, name, rows) of each data file of a table.

        Raises:
            UnknownNameError: there is no table of that name.
            StudyError: a file of it is missing or cut.
        """
        schema = table_schema(table)
        self._refuse_damage(table)
        actions = pl.DataFrame(self._tables[table].get_add_actions(flatten=True))
        columns = [actions[f"partition.{name}"] for name in schema.partition]
        counts = self._counts(table, actions)
        return list(zip(zip(*columns, strict=True), actions["path"], counts, strict=True))

    def _counts(self, table: str, actions: pl.DataFrame) -> list[int]:
        """Return the rows of each file: as the log says, else as the file's footer does."""
        if "num_records" in actions.columns and not actions["num_records"].has_nulls():
            return actions["num_records"].to_list()
        folder = self.root / table
        files = [folder / unquote(path) for path in actions["path"]]
        lazy = (pl.scan_parquet(file, glob=False).select(pl.len()) for file in files)
        return [int(one.collect().item()) for one in lazy]

    def blocks(self, table: str, *, most: int = BLOCK_ROWS) -> Iterator[list[str]]:
        """Yield ids of systems that have rows in a table, together while their rows fit `most`.

        What is computed block by block needs no more memory for more systems.

        Args:
            table: `predictions` or `verdicts`, of which system_id names partitions.
            most: rows of a block; a system with more is a block by itself.

        Raises:
            UnknownNameError: there is no table of that name.
            StudyError: a file of it is missing or cut.
        """
        sizes = self.rows_of_systems(table)
        block: list[str] = []
        rows = 0
        for system_id in sorted(sizes):
            if block and rows + sizes[system_id] > most:
                yield block
                block, rows = [], 0
            block.append(system_id)
            rows += sizes[system_id]
        if block:
            yield block

    def rows_of_systems(self, table: str) -> dict[str, int]:
        """Return how many rows a table holds of each system that has any.

        Args:
            table: `predictions` or `verdicts`, of which system_id names partitions.

        Raises:
            UnknownNameError: there is no table of that name.
            StudyError: a file of it is missing or cut.
        """
        at = table_schema(table).partition.index("system_id")
        sizes: dict[str, int] = {}
        for partition, _, rows in self.files_with_rows(table):
            sizes[partition[at]] = sizes.get(partition[at], 0) + rows
        return {system_id: rows for system_id, rows in sizes.items() if rows}

    def damage(self, table: str) -> str | None:
        """Return what is wrong with the files of a table, or None.

        Raises:
            UnknownNameError: there is no table of that name.
        """
        return damaged_file(self._tables[table_schema(table).name], self.root / table)

    def refuse_damage(self) -> None:
        """Check the files of every table, those that were found whole before too.

        Raises:
            StudyError: a file of a table is missing or cut.
        """
        self._sound.clear()
        for name in TABLES:
            self._refuse_damage(name)

    def _refuse_damage(self, table: str) -> None:
        if table in self._sound:
            return
        damage = self.damage(table)
        if damage is not None:
            raise StudyError(
                f"table {table!r} of the study at {self.root} is damaged: {damage}; restore the "
                f"study from a copy; `finassay study check` lists every damaged table"
            )
        self._sound.add(table)

    def raw(self, table: str) -> pl.LazyFrame:
        """Return a table lazily with the columns that it has on disk, whatever they are.

        Raises:
            UnknownNameError: there is no table of that name.
            StudyError: a file of it is missing or cut.
        """
        self._refuse_damage(table_schema(table).name)
        return pl.scan_delta(self._tables[table_schema(table).name])

    def frame(self, table: str, /, **equals: Wanted) -> pl.DataFrame:
        """Return the rows of a table, sorted by its key.

        Args:
            table: its name.
            **equals: columns that must equal a value, or be one of a sequence of values; on
                partition columns only the files of those partitions are read.

        Raises:
            UnknownNameError: there is no table of that name.
            UsageError: the table has no such column.
        """
        schema = table_schema(table)
        rows = self.scan(table)
        for column, wanted in equals.items():
            if column not in schema.columns:
                raise UsageError(
                    f"table {table!r} has no column {column!r}; expected one of "
                    f"{', '.join(schema.columns)}"
                )
            if isinstance(wanted, str | int):
                rows = rows.filter(pl.col(column).eq(wanted))
            else:
                rows = rows.filter(pl.col(column).is_in(list(wanted)))
        return rows.collect().sort(schema.key)

    def scorer_ids(self, table: str = "verdicts") -> tuple[str, ...]:
        """Return the scorers that hold rows of `verdicts` or `comparisons`, sorted."""
        found = self.scan(table).select(pl.col("scorer_id").unique()).collect()["scorer_id"]
        return tuple(sorted(found))

    def items(self) -> list[Item]:
        """Return all items, sorted by benchmark and item id."""
        return items_from(self.frame("items"))

    def systems(self) -> list[SystemSpec]:
        """Return all systems, sorted by display name."""
        if self._systems is None:
            found = systems_from(self.frame("systems"))
            self._systems = tuple(sorted(found, key=lambda spec: spec.name))
        return list(self._systems)

    def resolve_system(self, name: str) -> str:
        """Return the id of the system with this display name, id, or beginning of an id.

        A display name wins over an id; a beginning must have at least 4 characters.

        Raises:
            UnknownNameError: there is none, or the beginning fits several.
        """
        by_name = {spec.name: spec.system_id for spec in self.systems()}
        if name in by_name:
            return by_name[name]
        fitting = {
            shown: system_id
            for shown, system_id in by_name.items()
            if system_id == name or (len(name) >= ID_PREFIX and system_id.startswith(name))
        }
        if len(fitting) == 1:
            return next(iter(fitting.values()))
        if fitting:
            listed = ", ".join(f"{system_id} ({shown})" for shown, system_id in fitting.items())
            raise UnknownNameError(
                f"{name!r} begins the ids of {len(fitting)} systems: {listed}; give more of the id"
            )
        raise UnknownNameError(_unknown_system(name, sorted(by_name)))

    def digest(self, table: str) -> str:
        """Return the canonical digest of a table at its pinned version (see `digests`).

        Raises:
            UnknownNameError: there is no table of that name.
        """
        schema = table_schema(table)
        if table not in self._digests:
            self._digests[table] = table_digest(self.scan(table), schema)
        return self._digests[table]

    def digests(self) -> Mapping[str, str]:
        """Return the canonical digest of every table, by table name."""
        return {name: self.digest(name) for name in TABLES}


def block_filters(snapshot: Snapshot, table: str) -> list[pl.Expr]:
    """Return what selects the rows of a table block by block: no key spans two of them.

    One that selects everything where systems do not name partitions, one that selects nothing where
    there are no rows.
    """
    if table not in BY_SYSTEM:
        return [pl.lit(value=True)]
    found = [pl.col("system_id").is_in(block) for block in snapshot.blocks(table)]
    return found or [pl.lit(value=False)]


def _unknown_system(name: str, known: Sequence[str]) -> str:
    if not known:
        return f"there is no system {name!r}: the study holds no systems; import or run some first"
    near = difflib.get_close_matches(name, known, n=_SHOWN, cutoff=0.4)
    hint = f"near names: {', '.join(near)}" if near else f"known: {', '.join(known[:_SHOWN])}"
    more = "" if near or len(known) <= _SHOWN else f" and {len(known) - _SHOWN} more"
    return (
        f"there is no system {name!r} among {len(known)}; {hint}{more}; give a display name or at "
        f"least {ID_PREFIX} characters of an id"
    )
