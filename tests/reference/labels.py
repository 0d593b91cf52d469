"""Slow textbook twins of the label extraction: every definition spelled out, nothing shared."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import product
from math import sqrt

Occurrence = tuple[int, int, int]
"""Start, end, label."""


def occurrences(text: str, labels: Sequence[str], *, words: bool) -> list[Occurrence]:
    """Return every place at which a lower-cased label stands, tried start by start."""
    lowered = text.lower()
    found = []
    for place, label in enumerate(labels):
        wanted = label.lower()
        for start in range(len(lowered)):
            end = start + len(wanted)
            if lowered[start:end] != wanted:
                continue
            beside = [lowered[start - 1]] if start else []
            beside += [lowered[end]] if end < len(lowered) else []
            if not (words and any(re.fullmatch(r"\w", c) for c in beside)):
                found.append((start, end, place))
    return found


def not_inside_longer(found: Sequence[Occurrence]) -> list[Occurrence]:
    """Return the occurrences that lie inside no longer one."""
    return [
        (start, end, label)
        for start, end, label in found
        if not any(s <= start and end <= e and e - s > end - start for s, e, _ in found)
    ]


def candidate_set(text: str, labels: Sequence[str], *, words: bool = False) -> set[int]:
    """Return the labels that occur."""
    return {label for _, _, label in occurrences(text, labels, words=words)}


def selectors(sets: Sequence[Sequence[int]]) -> Iterator[tuple[int | None, ...]]:
    """Yield what every item-wise selector reads: one candidate an item, None where none is."""
    yield from product(*[tuple(present) or (None,) for present in sets])


def text_functions(
    keys: Sequence[int], sets: Sequence[Sequence[int]]
) -> Iterator[tuple[int | None, ...]]:
    """Yield what every selector that goes by the text alone reads."""
    present = dict(zip(keys, sets, strict=True))
    names = list(present)
    for chosen in product(*[tuple(present[name]) or (None,) for name in names]):
        answer = dict(zip(names, chosen, strict=True))
        yield tuple(answer[key] for key in keys)


def right(golds: Sequence[int], predictions: Sequence[int | None]) -> int:
    """Return how many predictions equal their reference."""
    return sum(gold == found for gold, found in zip(golds, predictions, strict=True))


def f1_of(golds: Sequence[int], predictions: Sequence[int | None], label: int | None) -> float:
    """Return the harmonic mean of precision and recall of one label; 0 where undefined."""
    pairs = list(zip(golds, predictions, strict=True))
    hits = sum(g == label and p == label for g, p in pairs)
    claimed = sum(p == label for _, p in pairs)
    actual = sum(g == label for g, _ in pairs)
    precision = hits / claimed if claimed else 0.0
    recall = hits / actual if actual else 0.0
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def macro_f1(
    golds: Sequence[int], predictions: Sequence[int | None], labels: Sequence[int | None]
) -> float:
    """Return the plain mean of the labels' F1."""
    return sum(f1_of(golds, predictions, label) for label in labels) / len(labels)


def weighted_f1(
    golds: Sequence[int], predictions: Sequence[int | None], labels: Sequence[int | None]
) -> float:
    """Return the mean of the labels' F1, weighted by how often each is the reference."""
    weights = [sum(g == label for g in golds) for label in labels]
    total = sum(
        weight * f1_of(golds, predictions, label)
        for weight, label in zip(weights, labels, strict=True)
    )
    return total / sum(weights)


def matthews(golds: Sequence[int], predictions: Sequence[int | None]) -> float:
    """Return the correlation of the indicator vectors of both sides, None as a class.

    The covariance form of Gorodkin (2004): the sum over classes of the covariances of indicators,
    over the root of the product of both sides' own sums; 0 where that is 0.
    """
    classes = {*golds, *predictions}
    n = len(golds)

    def covariance(left: Sequence[int | None], side: Sequence[int | None]) -> float:
        total = 0.0
        for c in classes:
            a = [float(x == c) for x in left]
            b = [float(x == c) for x in side]
            mean_a, mean_b = sum(a) / n, sum(b) / n
            total += sum((x - mean_a) * (y - mean_b) for x, y in zip(a, b, strict=True)) / n
        return total

    spread = covariance(golds, golds) * covariance(predictions, predictions)
    return covariance(golds, predictions) / sqrt(spread) if spread > 1e-12 else 0.0
