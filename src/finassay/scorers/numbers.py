"""The number-set rule.  In: an item and a prediction.  Out: right when their numbers are equal.

Numbers here are digits as written: units, scales, signs and bounds are not read, so "5 lakh" and
"5 crore" agree.  It is the plain peer of rules that read typed quantities.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from decimal import Decimal
from typing import ClassVar, Literal

from finassay.errors import SpecError
from finassay.records import Item, Prediction, Verdict
from finassay.scorers.base import Rule

# Anchored on digits at both ends, so that a full stop or a comma after a number is not part of it.
_NUMBER = re.compile(r"[0-9]+(?:,[0-9]+)*(?:\.[0-9]+)?|(?<![\w.])\.[0-9]+")
# 1,234,567 and 12,34,567 are one number; the commas of "1,2" or "2019,2020" separate two.
_GROUPED = re.compile(r"[0-9]{1,3}(?:,[0-9]{2,3})*,[0-9]{3}(?:\.[0-9]+)?")


LONGEST_NUMBER = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberSets:
    """The sets of numbers in a reference and in a reply, in plain digits."""

    reference: frozenset[str]
    reply: frozenset[str]


@dataclass(frozen=True, kw_only=True)
class NumberSet(Rule[NumberSets]):
    """`number_set`: right when the reply holds the numbers of the reference.

    A reply without a number is unparsed; a reference without one is not applicable.

    Attributes:
        compare: "equal" asks for the same set, "subset" for all numbers of the reference.
    """

    compare: Literal["equal", "subset"] = "equal"

    name: ClassVar[str] = "number_set"
    version: ClassVar[str] = "1"
    measure_name: ClassVar[str] = "number_set"
    decision_fields: ClassVar[frozenset[str]] = frozenset({"compare"})

    def __post_init__(self) -> None:
        if self.compare not in {"equal", "subset"}:
            raise SpecError(
                f"`compare` of NumberSet must be 'equal' or 'subset', got {self.compare!r}"
            )

    def measure(self, *, reference: str, item: Item, prediction: Prediction) -> NumberSets:  # noqa: ARG002
        """Return both sets of numbers."""
        return NumberSets(reference=number_set(reference), reply=number_set(prediction.text))

    def decide(self, measured: NumberSets) -> Verdict:
        """Return right when the sets compare as asked."""
        if not measured.reference:
            return Verdict(status="not_applicable", reason="no number in the reference")
        if not measured.reply:
            return Verdict(status="unparsed", reason="no number in the reply")
        if self.compare == "equal":
            is_right = measured.reference == measured.reply
        else:
            is_right = measured.reference <= measured.reply
        return Verdict(
            status="scored",
            value=float(is_right),
            extracted=" ".join(sorted(measured.reply)),
            reason="the numbers agree" if is_right else "the numbers differ",
        )


_PERCENT = re.compile(r"\s*(?:%|％|per\s?cent\b|percent\b|pct\b)", re.IGNORECASE)


def numerals(text: str) -> tuple[tuple[str, bool], ...]:
    """Return (number as in `number_set`, whether a percent sign or word follows), in order."""
    ascii_digits = text if text.isascii() else text.translate(_ASCII_DIGITS)
    found = []
    for match in _NUMBER.finditer(ascii_digits):
        is_percent = _PERCENT.match(ascii_digits, match.end()) is not None
        found += [(_plain(number), is_percent) for number in _ungrouped(match[0])]
    return tuple(found)


def number_set(text: str) -> frozenset[str]:
    """Return the numbers of a text as plain decimals: no grouping, no outer zeros, ASCII digits."""
    ascii_digits = text if text.isascii() else text.translate(_ASCII_DIGITS)
    return frozenset(
        _plain(number) for found in _NUMBER.findall(ascii_digits) for number in _ungrouped(found)
    )


def numbers_in(text: str) -> tuple[Decimal, ...]:
    """Return the numbers of a text as written in digits, in order; signs are not read.

    Runs of more than 100 digits are no quantities and are left out.
    """
    ascii_digits = text if text.isascii() else text.translate(_ASCII_DIGITS)
    return tuple(
        Decimal(number)
        for found in _NUMBER.findall(ascii_digits)
        for number in _ungrouped(found)
        if len(number) <= LONGEST_NUMBER
    )


def _ungrouped(found: str) -> list[str]:
    if _GROUPED.fullmatch(found):
        return [found.replace(",", "")]
    return found.split(",")


class _Digits(dict[int, str]):
    """A translation table filled as characters are met: decimal digits of any script to ASCII."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        is_digit = character.isdecimal()
        self[code] = str(unicodedata.decimal(character)) if is_digit else character
        return self[code]


_ASCII_DIGITS = _Digits()


def _plain(number: str) -> str:
    whole, _, decimals = number.partition(".")
    whole, decimals = whole.lstrip("0") or "0", decimals.rstrip("0")
    return f"{whole}.{decimals}" if decimals else whole
