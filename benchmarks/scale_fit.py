"""How cost grows with size.  In: (predictions, cost) of several sizes.  Out: exponents, forecasts.

The exponent is the slope of log cost on log size by least squares, with Student's interval.  Fixed
costs (starting Python, opening tables) flatten it at small sizes, so forecasts use another model:
cost = fixed + rate x predictions, both zero or more, fitted to relative errors.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import optimize, stats

LEVEL = 0.95


@dataclass(frozen=True, slots=True, kw_only=True)
class Exponent:
    """Slope of log cost on log size; the interval is None with fewer than three sizes."""

    slope: float
    low: float | None
    high: float | None
    sizes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """cost = fixed + rate x predictions."""

    fixed: float
    rate: float

    def at(self, predictions):
        """Return the cost of a number of predictions."""
        return self.fixed + self.rate * predictions


def exponent(points):
    """Return the exponent of (size, cost) points, None with fewer than two."""
    if len(points) < 2:
        return None
    x, y = (np.log([point[at] for point in points]) for at in (0, 1))
    found = stats.linregress(x, y)
    if len(points) < 3:
        return Exponent(slope=float(found.slope), low=None, high=None, sizes=len(points))
    half = stats.t.ppf(0.5 + LEVEL / 2, len(points) - 2) * found.stderr
    slope = float(found.slope)
    return Exponent(slope=slope, low=slope - half, high=slope + half, sizes=len(points))


def line(points):
    """Return the line through (size, cost) points with the smallest relative errors."""
    size, cost = (np.array([point[at] for point in points], dtype=float) for at in (0, 1))
    design = np.column_stack([1.0 / cost, size / cost])
    scale = design.max(axis=0)
    (fixed, rate), _ = optimize.nnls(design / scale, np.ones(len(cost)))
    return Line(fixed=float(fixed / scale[0]), rate=float(rate / scale[1]))
