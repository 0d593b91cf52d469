"""Analysed multiverses for tests of sentences and figures: drawn ones of any size."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from finassay.analyses.multiverse.analysis import MultiverseSettings, analyse_multiverse
from finassay.analyses.multiverse.floor import PeopleLabels
from finassay.analyses.results_multiverse import MultiverseResult
from finassay.records import Item
from multiverse_samples import grid, multiverse, with_right


def analysed(
    counts: Sequence[Sequence[int]],
    *sizes: int,
    items: int = 20,
    systems: Sequence[str] = ("A", "B", "C"),
    weights: Sequence[float] = (),
    floor: float | None = None,
) -> MultiverseResult:
    """Return the result of rules under which system j is right on the first counts[r][j] items."""
    made = multiverse(
        with_right(counts, items=items), over=grid(*sizes, weights=weights), systems=systems
    )
    labels = np.zeros((items, len(made.systems)), dtype=np.int8)
    labels[: items // 2] = 1
    people = PeopleLabels(name="person/ann", items=made.items, systems=made.systems, labels=labels)
    return analyse_multiverse(
        made,
        items=[Item(item_id=name) for name in made.items],
        study="sample",
        settings=MultiverseSettings(draws=100, floor=floor),
        people=people if floor is not None else None,
    )


def drawn(m: int, *, seed: int = 0, names: Sequence[str] = ()) -> MultiverseResult:
    """Return 27 rules over m systems, of which the first are better under every rule."""
    rng = np.random.default_rng(seed)
    level = np.linspace(160, 40, m)
    counts = np.clip(level + rng.normal(scale=14, size=(27, m)), 0, 200).astype(int)
    shown = names or [f"system {at}" for at in range(m)]
    return analysed(counts.tolist(), 3, 3, 3, items=200, systems=shown)
