"""Families of scorers to choose from.  In: a scorer and values of its fields.  Out: variants.

A family is one scorer with other values of some fields.  Its first member is the scorer as it was
asked for; the others stand in the order of how many fields they change, so that the simplest wins
a tie.
"""

from __future__ import annotations

import itertools
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Literal, cast, get_args, get_origin, get_type_hints

from finassay.errors import InputError, SpecError, UsageError
from finassay.scorers.base import Rule, Scorer
from finassay.scorers.composites import computable
from finassay.scorers.registry import Json, load_scorer, replayable_id, scorer_id_of

MOST = 400
"""Variants of one scorer beyond which fields are varied one at a time."""

MOST_DECLARED = 20_000
"""Variants that a declared grid may have."""

THRESHOLDS = tuple(round(0.05 * step, 2) for step in range(1, 20))
"""Thresholds that are tried where a scorer has one: 0.05, 0.10, ..., 0.95."""

Options = Mapping[str, tuple[Json, ...]]
"""Field of a scorer -> values to try."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """A scorer and its variants.

    Attributes:
        name: id of the scorer as it was asked for.
        scorers: the variants, the scorer itself first.
        is_peer: whether it only stands beside the candidates.
    """

    name: str
    scorers: tuple[Scorer, ...]
    is_peer: bool = False

    @property
    def ids(self) -> tuple[str, ...]:
        """Return the ids of the variants, with all their parameters however long they are."""
        return tuple(replayable_id(scorer) for scorer in self.scorers)


def family_of(scorer: Scorer, options: Options | None = None, *, is_peer: bool = False) -> Family:
    """Return a scorer with its variants over a grid of field values.

    Without options the grid is the scorer's own `calibration_grid`, else every value of its
    decision fields that are truth values or choices, and `THRESHOLDS` for a threshold.  A grid of
    more than `MOST` variants that nobody declared varies one field at a time.

    Raises:
        SpecError: the scorer has no such field, or refuses a value.
        UsageError: a declared grid is larger than `MOST_DECLARED`.
    """
    computable(scorer)
    declared = getattr(scorer, "calibration_grid", None) if options is None else options
    if declared is None:
        axes = _axes(scorer, default_options(scorer))
        chosen = _product(axes) if _size(axes) <= MOST else _star(axes)
    else:
        axes = _axes(scorer, declared)
        if _size(axes) > MOST_DECLARED:
            raise UsageError(
                f"the grid of {scorer_id_of(scorer)!r} has {_size(axes)} variants, expected at "
                f"most {MOST_DECLARED}; give fewer values"
            )
        chosen = _product(axes)
    ordered = sorted(chosen, key=len)
    made = [_changed(scorer, changes) for changes in ordered]
    distinct = {replayable_id(one): one for one in (scorer, *made)}
    return Family(name=replayable_id(scorer), scorers=tuple(distinct.values()), is_peer=is_peer)


def default_options(scorer: Scorer) -> Options:
    """Return the values of decision fields that can be told from their types."""
    if not isinstance(scorer, Rule):
        return {}
    hints = get_type_hints(type(scorer))
    found = {
        field.name: _values(field.name, hints[field.name])
        for field in fields(scorer)
        if field.name in scorer.decision_fields
    }
    return {name: values for name, values in found.items() if values}


def _values(name: str, hint: object) -> tuple[Json, ...]:
    if hint is bool:
        return (False, True)
    if get_origin(hint) is Literal:
        return get_args(hint)
    if name == "threshold":
        return THRESHOLDS
    return ()


Axis = tuple[str, tuple[Json, ...]]
Changes = tuple[tuple[str, Json], ...]


def _axes(scorer: Scorer, options: Options) -> list[Axis]:
    """Return the values of each field that differ from the scorer's own."""
    known = {field.name for field in fields(scorer)} if isinstance(scorer, Rule) else set()
    unknown = sorted(set(options) - known)
    if unknown:
        raise SpecError(
            f"{scorer.name!r} has no field {unknown[0]!r} to vary; it has "
            f"{', '.join(sorted(known)) or 'none'}"
        )
    return [
        (name, tuple(value for value in values if value != getattr(scorer, name)))
        for name, values in options.items()
    ]


def _size(axes: Sequence[Axis]) -> int:
    size = 1
    for _, values in axes:
        size *= len(values) + 1
    return size


def _product(axes: Sequence[Axis]) -> list[Changes]:
    """Return every combination of changes, the empty one among them."""
    kept: list[list[tuple[str, Json] | None]] = [
        [None, *((name, value) for value in values)] for name, values in axes
    ]
    return [
        tuple(change for change in changes if change is not None)
        for changes in itertools.product(*kept)
    ]


def _star(axes: Sequence[Axis]) -> list[Changes]:
    return [(), *(((name, value),) for name, values in axes for value in values)]


def _changed(scorer: Scorer, changes: Changes) -> Scorer:
    given = {name: tuple(v) if isinstance(v, list) else v for name, v in changes}
    try:
        return cast("Scorer", replace(cast("Rule[object]", scorer), **given))
    except TypeError as error:
        raise SpecError(f"{scorer.name!r} cannot take {given!r}: {error}") from error


def read_grid(path: str | Path) -> tuple[tuple[Scorer, Options], ...]:
    """Return what a TOML file says: scorer ids as tables, fields as keys, lists of values.

    A table without a key is a scorer that is taken as it is::

        [financial]
        percent_as_fraction = ["allow", "forbid"]

        ['token_f1[normaliser="words"]']
        threshold = [0.3, 0.4, 0.5]

    Raises:
        InputError: the file cannot be read or is no TOML.
        UsageError: it holds no scorer, or a field without a list of values.
        UnknownNameError: a scorer is not known.
    """
    where = Path(path)
    try:
        loaded = tomllib.loads(where.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"{where}: the grid cannot be read: {error}; name a TOML file in UTF-8"
        ) from error
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{where}: the grid is not TOML: {error}; correct that line") from error
    if not loaded:
        raise UsageError(f"{where}: the grid is empty; expected a table for each scorer")
    return tuple(
        (load_scorer(name), _declared(where, name, table)) for name, table in loaded.items()
    )


def _declared(path: Path, name: str, table: object) -> Options:
    if not isinstance(table, dict):
        raise UsageError(f"{path}: expected a table for the scorer {name!r}, got {table!r}")
    for field, values in table.items():
        if not isinstance(values, list) or not values:
            raise UsageError(
                f"{path}: `{field}` of {name!r} must be a list of values, got {values!r}"
            )
    return {field: tuple(values) for field, values in table.items()}
