"""Logistic regression by its definition: gradient and information summed row by row, in loops."""

from __future__ import annotations

import math
from collections.abc import Sequence


def solve(matrix: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """Return the solution of a linear system by Gauss elimination with pivoting."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    n = len(rows)
    for at in range(n):
        pivot = max(range(at, n), key=lambda i: abs(rows[i][at]))
        rows[at], rows[pivot] = rows[pivot], rows[at]
        for i in range(n):
            if i != at:
                factor = rows[i][at] / rows[at][at]
                rows[i] = [a - factor * b for a, b in zip(rows[i], rows[at], strict=True)]
    return [rows[i][n] / rows[i][i] for i in range(n)]


def chance(row: Sequence[float], estimate: Sequence[float]) -> float:
    return 1.0 / (1.0 + math.exp(-sum(x * b for x, b in zip(row, estimate, strict=True))))


def information(design: Sequence[Sequence[float]], estimate: Sequence[float]) -> list[list[float]]:
    width = len(estimate)
    total = [[0.0] * width for _ in range(width)]
    for row in design:
        p = chance(row, estimate)
        for i in range(width):
            for j in range(width):
                total[i][j] += p * (1 - p) * row[i] * row[j]
    return total


def fit(
    design: Sequence[Sequence[float]], outcome: Sequence[bool], clusters: Sequence[int]
) -> tuple[list[float], list[float]]:
    """Return coefficients by Newton's steps and their errors by the clustered sandwich."""
    width, n = len(design[0]), len(design)
    estimate = [0.0] * width
    for _ in range(60):
        gradient = [0.0] * width
        for row, y in zip(design, outcome, strict=True):
            left = y - chance(row, estimate)
            gradient = [g + left * x for g, x in zip(gradient, row, strict=True)]
        step = solve(information(design, estimate), gradient)
        estimate = [b + s for b, s in zip(estimate, step, strict=True)]
    sums: dict[int, list[float]] = {}
    for row, y, cluster in zip(design, outcome, clusters, strict=True):
        left = y - chance(row, estimate)
        held = sums.setdefault(cluster, [0.0] * width)
        sums[cluster] = [h + left * x for h, x in zip(held, row, strict=True)]
    info = information(design, estimate)
    units = [[float(i == j) for i in range(width)] for j in range(width)]
    bread = [solve(info, unit) for unit in units]
    g = len(sums)
    scale = g / (g - 1) * (n - 1) / (n - width)
    errors = []
    for own in bread:
        spread = sum(
            sum(a * b for a, b in zip(own, score, strict=True)) ** 2 for score in sums.values()
        )
        errors.append(math.sqrt(scale * spread))
    return estimate, errors
