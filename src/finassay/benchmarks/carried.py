"""Items carried inside another tool's record.  In: an item.  Out: JSON values; and back, equal.

A harness keeps a dictionary beside each of its samples.  An item that travels there whole can be
answered and marked without a second look-up, and its answer contract is not lost.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, fields
from typing import TypeVar, cast

from finassay.benchmarks.reading import Record, as_record, texts_of
from finassay.errors import InputError
from finassay.records import AnswerContract, Erratum, Item

KEY = "finassay_item"
"""Key under which an item stands in the metadata of a sample."""

_CONTRACT = {field.name for field in fields(AnswerContract)}
_ERRATUM = {field.name for field in fields(Erratum)}
_EMPTY = Item(item_id="")
_PartT = TypeVar("_PartT")


def carried_item(item: Item) -> dict[str, object]:
    """Return an item as JSON values, without the fields that say nothing.

    Example:
        >>> carried_item(Item(item_id="q1", reference="5%"))
        {'item_id': 'q1', 'reference': '5%'}
    """
    carried: dict[str, object] = {}
    for field in fields(Item):
        value = getattr(item, field.name)
        if field.name != "item_id" and value == getattr(_EMPTY, field.name):
            continue
        carried[field.name] = _plain(value)
    return carried


def _plain(value: object) -> object:
    if isinstance(value, (AnswerContract, Erratum)):
        return {name: part for name, part in asdict(value).items() if part is not None}
    if isinstance(value, tuple):
        return [_plain(part) for part in value]
    return value


def item_from_carried(value: object, *, where: str) -> Item:
    """Return the item that `carried_item` wrote.

    Args:
        value: the JSON values, from anywhere.
        where: their place, for messages.

    Raises:
        InputError: they are not an item; names the place and the key.
    """
    record = as_record(value, where)
    known = {field.name for field in fields(Item)}
    unknown = sorted(set(record) - known)
    if unknown or "item_id" not in record:
        raise InputError(
            f"{where}: expected an item with `item_id` and some of {sorted(known)}, got "
            f"{sorted(record)}"
        )
    return Item(**{name: _field(record, name, where) for name in record})  # type: ignore[arg-type]


def _field(record: Record, name: str, where: str) -> object:
    empty = getattr(_EMPTY, name)
    if name == "contract":
        return _part(AnswerContract, record[name], _CONTRACT, f"{where}: `contract`")
    if name == "erratum":
        return _part(Erratum, record[name], _ERRATUM, f"{where}: `erratum`")
    if name == "strata":
        return _pairs(record[name], f"{where}: `strata`")
    if isinstance(empty, tuple):
        return texts_of(record, name, where)
    value = record[name]
    if not isinstance(value, str):
        raise InputError(f"{where}: `{name}` must be text, got {value!r}")
    return value


def _part(build: Callable[..., _PartT], value: object, known: set[str], where: str) -> _PartT:
    record = as_record(value, where)
    if not set(record) <= known:
        raise InputError(f"{where}: expected some of {sorted(known)}, got {sorted(record)}")
    return build(**record)


def _pairs(value: object, where: str) -> tuple[tuple[str, str], ...]:
    listed = value if isinstance(value, list) else [None]
    found = tuple(tuple(pair) for pair in listed if isinstance(pair, list))
    if len(found) != len(listed) or not all(
        len(pair) == 2 and all(isinstance(part, str) for part in pair) for pair in found
    ):
        raise InputError(f"{where}: expected a list of pairs of texts, got {value!r}")
    return cast("tuple[tuple[str, str], ...]", found)
