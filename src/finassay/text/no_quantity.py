"""Figures that are names, not quantities: markers, times, identifiers, references.

In: a folded text, and a figure in it.  Out: the spans, or whether the figure is a name.
"""

from __future__ import annotations

import re

from finassay.text.beside import After
from finassay.text.folding import Folded
from finassay.text.numerals import Numeral
from finassay.text.units import REFERENCE_NOUNS

_ADDRESS = re.compile(r"(?:https?://|www\.)[^\s)>\]]{1,2000}")
_CHAIN = re.compile(r"(?<![\w.])\d{1,9}(?:-\d{1,9}){2,12}(?![\w])")
_PATH = re.compile(r"(?<![\w/])[A-Za-z\d.&-]{1,30}(?:/[A-Za-z\d.()&-]{1,30}){2,20}")
_NOTE_MARK = re.compile(r"(?<=[\w.,;)\"'%\]])[ ]?\[\d{1,3}(?:[ ]?[,–-][ ]?\d{1,3}){0,20}\]")
_DIGIT = re.compile(r"\d")
_LETTER = re.compile(r"[A-Za-z]")

_LINE_MARK = re.compile(r"[ \t]*(?:[>#*•●·–-]+[ \t]*)*[(（\[]?\Z")
_MARK_END = re.compile(r"[.):、．]{1,2}(?=[ \xa0\t]+\S|[A-Za-z\u4e00-\u9fff])")
_INLINE_MARK_END = re.compile(r"\)[ \xa0]*[A-Za-z*]")
_TIME = re.compile(r":[0-5]\d(?!\d)(?::[0-5]\d)?|[ \xa0]?(?:[ap]\.?m\b|o'clock\b|hrs\b)")
_FILING = re.compile(r"-[A-Z](?![a-z])|-[A-Z]?\d[A-Z]")
_HOUR_MARKS = frozenset(":apo \xa0h")
_RATIO = re.compile(r":(\d{1,4}(?:\.\d+)?)(?![\d:])")
_REFERENCE = re.compile(r"([a-z]+)[.:]?[ \xa0]?(?:no\.?[ \xa0]?|#)?\Z")
_PLURAL_REACH = 24
_INDEX = re.compile(r"(?:s&p|ind as|asc topic)[ \xa0]?\Z")


def reserved(folded: Folded) -> list[tuple[int, int]]:
    """Return spans of a folded text that hold names: addresses, numbers of documents, note marks."""
    text = folded.text
    found: list[tuple[int, int]] = []
    if "://" in text or "www." in text:
        found += [match.span() for match in _ADDRESS.finditer(text)]
    if "-" in text:
        found += [match.span() for match in _CHAIN.finditer(text)]
    if "/" in text:
        found += [
            match.span()
            for match in _PATH.finditer(text)
            if _DIGIT.search(match[0]) and _LETTER.search(match[0])
        ]
    if "[" in text:
        found += [match.span() for match in _NOTE_MARK.finditer(text)]
    return found


def ratio_parts(folded: Folded, numeral: Numeral) -> re.Match[str] | None:
    """Return the ":1" of "3:1", unless the figure is the hour of a time."""
    if folded.text[numeral.end : numeral.end + 1] != ":":
        return None
    match = _RATIO.match(folded.text, numeral.end)
    if match is None or folded.text[numeral.start - 1 : numeral.start] == ":":
        return None
    if numeral.value < 24 and len(match[1]) == 2 and match[1][0] < "6":
        before = folded.low[max(0, numeral.start - 30) : numeral.start]
        return match if "ratio" in before else None
    return match


def is_label(folded: Folded, numeral: Numeral, behind: After, *, money: bool) -> bool:
    """Return whether a figure is a name: a marker, an hour, a reference or part of an identifier."""
    if numeral.words:
        return _is_pronoun(folded, numeral, behind)
    text, start, end = folded.text, numeral.start, numeral.end
    if money:
        return False
    before = text[start - 1 : start] if start else ""
    if before and ((before.isalpha() and before.isascii()) or before in "_@#"):
        return True
    if _is_linked(text, start, before) or _FILING.match(text, end):
        return True
    if text[end : end + 1] in _HOUR_MARKS and _is_time(folded, numeral, behind):
        return True
    if behind.unit is not None or behind.scale != 1 or not numeral.bare:
        return False
    return _is_marker(text, numeral) or _is_referred(folded, start, before)


def _is_linked(text: str, start: int, before: str) -> bool:
    """Return whether a hyphen, slash or colon ties the figure to letters or digits before it."""
    if before not in ("-", "/", ":") or start < 2:
        return False
    further = text[start - 2]
    if before == ":":
        return further.isdigit()
    if before == "-":
        return further.isalpha() and further.isascii()
    return further.isalnum()


def _is_time(folded: Folded, numeral: Numeral, behind: After) -> bool:
    if not numeral.bare or numeral.value > 24:
        return False
    if folded.text[numeral.end] in " \xa0" and behind.unit is not None:
        return False
    match = _TIME.match(folded.low, numeral.end)
    return match is not None and ratio_parts(folded, numeral) is None


def _is_marker(text: str, numeral: Numeral) -> bool:
    """Return whether a figure numbers a line or a step ("1.", "2)", "(3) ...")."""
    if numeral.end - numeral.start > 2 or text[numeral.end : numeral.end + 1] not in (
        ".", ")", ":", "、",
    ):  # fmt: skip
        return False
    begin = max(0, numeral.start - 24)
    line = text.rfind("\n", begin, numeral.start) + 1
    if line or begin == 0:
        lead = text[line or begin : numeral.start]
        if _LINE_MARK.fullmatch(lead) and _MARK_END.match(text, numeral.end):
            return True
    if text[numeral.end] != ")" or _INLINE_MARK_END.match(text, numeral.end) is None:
        return False
    before = text[max(0, numeral.start - 80) : numeral.start]
    if before.endswith("("):
        # "(1) revenue, (2) cost": a marker unless it repeats what stands before it.
        lead = before[:-1].rstrip(" \xa0")
        return not lead or lead[-1] in ".,;:–—-" or lead.endswith((" and", " or"))
    return before.count("(") <= before.count(")")


def _is_referred(folded: Folded, start: int, before: str) -> bool:
    """Return whether a noun before the figure makes it a reference ("Note 5", "Tier 1")."""
    if before == "." or not before:
        return False
    lead = folded.low[max(0, start - _PLURAL_REACH) : start]
    found = _REFERENCE.search(lead)
    if found is None:
        return False
    if found[1] in REFERENCE_NOUNS:
        colon = ":" in found[0]
        return not colon
    return found[1] in ("p", "as", "topic") and _INDEX.search(lead) is not None


_SET_OFF = frozenset(".!?:=\n*\"'")


def _is_pronoun(folded: Folded, numeral: Numeral, behind: After) -> bool:
    """Return whether "one" stands for a thing and counts nothing."""
    low = folded.low
    if low[numeral.start : numeral.end] not in ("one", "zero") or behind.unit is not None:
        return False
    if low[numeral.start] == "z" or behind.scale != 1:
        return False
    before = low[: numeral.start] if numeral.start < 3 else low[numeral.start - 3 : numeral.start]
    following = low[numeral.end : numeral.end + 3].strip(" \xa0")
    alone = not before.strip() or before.rstrip(" \xa0")[-1:] in _SET_OFF
    closed = not following or following[0] in ".!;)(,*\n"
    return not (alone and closed) and not following.startswith("(")
