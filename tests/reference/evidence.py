"""Counts over items by their definitions, with loops, sets and fractions."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import combinations


def separated_pairs(verdicts: Sequence[bool]) -> int:
    return sum(a != b for a, b in combinations(verdicts, 2))


def jaccard(left: Iterable[int], right: Iterable[int]) -> Fraction | None:
    a, b = set(left), set(right)
    return Fraction(len(a & b), len(a | b)) if a | b else None


def balanced(labels: Sequence[str], right: Sequence[bool]) -> Fraction | None:
    shares = []
    for label in set(labels):
        own = [hit for name, hit in zip(labels, right, strict=True) if name == label]
        shares.append(Fraction(sum(own), len(own)))
    return sum(shares, Fraction(0)) / len(shares) if shares else None


def reachable(edges: Sequence[tuple[int, int]], start: int) -> set[int]:
    seen, frontier = {start}, [start]
    while frontier:
        node = frontier.pop()
        for a, b in edges:
            for near, far in ((a, b), (b, a)):
                if near == node and far not in seen:
                    seen.add(far)
                    frontier.append(far)
    return seen
