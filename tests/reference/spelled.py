"""Whole numbers spelled out, by the rules of a school book: the other way round of the readers."""

from __future__ import annotations

ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
)
TENS = "twenty thirty forty fifty sixty seventy eighty ninety"


def _below_hundred(value: int) -> str:
    if value < 20:
        return ONES.split()[value]
    tens, ones = divmod(value, 10)
    word = TENS.split()[tens - 2]
    return f"{word}-{ONES.split()[ones]}" if ones else word


def _below_thousand(value: int) -> str:
    hundreds, rest = divmod(value, 100)
    if not hundreds:
        return _below_hundred(rest)
    head = f"{ONES.split()[hundreds]} hundred"
    return f"{head} and {_below_hundred(rest)}" if rest else head


def english(value: int) -> str:
    """Return a whole number below a thousand trillions in English words."""
    if value == 0:
        return "zero"
    parts = []
    for scale, name in (
        (10**12, "trillion"),
        (10**9, "billion"),
        (10**6, "million"),
        (1000, "thousand"),
    ):
        count, value = divmod(value, scale)
        if count:
            parts.append(f"{_below_thousand(count)} {name}")
    if value:
        parts.append(_below_thousand(value))
    return " ".join(parts)


def indian(value: int) -> str:
    """Return a whole number below a lakh crore in English words with Indian scales."""
    parts = []
    for scale, name in ((10**7, "crore"), (10**5, "lakh"), (1000, "thousand")):
        count, value = divmod(value, scale)
        if count >= 100_000:
            raise ValueError(f"too large for Indian words here: {count} {name}")
        if count >= 1000:
            parts.append(f"{indian(count)} {name}")
        elif count:
            parts.append(f"{_below_thousand(count)} {name}")
    if value:
        parts.append(_below_thousand(value))
    return " ".join(parts)


def _chinese_section(value: int) -> str:
    """Return a number below ten thousand in Chinese numerals, with 零 for the places left out."""
    digits = "零一二三四五六七八九"
    text, gap = "", False
    for place, name in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit, value = divmod(value, place)
        if digit:
            text += f"{'零' if gap and text else ''}{digits[digit]}{name}"
            gap = False
        else:
            gap = True
    return text


def chinese(value: int) -> str:
    """Return a whole number below ten thousand 亿亿 in Chinese numerals."""
    if value == 0:
        return "零"
    text = ""
    for scale, name in ((10**12, "万亿"), (10**8, "亿"), (10**4, "万"), (1, "")):
        count, value = divmod(value, scale)
        if count:
            text += f"{'零' if text and count < 1000 else ''}{_chinese_section(count)}{name}"
    return text
