"""People by letters.  In: a number.  Out: A, B, ..., Z, AA, AB, ..."""

from __future__ import annotations

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def letter(number: int) -> str:
    """Return the letters that stand for a person: 0 is A, 25 is Z, 26 is AA."""
    out = ""
    at = number + 1
    while at > 0:
        at, rest = divmod(at - 1, len(_LETTERS))
        out = _LETTERS[rest] + out
    return out
