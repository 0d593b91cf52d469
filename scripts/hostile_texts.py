"""Texts that try to break readers of text, all from a seed.

`random_text` gives short ones: random Unicode, real-shaped replies with random damage, and soups of
the very marks that readers look for.  `SHAPES` are families of long ones, for measuring how time
grows: each takes a length and returns a text of exactly that many characters.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache

from finassay.benchmarks.adversarial import adversarial_replies
from finassay.benchmarks.bundled import bundled_names, load_bundled

# First and last code points of the ranges that random characters are drawn from.
RANGES = (
    (0x00, 0x7F),  # ASCII with controls
    (0x80, 0x24F),  # Latin, no-break space, soft hyphen
    (0x300, 0x36F),  # combining marks
    (0x590, 0x6FF),  # Hebrew and Arabic, written from the right
    (0x900, 0x97F),  # Devanagari
    (0x2000, 0x20CF),  # spaces, dashes, zero width, directions, superscripts, currencies
    (0x2150, 0x218F),  # vulgar fractions and Roman numerals
    (0x2460, 0x24FF),  # circled numbers
    (0x3000, 0x30FF),  # marks of Chinese and Japanese
    (0x4E00, 0x4FFF),  # Chinese
    (0xD800, 0xDFFF),  # halves of surrogate pairs
    (0xFE00, 0xFEFF),  # variation selectors, small and Arabic forms, byte order mark
    (0xFF00, 0xFFFF),  # full width and the last code points of the plane
    (0x1D400, 0x1D7FF),  # mathematical letters and digits
    (0x1F100, 0x1F1FF),  # enclosed letters, flags
    (0xE0000, 0xE007F),  # tags
)

MARKS = (
    "0", "1", "12", "007", "1,23,456", "1,234,567.89", "1.234,56", ",", ".", "..", "...", "-", "--",
    "\u2212", "\u2013", "\u2014", "+", "±", "~", "(", ")", "((", "))", "(1,234)", "[", "]", "{",
    "}", "<", ">", "<=", ">=", "=", "==", "/", "/-", "\\", "\\boxed{", "\\frac{1}{2}", "\\$", "$",
    "$$", "US$", "€", "£", "¥", "₹", "Rs", "Rs.", "INR ", "USD", "HK$", "%", " %", "‰", "%%",
    "per cent", "percent", "percentage points", "bps", "basis points", "pp", "x", "times", ":",
    "e", "E5", "1e400", "e-9", "k", "mn", "MM", "million", "billion", "bn", "tn", "lakh", "crore",
    "lakh crore", "thousand", "hundred", "and", "a", "half", "one", "twenty-", "thirty", "minus",
    "negative", "two-thirds", "point", "dozen", "days", "working days", "months", "years", "FY",
    "FY2012-13", "FY'", "Q3", "2012-13", "31 March", "March 31,", "31/12/2020", "2020-", "1st",
    "99/99/9999", "Section", "Section 12A(3)(b)", "Regulation", "clause (", "Schedule III", "Tier",
    "Form 10-K", "Note", "Article", "1.", "2)", "(i)", "- ", "* ", "#", "①", "Step 3:", "Answer:",
    "Final answer", "**", "*", "__", "`", "```", "|", "|---|", "Therefore", "yes", "no", "not",
    "never", "No,", "neither", "nor", "n't", "either", "or", "may", "increase", "decreased", "at",
    "at least", "not less than", "up to", "between", "to", "from", "about", "approximately", ">~",
    "cannot be determined", "not provided", "(A)", "B", "C.", "D)", "$B$", "None of the above",
    "一", "二", "十", "百", "千", "万", "亿", "零", "两", "点", "百分之", "元", "第", "条", "年",
    "月", "日", "不", "不超过", "以上", "答案", "०", "१२", "٣", "１２", "％", "（", "）", "Ⅳ", "½",
    "²", "\u00a0", "\u202f", "\u200b", "\u200d", "\u202e", "\ufeff", "\u0301", "\u2028", "\x00",
    "\x85", " ", "  ", "\n", "\n\n", "\t", "\r\n", "<think>", "</think>", '{"a": [', '"', "'",
    "\u2019",
)  # fmt: skip


@cache
def real_texts() -> tuple[str, ...]:
    """Return real-shaped texts: references, questions and replies of the bundled sets."""
    items = [item for name in bundled_names() for item in load_bundled(name)]
    replies = adversarial_replies()
    return (
        *(reply.prediction.text for reply in replies),
        *(reply.item.reference or "" for reply in replies),
        *(reply.item.question for reply in replies),
        *(item.context for item in items),
        *(item.reference or "" for item in items),
    )


def random_text(rng: random.Random) -> str:
    """Return one short text; most have fewer than 200 characters, a few some thousands."""
    return rng.choices(
        (any_characters, marks, damaged, spliced, runs), weights=(20, 30, 30, 15, 5)
    )[0](rng)


def any_character(rng: random.Random) -> str:
    """Return one character of the ranges, or of all of Unicode."""
    first, last = rng.choice(RANGES) if rng.random() < 0.9 else (0, 0x10FFFF)
    return chr(rng.randint(first, last))


def any_characters(rng: random.Random) -> str:
    """Return random characters."""
    return "".join(any_character(rng) for _ in range(rng.randint(0, 40)))


def marks(rng: random.Random) -> str:
    """Return marks that readers look for, in a row, with or without spaces."""
    return rng.choice(("", " ", " ", "\n")).join(rng.choices(MARKS, k=rng.randint(1, 25)))


def damaged(rng: random.Random) -> str:
    """Return a real-shaped text with random damage."""
    text = _cut(rng, rng.choice(real_texts()))
    for _ in range(rng.randint(1, 6)):
        at = rng.randint(0, len(text))
        to = min(len(text), at + rng.randint(0, 6))
        piece = rng.choice(
            ("", any_character(rng), rng.choice(MARKS), text[at:to] * 2, text[at:to][::-1])
        )
        text = text[:at] + piece + text[to:]
    return text


def spliced(rng: random.Random) -> str:
    """Return pieces of several real-shaped texts."""
    pieces = (_cut(rng, rng.choice(real_texts())) for _ in range(rng.randint(2, 4)))
    return rng.choice(("", " ", "\n", " = ")).join(pieces)


def runs(rng: random.Random) -> str:
    """Return up to three long runs of one mark each."""
    return "".join(rng.choice(MARKS) * rng.randint(1, 400) for _ in range(rng.randint(1, 3)))


def _cut(rng: random.Random, text: str, longest: int = 160) -> str:
    start = rng.randint(0, max(0, len(text) - 20))
    return text[start : start + rng.randint(1, longest)]


def _run(piece: str) -> Callable[[int], str]:
    return lambda length: (piece * (length // len(piece) + 1))[:length]


def _nest(opening: str, closing: str) -> Callable[[int], str]:
    def nested(length: int) -> str:
        depth = length // (len(opening) + len(closing))
        return (opening * depth + closing * depth).ljust(length)[:length]

    return nested


def _random(make: Callable[[random.Random], str]) -> Callable[[int], str]:
    def text(length: int) -> str:
        rng, parts, held = random.Random(7), [], 0
        while held < length:
            parts.append(f"{make(rng)} ")
            held += len(parts[-1])
        return "".join(parts)[:length]

    return text


SHAPES: dict[str, Callable[[int], str]] = {
    "real texts": _random(spliced),
    "damaged texts": _random(damaged),
    "marks": _random(marks),
    "random characters": _random(any_characters),
    "digits": _run("1"),
    "digits and commas": _run("1,"),
    "groups of three": _run("123,"),
    "digits and points": _run("1."),
    "digits and hyphens": _run("1-"),
    "digits and slashes": _run("1/"),
    "digits and spaces": _run("1 "),
    "commas": _run(","),
    "points": _run("."),
    "hyphens": _run("-"),
    "spaces": _run(" "),
    "no-break spaces": _run("\u00a0"),
    "lines": _run("\n"),
    "spaces, then a digit": lambda length: " " * (length - 1) + "1",
    "letters": _run("a"),
    "opening brackets": _run("("),
    "closing brackets": _run(")"),
    "nested brackets": _nest("(", ")"),
    "nested boxes": _nest("\\boxed{", "}"),
    "open boxes": _run("\\boxed{"),
    "stars": _run("*"),
    "bold": _run("**a** "),
    "dollars": _run("$"),
    "equal signs": _run("= "),
    "answer lines": _run("Answer: \n"),
    "signs": _run("+-\u2212\u2013("),
    "percents": _run("5 % "),
    "number words": _run("one hundred and "),
    "hundreds": _run("hundred "),
    "lakh crore": _run("lakh crore "),
    "money": _run("Rs. 5 crore to US$ 1,23,456 million, "),
    "at least": _run("not less than at least "),
    "sections": _run("Section 12A(3)(b), "),
    "sections with open brackets": _run("Section 1("),
    "letters in brackets": _run("(a)(b)"),
    "dates": _run("31 March 2020, 31/12/2020 and "),
    "half dates": _run("31 March "),
    "financial years": _run("FY 2012-13 "),
    "list markers": _run("1. a\n"),
    "negations": _run("not no never n't "),
    "yes and no": _run("yes or no, "),
    "refusals": _run("cannot be determined from the "),
    "option letters": _run("(A) B, C. "),
    "Chinese digits": _run("一二三四五"),
    "Chinese scales": _run("万亿"),
    "Chinese percents": _run("百分之"),
    "full width": _run("１，２（"),
    "combining marks": lambda length: "e" + "\u0301" * (length - 1),
    "zero width": _run("1\u200b"),
    "from the right": _run("\u202e١٢,"),
    "surrogates": _run("\ud800"),
    "braces": _run('{"a": ['),
    "table": _run("| 1,234 | (56) |\n"),
    "quotes": _run("\"'\u2019"),
    "abbreviations": _run("e.g. Rs. No. i.e. "),
    "think blocks": _run("<think>"),
}
