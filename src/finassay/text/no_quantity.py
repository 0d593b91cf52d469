"""Figures that are names, not quantities: markers, times, identifiers, references.

In: a folded text, and a figure in it.  Out: the spans, or whether the figure is a name.
"""

from __future__ import annotations

import re

from finassay.text.beside import After
from finassay.text.folding import Folded, ends_of
from finassay.text.numerals import Numeral
from finassay.text.units import REFERENCE_NOUNS

_ADDRESS = re.compile(r"(?:https?://|www\.)[^\s)>\]]{1,2000}")
_CHAIN = re.compile(r"[0-9]\d{0,8}(?:(?:-\d{1,9}){2,12}|-\d{7}|[ ]\d{3}-\d{4})(?!\w)")
_PHONE = re.compile(r"\+\d{1,3}(?:[ -]\(?\d{2,8}\)?){2,4}(?![a-z\d])")
_LOCAL_PHONE = re.compile(r"\(\d{3}\)[ ]?\d{3}-\d{4}(?!\w)")
_PATH_PART = re.compile(r"/[A-Za-z\d.()&-]{1,30}/")
_PATH = re.compile(r"(?<![\w/])[A-Za-z\d.&-]{1,30}(?:/[A-Za-z\d.()&-]{1,30}){2,20}")
_NOTE_MARK = re.compile(r"\[\d{1,3}(?:[ ]?[,–-][ ]?\d{1,3}){0,20}\]")
_NOTED = frozenset(".,;)\"'%]")
_DIGIT = re.compile(r"\d")
_LETTER = re.compile(r"[A-Za-z]")

_LINE_MARK = re.compile(r"[ \t]*(?:[>#*•●·–-]+[ \t]*)*[(（\[]?\Z")
_MARK_END = re.compile(r"[.):、．]{1,2}(?=[ \xa0\t]+\S|[A-Za-z\u4e00-\u9fff])")
_INLINE_MARK_END = re.compile(r"\)[ \xa0]*[A-Za-z*]")
_MARK_CLOSES = frozenset(".):、")
_TIME = re.compile(r":[0-5]\d(?!\d)(?::[0-5]\d)?|[ \xa0]?(?:[ap]\.?m\b|o'clock\b|hrs\b)")
_LONG_GOES_ON = re.compile(r"[-/]\d")
_HOUR_MARKS = frozenset(":apo \xa0h")
_FILING = re.compile(r"-[A-Z](?![a-z])|-[A-Z]?\d[A-Z]")
_RATIO = re.compile(r"(?::|[ \xa0]:[ \xa0])(\d{1,4}(?:\.\d{1,4})?)(?![\d:])")
_REFERENCE_REACH = 24
_OPENING = "([*\"'_-“"
_INDEXES = ("s&p", "ind as", "asc topic")
INDEX_ENDS = frozenset(("s&p", "as", "topic"))
_LIST_GAPS = frozenset((", ", ",", " and ", ", and ", " & ", " or ", "-", "–", " to ", "/"))


def reserved(folded: Folded) -> list[tuple[int, int]]:
    """Return spans of a folded text that hold names: addresses, identifiers and note marks."""
    text = folded.text
    found: list[tuple[int, int]] = []
    if "://" in text or "www." in text:
        found += [match.span() for match in ends_of(_ADDRESS, text)]
    if "-" in text and folded.ties:
        found += [match.span() for match in ends_of(_CHAIN, text)]
        found += [match.span() for match in ends_of(_LOCAL_PHONE, text)]
    if "+" in text:
        found += [match.span() for match in ends_of(_PHONE, text)]
    if "/" in text and _PATH_PART.search(text):
        found += [
            match.span()
            for match in ends_of(_PATH, text)
            if _DIGIT.search(match[0]) and _LETTER.search(match[0])
        ]
    if "[" in text:
        found += [match.span() for match in ends_of(_NOTE_MARK, text) if _is_note(text, match)]
    return found


def _is_note(text: str, match: re.Match[str]) -> bool:
    """Return whether a figure in square brackets is a note mark: it follows a word directly."""
    before = text[max(0, match.start() - 2) : match.start()].rstrip(" ")
    return bool(before) and (before[-1] in _NOTED or before[-1].isalnum())


def ratio_parts(folded: Folded, numeral: Numeral) -> re.Match[str] | None:
    """Return the ":1" of "3:1", unless the figure is the hour of a time."""
    if folded.text[numeral.end : numeral.end + 1] not in (":", " ", "\xa0"):
        return None
    match = _RATIO.match(folded.text, numeral.end)
    if match is None or folded.text[numeral.start - 1 : numeral.start] == ":":
        return None
    if numeral.bare and numeral.value < 24 and len(match[1]) == 2 and match[1][0] < "6":
        before = folded.low[max(0, numeral.start - 30) : numeral.start]
        return match if "ratio" in before else None
    return match


def is_label(folded: Folded, numeral: Numeral, behind: After, *, money: bool) -> bool:
    """Return whether a figure is a name: a marker, an hour, a reference, part of an identifier."""
    measured = behind.unit is not None or behind.scale != 1
    if numeral.words:
        return numeral.loose and not measured and not _stands_alone(folded, numeral, money=money)
    if money:
        return False
    before = folded.text[numeral.start - 1] if numeral.start else ""
    if _is_tied(folded.text, numeral, before) or _is_time(folded, numeral, behind):
        return True
    return not measured and (
        is_marked(folded, numeral)
        or (_may_be_named(numeral) and is_referred(folded, numeral.start))
    )


def is_label_by_itself(folded: Folded, numeral: Numeral, behind: After) -> bool:
    """Return whether a figure after a space and a word that names nothing is a name all the same.

    What `is_label` says of digits without a currency that follow such a word.
    """
    if folded.text[numeral.end : numeral.end + 1] in _TIES and _is_tied(folded.text, numeral, " "):
        return True
    if _is_time(folded, numeral, behind):
        return True
    return behind.unit is None and behind.scale == 1 and is_marked(folded, numeral)


_TIES = ("-", "/")


def is_marked(folded: Folded, numeral: Numeral) -> bool:
    """Return whether a bare figure numbers a document, a line or a step."""
    if not numeral.bare:
        return False
    return is_numbered(folded.text, numeral) or _is_marker(folded.text, numeral)


def _may_be_named(numeral: Numeral) -> bool:
    """Return whether a figure can number a document or a part of one.

    "Exhibit 4.4", but "Exhibit 4,400" has no such number.
    """
    return numeral.bare or (0 < numeral.step < 1 and numeral.value < 1000)


def is_numbered(text: str, numeral: Numeral) -> bool:
    """Return whether a figure is a number of a document: it starts with a zero ("001-33764")."""
    return text[numeral.start] == "0" and numeral.end - numeral.start > 1


def names_with(folded: Folded, named_until: int, numeral: Numeral) -> bool:
    """Return whether a figure goes on with a list of names: "Notes 5 and 6"."""
    if not numeral.bare or numeral.start - named_until > 6:
        return False
    return folded.low[named_until : numeral.start] in _LIST_GAPS and _ends_bare(folded, numeral.end)


def _ends_bare(folded: Folded, end: int) -> bool:
    following = folded.low[end : end + 3].lstrip(" \xa0")
    return not following or following[0] in ",.;:)&\n-–" or following.startswith(("an", "of", "or"))


def _is_tied(text: str, numeral: Numeral, before: str) -> bool:
    """Return whether letters, a hyphen, a slash or a colon tie the figure to an identifier."""
    long = numeral.bare and numeral.end - numeral.start > 6
    if before:
        if before in "_@#" or (before.isalpha() and before.isascii()):
            return True
        if before in "-/:" and _is_tied_by(before, text[max(0, numeral.start - 2)], long=long):
            return True
    if text[numeral.end : numeral.end + 1] not in ("-", "/"):
        return False
    return (_LONG_GOES_ON if long else _FILING).match(text, numeral.end) is not None


def _is_tied_by(mark: str, further: str, *, long: bool) -> bool:
    """Return whether a mark ties a figure to what stands before the mark."""
    if further.isdigit():
        return mark == ":" or long
    return mark != ":" and further.isalpha() and (mark == "/" or further.isascii())


def _is_time(folded: Folded, numeral: Numeral, behind: After) -> bool:
    mark = folded.text[numeral.end : numeral.end + 1]
    if mark not in _HOUR_MARKS or not numeral.bare:
        return False
    if mark in " \xa0" and (
        behind.unit is not None or folded.low[numeral.end + 1 : numeral.end + 2] not in _HOUR_WORDS
    ):
        return False
    return numeral.value <= 24 and _TIME.match(folded.low, numeral.end) is not None


_HOUR_WORDS = ("a", "p", "o", "h")


def _is_marker(text: str, numeral: Numeral) -> bool:
    """Return whether a figure numbers a line or a step ("1.", "2)", "(3) ...")."""
    start, end = numeral.start, numeral.end
    if end - start > 2 or text[end : end + 1] not in _MARK_CLOSES:
        return False
    begin = max(0, start - 24)
    line = text.rfind("\n", begin, start) + 1
    if line or begin == 0:
        lead = text[line or begin : start]
        if _LINE_MARK.fullmatch(lead) and _MARK_END.match(text, end):
            return True
    if text[end] != ")" or _INLINE_MARK_END.match(text, end) is None:
        return False
    before = text[max(0, start - 80) : start]
    if before.endswith("("):
        # "(1) revenue, (2) cost": a marker unless it repeats what stands before it.
        lead = before[:-1].rstrip(" \xa0")
        return not lead or lead[-1] in ".,;:–—-" or lead.endswith((" and", " or"))
    return before.count("(") <= before.count(")")


def is_referred(folded: Folded, start: int) -> bool:
    """Return whether a noun before a figure makes it a reference ("Note 5", "Tier 1")."""
    low = folded.low
    lead = low[max(0, start - _REFERENCE_REACH) : start].rstrip(" \xa0")
    if not lead:
        return False
    mark = lead[-1]
    if mark in "#.":
        lead = lead[:-1].rstrip(" \xa0")
        word = lead.rsplit(maxsplit=1)[-1:]
        if mark == "#" or (word and word[0].lstrip(_OPENING) in ("no", "nos")):
            return True
    elif not ("a" <= mark <= "z"):
        return False
    word = lead.rsplit(maxsplit=1)[-1:]
    name = word[0].lstrip(_OPENING) if word else ""
    return name in REFERENCE_NOUNS or (name in INDEX_ENDS and lead.endswith(_INDEXES))


_SET_OFF = frozenset(".!?:=\n*\"'为是：")
_CLOSES = frozenset(".!;)(,*\n。，")


def _stands_alone(folded: Folded, numeral: Numeral, *, money: bool) -> bool:
    """Return whether a loose number ("one", 三) is set off, as an answer is."""
    low = folded.low
    if low.endswith(("a", "an"), numeral.start, numeral.end):
        # "Half a" waits for what it halves.
        return False
    if money:
        return True
    before = low[max(0, numeral.start - 8) : numeral.start].rstrip(" \xa0")
    following = low[numeral.end : numeral.end + 3].lstrip(" \xa0")
    if before.endswith(("-", "–", "minus")) or (following[:1] == "(" and following[1:2].isdigit()):
        return True
    alone = not before or before[-1] in _SET_OFF
    return alone and (not following or following[0] in _CLOSES)
