"""The structure of a legal text.  In: a clean text.  Out: where its provisions and headings begin.

"30. (1) Every listed entity ...", "Regulation 30(6): ...", "; (b) ..." and "CHAPTER IV" open
provisions and headings.  Levels are told apart by how they are numbered, as drafters do: (1), (a),
(i), (A).  What opens at each place is what a citation of a passage from there names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple


class Mark(NamedTuple):
    """A place where something begins.

    Attributes:
        start: offset of its first character.
        weight: 0 for a heading, 1 for a numbered provision, 2 for a level or proviso.
        clause: provision that is open from here on ("regulation 30(6)(a)"), "" for none.
        heading: heading that is open from here on.
        opens: whether a provision begins here.
    """

    start: int
    weight: int
    clause: str
    heading: str
    opens: bool


_KIND = (
    r"(?P<kind>(?i:sub-?)?(?i:regulation|section|rule|article|paragraph|para|clause|reg\.|sec\.))"
)
_LEVELS = r"(?:[ \t]?\((?:[A-Za-z]{1,2}|[ivxlc]{1,6}|\d{1,3}[A-Z]?)\)){0,6}"
_LEVEL = (
    r"\((?P<level>[a-z]{1,2}|[ivxlc]{1,6}|[A-Z]{1,2}|[IVX]{1,5}|\d{1,3}[A-Z]{0,2})\)"
    r"(?=[ \t\"'“‘(])(?![ \t](?:and|or|of|to|above|below)\b)"
)

_AT_LINE = re.compile(
    r"^[ \t>*_-]{0,8}(?:"
    r"(?P<markdown>\#{1,6}[ \t]+(?P<title>[^\n]{1,200}))"
    r"|(?P<container>(?i:chapter|part|schedule|annexure|annex|appendix|form)\b[ \t.:-]{1,3}"
    r"(?:[IVXLC]{1,7}|\d{1,3}|[A-Z])(?![\w(])[^\n]{0,120}"
    r"|(?i:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth)"
    r"[ \t](?i:schedule)\b[^\n]{0,120})"
    rf"|(?P<named>{_KIND}[ \t]{{1,2}}(?P<number>\d{{1,4}}[A-Z]{{0,3}}{_LEVELS}))"
    r"(?=[ \t]?(?:\([^()\n]{1,60}\)[ \t]?)?(?:[:.—–-]|$))"
    rf"|(?P<plain>\d{{1,4}}[A-Z]{{0,3}})\.(?=[ \t]*(?:[A-Z\"'“‘(\[]|{_LEVEL[:2]}|$))"
    r"|(?P<decimal>\d{1,2}(?:\.\d{1,3}){1,4})\.?(?=[ \t]+[A-Z\"'“‘(])"
    rf"|{_LEVEL}"
    r"|(?P<aside>(?:Provided|Explanation|Illustration|Note|Proviso)\b)"
    r"|(?P<capitals>[A-Z][A-Z ,&'()/.–—-]{3,98}$)"
    r")",
    re.MULTILINE,
)
_IN_LINE = re.compile(
    r"(?:[;:.][ \t]+(?:and[ \t]+|or[ \t]+)?|[—–-][ \t]*)"
    rf"(?:{_LEVEL}|(?P<plain>\d{{1,3}}[A-Z]{{0,2}})\.(?=[ \t]+[A-Z\"'“‘(])"
    r"|(?P<aside>Provided (?:that|further)|Explanation\b))"
)
# "as in regulation / 30. The board": a number that belongs to the words before it.
_GOES_ON = re.compile(
    r"(?:\b(?:regulations?|sections?|rules?|articles?|clauses?|paragraphs?|paras?|to|of|under|the|than"
    r"|by|in|at|with|no|nos|rs|reg|regs|sec|art|para|cl|sch|ch|vol|pp?)\.?"
    r"|(?<![;:,.]\s)\b(?:and|or))[ \t]*\Z",
    re.IGNORECASE,
)
_SPACES = re.compile(r"\s+")
_SENTENCE = re.compile(r"\. ")
_ROMAN = re.compile(r"[ivxlc]+\Z")
_KINDS = {"reg.": "regulation", "sec.": "section", "para": "paragraph"}
_OF_TITLE = (
    ("regulation", re.compile(r"\bregulations\b", re.IGNORECASE)),
    ("rule", re.compile(r"\brules\b", re.IGNORECASE)),
    ("section", re.compile(r"\bact\b", re.IGNORECASE)),
    ("paragraph", re.compile(r"\b(?:directions?|circular|guidelines|framework)\b", re.IGNORECASE)),
)
_LONGEST_HEADING = 120
_LOOK_BACK = 24


def kind_of_title(title: str) -> str:
    """Return what the numbered provisions of a text are called, from its title, or "".

    The parts of Regulations are regulations, those of Rules rules, those of an Act sections, those
    of directions and circulars paragraphs.
    """
    for kind, pattern in _OF_TITLE:
        if pattern.search(title):
            return kind
    return ""


def marks_of(text: str, *, title: str = "") -> list[Mark]:
    """Return the places where headings and provisions begin, in order.

    Args:
        text: the clean text.
        title: title of the document, which says what its provisions are called.
    """
    state = _State(kind=kind_of_title(title))
    marks: list[Mark] = []
    for start, match in _places(text):
        made = state.read(match)
        if made is not None:
            weight, opens = made
            marks.append(Mark(start, weight, state.clause, state.heading, opens))
    return marks


def _places(text: str) -> Iterator[tuple[int, re.Match[str]]]:
    """Yield what may open something, each with the offset at which it begins."""
    at_lines = [(_inside(match), match) for match in _AT_LINE.finditer(text)]
    taken = {start for start, _ in at_lines}
    in_lines = (
        (start, match)
        for match in _IN_LINE.finditer(text)
        if (start := match.start(match.lastgroup or 0) - (match.lastgroup == "level")) not in taken
    )
    found = [*at_lines, *in_lines]
    found.sort(key=lambda pair: pair[0])
    for start, match in found:
        if not _goes_on(text, start, match):
            yield start, match


def _goes_on(text: str, start: int, match: re.Match[str]) -> bool:
    """Whether what looks like a number of a provision belongs to the words before it."""
    if match.lastgroup not in ("plain", "decimal", "level"):
        return False
    before = text[max(0, start - _LOOK_BACK) : start]
    gap = before[len(before.rstrip()) :]
    if gap.count("\n") > 1:
        return False
    before = before.rstrip()
    return bool(_GOES_ON.search(before)) or (match.lastgroup != "level" and before.endswith(","))


def _inside(match: re.Match[str]) -> int:
    lead = match[0]
    return match.start() + len(lead) - len(lead.lstrip(" \t>*_-"))


@dataclass
class _State:
    """What is open while a text is read from its start to its end."""

    kind: str
    own_kind: str = ""
    base: str = ""
    levels: list[tuple[str, str]] = field(default_factory=list)
    heading: str = ""
    in_schedule: bool = False

    @property
    def clause(self) -> str:
        number = self.base + "".join(f"({value})" for _, value in self.levels)
        kind = self.own_kind or ("" if self.in_schedule else self.kind)
        # A level alone, without the number of its provision, names nothing.
        return f"{kind} {number}".strip() if self.base else ""

    def read(self, match: re.Match[str]) -> tuple[int, bool] | None:
        """Take in what a place opens; return its weight and whether a provision begins."""
        groups = match.groupdict()
        if groups.get("markdown") or groups.get("container") or groups.get("capitals"):
            return self._head(groups)
        if groups.get("named"):
            return self._named(groups["kind"], groups["number"])
        number = groups.get("plain") or groups.get("decimal")
        if number:
            self.own_kind, self.base, self.levels = "", number, []
            return 1, True
        if groups.get("level"):
            self._push(groups["level"])
            return 2, bool(self.base)
        return 2, False

    def _head(self, groups: dict[str, str | None]) -> tuple[int, bool]:
        container = groups.get("container")
        written = groups.get("title") or container or groups.get("capitals") or ""
        named = _SENTENCE.split(_SPACES.sub(" ", written), maxsplit=1)[0]
        self.heading = named.strip(" .:#*_-—–")[:_LONGEST_HEADING]
        if container:
            self.own_kind, self.base, self.levels = "", "", []
            self.in_schedule = self.in_schedule or container[:4].lower() not in ("chap", "part")
        return 0, False

    def _named(self, kind: str, number: str) -> tuple[int, bool]:
        stem, *levels = _SPACES.sub("", number).replace(")", "").split("(")
        plain = kind.lower()
        self.own_kind = _KINDS.get(plain, plain)
        self.base, self.levels = stem, []
        for level in levels:
            self._push(level)
        return 1, True

    def _push(self, value: str) -> None:
        style = self._style(value)
        styles = [known for known, _ in self.levels]
        if style in styles:
            del self.levels[styles.index(style) :]
        self.levels.append((style, value))

    def _style(self, value: str) -> str:
        if value[0].isdigit():
            return "digits"
        case = "lower" if value.islower() else "upper"
        letter = f"{case} letters"
        roman = f"{case} roman"
        if not _ROMAN.match(value.lower()):
            return letter
        open_levels = dict(self.levels)
        before = open_levels.get(letter, "")
        if len(value) == 1 and len(before) == 1 and ord(value) == ord(before) + 1:
            return letter
        if roman in open_levels or value.lower() in ("i", "ii", "iii", "iv", "vi", "vii", "viii"):
            return roman
        return letter
