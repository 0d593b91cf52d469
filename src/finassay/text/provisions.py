"""References to provisions of law in a text.  In: any string.  Out: readings with their spans.

"Regulation 30(6)" has a kind and a number.  Lists and ranges are taken apart ("Sections 4 to 6" are
three), and a number without its head takes what it needs from the one before ("Section 5(1)(a),
(b)").
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from finassay.text.folding import Folded, fold


@dataclass(frozen=True, slots=True, kw_only=True)
class Provision:
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


_HEADS = {
    "section": "section",
    "sec": "section",
    "secs": "section",
    "s": "section",
    "ss": "section",
    "§": "section",
    "§§": "section",
    "regulation": "regulation",
    "reg": "regulation",
    "regs": "regulation",
    "rule": "rule",
    "article": "article",
    "art": "article",
    "arts": "article",
    "clause": "clause",
    "cl": "clause",
    "sub-section": "sub-section",
    "subsection": "sub-section",
    "sub-clause": "sub-clause",
    "subclause": "sub-clause",
    "sub-regulation": "sub-regulation",
    "subregulation": "sub-regulation",
    "sub-rule": "sub-rule",
    "subrule": "sub-rule",
    "sub-paragraph": "sub-paragraph",
    "subparagraph": "sub-paragraph",
    "schedule": "schedule",
    "chapter": "chapter",
    "part": "part",
    "paragraph": "paragraph",
    "para": "paragraph",
    "paras": "paragraph",
    "annexure": "annexure",
    "annex": "annexure",
    "appendix": "appendix",
    "title": "title",
}
_HEADS |= {
    f"{head}s": kind
    for head, kind in list(_HEADS.items())
    if len(head) > 4 and head not in ("paras", "annex")
}
_HEADS["rules"] = "rule"
_PLURAL = frozenset(head for head in _HEADS if head.endswith("s") and head != "s")
_WORDS = frozenset(head.replace("sub-", "") for head in _HEADS if head[0] != "§")
_H = "|".join(
    sorted((head.replace("-", "[- ]?") for head in _HEADS if head[0] != "§"), key=len, reverse=True)
)
_ROMAN = r"[IVXLC]{1,7}(?![\w])"
_NUMBER = (
    r"(?:\d{1,4}(?:[A-Z]{1,3}(?![A-Za-z]))?(?:\.\d{1,3}){0,4}"
    rf"|{_ROMAN}|[A-Z](?![\w'])|(?=\([a-zA-Z0-9]{{1,4}}\)))"
    r"(?:[ \xa0]?\((?:[a-z]{1,2}|[ivx]{1,5}|[IVX]{1,5}|[A-Z]{1,2}|\d{1,3}[A-Z]{0,2})\)){0,6}"
)
_HEAD = re.compile(
    rf"(?<![\w-])(?:(?P<word>{_H})\b\.?|(?P<mark>§§?))[ \xa0]{{0,2}}(?:no\.?[ \xa0])?"
)
_FIRST = re.compile(_NUMBER)
_JOIN = re.compile(r"(?:,?[ \xa0]{1,2}(?:and|or|&)[ \xa0]{1,2}|,[ \xa0]{0,2}|[ \xa0]?&[ \xa0]?|/)")
_THROUGH = re.compile(r"(?:[ \xa0]{1,2}(?:to|through)[ \xa0]{1,2}|[ \xa0]?[-–][ \xa0]?)")
_NOT_MORE = re.compile(
    r"[ \xa0]?(?:%|per ?cent|percent|million|billion|crore|lakh|thousand|bn|mn|bps|basis|[a-z-]*days?\b|months?\b"
    r"|years?\b|hours?\b|[.,]?\d)|[.,]\d"
)
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
    return Provision(start=start, end=end, kind=provision.kind, number=provision.number)


def provision_spans(folded: Folded) -> list[tuple[int, int]]:
    """Return the spans of the provisions of a folded text."""
    return [(provision.start, provision.end) for provision in provisions_in(folded)]


def provisions_in(folded: Folded) -> list[Provision]:
    """Return the provisions of a folded text, in order, with spans in it."""
    found: list[Provision] = []
    if not _WORDS.isdisjoint(folded.words) or "§" in folded.text:
        until = 0
        for head in _HEAD.finditer(folded.low):
            if head.start() >= until:
                found += _listed(folded, head)
                until = found[-1].end if found else 0
    if "第" in folded.text:
        found += _in_han(folded.text)
        found.sort(key=lambda provision: provision.start)
    return found


def _listed(folded: Folded, head: re.Match[str]) -> Iterator[Provision]:
    """Yield the provisions that one head names."""
    text = folded.text
    word = head["mark"] or re.sub("[ ]", "-", head["word"])
    kind = _HEADS[word]
    first = _FIRST.match(text, head.end())
    if first is None or not first[0] or _bare_letter(folded, head, first):
        return
    number = _canonical(first[0])
    yield Provision(start=head.start(), end=first.end(), kind=kind, number=number)
    many = word in _PLURAL or word == "§§"
    end = first.end()
    for _ in range(_RANGE_MOST):
        following = _next(folded, end, number, many=many)
        if following is None:
            return
        numbers, start, end = following
        for number in numbers:
            yield Provision(start=start, end=end, kind=kind, number=number)


def _bare_letter(folded: Folded, head: re.Match[str], first: re.Match[str]) -> bool:
    """Return whether a letter after the head is a word ("section I wrote", "part A of")."""
    if head["word"] in ("s", "ss", "art", "sec") and not first[0][0].isdigit():
        return True
    if first[0] in ("I", "A"):
        return not folded.text[head.start()].isupper()
    return False


def _next(
    folded: Folded, end: int, before: str, *, many: bool
) -> tuple[list[str], int, int] | None:
    """Return the numbers that a list or range goes on with, and their span."""
    text = folded.text
    through = _THROUGH.match(text, end) if many else None
    join = through or _JOIN.match(text, end)
    if join is None:
        return None
    number = _FIRST.match(text, join.end())
    if number is None or not number[0]:
        return None
    written = _canonical(number[0])
    if not (many or written[0] == "(" or "(" in written or written[-1].isalpha()):
        return None
    if written[0] != "(" and not many and not written[0].isdigit():
        return None
    if _NOT_MORE.match(folded.low, number.end()):
        return None
    if through:
        return _through(before, written), number.start(), number.end()
    return [_completed(before, written)], number.start(), number.end()


def _completed(before: str, written: str) -> str:
    """Return "(b)" after "5(1)(a)" as "5(1)(b)"."""
    if written[0] != "(":
        return written
    levels = written.count("(")
    parts = before.split("(")
    stem = "(".join(parts[: max(1, len(parts) - levels)])
    return f"{stem}{written}"


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
    for match in _HAN.finditer(text):
        yield Provision(
            start=match.start(),
            end=match.end(),
            kind=_HAN_KINDS[match["head"]],
            number=_han_number(match["number"]),
        )
