"""Bounds and approximations beside a figure.  In: a folded text in lower case.  Out: a comparator.

"At least", "not less than" and the like are read where they touch the figure, before or after it.
"""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import Literal

from finassay.text.units import words

Comparator = Literal["none", "at_least", "at_most", "more_than", "less_than", "about"]

_REACH = 44
_NOT = r"(?:not|no|never|nor|neither|cannot|n't)"
_LOWER = r"(?:less|fewer|lower|below|under|shorter|earlier|smaller)"
_HIGHER = r"(?:more|greater|higher|above|over|later|longer|larger|further)"
_AT_LEAST = (
    rf"\bat (?:the )?(?:very )?least|{_NOT} (?:\w+ )?{_LOWER}(?: than)?|\b(?:a )?minimum|\bmin\.?"
    r"|>=|=>|≥|⩾|≧|\b(?:greater|more|higher) than or equal|\bat or above|\bupwards"
    "|不少于|不低于|不小于|不短于|至少|最少|最低|起码"
)
_AT_MOST = (
    rf"\bat (?:the )?(?:very )?most|{_NOT} (?:\w+ )?{_HIGHER}(?: than)?"
    rf"|{_NOT} (?:\w+ )?exceed(?:s|ed|ing)?|\bup(?= to)|\bupto|\b(?:a )?maximum|\bmax\.?"
    r"|<=|=<|≤|⩽|≦|\b(?:less|fewer|lower) than or equal|\bat or below|\bcapped|\bceiling"
    r"|\bwithout exceeding|不得?超过|不高于|不大于|不多于|不迟于|不晚于|至多|最多|最高|最长"
)
_MORE_THAN = (
    r"\b(?:more|greater|higher|larger|longer|later|better) than|\bover|\babove"
    r"|\bexceed(?:s|ed|ing)?|\bin excess|\bbeyond|\bupward|>|超过|高于|大于|多于|逾|超"
)
_LESS_THAN = (
    r"\b(?:less|fewer|lower|smaller|shorter|earlier) than|\bunder|\bbelow|<"
    "|低于|少于|小于|不足|不到|未满"
)
_ABOUT = (
    r"\babout|\bapprox(?:imately|\.)?|\baround|\broughly|\bnearly|\balmost|\bcirca|\bca?\."
    r"|\bclose(?= to)|\bsome|~|≈|∼|～|大约|大概|将近|接近|约|近"
)
_BEFORE = re.compile(
    rf"(?:(?P<at_least>{_AT_LEAST})|(?P<at_most>{_AT_MOST})|(?P<more_than>{_MORE_THAN})"
    rf"|(?P<less_than>{_LESS_THAN})|(?P<about>{_ABOUT}))"
    r"(?:[ \xa0]+(?:of|to|by|at|an?|the|only|than|approximately|about|around))*[ \xa0]{0,2}\Z"
)
# Words that such a phrase must hold: most figures have none of them before.
_KEY = frozenset(
    words(
        "least less fewer lower below under shorter earlier smaller minimum min min. above upwards "
        "most more greater higher over later longer larger further exceed exceeds exceeded better "
        "exceeding up upto maximum max max. capped ceiling excess beyond upward about approx equal "
        "approx. approximately around roughly nearly almost circa c. ca. close some"
    )
)
_FILL = frozenset(words("of to by at a an the only than approximately about around or equal"))
_MARKS = frozenset("<>≥≤=~≈∼⩾≧⩽≦于过少多低高长足到满约概近逾超码")
_AFTER = re.compile(
    r"(?P<at_least>\+(?!\d)|,? (?:or|and) (?:more|above|greater|higher|over|longer|upwards?|later)\b"
    r"|,? at (?:the )?(?:least|minimum)\b|,? minimum\b|[ ]?(?:或|及)?以上)"
    r"|(?P<at_most>,? (?:or|and) (?:less|fewer|below|lower|under|shorter|smaller|earlier)\b"
    r"|,? at (?:the )?(?:most|maximum)\b|,? maximum\b|[ ]?(?:或|及)?以[下内])"
    r"|(?P<about>,? (?:or so|approximately|approx\b)|[ ]?左右|[ ]?上下)"
)
_AFTER_STARTS = frozenset(" ,+以或及左上")
_AFTER_WORDS = frozenset(words("or and at minimum maximum approximately approx approx."))
_NAMES: MappingProxyType[str, Comparator] = MappingProxyType(
    {
        "at_least": "at_least",
        "at_most": "at_most",
        "more_than": "more_than",
        "less_than": "less_than",
        "about": "about",
    }
)


def comparator_before(low: str, at: int) -> tuple[Comparator, int]:
    """Return the comparator that ends where a figure starts, and where its words start."""
    if not at:
        return "none", at
    begin = max(0, at - _REACH)
    if not _may_end(low[begin:at]):
        return "none", at
    found = _BEFORE.search(low, begin, at)
    if found is None or not found.lastgroup:
        return "none", at
    return _NAMES[found.lastgroup], found.start()


def _may_end(lead: str) -> bool:
    """Return whether the text before a figure can end in a comparator: a quick look only."""
    stripped = lead.rstrip(" \xa0")
    if not stripped:
        return False
    if stripped[-1] in _MARKS:
        return True
    for word in reversed(stripped.split()):
        if word not in _FILL:
            return word.lstrip("(*[-") in _KEY
        if word in ("about", "around", "approximately"):
            return True
    return False


def comparator_after(low: str, at: int) -> Comparator:
    """Return the comparator whose words start where a figure ends."""
    mark = low[at : at + 1]
    if mark not in _AFTER_STARTS or not mark:
        return "none"
    if mark in " ,":
        word = low[at : at + 16].lstrip(" ,").split(maxsplit=1)[:1]
        if not word or (word[0] not in _AFTER_WORDS and word[0][0] < "\u4e00"):
            return "none"
    found = _AFTER.match(low, at)
    return _NAMES[found.lastgroup] if found and found.lastgroup else "none"
