"""Simulate scores from few labels, and write docs/reference/few-labels-simulation.md.

Run without arguments to rewrite the page (a quarter of an hour and more); --runs N for another
number, --short for two situations (both print and write nothing); --check to compare the page with
what it promises.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from finassay.analyses.label_differences import Pair, ends_of
from finassay.analyses.label_frame import Frame
from finassay.analyses.label_parts import Part, design_effect
from finassay.analyses.label_plan import LabelPlan, right_chances
from finassay.analyses.label_power import Aim, expected_difference
from finassay.analyses.label_scores import all_estimates
from finassay.analyses.results_few_labels import Estimator, Population

sys.path.insert(0, str(Path(__file__).resolve().parent))

from planted_labels import (
    DESIGNS,
    ITEMS,
    JUDGES,
    SHARES,
    Situation,
    World,
    draw_labels,
    world,
)

PAGE = Path(__file__).resolve().parents[1] / "docs" / "reference" / "few-labels-simulation.md"
RUNS = 200
LEVEL = 0.95
SEED = 20261101
LABELS = (20, 50, 100, 200)

SCORE = "A"
DIFFERENCE = "A − B"

OF_SCORE: tuple[Estimator, ...] = (
    *("human", "horvitz-thompson", "hajek"),
    *("rogan-gladen", "rogan-gladen pooled", "ppi", "ppi++"),
)
OF_DIFFERENCE: tuple[Estimator, ...] = ("human", "rogan-gladen", "rogan-gladen pooled", "ppi++")

INTRODUCTION = (
    f"Made-up systems A and B with {ITEMS} answers each, a judge with known error rates, and so "
    "many labels for each system, drawn by a known design. A cell shows the *coverage* of the 95% "
    "interval in percent, its mean *width* in points in brackets, then *bias* and *root mean "
    "squared error* in points; † where an interval was given in fewer than 99% of the runs, with "
    "the percent of runs that gave one (the others say why there is none). Written by "
    "`scripts/few_labels_simulation.py`."
)

READING = (
    "Cells below the nominal 95% by more than three standard errors are marked ✗. Intervals for "
    "shares are exact in each cell of the design, so they hold the truth more often than 95% "
    "where labels are few: that is the price of never promising too much."
)

ERROR = " With {runs} runs a cell, the standard error of a coverage of 95% is {error:.1f} points."

POOLED = (
    "Where the judge errs otherwise on B, error rates pooled over both systems bias "
    "`rogan-gladen pooled`; the result names such systems."
)

WIDER = (
    "The truth is the planted accuracy, of which these items are a sample; *clusters*: fifty "
    "documents of eight items."
)

BUDGETS = (
    "In each run a budget for a power of 80% is made for the true difference, from a pilot of 100 "
    "labels a system by the good judge; then so many labels are drawn anew. *Found*: the interval "
    "of the difference leaves 0 out, on the right side."
)


@dataclass(slots=True)
class Tally:
    """What came of one estimator in one situation."""

    runs: int = 0
    valued: int = 0
    error: float = 0.0
    squared: float = 0.0
    given: int = 0
    held: int = 0
    width: float = 0.0

    def add(self, truth: float, ends: Sequence[float | None]) -> None:
        """Count one run; `ends` are value, low and high."""
        value, low, high = ends
        self.runs += 1
        if value is not None:
            self.valued += 1
            self.error += value - truth
            self.squared += (value - truth) ** 2
        if low is not None and high is not None:
            self.given += 1
            self.held += low - 1e-9 <= truth <= high + 1e-9
            self.width += high - low

    @property
    def coverage(self) -> float:
        """Share of the intervals that held the truth."""
        return self.held / max(1, self.given)

    @property
    def falls_short(self) -> bool:
        """Whether the coverage lies below the level by more than three standard errors."""
        spread = math.sqrt(LEVEL * (1.0 - LEVEL) / max(1, self.given))
        return self.given > 0 and self.coverage < LEVEL - 3.0 * spread

    @property
    def cell(self) -> str:
        """What the table shows."""
        if not self.valued:
            return "—"
        bias = 100.0 * self.error / self.valued
        spread = 100.0 * math.sqrt(self.squared / self.valued)
        mark = "✗" if self.falls_short else ""
        rare = f" †{100 * self.given / self.runs:.0f}" if self.given < 0.99 * self.runs else ""
        width = 100.0 * self.width / max(1, self.given)
        return f"{100 * self.coverage:.1f}{mark} ({width:.0f}) {bias:+.1f} {spread:.1f}{rare}"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The tallies of one situation, by what was estimated and by estimator."""

    situation: Situation
    population: Population
    tallies: dict[tuple[str, Estimator], Tally] = field(default_factory=dict)


def simulate(situation: Situation, population: Population, runs: int) -> Outcome:
    """Return what came of so many made-up populations, each with one sample of labels."""
    name = f"{situation.judge.name}|{situation.shares}|{situation.labels}|{situation.design}"
    rng = np.random.default_rng([SEED, *name.encode()])
    out = Outcome(situation, population)
    for _ in range(runs):
        made = world(situation, rng)
        frame = draw_labels(situation, made, rng)
        _score_of_first(out, made, frame)
        _difference(out, made, frame)
    return out


def _truths(out: Outcome, made: World) -> tuple[float, float]:
    if out.population == "items like these":
        return out.situation.shares
    return float(made.right[:ITEMS].mean()), float(made.right[ITEMS:].mean())


def _score_of_first(out: Outcome, made: World, frame: Frame) -> None:
    truth = _truths(out, made)[0]
    parts = []
    for rows in (frame.systems == 0, np.ones(2 * ITEMS, dtype=bool)):
        effect = design_effect(frame, rows, frame.judged)
        parts.append(
            Part(
                frame=frame,
                rows=rows,
                level=LEVEL,
                population=out.population,
                design_effect=effect,
            )
        )
    for one in all_estimates(*parts):
        if one.estimator in OF_SCORE:
            tally = out.tallies.setdefault((SCORE, one.estimator), Tally())
            tally.add(truth, (one.value, one.low, one.high))


def _difference(out: Outcome, made: World, frame: Frame) -> None:
    first, second = _truths(out, made)
    pair = Pair.of(frame, (0, 1), LEVEL, out.population)
    for estimator in OF_DIFFERENCE:
        ends = ends_of(pair, estimator)
        tally = out.tallies.setdefault((DIFFERENCE, estimator), Tally())
        tally.add(first - second, (ends.value, ends.low, ends.high))


def judge_situations() -> Iterator[Situation]:
    """Yield what the first tables are about: judges, accuracies and numbers of labels."""
    for judge in JUDGES:
        if judge.name == "harsh":
            continue
        for shares in SHARES:
            for labels in LABELS:
                yield Situation(judge=judge, shares=shares, labels=labels)


def design_situations() -> Iterator[Situation]:
    """Yield what the tables of designs are about."""
    for design in DESIGNS[1:]:
        for shares in SHARES[:2]:
            for labels in (20, 50, 200):
                yield Situation(judge=JUDGES[0], shares=shares, labels=labels, design=design)


def wider_situations() -> Iterator[Situation]:
    """Yield what the tables of items like these are about."""
    for design in ("by system", "items", "clusters"):
        for shares in SHARES[:2]:
            for labels in (20, 100):
                yield Situation(judge=JUDGES[0], shares=shares, labels=labels, design=design)


def _named(situation: Situation, *, by_design: bool) -> list[str]:
    first, second = situation.shares
    name = situation.design if by_design else situation.judge.name
    return [name, f"{first:.2f}, {second:.2f}", str(situation.labels)]


def table(
    outcomes: Sequence[Outcome],
    target: str,
    estimators: Sequence[Estimator],
    *,
    by_design: bool,
) -> list[str]:
    """Return the lines of one table."""
    head = ["design" if by_design else "judge", "accuracy of A, B", "labels", *estimators]
    lines = [f"| {' | '.join(head)} |", f"|:---|:---|---:|{'---:|' * len(estimators)}"]
    for out in outcomes:
        cells = [out.tallies[target, name].cell for name in estimators]
        lines.append(f"| {' | '.join([*_named(out.situation, by_design=by_design), *cells])} |")
    return [*lines, ""]


def page(
    judges: Sequence[Outcome], designs: Sequence[Outcome], wider: Sequence[Outcome], runs: int
) -> str:
    """Return the whole page."""
    error = 100.0 * math.sqrt(LEVEL * (1.0 - LEVEL) / runs)
    budgets = budget_lines(runs)
    lines = [
        "# Scores from few labels, simulated",
        "",
        INTRODUCTION,
        "",
        READING + ERROR.format(runs=runs, error=error),
        "",
        "Judges (sensitivity, specificity on A; on B): "
        + "; ".join(
            f"{judge.name} ({judge.first[0]:.2f}, {judge.first[1]:.2f}; {judge.second[0]:.2f}, "
            f"{judge.second[1]:.2f})"
            for judge in JUDGES
            if judge.name != "harsh"
        )
        + ".",
        "",
        "## The score of A on these items, labels drawn by system",
        "",
        *table(judges, SCORE, OF_SCORE, by_design=False),
        POOLED,
        "",
        "## The difference of A and B on these items, labels drawn by system",
        "",
        *table(judges, DIFFERENCE, OF_DIFFERENCE, by_design=False),
        "## Other designs: the score of A",
        "",
        *table(designs, SCORE, OF_SCORE, by_design=True),
        "## Other designs: the difference of A and B",
        "",
        *table(designs, DIFFERENCE, OF_DIFFERENCE, by_design=True),
        "## Items like these: the score of A",
        "",
        WIDER,
        "",
        *table(wider, SCORE, OF_SCORE, by_design=True),
        "## Items like these: the difference of A and B",
        "",
        *table(wider, DIFFERENCE, OF_DIFFERENCE, by_design=True),
        "## Budgets",
        "",
        BUDGETS,
        "",
        *budgets,
    ]
    return "\n".join(lines).rstrip() + "\n"


def budget_lines(runs: int) -> list[str]:
    """Return how often budgets that were made for a power of 80% find the difference."""
    lines = [
        "| design | accuracy of A, B | labels needed (median) | found, % | no judge | found, % |",
        "|:---|:---|---:|---:|---:|---:|",
    ]
    for design in ("by system", "items"):
        for shares in ((0.5, 0.35), (0.9, 0.75)):
            pilot = Situation(judge=JUDGES[0], shares=shares, labels=100, design=design)
            cells = []
            for blind in (False, True):
                needed, found = _budgets(pilot, runs, blind=blind)
                cells += [str(needed), f"{100 * found:.0f}"]
            first, second = shares
            lines.append(f"| {design} | {first:.2f}, {second:.2f} | {' | '.join(cells)} |")
            print("budget", design, shares, *cells, file=sys.stderr, flush=True)
    return [*lines, ""]


def _budgets(pilot: Situation, runs: int, *, blind: bool) -> tuple[int, float]:
    """Return the median of the labels needed, and how often these found the difference."""
    rng = np.random.default_rng([SEED, *f"{pilot}{blind}".encode()])
    step = 2 if pilot.design == "items" else 1
    counts, found = [], 0
    for _ in range(runs):
        made = world(pilot, rng)
        frame = draw_labels(pilot, made, rng)
        chances = right_chances(frame, None)
        plan = LabelPlan.of(frame, (0, 1), chances)
        expected = expected_difference(frame, (0, 1), chances, plan.names, blind=blind)
        truth = float(made.right[:ITEMS].mean() - made.right[ITEMS:].mean())
        aim = Aim(plan=plan, expected=expected, difference=truth or 0.01, step=step)
        counts.append(aim.needed(0.8))
        drawn = replace(pilot, labels=max(2, counts[-1] // 2))
        pair = Pair.of(draw_labels(drawn, made, rng), (0, 1), LEVEL, "these items")
        ends = ends_of(pair, "human" if blind else "ppi++")
        found += ends.low is not None and ends.low > 0.0
    return int(np.median(counts)), found / runs


def _all(situations: Iterator[Situation], population: Population, runs: int) -> list[Outcome]:
    found = []
    for situation in situations:
        found.append(simulate(situation, population, runs))
        cells = [f"{what} {name} {one.cell}" for (what, name), one in found[-1].tallies.items()]
        named = [situation.judge.name, *_named(situation, by_design=True)]
        print(population, *named, *cells, sep=" | ", file=sys.stderr, flush=True)
    return found


def check(text: str) -> int:
    """Return 1 and say so if a cell of the page falls short of what the page promises."""
    short = [line for line in text.splitlines() if line.startswith("|") and "✗" in line]
    pooled = [line for line in short if line.startswith("| differs by system")]
    print(f"{len(short)} rows with an interval that falls short, {len(pooled)} by a pooled bias")
    return int(len(short) > len(pooled))


def main() -> int:
    """Run the simulation and write, print or check the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--check", action="store_true")
    chosen = parser.parse_args()
    if chosen.check:
        return check(PAGE.read_text(encoding="utf-8"))
    if chosen.short:
        few = [Situation(judge=JUDGES[0], shares=SHARES[0], labels=n) for n in (20, 50)]
        found = _all(iter(few), "these items", chosen.runs)
        print("\n".join(table(found, SCORE, OF_SCORE, by_design=False)))
        return 0
    text = page(
        _all(judge_situations(), "these items", chosen.runs),
        _all(design_situations(), "these items", chosen.runs),
        _all(wider_situations(), "items like these", chosen.runs),
        chosen.runs,
    )
    if chosen.runs == RUNS:
        PAGE.write_text(text, encoding="utf-8")
    else:
        print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
