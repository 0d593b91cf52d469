"""The final answer of a reference, and whether two give the same.  In: texts.  Out: same or not.

The answer is read where an explicit cue stands (a box, "answer:", a conclusion), else at the end.
Figures are compared as fractions, expressions at some points, yes and no as such; what is left is
compared as prose by the rule `financial` in both directions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from finassay.analyses.reference_audit.places import (
    SHORT,
    answer_place,
    asking_stems,
    counted,
    denies,
    number_words,
)
from finassay.analyses.reference_audit.values import POINTS, written
from finassay.records import Item, Prediction
from finassay.scorers.financial import FinancialEquivalence
from finassay.text.arithmetic import (
    Chain,
    Known,
    Node,
    UnknownValueError,
    chains_in,
    evaluate,
    exact,
    has_operation,
    lone_number,
    names_of,
)
from finassay.text.content_words import content_stems
from finassay.text.final_answers import statements
from finassay.text.polarity import asks_yes_no, read_polarity
from finassay.text.quantities import Quantity, read_quantities

Sameness = Literal["same", "different", "unclear"]

CLOSE = Fraction(15, 10_000)
"""Relative distance up to which two figures are one, as in `financial` for plain numbers."""

FEW_WORDS = 4
"""Words up to which an answer is a name or a term."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of an answer: its value, one unit of its last digit, and whether in per cent."""

    value: Fraction
    unit: Fraction = Fraction(0)
    percent: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FinalAnswer:
    """The final answer of a text.

    Attributes:
        start: where it stands in the text.
        end: where it ends.
        figures: its figures, the last of a calculation alone where one ends there.
        node: an expression with letters that ends a calculation there; None without.
        polarity: yes or no, where the question asks so; "" otherwise.
        said: the words, cut to a line.
    """

    start: int
    end: int
    figures: tuple[Figure, ...]
    node: Node | None
    polarity: str
    said: str


def final_answer(text: str, question: str) -> FinalAnswer:
    """Return the final answer of a text."""
    start, end = answer_place(text, question)
    chains = [c for c in chains_in(text) if start <= c.sides[-1].start < max(end, start + 1)]
    said = _line(text[start:end])
    if not chains and len(said) <= _LONGEST_ALONE:
        # "5pi" or "(-1/2)y" alone is the end of a calculation too.
        chains = list(chains_in(f"{_ALONE} = {said}"))
    computed = _computed(chains)
    node = None if computed else _expression(chains)
    count = counted(text, question)
    figures = computed or _figures(text, start, end)
    if count is not None:
        figures = (Figure(count),)
    polarity = ""
    if asks_yes_no(question):
        reading = read_polarity(text, question)
        polarity = "" if reading is None else reading.value
    return FinalAnswer(
        start=start, end=end, figures=figures, node=node, polarity=polarity, said=said
    )


_LINE = 160
_ALONE = "q"
_LONGEST_ALONE = 60


def _computed(chains: Sequence[Chain]) -> tuple[Figure, ...]:
    """Return the last value of each chain with figures."""
    values: dict[Figure, None] = {}
    for chain in chains:
        if any(relation not in {"=", "~"} for relation in chain.relations):
            return ()
        side = chain.sides[-1]
        if side.node is None or not side.is_whole or names_of(side.node):
            continue
        try:
            value = evaluate(side.node)
        except UnknownValueError:
            continue
        lone = lone_number(side.node)
        percent = lone is not None and lone[1]
        times = 100 if percent else 1
        values[Figure(value.value * times, (value.high - value.low) * times, percent)] = None
    return tuple(values)


def _expression(chains: Sequence[Chain]) -> Node | None:
    """Return the expression with letters that ends a calculation, or that stands alone."""
    for chain in reversed(chains):
        side = chain.sides[-1]
        if side.node is None or not side.is_whole or not names_of(side.node):
            continue
        if has_operation(side.node) or not chain.soft[-1]:
            # "A is above Z" ends in a letter and is no calculation.
            return side.node
    return None


def _figures(text: str, start: int, end: int) -> tuple[Figure, ...]:
    found = [_figure(q) for q in read_quantities(text[start:end])]
    return tuple(dict.fromkeys(found))


def _figure(quantity: Quantity) -> Figure:
    percent = quantity.kind in {"percent", "points"}
    return Figure(Fraction(quantity.value), Fraction(quantity.step), percent)


def compare_answers(left: str, right: str, *, question: str = "") -> tuple[Sameness, str, str]:
    """Return whether two references give the same final answer, and what each gives.

    Example:
        >>> compare_answers("3 + 4 = 7", "The answer is seven.", question="What is 3 + 4?")
        ('same', '7', '7')
        >>> compare_answers("It costs $20.", "The price is $21.", question="What does it cost?")
        ('different', '20', '21')
    """
    if " ".join(left.lower().split()) == " ".join(right.lower().split()):
        return "same", _line(left), _line(right)
    ours, theirs = final_answer(left, question), final_answer(right, question)
    if ours.polarity and theirs.polarity:
        same: Sameness = "same" if ours.polarity == theirs.polarity else "different"
        return same, ours.polarity, theirs.polarity
    if ours.node is not None and theirs.node is not None:
        found = _same_expression(ours.node, theirs.node)
        if found is not None:
            return found, ours.said, theirs.said
    ours, theirs = _in_words(ours, theirs)
    if ours.figures and theirs.figures:
        return _same_figures(ours, theirs, left, right), _told(ours), _told(theirs)
    if _only_one_denies(left, ours, right, theirs):
        return "different", ours.said, theirs.said
    return _same_prose((left, ours), (right, theirs), question), ours.said, theirs.said


def _in_words(ours: FinalAnswer, theirs: FinalAnswer) -> tuple[FinalAnswer, FinalAnswer]:
    """Return both answers, with numbers in words where neither has figures, or one has them."""
    if ours.figures and theirs.figures:
        return ours, theirs
    words = [tuple(Figure(value) for value in number_words(one.said)) for one in (ours, theirs)]
    left, right = ours.figures or words[0], theirs.figures or words[1]
    if not left or not right:
        return ours, theirs
    return replace(ours, figures=left), replace(theirs, figures=right)


def _only_one_denies(left: str, ours: FinalAnswer, right: str, theirs: FinalAnswer) -> bool:
    """Return whether one text says that there is no value and the other gives a short one."""
    for text, own, other, answer in ((left, ours, right, theirs), (right, theirs, left, ours)):
        short = len(statements(other)) <= SHORT
        if denies(text) and not own.figures and short and (answer.figures or answer.node):
            return not denies(other)
    return False


def _line(text: str) -> str:
    return " ".join(text.split())[:_LINE]


def _told(answer: FinalAnswer) -> str:
    figures = answer.figures[:6]
    return ", ".join(f"{written(f.value)}{'%' if f.percent else ''}" for f in figures)


def _same_expression(left: Node, right: Node) -> Sameness | None:
    names = sorted(names_of(left) | names_of(right))
    for shift in range(len(POINTS)):
        known = Known(
            {name: exact(POINTS[(shift + at) % len(POINTS)]) for at, name in enumerate(names)}
        )
        try:
            ours, theirs = evaluate(left, known), evaluate(right, known)
        except UnknownValueError:
            return None
        if abs(ours.value - theirs.value) > abs(ours.value) / 10**12:
            return "different"
    return "same"


def _same_figures(ours: FinalAnswer, theirs: FinalAnswer, left: str, right: str) -> Sameness:
    """Return whether the figures agree; a figure named elsewhere in the other text leaves doubt."""
    shared = [one for one in ours.figures if _is_among(one, theirs.figures)]
    back = [one for one in theirs.figures if _is_among(one, ours.figures)]
    if len(shared) == len(ours.figures) or len(back) == len(theirs.figures):
        return "same"
    if shared or back:
        return "unclear"
    last = ours.figures[-1], theirs.figures[-1]
    everywhere = _all_figures(right), _all_figures(left)
    if _is_among(last[0], everywhere[0]) and _is_among(last[1], everywhere[1]):
        return "unclear"
    return "different"


def _all_figures(text: str) -> tuple[Figure, ...]:
    return _figures(text, 0, len(text))


def _is_among(one: Figure, others: Iterable[Figure]) -> bool:
    return any(_is_close(one, other) for other in others)


def _is_close(left: Figure, right: Figure) -> bool:
    a, b = left.value, right.value
    pairs = [(a, b)]
    if left.percent != right.percent:
        # A bare figure beside a percentage may be a share of one.
        pairs.append((a, b * 100) if left.percent else (a * 100, b))
    decimals = max((unit for unit in (left.unit, right.unit) if 0 < unit < 1), default=Fraction(0))
    rounded = CLOSE * _is_rounded(left, right)
    return any(abs(x - y) <= max(decimals / 2, rounded * max(abs(x), abs(y))) for x, y in pairs)


def _is_rounded(left: Figure, right: Figure) -> int:
    """Return 1 where one of two figures shows decimals or a fraction, 0 for whole numbers."""
    return int(left.value.denominator > 1 or right.value.denominator > 1)


def _same_prose(
    left: tuple[str, FinalAnswer], right: tuple[str, FinalAnswer], question: str
) -> Sameness:
    """Return whether two answers in words are the same, what the question says left out."""
    asked = asking_stems(question)
    stems = [frozenset(content_stems(one.said)) for _, one in (left, right)]
    ours, theirs = (found - asked for found in stems)
    if not ours or not theirs:
        # One of them answers with words of the question: it chooses among options.
        ours, theirs = stems
    if not ours or not theirs:
        return "unclear"
    if max(len(ours), len(theirs)) <= FEW_WORDS:
        return _same_names(ours, theirs)
    for short, (text, _) in ((ours, right), (theirs, left)):
        if len(short) <= FEW_WORDS and short.isdisjoint(content_stems(text)):
            return "different"
    if min(len(ours), len(theirs)) <= FEW_WORDS and (ours <= theirs or theirs <= ours):
        return "same"
    values = _financial(left[0], right[0], question), _financial(right[0], left[0], question)
    return "same" if values == (1.0, 1.0) else "unclear"


def _same_names(ours: frozenset[str], theirs: frozenset[str]) -> Sameness:
    if ours <= theirs or theirs <= ours:
        return "same"
    return "different" if ours.isdisjoint(theirs) else "unclear"


def _financial(reference: str, reply: str, question: str) -> float | None:
    item = Item(item_id="", reference=reference, question=question)
    return FinancialEquivalence().score(item=item, prediction=Prediction(text=reply)).value
