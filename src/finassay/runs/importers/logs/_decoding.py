"""JSON of logs, fast.  In: bytes.  Out: plain objects that hold the wanted fields.

The fast decoder passes over fields that nobody asks for (an Inspect sample is mostly events) without
building them, and refuses NaN and Infinity, which tools write; then the slower standard decoder
reads the whole.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
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
def _decoder(shape: type) -> msgspec.json.Decoder[Any]:
    import msgspec  # noqa: PLC0415 - only where logs are read

    return msgspec.json.Decoder(shape)


def decode(data: bytes, shape: type) -> Mapping[str, object]:
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
