"""Pairwise judges by definitions: lists of rated pairs, counted one by one, and fractions."""

from collections.abc import Sequence
from fractions import Fraction

Rated = tuple[str, str, Fraction]
"""What people prefer, what the judge prefers, and how often the row counts."""

FLIP = {"left": "right", "right": "left", "tie": "tie"}
ONE, HALF = Fraction(1), Fraction(1, 2)


def both_arrangements(pairs: Sequence[tuple[str, str | None]]) -> list[tuple[str, str | None]]:
    """Return each pair as it stands, and with its two answers swapped."""
    return [
        *pairs,
        *((FLIP[people], None if judge is None else FLIP[judge]) for people, judge in pairs),
    ]


def treated(pairs: Sequence[tuple[str, str | None]], treatment: str) -> list[Rated]:
    """Return the rows of both arrangements; a tie and None are no decision."""
    out: list[Rated] = []
    for people, judge in both_arrangements(pairs):
        if judge in {"left", "right"}:
            out.append((people, str(judge), ONE))
        elif treatment == "category":
            out.append((people, "neither", ONE))
        elif treatment == "wrong":
            out.append((people, FLIP[people], ONE))
        elif treatment == "half":
            out += [(people, "left", HALF), (people, "right", HALF)]
    return out


def kappa(pairs: Sequence[tuple[str, str | None]], treatment: str) -> Fraction | None:
    """Cohen's kappa of the spelled-out rows."""
    rows = treated(pairs, treatment)
    total = sum((weight for _, _, weight in rows), Fraction(0))
    if not total:
        return None
    observed = sum((w for people, judge, w in rows if people == judge), Fraction(0)) / total
    expected = Fraction(0)
    for side in ("left", "right", "neither"):
        by_people = sum((w for people, _, w in rows if people == side), Fraction(0))
        by_judge = sum((w for _, judge, w in rows if judge == side), Fraction(0))
        expected += by_people * by_judge / total**2
    return None if expected == 1 else (observed - expected) / (1 - expected)


def f1(pairs: Sequence[tuple[str, str | None]], treatment: str, side: str) -> Fraction | None:
    """F1 of one side of the spelled-out rows."""
    rows = treated(pairs, treatment)
    hits = sum((w for p, j, w in rows if p == j == side), Fraction(0))
    named = sum((w for _, j, w in rows if j == side), Fraction(0))
    true = sum((w for p, _, w in rows if p == side), Fraction(0))
    return None if not named + true else 2 * hits / (named + true)


def sum_rule(label: str, first: str | None, second: str | None) -> str:
    """What two decisions in positions come to: the second saw the answers swapped.

    +1 for the label, -1 for its flip, 0 for a tie or none.
    """
    score = 0
    for decision in (first, None if second is None else FLIP[second]):
        if decision == label:
            score += 1
        elif decision is not None and decision == FLIP[label]:
            score -= 1
    return "right" if score > 0 else "wrong" if score < 0 else "level"
