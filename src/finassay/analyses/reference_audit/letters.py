"""Sides with letters.  In: chains, and what letters stand for.  Out: what does not hold.

A stated solution must satisfy the equations written down and the equation that was asked for; sides
of a longer chain in the same letters must be the same expression.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from finassay.analyses.reference_audit.compare_sides import (
    Evaluated,
    Mismatch,
    is_scaled,
    mismatch,
)
from finassay.analyses.reference_audit.known_values import Stated, evaluated
from finassay.analyses.reference_audit.results import TextFinding
from finassay.analyses.reference_audit.values import POINTS, written
from finassay.text.arithmetic import (
    Chain,
    Known,
    Node,
    Side,
    Value,
    assigned,
    chains_in,
    defined,
    exact,
    names_of,
)

MOST_VALUES = 4
"""Values of one letter; with more, it stands for too many things."""

MOST_COMBINATIONS = 16

Wrong = tuple[Mismatch, Evaluated, Evaluated]


def check_letters(
    chain: Chain, at: int, own: Stated, functions: dict[str, tuple[str, Node]]
) -> tuple[Mismatch | None, Evaluated, Evaluated] | None:
    """Return what is wrong between two sides with letters; None where nothing can be checked."""
    left, right = chain.sides[at - 1], chain.sides[at]
    if not _is_checkable(left, right):
        return None
    names = sorted(_names(left) | _names(right))
    relation = chain.relations[at - 1]
    options = [own.values.get(name, ()) for name in names]
    first: Wrong | None = None
    if all(0 < len(option) <= MOST_VALUES for option in options) and names:
        tried = list(product(*options))
        if len(tried) > MOST_COMBINATIONS:
            return None
        for values in tried:
            known = Known(dict(zip(names, values, strict=True)), functions)
            pair = evaluated(left, known), evaluated(right, known)
            if pair[0] is None or pair[1] is None:
                return None
            wrong = mismatch(pair[0], pair[1], relation, soft=False)
            if wrong is None or wrong.severity == "low" or is_scaled(pair[0], pair[1]):
                return None, pair[0], pair[1]
            first = first or (wrong, pair[0], pair[1])
    if first is not None:
        how = Mismatch("equation", "medium", f"{_told(names, own)} does not satisfy it")
        return how, first[1], first[2]
    return _identity(chain, at, functions)


def _told(names: Sequence[str], own: Stated) -> str:
    said = (
        f"{name} = {' or '.join(written(value.value) for value in own.values[name])}"
        for name in names
    )
    return ", ".join(said)


def _is_checkable(left: Side, right: Side) -> bool:
    """Return whether two sides with letters say something beyond a definition or a value."""
    if left.node is None or right.node is None or not (left.is_whole and right.is_whole):
        return False
    if defined(left) or defined(right) or assigned(left) or assigned(right):
        return False
    return not left.label


def _names(side: Side) -> frozenset[str]:
    return frozenset() if side.node is None else names_of(side.node)


def _identity(
    chain: Chain, at: int, functions: dict[str, tuple[str, Node]]
) -> tuple[Mismatch | None, Evaluated, Evaluated] | None:
    """Return whether two sides in the middle of a longer chain are the same expression."""
    left, right = chain.sides[at - 1], chain.sides[at]
    names = _names(left) | _names(right)
    same = len(chain.sides) > 2 and all(relation == "=" for relation in chain.relations)
    if not same or not names or _names(left) != _names(right):
        # Another letter on one side was put in for something.
        return None
    found: tuple[Evaluated, Evaluated] | None = None
    for shift in range(len(POINTS)):
        values = {
            name: exact(POINTS[(shift + at_name) % len(POINTS)])
            for at_name, name in enumerate(sorted(names))
        }
        known = Known(values, functions)
        ours, theirs = evaluated(left, known), evaluated(right, known)
        if ours is None or theirs is None:
            return None
        found = ours, theirs
        if ours.value.value != theirs.value.value:
            return Mismatch("identity", "medium", "the two expressions are not the same"), *found
    return None if found is None else (None, *found)


def check_asked(
    question: str, own: Stated, functions: dict[str, tuple[str, Node]]
) -> Iterator[tuple[TextFinding, ...]]:
    """Yield, for each equation of the question, what the values that a text states leave."""
    for chain in chains_in(question) if question else ():
        left, right = chain.sides[0], chain.sides[-1]
        names = sorted(_names(left) | _names(right))
        options = [own.values.get(name, ()) for name in names]
        if len(chain.sides) != 2 or chain.relations[0] not in {"=", "~"} or not names:
            continue
        if assigned(left) or not all(options) or not (left.is_whole and right.is_whole):
            continue
        wrong = _unsolved(left, right, names, options, functions)
        if wrong is None:
            continue
        yield () if wrong is _SOLVED else (_unsolved_finding(question, chain, wrong),)


_SOLVED = ("", "")


def _unsolved(
    left: Side,
    right: Side,
    names: Sequence[str],
    options: Sequence[Sequence[Value]],
    functions: dict[str, tuple[str, Node]],
) -> tuple[str, str] | None:
    """Return (solution, left side there) where none solves it, `_SOLVED`, or None if unknown."""
    told = None
    for values in list(product(*options))[:MOST_COMBINATIONS]:
        known = Known(dict(zip(names, values, strict=True)), functions)
        pair = evaluated(left, known), evaluated(right, known)
        if pair[0] is None or pair[1] is None:
            return None
        wrong = mismatch(pair[0], pair[1], "=", soft=False)
        if wrong is None or wrong.severity == "low":
            return _SOLVED
        solution = ", ".join(
            f"{name} = {written(value.value)}" for name, value in zip(names, values, strict=True)
        )
        told = solution, written(pair[0].value.value - pair[1].value.value)
    return told


def _unsolved_finding(question: str, chain: Chain, wrong: tuple[str, str]) -> TextFinding:
    return TextFinding(
        kind="equation",
        severity="high",
        start=0,
        end=0,
        said=question[chain.start : chain.end],
        stated=wrong[0],
        found=wrong[1],
        reason=f"{wrong[0]} does not solve the equation asked: its sides differ by {wrong[1]}",
    )
