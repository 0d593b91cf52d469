"""Chunks of a document.  In: a clean text.  Out: passages that say where they are from.

A chunk ends where the text does: before a heading or a provision if one begins in its second half,
else behind a paragraph or sentence, else between words.  No cut falls inside a word, a number or an
identifier ("Rs. 500 crore", "regulation 30 (6)").  Every character that is no white space stands in
some chunk, and a chunk is its span of the text, unchanged.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from finassay.retrieval.identifiers import identifiers_in
from finassay.retrieval.records import Chunk, ChunkSettings, Document
from finassay.retrieval.structure import Mark, marks_of

CHUNKER = "clauses/1"
"""Name and version of this way to cut, for manifests."""

_SENTENCE = re.compile(r"[.!?;:][\"'”’)\]]{0,3}\s+(?=[\"'“‘(\[]{0,3}[^\W_])|[。！？；]")
_ABBREVIATION = re.compile(
    r"(?:\b(?:Rs|Nos?|Arts?|Secs?|Regs?|Paras?|Cl|Ch|Sch|Vol|vs|viz|cf|e\.g|i\.e|approx|Inc|Ltd|Co"
    r"|Pvt|Corp|St|Smt|Shri|Dr|Mr|Ms|w\.e\.f|U\.S|U\.K)|\b[A-Z])\.\s*\Z"
)
_PARAGRAPH = re.compile(r"\n\s*\n")
_BETWEEN = re.compile(r"[^\W_]|[/.,()&'’₹$€£%:_-]")
_WINDOW = 160
_TRIES = 24
_LONGEST_WORD = 200


def chunks_of(document: Document, settings: ChunkSettings | None = None) -> list[Chunk]:
    """Return the chunks of a document, in order; none of a text of white space."""
    settings = settings or ChunkSettings()
    text = document.text
    title = f"{document.title} {document.regulation}"
    marks = marks_of(text, title=title)
    starts = [mark.start for mark in marks]
    spans = _spans(text, marks, settings)
    return [_chunk(document, number, span, marks, starts) for number, span in enumerate(spans)]


def _chunk(
    document: Document, number: int, span: tuple[int, int], marks: Sequence[Mark], starts: list[int]
) -> Chunk:
    start, end = span
    first, behind = bisect_left(starts, start), bisect_left(starts, end)
    # What begins with the chunk itself is open in it.
    at = first + 1 if first < len(marks) and starts[first] == start else first
    opened = marks[at - 1] if at else Mark(0, 0, "", "", opens=False)
    opens = [mark.clause for mark in marks[first:behind] if mark.opens]
    page = bisect_right(document.pages, start) or None
    return Chunk(
        document_id=document.document_id,
        number=number,
        start=start,
        end=end,
        text=document.text[start:end],
        page=page,
        last_page=None if page is None else bisect_right(document.pages, end - 1),
        heading=opened.heading,
        clause=opened.clause,
        clauses=tuple(dict.fromkeys(opens)),
        title=document.title,
        regulator=document.regulator,
        regulation=document.regulation,
        date=document.date,
    )


def _spans(text: str, marks: Sequence[Mark], settings: ChunkSettings) -> Iterator[tuple[int, int]]:
    places = _Places.of(text, marks)
    length = len(text.rstrip())
    start = _skip(text, 0)
    while start < length:
        if length - start <= settings.size:
            yield start, length
            return
        cut, weight = places.cut(start, start + settings.size)
        yield start, _trimmed(text, start, cut)
        # Before a heading or a numbered provision nothing is missing that an overlap could give
        # back, and a short chunk is not repeated whole.
        overlap = min(settings.overlap, (cut - start) // 2) if weight > 1 else 0
        start = _skip(text, max(places.resume(cut - overlap, cut), start + 1))


def _skip(text: str, start: int) -> int:
    """Return the first place from a start that is no white space, or the end."""
    while start < len(text) and text[start].isspace():
        start += 1
    return start


def _trimmed(text: str, start: int, end: int) -> int:
    while end > start and text[end - 1].isspace():
        end -= 1
    return end


@dataclass(frozen=True, slots=True)
class _Places:
    """Where a text may be cut, by how well: headings, provisions, levels, paragraphs, sentences."""

    text: str
    by_weight: tuple[list[int], ...]

    @classmethod
    def of(cls, text: str, marks: Sequence[Mark]) -> _Places:
        """Return the places of a text."""
        weighted: tuple[list[int], ...] = ([], [], [], [], [])
        for mark in marks:
            weighted[mark.weight].append(mark.start)
        weighted[3].extend(match.end() for match in _PARAGRAPH.finditer(text))
        weighted[4].extend(match.end() for match in _SENTENCE.finditer(text))
        return cls(text, weighted)

    def cut(self, start: int, limit: int) -> tuple[int, int]:
        """Return where to end a chunk that begins at a start, and how good a place it is."""
        half = start + (limit - start) // 2
        for least in (half, start + (limit - start) // 8):
            for weight, places in enumerate(self.by_weight):
                found = self._last(places, least, limit)
                if found is not None:
                    return found, weight
        found = self._between_words(start + 1, limit)
        return found, 5

    def resume(self, least: int, cut: int) -> int:
        """Return where the next chunk begins: the first good place from `least`, at most `cut`."""
        best = cut
        for places in self.by_weight:
            at = bisect_left(places, least)
            if at < len(places) and places[at] < best and self._is_free(places[at]):
                best = places[at]
        if best == cut and least < cut:
            at = self.text.find(" ", least, cut) + 1
            return at if at and self._is_free(at) else cut
        return best

    def _last(self, places: list[int], least: int, limit: int) -> int | None:
        at = bisect_right(places, limit)
        for place in reversed(places[max(0, at - _TRIES) : at]):
            if place < least:
                return None
            if self._is_free(place):
                return place
        return None

    def _between_words(self, least: int, limit: int) -> int:
        """Return the last place up to a limit that is not inside a word or identifier."""
        place = limit
        tries = 0
        while place > max(least, limit - _LONGEST_WORD * 4) and tries < _TRIES:
            if not _is_inside_word(self.text, place):
                if self._is_free(place):
                    return place
                tries += 1
            place -= 1
        return limit

    def _is_free(self, place: int) -> bool:
        """Whether a cut would not part what belongs together."""
        begin = max(0, place - _WINDOW)
        window = self.text[begin : place + _WINDOW]
        at = place - begin
        if _ABBREVIATION.search(window, max(0, at - 12), at):
            return False
        return not any(one.start < at < one.end for one in identifiers_in(window))


def _is_inside_word(text: str, place: int) -> bool:
    """Whether the characters beside a place belong to one word of a script that parts words."""
    before, behind = text[place - 1], text[place]
    if before.isspace() or behind.isspace():
        return False
    if _is_unparted(before) or _is_unparted(behind):
        return False
    return bool(_BETWEEN.match(before) and _BETWEEN.match(behind))


def _is_unparted(character: str) -> bool:
    """Whether a character is of a script that is written without spaces."""
    return "\u3040" <= character <= "\u9fff" or "\uf900" <= character <= "\ufaff"
