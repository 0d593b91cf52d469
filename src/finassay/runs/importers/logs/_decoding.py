"""JSON of logs, fast.  In: bytes.  Out: plain objects that hold the wanted fields.

The fast decoder passes over fields that nobody asks for (an Inspect sample is mostly events)
without building them, and refuses NaN and Infinity, which tools write; then the slower standard
decoder reads the whole.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
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


class _Notes(TypedDict, total=False):
    unscored_reason: Any


class _Score(TypedDict, total=False):
    value: Any
    answer: Any
    explanation: Any
    reason: Any
    metadata: _Notes | None


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


class LineDecoder:
    """Decodes lines of objects in which some names are known and others are told by the lines.

    A line of lm-eval has its scores beside the fields that every line has, and says their names in
    `metrics`.  It stands once for each filter with the whole document in it, which only the first
    of them needs: `lazy` fields are decoded when `value` asks for them.
    """

    def __init__(self, plain: Sequence[str], lazy: Sequence[str], naming: str) -> None:
        self._plain = tuple(plain)
        self._lazy = frozenset(lazy)
        self._naming = naming
        self._named: frozenset[str] = frozenset()
        self._shape = self._made()

    def _made(self) -> object:
        import msgspec  # noqa: PLC0415 - only where logs are read

        names: dict[str, object] = dict.fromkeys((*self._plain, *sorted(self._named)), Any)
        names |= dict.fromkeys(self._lazy, msgspec.Raw)
        # Made while the program runs, since the names are those of the file.
        return _typed_dictionary("Line", names)

    def decode(self, data: bytes) -> Mapping[str, object]:
        """Return the fields of a line.

        Raises:
            ValueError: the bytes hold no JSON object.
        """
        found = decode(data, self._shape)
        names = found.get(self._naming)
        if not isinstance(names, list):
            return decode(data, dict[str, Any])
        if not self._named.issuperset(name for name in names if isinstance(name, str)):
            self._named |= {name for name in names if isinstance(name, str)}
            self._shape = self._made()
            return decode(data, self._shape)
        return found


def value(fields: Mapping[str, object], name: str) -> object:
    """Return the value under a name, decoded now if it was left for later."""
    import msgspec  # noqa: PLC0415 - only where logs are read

    part = fields.get(name)
    if not isinstance(part, msgspec.Raw):
        return part
    found: object = _decoder(Any).decode(part)
    return found


def _typed_dictionary(name: str, fields: Mapping[str, object]) -> object:
    made: object = cast("Any", TypedDict)(name, dict(fields), total=False)
    return made
