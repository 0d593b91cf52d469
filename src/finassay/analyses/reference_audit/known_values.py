"""What a text says that its letters and functions are.  In: chains.  Out: values, definitions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise

from finassay.analyses.reference_audit.compare_sides import Evaluated
from finassay.text.arithmetic import (
    Chain,
    Known,
    Node,
    Side,
    UnknownValueError,
    Value,
    assigned,
    calls_of,
    defined,
    evaluate,
    names_of,
)


@dataclass(frozen=True, slots=True)
class Stated:
    """What a text says that letters and functions are.

    Attributes:
        values: letter -> the different values it is given.
        functions: letter -> (argument, expression), defined in one way only.
    """

    values: dict[str, tuple[Value, ...]] = field(default_factory=dict)
    functions: dict[str, tuple[str, Node]] = field(default_factory=dict)


def stated_in(chains: Iterable[Chain]) -> Stated:
    """Return the values of letters and the definitions of functions that chains state."""
    values: dict[str, dict[Fraction, Value]] = {}
    functions: dict[str, dict[Node, str]] = {}
    for chain in chains:
        if any(relation not in {"=", "~"} for relation in chain.relations):
            continue
        for left, right in _neighbours(chain):
            _note_function(left, right, functions)
        for name, value in _values(chain):
            values.setdefault(name, {}).setdefault(value.value, value)
    return Stated(
        {name: tuple(found.values()) for name, found in values.items()},
        {
            name: (argument, body)
            for name, found in functions.items()
            if len(found) == 1
            for body, argument in found.items()
        },
    )


def _neighbours(chain: Chain) -> Iterator[tuple[Side, Side]]:
    yield from pairwise(chain.sides)


def _note_function(left: Side, right: Side, functions: dict[str, dict[Node, str]]) -> None:
    found = defined(left)
    if found is None or right.node is None or not right.is_whole:
        return
    name, argument = found
    if names_of(right.node) == {argument} and name not in calls_of(right.node):
        functions.setdefault(name, {})[right.node] = argument


def _values(chain: Chain) -> Iterator[tuple[str, Value]]:
    """Yield the letters of a chain and their value: that of its last side with figures only."""
    names = [name for side in chain.sides if (name := assigned(side)) is not None]
    if not names:
        return
    for side in reversed(chain.sides):
        value = value_of(side, Known())
        if value is not None:
            yield from ((name, value) for name in dict.fromkeys(names))
            return


def value_of(side: Side, known: Known) -> Value | None:
    """Return the value of a side that was read whole, None where it has none."""
    if side.node is None or not side.is_whole:
        return None
    try:
        return evaluate(side.node, known)
    except UnknownValueError:
        return None


def evaluated(side: Side, known: Known) -> Evaluated | None:
    """Return a side with its value, None where it has none."""
    value = value_of(side, known)
    return None if value is None else Evaluated(side, value)
