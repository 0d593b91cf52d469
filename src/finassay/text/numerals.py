"""Figures written in digits.  In: a folded text.  Out: numerals with their spans in it.

A numeral is the bare figure: no sign, currency, scale or unit.  Western and Indian grouping,
grouping by spaces and apostrophes, European marks where they can mean nothing else, vulgar
fractions and powers of ten are read; a chain of dots (4.2.1), a mixed token (10-K, A11) and
figures of more than 30 digits are none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

ONE = Decimal(1)
_LONGEST = 40

_RUN = re.compile(r"\d(?:[\d,.'\xa0]*\d)?")
_GROUPED = re.compile(r"\d{1,3}(?:,\d{2,3})*,\d{3}(?:\.\d+)?")
_DECIMAL = re.compile(r"\d+\.\d+")
_EUROPEAN = re.compile(
    r"(?:\d{1,3}(?:\.\d{3})+,\d{1,2}|\d{1,3}(?:\.\d{3}){2,}|\d{1,3}(?:\xa0\d{3})+,\d+)"
)
_MARKED = re.compile(r"\d{1,3}(?:(?:'\d{3})+|(?:\xa0\d{2,3})*\xa0\d{3})(?:\.\d+)?")
_PIECE = re.compile(r"\d{1,3}(?:,\d{2,3})*,\d{3}(?:\.\d+)?(?![\d.]*\d)|\d+(?:\.\d+)*")
_COMMA_DECIMAL = re.compile(r"\d+,\d+")
_COMMA_UNIT = re.compile(
    r"[ \xa0]?(?:%|€|per cent|percent|eur\b|euros?\b|mio\b|million|billion|bn\b|mrd\b)"
)
_SPACED = re.compile(r"\d{1,3}(?: \d{3})+(?!\d)(?:[.,]\d{1,2}(?!\d))?")
_SPACED_AFTER = re.compile(r" ?(?:€|%|million|billion|mn\b|bn\b|eur\b|usd\b|inr\b|rupees|dollars)")
_FRACTION = re.compile(r"/(\d{1,3})(?![\d/.,%]*\d|[-/])")
_MIXED = re.compile(r" (\d{1,2})/(\d{1,2})(?![\d/])|[ \xa0-]?([¼½¾⅐-⅞])")
_POWER = re.compile(
    r"[eE]([+-]?\d{1,2})(?![\w.])|[ \xa0]?[×x*][ \xa0]?10(?:\^\{?([-+]?\d{1,2})\}?|([⁻]?[⁰¹²³⁴-⁹]{1,2}))"
)
_SUPERSCRIPT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_VULGAR = re.compile(r"[¼½¾⅐-⅞]")
_PARTS = {
    "¼": (1, 4), "½": (1, 2), "¾": (3, 4), "⅐": (1, 7), "⅑": (1, 9), "⅒": (1, 10), "⅓": (1, 3),
    "⅔": (2, 3), "⅕": (1, 5), "⅖": (2, 5), "⅗": (3, 5), "⅘": (4, 5), "⅙": (1, 6), "⅚": (5, 6),
    "⅛": (1, 8), "⅜": (3, 8), "⅝": (5, 8), "⅞": (7, 8),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Numeral:
    """A bare figure in a folded text.

    Attributes:
        start: where it starts in the folded text.
        end: where it ends there.
        value: its value, with scales that are part of a number in words.
        step: one unit of the last digit shown; 0 for a fraction, which is exact.
        bare: whether it is plain digits without grouping or decimals.
        words: whether it is written in words.
        high: upper end, for words that give two values at once (两三).
    """

    start: int
    end: int
    value: Decimal
    step: Decimal
    bare: bool = False
    words: bool = False
    high: Decimal | None = None


def digit_numerals(text: str) -> Iterator[Numeral]:
    """Yield the numerals in digits of a folded text, in order."""
    begin = 0
    for run in _RUN.finditer(text):
        if run.start() < begin:
            continue
        for numeral in _numerals(text, run.start(), run.end()):
            begin = numeral.end
            yield numeral


def vulgar_fractions(text: str) -> Iterator[Numeral]:
    """Yield fraction characters that follow no digit ("½"); "2½" is one numeral in digits."""
    for mark in _VULGAR.finditer(text):
        if not text[max(0, mark.start() - 2) : mark.start()].rstrip(" \xa0-")[-1:].isdigit():
            over, under = _PARTS[mark[0]]
            yield Numeral(mark.start(), mark.end(), Decimal(over) / under, Decimal(0))


def _numerals(text: str, start: int, end: int) -> Iterator[Numeral]:
    if end - start > _LONGEST:
        return
    run = text[start:end]
    if run.isdigit():
        yield _whole(text, start, end, run)
    elif _DECIMAL.fullmatch(run):
        yield _tail(text, _decimal(start, end, run))
    elif _GROUPED.fullmatch(run):
        yield _tail(text, _decimal(start, end, run.replace(",", "")))
    else:
        yield from _unusual(text, start, end)


def _whole(text: str, start: int, end: int, run: str) -> Numeral:
    following = text[end : end + 1]
    if following == " " and text[end + 1 : end + 2].isdigit():
        spaced = _spaced(text, start)
        if spaced:
            return spaced
    if following and following in " /-\xa0¼½¾⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞":
        fraction = _fraction(text, start, end, int(run)) if end - start <= 6 else None
        if fraction:
            return fraction
    numeral = _leading_point(text, start, end, run)
    return _tail(text, numeral or Numeral(start, end, Decimal(run), ONE, bare=True))


def _leading_point(text: str, start: int, end: int, run: str) -> Numeral | None:
    """Return ".45" as a numeral, if a point stands before the digits and nothing before that."""
    if text[start - 1 : start] != "." or start < 1:
        return None
    before = text[start - 2 : start - 1] if start > 1 else ""
    if before.isalnum() or before in (".", ")", "]"):
        return None
    return _decimal(start - 1, end, f"0.{run}")


def _decimal(start: int, end: int, digits: str) -> Numeral:
    point = digits.find(".")
    step = ONE if point < 0 else ONE.scaleb(point + 1 - len(digits))
    return Numeral(start, end, Decimal(digits), step)


def _spaced(text: str, start: int) -> Numeral | None:
    """Return a figure grouped by plain spaces, where something beside it says that it is one."""
    found = _SPACED.match(text, start)
    if found is None or found.end() - start > _LONGEST:
        return None
    before = text[start - 1 : start] if start else ""
    beside = text[found.end() : found.end() + 10].lower()
    if before not in ("$", "€", "£", "₹", "¥") and not _SPACED_AFTER.match(beside):
        return None
    digits = found[0].replace(" ", "").replace(",", ".")
    return _decimal(start, found.end(), digits)


def _fraction(text: str, start: int, end: int, over: int) -> Numeral | None:
    """Return "2/3", "2 1/2" or "2½" as an exact numeral; None where it is something else."""
    mixed = _MIXED.match(text, end)
    if mixed:
        top, under = _PARTS[mixed[3]] if mixed[3] else (int(mixed[1]), int(mixed[2]))
        if 0 < top < under:
            value = over + Decimal(top) / under
            return Numeral(start, mixed.end(), value, Decimal(0))
        return None
    plain = _FRACTION.match(text, end)
    if plain is None or text[start - 1 : start] in ("/", "-"):
        return None
    under = int(plain[1])
    if not 0 < over < under <= 100:
        return None
    return Numeral(start, plain.end(), Decimal(over) / under, Decimal(0))


def _tail(text: str, numeral: Numeral) -> Numeral:
    """Return the numeral with a power of ten that follows it applied."""
    if text[numeral.end : numeral.end + 1] not in tuple("eE×x* \xa0"):
        return numeral
    power = _POWER.match(text, numeral.end)
    if power is None:
        return numeral
    exponent = int(power[1] or power[2] or power[3].translate(_SUPERSCRIPT))
    return Numeral(
        numeral.start,
        power.end(),
        numeral.value.scaleb(exponent),
        numeral.step.scaleb(exponent),
    )


def _unusual(text: str, start: int, end: int) -> Iterator[Numeral]:
    run = text[start:end]
    if _EUROPEAN.fullmatch(run):
        digits = run.replace(".", "").replace("\xa0", "").replace(",", ".")
        yield _decimal(start, end, digits)
    elif _MARKED.fullmatch(run):
        yield _decimal(start, end, run.replace("'", "").replace("\xa0", ""))
    elif _COMMA_DECIMAL.fullmatch(run) and _comma_means_point(text, start, end):
        yield _decimal(start, end, run.replace(",", "."))
    else:
        yield from _pieces(text, start, end)


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
        if digits.isdigit() and "," not in piece[0]:
            yield Numeral(piece.start(), piece.end(), Decimal(digits), ONE, bare=True)
        else:
            yield _decimal(piece.start(), piece.end(), digits)
