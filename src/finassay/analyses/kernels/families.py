"""Many tests at once.  In: p values and the size of their family.  Out: adjusted p, tie groups."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

Adjustment = Literal["none", "bonferroni", "holm", "bh", "by"]
"""How p is adjusted: Bonferroni and Holm hold the chance of any false claim, Benjamini-Hochberg
and Benjamini-Yekutieli (under any dependence) the expected share of false claims."""

ADJUSTMENTS: tuple[Adjustment, ...] = get_args(Adjustment)


def adjusted(
    p: NDArray[np.float64], *, method: Adjustment, family: int | None = None
) -> NDArray[np.float64]:
    """Return (k,) adjusted p of k tests out of a family, each at most 1.

    Tests of the family that are not among the k are taken to have p = 1, which is the
    cautious reading: smaller ones could only lower the adjusted p of the others.

    Bonferroni (1936); Holm (1979), Scandinavian Journal of Statistics 6, 65-70; Benjamini and
    Hochberg (1995), JRSS B 57, 289-300; Benjamini and Yekutieli (2001), Annals of Statistics 29,
    1165-1188.

    Raises:
        ValueError: an unknown method, a family smaller than the number of tests, or a p outside
            [0, 1].
    """
    if method not in ADJUSTMENTS:
        raise ValueError(f"`method` must be one of {ADJUSTMENTS}, got {method!r}")
    size = len(p) if family is None else family
    if size < len(p):
        raise ValueError(f"`family` must be at least the {len(p)} tests made, got {family!r}")
    if not ((p >= 0.0) & (p <= 1.0)).all():
        raise ValueError("every p must be in [0, 1]")
    if method == "none" or not len(p):
        return p.copy()
    if method == "bonferroni":
        return np.minimum(1.0, p * size)
    order = np.argsort(p, kind="stable")
    out = np.empty(len(p))
    out[order] = _holm(p[order], size) if method == "holm" else _step_up(p[order], size, method)
    return out


def _holm(rising: NDArray[np.float64], size: int) -> NDArray[np.float64]:
    scaled = rising * (size - np.arange(len(rising)))
    return np.minimum(1.0, np.maximum.accumulate(scaled))


def _step_up(rising: NDArray[np.float64], size: int, method: Adjustment) -> NDArray[np.float64]:
    harmonic = float(np.sum(1.0 / np.arange(1, size + 1))) if method == "by" else 1.0
    # The tests that are not here have p = 1 and stand above all others, at size / size.
    scaled = rising * harmonic * size / np.arange(1, len(rising) + 1)
    return np.minimum(1.0, np.minimum.accumulate(scaled[::-1])[::-1])


def tie_groups(differ: NDArray[np.bool_]) -> tuple[tuple[int, ...], ...]:
    """Return the largest sets of systems in which no two differ, in order of their first member.

    `differ` is (C, C), symmetric; systems stand from best to worst.  Insert and absorb: Piepho
    (2004), Journal of Computational and Graphical Statistics 13, 456-466.

    Raises:
        ValueError: the matrix is not square and symmetric, or says that a system differs from
            itself.
    """
    if differ.ndim != 2 or not np.array_equal(differ, differ.T) or differ.diagonal().any():
        raise ValueError("`differ` must be square and symmetric with a false diagonal")
    groups: set[frozenset[int]] = {frozenset(range(len(differ)))} if len(differ) else set()
    for i, j in np.argwhere(np.triu(differ)).tolist():
        both = {group for group in groups if i in group and j in group}
        split = {group - {k} for group in both for k in (i, j)}
        kept = (groups - both) | split
        groups = {g for g in kept if not any(g < other for other in kept)}
    return tuple(sorted(tuple(sorted(group)) for group in groups if group))


def letters(groups: Sequence[Sequence[int]], systems: int) -> tuple[str, ...]:
    """Return the letters of each of the systems: two share a letter when they are in one group.

    Groups are lettered a, b, ... z, then a2, b2 and so on, in the order given.
    """
    names = [
        chr(97 + at % 26) + (str(at // 26 + 1) if at >= 26 else "") for at in range(len(groups))
    ]
    return tuple(
        " ".join(name for name, group in zip(names, groups, strict=True) if system in group)
        if len(groups) > 26
        else "".join(name for name, group in zip(names, groups, strict=True) if system in group)
        for system in range(systems)
    )
