"""How numbers and names are written in every format.  In: results.  Out: strings.

Digits, minus signs and lists are decided in `finassay.analyses.wording`, where sentences take them
from too; dashes and what a reader sees of a hostile name are decided here.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from finassay.analyses.wording import (
    MINUS,
    count,
    digits_for,
    finite,
    fixed,
    listed,
    percent,
    plural,
)

__all__ = [
    "ELLIPSIS",
    "EM_DASH",
    "EN_DASH",
    "MINUS",
    "NAME_WIDTH",
    "SUPERSCRIPTS",
    "clean",
    "coefficient",
    "count",
    "digits_for",
    "fixed",
    "level",
    "listed",
    "p_value",
    "percent",
    "plural",
    "points",
    "rank",
    "sentence",
    "share",
    "short_names",
    "shortened",
    "signed",
    "span",
]

EM_DASH = "—"
EN_DASH = "–"
ELLIPSIS = "…"
SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹"

NAME_WIDTH = 60
"""Characters of a name in tables; longer names are cut in the middle and listed in full once."""


def points(change: float, n: int) -> str:
    """Return a difference of fractions as signed percentage points."""
    return signed(100 * change, digits_for(n))


def signed(number: float, digits: int = 0) -> str:
    """Return the number with its sign; a number that rounds to zero has none."""
    text = fixed(number, digits)
    return text if text.startswith(MINUS) or not text.strip("0.,") else f"+{text}"


def level(of_interval: float) -> str:
    """Return the level of an interval, 0.95 as "95%"."""
    return f"{100 * of_interval:g}%"


def share(total: float, n: int) -> str:
    """Return "k/n"."""
    return f"{count(total)}/{count(n)}"


def span(low: float, high: float, n: int) -> str:
    """Return an interval of fractions as percents, "86.3–92.3"."""
    return f"{percent(low, n)}{EN_DASH}{percent(high, n)}"


def p_value(p: float) -> str:
    """Return a p value: two decimals from 0.10 on, three below, "<0.001" under that."""
    if finite(p) < 0.001:
        return "<0.001"
    return f"{p:.2f}" if p >= 0.1 else f"{p:.3f}"


def p_exact(p: float) -> str:
    """Return p with three significant digits, for instance 8.24×10⁻⁴ below 0.001."""
    if finite(p) >= 0.001 or p == 0:
        return f"{p:#.3g}" if 0 < p < 1 else f"{p:g}"
    base, power = f"{p:.2e}".split("e")
    return f"{base}×10⁻{''.join(SUPERSCRIPTS[int(digit)] for digit in str(-int(power)))}"


def coefficient(value: float) -> str:
    """Return a coefficient in [-1, 1] with three decimals."""
    return fixed(value, 3)


def rank(value: float) -> str:
    """Return a rank: whole where it is whole, else with one decimal (average ranks)."""
    return fixed(value, 0 if float(value).is_integer() else 1)


def clean(text: str) -> str:
    """Return text in one line without control, format and bidirectional override characters.

    They have no place in a name and could reorder or hide what stands beside it.
    """
    kept = (
        " " if char in "\t\n\r" else char
        for char in text
        if char in "\t\n\r" or unicodedata.category(char) not in {"Cc", "Cf", "Cs", "Co", "Cn"}
    )
    return " ".join("".join(kept).split())


def sentence(text: str, names: Iterable[str] = ()) -> str:
    """Return cleaned text that begins with a capital and ends with a full stop.

    A text that begins with one of the names, or with a word that is none (an id, a file), keeps
    its first letter: "gemini25_pro" is not "Gemini25_pro".
    """
    shown = clean(text)
    if not shown:
        return ""
    end = "" if shown.endswith((".", "!", "?", ":", ";")) else "."
    first = shown.split(maxsplit=1)[0].rstrip(",;:.")
    is_word = first.isalpha() and first not in set(names)
    return f"{shown[0].upper() if is_word else shown[0]}{shown[1:]}{end}"


def shortened(name: str, width: int = NAME_WIDTH) -> str:
    """Return the cleaned name, cut in the middle when it is longer than `width` characters."""
    shown = clean(name) or "(no name)"
    if len(shown) <= width:
        return shown
    head = (width - 1) * 2 // 3
    return f"{shown[:head].rstrip()}{ELLIPSIS}{shown[-(width - 1 - head) :].lstrip()}"


def short_names(names: Iterable[str], width: int = NAME_WIDTH) -> dict[str, str]:
    """Return a different shown name of at most `width` characters for every name."""
    shown: dict[str, str] = {}
    taken: set[str] = set()
    for name in dict.fromkeys(names):
        text, again = shortened(name, width), 2
        while text in taken:
            mark = f" ({again})"
            text, again = shortened(name, width - len(mark)) + mark, again + 1
        taken.add(text)
        shown[name] = text
    return shown
