"""Simulate how often each interval holds the truth, and write docs/reference/coverage.md.

Run without arguments to rewrite the page (several minutes); --runs N for another size, --check to
compare the page with what stands there.  Every interval is simulated at the nominal level of 95%.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.kernels.agreement import cohen, fleiss, gwet, krippendorff
from finassay.analyses.kernels.bootstrap import Statistic, bca_intervals, grouped_sums
from finassay.analyses.kernels.intervals import clopper_pearson, jeffreys, student_t, wilson
from finassay.analyses.kernels.mean_intervals import bca, cluster_bootstrap, cluster_robust
from finassay.analyses.kernels.paired import tango
from finassay.analyses.kernels.rank_sets import clustered_sums, rank_sets, resample

Floats = NDArray[np.float64]

PAGE = Path(__file__).resolve().parents[1] / "docs" / "reference" / "coverage.md"
SEED = 20260101
LEVEL = 0.95
DRAWS = 1000

INTRODUCTION = (
    "Every interval and set that Finassay prints, simulated at a nominal level of 95%. *Coverage* "
    "is the share of simulated data sets whose interval held the true value; *error* is the Monte "
    "Carlo standard error of that share; *width* is the mean width (of a set of ranks: worst minus "
    f"best rank). Bootstraps draw {DRAWS:,} times here. Written by "
    "`scripts/coverage_simulation.py`."
)

READING = (
    "What to read from it: an interval for independent items misses far too often when items come "
    "in clusters; ten clusters are too few even for intervals that know of them; rank sets "
    "hold at least as often as they say, and about as often when all systems are equal."
)


@dataclass(frozen=True, slots=True)
class Row:
    """How often one interval held the truth in one situation."""

    interval: str
    situation: str
    held: int
    runs: int
    width: float

    @property
    def coverage(self) -> float:
        """Share of runs in which the truth lay inside."""
        return self.held / self.runs

    @property
    def error(self) -> float:
        """Monte Carlo standard error of the share."""
        q = (self.held + 1) / (self.runs + 2)
        return math.sqrt(q * (1 - q) / self.runs)


Draw = Callable[[np.random.Generator], tuple[float, float]]


def simulate(interval: str, situation: str, truth: float, draw: Draw, runs: int) -> Row:
    """Return how often `draw` gives ends around the truth; each situation has its own seed."""
    name = f"{interval}|{situation}"
    rng = np.random.default_rng([SEED, *name.encode()])
    held, width = 0, 0.0
    for _ in range(runs):
        low, high = draw(rng)
        held += low - 1e-12 <= truth <= high + 1e-12
        width += high - low
    return Row(interval, situation, held, runs, width / runs)


def shares(runs: int) -> Iterator[Row]:
    """Simulate the intervals of a share."""
    makers = {"Wilson": wilson, "Clopper-Pearson": clopper_pearson, "Jeffreys": jeffreys}
    for n, p in ((20, 0.5), (60, 0.8), (406, 0.8), (406, 0.97)):
        for name, make in makers.items():

            def draw(
                rng: np.random.Generator,
                n: int = n,
                p: float = p,
                make: Callable[..., tuple[float, float]] = make,
            ) -> tuple[float, float]:
                return make(right=int(rng.binomial(n, p)), n=n, level=LEVEL)

            yield simulate(name, f"n = {n}, share {p:g}", p, draw, runs)


def graded(runs: int) -> Iterator[Row]:
    """Simulate the intervals of a mean of graded scores 0, 0.5, 1."""
    for n, weights in ((20, (0.2, 0.3, 0.5)), (100, (0.02, 0.08, 0.9))):
        truth = weights[1] * 0.5 + weights[2]

        def scores(
            rng: np.random.Generator, n: int = n, weights: tuple[float, ...] = weights
        ) -> Floats:
            return rng.choice([0.0, 0.5, 1.0], size=n, p=weights)

        def by_t(
            rng: np.random.Generator, scores: Callable[[np.random.Generator], Floats] = scores
        ) -> tuple[float, float]:
            x = scores(rng)
            return student_t(
                total=float(x.sum()), squares=float((x**2).sum()), n=len(x), level=LEVEL
            )

        def by_bca(
            rng: np.random.Generator, scores: Callable[[np.random.Generator], Floats] = scores
        ) -> tuple[float, float]:
            return bca(scores(rng), level=LEVEL, draws=DRAWS, rng=rng)

        said = f"n = {n}, mean {truth:.2f}, scores 0, 0.5, 1"
        yield simulate("Student's t", said, truth, by_t, runs)
        yield simulate("BCa bootstrap of a mean", said, truth, by_bca, max(200, runs // 4))


def clustered_data(rng: np.random.Generator, groups: int, truth: float) -> tuple[Floats, Floats]:
    """Return (sums, sizes) of clusters whose items share a chance of being right (ICC 0.2)."""
    sizes = rng.integers(1, 30, size=groups).astype(float)
    strength = 1 / 0.2 - 1
    chance = rng.beta(truth * strength, (1 - truth) * strength, size=groups)
    return rng.binomial(sizes.astype(int), chance).astype(float), sizes


def clustered(runs: int) -> Iterator[Row]:
    """Simulate intervals of a share whose items come in clusters."""
    truth = 0.8
    for groups in (10, 27, 100):
        said = f"{groups} clusters of 1 to 29 items, share 0.8, ICC 0.2"

        def plain(rng: np.random.Generator, groups: int = groups) -> tuple[float, float]:
            sums, sizes = clustered_data(rng, groups, truth)
            return wilson(right=float(sums.sum()), n=int(sizes.sum()), level=LEVEL)

        def robust(rng: np.random.Generator, groups: int = groups) -> tuple[float, float]:
            return cluster_robust(*clustered_data(rng, groups, truth), level=LEVEL)

        def booted(rng: np.random.Generator, groups: int = groups) -> tuple[float, float]:
            sums, sizes = clustered_data(rng, groups, truth)
            low, high = cluster_bootstrap(sums[:, None], sizes, level=LEVEL, draws=DRAWS, rng=rng)
            return float(low[0]), float(high[0])

        yield simulate("Wilson, as if items were independent", said, truth, plain, runs)
        yield simulate("Cluster-robust t", said, truth, robust, runs)
        yield simulate("Cluster bootstrap", said, truth, booted, runs)


def differences(runs: int) -> Iterator[Row]:
    """Simulate the score interval of a paired difference of shares."""
    for n, left_only, right_only in ((60, 0.15, 0.05), (406, 0.12, 0.08), (406, 0.02, 0.005)):

        def draw(
            rng: np.random.Generator, n: int = n, a: float = left_only, b: float = right_only
        ) -> tuple[float, float]:
            first, second, _ = rng.multinomial(n, [a, b, 1 - a - b])
            return tango(left_only=int(first), right_only=int(second), n=n, level=LEVEL)

        said = f"n = {n}, only left right {left_only:g}, only right right {right_only:g}"
        yield simulate("Tango, paired difference", said, left_only - right_only, draw, runs)


def ratings(rng: np.random.Generator, units: int, shape: tuple[float, float]) -> NDArray[np.int64]:
    """Return (units, 3) ratings of 0 or 1: a truth that each rater misses with a fixed chance."""
    prevalence, miss = shape
    truth = rng.random(units) < prevalence
    return (truth[:, None] ^ (rng.random((units, 3)) < miss)).astype(np.int64)


def agreement_truth(name: str, shape: tuple[float, float]) -> float:
    """Return the population value of a coefficient, by its formula, for two raters or three."""
    prevalence, miss = shape
    same = (1 - miss) ** 2 + miss**2
    right = prevalence * (1 - miss) + (1 - prevalence) * miss
    chance = 2 * right * (1 - right) if name == "AC1" else right**2 + (1 - right) ** 2
    return (same - chance) / (1 - chance)


def agreement(runs: int) -> Iterator[Row]:
    """Simulate the bootstrap intervals of the agreement coefficients."""
    makers = {
        "kappa": lambda c: cohen(c[:, :2], 2),
        "Fleiss": lambda c: fleiss(c, 2),
        "alpha": lambda c: krippendorff(c, np.array([0.0, 1.0])),
        "AC1": lambda c: gwet(c, 2),
    }
    titles = {
        "kappa": "Cohen's kappa, BCa",
        "Fleiss": "Fleiss' kappa, BCa",
        "alpha": "Krippendorff's alpha, BCa",
        "AC1": "Gwet's AC1, BCa",
    }
    for units, shape in ((60, (0.5, 0.1)), (60, (0.9, 0.1)), (400, (0.9, 0.1))):
        for name, make in makers.items():

            def draw(
                rng: np.random.Generator,
                units: int = units,
                shape: tuple[float, float] = shape,
                make: Callable[..., object] = make,
            ) -> tuple[float, float]:
                made = make(ratings(rng, units, shape))
                statistic = Statistic(
                    sums=grouped_sums(made.features, np.arange(units)), values=made.values
                )
                (found,) = bca_intervals([statistic], draws=DRAWS, rng=rng, level=LEVEL)
                # Without an interval nothing is claimed, so nothing is missed.
                return (-1.0, 1.0) if found.low is None else (found.low, found.high)

            said = f"{units} units, prevalence {shape[0]:g}, each rater wrong on {shape[1]:g}"
            truth = agreement_truth(name, shape)
            yield simulate(titles[name], said, truth, draw, max(200, runs // 4))


def rank_rows(runs: int) -> Iterator[Row]:
    """Simulate the rank sets: does the set of one system, or do all sets, hold the true ranks?"""
    for items, chances in ((100, (0.9, 0.8, 0.8, 0.7, 0.6)), (200, (0.8, 0.8, 0.8, 0.8, 0.8))):
        # Systems with equal chances share a rank: 1 + the number that are truly better.
        true = [1 + sum(other > own for other in chances) for own in chances]
        rng = np.random.default_rng([SEED, items])
        held, wide = [0, 0], [0.0, 0.0]
        size = max(200, runs // 8)
        for _ in range(size):
            common = rng.normal(size=items)[:, None]
            noise = rng.normal(size=(items, len(chances)))
            cut = np.array([_probit(p) for p in chances])
            values = ((common + noise) / math.sqrt(2.0) < cut).astype(float)
            data = clustered_sums(values)
            found = resample(data, draws=DRAWS, rng=rng)
            alone, together = rank_sets(data, found.statistics, level=LEVEL)
            held[0] += alone[1][0] <= true[1] <= alone[1][1]
            held[1] += all(b <= t <= w for t, (b, w) in zip(true, together, strict=True))
            wide[0] += alone[1][1] - alone[1][0]
            wide[1] += sum(w - b for b, w in together) / len(together)
        said = f"{items} items, five systems at " + ", ".join(f"{p:g}" for p in chances)
        yield Row("Rank set of the second system", said, held[0], size, wide[0] / size)
        yield Row("Rank sets of all systems at once", said, held[1], size, wide[1] / size)


def _probit(p: float) -> float:
    return NormalDist().inv_cdf(p)


PARTS = (shares, graded, clustered, differences, agreement, rank_rows)


def table(runs: int) -> list[Row]:
    """Return every row of the table."""
    return [row for part in PARTS for row in part(runs)]


def page(rows: list[Row]) -> str:
    """Return the page with the table."""
    lines = [
        "# How often intervals hold the truth",
        "",
        INTRODUCTION,
        "",
        READING,
        "",
        "| interval | situation | coverage | error | width | runs |",
        "|---|---|---|---|---|---|",
    ]
    lines += [
        f"| {r.interval} | {r.situation} | {r.coverage:.3f} | {r.error:.3f} | {r.width:.3f} | "
        f"{r.runs:,} |"
        for r in rows
    ]
    return "\n".join(lines) + "\n"


def main() -> int:
    """Write or check the page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--runs", type=int, default=2000, help="simulated data sets a row")
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    given = parser.parse_args()
    text = page(table(given.runs))
    print(text)
    if given.check:
        return 0 if PAGE.read_text(encoding="utf-8") == text else 1
    aside = PAGE.with_suffix(".md.tmp")
    aside.write_text(text, encoding="utf-8")
    aside.replace(PAGE)
    return 0


if __name__ == "__main__":
    sys.exit(main())
