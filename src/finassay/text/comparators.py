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
_NOT = r"(?:not|no|never|nor|neither)"
_BEFORE = re.compile(
    r"(?:"
    rf"(?P<at_least>\bat (?:the )?(?:very )?least|\b{_NOT} (?:\w+ )?(?:less|fewer|lower|below|under|shorter"
    r"|earlier|smaller)(?: than)?|\b(?:a )?minimum|\bmin\.?|>=|=>|≥|⩾|≧|\b(?:greater|more|higher) than or equal"
    r"|\bat or above|\bupwards|不少于|不低于|不小于|至少|最少|最低|不短于|起码)"
    rf"|(?P<at_most>\bat (?:the )?(?:very )?most|\b{_NOT} (?:\w+ )?(?:more|greater|higher|above|over|later|longer"
    rf"|larger|further)(?: than)?|\b{_NOT} (?:\w+ )?exceed(?:s|ed|ing)?|\bup|\bupto|\b(?:a )?maximum|\bmax\.?"
    r"|<=|=<|≤|⩽|≦|\b(?:less|fewer|lower) than or equal|\bat or below|\bcapped(?: at)?|\bceiling"
    r"|\bwithout exceeding|不超过|不高于|不大于|不多于|不得超过|至多|最多|最高|最长|不迟于|不晚于)"
    r"|(?P<more_than>\b(?:more|greater|higher|larger|longer|later|better) than|\bover|\babove|\bexceed(?:s|ed|ing)?"
    r"|\bin excess|\bbeyond|\bupward|>|超过|高于|大于|多于|逾|超)"
    r"|(?P<less_than>\b(?:less|fewer|lower|smaller|shorter|earlier) than|\bunder|\bbelow|<"
    r"|低于|少于|小于|不足|不到|未满)"
    r"|(?P<about>\babout|\bapprox(?:imately|\.)?|\baround|\broughly|\bnearly|\balmost|\bcirca|\bca?\."
    r"|\bclose|\bsome|~|≈|∼|～|约|大约|大概|近|将近|接近)"
    r")(?:[ \xa0]+(?:of|to|by|at|an?|the|only|than|approximately|about|around))*[ \xa0]{0,2}\Z"
)
# The last word before a figure that can end one of these; most figures have none.
_LAST = frozenset(
    words(
        "least less fewer lower below under shorter earlier smaller than minimum min equal above upwards "
        "most more greater higher over later longer larger further exceed exceeds exceeded exceeding up "
        "upto maximum max capped at ceiling excess beyond upward of to by a an the only about approx "
        "approximately around roughly nearly almost circa c ca close some better"
    )
)
_LAST_MARKS = frozenset("<>≥≤=~≈∼⩾≧⩽≦于过少多低高长足到满约概近逾超")
_WORD = re.compile(r"[a-z]+\Z")
_AFTER = re.compile(
    r"(?P<at_least>\+(?!\d)|,? (?:or|and) (?:more|above|greater|higher|over|longer|upwards?|later)\b"
    r"|,? at (?:the )?(?:least|minimum)\b| minimum\b|[ ]?(?:或)?以上|[ ]?及以上)"
    r"|(?P<at_most>,? (?:or|and) (?:less|fewer|below|lower|under|shorter|smaller|earlier)\b"
    r"|,? at (?:the )?(?:most|maximum)\b| maximum\b|[ ]?(?:或|及)?以[下内])"
    r"|(?P<about>,? (?:or so|approximately|approx\b)|[ ]?左右|[ ]?上下)"
)
_AFTER_STARTS = frozenset(" ,+以或及左上")


def comparator_before(low: str, at: int) -> tuple[Comparator, int]:
    """Return the comparator that ends where a figure starts, and where its words start."""
    if not at:
        return "none", at
    begin = max(0, at - _REACH)
    edge = low[begin:at].rstrip(" \xa0.")
    if not edge:
        return "none", at
    if edge[-1] not in _LAST_MARKS:
        word = _WORD.search(edge, max(0, len(edge) - 14))
        if word is None or word[0] not in _LAST:
            return "none", at
    found = _BEFORE.search(low, begin, at)
    if found is None or not found.lastgroup:
        return "none", at
    if found["at_most"] in ("up", "close") and low[found.end("at_most") : at].strip()[:2] != "to":
        return "none", at
    return _NAMES[found.lastgroup], found.start()


def comparator_after(low: str, at: int) -> Comparator:
    """Return the comparator whose words start where a figure ends."""
    if low[at : at + 1] not in _AFTER_STARTS or at >= len(low):
        return "none"
    found = _AFTER.match(low, at)
    return _NAMES[found.lastgroup] if found and found.lastgroup else "none"


_NAMES: MappingProxyType[str, Comparator] = MappingProxyType(
    {
        "at_least": "at_least",
        "at_most": "at_most",
        "more_than": "more_than",
        "less_than": "less_than",
        "about": "about",
    }
)
