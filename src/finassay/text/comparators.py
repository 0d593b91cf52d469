"""Bounds and approximations beside a figure.  In: a folded text in lower case.  Out: a comparator.

"At least", "not less than" and the like are read where they touch the figure, before or after it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from types import MappingProxyType
from typing import Literal

from finassay.text.units import words

Comparator = Literal["none", "at_least", "at_most", "more_than", "less_than", "about"]

_REACH = 44
# Words that may stand between such a word and the figure ("a minimum of 30", "more than the 5").
_FILL = frozenset(words("of to by at be a an the only than or equal"))
_LOWER = frozenset(words("less fewer lower smaller shorter earlier sooner"))
_HIGHER = frozenset(words("more greater higher larger longer later further better"))
_UNDER = frozenset(words("under below"))
_OVER = frozenset(words("over above beyond"))
_EXCEEDS = frozenset(words("exceed exceeds exceeded exceeding excess"))
_PLAIN: MappingProxyType[str, Comparator] = MappingProxyType(
    {
        **dict.fromkeys(words("minimum min min. upwards"), "at_least"),
        **dict.fromkeys(words("maximum max max. upto ceiling capped within"), "at_most"),
        **dict.fromkeys(
            words(
                "about approx approx. approximately around roughly nearly almost circa c. ca. some"
            ),
            "about",
        ),
    }
)
LAST_WORDS = frozenset(
    (*_FILL, *_LOWER, *_HIGHER, *_UNDER, *_OVER, *_EXCEEDS, *_PLAIN, "least", "most", "up", "close")
)
_OPENING = "(*[-,\"'"
_NOT = frozenset(words("not never nor neither cannot without"))
_MARKS: tuple[tuple[str, Comparator], ...] = (
    *((mark, "at_least") for mark in (">=", "=>", "≥", "⩾", "≧")),
    *((mark, "at_most") for mark in ("<=", "=<", "≤", "⩽", "≦")),
    *(
        (mark, "at_least")
        for mark in ("不少于", "不低于", "不小于", "不短于", "至少", "最少", "最低")
    ),
    *((mark, "at_least") for mark in ("起码", "不得少于", "不得低于")),
    *((mark, "at_most") for mark in ("不超过", "不得超过", "不高于", "不大于", "不多于", "不迟于")),
    *((mark, "at_most") for mark in ("不晚于", "不得高于", "至多", "最多", "最高", "最长")),
    *((mark, "more_than") for mark in (">", "超过", "高于", "大于", "多于", "逾", "超")),
    *((mark, "less_than") for mark in ("<", "低于", "少于", "小于", "不足", "不到", "未满")),
    *((mark, "about") for mark in ("~", "≈", "∼", "大约", "大概", "将近", "接近", "约", "近")),
)
_BY_LAST_MARK: MappingProxyType[str, tuple[tuple[str, Comparator], ...]] = MappingProxyType(
    {
        last: tuple(pair for pair in _MARKS if pair[0][-1] == last)
        for last in {mark[-1] for mark, _ in _MARKS}
    }
)

_AFTER = re.compile(
    r"(?P<at_least>\+(?!\d)"
    r"|,? (?:or|and) (?:more|above|greater|higher|over|longer|upwards?|later)\b"
    r"|,? at (?:the )?(?:least|minimum)\b|,? minimum\b|[ ]?(?:或|及)?以上)"
    r"|(?P<at_most>,? (?:or|and) (?:less|fewer|below|lower|under|shorter|smaller|earlier)\b"
    r"|,? at (?:the )?(?:most|maximum)\b|,? maximum\b|[ ]?(?:或|及)?以[下内])"
    r"|(?P<about>,? (?:or so|approximately|approx\b)|[ ]?左右|[ ]?上下)"
)
_AFTER_STARTS = frozenset(" ,+以或及左上")
_AFTER_WORDS = frozenset(words("or and at minimum maximum approximately approx approx."))
_AFTER_LETTERS = "oam ,"
_NAMES: MappingProxyType[str, Comparator] = MappingProxyType(
    {"at_least": "at_least", "at_most": "at_most", "about": "about"}
)


def comparator_before(low: str, at: int) -> Comparator:
    """Return the comparator that ends where a figure starts."""
    lead = low[max(0, at - _REACH) : at].rstrip()
    if not lead:
        return "none"
    for mark, meaning in _BY_LAST_MARK.get(lead[-1], ()):
        if lead.endswith(mark):
            return meaning
    last = lead.rsplit(None, 1)[-1].lstrip(_OPENING)
    if last not in LAST_WORDS:
        return "none"
    before = lead.split()
    index = len(before) - 1
    while index > 0 and before[index] in _FILL:
        index -= 1
    key = before[index].lstrip(_OPENING)
    return _meaning(key, before, index)


def _meaning(key: str, before: Sequence[str], index: int) -> Comparator:
    """Return what a word says that only fillers part from the figure."""
    fills = before[index + 1 :]
    if key in _LOWER or key in _HIGHER:
        return _compared(key, before, index, fills)
    if key in _EXCEEDS:
        return "at_most" if _is_negated(before, index) else "more_than"
    if key in _UNDER or key in _OVER:
        return _placed(key, before, index, fills)
    if key in ("least", "most") and index and before[index - 1] in ("at", "the", "very"):
        return "at_least" if key == "least" else "at_most"
    if key in ("up", "close") and "to" in fills:
        return "at_most" if key == "up" else "about"
    return _PLAIN.get(key, "none")


def _compared(key: str, before: Sequence[str], index: int, fills: Sequence[str]) -> Comparator:
    """Return what "more than", "not less than" or "greater than or equal to" says."""
    if "than" not in fills:
        return "none"
    higher = key in _HIGHER
    if _is_negated(before, index):
        return "at_most" if higher else "at_least"
    if "equal" in fills:
        return "at_least" if higher else "at_most"
    return "more_than" if higher else "less_than"


def _placed(key: str, before: Sequence[str], index: int, fills: Sequence[str]) -> Comparator:
    """Return what "above" or "under" says; "under the 5% cap" says nothing."""
    if fills:
        return "none"
    higher = key in _OVER
    if _is_negated(before, index):
        return "at_most" if higher else "at_least"
    if index > 1 and before[index - 1] == "or" and before[index - 2] == "at":
        return "at_least" if higher else "at_most"
    return "more_than" if higher else "less_than"


def _is_negated(before: Sequence[str], index: int) -> bool:
    if index and before[index - 1].lstrip(_OPENING) == "no":
        return True
    return any(word in _NOT or word.endswith("n't") for word in before[max(0, index - 3) : index])


def comparator_after(low: str, at: int) -> Comparator:
    """Return the comparator whose words start where a figure ends."""
    mark = low[at : at + 1]
    if mark not in _AFTER_STARTS:
        return "none"
    if mark in " ,":
        following = low[at + 1 : at + 2]
        if following < "\u4e00" and following not in _AFTER_LETTERS:
            return "none"
        word = low[at : at + 16].lstrip(" ,").split(maxsplit=1)[:1]
        if not word or (word[0] not in _AFTER_WORDS and word[0][0] < "\u4e00"):
            return "none"
    found = _AFTER.match(low, at)
    return _NAMES[found.lastgroup] if found and found.lastgroup else "none"
