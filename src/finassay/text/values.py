"""Short texts as typed values.  In: the text of a list element or a field.  Out: a value.

A text is a provision, a date, a truth value or a quantity when it holds that and nothing else;
otherwise it is its words.  Two values are compared by type.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Literal, TypeAlias

from finassay.text.dates import DateReading
from finassay.text.normalisers import compatible, words
from finassay.text.provisions import Provision
from finassay.text.quantities import Quantity
from finassay.text.readings import Readings, read_all

ValueType = Literal["text", "truth", "provision", "date", "quantity"]
Part: TypeAlias = "str | int | Decimal | None"

_NOT_SAID = re.compile(r"[^\W_]+")
_FILLERS = frozenset(
    {"the", "of", "only", "about", "approximately", "under", "and", "or", "to", "through", "整"}
)
_TRUTHS = {"yes": "true", "true": "true", "no": "false", "false": "false"}
LONGEST = 2_000
"""Characters of a text that can be a typed value; a longer one is its words."""


@dataclass(frozen=True, slots=True)
class Value:
    """A typed value.

    Attributes:
        type: what it is.
        parts: what makes it that value; equal values have equal parts.
    """

    type: ValueType
    parts: tuple[Part, ...]

    @property
    def is_empty(self) -> bool:
        """Whether nothing is left of the text."""
        return self.type == "text" and not self.parts[0]


def value_of(text: str) -> Value:
    """Return the typed value of a short text."""
    return _kept_value(text) if len(text) <= LONGEST else _value(text)


@lru_cache(maxsize=1024)
def _kept_value(text: str) -> Value:
    return _value(text)


def _value(text: str) -> Value:
    form = words(compatible(text))
    if form in _TRUTHS:
        return Value("truth", (_TRUTHS[form],))
    typed = typed_value(text, read_all(text))
    return Value("text", (form or _symbols(text),)) if typed is None else typed


def _symbols(text: str) -> str:
    # A text of marks alone is empty, except where a mark is a word, as "%" or "₹" may be.
    return "".join(c for c in text if c in "%₹$€£¥")


def typed_value(text: str, found: Readings) -> Value | None:
    """Return the provision, date or quantity that a text is, None where it is more or else.

    Args:
        text: the text.
        found: what is read in it.
    """
    if len(text) > LONGEST:
        return None
    if found.provisions and _is_all(text, found.provisions):
        listed = [part for one in found.provisions for part in (one.kind, one.number.lower())]
        return Value("provision", tuple(listed))
    if len(found.dates) == 1 and _is_all(text, found.dates):
        date = found.dates[0]
        return Value("date", (date.year, date.month, date.day))
    if len(found.quantities) == 1 and _is_all(text, found.quantities):
        one = found.quantities[0]
        return Value("quantity", (one.value, one.high, one.kind, one.unit, one.comparator))
    return None


def _is_all(text: str, found: tuple[Provision | DateReading | Quantity, ...]) -> bool:
    """Return whether nothing but marks and fillers stands beside the readings."""
    said = "".join(_outside(text, found))
    return all(word in _FILLERS for word in _NOT_SAID.findall(said.lower()))


def _outside(text: str, found: tuple[Provision | DateReading | Quantity, ...]) -> Iterator[str]:
    at = 0
    for reading in found:
        yield text[at : reading.start] + " "
        at = max(at, reading.end)
    yield text[at:]


def are_equal(left: Value, right: Value) -> bool:
    """Return whether two values are the same; two empty ones never are.

    A quantity without a unit equals one with: a list or a field seldom repeats it.
    """
    if left.is_empty or right.is_empty:
        return False
    if left == right:
        return True
    return left.type == right.type == "quantity" and _same_quantity(left.parts, right.parts)


def _same_quantity(left: tuple[Part, ...], right: tuple[Part, ...]) -> bool:
    bare = ("plain", "")
    return (
        left[:2] == right[:2]
        and left[4] == right[4]
        and (bare in {left[2:4], right[2:4]} or _is_count(left, right))
    )


def _is_count(left: tuple[Part, ...], right: tuple[Part, ...]) -> bool:
    return {left[2], right[2]} <= {"plain", "count"} and left[3] == right[3]
