"""Replies that decline to answer.  In: a reply.  Out: where its words say so.

Plain lists of English, Chinese and Hindi phrases: they miss refusals in other words and other
languages, so a count made with them is a lower bound, and a logged fate of the reply goes before
it.  A phrase is not a verdict: a reply may say that one figure is missing and answer all the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from finassay.text.folding import vocabulary
from finassay.text.patterns import at_word
from finassay.text.spans import lowered

_TELLS = (
    r"(?:provide|contain|include|specify|state|mention|give|disclose|indicate|have|offer|show"
    r"|say|address|supply|detail|reveal|report|present|define)"
)
_FOUND = (
    r"(?:determined?|answer(?:ed)?|calculated?|provided?|compute[d]?|derived?|ascertain(?:ed)?"
    r"|concluded?|found|find|estimated?|infer(?:red)?|tell|say|confirm(?:ed)?|establish(?:ed)?"
    r"|assess(?:ed)?|evaluated?|predict(?:ed)?)"
)
_HOW = r"(?:explicitly |specifically |directly |clearly |accurately |definitively |be )*"

_AUX = "do does did don doesn didn"
_TO_BE = "is are was were isn aren wasn weren"
_TELL = (
    "provide contain include specify state mention give disclose indicate have offer show say "
    "address supply detail reveal report present define"
)
_TOLD = (
    "provided stated given mentioned disclosed specified available included found reported "
    "indicated known enough"
)
_FIND = (
    "determine determined answer answered calculate calculated provide provided compute computed "
    "derive derived ascertain ascertained conclude concluded found find estimate estimated infer "
    "inferred tell say confirm confirmed establish established assess assessed evaluate evaluated "
    "predict predicted"
)

# Each with sets of words of which one must stand in a text for the pattern to be worth a search,
# and whether the phrase alone declines (no answer needs it).
_PHRASES: tuple[tuple[tuple[str, ...], bool, str], ...] = (
    (
        ("i", "sorry unable able apologise apologize"),
        True,
        at_word(r"i(?:['\u2019]m| am| was) (?:sorry|unable|not able)\b|i apologi[sz]e\b"),
    ),
    (
        ("i", "cannot can am do don"),
        True,
        at_word(
            r"i (?:cannot|can ?not|can['\u2019]t|am not in a position to|do not know"
            r"|don['\u2019]t know)\b"
        ),
    ),
    (("as", "an", "ai artificial"), True, at_word(r"as an (?:ai|artificial intelligence)\b")),
    (
        (
            "unable able possible impossible",
            "answer assess determine evaluate predict provide say tell",
        ),
        True,
        at_word("unable|not able|not possible|impossible")
        + r" to (?:answer|assess|determine|evaluate|predict|provide|say|tell)\b",
    ),
    (
        ("cannot", "be", "answered assessed determined evaluated predicted"),
        True,
        at_word(r"cannot be (?:answered|assessed|determined|evaluated|predicted)\b"),
    ),
    (
        (_AUX, "not t", _TELL),
        False,
        at_word("do|does|did") + rf"(?: not|n['\u2019]t) {_HOW}{_TELLS}\b",
    ),
    (
        (
            _TO_BE,
            "not t",
            _TOLD,
        ),
        False,
        (
            at_word("is|are|was|were")
            + rf"(?: not|n['\u2019]t) {_HOW}(?:provided|stated|given|mentioned"
            r"|disclosed|specified|available|included|found|reported|indicated|known|enough)\b"
        ),
    ),
    (
        ("no enough insufficient inadequate", "information data detail details mention"),
        False,
        (
            at_word("no|not enough|enough|insufficient|inadequate")
            + r" (?:specific |explicit |direct "
            r"|sufficient )?(?:information|data|details?|mention)\b"
        ),
    ),
    (
        ("not no n", "provided available stated specified given disclosed mentioned answer a"),
        False,
        at_word(
            r"not (?:provided|available|stated|specified|given|disclosed|mentioned)\b"
            r"|no answer\b"
            r"|n/a\b"
        ),
    ),
    (
        ("cannot can could couldn unable possible impossible difficult", _FIND),
        False,
        at_word(
            r"cannot|can not|can['\u2019]t|could not|couldn['\u2019]t|unable to|not possible to"
            r"|impossible to|difficult to"
        )
        + rf" {_HOW}{_FOUND}\b",
    ),
    (
        ("need", "i we you one", "would will d ll"),
        False,
        at_word("i|we|you|one")
        + r" (?:would|will|['\u2019]d|['\u2019]ll) (?:typically |also )?need\b",
    ),
    (
        ("if", "you", "can could have provide give"),
        False,
        at_word(r"if you (?:can|could|have|provide|give)\b"),
    ),
    (
        ("please", "provide refer check consult see share"),
        False,
        at_word(r"please (?:provide|refer|check|consult|see|share)\b"),
    ),
    (
        ("provided", "have has had haven hasn hadn", "not t"),
        False,
        at_word("have|has|had") + r"(?: not|n['\u2019]t) (?:been )?provided\b",
    ),
    (
        ("last latest knowledge", "update cutoff cut"),
        False,
        at_word(
            r"last (?:knowledge )?update\b|latest (?:knowledge )?update\b|knowledge cut-?off\b"
        ),
    ),
    (
        (
            "no",
            "extract excerpt text passage context",
            "give gives state states contain contains has provide provides disclose discloses",
        ),
        False,
        (
            at_word("extract|excerpt|text|passage|context") + " "
            r"(?:gives?|states?|contains?|has|provides?|discloses?) no\b"
        ),
    ),
)
# In other scripts, each with characters of which one must stand in a text.
_OTHER_PHRASES = (
    (
        ("无", "没", "未", "不", "抱"),
        (
            r"无法(?:确定|判断|回答|得出|计算|提供|得知)|(?:没有|未)(?:提供|提及|说明|给出|披露|提到)"
            r"|信息不足|不知道|不清楚|不能确定|抱歉"
        ),
    ),
    (
        ("नहीं", "क्षमा"),
        (
            r"नहीं (?:बता|दिया|मालूम|जानता|कहा जा सकता|किया जा सकता)|जानकारी (?:उपलब्ध )?नहीं"
            r"|क्षमा करें"
        ),
    ),
)
_COMPILED = tuple(
    (tuple(frozenset(line.split()) for line in needed), declines, re.compile(pattern))
    for needed, declines, pattern in _PHRASES
)
_OTHERS = tuple((cues, re.compile(pattern)) for cues, pattern in _OTHER_PHRASES)


_LOOSE = frozenset({_COMPILED[5][2], _COMPILED[9][2]})
"""Phrases that decline only beside a word for the source or for information."""

_ADVICE = ("please ", "if you ", "last ", "latest ", "knowledge ", "you ", "one ")


class Refusal(NamedTuple):
    """Words that decline to answer.

    Attributes:
        start: where they begin.
        end: where they end.
        declines: whether no answer needs them ("I cannot", "as an AI"); "is not stated" may also
            stand beside an answer.
        advises: whether they only send the reader elsewhere ("please check", "if you have"), as
            replies do that answer.
    """

    start: int
    end: int
    declines: bool
    advises: bool = False


def says_refusal(reply: str) -> bool:
    """Return whether a reply holds one of the phrases by which models decline to answer.

    Only phrases that no answer needs: "is not stated" alone does not count here.
    """
    low = lowered(reply)
    return any(
        declines and pattern.search(low) is not None
        for declines, pattern in _worth_a_search(low, vocabulary(low))
    )


def _worth_a_search(low: str, words: frozenset[str]) -> Iterator[tuple[bool, re.Pattern[str]]]:
    for needed, declines, pattern in _COMPILED:
        for one_of in needed:
            if one_of.isdisjoint(words):
                break
        else:
            yield declines, pattern
    if not low.isascii():
        for cues, pattern in _OTHERS:
            if any(cue in low for cue in cues):
                yield False, pattern


# "Does not have", "cannot provide" and their like decline only when they speak of the source, of
# information, or in the first person: statutes are full of them.
_OF_SOURCE = re.compile(
    r"\b(?:text|context|document|passage|filing|report|evidence|excerpt|information|data|sources?"
    r"|statements?|extract|material|table|question|provided|i|we)\b"
)
_OF_INFORMATION = re.compile(
    r"\s*(?:\w+\s+){0,4}?(?:information|data|details?|access|answer|figures?|knowledge|mention"
    r"|specific)\b"
)


def _declines_here(low: str, start: int, end: int) -> bool:
    if _OF_INFORMATION.match(low, end):
        return True
    return _OF_SOURCE.search(low, max(0, start - 90), start) is not None


def read_refusals(text: str, words: frozenset[str] | None = None) -> tuple[Refusal, ...]:
    """Return where a text declines to answer or says that the answer is not in its source.

    In order of their start; phrases may overlap.

    Args:
        text: the text.
        words: its vocabulary, where that is known.
    """
    low = lowered(text)
    found = [
        Refusal(*match.span(), declines, match[0].startswith(_ADVICE))
        for declines, pattern in _worth_a_search(low, vocabulary(low) if words is None else words)
        for match in pattern.finditer(low)
        if pattern not in _LOOSE or _declines_here(low, *match.span())
    ]
    return tuple(sorted(found)) if found else ()
