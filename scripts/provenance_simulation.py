"""Simulate what `finassay provenance` finds, and write docs/reference/provenance-simulation.md.

Run without arguments to rewrite the page (200 studies, a quarter of an hour); --runs N for another
number, which is printed and not written; --check to compare the page with the bounds that it
promises.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from finassay.analyses.kernels.intervals import wilson
from finassay.analyses.provenance.inputs import ProvenanceInputs
from finassay.analyses.provenance.results import KINDS, FindingKind
from finassay.analyses.provenance.trace import trace_provenance

sys.path.insert(0, str(Path(__file__).resolve().parent))

import planted_studies as planted
from made_up_studies import Study, make_study

PAGE = Path(__file__).resolve().parents[1] / "docs" / "reference" / "provenance-simulation.md"
RUNS = 200
LEAST_FOUND = 0.95
MOST_FALSE = 0.02

INTRODUCTION = (
    "Made-up studies of 160 items and 8 systems that differ in ability and in how much they "
    "write, marked by the real rules; one thing is planted in each. *Found*: studies in which "
    "the planted thing was found. *False*: findings of another kind; with 95% Wilson intervals. "
    "The rule that is planted differs from the common one on a tenth of a system's items or more. "
    "Written by `scripts/provenance_simulation.py`."
)

CONSEQUENCES = (
    "Findings that follow from what is planted are no false alarms: another rule in a column "
    "shows in its totals too, and in the same reply marked right and wrong; a wrong percent may "
    "contradict its total."
)

Plant = Callable[[Study, ProvenanceInputs, int], ProvenanceInputs]


@dataclass(frozen=True, slots=True)
class Arm:
    """One thing that is planted.

    Attributes:
        name: what is planted, in words.
        plant: makes the study.
        kind: the finding that must come; None where nothing is wrong.
        follows: findings that are then true too.
    """

    name: str
    plant: Plant
    kind: FindingKind | None = None
    follows: tuple[FindingKind, ...] = ()


def _nothing(_study: Study, clean: ProvenanceInputs, _seed: int) -> ProvenanceInputs:
    return clean


ARMS = (
    Arm("nothing", _nothing),
    Arm("nothing, but 1 to 5% of the stored verdicts changed by hand", planted.plant_noise),
    Arm(
        "one column by another rule, among such noise",
        planted.plant_mixed_rule,
        "mixed_rule",
        ("mixed_rule_totals", "contradiction"),
    ),
    Arm("a rule that favours verbose systems", planted.plant_verbosity, "length_favour"),
    Arm("a copied file, 4% of its rows edited", planted.plant_copy, "copied_system"),
    Arm("a file cut at one length", planted.plant_cut, "cut_replies"),
    Arm(
        "a printed percent that no count gives",
        planted.plant_impossible,
        "impossible_number",
        ("total_mismatch",),
    ),
)


@dataclass(slots=True)
class Tally:
    """What was found in the studies of one arm."""

    arm: Arm
    runs: int = 0
    found: int = 0
    false: dict[str, int] = field(default_factory=lambda: dict.fromkeys(KINDS, 0))

    def add(self, inputs: ProvenanceInputs) -> None:
        """Count the findings in one study."""
        kinds = {finding.kind for finding in trace_provenance(inputs).findings}
        self.runs += 1
        self.found += self.arm.kind in kinds
        for kind in kinds - {self.arm.kind, *self.arm.follows}:
            self.false[kind] += 1


def simulate(runs: int, arms: Sequence[Arm] = ARMS) -> list[Tally]:
    """Return the tallies of so many studies, each with every plant in turn."""
    tallies = [Tally(arm) for arm in arms]
    for seed in range(runs):
        study = make_study(seed)
        clean = planted.clean_inputs(study, seed)
        for tally in tallies:
            tally.add(tally.arm.plant(study, clean, seed))
        if seed % 20 == 19:
            print(f"{seed + 1} of {runs}", file=sys.stderr)
    return tallies


def _rate(count: int, runs: int) -> str:
    low, high = wilson(right=count, n=runs, level=0.95)
    return f"{count} of {runs} ({100 * count / runs:.1f}%, {100 * low:.1f} to {100 * high:.1f})"


def page(tallies: Sequence[Tally]) -> str:
    """Return the page: detection by plant, false alarms by kind."""
    lines = [
        "# How often provenance finds what is there",
        "",
        INTRODUCTION,
        "",
        "| planted | must find | found | false, any kind |",
        "|:---|:---|---:|---:|",
    ]
    for tally in tallies:
        kind = tally.arm.kind
        found = _rate(tally.found, tally.runs) if kind else "—"
        worst = sum(tally.false.values())
        lines.append(
            f"| {tally.arm.name} | {f'`{kind}`' if kind else 'nothing'} | {found} | "
            f"{worst} in {tally.runs} |"
        )
    lines += [
        "",
        CONSEQUENCES,
        "",
        "| kind | false alarms where nothing is wrong | in all studies without it |",
        "|:---|---:|---:|",
    ]
    empty = [tally for tally in tallies if tally.arm.kind is None]
    for kind in KINDS:
        able = [t for t in tallies if kind not in (t.arm.kind, *t.arm.follows)]
        clean = _rate(sum(t.false[kind] for t in empty), sum(t.runs for t in empty))
        whole = _rate(sum(t.false[kind] for t in able), sum(t.runs for t in able))
        lines.append(f"| `{kind}` | {clean} | {whole} |")
    return "\n".join(lines) + "\n"


def broken(tallies: Sequence[Tally]) -> list[str]:
    """Return the promises that do not hold: too few found, or too many false alarms."""
    out = []
    for tally in tallies:
        if tally.arm.kind and tally.found < LEAST_FOUND * tally.runs:
            out.append(f"{tally.arm.name}: found {tally.found} of {tally.runs}")
        out += [
            f"{tally.arm.name}: {kind} in {count} of {tally.runs}"
            for kind, count in tally.false.items()
            if count > MOST_FALSE * tally.runs
        ]
    return out


def main() -> int:
    """Write the page or print another number of runs, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--check", action="store_true", help="fail if a promise does not hold")
    asked = parser.parse_args()
    tallies = simulate(asked.runs)
    text = page(tallies)
    print(text)
    if asked.runs == RUNS and not asked.check:
        PAGE.write_text(text, encoding="utf-8")
    failed = broken(tallies)
    for line in failed:
        print(line, file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
