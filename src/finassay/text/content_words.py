"""Words that carry content.  In: a text.  Out: their stems with positions.

A stem is a key, not a word: "operations", "operates" and "operating" share one.  The suffix list
is short and plain (after Porter 1980, without his conditions on vowels), so that the same
word always gives the same key and nobody needs a dictionary to check it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from finassay.text.spans import lowered

_WORD = re.compile(
    "[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]"
    "|[^\\W\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]+"
    "(?:['\u2019&][^\\W\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]+)*"
)
_ASCII_WORD = re.compile(r"\w+(?:['&]\w+)*", re.ASCII)
_SUFFIXES = tuple(
    sorted(
        str.split(
            "ations ation ating ated ates ate ators ator ions ion ings ing ies ied ers er ed "
            "es ly ments ment ness ities ity ically ical ally al ic ance ence ances ences y s "
            "e "
        ),
        key=len,
        reverse=True,
    )
)
_LEAST = 4
_FUNCTION_WORDS = frozenset(
    str.split(
        "a an the of in on at by to for from with as is are was were be been being am and "
        "or but if then than that this these those it its it's they them their theirs he "
        "she his her him we our us you your i my me there here what which who whom whose "
        "when where why how do does did done doing has have had having will would shall "
        "should may might can could must not no nor so such very also only into onto over "
        "under about above below between among during per via due both all any each every "
        "some most more much many other another same own out up down off again further "
        "once because while until against through before after within across based "
        "following follows according provided information context answer question given "
        "sure therefore thus hence however specifically respectively approximately "
        "including basis till until yes fy q1 q2 q3 q4 h1 h2 the's s t re ve ll d m "
    )
)


class ContentWord(NamedTuple):
    """A word that carries content: its stem and its span."""

    stem: str
    start: int
    end: int


def content_words(text: str) -> tuple[ContentWord, ...]:
    """Return the words of a text that carry content, in order, without English function words.

    Words that begin with a digit are left out: they are read as quantities.  Characters of
    scripts without spaces are a word each.
    """
    return tuple(
        [
            ContentWord(own, *found.span())
            for found in _WORD.finditer(lowered(text))
            if (own := _STEMS[found[0]])
        ]
    )


def content_stems(text: str) -> tuple[str, ...]:
    """Return the stems of the words of a text that carry content, in order, repeats kept."""
    return tuple(stems_of(lowered(text)))


def stems_of(low: str) -> Iterator[str]:
    """Yield the stems of a text that is in lower case already."""
    if not low.isascii():
        found: list[str] = _WORD.findall(low)
    elif "'" in low or "&" in low:
        found = _ASCII_WORD.findall(low)
    else:
        found = low.encode("ascii").translate(_WORDS_ONLY).decode("ascii").split()
    return filter(None, map(_STEMS.__getitem__, found))


_WORDS_ONLY = bytes(c if chr(c).isalnum() or c == ord("_") else ord(" ") for c in range(128)).ljust(
    256
)


class _Stems(dict[str, str]):
    """The stem of every word met, "" for a word without content; emptied when it grows large."""

    def __missing__(self, word: str) -> str:
        carries = word not in _FUNCTION_WORDS and not word[0].isdigit()
        found = stem(word) if carries else ""
        if len(word) <= _LONGEST_KEPT:
            if len(self) >= _MOST_KEPT:
                self.clear()
            self[word] = found
        return found


_MOST_KEPT, _LONGEST_KEPT = 1 << 16, 40
_STEMS = _Stems()


@lru_cache(maxsize=1 << 12)
def stem(word: str) -> str:
    """Return the key that a lower-case word shares with its inflections; at least four letters."""
    found = word.removesuffix("'s").removesuffix("\u2019s")
    for _ in range(3):
        if not found.endswith(_SUFFIXES):
            break
        ending = next(
            (s for s in _SUFFIXES if found.endswith(s) and len(found) - len(s) >= _LEAST), None
        )
        if ending is None:
            break
        found = found[: -len(ending)]
    return found
