"""Scorers by name.  In: a name, an id or a spec.  Out: a scorer; and back.

A scorer id is readable and unique: the name alone with default parameters, else the changed ones
in brackets as JSON values, as in `strict/numbers-first[threshold=0.8]`.  Scorers enter through the
entry-point group `finassay.scorers`, the built-in ones too; they are loaded when asked for.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import TypeAlias

from finassay.errors import SpecError, UnknownNameError
from finassay.records import (
    IMPORTED_PREFIX,
    JUDGE_PREFIX,
    PERSON_PREFIX,
    STORED,
    content_id,
)
from finassay.scorers.base import Scorer
from finassay.scorers.composites import Composite, Imported

GROUP = "finassay.scorers"
IMPORTED_PREFIXES = (JUDGE_PREFIX, PERSON_PREFIX, IMPORTED_PREFIX)
IMPORTED_NAMES = (STORED,)
JUDGE_READER = f"{JUDGE_PREFIX}verdict"
"""The one scorer under the judges' prefix that is computed: it reads a judge's reply."""

LONGEST_ID = 120
"""A longer id becomes the name with a digest of the parameters: folder names are limited."""

Json: TypeAlias = "str | int | float | bool | list[Json] | dict[str, Json] | None"


@cache
def _entry_points() -> Mapping[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=GROUP)}


def scorer_names() -> tuple[str, ...]:
    """Return the names of all installed scorers, sorted."""
    return tuple(sorted(_entry_points()))


def scorer_class(name: str) -> type[Scorer]:
    """Return the class registered under a name.

    Raises:
        UnknownNameError: nothing is registered, or what is cannot be imported.
    """
    point = _entry_points().get(name)
    if point is None:
        raise UnknownNameError(f"no scorer {name!r}{_did_you_mean(name)}; see `finassay scorers`")
    try:
        loaded: type[Scorer] = point.load()
    except (ImportError, AttributeError) as error:
        raise UnknownNameError(
            f"the scorer {name!r} is registered as {point.value!r} but cannot be loaded: {error}; "
            f"reinstall or remove the package that registers it"
        ) from error
    return loaded


def _did_you_mean(name: str) -> str:
    near = difflib.get_close_matches(name, (*scorer_names(), *IMPORTED_NAMES), n=3)
    return f"; did you mean {' or '.join(near)}?" if near else ""


def is_imported(name: str) -> bool:
    """Whether verdicts under this name come from outside and cannot be computed."""
    if name.partition("[")[0] == JUDGE_READER:
        return False
    return name in IMPORTED_NAMES or name.startswith(IMPORTED_PREFIXES)


def load_scorer(scorer_id: str) -> Scorer:
    """Return the scorer of an id such as `exact[normaliser="casefold"]`.

    Raises:
        UnknownNameError: no scorer of that name.
        SpecError: the brackets cannot be read, or a parameter is unknown or out of range.
    """
    name, bracket, inside = scorer_id.strip().partition("[")
    if bracket and not inside.endswith("]"):
        raise SpecError(
            f"the scorer id {scorer_id!r} opens a bracket that it does not close"
            "; write name[parameter=VALUE], quoted in a shell"
        )
    if inside.startswith("#"):
        raise SpecError(
            f"the scorer id {scorer_id!r} holds a digest of its parameters, not the parameters; "
            f"build the scorer from its stored spec, or write name[parameter=VALUE]"
        )
    return _build(name, _read_parameters(scorer_id, inside[:-1]))


def shortened(text: str) -> str:
    """Return a text as it stands in a message: quoted, and cut when it is long."""
    return repr(text) if len(text) <= LONGEST_ID else f"{text[:LONGEST_ID]!r}..."


def _read_parameters(scorer_id: str, text: str) -> dict[str, Json]:
    decoder = json.JSONDecoder()
    parameters: dict[str, Json] = {}
    while text:
        key, _, rest = text.partition("=")
        try:
            value, end = decoder.raw_decode(rest.lstrip())
        except (ValueError, RecursionError) as error:
            raise SpecError(
                f"cannot read {shortened(text)} in the scorer id {shortened(scorer_id)}: expected "
                f'name=VALUE with a JSON value, for instance threshold=0.8 or normaliser="casefold"'
            ) from error
        if key.strip() in parameters:
            raise SpecError(
                f"the scorer id {scorer_id!r} gives {key.strip()!r} twice; give it once"
            )
        parameters[key.strip()] = value
        text = rest.lstrip()[end:].lstrip()
        if text and not text.startswith(","):
            raise SpecError(
                f"expected a comma before {text!r} in the scorer id {scorer_id!r}"
                "; write name[a=1,b=2]"
            )
        text = text[1:].lstrip()
    return parameters


def _build(name: str, parameters: Mapping[str, Json]) -> Scorer:
    if is_imported(name):
        if parameters:
            raise SpecError(
                f"the imported scorer {name!r} takes no parameters, got {parameters!r}"
                "; leave the brackets out"
            )
        return Imported(name=name)
    found = scorer_class(name)
    known = set(_field_names(found))
    unknown = sorted(set(parameters) - known)
    if unknown:
        raise SpecError(
            f"the scorer {name!r} has no parameter {', '.join(unknown)}; "
            f"it takes {', '.join(sorted(known)) or 'none'}"
        )
    missing = sorted(_required(found) - set(parameters))
    if missing:
        raise SpecError(
            f"the scorer {name!r} cannot be built without {', '.join(missing)}; "
            f"give it as {name}[{missing[0]}=VALUE], VALUE in JSON"
        )
    try:
        return found(**{key: _from_json(key, value) for key, value in parameters.items()})
    except TypeError as error:
        raise SpecError(
            f"the scorer {name!r} cannot be built: {error}"
            "; see its parameters in `finassay scorers`"
        ) from error


def _field_names(owner: object) -> tuple[str, ...]:
    return tuple(f.name for f in fields(owner)) if is_dataclass(owner) else ()


def _required(owner: object) -> set[str]:
    if not is_dataclass(owner):
        return set()
    return {f.name for f in fields(owner) if f.default is MISSING and f.default_factory is MISSING}


def _from_json(key: str, value: Json) -> object:
    if key == "parts":
        if not isinstance(value, list):
            raise SpecError(f"`parts` must be a list of scorers, got {value!r}")
        return tuple(
            load_scorer(part) if isinstance(part, str) else from_spec(part) for part in value
        )
    return tuple(value) if isinstance(value, list) else value


def _to_json(value: object) -> Json:
    if isinstance(value, tuple):
        return [_to_json(part) for part in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)  # 1 and 1.0 are equal parameters and must give one id
    if value is None or isinstance(value, (str, int, float, bool)):
        return value
    if isinstance(value, Scorer):  # last: a check against a protocol is slow
        return scorer_id_of(value)
    raise SpecError(f"a scorer parameter must be text, number, truth value or list, got {value!r}")


def _parameters(scorer: Scorer, *, changed_only: bool) -> dict[str, Json]:
    names = () if isinstance(scorer, Imported) else _field_names(scorer)
    defaults = _defaults(scorer)
    values = {name: getattr(scorer, name) for name in names}
    return {
        name: _to_json(value)
        for name, value in values.items()
        if not changed_only or name not in defaults or value != defaults[name]
    }


def _defaults(owner: object) -> dict[str, object]:
    if not is_dataclass(owner):
        return {}
    return {f.name: f.default for f in fields(owner) if f.default is not MISSING}


def scorer_id_of(scorer: Scorer) -> str:
    """Return the id of a scorer: readable, and equal exactly when name and parameters are."""
    changed = _parameters(scorer, changed_only=True)
    if not changed:
        return scorer.name
    inside = ",".join(
        f"{key}={json.dumps(value, ensure_ascii=False)}" for key, value in changed.items()
    )
    full = f"{scorer.name}[{inside}]"
    return full if len(full) <= LONGEST_ID else f"{scorer.name}[#{content_id(inside)}]"


def replayable_id(scorer: Scorer) -> str:
    """Return the id of a scorer with all its changed parameters, however long it is.

    `load_scorer` builds an equal scorer from it, which it cannot from a shortened id.
    """
    changed = _parameters(scorer, changed_only=True)
    if isinstance(scorer, Composite):
        changed["parts"] = [replayable_id(part) for part in scorer.parts]
    inside = ",".join(
        f"{key}={json.dumps(value, ensure_ascii=False)}" for key, value in changed.items()
    )
    return f"{scorer.name}[{inside}]" if inside else scorer.name


def to_spec(scorer: Scorer) -> str:
    """Return the JSON from which `from_spec` builds an equal scorer."""
    parts: dict[str, Json] = {"name": scorer.name, "version": scorer.version}
    parameters = _parameters(scorer, changed_only=False)
    if isinstance(scorer, Composite):
        parameters["parts"] = [json.loads(to_spec(part)) for part in scorer.parts]
    parts["parameters"] = parameters
    return json.dumps(parts, sort_keys=True, ensure_ascii=False)


SPEC_KEYS = frozenset({"name", "version", "parameters", "calibration"})
"""Keys of a spec; `calibration` says how it came about and changes no verdict."""


def from_spec(spec: str | Json) -> Scorer:
    """Return the scorer that a spec describes.

    Raises:
        SpecError: the spec cannot be read, has a key that no spec has, or was written for another
            version of the scorer.
    """
    read = _read_json(spec) if isinstance(spec, str) else spec
    if not isinstance(read, dict) or not isinstance(read.get("name"), str):
        raise SpecError(
            f"a scorer spec is a JSON object with a name, got {spec!r}"
            "; give what `finassay calibrate --write-spec` wrote"
        )
    unknown = sorted(set(read) - SPEC_KEYS)
    if unknown:
        raise SpecError(
            f"a scorer spec has the keys {', '.join(sorted(SPEC_KEYS))}, got {unknown[0]!r}; "
            f"correct or remove it"
        )
    parameters = read.get("parameters", {})
    if not isinstance(parameters, dict):
        raise SpecError(f"`parameters` of a scorer spec must be an object, got {parameters!r}")
    scorer = _build(str(read["name"]), parameters)
    if read.get("version", scorer.version) != scorer.version:
        raise SpecError(
            f"the spec is for version {read['version']!r} of {scorer.name!r}, this install has "
            f"version {scorer.version!r}; install the release that the verdicts were made with"
        )
    return scorer


def _read_json(spec: str) -> Json:
    try:
        read: Json = json.loads(spec)
    except (ValueError, RecursionError) as error:
        raise SpecError(
            f"a scorer spec is a JSON object with a name, got {shortened(spec)}: {error}"
            "; give what `finassay calibrate --write-spec` wrote"
        ) from error
    return read
