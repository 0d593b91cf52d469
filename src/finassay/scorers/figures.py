"""Figures of a prose reference that a reply contradicts.  In: texts, read.  Out: whether any.

"Nine per cent of the paid-up capital" shares all its words with "Five per cent of the paid-up
capital", and contradicts it.  A figure is a quantity, a date, the number of a provision or an
ordinal.  A reply may leave a figure out, give it in other units or in words, and add others; it
contradicts one where it does not give it, and gives another of the same kind in the same role: with
the same words around it, or with none, as the figure that was asked for.  Figures that the question
gives, and those of a calculation or in brackets, are no part of what a reference states.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from finassay.scorers.expectations import Expectation
from finassay.scorers.quantity_match import same_quantity
from finassay.scorers.replies import KEPT, Reply
from finassay.text.content_words import stems_of
from finassay.text.dates import DateReading
from finassay.text.provisions import Provision
from finassay.text.quantities import Quantity

ROLE = 0.5
"""Share of the words around a figure, of the side that has fewer, that both sides have to have."""

MOST = 200
"""Figures of a text beyond which it is a table, of which nothing is said."""

_AROUND = 70
"""Characters on each side of a figure that say what it is a figure of."""

_BRACKETS = re.compile(r"\([^()]{0,300}\)")
_CALCULATION = re.compile(
    r"[=\u00d7\u2248]|\b(?:calculation|calculated|working|since|because|i\.e\.)"
)
_GROUPS = {
    "percentage_points": "percent", "basis_points": "percent", "count": "number", "plain": "number",
    "ratio": "number",
}  # fmt: skip
_ORDINALS = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7,
    "eighth": 8, "ninth": 9, "tenth": 10, "fifteenth": 15, "twentieth": 20, "twenty-first": 21,
    "thirtieth": 30, "forty-fifth": 45, "sixtieth": 60, "ninetieth": 90,
}  # fmt: skip
_ORDERED = frozenset(word.rpartition("-")[2] for word in _ORDINALS) | {"st", "nd", "rd", "th"}
_ORDINAL = re.compile(
    rf"(?<![\w-])(?:(?P<word>{'|'.join(_ORDINALS)})|(?P<digits>\d{{1,3}})(?:st|nd|rd|th))"
    r" (?P<of>day|week|month|quarter|year|anniversary)\b"
)

_Reading: TypeAlias = "Quantity | DateReading | Provision | Ordinal"


class Ordinal(NamedTuple):
    """Which of a row of days, weeks, months: "the ninetieth day"."""

    start: int
    end: int
    value: int
    of: str


class Figure(NamedTuple):
    """A figure with the kind that another has to have to contradict it."""

    kind: str
    reading: _Reading


def contradicts_figure(
    question: Reply, reference: Reply, reply: Reply, wanted: Expectation
) -> bool:
    """Return whether a reply gives another figure where a prose reference states one."""
    stated = stated_figures(question, reference, wanted)
    if not stated:
        return False
    given = figures_of(reply)
    if len(given) > MOST:
        return False
    current = [one for one in given if not _is_former(reply, one)]
    missing = [one for one in stated if not _holds(given, one, wanted)]
    replaced = [one for one in stated if one not in missing and not _holds(current, one, wanted)]
    if not missing and not replaced:
        return False
    texts = _Texts(question, reference, reply)
    others = texts.others(given, (*figures_of(question), *stated), wanted)
    if texts.rival(missing, others, wanted):
        return True
    # "Raised from fifteen to twenty per cent": what was replaced counts as told only beside
    # figures of the reference.
    foreign = texts.others(current, figures_of(reference), wanted) if replaced else []
    firm = [one for one in replaced if not _is_former(reference, one)]
    return texts.rival(firm, [one for one in others if one in foreign], wanted)


class _Texts(NamedTuple):
    """Question, reference and reply."""

    question: Reply
    reference: Reply
    reply: Reply

    @staticmethod
    def others(
        given: Iterable[Figure], known: Sequence[Figure], wanted: Expectation
    ) -> list[Figure]:
        """Return the figures that are none of those known."""
        return [one for one in given if not _holds(known, one, wanted)]

    def rival(
        self, missing: Sequence[Figure], others: Sequence[Figure], wanted: Expectation
    ) -> bool:
        """Return whether one of the others stands where one that is missing should."""
        return any(
            ours.kind == theirs.kind and self.puts_in_place_of(ours, theirs, wanted)
            for ours in missing
            for theirs in others
        )

    def puts_in_place_of(self, ours: Figure, theirs: Figure, wanted: Expectation) -> bool:
        """Return whether the reply's figure stands where the reference has another."""
        alike = self._alike(ours, theirs)
        if alike < ROLE or not self._may_compare(ours, theirs) or self._is_cut(ours, theirs):
            return False
        # A figure of the reference's calculation is in its own place, unless this one fits better.
        own = (
            one
            for one in figures_of(self.reference)
            if self._may_compare(one, theirs) and _same(one.reading, theirs.reading, wanted)
        )
        return all(self._alike(one, theirs) < alike for one in own)

    def _may_compare(self, ours: Figure, theirs: Figure) -> bool:
        """Return whether two figures of a kind count the same, or are in one currency."""
        left, right = ours.reading, theirs.reading
        if not isinstance(left, Quantity) or not isinstance(right, Quantity):
            return True
        if ours.kind == "number":
            counted, also = _counted(self.reference, ours), _counted(self.reply, theirs)
            return not counted or not also or not counted.isdisjoint(also)
        in_money = ours.kind == "money"
        return not in_money or not _currencies_differ(left, right) or left.value == right.value

    def _alike(self, ours: Figure, theirs: Figure) -> float:
        """Return how much the words around two figures are alike, 1 where one has none."""
        left = _words_around(self.reference, ours) - self.question.stems
        right = _words_around(self.reply, theirs) - self.question.stems
        fewer = min(len(left), len(right))
        return len(left & right) / fewer if fewer else 1.0

    def _is_cut(self, ours: Figure, theirs: Figure) -> bool:
        """Return whether the reply ends inside the figure that the reference has: "Rs 10" crore."""
        left, right = ours.reading, theirs.reading
        if (
            isinstance(left, Quantity)
            and isinstance(right, Quantity)
            and right.unit not in {"", left.unit}
        ):
            return False
        rest = _letters(self.reply.low[theirs.reading.start :])
        return _letters(self.reference.low[ours.reading.start :]).startswith(rest)


def _letters(low: str) -> str:
    return _BETWEEN.sub("", _CURRENCY.sub("", low[:_LONGEST]))


_LONGEST = 60
_BETWEEN = re.compile(r"[^\w%]+")
_CURRENCY = re.compile(r"^(?:rs|rupees?|inr|usd|us)?[.\s$\u20b9]*")


def _counted(text: Reply, figure: Figure) -> frozenset[str]:
    """Return the words after a number: what it counts."""
    end = figure.reading.end
    return frozenset(list(stems_of(text.low[end : end + _AROUND]))[:_NOUNS])


_NOUNS = 3


def _is_former(text: Reply, figure: Figure) -> bool:
    """Return whether a figure is what something was raised from, or is compared with."""
    start = figure.reading.start
    return _FORMER.search(text.low, max(0, start - _REACH), start) is not None


_REACH = 24
_FORMER = re.compile(
    r"\b(?:from|than|instead of|rather than|not|no longer|previously|formerly|earlier)"
    r"\s(?:the |an? |about |earlier |former |old |previous )*\Z"
)


def _currencies_differ(ours: Quantity, theirs: Quantity) -> bool:
    return bool(ours.unit and theirs.unit) and ours.unit != theirs.unit


@lru_cache(maxsize=KEPT)
def stated_figures(question: Reply, reference: Reply, wanted: Expectation) -> tuple[Figure, ...]:
    """Return the figures that a reference states and its question does not give."""
    asked, own = figures_of(question), figures_of(reference)
    if max(len(asked), len(own)) > MOST:
        return ()
    inside = [found.span() for found in _BRACKETS.finditer(reference.text)]
    calculates = _CALCULATION.search(reference.low)
    until = len(reference.text) if calculates is None else calculates.start()
    return tuple(
        one
        for one in own
        if one.reading.start < until
        and not any(start < one.reading.start < end for start, end in inside)
        and not _holds(asked, one, wanted)
    )


def figures_of(text: Reply) -> tuple[Figure, ...]:
    """Return the figures of a text; years alone are none."""
    found = [Figure(_kind(one), one) for one in _joined(text) if not one.bare_year]
    if not _PARTS.keys().isdisjoint(text.vocabulary):
        found += [Figure("percent", one) for one in _parts(text)]
    found += [Figure("date", one) for one in text.dates if _is_firm(text, one)]
    found += [Figure(one.kind, one) for one in text.readings.provisions]
    if not _ORDERED.isdisjoint(text.vocabulary):
        found += [Figure(one.of, one) for one in _ordinals(text.low)]
    return tuple(found)


def _parts(text: Reply) -> Iterator[Quantity]:
    """Yield the halves, thirds and quarters that stand alone: "a quarter goes to the target"."""
    for found in _PART.finditer(text.low):
        start, end = found.span()
        if not any(one.start < end and start < one.end for one in text.quantities):
            yield Quantity(start, end, _PARTS[found["part"] or "half"], step=Decimal(0), words=True)


_PARTS = {"half": Decimal(1) / 2, "third": Decimal(1) / 3, "quarter": Decimal(1) / 4}
_PART = re.compile(
    r"(?<![\w-])"
    r"(?:(?:an?|one)[ -](?P<part>half|third|quarter)|(?<!the )(?<!first )(?<!second )half)"
    r"(?![\w-])(?! (?:part(?:y|ies)|persons?|countr|years?|hours?|days?|ended)\b)"
)


def _kind(one: Quantity) -> str:
    # "One-tenth" may stand beside "10%".
    is_part = one.kind == "plain" and not one.step and one.value < 1
    return "percent" if is_part else _GROUPS.get(one.kind, one.kind)


def _is_firm(text: Reply, date: DateReading) -> bool:
    """Return whether a date names its month and does not stand after "approximately"."""
    near = _ABOUT.search(text.low, max(0, date.start - 20), date.start)
    return date.month is not None and near is None


_ABOUT = re.compile(r"\b(?:about|around|approximately|roughly|circa)\s\Z")


def _joined(text: Reply) -> Iterator[Quantity]:
    """Yield the quantities of a text, "8 years, 9 months and 26 days" as one."""
    held: Quantity | None = None
    for one in text.quantities:
        if held is not None and _goes_on(text, held, one):
            part = one.value * _MONTHS[one.unit]
            held = held._replace(
                end=one.end, value=held.value * _MONTHS[held.unit] + part, unit="month"
            )
            continue
        if held is not None:
            yield held
        held = one
    if held is not None:
        yield held


def _goes_on(text: Reply, before: Quantity, one: Quantity) -> bool:
    if before.unit not in _MONTHS or one.unit not in _MONTHS or before.unit == one.unit:
        return False
    return _AND.fullmatch(text.low, before.end, one.start) is not None


_AND = re.compile(r"[\s,]{1,3}(?:and\s)?")
_MONTHS = {
    "year": Decimal(12), "month": Decimal(1), "week": Decimal(84) / 365, "day": Decimal(12) / 365,
}  # fmt: skip


def _ordinals(low: str) -> Iterable[Ordinal]:
    for found in _ORDINAL.finditer(low):
        word = found["word"]
        value = _ORDINALS[word] if word else int(found["digits"])
        yield Ordinal(*found.span(), value, found["of"])


def _holds(given: Iterable[Figure], one: Figure, wanted: Expectation) -> bool:
    return any(_same(one.reading, other.reading, wanted) for other in given)


def _same(ours: _Reading, theirs: _Reading, wanted: Expectation) -> bool:
    if isinstance(ours, Quantity):
        if isinstance(theirs, Quantity):
            return _same_amount(ours, theirs, wanted)
        return isinstance(theirs, Ordinal) and ours.value == theirs.value
    if isinstance(ours, DateReading):
        return isinstance(theirs, DateReading) and _same_date(ours, theirs)
    if isinstance(ours, Provision):
        return isinstance(theirs, Provision) and _same_provision(ours.number, theirs.number)
    if isinstance(theirs, Ordinal):
        return ours.value == theirs.value
    return isinstance(theirs, Quantity) and theirs.value == ours.value


def _same_amount(ours: Quantity, theirs: Quantity, wanted: Expectation) -> bool:
    if ours.kind == theirs.kind == "money" and _currencies_differ(ours, theirs):
        return False
    if same_quantity(ours, theirs, wanted):
        return None in {ours.high, theirs.high} or ours.high == theirs.high
    if ours.high is None and theirs.high is not None:
        return same_quantity(ours, theirs._replace(value=theirs.high), wanted)
    if "about" not in {ours.comparator, theirs.comparator}:
        return False
    left, right = _MONTHS.get(ours.unit), _MONTHS.get(theirs.unit)
    if left is None or right is None:
        return False
    # "Approximately 8 years and 10 months" leaves a month open.
    return abs(ours.value * left - theirs.value * right) <= left


def _same_date(ours: DateReading, theirs: DateReading) -> bool:
    """Return whether two dates may be the same: what one leaves out, the other may say."""
    return any(
        all(a is None or b is None or a == b for a, b in zip(left, right, strict=True))
        for left in _days(ours)
        for right in _days(theirs)
    )


def _days(date: DateReading) -> Sequence[tuple[int | None, ...]]:
    written = (date.year, date.month, date.day)
    return (written,) if date.alternative is None else (written, date.alternative)


def _same_provision(ours: str, theirs: str) -> bool:
    """Return whether two numbers may be of one provision: "29" and "29(4)", "2(1)(ee)", "2(ee)"."""
    left, right = (number.lower().replace(")", "").split("(") for number in (ours, theirs))
    short, long = sorted((left, right), key=len)
    rest = iter(long)
    return left[0] == right[0] and all(level in rest for level in short)


def _words_around(text: Reply, figure: Figure) -> frozenset[str]:
    start, end = figure.reading.start, figure.reading.end
    held = next((s for s in text.statements if s.start <= start < s.end), None)
    first, last = (0, len(text.low)) if held is None else (held.start, held.end)
    before = text.low[max(first, start - _AROUND) : start]
    after = text.low[end : min(last, end + _AROUND)]
    return frozenset(stems_of(f"{before} {after}"))
