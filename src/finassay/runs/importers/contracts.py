"""Answer contracts and errata in a table of items.  In: fields of a row.  Out: records, checked."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from typing import Literal

from finassay.records import ANSWER_TYPES, SCALE_WORDS, AnswerContract, Erratum
from finassay.runs.importers._rows import Row, snippet
from finassay.runs.importers.mapping import ColumnMap
from finassay.runs.importers.values import as_text

CONTRACT_FIELDS: tuple[str, ...] = tuple(field.name for field in fields(AnswerContract))
ERRATUM_FIELDS: tuple[str, ...] = tuple(field.name for field in fields(Erratum))

MOST_DECIMALS = 12


def contract_of(given: Mapping[str, str]) -> AnswerContract:
    """Return the contract that texts by field name say; an empty text leaves a field out.

    Raises:
        ValueError: there is no such field, or its value is not one of those there are.
    """
    said = {name: text.strip() for name, text in given.items() if text.strip()}
    _only("contract", said, CONTRACT_FIELDS)
    return AnswerContract(
        type=_one_of(said, "type", ANSWER_TYPES),
        unit=said.get("unit"),
        scale=_one_of(said, "scale", SCALE_WORDS),
        decimals=_decimals(said.get("decimals")),
        comparator=_comparator(said.get("comparator")),
        percent=_percent(said.get("percent")),
    )


def row_contract(row: Row, mapping: ColumnMap) -> AnswerContract:
    """Return the contract of a row: an object in one column, and columns of its own, which win.

    Raises:
        ValueError: a field cannot be used.
    """
    return contract_of(_gathered(row, mapping, "contract", CONTRACT_FIELDS))


def row_erratum(row: Row, mapping: ColumnMap, reference: str | None) -> Erratum | None:
    """Return the erratum of a row, None where it has none.

    Raises:
        ValueError: it does not say what the reference was, who changed it and why, or the reference
            is what it was.
    """
    given = _gathered(row, mapping, "erratum", ERRATUM_FIELDS)
    _only("erratum", given, ERRATUM_FIELDS)
    if not any(text.strip() for text in given.values()):
        return None
    for name in ERRATUM_FIELDS:
        if not given.get(name, "").strip():
            raise ValueError(
                f"an erratum says what the reference was, who changed it and why: its {name!r} is "
                f"empty"
            )
    if given["old_reference"] == reference:
        raise ValueError(
            f"the erratum's old reference is the reference itself, got {reference!r}; the "
            f"reference column holds the corrected one"
        )
    return Erratum(**{name: given[name] for name in ERRATUM_FIELDS})


def _gathered(row: Row, mapping: ColumnMap, stem: str, names: tuple[str, ...]) -> dict[str, str]:
    """Return the texts of an object in the column `stem`, and of the columns of its fields."""

    def text(part: str) -> str:
        column = getattr(mapping, part)
        return as_text(row.values.get(column)) if column else ""

    found = _object(stem, text(stem))
    own = {name: text(f"{stem}_{name}") for name in names}
    return found | {name: said for name, said in own.items() if said.strip()}


def _object(stem: str, text: str) -> dict[str, str]:
    if not text.strip():
        return {}
    try:
        read = json.loads(text)
    except (ValueError, RecursionError):
        read = None
    if not isinstance(read, dict):
        message = f"the {stem} must be a JSON object, got {snippet(text)!r}"
        raise ValueError(message)  # noqa: TRY004 - what stands in a file is a value
    for name, value in read.items():
        if isinstance(value, bool) or not (value is None or isinstance(value, str | int)):
            raise ValueError(f"the {stem}'s {name!r} must be text or a whole number, got {value!r}")
    return {name: "" if value is None else str(value) for name, value in read.items()}


def _only(stem: str, given: Mapping[str, str], known: tuple[str, ...]) -> None:
    unknown = sorted(set(given) - set(known))
    if unknown:
        raise ValueError(f"the {stem} has no field {unknown[0]!r}; it takes {', '.join(known)}")


def _one_of(said: Mapping[str, str], name: str, known: tuple[str, ...]) -> str | None:
    value = said.get(name)
    if value is not None and value not in known:
        raise ValueError(f"the contract's {name} must be one of {', '.join(known)}, got {value!r}")
    return value


def _decimals(text: str | None) -> int | None:
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and int(text) <= MOST_DECIMALS):
        raise ValueError(
            f"the contract's decimals must be a whole number from 0 to {MOST_DECIMALS}, got "
            f"{text!r}"
        )
    return int(text)


def _comparator(text: str | None) -> Literal["ignore", "respect"] | None:
    match text:
        case None | "ignore" | "respect":
            return text
        case _:
            raise ValueError(f"the contract's comparator must be ignore or respect, got {text!r}")


def _percent(text: str | None) -> Literal["allow", "forbid", "flag"] | None:
    match text:
        case None | "allow" | "forbid" | "flag":
            return text
        case _:
            raise ValueError(f"the contract's percent must be allow, forbid or flag, got {text!r}")
