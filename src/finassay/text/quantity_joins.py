"""Figures that are one quantity: repeats, compounds and ranges.  In: drafts.  Out: fewer drafts."""

from __future__ import annotations

import re

from finassay.text.folding import Folded
from finassay.text.numerals import ONE
from finassay.text.quantity_drafts import Draft, extend

_AGAIN = re.compile(r"[ \xa0]*\([ \xa0]*(?:i\.e\.,?[ \xa0]*)?\Z")
_ONLY = re.compile(r"(?:[ \xa0]only)?[ \xa0]?\)")
_DASH = re.compile(r"-|[ \xa0]?[–—~][ \xa0]?")
_TO = re.compile(
    r"[ \xa0]+(?:to|through|till|and)[ \xa0]+(?:up to )?|[ \xa0]-[ \xa0]|[ ]?[至到][ ]?"
)
_FIRST_WORDS = r"[ \xa0](?:\w{1,20}[ \xa0])?\Z"
_BETWEEN = re.compile(rf"\bbetween{_FIRST_WORDS}")
_CHANGE = re.compile(
    rf"\b(?:from|compar\w{{1,5}}(?: of)?|rais\w{{1,3}}|increas\w{{1,3}}|by){_FIRST_WORDS}"
)
_RANGING = re.compile(rf"\brang\w{{1,4}}[ \xa0]from{_FIRST_WORDS}")
_REACH = 34


def joined(folded: Folded, drafts: list[Draft]) -> list[Draft]:
    """Return the drafts with repeats, compounds and the ends of ranges joined."""
    kept: list[Draft] = []
    for made in drafts:
        if kept and made.start - kept[-1].end <= 16:
            last = kept[-1]
            between = folded.low[last.end : made.start]
            if _same_again(folded, last, made, between) or _compound(last, made, between):
                continue
            if last.high is None and _spans_range(folded, last, made, between):
                _range(last, made)
                continue
        kept.append(made)
    return kept


def _same_again(folded: Folded, first: Draft, second: Draft, between: str) -> bool:
    """Take "(30)" into "thirty (30)": one quantity, written twice; return whether it was so."""
    if first.numeral.words == second.numeral.words or abs(second.value) != abs(first.value):
        return False
    opening = f"{between}(" if second.bracket else between
    if not _AGAIN.fullmatch(opening):
        return False
    if second.bracket:
        first.end = second.end
    else:
        close = _ONLY.match(folded.low, second.end)
        first.end = close.end() if close else second.end
    if first.kind == "plain":
        if second.kind != "plain":
            first.kind, first.unit = second.kind, second.unit
        else:
            extend(folded, first)
    return True


def _compound(first: Draft, second: Draft, between: str) -> bool:
    """Take "50 lakh" into "1 crore 50 lakh"; return whether it was so."""
    if first.scale <= second.scale or between not in ("", " ", "\xa0", "-"):
        return False
    if second.currency or second.value < 0 or second.value >= first.scale:
        return False
    if second.scale == 1 and (between or second.numeral.words):
        return False
    if first.kind not in ("plain", second.kind) and not (first.currency and second.kind == "plain"):
        return False
    first.value += second.value
    first.step, first.end = second.step, second.end
    if first.kind == "plain":
        first.kind, first.unit = second.kind, second.unit
    return True


def _spans_range(folded: Folded, low: Draft, high: Draft, between: str) -> bool:
    if not between or low.is_bare_year or high.is_bare_year or not _alike(low, high):
        return False
    if _DASH.fullmatch(between):
        return folded.text[high.end : high.end + 3].strip()[:1] != "="
    return _TO.fullmatch(between) is not None and _worded_range(folded, low, high, between)


def _worded_range(folded: Folded, low: Draft, high: Draft, between: str) -> bool:
    """Return whether "5 to 7", "between 5 and 7" or "5 - 7 days" is a range, not a change."""
    begin = max(0, low.start - _REACH)
    if "and" in between:
        word = _BETWEEN.search(folded.low, begin, low.start)
        if word:
            low.start = word.start()
        return word is not None
    if "-" in between:
        # A spaced hyphen takes away, unless the first end waits for what the second has.
        waits = low.scale == 1 != high.scale and not high.currency
        return waits or low.kind == "plain" != high.kind
    if _CHANGE.search(folded.low, begin, low.start) is None:
        return True
    return _RANGING.search(folded.low, begin, low.start) is not None


def _alike(low: Draft, high: Draft) -> bool:
    """Return whether two figures can be the ends of one range."""
    if low.kind == "plain" and low.scale == 1:
        return 0 <= low.value * high.scale < high.value
    if high.kind == "plain" and low.currency:
        scale = high.scale if low.scale == 1 else ONE
        return low.value * scale < high.value
    if low.kind != high.kind or low.unit != high.unit:
        return False
    return low.value < high.value or low.scale == 1 != high.scale


def _range(low: Draft, high: Draft) -> None:
    if low.scale == 1 != high.scale and low.value * high.scale < high.value:
        low.value *= high.scale
        low.step *= high.scale
        low.scale = high.scale
    low.step = min(low.step, high.step)
    low.high, low.end = high.value, high.end
    if low.kind == "plain":
        low.kind, low.unit = high.kind, high.unit
    if low.comparator == "none" and high.comparator == "about":
        low.comparator = "about"
