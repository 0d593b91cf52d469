"""Simulate judges with planted faults, and see whether `finassay judges` finds them.

    python scripts/judge_simulation.py [--repeats N] [--items N,N,...] [--draws N] [--seed N]

Prints the table of docs/reference/judge-simulation.md (some ten minutes on one core).
"""

from __future__ import annotations

import argparse
import itertools
import math
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.judges.inputs import JudgeInputs, JudgePlan
from finassay.analyses.judges.reliability import judge_reliability
from finassay.analyses.judges.results import Figure
from finassay.analyses.judges.results_compare import Judges
from finassay.analyses.rank_sets import Resampling
from finassay.marking.matrix import SCORED, STATUS_CODES, VerdictMatrix
from finassay.records import Item, SystemSpec

REPEATS, DRAWS, ITEMS = 150, 600, (20, 50, 200)
LEVEL = 0.95
JUDGE = "alpha"
"""The judge is one of the systems that it judges."""

PEOPLE = 3
EASY, HARD = 0, 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Errors:
    """Chances that a judge errs: on INCORRECT answers, and on CORRECT ones."""

    false_positive: float
    false_negative: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Plant:
    """A world with known faults.

    Attributes:
        abilities: system -> chance of a right answer on easy and on hard items.
        sure: errors of the judge where it knows the answer, or sees a right reference.
        blind: errors where it neither knows the answer nor sees a right reference.
        own_mistakes: added to its chance of passing its own wrong answers, without a reference.
        overrules: chance that a right answer passes although the reference shown is wrong.
        unparsed: chance that a verdict cannot be read.
        person_error: chance that a person errs.
        not_sure: chance that a person is not sure.
    """

    abilities: Mapping[str, tuple[float, float]]
    sure: Errors
    blind: Errors
    own_mistakes: float = 0.0
    overrules: float = 0.25
    unparsed: float = 0.05
    person_error: float = 0.05
    not_sure: float = 0.05

    def passes(self, arm: str, *, is_right: int, knows: int, is_own: bool) -> float:
        """Return the chance that the judge marks an answer CORRECT, once it can be read."""
        if arm == "wrong":
            return self.overrules if is_right else self.sure.false_positive
        errors = self.sure if knows or arm == "human" else self.blind
        if is_right:
            return 1.0 - errors.false_negative
        own = self.own_mistakes if is_own and arm == "none" else 0.0
        return min(1.0, errors.false_positive + own)

    def consensus(self, is_right: int) -> tuple[float, float]:
        """Return the chances that people settle an answer as INCORRECT, and as CORRECT."""
        says = [0.0, 0.0, self.not_sure]
        says[is_right] = (1.0 - self.not_sure) * (1.0 - self.person_error)
        says[1 - is_right] = (1.0 - self.not_sure) * self.person_error
        found = [0.0, 0.0]
        for labels in itertools.product(range(3), repeat=PEOPLE):
            for label in (0, 1):
                if 2 * labels.count(label) > PEOPLE:
                    found[label] += math.prod(says[one] for one in labels)
        return found[0], found[1]


WORLD = Plant(
    abilities={
        JUDGE: (0.9, 0.4),
        "beta": (0.85, 0.35),
        "gamma": (0.8, 0.3),
        "delta": (0.7, 0.4),
        "epsilon": (0.6, 0.2),
    },
    sure=Errors(false_positive=0.1, false_negative=0.08),
    blind=Errors(false_positive=0.55, false_negative=0.25),
    own_mistakes=0.3,
)
FAIR = replace(WORLD, blind=WORLD.sure, own_mistakes=0.0)
"""A judge that needs no reference and does not prefer itself: every test should be quiet."""

ARMS = ("none", "human", "wrong")


def judge_id(arm: str) -> str:
    """Return the scorer id of the judge under an arm."""
    return f"judge/{JUDGE}/single/{arm}/A"


# What is planted -----------------------------------------------------------------------------

Cells = NDArray[np.float64]


def planted_cells(plant: Plant, arm: str, *, own: bool, knows: int | None = None) -> Cells:
    """Return (2, 3) chances of what people settle and the judge says, by enumeration.

    Args:
        plant: the world.
        arm: what the judge is shown.
        own: over its own answers, else over those of others.
        knows: only over items that it answers right (1) or wrong (0) itself.
    """
    cells = np.zeros((2, 3))
    names = [name for name in plant.abilities if (name == JUDGE) == own]
    for kind, name, knowing in itertools.product((EASY, HARD), names, (0, 1)):
        if knows is not None and knowing != knows:
            continue
        chance = plant.abilities[JUDGE][kind]
        weight = 0.5 * (chance if knowing else 1.0 - chance)
        for is_right in (0, 1):
            able = plant.abilities[name][kind]
            answers = float(is_right == knowing) if own else (able if is_right else 1.0 - able)
            passing = plant.passes(arm, is_right=is_right, knows=knowing, is_own=own)
            says = np.array([1.0 - passing, passing, 0.0]) * (1.0 - plant.unparsed)
            says[2] = plant.unparsed
            cells += weight * answers * np.outer(plant.consensus(is_right), says)
    return cells


def kappa_of(cells: Cells) -> float:
    """Return Cohen's kappa of chances, an unreadable verdict being a category of its own."""
    shares = cells / cells.sum()
    observed = shares[0, 0] + shares[1, 1]
    expected = float(shares.sum(axis=1) @ shares.sum(axis=0)[:2])
    return float((observed - expected) / (1.0 - expected))


def passing_of(cells: Cells, people: int) -> float:
    """Return the chance that a read verdict is CORRECT, by what people settle."""
    return float(cells[people, 1] / cells[people, :2].sum())


def planted(plant: Plant) -> dict[str, float]:
    """Return the true values of everything that the simulation looks at."""
    cells = {arm: planted_cells(plant, arm, own=False) for arm in ARMS}
    own = planted_cells(plant, "none", own=True)
    known = [planted_cells(plant, "none", own=False, knows=knows) for knows in (1, 0)]
    right, wrong = (kappa_of(one) for one in known)
    shown_wrong = cells["wrong"] + planted_cells(plant, "wrong", own=True)
    return {
        "kappa, no reference": kappa_of(cells["none"]),
        "kappa, human reference": kappa_of(cells["human"]),
        "kappa, human minus no reference": kappa_of(cells["human"]) - kappa_of(cells["none"]),
        "kappa where it answered right": right,
        "kappa where it answered wrong": wrong,
        "kappa right minus wrong": right - wrong,
        "false positives, own minus others": passing_of(own, 0) - passing_of(cells["none"], 0),
        "false negatives, own minus others": passing_of(cells["none"], 1) - passing_of(own, 1),
        "overruled wrong references": passing_of(shown_wrong, 1),
        "unparsed verdicts": plant.unparsed,
    }


# What is seen --------------------------------------------------------------------------------


def study_of(plant: Plant, n_items: int, rng: np.random.Generator) -> JudgeInputs:
    """Return one study of this world."""
    names = tuple(plant.abilities)
    items = tuple(Item(item_id=f"q{at:04d}", family="all") for at in range(n_items))
    kinds = rng.integers(0, 2, n_items)
    able = np.array([plant.abilities[name] for name in names]).T[kinds]
    right = (rng.random(able.shape) < able).astype(np.int64)
    ids = [item.item_id for item in items]
    judges = {judge_id(arm): matrix(ids, names, *_judged(plant, arm, right, rng)) for arm in ARMS}
    people = {
        f"person/{letter}": matrix(ids, names, *_labelled(plant, right, rng)) for letter in "abc"
    }
    systems = tuple(SystemSpec(name=name, model=name) for name in names)
    return JudgeInputs(
        study="simulated", items=items, systems=systems, judges=judges, people=people
    )


def _judged(
    plant: Plant, arm: str, right: NDArray[np.int64], rng: np.random.Generator
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    names = list(plant.abilities)
    chances = np.array(
        [
            [
                [plant.passes(arm, is_right=y, knows=knows, is_own=name == JUDGE) for name in names]
                for knows in (0, 1)
            ]
            for y in (0, 1)
        ]
    )
    knows = right[:, [names.index(JUDGE)]]
    own = chances[right, knows, np.arange(len(names))[None, :]]
    return (rng.random(own.shape) < own).astype(np.int64), rng.random(own.shape) < plant.unparsed


def _labelled(
    plant: Plant, right: NDArray[np.int64], rng: np.random.Generator
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    erred = rng.random(right.shape) < plant.person_error
    return np.where(erred, 1 - right, right), rng.random(right.shape) < plant.not_sure


def matrix(
    items: Sequence[str],
    systems: Sequence[str],
    says: NDArray[np.int64],
    unread: NDArray[np.bool_],
) -> VerdictMatrix:
    """Return verdicts of 0 and 1, unparsed where they cannot be read."""
    return VerdictMatrix(
        values=np.where(unread, 0.0, says.astype(np.float64)),
        status=np.where(unread, STATUS_CODES["unparsed"], SCORED).astype(np.int8),
        row_names=("item_id",),
        rows=tuple((item,) for item in items),
        column_name="system",
        columns=tuple(systems),
    )


Seen = dict[str, tuple[float | None, float | None, float | None]]
"""What is estimated -> value and ends of its interval."""


def seen(result: Judges) -> Seen:
    """Return the estimates of what `planted` knows."""
    agreed = {one.identity.arm: one for one in result.judges}
    alike = next(one for one in result.conditional if one.scorer_id == judge_id("none"))
    mine = next(one for one in result.self_preference if one.arm == "none")
    arms = next(
        one
        for one in result.comparisons
        if not one.given and (one.left, one.right) == (judge_id("human"), judge_id("none"))
    )
    wrong = result.wrong_references[0].correct
    counts = agreed["none"].counts
    return {
        "kappa, no reference": _kappa(result, "none"),
        "kappa, human reference": _kappa(result, "human"),
        "kappa, human minus no reference": _ends(arms.difference.figure),
        "kappa where it answered right": _ends(alike.right),
        "kappa where it answered wrong": _ends(alike.wrong),
        "kappa right minus wrong": _ends(alike.difference.figure),
        "false positives, own minus others": _ends(mine.false_positive_gap.figure),
        "false negatives, own minus others": _ends(mine.false_negative_gap.figure),
        "overruled wrong references": (wrong.rate, wrong.low, wrong.high),
        "unparsed verdicts": (counts.n_unparsed / counts.n, None, None),
    }


def _kappa(result: Judges, arm: str) -> tuple[float | None, float | None, float | None]:
    found = next(one for one in result.judges if one.identity.arm == arm).agreement
    return (None, None, None) if found is None else _ends(found.primary.kappa)


def _ends(figure: Figure) -> tuple[float | None, float | None, float | None]:
    return figure.value, figure.low, figure.high


def claims(result: Judges) -> dict[str, bool]:
    """Return which tests speak."""
    alike = next(one for one in result.conditional if one.scorer_id == judge_id("none"))
    mine = next(one for one in result.self_preference if one.arm == "none")
    arms = next(
        one
        for one in result.comparisons
        if not one.given and (one.left, one.right) == (judge_id("human"), judge_id("none"))
    )
    return {
        "kappa, human minus no reference": (arms.difference.p or 1.0) < 1.0 - LEVEL,
        "kappa right minus wrong": (alike.difference.p or 1.0) < 1.0 - LEVEL,
        "false positives, own minus others": (mine.false_positive_gap.p or 1.0) < 1.0 - LEVEL,
        "false negatives, own minus others": (mine.false_negative_gap.p or 1.0) < 1.0 - LEVEL,
    }


# The table -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What came of one figure at one size.

    Attributes:
        name: the figure.
        n_items: items of a study.
        true: planted value.
        bias: mean estimate minus planted value.
        error: Monte Carlo standard error of the bias.
        held: share of intervals that hold the planted value; None where there is no interval.
        spoke: share of tests with p below 0.05; None where there is no test.
    """

    name: str
    n_items: int
    true: float
    bias: float
    error: float
    held: float | None
    spoke: float | None


def simulate(plant: Plant, n_items: int, *, repeats: int, draws: int, seed: int) -> Iterator[Row]:
    """Yield what came of each figure in `repeats` studies."""
    truth = planted(plant)
    values: dict[str, list[float]] = {name: [] for name in truth}
    held: dict[str, list[bool]] = {name: [] for name in truth}
    spoke: dict[str, list[bool]] = {}
    for at in range(repeats):
        rng = np.random.default_rng([seed, n_items, at])
        plan = JudgePlan(policy="exclude", level=LEVEL, resampling=Resampling(draws=draws, seed=at))
        result = judge_reliability(study_of(plant, n_items, rng), plan)
        for name, (value, low, high) in seen(result).items():
            if value is not None:
                values[name].append(value)
            if low is not None and high is not None:
                held[name].append(low <= truth[name] <= high)
        for name, said in claims(result).items():
            spoke.setdefault(name, []).append(said)
    for name, true in truth.items():
        found = np.array(values[name])
        yield Row(
            name=name,
            n_items=n_items,
            true=true,
            bias=float(found.mean()) - true,
            error=float(found.std(ddof=1)) / math.sqrt(len(found)),
            held=float(np.mean(held[name])) if held[name] else None,
            spoke=float(np.mean(spoke[name])) if name in spoke else None,
        )


def line_of(row: Row) -> str:
    """Return a row of the table."""
    held = "" if row.held is None else f"{100 * row.held:.1f}"
    spoke = "" if row.spoke is None else f"{100 * row.spoke:.1f}"
    return (
        f"| {row.name} | {row.n_items} | {row.true:.3f} | {row.bias:+.3f} ({row.error:.3f}) "
        f"| {held} | {spoke} |"
    )


HEAD = (
    "| figure | items | planted | bias (Monte Carlo error) | interval holds it, % "
    "| test says yes, % |\n|---|---|---|---|---|---|"
)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=REPEATS)
    parser.add_argument("--draws", type=int, default=DRAWS)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--items", default=",".join(str(size) for size in ITEMS))
    given = parser.parse_args()
    sizes = [int(size) for size in given.items.split(",")]
    for title, plant in (("A judge with faults", WORLD), ("A fair judge", FAIR)):
        sys.stdout.write(f"\n### {title}\n\n{HEAD}\n")
        for size in sizes:
            rows = simulate(plant, size, repeats=given.repeats, draws=given.draws, seed=given.seed)
            for row in rows:
                sys.stdout.write(f"{line_of(row)}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
