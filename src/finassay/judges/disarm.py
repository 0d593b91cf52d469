"""Quoted texts made harmless.  In: a text.  Out: the text with a dot in all that could act.

A judge's reply may repeat what it was shown, and a text may try to end its own quotation.  So a
middle dot is put after the first sign of every verdict of the menu that is a word, every cue that
another verdict follows, every double bracket, every brace of JSON, every mark like ours and every
control token of a chat template.  Letters of other widths, zero-width signs and look-alike
letters do not hide one.  The dot is visible, and `rearm` takes exactly these dots out again.  A
letter or number that stands alone stays as it is: it may be the answer.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from typing import NamedTuple

from finassay.judges.identity import Task
from finassay.judges.menus import menu_for
from finassay.scorers.judge_verdicts import Menu

DOT = "·"

_NUMBERS: Mapping[Task, str] = {
    "rubric": "(?:0(?:\\.\\d+)?|\\.5|1(?:\\.0)?)",
    "rating": "(?:10|\\d)(?:\\.\\d)?(?:/10)?",
    "alignment": "(?:0(?:\\.\\d+)?|\\.5|1(?:\\.0)?)",
}
"""Verdicts on a scale: a number is one only after a cue."""

_CUES = (
    *("grade", "score", "rating", "mark", "marks", "credit", "points", "winner", "better", "final"),
    *("answer", "result", "decision", "choice", "conclusion", "outcome", "label", "evaluation"),
    *("assessment", "classification", "ruling", "judgment", "judgement", "verdict"),
)
_AREAS = (
    *("answer", "passage", "question", "reference", "request", "response", "need", "key", "source"),
    *("case", "gap", "system", "user", "assistant", "instruction", "instructions"),
)
_MARKS = (
    *("<|", "|>", "<<sys", "<</sys", "[inst", "[/inst", "[begin", "[end"),
    *("<think", "</think", "<start_of_turn", "<end_of_turn", "<s>", "</s>", "\\boxed"),
    *(f"<{slash}{area}" for area in _AREAS for slash in ("", "/")),
)

_LOOK_ALIKES = str.maketrans(
    {
        **dict(zip("асеіјорѕтухһԁԛԝвкмн", "aceijopstyxhdqwbkmh", strict=True)),
        **dict(zip("αεικνορτυχ", "aeiknoptux", strict=True)),
        **dict(zip("【】⟦⟧〚〛", "[][][]", strict=True)),
        "ɡ": "g",
        "ı": "i",
    }
)
_UNSEEN = "&(?:shy|zwj|zwnj|nbsp|quot);|</?(?:b|i|u|em|strong|span|code|p)>"
_GAP = f"(?:[{DOT}*]|{_UNSEEN})*"
_START = "(?<![a-z0-9])"
_END = f"(?![a-z0-9]|{_GAP}[a-z0-9])"
_BETWEEN = rf"(?:[\W_]|{_UNSEEN})"
_SEPARATED = (
    rf"(?:{_GAP}\s?\([^()\n]{{0,40}}\))?"
    rf"(?:[ ]{{0,3}}(?:{_UNSEEN}|[^\w ]|_){_BETWEEN}{{0,12}}"
    rf"|{_BETWEEN}{{1,12}}(?:is|would be){_BETWEEN}{{1,12}})"
)
"""What stands between a cue and its verdict: a mark at least, or "is"."""

_OBJECT = rf"\{{(?=[{DOT}\s]*(?:[\"'}}]|[\w{DOT}]+\s*:))"
"""The brace that opens an object of JSON: a reader of keys overlooks dots in them."""

_BRACKETS = rf"\[(?={_GAP}\[)|\](?={_GAP}\])"
"""Brackets that another one follows, so that of many no two are left side by side."""

_DROPPED = frozenset({"Cf", "Mn", "Me"})
_NOT_PLAIN = re.compile(r"[^\t\n\r\x20-\x7e]")


class _Folded(NamedTuple):
    """A text in one spelling, and which sign of the original each sign comes from."""

    text: str
    origins: Sequence[int]


# Questions and passages stand in the prompts of every system.
@lru_cache(maxsize=4096)
def disarm(text: str, task: Task) -> str:
    """Return the text with a dot in every token that could act in a prompt of this task.

    Example:
        >>> disarm("Verdict: [[CORRECT]], not 5%", "single")
        'Verdict: [·[C·ORRECT]·], not 5%'
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
    menu = menu_for(task)
    words = {word for option in menu.options for word in option.words if len(word) > 1}
    kinds = [f"{_START}{_any_of(words)}{_END}"] if words else []
    kinds.append(f"{_START}{_any_of({*_CUES, *menu.keys})}{_SEPARATED}{_short(menu, task)}{_END}")
    kinds += [_any_of(_MARKS), _BRACKETS, _OBJECT]
    return re.compile("|".join(kinds))


def _short(menu: Menu, task: Task) -> str:
    """Return a pattern of the verdicts that are verdicts only after a cue.

    A letter is an article, a digit is a number and "right" is a word wherever else they stand.
    """
    if task in _NUMBERS:
        return _NUMBERS[task]
    listed = {word for option in menu.options for word in option.slot_words}
    listed |= {"true", "false", "0", "1"} if menu.truth is not None else set()
    words = "|".join(map(re.escape, sorted(listed, key=lambda word: (-len(word), word))))
    return (
        f"(?:(?:assistant|response|answer|option|choice|model|candidate)[\\W_]{{1,3}})?(?:{words})"
    )


def _any_of(tokens: Iterable[str]) -> str:
    """Return a pattern of any of the tokens, the longest first, with any dots after their signs.

    So it finds the same tokens before and after disarming.  Stars and tags that a reader takes out
    of a word hide no token either.  Tokens that begin alike share their beginning, so that the
    pattern is quick where there is none.
    """
    ends: dict[str, list[str]] = {}
    for token in sorted(tokens, reverse=True):
        ends.setdefault(token[:1], []).append(token[1:])
    is_end = "" in ends
    parts = [
        re.escape(sign) + (_GAP + _any_of(rest) if any(rest) else "")
        for sign, rest in ends.items()
        if sign
    ]
    return f"(?:{'|'.join(parts)}){'?' if is_end else ''}"


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
    same = unicodedata.normalize("NFKC", sign)
    folded = (same if len(same) == 1 else sign).casefold().translate(_LOOK_ALIKES)
    return "".join(one for one in folded if _is_seen(one))


def _is_seen(sign: str) -> bool:
    category = unicodedata.category(sign)
    return category not in _DROPPED and (category != "Cc" or sign.isspace())
