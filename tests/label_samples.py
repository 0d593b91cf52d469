"""Made-up samples of labelled answers, small enough to read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from finassay.analyses.kernels.designs import Stratum, allocate, draw, simple, stratum_sizes
from finassay.analyses.label_sample import FrameUnit, LabelSample

TRUE_SHARES = {"alpha": 0.8, "beta": 0.55}
"""Accuracy of the made-up systems, up to the chance of their answers."""


def answers(
    *,
    items: int = 240,
    seed: int = 1,
    errors: dict[str, tuple[float, float]] | None = None,
    shares: dict[str, float] | None = None,
) -> list[tuple[FrameUnit, float]]:
    """Return all answers with the judge's verdict, and what people would say of each.

    `errors` gives (sensitivity, specificity) of the judge on each system's answers.
    """
    rng = np.random.default_rng(seed)
    out = []
    for system, share in (shares or TRUE_SHARES).items():
        sensitivity, specificity = (errors or {}).get(system, (0.9, 0.8))
        right = rng.random(items) < share
        chance = rng.random(items)
        judged = np.where(right, chance < sensitivity, chance >= specificity)
        ruled = np.where(rng.random(items) < 0.85, right, ~right)
        for at in range(items):
            unit = FrameUnit(
                item_id=f"q{at:03d}",
                system=system,
                stratum=f"{system}, {'disputed' if judged[at] != ruled[at] else 'agreed'}",
                judge=float(judged[at]),
            )
            out.append((unit, float(right[at])))
    return out


def labelled(unit: FrameUnit, label: float) -> FrameUnit:
    return replace(unit, state="labelled", label=label)


def truth(rows: Sequence[tuple[FrameUnit, float]], system: str) -> float:
    """Return the score that labels on all answers would give."""
    return float(np.mean([label for unit, label in rows if unit.system == system]))


def by_dispute(
    rows: Sequence[tuple[FrameUnit, float]], *, total: int, seed: int = 0
) -> LabelSample:
    """Return a stratified sample of answers, as many labels from every stratum."""
    names = [unit.stratum for unit, _ in rows]
    strata = allocate(stratum_sizes(names), total=total, rule="equal")
    ids = [f"{unit.item_id}|{unit.system}" for unit, _ in rows]
    places = set(draw(ids, names, strata, seed=seed).places)
    return _sample(rows, strata, lambda at: at in places)


def plain(rows: Sequence[tuple[FrameUnit, float]], *, total: int, seed: int = 0) -> LabelSample:
    """Return a simple random sample of answers."""
    ids = [f"{unit.item_id}|{unit.system}" for unit, _ in rows]
    places = set(simple(ids, total=total, seed=seed).places)
    flat = [(replace(unit, stratum="all"), label) for unit, label in rows]
    strata = (Stratum(name="all", size=len(rows), take=total),)
    return _sample(flat, strata, lambda at: at in places)


def by_item(rows: Sequence[tuple[FrameUnit, float]], *, total: int, seed: int = 0) -> LabelSample:
    """Return a simple random sample of items, with all their answers."""
    items = list(dict.fromkeys(unit.item_id for unit, _ in rows))
    chosen = {items[at] for at in simple(items, total=total, seed=seed).places}
    flat = [(replace(unit, stratum="all"), label) for unit, label in rows]
    strata = (Stratum(name="all", size=len(items), take=total),)
    found = _sample(flat, (), lambda at: flat[at][0].item_id in chosen)
    return replace(found, strata=strata, unit="item")


def _sample(
    rows: Sequence[tuple[FrameUnit, float]],
    strata: Sequence[Stratum],
    is_drawn: Callable[[int], bool],
) -> LabelSample:
    units = tuple(
        labelled(unit, label) if is_drawn(at) else unit for at, (unit, label) in enumerate(rows)
    )
    return LabelSample(judge="judge/planted", units=units, strata=tuple(strata))
