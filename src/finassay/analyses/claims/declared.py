"""The file of claims.  In: TOML.  Out: claims with their scope, checked key by key."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, dataclass, fields
from pathlib import Path
from typing import (
    TYPE_CHECKING,
    Literal,
    TypeAlias,
    TypeVar,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

from finassay.analyses.claims.between import BETWEEN_CLAIMS, BetweenClaim
from finassay.analyses.claims.kinds import RULE_CLAIMS, RuleClaim
from finassay.errors import InputError, UsageError

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

ANY_CAP = "none"
"""Cap of a system whose replies were not cut, in the table [caps]."""

SYSTEM_KEYS = ("a", "b", "system", "systems", "leave_out")
"""Keys that hold names of systems."""

Toml: TypeAlias = "str | int | float | bool | list[Toml] | dict[str, Toml]"

Made = TypeVar("Made", bound="DataclassInstance")

KINDS: dict[str, type[RuleClaim | BetweenClaim]] = {
    one.kind: one for one in (*RULE_CLAIMS, *BETWEEN_CLAIMS)
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """On what a claim is evaluated.

    Attributes:
        rules: names of rules, or "rules", "regimes", "grid" for all of a group; everything but
            printed columns when empty.
        families: families of items; all when empty.
        difficulties: difficulties of items; all when empty.
        below_cap: only items on which no reply of the systems ranked stands at its cap.
        systems: systems that are ranked together; every complete one when empty.
        leave_out: systems that are left out of them.
    """

    rules: tuple[str, ...] = ()
    families: tuple[str, ...] = ()
    difficulties: tuple[str, ...] = ()
    below_cap: bool = False
    systems: tuple[str, ...] = ()
    leave_out: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclaredClaim:
    """A claim as its file declares it.

    Attributes:
        number: place in the file, from 1.
        text: the claim in its author's words; its statement when the file gives none.
        source: where it was made.
        claim: what is decided.
        negated: whether the file denies it.
        scope: on what it is evaluated.
    """

    number: int
    text: str
    source: str
    claim: RuleClaim | BetweenClaim
    negated: bool
    scope: Scope


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimFile:
    """Claims with what they share.

    Attributes:
        path: the file.
        claims: in order.
        names: name that the claims use -> system of the study.
        caps: system -> cap in characters, None for a system that was not cut; systems that are
            not named have the cap that their lengths show.
        clusters: columns of items that make clusters, for tests over clusters.
    """

    path: str
    claims: tuple[DeclaredClaim, ...]
    names: Mapping[str, str]
    caps: Mapping[str, int | None]
    clusters: tuple[str, ...]


def read_claims(path: str | Path) -> ClaimFile:
    """Return the claims that a TOML file declares.

    Raises:
        InputError: the file cannot be read, is no TOML, or a key of it cannot be used; names the
            file, the claim and the key.
    """
    place = Path(path)
    try:
        loaded = tomllib.loads(place.read_bytes().decode("utf-8"))
    except OSError as error:
        raise InputError(f"cannot read {str(path)!r}: {error.strerror}; name a file") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: expected UTF-8, got {error}; save it as UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{path}: expected TOML, got {error}; correct that line") from error
    return _file(str(path), cast("dict[str, Toml]", loaded))


def _file(path: str, loaded: dict[str, Toml]) -> ClaimFile:
    place = _Place(path)
    place.only(loaded, ("names", "caps", "scope", "clusters", "claim"))
    names = {key: place.text(value, key) for key, value in place.table(loaded, "names").items()}
    shared = _renamed(place.table(loaded, "scope"), names)
    entries = loaded.get("claim", [])
    if not isinstance(entries, list) or not entries:
        raise InputError(f"{path}: expected at least one table [[claim]], got none; declare one")
    claims = []
    for number, entry in enumerate(entries, start=1):
        if not isinstance(entry, dict):
            raise InputError(f"{path}: expected `claim` to be tables [[claim]], got {entry!r}")
        claims.append(_claim(_Place(path, number), _renamed(entry, names), shared))
    return ClaimFile(
        path=path,
        claims=tuple(claims),
        names=names,
        caps={
            names.get(key, key): place.cap(value, key)
            for key, value in place.table(loaded, "caps").items()
        },
        clusters=place.texts(loaded.get("clusters", []), "clusters"),
    )


def _renamed(table: dict[str, Toml], names: Mapping[str, str]) -> dict[str, Toml]:
    """Return a table with the names of the study in place of those that the file declares."""

    def study_name(value: Toml) -> Toml:
        if isinstance(value, list):
            return [study_name(part) for part in value]
        return names.get(value, value) if isinstance(value, str) else value

    return {key: study_name(v) if key in SYSTEM_KEYS else v for key, v in table.items()}


def _claim(place: _Place, entry: dict[str, Toml], shared: dict[str, Toml]) -> DeclaredClaim:
    kind = entry.get("kind")
    made = KINDS.get(kind) if isinstance(kind, str) else None
    if made is None:
        raise place.wrong("kind", f"one of {', '.join(KINDS)}", kind, near=KINDS)
    own = {field.name for field in fields(made)}
    about = {field.name for field in fields(Scope)}
    place.only(entry, ("kind", "text", "source", "negated", *own, *about))
    place.only(shared, tuple(about))
    # A claim that names systems of its own does not inherit whom the others leave out.
    said = {name: value for name, value in entry.items() if name in about}
    scope = _made(place, Scope, {**shared, **said})
    claim = _made(place, made, {key: value for key, value in entry.items() if key in own})
    return DeclaredClaim(
        number=place.number or 0,
        text=place.text(entry.get("text", claim.statement()), "text"),
        source=place.text(entry.get("source", ""), "source"),
        claim=claim,
        negated=place.flag(entry.get("negated", False), "negated"),
        scope=scope,
    )


def _made(place: _Place, record: type[Made], given: Mapping[str, Toml]) -> Made:
    """Return a record from the keys of a table, every one checked against its field."""
    hints = get_type_hints(record)
    for field in fields(record):
        if field.name not in given and field.default is MISSING:
            raise place.wrong(field.name, _wanted(hints[field.name]), None)
    values = {key: place.value(value, hints[key], key) for key, value in given.items()}
    try:
        return record(**values)
    except UsageError as error:
        raise InputError(f"{place}: {error}") from error


def _wanted(hint: object) -> str:
    if get_origin(hint) is Literal:
        return f"one of {', '.join(map(str, get_args(hint)))}"
    names = {str: "text", int: "a whole number", float: "a number", bool: "true or false"}
    return names.get(cast("type", hint), "a list of texts")


@dataclass(frozen=True, slots=True)
class _Place:
    """Where in the file a value stands, and how it is read."""

    path: str
    number: int | None = None

    def __str__(self) -> str:
        return self.path if self.number is None else f"{self.path}, claim {self.number}"

    def wrong(
        self, key: str, expected: str, got: object, *, near: Iterable[str] = ()
    ) -> InputError:
        """Return the error about a key."""
        said = "no such key" if got is None else repr(got)
        close = difflib.get_close_matches(str(got), list(near), n=1, cutoff=0.5)
        hint = f"; did you mean {close[0]!r}?" if close else ""
        return InputError(f"{self}: key `{key}`: expected {expected}, got {said}{hint}")

    def only(self, given: Mapping[str, Toml], known: tuple[str, ...]) -> None:
        """Check that no key is unknown."""
        for key in given:
            if key not in known:
                close = difflib.get_close_matches(key, known, n=1, cutoff=0.5)
                hint = f"; did you mean `{close[0]}`?" if close else ""
                raise InputError(
                    f"{self}: unknown key `{key}`: expected one of {', '.join(known)}{hint}"
                )

    def table(self, given: Mapping[str, Toml], key: str) -> dict[str, Toml]:
        """Return a table, empty when it is not there."""
        found = given.get(key, {})
        if not isinstance(found, dict):
            raise self.wrong(key, f"a table [{key}]", found)
        return found

    def text(self, value: Toml, key: str) -> str:
        """Return a text."""
        if not isinstance(value, str):
            raise self.wrong(key, "text", value)
        return value

    def flag(self, value: Toml, key: str) -> bool:
        """Return a truth value."""
        if not isinstance(value, bool):
            raise self.wrong(key, "true or false", value)
        return value

    def texts(self, value: Toml, key: str) -> tuple[str, ...]:
        """Return a list of texts."""
        if not isinstance(value, list) or not all(isinstance(part, str) for part in value):
            raise self.wrong(key, "a list of texts", value)
        return tuple(str(part) for part in value)

    def cap(self, value: Toml, key: str) -> int | None:
        """Return a cap in characters; None for "none"."""
        if value == ANY_CAP:
            return None
        if isinstance(value, bool) or not isinstance(value, int) or value < 1:
            raise self.wrong(f"caps.{key}", f'characters from 1 on, or "{ANY_CAP}"', value)
        return value

    def value(self, value: Toml, hint: object, key: str) -> object:
        """Return a value of the type that a field has."""
        if hint is bool:
            return self.flag(value, key)
        if hint is str:
            return self.text(value, key)
        if hint is int or hint is float:
            return self.number_of(value, key, whole=hint is int)
        if get_origin(hint) is Literal:
            if value not in get_args(hint):
                raise self.wrong(key, _wanted(hint), value)
            return value
        return self.texts(value, key)

    def number_of(self, value: Toml, key: str, *, whole: bool) -> int | float:
        """Return a number, whole where the field is."""
        if isinstance(value, bool) or not isinstance(value, int if whole else int | float):
            raise self.wrong(key, "a whole number" if whole else "a number", value)
        return value if whole else float(value)
