"""Numbers in Chinese numerals.  In: a folded text.  Out: numerals with their spans.

A small grammar over simplified, traditional and banker's numerals: 三亿五千万, 十万零五千, 贰拾万,
三万五 (35000), 二〇二四, 三点五亿; shares (百分之十二, 三分之一); two digits in a row are an
approximation (两三个月 is 2 to 3).  Free text is never rewritten: 统一 and 第一 hold no number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from finassay.text.folding import ends_of
from finassay.text.numerals import ONE, Numeral

_DIGITS = {digit: value for value, digit in enumerate("零一二三四五六七八九")}
_DIGITS |= {digit: value for value, digit in enumerate("零壹贰叁肆伍陆柒捌玖")}
_DIGITS |= {"〇": 0, "两": 2, "兩": 2, "貳": 2, "參": 3, "叄": 3, "陸": 6}
_UNITS = {"十": 10, "百": 100, "千": 1000, "拾": 10, "佰": 100, "仟": 1000}
_BIG = {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8, "兆": 10**12}
_ALL = "".join({**_DIGITS, **_UNITS, **_BIG})
_SMALL = "".join({**_DIGITS, **_UNITS})

_RUN = re.compile(rf"[{_ALL}]{{1,40}}(?:点[{''.join(_DIGITS)}]{{1,20}}[{''.join(_BIG)}]{{0,2}})?")
_SHARE = re.compile(
    rf"(?P<under>[百千万萬]|[{_SMALL}]{{1,3}})分之"
    rf"(?P<over>[0-9]{{1,12}}(?:\.[0-9]{{1,12}})?|[{_ALL}]{{1,12}}(?:点[{''.join(_DIGITS)}]{{1,12}})?)"
)
_LONE_UNITS = frozenset("百千佰仟")
_PERCENT_OF = {"百": Decimal(1), "千": Decimal("0.1"), "万": Decimal("0.01"), "萬": Decimal("0.01")}
_ORDINAL = "第其初"
_BOUND = frozenset("统統唯专專单單同任某每逐惟划划归歸不")
_HALF = re.compile(r"(?<![上下前后後大多])半(?=[年天日]|个月|個月|小时|小時)(?!年[报報度])")


def chinese_numerals(text: str) -> Iterator[Numeral]:
    """Yield the numbers in Chinese numerals of a folded text; the caller orders them."""
    until = 0
    for share in ends_of(_SHARE, text):
        numeral = _share(share)
        if numeral is not None:
            yield numeral
    if "半" in text:
        for half in ends_of(_HALF, text):
            yield Numeral(half.start(), half.end(), Decimal("0.5"), Decimal(0), words=True)
    for run in ends_of(_RUN, text):
        start, end = run.span()
        before = text[start - 1 : start]
        # "20万" is digits with a scale; the scale is read with the digits.
        if start < until or before.isdigit() or (before and before in _ORDINAL):
            continue
        if before and before in _BOUND and end - start == 1:
            continue
        numeral = _numeral(start, run[0])
        if numeral is not None:
            yield numeral
            until = numeral.end


def _share(match: re.Match[str]) -> Numeral | None:
    over = match["over"]
    top = Decimal(over) if over[0].isdigit() and over[0].isascii() else _value(over)
    if top is None:
        return None
    step = ONE
    if "." in over:
        step = ONE.scaleb(over.index(".") + 1 - len(over))
    elif "点" in over:
        step = ONE.scaleb(over.index("点") + 1 - len(over))
    factor = _PERCENT_OF.get(match["under"])
    if factor is not None:
        return Numeral(
            match.start(), match.end(), top * factor, step * factor, words=True, percent=True
        )
    under = _value(match["under"])
    if not under or top > under:
        return None
    return Numeral(match.start(), match.end(), top / under, Decimal(0), words=True)


def _value(run: str) -> Decimal | None:
    whole, _, decimals = run.partition("点")
    parsed = _parsed(whole)
    if parsed is None or parsed.high is not None:
        return None
    if not decimals:
        return parsed.value
    return parsed.value + Decimal("0." + "".join(str(_DIGITS[c]) for c in decimals))


@dataclass(slots=True)
class _Parsed:
    value: Decimal
    high: Decimal | None = None
    loose: bool = False


def _numeral(start: int, run: str) -> Numeral | None:
    whole, point, rest = run.partition("点")
    parsed = _parsed(whole)
    if parsed is None:
        return None
    end = start + len(run)
    if not point:
        step = _trailing_scale(whole)
        return Numeral(
            start, end, parsed.value, step, words=True, high=parsed.high, loose=parsed.loose
        )
    digits = rest.rstrip("".join(_BIG))
    scale = _trailing_scale(rest)
    fraction = Decimal("0." + "".join(str(_DIGITS[c]) for c in digits))
    step = ONE.scaleb(-len(digits)) * scale
    return Numeral(start, end, (parsed.value + fraction) * scale, step, words=True)


def _trailing_scale(run: str) -> Decimal:
    """Return the factor of the scales that end a run: 三亿 is exact to a hundred million."""
    scale = ONE
    for character in reversed(run):
        if character not in _BIG:
            break
        scale *= _BIG[character]
    return scale


def _parsed(run: str) -> _Parsed | None:
    """Return the value of a run of numerals; None if it is no number."""
    if all(character in _DIGITS for character in run):
        return _digits_only(run)
    if run[0] in _BIG or run in _LONE_UNITS:
        return None
    if len(run) > 2 and 0 < _DIGITS.get(run[-2], 0) == _DIGITS.get(run[-1], 0) - 1:
        # 十二三 is 12 to 13.
        low, high = _joined(run[:-1]), _joined(run[:-2] + run[-1])
        if low is not None and high is not None:
            return _Parsed(Decimal(low), Decimal(high))
    value = _joined(run)
    return None if value is None else _Parsed(Decimal(value), loose=len(run) == 1 or run == "千万")


def _digits_only(run: str) -> _Parsed | None:
    values = [_DIGITS[character] for character in run]
    if len(run) == 1:
        return _Parsed(Decimal(values[0]), loose=True)
    if len(run) == 2 and values[0] and values[1] == values[0] + 1:
        return _Parsed(Decimal(values[0]), Decimal(values[1]), loose=True)
    return _Parsed(Decimal("".join(map(str, values))), loose=len(run) == 2)


@dataclass(slots=True)
class _Sum:
    """A number under construction: closed parts, the part below ten thousand, the open digit."""

    total: int = 0
    section: int = 0
    digit: int | None = None
    unit: int = 0
    zero: bool = False


def _joined(run: str) -> int | None:
    so_far = _Sum()
    for character in run:
        taken = _digit(so_far, character) if character in _DIGITS else _unit(so_far, character)
        if not taken:
            return None
    if so_far.digit is None:
        return so_far.total + so_far.section
    # 三万五 leaves the last unit out: it is 35000; 十五 and 一百零五 do not.
    elided = so_far.unit > 10 and not so_far.zero and so_far.digit
    last = so_far.digit * (so_far.unit // 10 if elided else 1)
    return so_far.total + so_far.section + last


def _digit(so_far: _Sum, character: str) -> bool:
    value = _DIGITS[character]
    if value == 0:
        so_far.zero = True
        return so_far.digit is None
    if so_far.digit is not None:
        return False
    so_far.digit = value
    return True


def _unit(so_far: _Sum, character: str) -> bool:
    if character in _UNITS:
        unit = _UNITS[character]
        digit = 1 if so_far.digit is None else so_far.digit
        if so_far.section % unit and so_far.digit is None:
            return False
        if so_far.section and so_far.section % (unit * 10):
            return False
        so_far.section += digit * unit
    else:
        unit = _BIG[character]
        section = so_far.section + (so_far.digit or 0)
        if section:
            so_far.total = _scaled_total(so_far.total, section, unit)
        else:
            # 万亿: a scale of a scale.
            so_far.total *= unit
        so_far.section = 0
        if not so_far.total:
            return False
    so_far.unit, so_far.digit, so_far.zero = unit, None, False
    return True


def _scaled_total(total: int, section: int, unit: int) -> int:
    """Return the total with a section taken in; a larger scale (三千万亿) takes in both."""
    if total and total < unit:
        return (total + section) * unit
    return total + section * unit
