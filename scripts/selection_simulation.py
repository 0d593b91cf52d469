"""Simulate how often the intervals of `finassay operations` hold the true regret.

    python scripts/selection_simulation.py

Prints the table of docs/explanation/operations.md (a minute on one core).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.operations.draws import ItemStack, selection_intervals
from finassay.analyses.operations.sheet import POINTS, ScoreSheet

STUDIES = 200
DRAWS = 300
LEVEL = 0.95
MEAN_ABILITY = 0.65


@dataclass(frozen=True, slots=True)
class Design:
    """One kind of study: systems, items of knowledge and of the operation, spread of abilities."""

    systems: int
    items: int
    spread: float


DESIGNS = (Design(8, 60, 0.1), Design(8, 200, 0.1), Design(12, 100, 0.05), Design(33, 250, 0.08))


def abilities(design: Design, rng: np.random.Generator) -> NDArray[np.float64]:
    """Return (2, systems) chances of a right answer: in the operation, and in knowledge."""
    shared = rng.normal(0, design.spread, design.systems)
    own = rng.normal(0, design.spread, (2, design.systems))
    found = MEAN_ABILITY + np.stack([shared / 2 + own[0], shared + own[1] / 2])
    return np.clip(found, 0.02, 0.98)


def stack_of(chances: NDArray[np.float64], items: int, rng: np.random.Generator) -> ItemStack:
    """Return right and wrong answers to as many items of the operation as of knowledge."""
    values = rng.random((2 * items, chances.shape[1])) < np.repeat(chances, items, axis=0)
    return ItemStack(
        values=values.astype(np.float64),
        counted=np.ones(values.shape, dtype=np.bool_),
        groups=np.repeat([0, 1], items),
        n_groups=2,
        clusters=np.arange(2 * items),
        name="items",
    )


def sheet_of(stack: ItemStack) -> ScoreSheet:
    """Return the observed scores."""
    (operation, knowledge), _ = stack.means()
    n = len(knowledge)
    return ScoreSheet(
        systems=tuple(f"m{at}" for at in range(n)),
        knowledge_name="knowledge",
        operations=("operation",),
        layers=("",),
        judged=(False,),
        evaluators=(),
        knowledge=knowledge,
        has_knowledge=np.ones(n, dtype=np.bool_),
        scores=operation[:, None],
        present=np.ones((n, 1), dtype=np.bool_),
        scale=1,
        unit=POINTS,
    )


def simulate(design: Design) -> str:
    """Return a line of the table: how often the true cost is held, and how far costs lean up."""
    rng = np.random.default_rng(0)
    held, leans, widths = 0, [], []
    for seed in range(STUDIES):
        chances = abilities(design, rng)
        stack = stack_of(chances, design.items, rng)
        sheet = sheet_of(stack)
        drawn = selection_intervals(
            sheet,
            stack,
            within=0.0,
            draws=DRAWS,
            level=LEVEL,
            rng=np.random.default_rng(seed),
        )
        leads = sheet.knowledge == sheet.knowledge.max()
        true = 100 * float(chances[0].max() - chances[0][leads].max())
        low, high = drawn.cost[0].low or 0.0, drawn.cost[0].high or 0.0
        held += low <= true <= high
        leans.append(float(sheet.scores.max() - sheet.scores[leads, 0].max()) - true)
        widths.append(high - low)
    return (
        f"| {design.systems} | {design.items} | {100 * held / STUDIES:.1f} | "
        f"{np.mean(leans):+.1f} | {np.mean(widths):.1f} |"
    )


def main() -> None:
    print("| systems | items each | held, % | leans by | width |")
    print("|---:|---:|---:|---:|---:|")
    for design in DESIGNS:
        print(simulate(design), flush=True)


if __name__ == "__main__":
    main()
