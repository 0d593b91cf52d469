"""What a text computes, computed again.  In: a text, and texts before it.  Out: what fails to hold.

Four readings: figures against figures; letters and functions with the values that the text gives
them; stated solutions put into the equations; expressions said to be the same, at some points.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product

from finassay.analyses.reference_audit.compare_sides import (
    Evaluated,
    Mismatch,
    is_scaled,
    mismatch,
)
from finassay.analyses.reference_audit.results import TextFinding
from finassay.analyses.reference_audit.values import written
from finassay.text.arithmetic import (
    Chain,
    Known,
    Node,
    Side,
    UnknownValueError,
    Value,
    assigned,
    calls_of,
    chains_in,
    defined,
    evaluate,
    exact,
    has_operation,
    names_of,
)

MOST_VALUES = 4
"""Values of one letter; with more, it stands for too many things."""

MOST_COMBINATIONS = 16
_POINTS = (Fraction(3, 7), Fraction(-11, 5), Fraction(17, 3))


@dataclass(frozen=True, slots=True)
class Recomputed:
    """What was found in a text, and how many relations could be computed again."""

    findings: tuple[TextFinding, ...]
    n_checked: int


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
    yield from zip(chain.sides, chain.sides[1:], strict=False)


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
        value = _value(side, Known())
        if value is not None:
            yield from ((name, value) for name in dict.fromkeys(names))
            return


def _value(side: Side, known: Known) -> Value | None:
    if side.node is None or not side.is_whole:
        return None
    try:
        return evaluate(side.node, known)
    except UnknownValueError:
        return None


def recompute(text: str, *, question: str = "", before: Sequence[str] = ()) -> Recomputed:
    """Return what does not hold of the computations in a text, and how many were checked.

    Args:
        text: a reference.
        question: what it answers; values that it states must solve the equations in it.
        before: earlier turns, whose definitions of functions hold here too.
    """
    chains = chains_in(text)
    own = stated_in(chains)
    given = stated_in(chain for earlier in (*before, question) for chain in chains_in(earlier))
    functions = {**given.functions, **own.functions}
    found: list[TextFinding] = []
    checked = 0
    for chain in chains:
        made, n = _chain(text, chain, own, functions)
        found += made
        checked += n
    for earlier, later in zip(chains, chains[1:], strict=False):
        step = _step(text, earlier, later, Known(functions=functions))
        checked += step is not None
        found += step or ()
    for made in _asked(text, question, own, functions):
        checked += 1
        found += made
    return Recomputed(tuple(found), checked)


def _step(
    text: str, earlier: Chain, later: Chain, known: Known
) -> tuple[TextFinding, ...] | None:
    """Return what is wrong between "A = 2 * 3" and "A = 6" on the next line; None if unrelated."""
    if not _is_next(text, earlier, later):
        return None
    left, right = _last(earlier.sides[-1], known), _last(later.sides[1], known)
    if left is None or right is None or not left.computes:
        return None
    loose = "~" in {earlier.relations[-1], later.relations[0]}
    wrong = mismatch(left, right, "~" if loose else "=", soft=False)
    if wrong is None or _figures_of(text, left) == _figures_of(text, right):
        # Two solutions, as in (5 + 3) / 2 and (5 - 3) / 2, have the same figures.
        return ()
    start, end = left.side.start, right.side.end
    return (
        TextFinding(
            kind=wrong.kind,
            severity=wrong.severity,
            start=start,
            end=end,
            said=text[start:end],
            stated=written(right.value.value),
            found=written(left.value.value),
            reason=f"from one line to the next, {wrong.reason}",
        ),
    )


def _figures_of(text: str, of: Evaluated) -> list[str]:
    return sorted(re.findall(r"\d+(?:\.\d+)?", text[of.side.start : of.side.end]))


def _is_next(text: str, earlier: Chain, later: Chain) -> bool:
    """Return whether a chain repeats the left side of the one on the line before."""
    first, again = earlier.sides[0], later.sides[0]
    if (first.node is None) != (again.node is None) or set(earlier.relations) - {"=", "~"}:
        return False
    if set(later.relations) - {"=", "~"} or "\n" not in text[earlier.end : later.start]:
        return False
    if text[earlier.end : later.start].strip(" \t\r\n.,;|*$\\") or any(earlier.soft + later.soft):
        return False
    if first.node is None:
        return bool(first.label) and first.label == again.label
    return first.node == again.node and has_operation(first.node) == bool(calls_of(first.node))


def _asked(
    text: str, question: str, own: Stated, functions: dict[str, tuple[str, Node]]
) -> Iterator[tuple[TextFinding, ...]]:
    """Yield, for each equation in the question, whether the values that the text states solve it."""
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
        pair = _last(left, known), _last(right, known)
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
        reason=f"{wrong[0]} does not solve the equation of the question (sides differ by {wrong[1]})",
    )


def _chain(
    text: str, chain: Chain, own: Stated, functions: dict[str, tuple[str, Node]]
) -> tuple[list[TextFinding], int]:
    if "mod" in chain.relations:
        return _congruence(text, chain)
    plain = Known(functions=functions)
    found: list[TextFinding] = []
    checked = 0
    before: Evaluated | None = None
    for at, side in enumerate(chain.sides):
        if at and chain.relations[at - 1] not in {"=", "~"}:
            before = _last(chain.sides[at - 1], plain)
        value = _value(side, plain)
        here = None if value is None else Evaluated(side, value)
        if at and before is not None and here is not None:
            wrong, counts = _numbers(chain, at, before, here)
            checked += counts
            if wrong is not None:
                wrong = _in_context(text, before, here, wrong)
            if wrong is not None:
                found.append(_finding(text, chain, wrong, before, here))
        elif at and not found:
            more = _letters(chain, at, own, functions)
            checked += more is not None
            if more is not None and more[0] is not None:
                found.append(_finding(text, chain, *more))
        before = here or before
    return found, checked


def _last(side: Side, known: Known) -> Evaluated | None:
    value = _value(side, known)
    return None if value is None else Evaluated(side, value)


def _numbers(
    chain: Chain, at: int, left: Evaluated, right: Evaluated
) -> tuple[Mismatch | None, bool]:
    """Return what is wrong between two sides of figures, and whether there was a sum to check."""
    relation, soft = chain.relations[at - 1], chain.soft[at - 1]
    compares = relation not in {"=", "~"}
    if not (left.computes or right.computes) and (not compares or at > 1 or soft):
        return None, False
    if soft and not (left.computes and left.side.is_signed):
        return None, False
    if left.side is chain.sides[0] and not compares and _names_something(left, right):
        return None, False
    wrong = mismatch(left, right, relation, soft=soft)
    if wrong is not None and (_calls(left.side) or _calls(right.side)):
        wrong = Mismatch("substitution", wrong.severity, "the function has another value there")
    return wrong, True


_DENIED = re.compile(r"[\s,;:*(_-]{0,6}(?:fails?|failed|false|not|no|wrong|incorrect|untrue)\b", re.I)


def _in_context(text: str, left: Evaluated, right: Evaluated, wrong: Mismatch) -> Mismatch | None:
    """Return a mismatch as the text around it allows: milder where the text breaks off there.

    None where the text says itself that it does not hold: "30 < 25 (fails)".
    """
    end = right.side.end
    if wrong.kind == "inequality" and _DENIED.match(text, end):
        return None
    if end < len(text.rstrip()) or right.computes:
        return wrong
    given = text[left.side.start : left.side.end], text[right.side.start : end]
    begins = written(left.value.value).startswith(written(right.value.value))
    if begins or wrong.kind == "inequality" or given[0].startswith(given[1]):
        return Mismatch(wrong.kind, "low", "the text may be cut off here")
    return wrong


def _names_something(first: Evaluated, second: Evaluated) -> bool:
    """Return whether what stands before the first sign is a name: "net income 2021 = ..."."""
    led = first.side.is_led or bool(first.side.label)
    if first.computes:
        return led and not first.side.is_signed
    if led or 1900 <= first.value.value <= 2100:
        return True
    if first.percent and not second.percent:
        return True
    # "for 6 months = 7.5% of 100": of the thing that is computed, not its value.
    return bool(first.side.units) and set(first.side.units).isdisjoint(second.side.units)


def _calls(side: Side) -> bool:
    return side.node is not None and bool(calls_of(side.node))


Wrong = tuple[Mismatch, Evaluated, Evaluated]


def _letters(
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
            pair = _last(left, known), _last(right, known)
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
    for shift in range(len(_POINTS)):
        values = {
            name: exact(_POINTS[(shift + at_name) % len(_POINTS)])
            for at_name, name in enumerate(sorted(names))
        }
        known = Known(values, functions)
        pair = _last(left, known), _last(right, known)
        if pair[0] is None or pair[1] is None:
            return None
        if pair[0].value.value != pair[1].value.value:
            why = Mismatch("identity", "medium", "the two expressions are not the same")
            return why, pair[0], pair[1]
    return None, pair[0], pair[1]


def _congruence(text: str, chain: Chain) -> tuple[list[TextFinding], int]:
    if chain.modulus is None:
        return [], 0
    found: list[TextFinding] = []
    checked = 0
    known = [_last(side, Known()) for side in chain.sides]
    for left, right in zip(known, known[1:], strict=False):
        if left is None or right is None:
            continue
        checked += 1
        gap = left.value.value - right.value.value
        if gap.denominator != 1 or gap.numerator % chain.modulus:
            why = Mismatch("congruence", "high", f"not congruent modulo {chain.modulus}")
            found.append(_finding(text, chain, why, left, right))
    return found, checked


def _finding(
    text: str, chain: Chain, wrong: Mismatch, left: Evaluated, right: Evaluated
) -> TextFinding:
    start, end = min(left.side.start, right.side.start), max(left.side.end, right.side.end)
    return TextFinding(
        kind=wrong.kind,
        severity=wrong.severity,
        start=start,
        end=end,
        said=text[start:end],
        stated=written(right.value.value),
        found=written(left.value.value),
        reason=wrong.reason,
    )
