"""Named normal forms of a text.  In: a string.  Out: a string.

A scorer names the normaliser that it uses; none is ever applied silently.  Every function is pure,
total over all strings, and linear in the length of the text.
"""

from __future__ import annotations

import re
import string
import unicodedata
from collections.abc import Callable
from types import MappingProxyType

from finassay.errors import UnknownNameError

_OUTSIDE_WORDS_PERCENT_STOP = re.compile(r"[^\w\s%.]")
_OUTSIDE_WORDS = re.compile(r"[^\w\s]")
_ARTICLES = re.compile(r"\b(?:a|an|the)\b")


def none(text: str) -> str:
    """Return the text unchanged."""
    return text


def trim(text: str) -> str:
    """Return the text without outer white space and with runs of white space as one space."""
    return " ".join(text.split())


def casefold(text: str) -> str:
    """Return the trimmed text, case-folded."""
    return trim(text.casefold())


def words(text: str) -> str:
    """Return lower-case words: everything but word characters and white space is a space."""
    return trim(_OUTSIDE_WORDS.sub(" ", text.lower()))


def words_percent_stop(text: str) -> str:
    """Return the normal form of `strict/numbers-first`: words, with "%" and "." kept.

    Every character outside Python's word characters, white space, "%" and "." becomes a space, so
    a grouping comma splits a number and a trailing full stop stays glued to it: both are part of
    what the published rule is.
    """
    return trim(_OUTSIDE_WORDS_PERCENT_STOP.sub(" ", text.lower()))


def lower_strip(text: str) -> str:
    """Return the normal form of `strict/fuzzy-first`: lower case, outer white space removed."""
    return text.lower().strip()


def squad(text: str) -> str:
    """Return the SQuAD normal form: lower case, no punctuation, no English articles.

    Source: Rajpurkar et al. (2016), official evaluation of SQuAD 1.1.  Two differences: marks of
    other scripts (Unicode category P) go as the ASCII ones do, and a text of articles only ("A")
    keeps them, for otherwise nothing would be left to compare.
    """
    lowered = text.lower().translate(_WITHOUT_PUNCTUATION)
    return trim(_ARTICLES.sub(" ", lowered)) or trim(lowered)


class _Table(dict[int, str | None]):
    """A translation table filled as characters are met: punctuation goes, the rest stays."""

    def __missing__(self, code: int) -> str | None:
        character = chr(code)
        # ASCII punctuation holds symbols ("$", "<") that are no punctuation to Unicode.
        goes = character in string.punctuation or unicodedata.category(character).startswith("P")
        self[code] = None if goes else character
        return self[code]


_WITHOUT_PUNCTUATION = _Table()


class _Kept(dict[int, str]):
    """What is kept of every character, filled as characters are met."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        dropped = unicodedata.category(character) == "Cf" or unicodedata.decomposition(
            character
        ).startswith("<super>")
        self[code] = kept = "" if dropped else character
        return kept


_KEPT = _Kept()


def _without_marks(text: str) -> str:
    # Few texts hold such marks, and a long one is run through faster for them alone.
    dropped = sorted(character for character in set(text) if not _KEPT[ord(character)])
    return re.sub(f"[{re.escape(''.join(dropped))}]", "", text) if dropped else text


def compatible(text: str) -> str:
    """Return the case-folded NFKC form with format characters (zero-width marks) removed.

    Superscript digits are dropped first: as footnote marks they must not become part of a number.
    """
    kept = text if text.isascii() else _without_marks(text)
    # Folding can undo the normal form, so it is restored afterwards.
    folded = unicodedata.normalize("NFKC", kept).casefold()
    return trim(unicodedata.normalize("NFKC", folded))


NORMALISERS: MappingProxyType[str, Callable[[str], str]] = MappingProxyType(
    {
        "none": none,
        "trim": trim,
        "casefold": casefold,
        "words": words,
        "words-percent-stop": words_percent_stop,
        "lower-strip": lower_strip,
        "squad": squad,
        "compatible": compatible,
    }
)


def normaliser(name: str) -> Callable[[str], str]:
    """Return the normaliser of that name.

    Raises:
        UnknownNameError: there is none; the message lists those that exist.
    """
    try:
        return NORMALISERS[name]
    except KeyError:
        raise UnknownNameError(
            f"no normaliser {name!r}; choose one of {', '.join(NORMALISERS)}"
        ) from None
