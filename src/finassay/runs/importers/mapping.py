"""Which column is what.  In: column names and some rows.  Out: a map that can be shown and kept."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Literal, get_args

from finassay.errors import InputError, MappingError

Kind = Literal["items", "predictions", "verdicts", "reported"]
KINDS: tuple[Kind, ...] = get_args(Kind)


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnMap:
    """Which column plays which part; a part without a column is None or empty.

    Attributes:
        item_id: names the item.
        prediction: the system's answer, whole.
        reference: the accepted answer.
        correct: the source's own verdict.
        finish: what became of the reply.
        model: the model's name as asked or served; not part of the system's name.
        scorer: in a long verdict table, who marked.
        value: in a long verdict table, the verdict.
        row: in a reported table, the label of the row.
        system: columns that together name the system, joined by " / ".
        values: columns of verdicts (wide verdict table) or of numbers (reported table).
        contexts: passages of an item, each in a column of its own.
        documents: documents that an item stands on.
        strata: further groupings of items, kept under the column's name.
        contract: answer contracts as JSON objects; `contract_type` and so on are single fields.
        erratum: errata as JSON objects; `erratum_by` and so on are single fields.
        without: parts that no column shall play, whatever the names suggest.
    """

    item_id: str | None = None
    prediction: str | None = None
    trial: str | None = None
    reference: str | None = None
    question: str | None = None
    context: str | None = None
    task: str | None = None
    family: str | None = None
    difficulty: str | None = None
    language: str | None = None
    split: str | None = None
    choices: str | None = None
    alternatives: str | None = None
    contract_id: str | None = None
    contract: str | None = None
    contract_type: str | None = None
    contract_unit: str | None = None
    contract_scale: str | None = None
    contract_decimals: str | None = None
    contract_comparator: str | None = None
    contract_percent: str | None = None
    erratum: str | None = None
    erratum_old_reference: str | None = None
    erratum_by: str | None = None
    erratum_reason: str | None = None
    correct: str | None = None
    finish: str | None = None
    model: str | None = None
    scorer: str | None = None
    value: str | None = None
    row: str | None = None
    system: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    contexts: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    strata: tuple[str, ...] = ()
    without: tuple[str, ...] = ()

    @property
    def parts(self) -> tuple[tuple[str, str], ...]:
        """Return (part, column) for every column in use, in a fixed order."""
        pairs: list[tuple[str, str]] = []
        for name in ROLES:
            columns = getattr(self, name)
            if isinstance(columns, str):
                pairs.append((name, columns))
            elif columns is not None:
                pairs.extend((name, column) for column in columns)
        return tuple(pairs)

    @classmethod
    def from_pairs(cls, pairs: Iterable[tuple[str, str | Sequence[str]]]) -> ColumnMap:
        """Return the map that (part, column or columns) pairs say; "" leaves the part out.

        Raises:
            MappingError: there is no such part, or it takes one column and got several.
        """
        chosen: dict[str, Any] = {}
        without: list[str] = []
        for part, columns in pairs:
            _check_part(part)
            if not columns:
                without.append(part)
            elif part in LISTS:
                chosen[part] = (columns,) if isinstance(columns, str) else tuple(columns)
            elif isinstance(columns, str):
                chosen[part] = columns
            else:
                raise MappingError(f"`{part}` must be one column, got {list(columns)!r}")
        return replace(cls(without=tuple(without)), **chosen)

    def check(self, columns: Sequence[str], *, where: str = "the table") -> None:
        """Raise unless every column in use stands in the table.

        Raises:
            MappingError: names the part, the column and the nearest columns there are.
        """
        for part, column in self.parts:
            if column not in columns:
                near = difflib.get_close_matches(column, columns, n=3) or list(columns)
                raise MappingError(
                    f"{where}: `{part}` must be a column of the table, got {column!r}; "
                    f"there are {near!r}"
                )

    def require(self, *parts: str, where: str, columns: Sequence[str]) -> None:
        """Raise unless each of the parts has a column.

        Raises:
            MappingError: names the part that has none, and how to say it.
        """
        for part in parts:
            if not getattr(self, part):
                raise MappingError(
                    f"{where}: no column could be found for `{part}`; the columns are "
                    f"{list(columns)!r}; say which with `finassay import --map {part}=COLUMN` or "
                    f"in a mapping file"
                )

    def describe(self, columns: Sequence[str] = ()) -> str:
        """Return the map in one line, with the columns that are ignored."""
        used = [f"{part} <- {column}" for part, column in self.parts]
        taken = {column for _, column in self.parts}
        left = [column for column in columns if column not in taken]
        if left:
            used.append("ignored: " + ", ".join(left))
        return ", ".join(used)


ROLES: tuple[str, ...] = tuple(field.name for field in fields(ColumnMap) if field.name != "without")
LISTS: frozenset[str] = frozenset({"system", "values", "contexts", "documents", "strata"})


def _check_part(part: str) -> None:
    if part not in ROLES:
        near = difflib.get_close_matches(part, ROLES, n=3) or list(ROLES)
        raise MappingError(f"there is no part {part!r} in a mapping; did you mean one of {near!r}?")


def load_map(path: str | Path) -> ColumnMap:
    """Return the map in a TOML file, whose keys are parts and whose values are columns.

    A value is a column name, a list of names for the parts that take several, or "" for a part
    that no column shall play.

    Raises:
        InputError: the file cannot be read.
        MappingError: it is not TOML, or a key or a value cannot be used; names the key.
    """
    return ColumnMap.from_pairs(_pairs_in(Path(path)))


def read_map(texts: Sequence[str]) -> ColumnMap | None:
    """Return the map that words such as PART=COLUMN and names of TOML files say, None for none.

    Later words win over earlier ones; a part that takes several columns may be named repeatedly,
    and PART= leaves the part out.

    Raises:
        InputError: a file cannot be read.
        MappingError: a word is neither, or names no part, or several columns for one.
    """
    chosen: dict[str, str | list[str]] = {}
    named: dict[str, list[str]] = {}
    for text in texts:
        part, equals, column = text.partition("=")
        if equals and not Path(text).is_file():
            named.setdefault(part, []).append(column)
        else:
            chosen.update(_pairs_in(Path(text)))
    for part, columns in named.items():
        chosen[part] = columns if len(columns) > 1 else columns[0]
    return ColumnMap.from_pairs(chosen.items()) if texts else None


def _pairs_in(where: Path) -> list[tuple[str, str | list[str]]]:
    if where.exists() and not where.is_file():
        raise InputError(f"{where}: the mapping must be a regular TOML file; name another")
    try:
        text = where.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"{where}: the mapping file cannot be read: {error}; name a TOML file in UTF-8"
        ) from error
    try:
        table: dict[str, object] = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise MappingError(
            f"{where}: the mapping is not TOML: {error}; correct that line, or give PART=COLUMN"
        ) from error
    pairs: list[tuple[str, str | list[str]]] = []
    for key, value in table.items():
        if isinstance(value, str):
            pairs.append((key, value))
        elif isinstance(value, list) and all(isinstance(item, str) for item in value):
            pairs.append((key, [str(item) for item in value]))
        else:
            raise MappingError(
                f"{where}: key {key!r} must be a column name or a list of them, got {value!r}"
            )
    try:
        ColumnMap.from_pairs(pairs)
    except MappingError as error:
        raise MappingError(f"{where}: {error}") from error
    return pairs
