"""Reading the artifact that a contract asks for.  In: a reply.  Out: its content, or None.

Only formatting is taken away; what the answer says is left as written, for the scorer.  None means
that the reply is not in a form that the contract allows: it is malformed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping

from finassay.benchmarks.operations.contract import Kind
from finassay.benchmarks.operations.shelf import field_names
from finassay.records import Item
from finassay.text.answer_parts import (
    answer_parts,
    bare_lines,
    plain_form,
    read_json,
    without_explanation,
)
from finassay.text.records_in_text import key_form, read_fields

_LETTERS = re.compile(
    r"[(（\[]?([A-Ja-jＡ-Ｊａ-ｊ])[)）\]]?(?:[.、．:：,，;；](?!\s?[(（]?[A-JＡ-Ｊ](?![A-Za-z])).*)?",
    re.DOTALL,
)
_LETTER_LIST = re.compile(
    r"[(（\[]?[A-Ja-jＡ-Ｊａ-ｊ][)）\]]?(?:\s?(?:[,，、;；/&+]|and|和|及|与)?\s?(?:and\s)?"
    r"[(（\[]?[A-Ja-jＡ-Ｊａ-ｊ][)）\]]?)*[.。]?"
)
_EITHER = re.compile(
    r"\d[^\d\n]{0,24}(?:\bor\b|或者?|还是)[^\d\n]{0,12}\d|\bbetween\s[^\n]{0,20}\d",
    re.IGNORECASE,
)
_FENCED = re.compile(r"```[^\n`]{0,20}\n(.{0,20000}?)\n?[ \t]{0,8}```", re.DOTALL)
_NAMED = re.compile(r"[*_`\"'“]{0,3}([^:：\n]{1,60}?)[*_`\"'”]{0,3}\s?[:：=]\s?(.*)", re.DOTALL)
_ENDS = " \t*_`;；。,，"
_QUOTES = " \t*_`\"'“”‘’「」『』"
_FIELD = re.compile(r"[^\d:：]{1,60}[:：]\s?\S.*")
_CELL = re.compile(r"\s?[|｜]\s?")

Reader = Callable[[str, Item], "str | None"]


def read_artifact(kind: Kind, reply: str, item: Item) -> str | None:
    """Return what a reply hands in as an artifact of a kind, or None where it is malformed.

    Args:
        kind: kind of the artifact.
        reply: the reply, whole.
        item: the item, whose choices and names of fields say what can be named; what the reference
            says beyond names is not used.
    """
    return _READERS.get(kind, _as_it_is)(reply, item)


def _as_it_is(reply: str, item: Item) -> str | None:  # noqa: ARG001 - a `Reader`
    return reply


def _option(reply: str, item: Item) -> str | None:
    """Return the option of an announced answer or a first line, else the reply for `choice`."""
    parts = answer_parts(reply)
    for part in parts.texts:
        named = _letters(part)
        if len(named) == 1:
            return named[0]
        if len(named) > 1:
            return None
    if parts.is_announced:
        return parts.texts[0] if _of_choices(parts.texts[0], item) else None
    return reply


def _of_choices(text: str, item: Item) -> bool:
    plain = plain_form(text)
    return any(plain and plain in plain_form(choice) for choice in item.choices)


def _letters(part: str) -> list[str]:
    """Return the letters that a part names and nothing else; none where it says more."""
    lines = bare_lines(part)
    if len(lines) == 1 and _LETTER_LIST.fullmatch(lines[0].strip(_QUOTES)):
        found = re.findall(r"[A-Ja-jＡ-Ｊａ-ｊ](?![a-z])", lines[0].replace("and", ","))
        return list(dict.fromkeys(plain_form(letter).upper() for letter in found))
    matches = [_LETTERS.fullmatch(line.strip(_QUOTES)) for line in lines]
    if not matches or not all(matches):
        return []
    return list(dict.fromkeys(plain_form(match[1]).upper() for match in matches if match))


def _option_set(reply: str, item: Item) -> str | None:  # noqa: ARG001 - a `Reader`
    for part in answer_parts(reply).texts:
        named = _letters(part)
        if named:
            return ", ".join(named)
    return None


def _number(reply: str, item: Item) -> str | None:  # noqa: ARG001 - a `Reader`
    parts = answer_parts(reply)
    first = parts.texts[0].strip().partition("\n")[0]
    if len(first) <= 80 and _EITHER.search(first):
        return None
    return first if parts.is_announced else reply


def _fields(reply: str, item: Item) -> str | None:
    """Return the fields as JSON under the reference's names, by name or else by place."""
    names = field_names(item.reference or "")
    if not names:
        return reply
    fences = _FENCED.findall(reply)
    body = (fences[0] if len(fences) == 1 else reply).strip()
    read = read_json(body)
    if isinstance(read, dict):
        return body if _known(names, tuple(map(str, read))) else None
    objects = [one for one in read_fields(body) if one.form == "object"]
    if any(_known(names, tuple(name for name, _ in one.values)) for one in objects):
        return body
    body = without_explanation(body)
    named = _by_name(body, names)
    if named is None or named:
        return None if named is None else json.dumps(named, ensure_ascii=False)
    placed = _by_place(body, len(names))
    return json.dumps(dict(zip(names, placed, strict=True)), ensure_ascii=False) if placed else None


def _known(names: tuple[str, ...], given: tuple[str, ...]) -> bool:
    forms = {key_form(name) for name in names}
    return any(key_form(name) in forms for name in given)


def _by_name(body: str, names: tuple[str, ...]) -> dict[str, str] | None:
    """Return the values of lines "name: value"; None where a name has two values."""
    forms = {key_form(name): name for name in names}
    found: dict[str, str] = {}
    for line in _entries(body):
        match = _NAMED.fullmatch(line)
        name = forms.get(key_form(match[1])) if match else None
        if match is None or name is None:
            continue
        value = match[2].strip(_ENDS)
        if found.setdefault(name, value) != value:
            return None
    return found


def _entries(body: str) -> list[str]:
    """Return the lines of a record; one line of several named values is taken apart."""
    lines = [line.strip(_ENDS) for line in bare_lines(body)]
    return [
        piece.strip(_ENDS)
        for line in lines
        for piece in (re.split(r"[;；]", line) if len(re.findall(r"[:：]", line)) > 1 else [line])
        if piece.strip(_ENDS)
    ]


def _by_place(body: str, size: int) -> list[str]:
    """Return as many values as there are fields, from lines or from cells, or none."""
    lines = [line.strip(_ENDS) for line in bare_lines(body)]
    if len(lines) == 1:
        cells = [cell for cell in _CELL.split(lines[0].strip("|｜ ")) if cell.strip()]
        pieces = cells if len(cells) > 1 else re.split(r"[;；]", lines[0])
        lines = [piece.strip(_ENDS) for piece in pieces]
    if any(map(_FIELD.fullmatch, lines)):
        return []  # named, by other names than those asked for
    return lines if len(lines) == size and size > 1 and all(lines) else []


_READERS: Mapping[Kind, Reader] = {
    "option": _option,
    "option_set": _option_set,
    "number": _number,
    "ordered_fields": _fields,
}
