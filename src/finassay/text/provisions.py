"""References to provisions of law in a text.  In: any string.  Out: readings with their spans.

"Regulation 30(6)" has a kind and a number.  Lists and ranges are taken apart ("Sections 4 to 6" are
three), and a number without its head takes what it needs from the one before ("Section 5(1)(a),
(b)").
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from finassay.text.folding import Folded, ends_of, fold


class Provision(NamedTuple):
    """One reference to a provision.

    Attributes:
        start: where it starts in the text.
        end: where it ends.
        kind: what it is, in the singular ("regulation", "section", "sub-clause").
        number: its number without spaces ("30(6)", "12A", "III").
    """

    start: int
    end: int
    kind: str
    number: str


_KINDS = {
    "section": "section sections sec secs s ss subsection subsections",
    "regulation": "regulation regulations reg regs subregulation subregulations",
    "rule": "rule rules subrule subrules",
    "article": "article articles art arts",
    "clause": "clause clauses cl subclause subclauses",
    "schedule": "schedule schedules",
    "chapter": "chapter chapters",
    "part": "part parts",
    "paragraph": "paragraph paragraphs para paras subparagraph subparagraphs",
    "annexure": "annexure annexures annex appendix",
    "title": "title",
}
_HEADS = {word: kind for kind, line in _KINDS.items() for word in line.split()}
_PLURAL = frozenset(word for word in _HEADS if word.endswith("s") and len(word) > 1)
_WORDS = frozenset(_HEADS)
_SUB_BEFORE = re.compile(r"(?<![a-z])sub[ \xa0-]\Z")
_AFTER_HEAD = re.compile(r"\.?[ \xa0]{0,2}(?:no\.?[ \xa0])?")
_LEVEL = r"\((?:[a-z]{1,2}|[ivx]{1,5}|[IVX]{1,5}|[A-Z]{1,2}|\d{1,3}[A-Z]{0,2})\)"
_FIRST = re.compile(
    r"(?:\d{1,4}(?:[A-Z]{1,3}(?![A-Za-z])|[a-z]{1,2}(?![A-Za-z])(?:-\d{1,2}(?![\d%]))?)?(?:\.\d{1,3}){0,4}(?![\d%])"
    rf"|[IVXLC]{{1,7}}(?!\w)|[A-Z](?![\w'])|(?={_LEVEL}))"
    rf"(?:[ \xa0]?{_LEVEL}){{0,6}}"
)
_JOIN = re.compile(r",?[ \xa0]{1,2}(?:and|or|&)[ \xa0]{1,2}|,[ \xa0]{0,2}|[ \xa0]?&[ \xa0]?|/")
_THROUGH = re.compile(r"[ \xa0]{1,2}(?:to|through)[ \xa0]{1,2}|[ \xa0]?[-–][ \xa0]?")
_NOT_MORE = re.compile(
    r"[ \xa0]?(?:%|per ?cent|percent|million|billion|crore|lakh|thousand|bn|mn|bps|basis"
    r"|[a-z]{0,12}[- ]?days?\b|months?\b|years?\b|hours?\b|[.,]?\d)"
)
_OF = re.compile(r",?[ \xa0]{1,2}(?:of|to|under|in)[ \xa0]{1,2}(?:the[ \xa0])?\Z")
_MARK = re.compile("§§?")
_HAN = re.compile(
    r"第(?P<number>[〇零一二三四五六七八九十百千\d]{1,9})(?P<head>条|條|款|项|項|章|节|節|编)"
)
_HAN_KINDS = {"条": "article", "條": "article", "款": "paragraph", "项": "item", "項": "item",
              "章": "chapter", "节": "section", "節": "section", "编": "part"}  # fmt: skip
_RANGE_MOST = 100


def read_provisions(text: str) -> tuple[Provision, ...]:
    """Return the references to provisions in a text, in order, with spans in the text."""
    folded = fold(text)
    return tuple(mapped(folded, provision) for provision in provisions_in(folded))


def mapped(folded: Folded, provision: Provision) -> Provision:
    """Return a reading of a folded text with its span in the text as written."""
    if not folded.cuts:
        return provision
    start, end = folded.span(provision.start, provision.end)
    return provision._replace(start=start, end=end)


def provisions_in(folded: Folded) -> list[Provision]:
    """Return the provisions of a folded text, in order, with spans in it."""
    found: list[Provision] = []
    heads = [] if _WORDS.isdisjoint(folded.words) else folded.places(_WORDS)
    if "§" in folded.text:
        heads = sorted([*heads, *((m.start(), m[0]) for m in ends_of(_MARK, folded.text))])
    for at, word in heads:
        if not found or at >= found[-1].end:
            for provision in _listed(folded, at, word):
                _add(folded, found, provision)
    if "第" in folded.text:
        found += _in_han(folded.text)
        found.sort(key=lambda provision: provision.start)
    return found


def _add(folded: Folded, found: list[Provision], provision: Provision) -> None:
    """Add a provision; "clause (b) of section 5" becomes section 5(b)."""
    while found and not provision.number.startswith("("):
        part = found[-1]
        between = folded.low[part.end : min(provision.start, part.end + 16)]
        if not part.number.startswith("(") or not _OF.fullmatch(between):
            break
        found.pop()
        provision = Provision(
            start=part.start,
            end=provision.end,
            kind=provision.kind,
            number=f"{provision.number}{part.number}",
        )
    found.append(provision)


def _listed(folded: Folded, at: int, word: str) -> Iterator[Provision]:
    """Yield the provisions that one head names."""
    before = folded.low[at - 1 : at]
    if before in _NO_HEAD_AFTER or before.isdigit():
        return
    behind = _AFTER_HEAD.match(folded.text, at + len(word))
    first = _FIRST.match(folded.text, behind.end()) if behind else None
    if first is None or not first[0] or not _is_head(folded, at, word, first[0]):
        return
    start, kind = at, _HEADS.get(word, "section")
    if word.startswith("sub") and len(word) > 3:
        kind = f"sub-{kind}"
    else:
        sub = _SUB_BEFORE.search(folded.low, max(0, at - 4), at)
        if sub:
            start, kind = sub.start(), f"sub-{kind}"
    number = _canonical(first[0])
    yield Provision(start=start, end=first.end(), kind=kind, number=number)
    many = word in _PLURAL or word == "§§"
    end = first.end()
    for _ in range(_RANGE_MOST):
        following = _next(folded, end, number, many=many)
        if following is None:
            return
        numbers, begin, end = following
        for number in numbers:
            yield Provision(start=begin, end=end, kind=kind, number=number)


_NO_HEAD_AFTER = ("'", "’")


def _is_head(folded: Folded, at: int, word: str, number: str) -> bool:
    """Return whether a head and what follows are a reference, not "part A of" or "art I saw"."""
    if number.isdigit() and 1900 <= int(number) <= 2100:
        # "Companies (Amendment) Regulations 2018" is a name with its year.
        return False
    if word in ("s", "ss", "art", "arts", "sec", "reg", "cl") and not number[0].isdigit():
        return False
    if word in ("s", "ss") and folded.low[at + len(word) : at + len(word) + 1] not in (".", " "):
        return False
    if number in ("I", "A") and not folded.text[at].isupper():
        return False
    return not (word in ("part", "parts", "title") and number[0].isdigit() and "." in number)


def _next(
    folded: Folded, end: int, before: str, *, many: bool
) -> tuple[list[str], int, int] | None:
    """Return the numbers that a list or range goes on with, and their span."""
    through = _THROUGH.match(folded.low, end) if many else None
    join = through or _JOIN.match(folded.low, end)
    number = _FIRST.match(folded.text, join.end()) if join else None
    if number is None or not number[0] or _NOT_MORE.match(folded.low, number.end()):
        return None
    written = _canonical(number[0])
    # After one section, "and 5" may count anything; "and 5A" and "(b)" go on with the list.
    if not many and not ("(" in written or (written[0].isdigit() and written[-1].isalpha())):
        return None
    found = _through(before, written) if through else [_completed(before, written)]
    return found, number.start(), number.end()


def _completed(before: str, written: str) -> str:
    """Return "(b)" after "5(1)(a)" as "5(1)(b)", and "(2)" as "5(2)"."""
    if written[0] != "(":
        return written
    levels = before.split("(")
    stem = levels[:1]
    for level in levels[1:]:
        if level[0].isdigit() == written[1].isdigit():
            break
        stem.append(level)
    return f"{'('.join(stem)}{written}"


def _through(before: str, written: str) -> list[str]:
    """Return the numbers after the first of a range, up to its last."""
    if before.isdigit() and written.isdigit():
        first, last = int(before), int(written)
        if first < last <= first + _RANGE_MOST:
            return [str(number) for number in range(first + 1, last + 1)]
    return [_completed(before, written)]


def _canonical(number: str) -> str:
    return number.replace(" ", "").replace("\xa0", "")


_DIGITS = {digit: value for value, digit in enumerate("零一二三四五六七八九")} | {"〇": 0}
_TENS = {"十": 10, "百": 100, "千": 1000}


def _han_number(written: str) -> str:
    if written.isdigit():
        return written
    total = current = 0
    for character in written:
        if character in _TENS:
            total += (current or 1) * _TENS[character]
            current = 0
        elif character in _DIGITS:
            current = _DIGITS[character]
        else:
            return written
    return str(total + current)


def _in_han(text: str) -> Iterator[Provision]:
    for match in ends_of(_HAN, text):
        yield Provision(
            start=match.start(),
            end=match.end(),
            kind=_HAN_KINDS[match["head"]],
            number=_han_number(match["number"]),
        )
