"""The parts of a declared rule.  In: texts.  Out: passages, similarities, numbers, bounds.

Each function answers one question of `scorers.declared` by itself, so that many rules can share
the answer.  All are pure and total over all strings.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from types import MappingProxyType
from typing import Literal

from rapidfuzz import fuzz

from finassay.scorers.numbers import numerals
from finassay.scorers.strict import is_silent
from finassay.text.refusals import says_refusal
from finassay.text.sentences import sentences
from finassay.text.tokens import tokens

Passage = Literal["whole", "first-sentence", "final"]
"""Which part of a reply is compared; "final" is what follows its last answer cue, else its last
line that is not blank."""

Matcher = Literal["exact", "includes", "token_f1", "token_set", "token_sort", "partial"]

Numbers = Literal["ignore", "written", "equal", "subset", "last"]
"""Which numbers must agree: none are read; digits as written in the normalised texts, as
`strict/numbers-first` reads them; equal sets of values; all values of the reference; the last."""

Percent = Literal["as-written", "bare", "fraction"]
"""5% is no 5 and no 0.05; the sign is not read; 5% is 0.05."""

Value = tuple[float, bool]
"""A number and whether it counts as a percent."""

_CUE = re.compile(
    r"(?:final\s+answer|\banswer|\btherefore|\bthus|\bhence|\bconclusion)\b[\s*_`]*"
    r"(?:is\b|:|,|=)[\s*_`]*",
    re.IGNORECASE,
)
_BOUNDS = MappingProxyType(
    {
        ">=": re.compile(
            r"\b(?:at least|not less than|no less than|not fewer than|minimum|or more|not below)\b"
        ),
        "<=": re.compile(
            r"\b(?:at most|not more than|no more than|not exceed(?:ing)?|maximum|up to|or less"
            r"|not above|within)\b"
        ),
        ">": re.compile(r"(?<!not )(?<!no )\b(?:more than|greater than|exceed(?:s|ing)?|above)\b"),
        "<": re.compile(r"(?<!not )(?<!no )\b(?:less than|fewer than|below)\b"),
    }
)


def passage(text: str, which: Passage) -> str:
    """Return the part of a reply that is compared; the whole where the part would be blank."""
    if which == "whole":
        return text
    if which == "first-sentence":
        return next(iter(sentences(text)), text)
    ends = [cue.end() for cue in _CUE.finditer(text)]
    after = text[ends[-1] :] if ends else ""
    if after.strip():
        return after
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else text


def _exact(left: str, right: str) -> float:
    return float(left == right)


def _includes(left: str, right: str) -> float:
    return float(left in right)


def _token_f1(left: str, right: str) -> float:
    a, b = tokens(left), tokens(right)
    shared = sum((Counter(a) & Counter(b)).values())
    return 2 * shared / (len(a) + len(b)) if shared else 0.0


def _of_hundred(scorer: Callable[..., float]) -> Callable[[str, str], float]:
    def ratio(left: str, right: str) -> float:
        return scorer(left, right) / 100

    return ratio


RATIOS: MappingProxyType[str, Callable[..., float]] = MappingProxyType(
    {
        "token_set": fuzz.token_set_ratio,
        "token_sort": fuzz.token_sort_ratio,
        "partial": fuzz.partial_ratio,
    }
)
"""Matchers that RapidFuzz computes, in [0, 100]."""

MATCHERS: MappingProxyType[str, Callable[[str, str], float]] = MappingProxyType(
    {
        "exact": _exact,
        "includes": _includes,
        "token_f1": _token_f1,
        **{name: _of_hundred(scorer) for name, scorer in RATIOS.items()},
    }
)
"""Matcher -> similarity in [0, 1] of a normalised reference and a normalised reply."""


def values_of(text: str, percent: Percent) -> tuple[Value, ...]:
    """Return the numbers of a text in order, as the percent policy takes them."""
    return tuple(_value(digits, is_percent, percent) for digits, is_percent in numerals(text))


def _value(digits: str, is_percent: bool, percent: Percent) -> Value:  # noqa: FBT001 - a pair's half
    if percent == "as-written":
        return float(digits), is_percent
    # Through the decimal text, so that 7.1% is exactly the 0.071 that someone writes.
    return float(f"{digits}e-2" if percent == "fraction" and is_percent else digits), False


def values_agree(
    reference: Sequence[Value], reply: Sequence[Value], numbers: Numbers, tolerance: float
) -> bool:
    """Return whether the numbers of a reply agree with those of the reference; both hold some.

    Args:
        reference: numbers of the reference.
        reply: numbers of the reply.
        numbers: "equal", "subset" or "last".
        tolerance: largest difference that counts as equal, as a share of the reference's number.
    """
    if not reference or not reply:
        return False
    if numbers == "last":
        return _near(reference[-1], reply[-1], tolerance)
    if tolerance == 0.0:
        left, right = set(reference), set(reply)
        return left == right if numbers == "equal" else left <= right
    found = all(any(_near(a, b, tolerance) for b in reply) for a in reference)
    if numbers == "subset" or not found:
        return found
    return all(any(_near(a, b, tolerance) for a in reference) for b in reply)


def _near(reference: Value, reply: Value, tolerance: float) -> bool:
    apart = abs(reference[0] - reply[0])
    return reference[1] == reply[1] and apart <= tolerance * abs(reference[0])


def bounds_of(text: str) -> frozenset[str]:
    """Return the bounds that a text states in words, of ">=", "<=", ">" and "<"."""
    lowered = text.lower()
    return frozenset(sign for sign, pattern in _BOUNDS.items() if pattern.search(lowered))


def bounds_clash(reference: str, reply: str) -> bool:
    """Return whether both texts state bounds and share none."""
    left, right = bounds_of(reference), bounds_of(reply)
    return bool(left) and bool(right) and not left & right


def declines(text: str) -> bool:
    """Return whether a reply is blank or declines to answer."""
    return not text.strip() or is_silent(text) or says_refusal(text)
