"""Numbers and lists in words.  In: numbers.  Out: text, the same in sentences and in tables."""

from __future__ import annotations

import math
from collections.abc import Iterable

from finassay.analyses.results_scores import Estimate

MINUS = "−"

MOST_NAMES = 4
"""Names that a sentence lists before it says how many more there are."""


def digits_for(n: int) -> int:
    """Return the decimals that a percent over n verdicts supports: 1 below 1000, else 2."""
    return 1 if n < 1000 else 2


def finite(number: float) -> float:
    """Return the number.

    Raises:
        ValueError: the number is not finite.
    """
    if not math.isfinite(number):
        raise ValueError(f"a report shows finite numbers or none at all, got {number!r}")
    return number


def fixed(number: float, digits: int) -> str:
    """Return the number with that many decimals, a true minus sign and no negative zero.

    Raises:
        ValueError: the number is not finite.
    """
    text = f"{finite(number):,.{digits}f}"
    if text.startswith("-"):
        return MINUS + text[1:] if text.strip("-0.,") else text[1:]
    return text


def percent(rate: float, n: int) -> str:
    """Return a fraction as a percent without the sign, with the digits that n supports."""
    return fixed(100 * rate, digits_for(n))


def count(number: float) -> str:
    """Return a count with thousands separators; a sum of graded verdicts keeps one decimal."""
    return fixed(number, 0 if float(number).is_integer() else 1)


def plural(n: int, one: str, many: str = "") -> str:
    """Return "1 item" or "1,152 items"."""
    return f"{count(n)} {one if n == 1 else many or one + 's'}"


def listed(words: Iterable[str], most: int | None = None) -> str:
    """Return "a", "a and b" or "a, b and c"; beyond `most` words only how many more there are."""
    names = list(words)
    if most is not None and len(names) > most:
        return f"{', '.join(names[:most])} and {count(len(names) - most)} more"
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"


def some(names: Iterable[str]) -> str:
    """Return the first names of a list that stands in a sentence, and how many more there are."""
    return listed(names, MOST_NAMES)


def score_text(given: Estimate) -> str:
    """Return an estimate with its count and interval; bounds as a range of two cases."""
    if given.value is None:
        if given.best is None or given.worst is None:
            return "no usable verdict"
        return (
            f"between {percent(given.worst, given.n)}% and {percent(given.best, given.n)}% "
            f"({count(given.n_unscored)} of {count(given.n)} without an answer)"
        )
    share = f"{percent(given.value, given.n)}% ({count(given.total)} of {count(given.n)}"
    if given.low is None or given.high is None:
        return f"{share})"
    ends = f"{percent(given.low, given.n)}% to {percent(given.high, given.n)}%"
    return f"{share}, {100 * given.level:g}% interval {ends})"
