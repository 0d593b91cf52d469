"""Verdicts in JSON replies.  In: a reply in plain spelling.  Out: what each object in it says.

A whole object is parsed and its types are checked: the string "false" is false, a list or null is
no verdict.  In a damaged object (quotes not escaped, cut, single quotes) the pairs of a verdict's
key and its value are read; where they differ there is no verdict.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from finassay.scorers.judge_menus import Menu
from finassay.scorers.judge_tokens import Token, rating_token, read_token

_OPENS = re.compile(r"\{\s*(?:[\"']|\w{1,40}\s*:|\})")
_STRUCTURE = re.compile(r"[\"{}\\]")
_FIRST_KEYS = frozenset({"verdict", "finalverdict"})
_SOFT_KEYS = frozenset({"answer", "finalanswer", "result", "evaluation", "assessment", "final"})
_KEY = re.compile(r"(?<![\\\w])[\"']?(\w[\w -]{0,40}?)(?<!\\)[\"']?\s{0,9}:\s{0,9}")
_VALUE = re.compile(
    r"(?:\"([^\"\\\n]{0,80})\"|'([^'\\\n]{0,80})'|([-+]?[\w.]{1,40}))(?=\s{0,9}(?:[,}\]\n]|\Z))"
)
_MOST_NESTED = 60
_NO_VERDICT = Token("off menu", "", 0)
_SEVERAL = Token("several", "", 0)
_IGNORED = 3


class JsonVerdict(NamedTuple):
    """What a JSON object says.

    Attributes:
        start: where the object begins.
        end: where it ends.
        token: its verdict; None where it holds no verdict's key.
    """

    start: int
    end: int
    token: Token | None


class _Pair(NamedTuple):
    """A key and its value; a repeated key stands for itself twice."""

    key: str
    value: object


class _Object(NamedTuple):
    pairs: tuple[_Pair, ...]


def json_verdicts(text: str, menu: Menu) -> tuple[JsonVerdict, ...]:
    """Return the JSON objects of a text with what they say, in order."""
    return tuple(_merged(text, _read_all(text, menu)))


def _merged(text: str, found: Iterable[JsonVerdict]) -> Iterator[JsonVerdict]:
    """Yield the objects; members of one list that say different things say nothing."""
    kept: JsonVerdict | None = None
    for one in found:
        if kept is not None and text[kept.end : one.start].strip() == ",":
            same = _said(kept.token) == _said(one.token)
            kept = JsonVerdict(kept.start, one.end, one.token if same else _SEVERAL)
            continue
        if kept is not None:
            yield kept
        kept = one
    if kept is not None:
        yield kept


def _said(token: Token | None) -> tuple[str, str] | None:
    return None if token is None else (token.said, token.label)


def _read_all(text: str, menu: Menu) -> Iterator[JsonVerdict]:
    """Yield outermost objects; a damaged one reaches to the last brace or the end of the text."""
    opened = _OPENS.search(text)
    while opened is not None:
        start = opened.start()
        end = _closed_at(text, start)
        whole = None if end is None else _parsed(text[start:end])
        if end is None or whole is None:
            last = text.rfind("}", start)
            end = len(text) if last < 0 else last + 1
            yield JsonVerdict(start, end, _damaged(text, start, end, menu))
            return
        yield JsonVerdict(start, end, _of_object(whole, menu))
        opened = _OPENS.search(text, end)


def _closed_at(text: str, start: int) -> int | None:
    """Return where the object that opens at a position closes, or None."""
    depth = 0
    inside = False
    skipped = -1
    for mark in _STRUCTURE.finditer(text, start):
        at, character = mark.start(), mark[0]
        if at == skipped:
            continue
        if character == "\\":
            skipped = at + 1
        elif character == '"':
            inside = not inside
        elif not inside:
            depth += 1 if character == "{" else -1
            if depth == 0:
                return at + 1
    return None


def _as_pairs(pairs: list[tuple[str, object]]) -> _Object:
    return _Object(tuple(_Pair(key, value) for key, value in pairs))


def _parsed(text: str) -> _Object | None:
    try:
        read: object = json.loads(text, object_pairs_hook=_as_pairs, parse_int=_whole)
    except (ValueError, RecursionError):
        return None
    return read if isinstance(read, _Object) else None


def _whole(digits: str) -> float:
    """Return a whole number; Python refuses to read one of thousands of digits as an `int`."""
    return float(digits)


def _of_object(whole: _Object, menu: Menu) -> Token | None:
    """Return what the shallowest verdict's keys of an object say."""
    level = [whole]
    for _ in range(_MOST_NESTED):
        pairs = [pair for one in level for pair in one.pairs]
        read = [(_rank(pair.key, menu), _of_value(pair, menu)) for pair in pairs]
        found = _decided([one for one in read if one[0] != _IGNORED])
        if found is not None:
            return found
        level = [inner for pair in pairs for inner in _inner(pair.value)]
        if not level:
            return None
    return _NO_VERDICT


def _inner(value: object) -> Iterator[_Object]:
    if isinstance(value, _Object):
        yield value
    elif isinstance(value, list):
        yield from (one for one in value if isinstance(one, _Object))


def _rank(key: str, menu: Menu) -> int:
    """Return 0 for a verdict's own key, 1 for another key of the menu, 2 for a loose one."""
    plain = re.sub(r"[\W_]+", "", key.casefold())
    if plain in _FIRST_KEYS:
        return 0
    if plain in menu.keys:
        return 1
    return 2 if plain in _SOFT_KEYS else _IGNORED


def _decided(read: list[tuple[int, Token]]) -> Token | None:
    """Return what keys of one level say together; None where none of them is a verdict's."""
    strict = [(rank, token) for rank, token in read if rank < 2]
    labelled = {token.label for _, token in strict if token.said == "label"}
    if not strict:
        soft = [token for _, token in read if token.said == "label"]
        return _one_of(soft) if soft else None
    if len(labelled) > 1:
        return _SEVERAL
    best = min(rank for rank, _ in strict)
    return _one_of([token for rank, token in strict if rank == best])


def _one_of(tokens: list[Token]) -> Token:
    first = tokens[0]
    same = all(_said(token) == _said(first) for token in tokens)
    return first if same else _SEVERAL


def _of_value(pair: _Pair, menu: Menu) -> Token:
    value = pair.value
    if isinstance(value, bool):
        return Token("label", menu.truth[not value], 0) if menu.truth else _NO_VERDICT
    if isinstance(value, float):
        if menu.scale is not None:
            return rating_token(f"{value:.15g}", value, menu, 0)
        if menu.truth is not None and value in {0.0, 1.0} and _counts_as_truth(pair.key):
            return Token("label", menu.truth[value == 0.0], 0)
        return _NO_VERDICT
    if not isinstance(value, str):
        return _NO_VERDICT
    return read_token(value, 0, len(value), menu, whole=True)._replace(end=0)


def _counts_as_truth(key: str) -> bool:
    """Return whether 1 under a key means right; under "grade" it may be the lowest of five."""
    return "grade" not in key.casefold()


def _damaged(text: str, start: int, end: int, menu: Menu) -> Token | None:
    """Return what the pairs of an object that cannot be parsed say, where they agree."""
    read: list[tuple[int, Token]] = []
    for key in _KEY.finditer(text, start, end):
        rank = _rank(key[1], menu)
        if rank == _IGNORED or (rank == 2 and menu.scale is not None):
            continue
        value = _VALUE.match(text, key.end(), end)
        read.append((rank, _NO_VERDICT if value is None else _of_text(key[1], value, menu)))
    strict = [token for rank, token in read if rank < 2]
    if strict:
        return _one_of(strict)
    return _decided(read)


def _of_text(key: str, value: re.Match[str], menu: Menu) -> Token:
    """Return what a value of a damaged object says; only bare words may be numbers or truths."""
    bare = value[3]
    if bare is None:
        return _of_value(_Pair(key, value[1] if value[1] is not None else value[2]), menu)
    if bare.casefold() in {"true", "false"}:
        return _of_value(_Pair(key, bare.casefold() == "true"), menu)
    try:
        return _of_value(_Pair(key, float(bare)), menu)
    except ValueError:
        return _of_value(_Pair(key, bare), menu)
