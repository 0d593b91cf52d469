"""Frozen results about difficulty.  In: nothing.  Out: items, labels, and where systems differ."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from finassay.analyses.results_difficulty import DifficultyTrend, LabelledDifficulty
from finassay.records import Unscored

Axis = Literal["family", "difficulty label", "empirical difficulty"]

Suspicion = Literal["against the rest", "harder than labelled", "easier than labelled"]
"""Why an item deserves a look: systems that do well elsewhere are wrong on it and others right;
labelled easiest, but fewer systems are right than on the hardest ones; or the other way round."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemDifficulty:
    """How difficult an item is, and how well it agrees with the others.

    Attributes:
        item_id: the item.
        family: its family.
        difficulty: its difficulty label.
        k: systems that are right on it (value of 0.5 or more).
        n: systems counted.
        p: mean value over the systems, in [0, 1]; high is easy.
        item_rest: correlation with the score on all other items; None when it does not vary.
    """

    item_id: str
    family: str
    difficulty: str
    k: int
    n: int
    p: float
    item_rest: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DifficultyBand:
    """Items on which about the same share of systems is right.

    Attributes:
        name: the share, as "20 to 40%".
        low: least share.
        high: greatest share; of the last band it belongs to it.
        items: items in it.
    """

    name: str
    low: float
    high: float
    items: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SuspiciousItem:
    """An item that deserves a look.

    Attributes:
        item: the item.
        why: what is odd about it.
        expected: what its kind would have one expect of `found`: of a correlation 0, else the mean
            share right of the other end of the labels.
        found: the correlation with the rest, or the share of systems that are right.
    """

    item: ItemDifficulty
    why: Suspicion
    expected: float
    found: float


@dataclass(frozen=True, slots=True, kw_only=True)
class StratumGap:
    """One system in one stratum of the items.

    Attributes:
        axis: what the strata are of.
        stratum: name of the stratum.
        n: items that count.
        observed: mean value of the system on them.
        expected: mean that its average and the items' difficulty would have one expect.
        difference: observed - expected.
        z: sum of differences over the root of the sum of p (1 - p); None where that is 0.
    """

    axis: Axis
    stratum: str
    n: int
    observed: float
    expected: float
    difference: float
    z: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Surprise:
    """An item on which a system did otherwise than expected.

    Attributes:
        item: the item.
        value: what the system got.
        expected: what was expected of it.
    """

    item: ItemDifficulty
    value: float
    expected: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemDifficulty:
    """Where one system loses and gains against what its average would have one expect.

    Attributes:
        system: display name.
        n: items that count for it.
        score: its mean value; None without items.
        trend: its accuracy over the labels; None without labels.
        strata: families, labels and bands of empirical difficulty, in order.
        lost: items it is wrong on though 0.5 or more was expected, the surest first.
        gained: items it is right on though less than 0.5 was expected, the least likely first.
    """

    system: str
    n: int
    score: float | None
    trend: DifficultyTrend | None
    strata: tuple[StratumGap, ...]
    lost: tuple[Surprise, ...]
    gained: tuple[Surprise, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Difficulty:
    """How difficult the items are under one rule, and for whom.

    Attributes:
        rule: scorer id.
        systems: systems counted.
        n_items: items counted.
        n_excluded: items left out because a system has no usable verdict on them.
        n_unscored: verdicts without an answer (counted by `policy`).
        items: one entry a counted item, by id.
        labels: whether labels say what is difficult; None without two labels.
        bands: bands of empirical difficulty, hardest first.
        suspicious: items that deserve a look, by kind and then the oddest first.
        by_system: one entry a system.
        policy: what was done with unscored verdicts.
        method: how it was computed.
        warnings: what a reader must know.
    """

    rule: str
    systems: tuple[str, ...]
    n_items: int
    n_excluded: int
    n_unscored: int
    items: tuple[ItemDifficulty, ...]
    labels: LabelledDifficulty | None
    bands: tuple[DifficultyBand, ...]
    suspicious: tuple[SuspiciousItem, ...]
    by_system: tuple[SystemDifficulty, ...]
    policy: Unscored
    method: str
    warnings: tuple[str, ...] = ()
