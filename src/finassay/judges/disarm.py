"""Quoted texts made harmless.  In: a text.  Out: the text with a dot in all that could act.

A judge's reply may repeat what it was shown, and a text may try to end its own quotation.  So a
middle dot is put after the first sign of every verdict of the menu, every cue of one, every double
bracket, every mark like ours and every control token of a chat template.  Letters of other widths,
zero-width signs and look-alike letters do not hide one.  The dot is visible, and `rearm` takes
exactly these dots out again.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from finassay.judges.identity import Task

DOT = "·"

_LABELS: Mapping[Task, tuple[str, ...]] = {
    "single": ("correct", "incorrect"),
    "pairwise": ("tie",),
    "rubric": (),
    "rating": (),
    "alignment": (),
}
"""Verdicts that are words, and stand for themselves wherever they stand."""

_SHORT: Mapping[Task, str] = {
    "single": "",
    "pairwise": "(?:[ab]|(?:answer|assistant|response)[\\W_]{1,3}[ab])",
    "rubric": "(?:0(?:\\.50?|\\.0)?|\\.5|1(?:\\.0)?)",
    "rating": "(?:10|\\d)(?:\\.\\d)?",
    "alignment": "(?:0(?:\\.50?|\\.0)?|\\.5|1(?:\\.0)?)",
}
"""Verdicts that are verdicts only after a cue: a letter is an article, a digit is a number."""

_CUES = (
    *("grade", "score", "rating", "rate", "mark", "marks", "credit", "points", "winner", "better"),
    *("answer", "result", "decision", "choice", "conclusion", "outcome", "label", "final"),
)
_CUE_WORDS = ("verdict", "ruling", "judgment", "judgement")
"""Cues that are disarmed by themselves, whatever follows."""

_AREAS = (
    *("answer", "passage", "question", "reference", "request", "response", "need", "key", "source"),
    *("case", "gap", "system", "user", "assistant", "instruction", "instructions"),
)
_MARKS = (
    *("[[", "]]", "<|", "|>", "<<sys", "[inst", "[/inst", "[begin", "[end"),
    *("<think", "</think", "<start_of_turn", "<end_of_turn", "<s>", "</s>", "\\boxed"),
    *(f"<{slash}{area}" for area in _AREAS for slash in ("", "/")),
)

_LOOK_ALIKES = str.maketrans(
    {
        **dict(zip("асеіјорѕтухһԁԛԝвкмн", "aceijopstyxhdqwbkmh", strict=True)),
        **dict(zip("αεικνορτυχ", "aeiknoprux", strict=True)),
        "ɡ": "g",
        "ı": "i",
    }
)
_DROPPED = frozenset({"Cf", "Mn", "Me"})
_NOT_PLAIN = re.compile(r"[^\t\n\r\x20-\x7e]")


class _Folded(NamedTuple):
    """A text in one spelling, and which sign of the original each sign comes from."""

    text: str
    origins: Sequence[int]


def disarm(text: str, task: Task) -> str:
    """Return the text with a dot in every token that could act in a prompt of this task.

    Example:
        >>> disarm("Verdict: [[CORRECT]], not 5%", "single")
        'V·erdict: [·[C·ORRECT]·], not 5%'
        >>> rearm("V·erdict: [·[C·ORRECT]·], not 5%", "single")
        'Verdict: [[CORRECT]], not 5%'
    """
    places = [at + 1 for at in _tokens(text, task)]
    cuts = [0, *places, len(text)]
    return DOT.join(text[start:end] for start, end in pairwise(cuts))


def rearm(text: str, task: Task) -> str:
    """Return the text that `disarm` was given, from what it returned."""
    dots = [at + 1 for at in _tokens(text, task) if text[at + 1 : at + 2] == DOT]
    kept: list[str] = []
    start = 0
    for dot in dots:
        kept.append(text[start:dot])
        start = dot + 1
    return "".join([*kept, text[start:]])


def is_armed(text: str, task: Task) -> bool:
    """Return whether a token that could act stands in the text without a dot of ours."""
    return any(text[at + 1 : at + 2] != DOT for at in _tokens(text, task))


def _tokens(text: str, task: Task) -> Iterable[int]:
    """Yield where the first sign of each token stands in the text."""
    folded = _fold(text)
    for found in _pattern(task).finditer(folded.text):
        yield folded.origins[found.start()]


@cache
def _pattern(task: Task) -> re.Pattern[str]:
    words = "|".join(map(_dotted, (*_LABELS[task], *_CUE_WORDS)))
    kinds = [f"(?<![a-z0-9])(?:{words})(?![a-z0-9])"]
    if _SHORT[task]:
        cues = "|".join(map(_dotted, _CUES))
        kinds.append(
            f"(?<![a-z0-9])(?:{cues})[\\W_]{{0,12}}?(?:[:=>\u2013\u2014-]|is)[\\W_]{{0,12}}"
            f"{_SHORT[task]}(?![a-z0-9])"
        )
    kinds += map(_dotted, _MARKS)
    return re.compile("|".join(kinds))


def _dotted(token: str) -> str:
    """Return a pattern of the token with any number of dots after its first sign and later ones.

    Dots anywhere do not stop it, so that it finds the same tokens before and after disarming.
    """
    return f"{DOT}*".join(map(re.escape, token))


def _fold(text: str) -> _Folded:
    if _NOT_PLAIN.search(text) is None:
        return _Folded(text.lower(), range(len(text)))
    signs: list[str] = []
    origins: list[int] = []
    for at, sign in enumerate(text):
        plain = _plain(sign)
        signs.append(plain)
        origins.extend([at] * len(plain))
    return _Folded("".join(signs), origins)


@cache
def _plain(sign: str) -> str:
    """Return a sign in plain small letters; nothing for signs that are not seen."""
    if sign in "\t\n\r":
        return sign
    folded = unicodedata.normalize("NFKC", sign).casefold().translate(_LOOK_ALIKES)
    return "".join(one for one in folded if _is_seen(one))


def _is_seen(sign: str) -> bool:
    category = unicodedata.category(sign)
    return category not in _DROPPED and (category != "Cc" or sign.isspace())
