"""Figures written in digits.  In: a folded text.  Out: numerals with their spans in it.

A numeral is the bare figure: no sign, currency, scale or unit.  Western and Indian grouping,
grouping by spaces and apostrophes, European marks where they can mean nothing else, vulgar
fractions and powers of ten are read; a chain of dots (4.2.1) and figures of more than 40
characters are none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

from finassay.text.folding import Folded, ends_of
from finassay.text.tuples import new_tuple

ONE = Decimal(1)
_ZERO = Decimal(0)
_STEPS = tuple(ONE.scaleb(-places) for places in range(42))
_LONGEST = 40

_GROUPED = re.compile(r"\d{1,3}(?:,\d{2,3})*,\d{3}(?:\.\d+)?")
_EUROPEAN = re.compile(
    r"\d{1,3}(?:\.\d{3})+,\d{1,2}|\d{1,3}(?:\.\d{3}){2,}|\d{1,3}(?:\xa0\d{3})+,\d+"
)
_MARKED = re.compile(r"\d{1,3}(?:(?:'\d{3})+|(?:\xa0\d{2,3})*\xa0\d{3})(?:\.\d+)?")
_PIECE = re.compile(r"\d{1,3}(?:,\d{2,3})*,\d{3}(?:\.\d+)?(?![\d.]*\d)|\d+(?:\.\d+)*")
_COMMA_DECIMAL = re.compile(r"\d+,\d+")
_COMMA_UNIT = re.compile(
    r"[ \xa0]?(?:%|€|per cent|percent|eur\b|euros?\b|mio\b|million|billion|bn\b|mrd\b)"
)
_SPACED = re.compile(r"\d{1,3}(?: \d{3})+(?!\d)(?:[.,]\d{1,2}(?!\d))?")
_SPACED_AFTER = re.compile(r" ?(?:€|%|million|billion|mn\b|bn\b|eur\b|usd\b|inr\b|rupees|dollars)")
_FRACTION = re.compile(r"/(\d{1,3})(?![\d/.,%]{0,8}\d|[-/])")
_MIXED = re.compile(r"[ -](\d{1,2})/(\d{1,2})(?![\d/])|[ \xa0-]?([¼½¾⅐-⅞])")
_POWER = re.compile(
    r"[eE]([+-]?\d{1,2})(?![\w.])"
    r"|[ \xa0]?[×x*][ \xa0]?10(?:\^\{?([-+]?\d{1,2})\}?|([⁻]?[⁰¹²³⁴-⁹]{1,2}))"
)
_SUPERSCRIPT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_VULGAR = re.compile(r"[¼½¾⅐-⅞]")
_PARTS = {
    "¼": (1, 4), "½": (1, 2), "¾": (3, 4), "⅐": (1, 7), "⅑": (1, 9), "⅒": (1, 10), "⅓": (1, 3),
    "⅔": (2, 3), "⅕": (1, 5), "⅖": (2, 5), "⅗": (3, 5), "⅘": (4, 5), "⅙": (1, 6), "⅚": (5, 6),
    "⅛": (1, 8), "⅜": (3, 8), "⅝": (5, 8), "⅞": (7, 8),
}  # fmt: skip
# What may stand after digits and make a fraction, a power or a spaced group of them, and what then.
_GOES_ON = frozenset(" \xa0/-eE×x*¼½¾⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞")
_GOES_ON_WITH = frozenset("0123456789 \xa0+-×x*¼½¾⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞")
_MONEY_SIGNS = frozenset("$€£₹¥")


class Numeral(NamedTuple):
    """A bare figure in a folded text.

    Attributes:
        start: where it starts in the folded text.
        end: where it ends there.
        value: its value, with scales that are part of a number in words.
        step: one unit of the last digit shown; 0 for a fraction, which is exact.
        bare: whether it is plain digits without grouping or decimals.
        words: whether it is written in words.
        high: upper end, for words that give two values at once (两三).
        loose: whether it counts only beside a unit or on its own, as "one" and 三 do.
        percent: whether the words say per cent (百分之十二).
    """

    start: int
    end: int
    value: Decimal
    step: Decimal
    bare: bool = False
    words: bool = False
    high: Decimal | None = None
    loose: bool = False
    percent: bool = False


_BARE = (True, False, None, False, False)
_SHAPED = (False, False, None, False, False)


def digit_numerals(folded: Folded) -> list[Numeral]:
    """Return the numerals in digits of a folded text, in order."""
    text = folded.text
    found: list[Numeral] = []
    until = 0
    for start, end in folded.runs:
        if start < until or end - start > _LONGEST:
            continue
        digits = text[start:end]
        if digits.isdigit():
            following = text[end : end + 1]
            goes_on = following in _GOES_ON and text[end + 1 : end + 2] in _GOES_ON_WITH
            if goes_on or following in _PARTS or text[start - 1 : start] == ".":
                found.append(_whole(text, start, end, digits))
            else:
                found.append(new_tuple(Numeral, (start, end, Decimal(digits), ONE, *_BARE)))
        elif digits.replace(".", "", 1).isdigit() or _GROUPED.fullmatch(digits):
            found.append(_tail(text, _decimal(start, end, digits.replace(",", ""))))
        else:
            found += _unusual(text, start, end)
        until = found[-1].end if found else 0
    return found


def vulgar_fractions(text: str) -> Iterator[Numeral]:
    """Yield fraction characters that follow no digit ("½"); "2½" is one numeral in digits."""
    for mark in ends_of(_VULGAR, text):
        before = text[max(0, mark.start() - 2) : mark.start()].rstrip(" \xa0-")
        if not before[-1:].isdigit():
            over, under = _PARTS[mark[0]]
            yield Numeral(mark.start(), mark.end(), Decimal(over) / under, _ZERO)


def _whole(text: str, start: int, end: int, run: str) -> Numeral:
    if text[end : end + 1] == " " and text[end + 1 : end + 2].isdigit():
        spaced = _spaced(text, start)
        if spaced:
            return spaced
    fraction = _fraction(text, start, end, int(run)) if end - start <= 6 else None
    if fraction:
        return fraction
    numeral = _leading_point(text, start, end, run)
    return _tail(text, numeral or Numeral(start, end, Decimal(run), ONE, bare=True))


def _leading_point(text: str, start: int, end: int, run: str) -> Numeral | None:
    """Return ".45" as a numeral, if a point stands before the digits and nothing before that."""
    if start < 1 or text[start - 1] != ".":
        return None
    before = text[start - 2] if start > 1 else ""
    if before.isalnum() or before in (".", ")", "]"):
        return None
    return _decimal(start - 1, end, f"0.{run}")


def _decimal(start: int, end: int, digits: str) -> Numeral:
    point = digits.find(".")
    step = ONE if point < 0 else _STEPS[len(digits) - 1 - point]
    return new_tuple(Numeral, (start, end, Decimal(digits), step, *_SHAPED))


def _spaced(text: str, start: int) -> Numeral | None:
    """Return a figure grouped by plain spaces, where something beside it says that it is one."""
    found = _SPACED.match(text, start)
    if found is None or found.end() - start > _LONGEST:
        return None
    beside = text[found.end() : found.end() + 10].lower()
    if text[start - 1 : start] not in _MONEY_SIGNS and not _SPACED_AFTER.match(beside):
        return None
    digits = found[0].replace(" ", "").replace(",", ".")
    return _decimal(start, found.end(), digits)


def _fraction(text: str, start: int, end: int, over: int) -> Numeral | None:
    """Return "2/3", "2 1/2" or "2½" as an exact numeral; None where it is something else."""
    mixed = _MIXED.match(text, end)
    if mixed:
        top, under = _PARTS[mixed[3]] if mixed[3] else (int(mixed[1]), int(mixed[2]))
        if 0 < top < under:
            return Numeral(start, mixed.end(), over + Decimal(top) / under, _ZERO)
        return None
    plain = _FRACTION.match(text, end)
    if plain is None or text[start - 1 : start] in ("/", "-"):
        return None
    under = int(plain[1])
    if not 0 < over < under <= 100:
        return None
    return Numeral(start, plain.end(), Decimal(over) / under, _ZERO)


def _tail(text: str, numeral: Numeral) -> Numeral:
    """Return the numeral with a power of ten that follows it applied."""
    if text[numeral.end : numeral.end + 1] not in _GOES_ON:
        return numeral
    power = _POWER.match(text, numeral.end)
    if power is None:
        return numeral
    exponent = int(power[1] or power[2] or power[3].translate(_SUPERSCRIPT))
    value, step = numeral.value.scaleb(exponent), numeral.step.scaleb(exponent)
    return Numeral(numeral.start, power.end(), value, step)


def _unusual(text: str, start: int, end: int) -> list[Numeral]:
    run = text[start:end]
    if _EUROPEAN.fullmatch(run):
        digits = run.replace(".", "").replace("\xa0", "").replace(",", ".")
        return [_decimal(start, end, digits)]
    if _MARKED.fullmatch(run):
        return [_decimal(start, end, run.replace("'", "").replace("\xa0", ""))]
    if _COMMA_DECIMAL.fullmatch(run) and _comma_means_point(text, start, end):
        return [_decimal(start, end, run.replace(",", "."))]
    return list(_pieces(text, start, end))


def _comma_means_point(text: str, start: int, end: int) -> bool:
    """Return whether a comma can only be a decimal mark: "0,5", "12,5 %", "€ 3,2"."""
    if text[start] == "0" and text[start + 1] == ",":
        return True
    if end - text.index(",", start) > 3:
        return False
    euro = "€" in text[max(0, start - 2) : start]
    return euro or _COMMA_UNIT.match(text[end : end + 12].lower()) is not None


def _pieces(text: str, start: int, end: int) -> Iterator[Numeral]:
    """Yield the figures of a list without spaces ("1,2,3"); chains of dots are no figures."""
    for piece in _PIECE.finditer(text, start, end):
        digits = piece[0].replace(",", "")
        if digits.count(".") > 1:
            continue
        if digits == piece[0] and digits.isdigit():
            yield Numeral(piece.start(), piece.end(), Decimal(digits), ONE, bare=True)
        else:
            yield _decimal(piece.start(), piece.end(), digits)
