"""Our words around what is judged.  In: a variant, a task, texts.  Out: the messages of a prompt.

The words stand in `wordings/A.toml` and `wordings/B.toml`, whose heads say how they are read.
What is quoted is filled in once and never looked at again, so that no text can open a place.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import groupby
from typing import Literal, NamedTuple, TypeVar, get_args

from finassay.errors import InputError
from finassay.judges.identity import TASKS, TOLERANCES, PromptVariant, Task, Tolerance
from finassay.records import content_id
from finassay.runs.prompts import Turn

Role = Literal["system", "user"]
Condition = Literal[
    "reference",
    "no reference",
    "one reference",
    "several references",
    "first",
    "later",
    "passages",
    "exact",
    "0.1%",
    "1%",
]

CONDITIONS: tuple[Condition, ...] = get_args(Condition)

_ROLES: tuple[Role, ...] = get_args(Role)
_PLACE = re.compile(r"\{([a-z_]+)\}")
_PAST = "past"
_NameT = TypeVar("_NameT", bound=str)
_BLOCK_KEYS = frozenset({"role", "tasks", "when", "each", "text"})


class Area(NamedTuple):
    """A quoted text, and what the marks around it call it."""

    name: str
    text: str


Places = Mapping[str, Sequence[Area]]
"""Quoted texts for each place of the wording."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Filling:
    """What is filled into a wording.

    Attributes:
        conditions: what holds of this prompt.
        turn: which turn is graded.
        places: the quoted texts of the graded turn.
        past: those of each turn before it, in order.
    """

    conditions: frozenset[Condition]
    turn: int
    places: Places
    past: tuple[Places, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A paragraph of ours and when it is said."""

    role: Role
    text: str
    tasks: tuple[Task, ...]
    when: frozenset[Condition]
    is_past: bool

    def may_stand(self, task: Task, excluded: frozenset[Condition]) -> bool:
        """Return whether it may stand in a prompt of a task in which some conditions never hold."""
        return task in self.tasks and not self.when & excluded


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """One variant of our words.

    Attributes:
        open: the mark before a quoted text.
        close: the mark after it.
        missing: what stands where there is nothing to quote.
        blocks: the paragraphs, in order.
    """

    open: str
    close: str
    missing: str
    blocks: tuple[Block, ...]

    def messages(self, task: Task, filling: Filling, *, code: str) -> tuple[Turn, ...]:
        """Return the messages of a prompt; a role of which nothing is said has no message."""
        said: dict[Role, list[str]] = {role: [] for role in _ROLES}
        spoken = [b for b in self.blocks if task in b.tasks and b.when <= filling.conditions]
        for is_past, group in groupby(spoken, key=lambda block: block.is_past):
            blocks = tuple(group)
            if not is_past:
                for block in blocks:
                    said[block.role].append(self._say(block, filling.turn, filling.places, code))
                continue
            for turn, places in enumerate(filling.past, start=1):
                for block in blocks:
                    said[block.role].append(self._say(block, turn, places, code))
        return tuple(Turn(role=role, text="\n\n".join(said[role])) for role in _ROLES if said[role])

    def marks(self, area: str, code: str) -> tuple[str, str]:
        """Return the marks before and after a quoted text."""
        return (
            self.open.replace("{area}", area).replace("{code}", code),
            self.close.replace("{area}", area).replace("{code}", code),
        )

    def _say(self, block: Block, turn: int, places: Places, code: str) -> str:
        def fill(found: re.Match[str]) -> str:
            if found[1] == "code":
                return code
            if found[1] == "turn":
                return str(turn)
            return self._quoted(places[found[1]], code)

        return _PLACE.sub(fill, block.text)

    def _quoted(self, areas: Sequence[Area], code: str) -> str:
        if not areas:
            return self.missing
        parts: list[str] = []
        for area in areas:
            before, after = self.marks(area.name, code)
            parts += [before, area.text, after]
        return "\n".join(parts)


@cache
def wording_of(variant: PromptVariant) -> Wording:
    """Return the words of a variant.

    Raises:
        InputError: the installation lacks the file, or it is damaged.
    """
    where = f"{variant}.toml"
    try:
        text = (files("finassay.judges") / "wordings" / where).read_text(encoding="utf-8")
    except (FileNotFoundError, UnicodeDecodeError) as error:
        raise InputError(
            f"{where}: a data file of the package that should be readable text is not ({error}); "
            f"install finassay again"
        ) from error
    return parse_wording(text, where)


def parse_wording(text: str, where: str) -> Wording:
    """Return the wording that a file holds.

    Raises:
        InputError: the file is no TOML, or a block lacks a key, or has an unknown one or value.
    """
    try:
        told = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{where}: expected TOML ({error}); mend the file") from error
    blocks = told.get("block")
    if not isinstance(blocks, list) or not blocks:
        raise InputError(f"{where}: expected blocks of words ([[block]]), got {blocks!r}")
    return Wording(
        open=_text_at(told, "open", where),
        close=_text_at(told, "close", where),
        missing=_text_at(told, "missing", where),
        blocks=tuple(
            _block(one, f"{where}, block {place}") for place, one in enumerate(blocks, start=1)
        ),
    )


def _text_at(told: Mapping[str, object], key: str, where: str) -> str:
    value = told.get(key)
    if not isinstance(value, str) or not value.strip():
        raise InputError(f"{where}: `{key}` must be a text, got {value!r}")
    return value.strip("\n")


def _block(told: Mapping[str, object], where: str) -> Block:
    unknown = sorted(told.keys() - _BLOCK_KEYS)
    if unknown:
        raise InputError(f"{where}: unknown keys {unknown}; expected {sorted(_BLOCK_KEYS)}")
    role = next((one for one in _ROLES if one == told.get("role")), None)
    each = told.get("each", "")
    if role is None or each not in ("", _PAST):
        raise InputError(
            f"{where}: `role` must be one of {_ROLES} and `each` {_PAST!r} or left out, got "
            f"{told.get('role')!r} and {each!r}"
        )
    return Block(
        role=role,
        text=_text_at(told, "text", where),
        tasks=_listed(told, "tasks", TASKS, where) or TASKS,
        when=frozenset(_listed(told, "when", CONDITIONS, where)),
        is_past=each == _PAST,
    )


def _listed(
    told: Mapping[str, object], key: str, known: tuple[_NameT, ...], where: str
) -> tuple[_NameT, ...]:
    value = told.get(key, [])
    if not isinstance(value, list) or any(one not in known for one in value):
        raise InputError(f"{where}: `{key}` must list some of {known}, got {value!r}")
    return tuple(one for one in known if one in value)


def template_hash(
    variant: PromptVariant, task: Task, *, with_reference: bool, tolerance: Tolerance | None
) -> str:
    """Return the 16-digit hash of the words of ours that such prompts may hold."""
    wording = wording_of(variant)
    never: set[Condition] = {one for one in TOLERANCES if one != tolerance}
    never |= {"no reference"} if with_reference else {"reference", "several references"}
    blocks = (b for b in wording.blocks if b.may_stand(task, frozenset(never)))
    return content_id(wording.open, wording.close, wording.missing, *_written(blocks))


def _written(blocks: Iterator[Block]) -> Iterator[str]:
    for block in blocks:
        told = [block.role, block.text, sorted(block.when), block.is_past]
        yield json.dumps(told)
