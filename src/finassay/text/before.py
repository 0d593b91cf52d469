"""What the word before a figure says about it.  In: a text in lower case.  Out: the word.

Most figures stand after a space and a word such as "was" or "of", or after a sign of a sum.
Neither sign nor currency nor reference can be read there, so that nobody has to look for them.
"""

from __future__ import annotations

from finassay.text.no_quantity import INDEX_ENDS
from finassay.text.units import BEFORE, DOLLARS, REFERENCE_NOUNS

_REACH = 25
_NAMES = frozenset(
    (
        *REFERENCE_NOUNS, *INDEX_ENDS, *BEFORE, *DOLLARS, "minus", "negative",
        *(word.removesuffix("$") for word in BEFORE),
    )
)  # fmt: skip
_SUMS = frozenset("=+*/×÷")


def plain_word_before(low: str, at: int) -> str:
    """Return the word before a space that ends at a position, where it cannot name a figure.

    "" where nothing of the kind stands there: a currency, a noun that numbers go with, a mark.
    """
    if low[at - 1 : at] != " ":
        return ""
    words = low[max(0, at - _REACH) : at - 1].rsplit(None, 1)
    if not words:
        return ""
    word = words[-1]
    if word in _SUMS:
        return word
    return word if word.isalpha() and word.isascii() and word not in _NAMES else ""
