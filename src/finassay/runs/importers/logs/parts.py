"""Parts of what a log holds.  In: JSON of any shape.  Out: the part, where it has the right type.

Logs are written by others: a part that has another type than it should is read as one that is not
there, and what cannot do without it says so.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence

JsonMap = Mapping[str, object]

_NOTHING: JsonMap = {}


def mapping(value: object, *path: str) -> JsonMap:
    """Return the object under a path of names, or an empty one."""
    found = inner(value, *path)
    return found if isinstance(found, dict) else _NOTHING


def inner(value: object, *path: str) -> object:
    """Return what stands under a path of names, or None."""
    for name in path:
        if not isinstance(value, dict):
            return None
        value = value.get(name)
    return value


def listed(value: object, *path: str) -> Sequence[object]:
    """Return the list under a path of names, or an empty one."""
    found = inner(value, *path)
    return found if isinstance(found, list) else ()


def text(value: object, *path: str) -> str:
    """Return the string under a path of names; a number by its digits, "" for anything else."""
    found = inner(value, *path)
    if isinstance(found, str):
        return whole_text(found)
    if isinstance(found, int | float) and not isinstance(found, bool):
        return str(found)
    return ""


def written(value: object) -> str:
    """Return a value as text: a string as it is, nothing for null, and else its JSON."""
    if value is None:
        return ""
    if isinstance(value, str):
        return whole_text(value)
    return whole_text(json.dumps(value, ensure_ascii=False))


def whole_text(found: str) -> str:
    """Return a text with halves of surrogate pairs, which no table can hold, as U+FFFD."""
    if found.isascii():
        return found
    return found.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def number(value: object, *path: str) -> float | None:
    """Return the finite number under a path of names, or None."""
    found = inner(value, *path)
    if isinstance(found, bool) or not isinstance(found, int | float):
        return None
    try:
        return float(found) if math.isfinite(found) else None
    except OverflowError:
        return None


def count(value: object, *path: str) -> int | None:
    """Return the whole number of at least 0 under a path of names, or None."""
    found = number(value, *path)
    if found is None or found < 0 or found != int(found) or found >= 1 << 53:
        return None
    return int(found)


def positive(value: object, *path: str) -> float | None:
    """Return the finite number of at least 0 under a path of names, or None."""
    found = number(value, *path)
    return found if found is not None and found >= 0 else None


def settings(found: JsonMap, names: Iterable[str] | None = None) -> tuple[tuple[str, str], ...]:
    """Return the scalars of an object as sorted pairs, those of some names or all."""
    kept = found if names is None else {name: found[name] for name in names if name in found}
    return tuple(
        sorted(
            (whole_text(name), written(value))
            for name, value in kept.items()
            if value is not None and isinstance(value, str | int | float | bool)
        )
    )


def message_text(content: object) -> str:
    """Return the text of a message: a string, or the text parts of a list of parts."""
    if not isinstance(content, list):
        return written(content)
    said = [part if isinstance(part, str) else inner(part, "text") for part in content]
    return "\n".join(whole_text(one) for one in said if isinstance(one, str))


def last_user_text(messages: object) -> str:
    """Return what the user said last in a conversation, or the whole of it where none is named.

    A conversation is a string or a list of messages with `role` and `content` (or `prompt`).
    """
    if not isinstance(messages, list):
        return written(messages)
    said = ""
    for one in messages:
        role = text(one, "role").lower()
        if role in ("user", "human"):
            said = message_text(_content(one))
    return said or "\n".join(part for part in map(_said, messages) if part)


def _said(message: object) -> str:
    return message_text(message if isinstance(message, str) else _content(message))


def _content(message: object) -> object:
    found = mapping(message)
    return found["content"] if "content" in found else found.get("prompt")
