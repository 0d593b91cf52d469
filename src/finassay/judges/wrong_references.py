"""References with another value.  In: an item.  Out: its reference, changed so that it is wrong.

The first value that decides is changed in place, in the notation in which it stands: an option,
a yes or no, a quantity, a date, a financial year, a provision.  What comes out must be another
answer under `financial`; else the next change is tried.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from finassay.judges.grounds import Lacking, accepted_of
from finassay.judges.other_values import (
    Draw,
    cased_like,
    later_year,
    other_amount,
    other_date,
    other_digit,
)
from finassay.records import RIGHT, AnswerContract, Item, Prediction
from finassay.runs.prompts import letter_of
from finassay.scorers.financial import FinancialEquivalence
from finassay.text.polarity import read_polarity
from finassay.text.quantities import Quantity
from finassay.text.readings import Readings, read_all

_RULE = FinancialEquivalence()
_VERB = re.compile(
    r"\b(?P<verb>shall|must|may|can|will|should|is|are|was|were)\b(?P<denied>\s+not\b)?",
    re.IGNORECASE,
)
_OPPOSITES = {
    "yes": "no", "no": "yes", "true": "false", "false": "true", "是": "否", "否": "是",
    "是的": "不是", "不是": "是的", "हाँ": "नहीं", "हां": "नहीं", "नहीं": "हाँ",
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Edited:
    """A reference that was made wrong.

    Attributes:
        text: the changed reference.
        kind: what was changed: option, yes/no, quantity, date, financial year, provision, or
            "all values".
        before: the words that were changed.
        after: what stands there now.
    """

    text: str
    kind: str
    before: str
    after: str


Part = tuple[int, int, str]
"""A span of a text, and the words that go there instead."""


class Span(Protocol):
    """Anything that stands somewhere in a text."""

    @property
    def start(self) -> int:
        """Where it starts."""
        ...

    @property
    def end(self) -> int:
        """Where it ends."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One change that may be made: new words for spans of a text, in order."""

    kind: str
    parts: tuple[Part, ...]

    def of(self, text: str) -> Edited:
        """Return the text with the change made."""
        made: list[str] = []
        at = 0
        for start, end, words in self.parts:
            made += [text[at:start], words]
            at = end
        made.append(text[at:])
        start, end, words = self.parts[0]
        return Edited(text="".join(made), kind=self.kind, before=text[start:end], after=words)


def wrong_reference(item: Item, *, seed: int = 0) -> Edited | Lacking:
    """Return the item's reference with its value changed, or why it cannot be.

    The same item and seed give the same change.
    """
    accepted = accepted_of(item)
    if not accepted:
        return Lacking(reason="the item has no reference")
    found = False
    for change in _changes(item, accepted[0], seed):
        found = True
        edited = change.of(accepted[0])
        if is_other_answer(item, edited.text, accepted):
            return edited
    if found:
        return Lacking(reason="no change of a value makes the reference another answer")
    return Lacking(reason="the reference holds no value that can be changed")


def is_other_answer(item: Item, text: str, accepted: Sequence[str]) -> bool:
    """Return whether a text is another answer than all that an item accepts.

    Judged by `financial` in both directions against the first of them, and as the only reference
    against the others, so that whoever is right by the item is wrong by the text.
    """
    first, *others = accepted
    return are_different(item, first, text) and not any(
        _marked(item, text, other) == 1 for other in others
    )


def are_different(item: Item, left: str, right: str) -> bool:
    """Return whether `financial` tells two answers to an item apart.

    Neither may be right where the other is the reference, and one must be wrong; where the answer
    contract keeps both from being read, they are compared without it.
    """
    for one in _with_and_without_contract(item):
        marks = {_marked(one, left, right), _marked(one, right, left)}
        if 1 in marks:
            return False
        if 0 in marks:
            return True
    return False


def are_alike(item: Item, left: str, right: str) -> bool:
    """Return whether two answers to an item are one: in their words, or right by one another."""
    if left.lower().split() == right.lower().split():
        return True
    ways = ((left, right), (right, left))
    return any(_marked(one, *way) == 1 for one in _with_and_without_contract(item) for way in ways)


def _with_and_without_contract(item: Item) -> tuple[Item, Item]:
    return item, replace(item, contract=AnswerContract())


def _marked(item: Item, reference: str, reply: str) -> int | None:
    """Return 1 where a reply is right by a reference, 0 where wrong, None where that is open."""
    alone = replace(item, reference=reference, alternatives=())
    said = Prediction(item_id=item.item_id, text=reply, finish="stop")
    value = _RULE.score(item=alone, prediction=said).value
    return None if value is None else int(value >= RIGHT)


def _changes(item: Item, text: str, seed: int) -> Iterator[Change]:
    """Yield what may be changed, what decides most often first."""
    draw = Draw(seed=seed, item_id=item.item_id)
    yield from _other_option(item, text, draw)
    yield from _other_polarity(text)
    read = read_all(text)
    yield from _other_quantities(text, read.quantities, draw)
    kinds = (
        ("date", [(one, other_date(_said(text, one), one.day, draw)) for one in read.dates]),
        (
            "financial year",
            [(one, later_year(_said(text, one), draw)) for one in read.financial_years],
        ),
        ("provision", [(one, other_digit(_said(text, one), draw)) for one in read.provisions]),
    )
    for kind, found in kinds:
        for one, words in found:
            if words is not None:
                yield Change(kind=kind, parts=((one.start, one.end, words),))
    yield from _everything(text, read, draw)
    yield from _turned(text)


def _said(text: str, one: Span) -> str:
    return text[one.start : one.end]


def _other_option(item: Item, text: str, draw: Draw) -> Iterator[Change]:
    said = text.strip()
    letters = [letter_of(at) for at in range(len(item.choices))]
    for listed in (list(item.choices), letters):
        place = next((at for at, one in enumerate(listed) if one.lower() == said.lower()), None)
        if place is not None and len(listed) > 1:
            other = listed[(place + 1 + draw.below(len(listed) - 1, "option")) % len(listed)]
            start = text.index(said)
            yield Change(kind="option", parts=((start, start + len(said), other),))
            return


def _other_polarity(text: str) -> Iterator[Change]:
    found = read_polarity(text)
    if found is None:
        return
    said = text[found.start : found.end]
    other = _OPPOSITES.get(said.lower())
    if other is not None:
        words = cased_like(said, other)
        yield Change(kind="yes/no", parts=((found.start, found.end, words),))


def _other_quantities(text: str, found: Sequence[Quantity], draw: Draw) -> Iterator[Change]:
    """Yield one change for each value; wherever the value stands, it is changed alike."""
    values = dict.fromkeys((one.value, one.high) for one in found)
    for value in values:
        same = [one for one in found if (one.value, one.high) == value]
        parts = tuple(_changed(text, same, draw))
        if parts:
            yield Change(kind="quantity", parts=parts)


def _changed(text: str, found: Iterable[Quantity], draw: Draw) -> Iterator[Part]:
    for one in found:
        words = other_amount(_said(text, one), draw, is_year=one.bare_year)
        if words is not None:
            yield one.start, one.end, words


def _turned(text: str) -> Iterator[Change]:
    """Yield the change of the first verb that may be denied to its opposite."""
    found = _VERB.search(text)
    if found is None:
        return
    verb = found["verb"]
    words = verb if found["denied"] else f"{verb} not"
    yield Change(kind="negation", parts=((found.start(), found.end(), words),))


def _everything(text: str, read: Readings, draw: Draw) -> Iterator[Change]:
    """Yield the change of all values at once: the reference may give its answer twice."""
    parts = list(_changed(text, read.quantities, draw))
    for one in read.dates:
        words = other_date(_said(text, one), one.day, draw)
        parts += [(one.start, one.end, words)] if words is not None else []
    kept: list[Part] = []
    for part in sorted(parts):
        if not kept or part[0] >= kept[-1][1]:
            kept.append(part)
    if len(kept) > 1:
        yield Change(kind="all values", parts=tuple(kept))
