"""Made-up systems, judges and drawn labels for the simulation of few labels."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.kernels.designs import allocate, spread_of_share
from finassay.analyses.label_frame import Frame
from finassay.analyses.label_sample import FrameUnit, LabelSample

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

ITEMS = 400
SYSTEMS = ("A", "B")


@dataclass(frozen=True, slots=True)
class Judge:
    """A judge with known error rates: sensitivity and specificity on the answers of A and of B."""

    name: str
    first: tuple[float, float]
    second: tuple[float, float]


JUDGES = (
    Judge("good", (0.9, 0.9), (0.9, 0.9)),
    Judge("lenient", (0.95, 0.7), (0.95, 0.7)),
    Judge("harsh", (0.7, 0.95), (0.7, 0.95)),
    Judge("weak", (0.6, 0.6), (0.6, 0.6)),
    Judge("differs by system", (0.95, 0.7), (0.7, 0.95)),
)

SHARES = ((0.05, 0.1), (0.5, 0.4), (0.95, 0.85))
"""Planted accuracy of A and of B."""

DESIGNS = ("by system", "simple", "disputes and control", "disputes, optimal", "items", "clusters")


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """What is planted and how labels are drawn.

    Attributes:
        judge: its error rates.
        shares: accuracy of A and B.
        labels: labels for each system.
        design: how they are drawn.
    """

    judge: Judge
    shares: tuple[float, float]
    labels: int
    design: str = "by system"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class World:
    """All answers of both systems with the truth: A's first, then B's.

    Attributes:
        right: (2 N,) what people would say.
        judged: (2 N,) what the judge says.
        ruled: (2 N,) what a rule says, right about 85% of the answers.
        clusters: (N,) cluster of each item.
    """

    right: Bools
    judged: Bools
    ruled: Bools
    clusters: Ints


def world(situation: Situation, rng: np.random.Generator) -> World:
    """Return a population of answers; A and B tend to fail on the same items."""
    clusters = np.arange(ITEMS)
    ease = rng.random(ITEMS)
    if situation.design == "clusters":
        clusters = np.arange(ITEMS) // 8
        shared = rng.random(clusters.max() + 1)[clusters]
        ease = np.where(rng.random(ITEMS) < 0.5, shared, ease)
    right = []
    for share in situation.shares:
        # Half of the answers follow the ease of the item, half are chance: the share stays exact.
        own = np.where(rng.random(ITEMS) < 0.5, ease, rng.random(ITEMS))
        right.append(own < share)
    judged = []
    for truth, (sensitivity, specificity) in zip(
        right, (situation.judge.first, situation.judge.second), strict=True
    ):
        chance = rng.random(ITEMS)
        judged.append(np.where(truth, chance < sensitivity, chance >= specificity))
    both = np.concatenate(right)
    return World(
        right=both,
        judged=np.concatenate(judged),
        ruled=np.where(rng.random(2 * ITEMS) < 0.85, both, ~both),
        clusters=clusters,
    )


def _strata(situation: Situation, made: World) -> tuple[Ints, dict[int, int]]:
    """Return the stratum of each answer, and how many are drawn from each."""
    system = np.repeat(np.arange(2), ITEMS)
    total = 2 * situation.labels
    if situation.design == "simple":
        return np.zeros(2 * ITEMS, dtype=np.int64), {0: total}
    if not situation.design.startswith("disputes"):
        return system, {0: situation.labels, 1: situation.labels}
    disputed = (made.judged != made.ruled).astype(np.int64)
    codes = 2 * system + disputed
    sizes = {str(code): int((codes == code).sum()) for code in np.unique(codes)}
    # With enough labels every dispute is labelled and the rest is control; else both share.
    disputes = [name for name in sizes if int(name) % 2]
    certain = disputes if sum(sizes[name] for name in disputes) <= total - 20 else []
    spreads = {name: spread_of_share(3, 8) if name in disputes else 0.3 for name in sizes}
    optimal = situation.design.endswith("optimal")
    strata = allocate(
        sizes,
        total=total,
        rule="neyman" if optimal else "equal",
        spreads=spreads,
        certain=[] if optimal else certain,
    )
    return codes, {int(one.name): one.take for one in strata}


def draw_labels(situation: Situation, made: World, rng: np.random.Generator) -> Frame:
    """Return the frame with the labels of a new sample."""
    system = np.repeat(np.arange(2), ITEMS)
    labelled = np.zeros(2 * ITEMS, dtype=bool)
    if situation.design in {"items", "clusters"}:
        codes = np.zeros(2 * ITEMS, dtype=np.int64)
        chosen = rng.permutation(ITEMS)[: situation.labels]
        labelled[chosen] = labelled[chosen + ITEMS] = True
    else:
        codes, takes = _strata(situation, made)
        for code, take in takes.items():
            labelled[rng.permutation(np.flatnonzero(codes == code))[:take]] = True
    sizes, counts = np.bincount(codes), np.bincount(codes[labelled], minlength=codes.max() + 1)
    scale = np.divide(sizes, counts, out=np.zeros(len(sizes)), where=counts > 0)
    return Frame(
        sample=_SAMPLES[situation.design],
        items=np.tile(np.arange(ITEMS), 2),
        systems=system,
        strata=codes,
        names=tuple(str(code) for code in range(len(sizes))),
        judged=made.judged.astype(np.float64),
        is_judged=np.ones(2 * ITEMS, dtype=bool),
        groups=made.judged.astype(np.int64),
        labels=(labelled & made.right).astype(np.float64),
        is_labelled=labelled,
        weights=scale[codes],
        is_binary=True,
    )


def _sample(design: str) -> LabelSample:
    units = tuple(
        FrameUnit(item_id=f"q{at}", system=name) for name in SYSTEMS for at in range(ITEMS)
    )
    plain = LabelSample(judge="judge/planted", units=units)
    if design not in {"items", "clusters"}:
        return plain
    clusters = {f"q{at}": f"d{at // 8}" for at in range(ITEMS)} if design == "clusters" else {}
    return replace(plain, unit="item", clusters=clusters)


_SAMPLES = {design: _sample(design) for design in DESIGNS}
