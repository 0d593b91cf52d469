"""Print how often the intervals of other packages for scores from few labels hold the truth.

    python scripts/label_peers.py [--runs N]

ppi-python and evalstats are simulated where they can be imported; ppi-python imports numba, which
compiles nothing that a mean needs, so an empty module stands in where numba is not installed.
docs/explanation/few-labels.md shows the table.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
import types
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.label_parts import Part
from finassay.analyses.label_scores import all_estimates

sys.path.insert(0, str(Path(__file__).resolve().parent))

from planted_labels import ITEMS, JUDGES, Situation, draw_labels, world

Floats = NDArray[np.float64]
Interval = Callable[[Floats, Floats, Floats], tuple[float, float]]

SHARES = (0.05, 0.2, 0.5, 0.95)
LABELS = (20, 50, 100, 200)
SEED = 20261102


@dataclass(slots=True)
class Count:
    """How often an interval held the truth, and how wide it was."""

    held: int = 0
    width: float = 0.0

    def add(self, truth: float, ends: tuple[float, float]) -> None:
        """Count one interval, cut to [0, 1]."""
        low, high = max(0.0, ends[0]), min(1.0, ends[1])
        self.held += low - 1e-9 <= truth <= high + 1e-9
        self.width += max(0.0, high - low)


def _of_ppi_python(*, tuned: bool) -> Interval:
    for name in ("numba", "gdown"):
        if name not in sys.modules and importlib.util.find_spec(name) is None:
            empty = types.ModuleType(name)
            vars(empty)["njit"] = lambda function: function
            sys.modules[name] = empty
    import ppi_py  # noqa: PLC0415

    def interval(labels: Floats, judged: Floats, rest: Floats) -> tuple[float, float]:
        weight = None if tuned else 1
        low, high = ppi_py.ppi_mean_ci(labels, judged, rest, alpha=0.05, lam=weight)
        return float(np.ravel(low)[0]), float(np.ravel(high)[0])

    return interval


def _of_evalstats(backend: str) -> Interval:
    import evalstats  # noqa: PLC0415

    def interval(labels: Floats, judged: Floats, rest: Floats) -> tuple[float, float]:
        found = evalstats.ppi.correct(
            np.mean,
            Y_lab=labels,
            Y_hat_lab=judged,
            Y_hat_unlab=rest,
            rng=1,
            n_boot=500,
            backend=backend,
        )
        return found.ci_low, found.ci_high

    return interval


def peers() -> Iterator[tuple[str, Interval]]:
    """Yield the intervals of the packages that are installed."""
    if importlib.util.find_spec("ppi_py") is not None:
        yield "ppi-python, PPI", _of_ppi_python(tuned=False)
        yield "ppi-python, PPI++", _of_ppi_python(tuned=True)
    if importlib.util.find_spec("evalstats") is not None:
        yield "evalstats, analytic", _of_evalstats("analytic")
        yield "evalstats, bootstrap", _of_evalstats("bootstrap")


def lines(runs: int) -> Iterator[str]:
    """Yield the lines of the table: coverage in percent and width in points."""
    found = list(peers())
    names = [name for name, _ in found]
    yield f"| accuracy | labels | {' | '.join([*names, 'ppi++ here'])} |"
    yield f"|---:|---:|{'---:|' * (len(names) + 1)}"
    for share in SHARES:
        for labels in LABELS:
            counts = _counts(share, labels, runs, found)
            cells = [
                f"{100 * one.held / runs:.1f} ({100 * one.width / runs:.0f})" for one in counts
            ]
            yield f"| {share:.2f} | {labels} | {' | '.join(cells)} |"


def _counts(share: float, labels: int, runs: int, found: list[tuple[str, Interval]]) -> list[Count]:
    situation = Situation(judge=JUDGES[0], shares=(share, 0.5), labels=labels)
    rng = np.random.default_rng([SEED, labels, round(100 * share)])
    counts = [Count() for _ in range(len(found) + 1)]
    for _ in range(runs):
        frame = draw_labels(situation, world(situation, rng), rng)
        first = np.arange(2 * ITEMS) < ITEMS
        given = first & frame.is_labelled
        rest = frame.judged[first & ~frame.is_labelled]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for count, (_, interval) in zip(counts, found, strict=False):
                count.add(share, interval(frame.labels[given], frame.judged[given], rest))
        part = Part(frame=frame, rows=first, level=0.95, population="items like these")
        own = next(one for one in all_estimates(part, part) if one.estimator == "ppi++")
        counts[-1].add(share, (own.low or 0.0, 1.0 if own.high is None else own.high))
    return counts


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=500)
    for line in lines(parser.parse_args().runs):
        print(line, flush=True)


if __name__ == "__main__":
    main()
