"""Small matrices written out by hand, for tests of the analyses."""

from collections.abc import Sequence

from finassay.marking.matrix import VerdictMatrix
from finassay.records import Item, Status

LETTERS: dict[str, tuple[Status, float | None]] = {
    "1": ("scored", 1.0),
    "0": ("scored", 0.0),
    "h": ("scored", 0.5),
    "n": ("no_answer", None),
    "u": ("unparsed", None),
    "a": ("not_applicable", None),
    "f": ("failed", None),
}
"""A cell in one letter; "." is no verdict at all."""


def board(columns: dict[str, str], prefix: str = "i") -> VerdictMatrix:
    """Return items x systems from one string of letters a system, all of one length."""
    cells = [
        ((f"{prefix}{at}",), name, *LETTERS[letter])
        for name, letters in columns.items()
        for at, letter in enumerate(letters)
        if letter != "."
    ]
    return VerdictMatrix.from_cells(cells, row_names=("item_id",), column_name="system")


def items(
    families: Sequence[str],
    *,
    references: Sequence[str] | None = None,
    difficulties: Sequence[str] | None = None,
    prefix: str = "i",
) -> tuple[Item, ...]:
    """Return items i0, i1, ... of the given families."""
    return tuple(
        Item(
            item_id=f"{prefix}{at}",
            family=family,
            difficulty=difficulties[at] if difficulties else "easy",
            reference=references[at] if references else f"reference {at}",
        )
        for at, family in enumerate(families)
    )
