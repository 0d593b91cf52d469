"""What touches a figure: currency and sign before it, scale and unit after it.

In: a folded text and a position in it.  Out: what stands there and where it ends.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import NamedTuple

from finassay.text.folding import Folded
from finassay.text.han_units import han_after
from finassay.text.numerals import ONE, Numeral
from finassay.text.tuples import new_tuple
from finassay.text.units import (
    AFTER,
    BEFORE,
    COUNTED,
    DOLLARS,
    LETTER_SCALES,
    LOWER_CODES,
    PAIRS,
    SCALES,
    Unit,
    words,
)

_SPACES = " \xa0"
# What may stand before a hyphen that is a minus sign.
_OPENS = frozenset(" \xa0\n\t\r(|=:>~≈*[{,;/×\"'“‘<$^`为是")
_SYMBOL = re.compile(r"(?:(?<![a-z])(u\.s\.|[a-z]{1,3})[ \xa0]?)?\$\Z")
_BEFORE_A_SIGN = frozenset(
    words("is was are were be of by at to about approximately than equals and or a from")
)
_SIGNS = frozenset("₹€£¥₨₩₽₺₪฿")
_LEADING = "([{*-–+=:,;/~≈<>≥≤|\"'“‘`^."
_LAST_WORD = re.compile(r"[\xa0\s]")
_HAN_MONEY = ("人民币", "人民幣", "港币", "港幣", "美元", "欧元")
_NEXT = re.compile(
    r"(?:[ \xa0]{0,3}|[ \xa0]?-[ \xa0]?)"
    r"([a-z]+(?:\.[a-z])*|[%‰$₹€£¥×¢]|[\u0900-\u0963\u0970-\u097f]+)"
)
_MULTIPLIES = re.compile(r"[ \xa0]*[\d$₹€£(]")
_FILINGS = (Decimal(6), Decimal(8), Decimal(10), Decimal(11), Decimal(20), Decimal(40))
_MOST_SCALES = 3


class After(NamedTuple):
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
    edge = at
    while edge > 0 and at - edge <= 3 and low[edge - 1] in _SPACES:
        edge -= 1
    if edge == 0:
        return None, at
    mark = low[edge - 1]
    if mark in _SIGNS:
        return BEFORE[mark], edge - 1
    if mark == "$":
        return _dollars(low, edge)
    if "a" <= mark <= "z" or mark == ".":
        return _code(folded, at, edge)
    if mark > "\u0900":
        return _in_other_scripts(low, at, edge)
    return None, at


def _dollars(low: str, edge: int) -> tuple[str | None, int]:
    found = _SYMBOL.search(low, max(0, edge - 7), edge)
    if found is None:
        return None, edge
    prefix = found[1] or ""
    code = DOLLARS.get(prefix) or BEFORE.get(f"{prefix}$")
    if code is None:
        return "USD", edge - 1
    return code, found.start()


def _code(folded: Folded, at: int, edge: int) -> tuple[str | None, int]:
    """Return the currency that a word before a figure names."""
    low = folded.low
    word = low[max(0, low.rfind(" ", edge - 7 if edge > 7 else 0, edge) + 1, edge - 7) : edge]
    code = BEFORE.get(word)
    if code is None:
        if "a" <= word[0] <= "z" and word.isalpha():
            return None, at
        word = _LAST_WORD.split(word)[-1].lstrip(_LEADING)
        code = BEFORE.get(word)
        if code is None:
            return None, at
    start = edge - len(word)
    if start and low[start - 1].isalnum() and low[start - 1].isascii():
        return None, at
    if word in ("re", "re."):
        return (code, start) if folded.text[start] == "R" else (None, at)
    if len(word) == 3 and word.isalpha() and word not in LOWER_CODES:
        return (code, start) if folded.text[start:edge].isupper() else (None, at)
    return code, start


def _in_other_scripts(low: str, at: int, edge: int) -> tuple[str | None, int]:
    for name in _HAN_MONEY:
        if low.endswith(name, 0, edge):
            return BEFORE[name], edge - len(name)
    begin = max(0, edge - 8)
    word = low[begin:edge].rsplit(maxsplit=1)[-1:]
    code = BEFORE.get(word[0]) if word else None
    return (code, edge - len(word[0])) if code else (None, at)


def sign_before(folded: Folded, at: int) -> tuple[bool, int]:
    """Return whether a minus sign ends at a position, and where it (or a plus sign) starts."""
    if not at:
        return False, at
    text = folded.text
    mark = text[at - 1]
    if mark in _SPACES:
        return _spaced_sign(folded, at)
    if mark not in "-–+":
        return False, at
    before = text[at - 2] if at > 1 else ""
    # "10-5" takes away, "+/-5" and "--5" are no negative figures.
    if (before and before not in _OPENS) or text[max(0, at - 3) : at - 1] == "+/":
        return False, at
    return mark != "+", at - 1


def _spaced_sign(folded: Folded, at: int) -> tuple[bool, int]:
    text = folded.text
    mark = text[at - 2] if at > 1 else ""
    if mark and mark in "-–":
        before = text[max(0, at - 6) : at - 2].rstrip(_SPACES)
        if before[-1:] and before[-1] in "=:(≈":
            return True, at - 2
        return False, at
    if mark not in ("s", "e", "S", "E"):
        return False, at
    begin = max(0, at - 11)
    tail = folded.low[begin:at].rstrip(_SPACES)
    for word in ("minus", "negative"):
        if tail.endswith(word):
            return _worded_sign(text, at, begin + len(tail) - len(word))
    return False, at


def _worded_sign(text: str, at: int, start: int) -> tuple[bool, int]:
    """Return whether "minus" is a sign: after a noun or figure it takes away ("8 minus 3")."""
    if start and text[start - 1].isalnum():
        return False, at
    before = text[max(0, start - 16) : start].rstrip(_SPACES)
    last = before.rsplit(maxsplit=1)[-1:]
    takes_away = bool(last) and last[0][-1].isalnum() and last[0].lower() not in _BEFORE_A_SIGN
    return (False, at) if takes_away and text[at - 2] in "sS" else (True, start)


def after(folded: Folded, numeral: Numeral, end: int, *, money: bool) -> After:
    """Return scale and unit after a figure.

    Args:
        folded: the text.
        numeral: the figure.
        end: where to look: the end of the figure, or of the bracket around it.
        money: whether a currency stands before it, which makes "m" a million.
    """
    low = folded.low
    found = _NEXT.match(low, end)
    if found is not None and found[1] not in _SAYS:
        # The gap before a word that is no unit belongs to nobody.
        glued = found.start(1) == end and "a" <= found[1][0] <= "z"
        return new_tuple(After, (end, ONE, None, glued))
    if found is None:
        in_english = numeral.words and low[numeral.end - 1].isascii()
        han = None if in_english or folded.text.isascii() else han_after(low, end)
        return new_tuple(After, (end, ONE, None, False)) if han is None else After(*han)
    position, scale, unit = end, ONE, None
    scales = 0
    while found is not None:
        word = found[1]
        factor = SCALES.get(word)
        if factor is None and word in LETTER_SCALES and scale == 1:
            factor = _letter_scale(folded, numeral, found, money=money)
        if factor is not None and scales < _MOST_SCALES:
            scale *= factor
            scales += 1
            position = found.end()
        elif unit is None:
            unit, position = _unit(folded, numeral, found, scale)
            if unit is None:
                # The gap before a word that is no unit belongs to nobody.
                if found.start(1) == end and "a" <= word[0] <= "z":
                    return After(end, glued=True)
                break
            if unit.kind != "money" or scale != 1:
                break
        else:
            break
        found = _NEXT.match(low, position)
    return new_tuple(After, (position, scale, unit, False))


# Every word that says something after a figure.
_SAYS = frozenset((*SCALES, *LETTER_SCALES, *PAIRS, *AFTER, *COUNTED))


def _letter_scale(
    folded: Folded, numeral: Numeral, found: re.Match[str], *, money: bool
) -> Decimal | None:
    """Return the factor of a single letter, where the figure beside it makes it a scale.

    "$3m", "12.5M" and "250k" are scaled; "3M", "10K" and "5 m" are not.
    """
    letter = found[1]
    gap = found.start(1) - found.start()
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
    word = found[1]
    for pattern, pair in PAIRS.get(word, ()):
        second = pattern.match(folded.low, found.end())
        if second:
            return pair, second.end()
    unit = AFTER.get(word)
    if unit is None:
        counts = scale != 1 or numeral.step == 1
        if counts and word in COUNTED and found.start(1) > found.start():
            return _COUNT, found.end()
        return None, found.start()
    if not _unit_holds(folded, numeral, found, scale):
        return None, found.start()
    return unit, found.end()


_COUNT = Unit("count")
_DOUBTFUL = frozenset(("x", "×", "times", "$", "₹", "€", "£", "¥", "won", "second", "min"))


def _unit_holds(folded: Folded, numeral: Numeral, found: re.Match[str], scale: Decimal) -> bool:
    """Return whether a word that can be a unit is one here."""
    word, low = found[1], folded.low
    if word not in _DOUBTFUL:
        # "5 try to" holds no Turkish lira: codes that are also words need capitals.
        code = len(word) == 3 and AFTER[word].kind == "money" and word in BEFORE
        return not code or word in LOWER_CODES or _is_upper(folded, found)
    following = low[found.end() : found.end() + 2].lstrip(_SPACES)[:1]
    if word in ("x", "×", "times"):
        if _MULTIPLIES.match(low, found.end()):
            return False
        capital = folded.text[found.start(1)] == "X"
        return not (capital and numeral.bare and numeral.value >= 100)
    if word == "won":
        return scale > 1
    if word in ("second", "min"):
        return "-" in found[0] or found.start(1) == found.start()
    glued = found.start(1) == found.start()
    return (glued or word != "$") and not following.isdigit()


def _is_upper(folded: Folded, found: re.Match[str]) -> bool:
    return folded.text[found.start(1) : found.end(1)].isupper()
