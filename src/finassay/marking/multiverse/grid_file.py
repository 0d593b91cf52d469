"""Grids in TOML files.  In: a path or a name.  Out: a grid, or an error that names the line."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import cast

from finassay.errors import InputError, SpecError, UnknownNameError, UsageError
from finassay.marking.multiverse.dimensions import Choice, Dimension, Forbidden, Task, Value, Where
from finassay.marking.multiverse.grid import Grid
from finassay.records import Unscored

BUILT_IN = ("qa", "labels")
"""Names of the grids that ship."""

_GRID_KEYS = ("name", "task", "scorer", "unscored", "dimension", "forbidden")
_DIMENSION_KEYS = ("name", "title", "parameter", "choices", "base", "weights", "applies")
_FORBIDDEN_KEYS = ("where", "why")
_CHOICE_KEYS = ("name", "value", "weight")


def built_in_grid(name: str) -> Grid:
    """Return a grid that ships with the package.

    Raises:
        UnknownNameError: there is no grid of that name.
    """
    if name not in BUILT_IN:
        raise UnknownNameError(f"no grid {name!r} ships; there are: {', '.join(BUILT_IN)}")
    return parse_grid(built_in_text(name), where=f"the grid {name!r}")


def built_in_text(name: str) -> str:
    """Return the TOML of a grid that ships."""
    folder = files("finassay.marking.multiverse") / "grids"
    return (folder / f"{name}.toml").read_text(encoding="utf-8")


def read_grid(path: Path) -> Grid:
    """Return the grid of a TOML file (docs/reference/grid-file.md).

    Raises:
        InputError: it cannot be read, a key is missing, unknown or of the wrong kind, or the grid
            contradicts itself; the message names the line.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}; name a grid file") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: expected UTF-8, got {error}; save it as UTF-8") from error
    return parse_grid(text, where=str(path))


def parse_grid(text: str, *, where: str) -> Grid:
    """Return the grid that a TOML text declares.

    Args:
        text: the TOML.
        where: what to call the text in errors.

    Raises:
        InputError: as `read_grid`.
    """
    try:
        read = tomllib.loads(text)
        return _grid(read)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{where}: this is no TOML: {error}; correct that line") from error
    except UsageError as error:
        raise InputError(f"{where}{_line(text, str(error))}: {error}") from error


def _line(text: str, message: str) -> str:
    """Return ", line N" of the block that a message is about; "" where it is about none."""
    named = re.match(r"(dimension|forbidden) (\d+)", message)
    if named is None:
        return ""
    heads = [
        number
        for number, line in enumerate(text.splitlines(), start=1)
        if re.match(rf"\s*\[\[\s*{named[1]}\s*\]\]", line)
    ]
    at = int(named[2]) - 1
    return f", line {heads[at]}" if at < len(heads) else ""


def _grid(read: Mapping[str, object]) -> Grid:
    _known("the grid", read, _GRID_KEYS)
    return Grid(
        name=_text("the grid", read, "name"),
        task=cast("Task", _text("the grid", read, "task")),
        scorer=_text("the grid", read, "scorer", default="rule"),
        unscored=cast("Unscored", _text("the grid", read, "unscored", default="wrong")),
        dimensions=tuple(
            _dimension(at, table) for at, table in enumerate(_tables(read, "dimension"))
        ),
        forbidden=tuple(
            _forbidden(at, table) for at, table in enumerate(_tables(read, "forbidden"))
        ),
    )


def _dimension(at: int, read: Mapping[str, object]) -> Dimension:
    name = read.get("name")
    where = f"dimension {at + 1} ({name!r})"
    _known(where, read, _DIMENSION_KEYS)
    listed = read.get("choices")
    if not isinstance(listed, list) or not listed:
        raise SpecError(f"{where}: `choices` must be a list of at least one choice, got {listed!r}")
    weights = read.get("weights", [1.0] * len(listed))
    if not isinstance(weights, list) or len(weights) != len(listed):
        raise SpecError(
            f"{where}: `weights` must list one number for each of the {len(listed)} choices, got "
            f"{weights!r}"
        )
    choices = tuple(
        _choice(where, one, weight) for one, weight in zip(listed, weights, strict=True)
    )
    base = read.get("base")
    return Dimension(
        name=_text(where, read, "name"),
        title=_text(where, read, "title", default=""),
        parameter=_text(where, read, "parameter", default=""),
        choices=choices,
        base=choices[0].name if base is None else _name_of(_value(where, base)),
        applies=_where(f"{where}: `applies`", read.get("applies", {})),
    )


def _choice(where: str, one: object, weight: object) -> Choice:
    given: object = weight
    if isinstance(one, dict):
        _known(f"{where}: a choice", one, _CHOICE_KEYS)
        if "value" not in one:
            raise SpecError(f"{where}: a choice in braces needs a `value`, got {one!r}")
        given = one.get("weight", weight)
        value = _value(where, one["value"])
        name = _text(f"{where}: a choice", one, "name", default=_name_of(value))
    else:
        value = _value(where, one)
        name = _name_of(value)
    if isinstance(given, bool) or not isinstance(given, (int, float)):
        raise SpecError(f"{where}: the weight of {name!r} must be a number, got {given!r}")
    return Choice(name=name, value=value, weight=float(given))


def _value(where: str, value: object) -> Value:
    if isinstance(value, list) and all(isinstance(part, str) for part in value):
        return tuple(value)
    if isinstance(value, (str, int, float, bool)):
        return value
    raise SpecError(
        f"{where}: a choice must be a text, a number, true or false, a list of texts, or a table "
        f"with `value`; got {value!r}"
    )


def _name_of(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return ", ".join(value)
    return value if isinstance(value, str) else f"{value:g}"


def _forbidden(at: int, read: Mapping[str, object]) -> Forbidden:
    where = f"forbidden {at + 1}"
    _known(where, read, _FORBIDDEN_KEYS)
    return Forbidden(
        where=_where(f"{where}: `where`", read.get("where")),
        why=_text(where, read, "why", default=""),
    )


def _where(where: str, read: object) -> Where:
    if not isinstance(read, dict):
        raise SpecError(
            f'{where} must be a table such as {{ matcher = ["token_set"] }}, got {read!r}'
        )
    return tuple(
        (name, tuple(_name_of(_value(where, one)) for one in _listed(allowed)))
        for name, allowed in read.items()
    )


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else [value]


def _known(where: str, read: Mapping[str, object], keys: tuple[str, ...]) -> None:
    unknown = [key for key in read if key not in keys]
    if unknown:
        raise SpecError(f"{where}: the key {unknown[0]!r} is unknown; keys are {', '.join(keys)}")


def _text(where: str, read: Mapping[str, object], key: str, *, default: str | None = None) -> str:
    value = read.get(key, default)
    if not isinstance(value, str) or (default is None and not value):
        got = "it is missing" if value is None else f"got {value!r}"
        raise SpecError(f"{where}: `{key}` must be a text, {got}")
    return value


def _tables(read: Mapping[str, object], key: str) -> list[Mapping[str, object]]:
    found = read.get(key, [])
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise SpecError(f"the grid: `{key}` must be tables under [[{key}]], got {found!r}")
    return found
