"""A text read once for all comparisons.  In: a reply or a reference.  Out: its parts, on demand.

Parts are read when they are first asked for and kept, so that a comparison by numbers never pays
for words it does not look at.
"""

from __future__ import annotations

import html
import re
import unicodedata
from bisect import bisect_left
from functools import lru_cache

from finassay.text.content_words import ContentWord, content_words, stems_of
from finassay.text.dates import DateReading
from finassay.text.final_answers import Statement, statements
from finassay.text.folding import vocabulary
from finassay.text.once import ReadOnce
from finassay.text.polarity import DIRECTION_WORDS
from finassay.text.quantities import Quantity
from finassay.text.readings import Readings
from finassay.text.refusals import Refusal, read_refusals
from finassay.text.spans import lowered

LONGEST = 60_000
"""Characters of a longer reply that are read: the first third and the last two thirds of these."""

_ENTITY = re.compile(r"&(?:#\d{1,7}|#x[0-9a-fA-F]{1,6}|[A-Za-z]{2,12});")


class Reply:
    """The parts of a text.

    Attributes:
        text: the text, without zero-width and direction marks and with HTML entities resolved; the
            positions of all parts refer to it.
        cut: whether the middle of a very long text was left out.
    """

    def __init__(self, text: str) -> None:
        self.cut = len(text) > LONGEST
        if self.cut:
            text = f"{text[: LONGEST // 3]}\n{text[-2 * LONGEST // 3 :]}"
        self.text = plain(text)
        self._stems_by_start: dict[int, frozenset[str]] = {}

    @ReadOnce
    def low(self) -> str:
        """The text in lower case, position by position."""
        return lowered(self.text)

    @ReadOnce
    def readings(self) -> Readings:
        """Quantities, dates, financial years and provisions."""
        return Readings(self.text)

    @ReadOnce
    def vocabulary(self) -> frozenset[str]:
        """The runs of ASCII letters in lower case: what is asked before a closer look."""
        folded = self.readings.folded
        return folded.words if folded.text == self.text else vocabulary(self.low)

    @ReadOnce
    def direction_words(self) -> frozenset[str]:
        """Words that say which way something went, and those that turn them."""
        return self.vocabulary & DIRECTION_WORDS

    @ReadOnce
    def statements(self) -> tuple[Statement, ...]:
        """Sentences and lines, with their cues."""
        return statements(self.text)

    @ReadOnce
    def quantities(self) -> tuple[Quantity, ...]:
        """Quantities, in order."""
        return self.readings.quantities

    @ReadOnce
    def dates(self) -> tuple[DateReading, ...]:
        """Dates, in order."""
        return self.readings.dates

    @ReadOnce
    def refusals(self) -> tuple[Refusal, ...]:
        """Words that decline to answer, in order."""
        return read_refusals(self.low, self.vocabulary)

    @ReadOnce
    def words(self) -> tuple[ContentWord, ...]:
        """Words that carry content, in order."""
        return content_words(self.text)

    @ReadOnce
    def stems(self) -> frozenset[str]:
        """Stems of the words that carry content."""
        return frozenset().union(*map(self.stems_in, self.statements))

    @ReadOnce
    def length(self) -> int:
        """Number of words that carry content."""
        return sum(len(list(stems_of(self.low[s.start : s.end]))) for s in self.statements)

    @ReadOnce
    def _quantity_starts(self) -> list[int]:
        return [quantity.start for quantity in self.quantities]

    def quantities_in(self, statement: Statement) -> tuple[Quantity, ...]:
        """Return the quantities that begin inside a statement."""
        starts = self._quantity_starts
        left = bisect_left(starts, statement[0])
        return self.quantities[left : bisect_left(starts, statement[1], left)]

    def beside(self, quantity: Quantity) -> tuple[int, int]:
        """Return where the quantity before one ends and where the one after it begins.

        Years count only beside a year; 0 and the length of the text where there is none.
        """
        at = bisect_left(self._quantity_starts, quantity.start)
        before, after = at - 1, at + 1
        if not quantity.bare_year:
            while before >= 0 and self.quantities[before].bare_year:
                before -= 1
            while after < len(self.quantities) and self.quantities[after].bare_year:
                after += 1
        end = self.quantities[before].end if before >= 0 else 0
        return end, (
            self.quantities[after].start if after < len(self.quantities) else len(self.text)
        )

    def stems_in(self, statement: Statement) -> frozenset[str]:
        """Return the stems of the words inside one of the statements."""
        found = self._stems_by_start.get(statement.start)
        if found is None:
            found = frozenset(stems_of(self.low[statement.start : statement.end]))
            self._stems_by_start[statement.start] = found
        return found

    def shared(self, statement: Statement, stems: frozenset[str]) -> int:
        """Return how many of the stems stand in a statement."""
        return len(stems & self.stems_in(statement)) if stems else 0


KEPT = 1024
"""Items whose side is kept read: many replies are compared with it."""


@lru_cache(maxsize=KEPT)
def item_side(text: str) -> Reply:
    """Return a question or a reference, read: many replies are compared with it."""
    return Reply(text)


def plain(text: str) -> str:
    """Return the text without format characters (zero-width, direction) and HTML entities."""
    if "&" in text and _ENTITY.search(text):
        text = html.unescape(text)
    if text.isascii() or not any(unicodedata.category(c) == "Cf" for c in set(text)):
        return text
    return "".join(c for c in text if unicodedata.category(c) != "Cf")
