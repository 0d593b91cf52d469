"""The second reading of the bundled items.  In: a table that ships.  Out: who agreed with what.

A second reader answered each item from its visible input and the contract's instructions alone,
before seeing any reference.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, cast, get_args

from finassay.benchmarks.reading import data_text
from finassay.errors import InputError

Agreement = Literal["agree", "agree_other_form", "ambiguous", "disagree"]
"""The same answer; the same in another form; another one can be defended; another answer."""

AGREEMENTS: tuple[Agreement, ...] = get_args(Agreement)
FILE = "operations/second_reading_operations.csv"
COLUMNS = ("item_id", "answer", "agrees", "note")


@dataclass(frozen=True, slots=True, kw_only=True)
class SecondReading:
    """What a second reader said of one item.

    Attributes:
        item_id: the item.
        answer: the answer as given.
        agrees: whether it agrees with the reference, one of `AGREEMENTS`.
        note: what was mended since, or why the readings differ.
    """

    item_id: str
    answer: str
    agrees: Agreement
    note: str


def second_reading_operations() -> tuple[SecondReading, ...]:
    """Return the second reading of the bundled items, in the order of its file.

    Raises:
        InputError: the file lacks a column, or a row cannot be used.
    """
    return read_second_reading(data_text(FILE).splitlines(), file=FILE)


def read_second_reading(lines: Iterable[str], *, file: str) -> tuple[SecondReading, ...]:
    """Return the readings in the lines of a CSV with the columns `COLUMNS`.

    Args:
        lines: the lines, the header first.
        file: its name, for messages.

    Raises:
        InputError: the header is another, an item stands twice, or `agrees` is no such word.
    """
    table = csv.DictReader(lines)
    if tuple(table.fieldnames or ()) != COLUMNS:
        raise InputError(
            f"{file}:1: expected the columns {', '.join(COLUMNS)}, got {table.fieldnames}; write "
            f"them in this order"
        )
    found: dict[str, SecondReading] = {}
    for line, row in enumerate(table, start=2):
        if row["agrees"] not in AGREEMENTS:
            raise InputError(
                f"{file}:{line}: `agrees` must be one of {', '.join(AGREEMENTS)}, got "
                f"{row['agrees']!r}"
            )
        if row["item_id"] in found:
            raise InputError(
                f"{file}:{line}: {row['item_id']!r} stands in the table already; keep one row"
            )
        found[row["item_id"]] = SecondReading(
            item_id=row["item_id"],
            answer=row["answer"],
            agrees=cast("Agreement", row["agrees"]),
            note=row["note"],
        )
    return tuple(found.values())
