"""What a text computes, computed again.  In: a text, and texts before it.  Out: what fails to hold.

Four readings: figures against figures; letters and functions with the values that the text gives
them; stated solutions put into the equations; expressions said to be the same, at some points.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from finassay.analyses.reference_audit.compare_sides import (
    Evaluated,
    Mismatch,
    mismatch,
)
from finassay.analyses.reference_audit.known_values import Stated, evaluated, stated_in, value_of
from finassay.analyses.reference_audit.letters import check_asked, check_letters
from finassay.analyses.reference_audit.results import TextFinding
from finassay.analyses.reference_audit.values import written
from finassay.text.arithmetic import (
    Chain,
    Known,
    Node,
    Side,
    calls_of,
    chains_in,
    has_operation,
)


@dataclass(frozen=True, slots=True)
class Recomputed:
    """What was found in a text, and how many relations could be computed again."""

    findings: tuple[TextFinding, ...]
    n_checked: int


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
    for earlier, later in pairwise(chains):
        step = _step(text, earlier, later, Known(functions=functions))
        checked += step is not None
        found += step or ()
    for asked in check_asked(question, own, functions):
        checked += 1
        found += asked
    return Recomputed(tuple(found), checked)


def _step(text: str, earlier: Chain, later: Chain, known: Known) -> tuple[TextFinding, ...] | None:
    """Return what is wrong between "A = 2 * 3" and "A = 6" on the next line; None if unrelated."""
    if not _is_next(text, earlier, later):
        return None
    left, right = evaluated(earlier.sides[-1], known), evaluated(later.sides[1], known)
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
            before = evaluated(chain.sides[at - 1], plain)
        value = value_of(side, plain)
        here = None if value is None else Evaluated(side, value)
        if at and before is not None and here is not None:
            wrong, counts = _numbers(chain, at, before, here)
            checked += counts
            if wrong is not None:
                wrong = _in_context(text, before, here, wrong)
            if wrong is not None:
                found.append(_finding(text, wrong, before, here))
        elif at and not found:
            more = check_letters(chain, at, own, functions)
            checked += more is not None
            if more is not None and more[0] is not None:
                found.append(_finding(text, more[0], more[1], more[2]))
        before = here or before
    return found, checked


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


_DENIED = re.compile(
    r"[\s,;:*(_-]{0,6}(?:fails?|failed|false|not|no|wrong|incorrect|untrue)\b", re.IGNORECASE
)


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
    unscaled = wrong.kind == "inequality" and left.scaled and not right.scaled
    if begins or unscaled or given[0].startswith(given[1]):
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


def _congruence(text: str, chain: Chain) -> tuple[list[TextFinding], int]:
    if chain.modulus is None:
        return [], 0
    found: list[TextFinding] = []
    checked = 0
    known = [evaluated(side, Known()) for side in chain.sides]
    for left, right in pairwise(known):
        if left is None or right is None:
            continue
        checked += 1
        gap = left.value.value - right.value.value
        if gap.denominator != 1 or gap.numerator % chain.modulus:
            why = Mismatch("congruence", "high", f"not congruent modulo {chain.modulus}")
            found.append(_finding(text, why, left, right))
    return found, checked


def _finding(text: str, wrong: Mismatch, left: Evaluated, right: Evaluated) -> TextFinding:
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
