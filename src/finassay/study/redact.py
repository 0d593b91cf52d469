"""Deletion for privacy.  In: a pattern or systems.  Out: a study whose text is really gone.

Texts are masked, verdict values stay.  Redacted rows are flagged and keep the digests of what they
were, so that copies and stale verdicts can still be told; a digest of a short text can be guessed
by trying, so drop the rows themselves where that matters.  Older versions of the tables are
removed with their files.  What judges were shown of a text, and what they replied, is masked with
it; so are, by pattern, the passages that open-book systems were asked with.  Redact while nobody
else writes: files of a writer at work go too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

import polars as pl

from finassay.errors import UsageError
from finassay.study.adjudication.draw_files import units_of
from finassay.study.adjudication.masking import mask_answers
from finassay.study.clean import leftovers
from finassay.study.labels import LabelStore
from finassay.study.nested import JUDGING, judging_study, prompts_showing
from finassay.study.retrieved import RETRIEVED, mask_found
from finassay.study.schemas import REDACTED, TABLES, TableSchema, table_schema
from finassay.study.snapshot import Snapshot
from finassay.study.study import LABELS_NAME, Study
from finassay.study.tables import live_files, open_table

Mask = Callable[[str], str]

DEFAULT_MASK = "[redacted]"

_SYSTEM_COLUMNS: Mapping[str, tuple[str, ...]] = {
    "predictions": ("system_id",),
    "verdicts": ("system_id",),
    "comparisons": ("left_system_id", "right_system_id"),
}

_PROMPT_TABLES = ("items", "predictions", "verdicts", "comparisons")
"""Tables of the study of what judges were asked that hold texts about single prompts."""

# A label is a category, kept when a system's words are dropped; but it may match a pattern.
_BY_PATTERN_ONLY: Mapping[str, tuple[str, ...]] = {"verdicts": ("label",)}


@dataclass(frozen=True, slots=True, kw_only=True)
class RedactReport:
    """What a redaction did.

    Attributes:
        rows: rows masked, by table; as judging/NAME in the study of what judges were asked, and as
            retrieved the passages of open-book runs.
        labels: revisions masked in the label store.
        files: files of older versions removed.
        keys_matching: rows whose key matches the pattern; keys are not masked, so rename or drop
            these.
    """

    rows: Mapping[str, int]
    labels: int
    files: int
    keys_matching: int

    def to_lines(self) -> list[str]:
        """Return what was done in plain lines."""
        masked = ", ".join(f"{name} {count}" for name, count in self.rows.items() if count)
        lines = [
            f"rows masked: {masked or 'none'}; labels: {self.labels}",
            f"files of older versions removed: {self.files}",
        ]
        if self.keys_matching:
            lines.append(
                f"{self.keys_matching} rows have a matching text in their key, which stays: "
                f"rename or drop them"
            )
        return lines


def redact(
    study: Study,
    *,
    pattern: str | None = None,
    systems: Sequence[str] | None = None,
    tables: Sequence[str] | None = None,
    mask: str = DEFAULT_MASK,
    labels_url: str | None = None,
) -> RedactReport:
    """Mask text in a study for good, and return how much.

    Args:
        study: nobody else may write to it meanwhile.
        pattern: regular expression (Python's `re`); matches become `mask`.  Without it, whole
            texts of the systems become "".
        systems: display names or ids; only their predictions, verdicts, comparisons and labels
            are masked.  Without it, every table is.
        tables: only these tables; all that hold text by default.
        mask: what stands in place of a match.
        labels_url: database of the label store; the study's own SQLite file by default.

    Raises:
        UsageError: neither pattern nor systems are given, or the pattern cannot be used.
        UnknownNameError: there is no such system or table.
        ConflictError: another writer kept committing first, or holds the label store.
        StudyError: passages of an open-book run are damaged.
    """
    change = _mask(pattern, systems, mask)
    snapshot = study.snapshot()
    ids = None if systems is None else [snapshot.resolve_system(name) for name in systems]
    by_pattern = pattern is not None
    outer = _Change(change, by_pattern, ids)
    scopes = [(study, "", outer, _tables_in_scope(tables, ids))]
    inner = judging_study(study)
    if inner is not None:
        shown = None if ids is None else prompts_showing(inner.snapshot(), ids)
        names = _tables_in_scope(tables, None)
        own = [name for name in names if shown is None or name in _PROMPT_TABLES]
        scopes.append((inner, f"{JUDGING}/", _Change(change, by_pattern, None, shown), own))
    # First, because it may refuse: a damaged file is told before anything has changed.
    passages = mask_found(study, change, systems=ids) if by_pattern and tables is None else 0
    rows = {
        f"{prefix}{name}": _redact_table(where, where.snapshot(), TABLES[name], one)
        for where, prefix, one, names in scopes
        for name in names
    } | {RETRIEVED: passages}
    return RedactReport(
        rows={name: n for name, n in rows.items() if n},
        labels=_redact_labels(study, labels_url, change, ids, labels_too=by_pattern),
        files=sum(_purge(where, name) for where, _, _, names in scopes for name in names),
        keys_matching=sum(
            _keys_matching(where.snapshot(), pattern, names) for where, _, _, names in scopes
        ),
    )


@dataclass(frozen=True, slots=True)
class _Change:
    """How a text is masked, and in which rows: of all, of some systems, or of some prompts."""

    mask: Mask
    by_pattern: bool
    systems: Sequence[str] | None
    prompts: Sequence[str] | None = None

    def columns(self, schema: TableSchema) -> tuple[str, ...]:
        extra = _BY_PATTERN_ONLY.get(schema.name, ()) if self.by_pattern else ()
        return (*schema.text_columns, *extra)

    def concerns(self, schema: TableSchema) -> pl.Expr:
        if self.prompts is not None:
            return pl.col("item_id").is_in(list(self.prompts))
        if self.systems is None:
            return pl.lit(value=True)
        columns = _SYSTEM_COLUMNS[schema.name]
        return pl.any_horizontal(pl.col(name).is_in(list(self.systems)) for name in columns)


def _mask(pattern: str | None, systems: Sequence[str] | None, mask: str) -> Mask:
    if pattern is None:
        if not systems:
            raise UsageError("redaction needs a pattern or systems, got neither; give one")
        return lambda _: ""
    try:
        compiled = re.compile(pattern)
    except re.error as error:
        raise UsageError(
            f"`pattern` is not a regular expression, got {pattern!r}: {error}; escape what is "
            f"meant literally"
        ) from error
    if compiled.search(""):
        raise UsageError(f"`pattern` must not match the empty text, got {pattern!r}; tighten it")
    return lambda text: compiled.sub(lambda _: mask, text)


def _tables_in_scope(tables: Sequence[str] | None, ids: Sequence[str] | None) -> list[str]:
    for name in tables or ():
        table_schema(name)
    return [
        name
        for name, schema in TABLES.items()
        if schema.text_columns
        and (tables is None or name in tables)
        and (ids is None or name in _SYSTEM_COLUMNS)
    ]


def _masked(cells: Iterable[object], mask: Mask) -> list[object]:
    return [
        [mask(text) if text else text for text in cast("list[str | None]", cell)]
        if isinstance(cell, list)
        else mask(cast("str", cell))
        if cell
        else cell
        for cell in cells
    ]


def _redact_rows(frame: pl.DataFrame, schema: TableSchema, change: _Change) -> pl.DataFrame:
    """Return the rows with their text masked; those that changed are flagged."""
    concerned = frame.select(change.concerns(schema).alias("c")).to_series()
    masked = frame.with_columns(
        pl.Series(name, _masked(frame[name].to_list(), change.mask), dtype=schema.columns[name])
        for name in change.columns(schema)
    )
    differs = pl.any_horizontal(
        pl.col(name).ne_missing(frame[name]) for name in change.columns(schema)
    )
    changed = masked.select((differs & concerned).alias("c")).to_series()
    if "flags" in schema.columns:
        flags = pl.col("flags").fill_null([]).list.set_union([REDACTED])
        masked = masked.with_columns(flags.alias("flags"))
    return frame.with_columns(
        pl.when(changed).then(masked[name]).otherwise(frame[name]).alias(name)
        for name in schema.columns
    )


def _redact_table(study: Study, snapshot: Snapshot, schema: TableSchema, change: _Change) -> int:
    found = snapshot.scan(schema.name).select(list(schema.partition)).unique().collect()
    total = 0
    for partition in found.sort(list(schema.partition)).iter_rows(named=True):
        counts: list[int] = []

        def rewrite(rows: pl.DataFrame, counts: list[int] = counts) -> pl.DataFrame:
            masked = _redact_rows(rows, schema, change)
            counts.append(_differing(rows, masked))
            return masked

        study.rewrite(schema.name, partition, rewrite)
        total += counts[-1]
    return total


def _differing(before: pl.DataFrame, after: pl.DataFrame) -> int:
    columns = before.columns
    differs = pl.any_horizontal(pl.col(name).ne_missing(before[name]) for name in columns)
    return int(after.select(differs.sum()).item()) if columns and before.height else 0


def _redact_labels(
    study: Study,
    url: str | None,
    mask: Mask,
    ids: Sequence[str] | None,
    *,
    labels_too: bool,
) -> int:
    if url is None and not (study.root / LABELS_NAME).exists():
        return 0
    with LabelStore.of(study, url=url) as store:
        answers = mask_answers(store, mask, None if ids is None else units_of(study, ids))
        return answers + store.mask(mask, systems=ids, labels_too=labels_too)


def _purge(study: Study, name: str) -> int:
    """Remove every file of a table that its latest version does not need."""
    folder = study.root / name
    live = live_files(open_table(study.root, name), folder).keys()
    gone = list(leftovers(folder, live))
    for path in gone:
        path.unlink()
    for path in study.root.glob("*.tmp"):
        path.unlink()
    return len(gone)


def _keys_matching(snapshot: Snapshot, pattern: str | None, names: Sequence[str]) -> int:
    if pattern is None:
        return 0
    compiled = re.compile(pattern)
    total = 0
    for name in names:
        keys = [key for key in TABLES[name].key if TABLES[name].columns[key] == pl.String()]
        for row in snapshot.scan(name).select(keys).collect().iter_rows():
            total += any(compiled.search(key) for key in row)
    return total
