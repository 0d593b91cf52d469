"""Other values in the same notation.  In: the words of a value.  Out: words of another value."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from finassay.records import content_digest

_DIGITS = re.compile(r"\d+")
_YEAR = re.compile(r"(?<!\d)\d{4}(?!\d)")
_DAY = re.compile(r"(?<!\d)(\d{1,2})(st|nd|rd|th)?(?!\d)")
_HAN = "一二三四五六七八九"
_WORD_CLASSES = (
    ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine"),
    ("ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "eighteen"),
    ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"),
)
_CLASS_OF = {word: words for words in _WORD_CLASSES for word in words}
_WORD = re.compile(rf"(?<![a-z])(?:{'|'.join(_CLASS_OF)})(?![a-z])", re.IGNORECASE)
_SINGULAR = re.compile(
    r"\b(?:second|minute|hour|day|week|fortnight|month|quarter|year|share|unit|point|time)(?=\W*\Z)",
    re.IGNORECASE,
)
_MOST_YEARS = 3
_SAFE_DAYS = 28
"""Days that every month has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw:
    """Draws that follow from a seed and an item."""

    seed: int
    item_id: str

    def below(self, n: int, what: str) -> int:
        """Return a number from 0 up to, and without, n."""
        return int(content_digest("wrong", str(self.seed), self.item_id, what)[:8], 16) % n


def other_amount(said: str, draw: Draw, *, is_year: bool = False) -> str | None:
    """Return a quantity of another size in the same notation, None where no figure is found.

    The first digit that is not 0 is changed, so that rounding cannot hide it; of a year the last.
    """
    if is_year:
        return _YEAR.sub(lambda found: _later(found[0], draw), said, count=1)
    return other_digit(said, draw) or _other_word(said, draw) or _other_han(said, draw)


def other_digit(said: str, draw: Draw) -> str | None:
    """Return the words with their first digit above 0 changed to another one, in its script."""
    digits = [(at, unicodedata.decimal(sign)) for at, sign in enumerate(said) if sign.isdecimal()]
    if not digits:
        return None
    at, digit = next(((at, digit) for at, digit in digits if digit), digits[0])
    new = _other_of_nine(digit, draw)
    changed = said[:at] + chr(ord(said[at]) - digit + new) + said[at + 1 :]
    return _several(changed) if len(digits) == 1 and digit == 1 else changed


def _other_of_nine(digit: int, draw: Draw) -> int:
    """Return another digit from 2 to 9; equal digits change alike, wherever they stand."""
    others = [one for one in range(2, 10) if one != digit]
    return others[draw.below(len(others), f"digit {digit}")]


def _several(said: str) -> str:
    """Return words that now speak of more than one, with the plural of their unit."""
    return _SINGULAR.sub(r"\g<0>s", said)


def _other_word(said: str, draw: Draw) -> str | None:
    found = _WORD.search(said)
    if found is None:
        return None
    word = found[0].lower()
    others = [one for one in _CLASS_OF[word] if one not in ("one", word)]
    other = cased_like(found[0], others[draw.below(len(others), word)])
    changed = said[: found.start()] + other + said[found.end() :]
    return _several(changed) if word == "one" else changed


def _other_han(said: str, draw: Draw) -> str | None:
    at = next((at for at, sign in enumerate(said) if sign in _HAN), None)
    if at is None:
        return None
    new = _other_of_nine(_HAN.index(said[at]) + 1, draw)
    return said[:at] + _HAN[new - 1] + said[at + 1 :]


def other_date(said: str, day: int | None, draw: Draw) -> str | None:
    """Return a date some years later, or on another day where no year is written."""
    if _YEAR.search(said):
        return _YEAR.sub(lambda found: _later(found[0], draw), said, count=1)
    found = next(
        (one for one in _DAY.finditer(said) if day is not None and int(one[1]) == day), None
    )
    if found is None or day is None:
        return None
    new = (day + draw.below(_SAFE_DAYS - 1, "day")) % _SAFE_DAYS + 1
    ending = _ending(new) if found[2] else ""
    return f"{said[: found.start()]}{new}{ending}{said[found.end() :]}"


def later_year(said: str, draw: Draw) -> str | None:
    """Return a financial year some years later: both its years, in two digits or four."""
    groups = [found for found in _DIGITS.finditer(said) if len(found[0]) in (2, 4)]
    if not groups:
        return None
    return _DIGITS.sub(lambda found: _later(found[0], draw), said)


def _later(digits: str, draw: Draw) -> str:
    if len(digits) not in (2, 4):
        return digits
    later = int(digits) + 1 + draw.below(_MOST_YEARS, "years")
    return str(later % 10 ** len(digits)).zfill(len(digits))


def _ending(day: int) -> str:
    if 10 < day < 20:
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")


def cased_like(said: str, other: str) -> str:
    """Return a word in the case of another: capitals, a capital first, or small letters."""
    if said.isupper() and len(said) > 1:
        return other.upper()
    return other.capitalize() if said[:1].isupper() else other
