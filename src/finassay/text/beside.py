"""What touches a figure: currency and sign before it, scale and unit after it.

In: a folded text and a position in it.  Out: what stands there and where it ends.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from finassay.text.folding import Folded
from finassay.text.numerals import ONE, Numeral
from finassay.text.units import AFTER, BEFORE, COUNTED, LETTER_SCALES, PAIRS, SCALES, Unit

_SIGNS = ("-", "–")
# What may stand before a hyphen that is a minus sign.
_OPENS = frozenset(" \xa0\n\t\r(|=:>~≈*[{,;/×\"'“‘<$^`")
_CURRENCY = re.compile(
    r"(?:(?<![a-z])(?:u\.s\.|us|hk|au|a|ca|cdn|c|sg|s|nz|nt|mx|r|usd|hkd|aud|cad|sgd|nzd)?[ \xa0]?\$"
    r"|[₹€£¥₨₩₽₺₪฿]|人民[币幣]|港[币幣]|美元|欧元|रुपये|रु\.?"
    r"|(?<![a-z])(?:rs|re|rupees?|[a-z]{3})\.?)[ \xa0]{0,3}\Z"
)
_CURRENCY_ENDS = frozenset("$₹€£¥₨₩₽₺₪฿币幣元ु.े")
_LOWER_CODES = frozenset(("usd", "inr", "eur", "gbp", "jpy", "cny", "rmb", "hkd"))
_NEXT = re.compile(
    r"(?:[ \xa0]{0,3}|[ \xa0]?-[ \xa0]?)([a-z]+(?:\.[a-z])*|[%‰$₹€£¥×¢]|[\u0900-\u0963\u0970-\u097f]+)"
)
_MULTIPLIES = re.compile(r"[ \xa0]*[\d$₹€£(]")
_FILINGS = (Decimal(6), Decimal(8), Decimal(10), Decimal(11), Decimal(20), Decimal(40))


@dataclass(frozen=True, slots=True)
class After:
    """What follows a figure.

    Attributes:
        end: where it ends; the end of the figure if nothing follows.
        scale: factor that the scale words give.
        unit: the unit, None if none is written.
        glued: whether letters that are no unit touch the figure (12A, 1st): then it is none.
    """

    end: int
    scale: Decimal = ONE
    unit: Unit | None = None
    glued: bool = False


def currency_before(folded: Folded, at: int) -> tuple[str | None, int]:
    """Return the currency code that ends at a position, and where it starts."""
    low = folded.low
    edge = at - 1
    while edge >= 0 and at - edge <= 3 and low[edge] in " \xa0":
        edge -= 1
    if edge < 0:
        return None, at
    mark = low[edge]
    if not (mark in _CURRENCY_ENDS or "a" <= mark <= "z"):
        return None, at
    found = _CURRENCY.search(low, max(0, at - 12), at)
    if found is None:
        return None, at
    name = found[0].strip(" \xa0").replace(" ", "").replace("\xa0", "")
    code = BEFORE.get(name)
    if code is None:
        return None, at
    if len(name) == 3 and name.isalpha() and name not in _LOWER_CODES:
        start = found.start()
        if not folded.text[start : start + 3].isupper():
            return None, at
    return code, found.start()


def sign_before(folded: Folded, at: int) -> tuple[bool, int]:
    """Return whether a minus sign ends at a position, and where it (or a plus sign) starts."""
    text = folded.text
    if not at:
        return False, at
    mark = text[at - 1]
    if mark in _SIGNS:
        negative = at == 1 or text[at - 2] in _OPENS or (mark == "-" and text[at - 2] == "–")
        return negative, at - 1 if negative else at
    if mark == "+":
        return False, at - 1 if at == 1 or text[at - 2] in _OPENS else at
    if mark in " \xa0":
        return _spaced_sign(folded, at)
    return False, at


def _spaced_sign(folded: Folded, at: int) -> tuple[bool, int]:
    text = folded.text
    if text[at - 2 : at - 1] in _SIGNS and at > 2:
        before = text[max(0, at - 6) : at - 2].rstrip(" \xa0")
        if before[-1:] in ("=", ":", "(", "≈"):
            return True, at - 2
        return False, at
    tail = folded.low[max(0, at - 10) : at].rstrip(" \xa0")
    for word in ("minus", "negative"):
        if tail.endswith(word):
            start = at - (at - max(0, at - 10) - len(tail)) - len(word)
            # "8 minus 3" takes away; it is no sign.
            before = text[max(0, start - 3) : start].rstrip(" \xa0")
            if before[-1:].isdigit() or (before[-1:].isalpha() and text[start - 1] not in " \xa0"):
                return False, at
            return True, start
    return False, at


def after(folded: Folded, numeral: Numeral, end: int, *, money: bool) -> After:
    """Return scale and unit after a figure.

    Args:
        folded: the text.
        numeral: the figure.
        end: where to look: the end of the figure, or of the bracket around it.
        money: whether a currency stands before it, which makes "m" a million.
    """
    low = folded.low
    position, scale, unit = end, ONE, None
    for count in range(6):
        found = _NEXT.match(low, position)
        if found is None:
            break
        word = found[1]
        gap = found.start(1) - position
        factor = SCALES.get(word)
        if factor is None and word in LETTER_SCALES and scale == 1:
            factor = _letter_scale(folded, numeral, found, gap, money=money)
        if factor is not None and count < 3:
            scale *= factor
            position = found.end()
            continue
        unit, position = _unit(folded, numeral, found, scale)
        if unit is None and gap == 0 and "a" <= word[0] <= "z" and position == end:
            return After(end, glued=True)
        break
    return After(position, scale, unit)


def _letter_scale(
    folded: Folded, numeral: Numeral, found: re.Match[str], gap: int, *, money: bool
) -> Decimal | None:
    """Return the factor of a single letter, where the figure beside it makes it a scale.

    "$3m", "12.5M" and "250k" are scaled; "3M", "10-K" and "5 m" are not.
    """
    letter = found[1]
    if numeral.words or "-" in found[0]:
        return None
    if money:
        return LETTER_SCALES[letter] if gap <= 1 else None
    if gap or letter in "tl":
        return None
    if letter == "k":
        filing = folded.text[found.start(1)] == "K" and numeral.value in _FILINGS
        return None if filing else LETTER_SCALES[letter]
    alone = numeral.start <= 1 and found.end() >= len(folded.text) - 1
    long = not numeral.bare or numeral.value >= 100
    return LETTER_SCALES[letter] if long or alone else None


def _unit(
    folded: Folded, numeral: Numeral, found: re.Match[str], scale: Decimal
) -> tuple[Unit | None, int]:
    """Return the unit that a word begins, and where it ends (the start of the gap if none)."""
    low = folded.low
    word = found[1]
    stays = found.start()
    for pattern, pair in PAIRS.get(word, ()):
        second = pattern.match(low, found.end())
        if second:
            return pair, second.end()
    unit = AFTER.get(word)
    if unit is None:
        unit = Unit("count") if word in COUNTED and found.start(1) > stays else None
        return (unit, found.end()) if unit else (None, stays)
    if not _unit_holds(folded, numeral, found, scale):
        return None, stays
    return unit, found.end()


def _unit_holds(folded: Folded, numeral: Numeral, found: re.Match[str], scale: Decimal) -> bool:
    """Return whether a word that can be a unit is one here."""
    word, low = found[1], folded.low
    if word in ("x", "×", "times"):
        if _MULTIPLIES.match(low, found.end()):
            return False
        capital = folded.text[found.start(1)] == "X"
        return not (capital and numeral.bare and numeral.value >= 100)
    if word == "$":
        return found.start(1) == found.start() and not low[found.end() : found.end() + 1].isdigit()
    if word in ("₹", "€", "£", "¥"):
        return not low[found.end() : found.end() + 2].lstrip(" \xa0")[:1].isdigit()
    if (
        len(word) == 3
        and word.isalpha()
        and AFTER[word].kind == "money"
        and word.upper() not in ("YEN", "WON")
    ):
        return word in _LOWER_CODES or folded.text[found.start(1) : found.end()].isupper()
    return word != "won" or scale > 1
