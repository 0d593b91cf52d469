"""Named fields written in a text.  In: a text.  Out: its fields, flat and in order.

Fields come as a JSON object, alone or in prose, as lines "key: value", or as a tuple of values.
Objects are read as they are written, but for grouped numbers ("1,00,000"), which JSON knows not.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import islice
from typing import Literal, NamedTuple, TypeAlias

from finassay.text.normalisers import compatible, words

Form = Literal["object", "lines", "tuple"]
Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | float | bool | None"

LONGEST = 200_000
"""Characters of a text in which fields are looked for."""
MOST_BRACES = 200
"""Opening braces at which an object is looked for."""
MOST_FIELDS = 500
"""Fields of a record that are read."""
DEEPEST = 20
"""Levels of nested objects that are read."""

_GROUPED = re.compile(
    r'"(?:[^"\\\n]|\\.){0,2000}"'
    r"|(?<=[:\[,\s])\s?(?P<number>-?\d{1,3}(?:,\d{2,3})*,\d{3}(?:\.\d+)?)(?=\s*[,}\]])"
)
_LINE = re.compile(
    r"\s{0,9}(?:[-*•]\s{1,3})?[*_`\"']{0,3}([^\W_][^:：\n]{0,59}?)[*_`\"']{0,3}\s?[:：](.*)"
)
_TUPLE = re.compile(r"\s*\(([^()\n]{1,2000})\)\.?\s*")
_OUTER = " \t*_`\"'"


class Fields(NamedTuple):
    """Fields of one record.

    Attributes:
        form: how they are written.
        values: (name, text of the value); parts of nested objects and lists are named "a.b" and
            "a.0", and the values of a tuple by their place.
    """

    form: Form
    values: tuple[tuple[str, str], ...]


def read_fields(text: str, form: Form | None = None) -> tuple[Fields, ...]:
    """Return the records of a text: its JSON objects, else its lines or its tuple, as one.

    Args:
        text: the text.
        form: "tuple" reads a tuple only, and "object" and "lines" no tuple; None reads all.
    """
    body = text[:LONGEST]
    if form == "tuple":
        return tuple(_tuples(body))
    found = _all_objects(body) or tuple(_lines(body))
    return found or (() if form else tuple(_tuples(body)))


def key_form(name: str) -> str:
    """Return a field's name for comparison: words in lower case."""
    return words(compatible(name.replace("_", " ")))


def loose_form(name: str) -> str:
    """Return a field's name without what stands in brackets: "Amount (INR)" is "amount"."""
    return key_form(re.sub(r"\([^()]{0,40}\)|\[[^\[\]]{0,40}\]", " ", name))


def _all_objects(text: str) -> tuple[Fields, ...]:
    """Return the JSON objects of a text; grouped numbers are quoted only where that reads more."""
    found = tuple(_objects(text))
    quoted = _GROUPED.sub(_in_quotes, text) if "{" in text else text
    if quoted == text:
        return found
    # A lone quotation mark in prose can make strings of what stands between them.
    more = tuple(_objects(quoted))
    return more if len(more) > len(found) else found


def _in_quotes(match: re.Match[str]) -> str:
    """Return a grouped number as a JSON string, and a JSON string as it is."""
    return match[0] if match["number"] is None else f' "{match["number"]}"'


def _objects(text: str) -> Iterator[Fields]:
    decoder = json.JSONDecoder(parse_float=str, parse_int=str)
    at = 0
    for _ in range(MOST_BRACES):
        at = text.find("{", at)
        if at < 0:
            return
        try:
            read, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            at += 1
            continue
        at = end
        if isinstance(read, dict) and read:
            yield Fields("object", tuple(islice(_flat("", read, DEEPEST), MOST_FIELDS)))


def _flat(path: str, value: Json, depth: int) -> Iterator[tuple[str, str]]:
    inside: Iterator[tuple[str, Json]]
    if isinstance(value, dict):
        inside = iter(value.items())
    elif isinstance(value, list):
        inside = ((str(number), one) for number, one in enumerate(value))
    else:
        yield path, _text(value)
        return
    for name, one in inside if depth else ():
        yield from _flat(f"{path}.{name}" if path else name, one, depth - 1)


def _text(value: str | float | bool | None) -> str:  # noqa: FBT001 - a JSON value
    if value is None:
        return ""
    return ("true" if value else "false") if isinstance(value, bool) else str(value)


def _lines(text: str) -> Iterator[Fields]:
    """Yield the fields of two lines or more of the form "key: value"."""
    found = [match for line in text.split("\n")[:MOST_FIELDS] if (match := _LINE.fullmatch(line))]
    values = tuple((match[1], match[2].strip(_OUTER)) for match in found)
    if len(values) > 1 and all(value for _, value in values):
        yield Fields("lines", values)


def _tuples(text: str) -> Iterator[Fields]:
    match = _TUPLE.fullmatch(text)
    body, mark = (match[1], ",") if match else (text, "|" if "|" in text else ";")
    if "\n" in body.strip():
        return
    # A comma between digits belongs to the number.
    parts = re.split(r",(?!\d{2,3}(?!\d))", body) if mark == "," else body.split(mark)
    values = [part.strip(_OUTER) for part in parts if part.strip()]
    if len(values) > 1:
        named = ((str(number), value) for number, value in enumerate(values[:MOST_FIELDS], 1))
        yield Fields("tuple", tuple(named))
