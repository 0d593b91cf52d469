"""The final answer of a reference, and whether two give the same.  In: texts.  Out: same or not.

The answer is read where an explicit cue stands (a box, "answer:", a conclusion), else at the end.
Figures are compared as fractions, expressions at some points, yes and no as such; what is left is
compared as prose by the rule `financial` in both directions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from finassay.analyses.reference_audit.values import written
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
    names_of,
)
from finassay.text.content_words import content_stems
from finassay.text.final_answers import Statement, boxes, statements
from finassay.text.polarity import asks_yes_no, read_polarity
from finassay.text.quantities import Quantity, read_quantities

Sameness = Literal["same", "different", "unclear"]

CLOSE = Fraction(15, 10_000)
"""Relative distance up to which two figures are one, as in `financial` for plain numbers."""

SHORT = 3
"""Statements up to which a text is an answer as a whole."""

FEW_WORDS = 4
_EXPLICIT = ("box", "answer", "conclusion")
_POINTS = (Fraction(3, 7), Fraction(-11, 5), Fraction(17, 3))


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of an answer: its value, one unit of its last digit, and whether in per cent."""

    value: Fraction
    unit: Fraction = Fraction(0)
    percent: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
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


def final_answer(text: str, question: str) -> Answer:
    """Return the final answer of a text."""
    start, end = _place(text)
    chains = [c for c in chains_in(text) if start <= c.sides[-1].start < max(end, start + 1)]
    computed = _computed(chains)
    node = None if computed else _expression(chains)
    figures = computed or _figures(text, start, end)
    polarity = ""
    if asks_yes_no(question):
        reading = read_polarity(text, question)
        polarity = "" if reading is None else reading.value
    said = " ".join(text[start:end].split())
    return Answer(
        start=start, end=end, figures=figures, node=node, polarity=polarity, said=said[:_LINE]
    )


_LINE = 160


def _place(text: str) -> tuple[int, int]:
    """Return where the answer stands: a box, a cue, the whole of a short text, or the end."""
    boxed = boxes(text)
    if boxed:
        return boxed[-1]
    found = statements(text)
    if not found:
        return 0, len(text)
    for cue in _EXPLICIT:
        cued = [at for at, one in enumerate(found) if one.cue == cue]
        if cued:
            return _with_next(text, found, cued[-1])
    if len(found) <= SHORT:
        return found[0].start, found[-1].end
    with_digits = [one for one in found if any(c.isdigit() for c in text[one.start : one.end])]
    last = with_digits[-1] if with_digits else found[-1]
    return last.start, last.end


def _with_next(text: str, found: Sequence[Statement], at: int) -> tuple[int, int]:
    """Return the span of a statement, and of the next where it ends open ("Answer:")."""
    one = found[at]
    rest = text[one.start : one.end].rstrip()
    if rest.endswith(":") and at + 1 < len(found):
        return one.start, found[at + 1].end
    return one.start, one.end


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
        values[Figure(value.value, value.high - value.low)] = None
    return tuple(values)


def _expression(chains: Sequence[Chain]) -> Node | None:
    for chain in reversed(chains):
        side = chain.sides[-1]
        if side.node is not None and side.is_whole and names_of(side.node):
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
    told = _told(ours), _told(theirs)
    if ours.node is not None and theirs.node is not None:
        found = _same_expression(ours.node, theirs.node)
        if found is not None:
            return found, ours.said, theirs.said
    if ours.figures and theirs.figures:
        return _same_figures(ours, theirs, left, right), *told
    return _same_prose(left, right, question), ours.said, theirs.said


def _line(text: str) -> str:
    return " ".join(text.split())[:_LINE]


def _told(answer: Answer) -> str:
    figures = answer.figures[:6]
    return ", ".join(f"{written(f.value)}{'%' if f.percent else ''}" for f in figures)


def _same_expression(left: Node, right: Node) -> Sameness | None:
    names = sorted(names_of(left) | names_of(right))
    for shift in range(len(_POINTS)):
        known = Known(
            {name: exact(_POINTS[(shift + at) % len(_POINTS)]) for at, name in enumerate(names)}
        )
        try:
            ours, theirs = evaluate(left, known), evaluate(right, known)
        except UnknownValueError:
            return None
        if abs(ours.value - theirs.value) > abs(ours.value) / 10**12:
            return "different"
    return "same"


def _same_figures(ours: Answer, theirs: Answer, left: str, right: str) -> Sameness:
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


def _same_prose(left: str, right: str, question: str) -> Sameness:
    ours, theirs = frozenset(content_stems(left)), frozenset(content_stems(right))
    if ours and theirs and min(len(ours), len(theirs)) <= FEW_WORDS:
        if ours <= theirs or theirs <= ours:
            return "same"
        if ours.isdisjoint(theirs):
            return "different"
    values = [_financial(left, right, question), _financial(right, left, question)]
    if all(value == 1.0 for value in values):
        return "same"
    return "unclear"


def _financial(reference: str, reply: str, question: str) -> float | None:
    item = Item(item_id="", reference=reference, question=question)
    return FinancialEquivalence().score(item=item, prediction=Prediction(text=reply)).value



