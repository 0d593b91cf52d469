"""Whether the word before a figure says anything about it.  In: a text in lower case.  Out: that.

Most figures stand after a space and a word such as "was" or "margin".  Neither sign nor currency,
bound or reference can be read there, so that nobody has to look for them.
"""

from __future__ import annotations

from finassay.text.comparators import LAST_WORDS
from finassay.text.no_quantity import INDEX_ENDS
from finassay.text.units import BEFORE, DOLLARS, REFERENCE_NOUNS

_REACH = 25
_SAYS = frozenset(
    (
        *LAST_WORDS, *REFERENCE_NOUNS, *INDEX_ENDS, *BEFORE, *DOLLARS, "minus", "negative",
        *(word.removesuffix("$") for word in BEFORE),
    )
)  # fmt: skip


def follows_plain_word(low: str, at: int) -> bool:
    """Return whether a space and a word that says nothing about figures end at a position."""
    if low[at - 1 : at] != " ":
        return False
    word = low[max(0, at - _REACH) : at - 1].rsplit(None, 1)[-1:]
    return bool(word) and word[0].isalpha() and word[0].isascii() and word[0] not in _SAYS
