"""Settings of an import.  In: what a caller wants.  Out: options, and files read by them."""

from __future__ import annotations

import glob
import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from finassay.errors import BadRowsError, InputError, UsageError
from finassay.records import STORED, SYSTEM_KINDS, SystemKind
from finassay.runs.importers._rows import tell_commits, tell_rows
from finassay.runs.importers._scorer_ids import outside_id
from finassay.runs.importers.guessing import guess_map
from finassay.runs.importers.mapping import ColumnMap, Kind
from finassay.runs.importers.report import SHOWN, FileReport, counted_noun
from finassay.runs.importers.sources import (
    BadRow,
    Batch,
    Format,
    Progress,
    Reading,
    Row,
    read_records,
)

IMPORTED_VERSION = "1"
"""Version of an imported scorer: we only copy what it said."""

_SAMPLE_ROWS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportOptions:
    """How tables are read and what their rows become.

    Attributes:
        name: display name of the one system in the file; else the system column or the file's stem.
        kind: what the systems are.
        mapping: parts whose columns are settled; the rest is guessed.
        encoding: a Python codec name.
        format: what the files are, where their endings do not say.
        delimiter: what separates fields, where the header does not say.
        strict: whether a bad row is an error.
        error_text: regular expression; a prediction in which it is found has finish "error".
        items_from_predictions: benchmark under which unknown items are made from the question and
            reference columns of prediction files.
        stored_scorer: scorer id for the verdict column of prediction files.
        source: name under which predictions and reported scores are filed, by which a later import
            replaces them; the file's name by default.
        replace: whether a verdict table may drop verdicts that the study holds and it does not.
        replace_redacted: whether rows that were redacted in the study are replaced; by default
            they stay as they are, and are counted.
        received: when the files came in, ISO 8601; kept with the run, and part of no id.
    """

    name: str | None = None
    kind: SystemKind = "model"
    mapping: ColumnMap | None = None
    encoding: str = "utf-8"
    format: Format | None = None
    delimiter: str | None = None
    strict: bool = False
    error_text: str | None = None
    items_from_predictions: str | None = None
    stored_scorer: str = STORED
    source: str | None = None
    replace: bool = False
    replace_redacted: bool = False
    received: str = ""

    def __post_init__(self) -> None:
        if self.kind not in SYSTEM_KINDS:
            raise UsageError(f"`kind` must be one of {SYSTEM_KINDS}, got {self.kind!r}")
        for part in ("name", "source", "items_from_predictions", "stored_scorer"):
            if getattr(self, part) == "":
                raise UsageError(f"`{part}` must not be empty, got ''")
        outside_id(self.stored_scorer)
        self.error_pattern()

    def error_pattern(self) -> re.Pattern[str] | None:
        """Return the compiled `error_text`, or None.

        Raises:
            UsageError: it is not a regular expression.
        """
        if self.error_text is None:
            return None
        try:
            return re.compile(self.error_text)
        except re.error as error:
            raise UsageError(
                f"`error_text` must be a regular expression, got {self.error_text!r}: {error}"
            ) from error

    def check_source(self, files: Sequence[Path]) -> None:
        """Raise if several files were to go under one source.

        Raises:
            UsageError: the second file would replace what came from the first.
        """
        if self.source is not None and len(files) > 1:
            raise UsageError(
                f"one source is one file, because a later import of a source replaces the earlier: "
                f"got {len(files)} files for source {self.source!r}; import them one at a time, or "
                f"let each go under its own name"
            )


class BadRows:
    """Collects the rows of a file that cannot be used: all counted, the first ones kept."""

    def __init__(self, most: int = SHOWN) -> None:
        self.most = most
        self.count = 0
        self.shown: list[BadRow] = []

    def add(self, row: BadRow) -> None:
        """Count one bad row."""
        self.count += 1
        if len(self.shown) < self.most:
            self.shown.append(row)

    def refuse(
        self,
        file: str,
        advice: str = "nothing was imported; correct them, or import without `--strict`",
    ) -> None:
        """Raise if there are any.

        Args:
            file: whose rows they are.
            advice: what was not done, and what to do.

        Raises:
            BadRowsError: lists the first ones.
        """
        if self.count:
            listed = "\n".join(f"  {row}" for row in self.shown)
            raise BadRowsError(
                f"{file}: {counted_noun(self.count, 'row')} cannot be used:\n{listed}\n{advice}"
            )


class UnreadableRowsError(InputError):
    """No row of a file can be read.

    Attributes:
        rows: the first ones, with the reasons.
        count: how many there are.
    """

    def __init__(self, message: str, bad: BadRows) -> None:
        super().__init__(message)
        self.rows = tuple(bad.shown)
        self.count = bad.count


def opening_batches(batches: Iterator[Batch], file: str, most_shown: int = SHOWN) -> list[Batch]:
    """Return the batches up to the first that holds a row, which tells what the columns are.

    Raises:
        UnreadableRowsError: no row of the file can be read; lists the first ones.
    """
    heads: list[Batch] = []
    bad = BadRows(most_shown)
    for batch in batches:
        heads.append(batch)
        if batch.rows:
            return heads
        for row in batch.bad:
            bad.add(row)
    listed = "\n".join(f"  {row}" for row in bad.shown[:SHOWN])
    raise UnreadableRowsError(
        f"{file}: none of its {bad.count} rows can be read:\n{listed}\ncorrect them, or say what "
        f"the file is with `finassay import --format` or `finassay import --delimiter`",
        bad,
    )


class TableReader:
    """One file under one mapping, read once from the beginning to the end."""

    def __init__(
        self,
        path: Path,
        kind: Kind,
        options: ImportOptions,
        progress: Progress | None = None,
        *,
        most_shown: int = SHOWN,
    ) -> None:
        """Open the file and settle which column is what.

        Raises:
            InputError: the file cannot be read, or no row of it can.
            MappingError: the columns are ambiguous or missing.
        """
        self.path = path
        self.kind = kind
        self.bad = BadRows(most_shown)
        self.rows_read = 0
        batches = read_records(
            path,
            encoding=options.encoding,
            format=options.format,
            delimiter=options.delimiter,
            progress=progress,
        )
        heads = opening_batches(batches, path.name, most_shown)
        first = heads[-1]
        given = options.mapping or ColumnMap()
        if options.name is not None:
            given = replace(given, system=(), without=(*given.without, "system"))
        self.columns = first.columns
        given.check(first.columns, where=path.name)
        self.mapping = guess_map(first.columns, first.rows[:_SAMPLE_ROWS], kind, given=given)
        self.reading: Reading = first.reading
        self._batches = itertools.chain(heads, batches)

    def require(self, *parts: str) -> None:
        """Raise unless each part has a column.

        Raises:
            MappingError: names the part that has none.
        """
        self.mapping.require(*parts, where=self.path.name, columns=self.columns)

    def batches(self) -> Iterator[Batch]:
        """Yield the batches, counting rows and keeping the bad ones apart."""
        for batch in self._batches:
            self.rows_read += len(batch.rows) + len(batch.bad)
            for row in batch.bad:
                self.bad.add(row)
            yield batch

    def rows(self) -> Iterator[Row]:
        """Yield the rows that could be read."""
        for batch in self.batches():
            yield from batch.rows

    def report(self) -> FileReport:
        """Return how the file was read."""
        return FileReport(
            file=self.path.name,
            kind=self.kind,
            mapping=self.mapping,
            columns=self.columns,
            reading=self.reading,
            rows_read=self.rows_read,
            bad=self.bad.count,
            bad_rows=tuple(self.bad.shown),
        )


def expand_paths(paths: str | Path | Sequence[str | Path]) -> tuple[Path, ...]:
    """Return the files that paths and patterns name, patterns in sorted order.

    Raises:
        InputError: a pattern fits no file, or a path is a directory.
        UsageError: no path was given, or two files have the same name.
    """
    given = [paths] if isinstance(paths, str | Path) else list(paths)
    found: list[Path] = []
    for path in given:
        found.extend(_expand(Path(path)))
    if not found:
        raise UsageError("expected at least one file to import, got none")
    names: dict[str, Path] = {}
    for path in dict.fromkeys(found):
        if path.name in names:
            raise UsageError(
                f"{path} and {names[path.name]} have the same name, by which a later import "
                f"replaces an earlier one; import them one at a time with `finassay import "
                f"--system NAME --source NAME`"
            )
        names[path.name] = path
    return tuple(names.values())


def _expand(path: Path) -> list[Path]:
    if path.is_dir():
        raise InputError(f"{path} is a directory, expected a file; name the files, as {path}/*.csv")
    if path.exists() or not glob.has_magic(str(path)):
        return [path]
    matches = sorted(Path(match) for match in glob.glob(str(path), recursive=True))  # noqa: PTH207
    if not matches:
        raise InputError(f"no file fits the pattern {str(path)!r}; check the path")
    return [match for match in matches if match.is_file()]


def summed_progress(paths: Sequence[Path], progress: Progress | None) -> Iterator[Progress | None]:
    """Yield, for each file in turn, a callback that reports bytes over all the files."""
    sizes = [path.stat().st_size if path.is_file() else 0 for path in paths]
    for index in range(len(paths)):
        if progress is None:
            yield None
        else:
            yield _Shifted(progress, sum(sizes[:index]), sum(sizes))


@dataclass(frozen=True, slots=True)
class _Shifted:
    """A progress over several files, of which some were read."""

    progress: Progress
    before: int
    total: int

    def __call__(self, done: int, _total: int | None) -> None:
        self.progress(self.before + done, self.total)

    def rows(self, count: int) -> None:
        tell_rows(self.progress, count)

    def commits(self, done: int, total: int) -> None:
        tell_commits(self.progress, done, total)
