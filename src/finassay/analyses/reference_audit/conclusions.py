"""Does the conclusion follow from the working?  In: texts of one source.  Out: findings.

Three checks: the thing that the conclusion names has the value that was computed for it; a figure
in the conclusion appears in the working or the question; a later turn gives a thing the value that
an earlier one gave it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from finassay.analyses.reference_audit.compare_sides import Evaluated, holds_equal
from finassay.analyses.reference_audit.results import ReferenceKind, TextFinding
from finassay.analyses.reference_audit.values import written
from finassay.analyses.results_audit import Severity
from finassay.text.arithmetic import Chain, Side, UnknownValueError, assigned, chains_in, evaluate
from finassay.text.content_words import content_stems
from finassay.text.final_answers import statements
from finassay.text.quantities import read_quantities

_CONCLUDES = {"answer", "box", "conclusion"}
_RATIOS = tuple(Fraction(10) ** power for power in (-9, -6, -3, -2, 2, 3, 6, 9))


@dataclass(frozen=True, slots=True)
class Labelled:
    """A thing with its value: a letter or the words before the first sign of equality."""

    key: str
    at: Evaluated
    chain: Chain


def labelled_values(text: str) -> tuple[Labelled, ...]:
    """Return the things that a text gives a value, in order."""
    found = []
    for chain in chains_in(text):
        key = _key(chain)
        last = chain.sides[-1]
        if not key or last.node is None or not last.is_whole or set(chain.relations) - {"=", "~"}:
            continue
        try:
            found.append(Labelled(key, Evaluated(last, evaluate(last.node)), chain))
        except UnknownValueError:
            continue
    return tuple(found)


def _key(chain: Chain) -> str:
    """Return the letter, or the stems of the words, that a chain begins with."""
    first = chain.sides[0]
    letter = assigned(first)
    if letter is not None:
        return letter
    return (
        ""
        if first.node is not None
        else " ".join(sorted(set(content_stems(" ".join(first.label)))))
    )


def check_conclusion(text: str, question: str) -> Iterator[TextFinding]:
    """Yield what the conclusion of a text says otherwise than its working."""
    found = [one for one in statements(text) if one.cue in _CONCLUDES]
    if not found:
        return
    start, end = found[-1].start, found[-1].end
    values = labelled_values(text)
    earlier = [one for one in values if one.chain.end <= start]
    for late in (one for one in values if one.chain.start >= start and one.chain.end <= end):
        before = [one for one in earlier if one.key == late.key]
        if len(before) == 1 and not holds_equal(before[0].at, late.at, loose=True):
            yield _other(text, late, before[0], "conclusion", "medium")
            return
    yield from _unfounded(text, question, (start, end))


def _other(
    text: str, late: Labelled, early: Labelled, kind: ReferenceKind, severity: Severity
) -> TextFinding:
    start, end = late.chain.start, late.chain.end
    where = "earlier" if kind == "conclusion" else "in an earlier turn"
    return TextFinding(
        kind=kind,
        severity=severity,
        start=start,
        end=end,
        said=text[start:end],
        stated=written(late.at.value.value),
        found=written(early.at.value.value),
        reason=f"{late.key} has another value {where}",
    )


def _unfounded(text: str, question: str, span: tuple[int, int]) -> Iterator[TextFinding]:
    """Yield the one figure of a conclusion that nothing computed or named before it."""
    start, end = span
    figures = read_quantities(text[start:end])
    if len(figures) != 1 or any(sign in text[start:end] for sign in "=+*/×÷<>"):
        return
    computed = [side for chain in chains_in(text[:start]) for side in chain.sides]
    if len(computed) < 2:
        return
    value = Fraction(figures[0].value)
    named = (*read_quantities(text[:start]), *read_quantities(question))
    values = [found for side in computed if (found := _value(side)) is not None]
    known = {*values, *(Fraction(quantity.value) for quantity in named)}
    if any(_is_near(value, one, Fraction(figures[0].step)) for one in known):
        return
    at, until = start + figures[0].start, start + figures[0].end
    yield TextFinding(
        kind="conclusion",
        severity="low",
        start=at,
        end=until,
        said=text[at:until],
        stated=written(value),
        found=written(values[-1]) if values else "",
        reason="the concluding figure stands nowhere in the working or the question",
    )


def _value(side: Side) -> Fraction | None:
    if side.node is None:
        return None
    try:
        return evaluate(side.node).value
    except UnknownValueError:
        return None


def _is_near(value: Fraction, other: Fraction, step: Fraction) -> bool:
    gap = abs(abs(value) - abs(other))
    if gap <= abs(value) / 1000 or (gap < step and (other / step).denominator != 1):
        return True
    return any(abs(value - other * ratio) <= abs(value) / 100 for ratio in _RATIOS)


def check_turns(text: str, earlier: Sequence[str]) -> Iterator[TextFinding]:
    """Yield the things of a text to which an earlier turn gave one other value."""
    before: dict[str, list[Labelled]] = {}
    for previous in earlier:
        for one in labelled_values(previous):
            before.setdefault(one.key, []).append(one)
    seen: set[str] = set()
    for late in labelled_values(text):
        given = before.get(late.key, [])
        if late.key in seen or not given or len(late.key) < 2:
            continue
        seen.add(late.key)
        if not any(holds_equal(one.at, late.at, loose=True) for one in given):
            yield _other(text, late, given[-1], "turns", "low")
