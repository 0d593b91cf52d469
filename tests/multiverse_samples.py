"""Small multiverses with known outcomes, made of nothing but arrays."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from finassay.marking.multiverse.codes import RIGHT, WRONG
from finassay.marking.multiverse.cube import Multiverse, collapsed
from finassay.marking.multiverse.dimensions import Choice, Dimension
from finassay.marking.multiverse.grid import Grid

CHOICES = {
    "passage": ("whole", "final", "first-sentence"),
    "matcher": ("token_set", "includes", "exact"),
    "numbers": ("written", "equal", "ignore"),
}


def grid(*sizes: int, weights: Sequence[float] = ()) -> Grid:
    """Return a grid of that many choices a dimension; `weights` are those of the first."""
    dimensions = []
    for (name, values), size in zip(CHOICES.items(), sizes, strict=False):
        own = list(weights) if weights and not dimensions else [1.0] * size
        choices = tuple(
            Choice(name=value, value=value, weight=weight)
            for value, weight in zip(values[:size], own, strict=True)
        )
        dimensions.append(Dimension(name=name, choices=choices, base=values[0]))
    return Grid(name="sample", task="qa", scorer="rule", dimensions=tuple(dimensions))


def multiverse(
    codes: np.ndarray, *, over: Grid, systems: Sequence[str] = ("A", "B", "C")
) -> Multiverse:
    """Return the multiverse of (R, I, C) codes, one sheet for each rule of the grid in order."""
    sheets, where = collapsed(codes.astype(np.uint8))
    return Multiverse(
        grid=over,
        cells=over.cells(),
        items=tuple(f"q{n}" for n in range(codes.shape[1])),
        systems=tuple(systems[: codes.shape[2]]),
        sheets=sheets,
        sheet=where,
        present=np.ones(codes.shape[1:], dtype=bool),
    )


def with_right(counts: Sequence[Sequence[int]], *, items: int) -> np.ndarray:
    """Return codes in which system j is right on the first `counts[r][j]` items under rule r."""
    table = np.array(counts)
    is_right = np.arange(items)[None, :, None] < table[:, None, :]
    return np.where(is_right, RIGHT, WRONG)
