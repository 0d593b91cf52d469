"""JSON of logs, fast.  In: bytes.  Out: plain objects that hold the wanted fields.

The fast decoder passes over fields that nobody asks for (an Inspect sample is mostly events)
without building them, and refuses NaN and Infinity, which tools write; then the slower standard
decoder reads the whole.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypedDict, cast

if TYPE_CHECKING:
    import msgspec


class _Message(TypedDict, total=False):
    content: Any
    reasoning: Any


class _Choice(TypedDict, total=False):
    message: _Message
    stop_reason: Any


class _Output(TypedDict, total=False):
    model: Any
    choices: list[_Choice]
    completion: Any
    usage: Any
    time: Any
    error: Any


class _Score(TypedDict, total=False):
    value: Any
    answer: Any
    reason: Any
    metadata: Any


class InspectSample(TypedDict, total=False):
    """The fields of an Inspect sample that are read."""

    id: Any
    epoch: Any
    input: Any
    choices: Any
    target: Any
    output: _Output
    scores: dict[str, _Score] | None
    score: Any
    error: Any
    limit: Any
    error_retries: Any
    model_usage: Any


@lru_cache(maxsize=8)
def _decoder(shape: object) -> msgspec.json.Decoder[Any]:
    import msgspec  # noqa: PLC0415 - only where logs are read

    return msgspec.json.Decoder(cast("type[Any]", shape))


def decode(data: bytes, shape: object) -> Mapping[str, object]:
    """Return the JSON object in the bytes, with the fields of a typed dictionary or more.

    Raises:
        ValueError: the bytes hold no JSON object.
    """
    import msgspec  # noqa: PLC0415 - only where logs are read

    try:
        return cast("Mapping[str, object]", _decoder(shape).decode(data))
    except (msgspec.MsgspecError, UnicodeDecodeError):
        # NaN, a field of another type, or no JSON at all: the slow decoder tells which.
        found = json.loads(data)
    if not isinstance(found, dict):
        raise ValueError(f"expected a JSON object, got {found!r:.80}")  # noqa: TRY004 - data
    return found


class RawObject:
    """A JSON object of which values are decoded as they are asked for.

    A line of lm-eval stands once for each filter with the whole document in it, which only the
    first of them needs.
    """

    __slots__ = ("_parts",)

    def __init__(self, data: bytes) -> None:
        """Find the parts of the object.

        Raises:
            ValueError: the bytes hold no JSON object.
        """
        self._parts = decode(data, _raw_parts())

    def get(self, name: str) -> object:
        """Return the value under a name, None where there is none."""
        import msgspec  # noqa: PLC0415 - only where logs are read

        part = self._parts.get(name)
        if not isinstance(part, msgspec.Raw):
            return part
        found: object = _decoder(Any).decode(part)
        return found

    def other_keys(self, known: Collection[str]) -> list[str]:
        """Return the names that are not among the known ones."""
        return [name for name in self._parts if name not in known]


@lru_cache(maxsize=1)
def _raw_parts() -> object:
    import msgspec  # noqa: PLC0415 - only where logs are read

    return dict[str, msgspec.Raw]
