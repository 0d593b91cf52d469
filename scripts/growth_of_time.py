"""How the time of a function grows with its text: for `fuzz_scorers.py`.

The text is doubled, each length is timed in processor seconds, and the slope of log time over log
length is the power: 1 is linear, 2 a square.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hostile_texts import SHAPES

NOISE_S = 0.004
"""Times below this say nothing about growth."""


@dataclass(frozen=True)
class Growth:
    """How the time of one reader or scorer grows on one shape of text."""

    what: str
    shape: str
    power: float
    """Slope of log time over log length; 1 is linear."""
    seconds: float
    """Processor time for the longest text tried."""
    length: int


def seconds_for(call: Callable[[], object]) -> float:
    """Return the least processor time of up to three calls."""
    best = math.inf
    for _ in range(3):
        start = time.process_time()
        call()
        best = min(best, time.process_time() - start)
        if best > 0.05:
            break
    return best


def growth(
    what: str, call: Callable[[str], object], shape: str, *, limit_s: float, lengths: Sequence[int]
) -> Growth:
    """Return how time grows with the length; stops early where a text takes over the limit."""
    points: list[tuple[int, float]] = []
    for length in lengths:
        text = SHAPES[shape](length)
        points.append((length, seconds_for(lambda text=text: call(text))))
        if points[-1][1] > limit_s:
            break
    seen = [(math.log2(n), math.log2(s)) for n, s in points if s >= NOISE_S]
    return Growth(what, shape, slope(seen), points[-1][1], points[-1][0])


def slope(points: Sequence[tuple[float, float]]) -> float:
    """Return the least-squares slope; 0 for fewer than three points, which say nothing."""
    if len(points) < 3:
        return 0.0
    mean_x = math.fsum(x for x, _ in points) / len(points)
    mean_y = math.fsum(y for _, y in points) / len(points)
    across = math.fsum((x - mean_x) ** 2 for x, _ in points)
    return math.fsum((x - mean_x) * (y - mean_y) for x, y in points) / across


def lengths(longest: int) -> tuple[int, ...]:
    """Return ten doubled lengths that end with the longest."""
    return tuple(longest >> k for k in range(9, -1, -1))
