"""Reading our own data files strictly.  In: a parsed record and its place.  Out: typed values."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from importlib.resources import files

from finassay.errors import InputError

Record = Mapping[str, object]


def data_text(name: str) -> str:
    """Return the text of a data file that is shipped with the package.

    Raises:
        InputError: the installation lacks the file, or it is not UTF-8.
    """
    try:
        return (files("finassay.benchmarks") / "data" / name).read_text(encoding="utf-8")
    except (FileNotFoundError, UnicodeDecodeError) as error:
        raise InputError(
            f"{name}: a data file of the package that should be readable text is not ({error}); "
            f"install finassay again"
        ) from error


def record_from(text: str, where: str) -> Record:
    """Return the JSON object that a text holds.

    Raises:
        InputError: the text is not JSON, or not an object.
    """
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        raise InputError(f"{where}: expected a JSON object: {error}") from error
    return as_record(value, where)


def as_record(value: object, where: str) -> Record:
    """Return the value as an object with text keys.

    Raises:
        InputError: it is something else.
    """
    if not isinstance(value, dict):
        raise InputError(f"{where}: expected a JSON object, got {_brief(value)}")
    return value


def require_keys(
    record: Record, required: Iterable[str], where: str, *, optional: Iterable[str] = ()
) -> None:
    """Check that a record has all the required keys, and no others but the optional ones.

    Raises:
        InputError: names the keys that are missing and those that are unknown.
    """
    wanted = set(required)
    missing = sorted(wanted - record.keys())
    unknown = sorted(record.keys() - wanted - set(optional))
    if missing or unknown:
        raise InputError(
            f"{where}: expected the keys {sorted(wanted)}; missing {missing}, unknown {unknown}"
        )


def text_of(record: Record, key: str, where: str) -> str:
    """Return the text under a key.

    Raises:
        InputError: it is something else.
    """
    value = record[key]
    if not isinstance(value, str):
        raise _wrong(where, key, "text", value)
    return value


def optional_text_of(record: Record, key: str, where: str) -> str | None:
    """Return the text under a key, or None where the record says null.

    Raises:
        InputError: it is something else.
    """
    return None if record[key] is None else text_of(record, key, where)


def number_of(record: Record, key: str, where: str) -> int:
    """Return the whole number under a key.

    Raises:
        InputError: it is something else.
    """
    value = record[key]
    if not isinstance(value, int) or isinstance(value, bool):
        raise _wrong(where, key, "a whole number", value)
    return value


def list_of(record: Record, key: str, where: str) -> list[object]:
    """Return the list under a key.

    Raises:
        InputError: it is something else.
    """
    value = record[key]
    if not isinstance(value, list):
        raise _wrong(where, key, "a list", value)
    return value


def texts_of(record: Record, key: str, where: str) -> tuple[str, ...]:
    """Return the list of texts under a key.

    Raises:
        InputError: it is something else.
    """
    texts = list_of(record, key, where)
    if not all(isinstance(text, str) for text in texts):
        raise _wrong(where, key, "a list of texts", texts)
    return tuple(str(text) for text in texts)


def _wrong(where: str, key: str, expected: str, value: object) -> InputError:
    return InputError(f"{where}: `{key}` must be {expected}, got {_brief(value)}")


def _brief(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= 60 else f"{shown[:57]}..."
