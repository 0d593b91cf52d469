"""How well `financial` agrees with people on FinanceBench, and where it does not.

Run with FINASSAY_DATA naming the folder of real data.  Prints kappa by stratum with intervals from
resampling whole questions; the threshold of prose is chosen anew on the questions that are not
marked (grouped cross-validation).  --disagreements FILE writes the replies on which rule and people
differ: digests and the kind of difference, no text; reasons in an existing file are kept.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from finassay.records import Item, Prediction, content_id
from finassay.scorers.financial import FinancialEquivalence
from finassay.scorers.financial_measure import FinancialMeasure

FILE = "financebench/answers_with_human_labels.jsonl"
RIGHT = "Correct Answer"
FOLDS = 10
SEEDS = 5
RESAMPLES = 1000
GRID = np.round(np.arange(0.16, 0.56, 0.02), 2)
COLUMNS = ("key", "route", "people", "rule", "kind", "reason")

Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class Row:
    """One reply with the label of people and what the rule measured."""

    key: str
    question: str
    is_number: bool
    label: str
    measure: FinancialMeasure


def rows(folder: Path) -> list[Row]:
    """Return the replies of FinanceBench, measured."""
    rule = FinancialEquivalence()
    found = []
    for line in (folder / FILE).read_text(encoding="utf-8").splitlines():
        read = json.loads(line)
        reference = str(read["gold_answer"])
        item = Item(item_id="", question=read["question"], reference=reference)
        reply = Prediction(text=read["model_answer"])
        found.append(
            Row(
                key=content_id(read["question"], read["model_answer"]),
                question=read["financebench_id"],
                is_number=not isinstance(read["gold_answer"], str),
                label=read["label"],
                measure=rule.measure(reference=reference, item=item, prediction=reply),
            )
        )
    return found


def marks(found: Sequence[Row], rule: FinancialEquivalence) -> Bools:
    """Return which replies a rule marks right."""
    return np.array([rule.decide(row.measure).value == 1.0 for row in found])


def kappa(left: Bools, right: Bools) -> float:
    """Return Cohen's kappa of two columns of truth values."""
    observed = float((left == right).mean())
    a, b = float(left.mean()), float(right.mean())
    expected = a * b + (1 - a) * (1 - b)
    return (observed - expected) / (1 - expected) if expected < 1 else 0.0


def cross_validated(found: Sequence[Row], people: Bools, prose: Bools, seed: int) -> Bools:
    """Return marks where each question's threshold was chosen on other questions."""
    rng = np.random.default_rng(seed)
    names = sorted({row.question for row in found})
    fold_of = dict(zip(names, rng.permutation(len(names)) % FOLDS, strict=True))
    folds = np.array([fold_of[row.question] for row in found])
    by_threshold = [marks(found, replace(FinancialEquivalence(), coverage=float(t))) for t in GRID]
    out = np.zeros(len(found), dtype=bool)
    for fold in range(FOLDS):
        train, test = (folds != fold) & prose, folds == fold
        scores = [kappa(column[train], people[train]) for column in by_threshold]
        near = [at for at, score in enumerate(scores) if score >= max(scores) - 0.005]
        out[test] = by_threshold[near[len(near) // 2]][test]
    return out


def interval(found: Sequence[Row], ours: Bools, people: Bools) -> tuple[float, float]:
    """Return the 95% percentile interval of kappa over resampled questions."""
    rng = np.random.default_rng(0)
    questions = np.array([row.question for row in found])
    names = sorted(set(questions))
    places = {name: np.flatnonzero(questions == name) for name in names}
    values = []
    for _ in range(RESAMPLES):
        drawn = np.concatenate([places[n] for n in rng.choice(names, len(names))])
        values.append(kappa(ours[drawn], people[drawn]))
    low, high = np.quantile(values, [0.025, 0.975])
    return float(low), float(high)


def lines(found: Sequence[Row]) -> list[str]:
    """Return kappa by stratum, in lines."""
    people = np.array([row.label == RIGHT for row in found])
    prose = np.array([not row.is_number and row.label != "Refusal" for row in found])
    default = marks(found, FinancialEquivalence())
    chosen = [cross_validated(found, people, prose, seed) for seed in range(SEEDS)]
    strata = {
        "reference is a number": np.array([row.is_number for row in found]),
        "reference is prose, not labelled Refusal": prose,
        "all replies": np.ones(len(found), dtype=bool),
    }
    out = ["replies  kappa  95% over questions  cross-validated  stratum"]
    for name, inside in strata.items():
        within = [row for row, is_in in zip(found, inside, strict=True) if is_in]
        low, high = interval(within, default[inside], people[inside])
        crossed = float(np.mean([kappa(column[inside], people[inside]) for column in chosen]))
        value = f"{kappa(default[inside], people[inside]):.3f}"
        span = f"{low:.3f} to {high:.3f}"
        out.append(f"{inside.sum():7d}  {value}  {span}      {crossed:.3f}            {name}")
    for policy in ("last", "any"):
        other = marks(found, FinancialEquivalence(final_answer=policy))
        numbers = strata["reference is a number"]
        value = f"{kappa(other[numbers], people[numbers]):.3f}"
        out.append(f"numbers with final_answer={policy!r}: {value}")
    return out


def disagreements(found: Sequence[Row], path: Path) -> list[dict[str, str]]:
    """Return the replies on which rule and people differ; reasons already written are kept."""
    known: dict[str, str] = {}
    if path.exists():
        with path.open(encoding="utf-8", newline="") as stream:
            known = {row["key"]: row["reason"] for row in csv.DictReader(stream)}
    rule = FinancialEquivalence()
    out = []
    for row in found:
        verdict = rule.decide(row.measure)
        ours = verdict.value == 1.0
        if ours == (row.label == RIGHT):
            continue
        kind = _kind(row, ours=ours, flags=verdict.flags)
        out.append(
            {
                "key": row.key,
                "route": row.measure.route,
                "people": row.label,
                "rule": "right" if ours else verdict.status if verdict.value is None else "wrong",
                "kind": kind,
                "reason": known.get(row.key) or REASONS[kind],
            }
        )
    return sorted(out, key=lambda one: (one["kind"], one["key"]))


REASONS = {
    "number: people accepted a larger error": "the reply's figure is off by more than rounding",
    "number: people rejected a rounding": "the figures agree to the digits that are shown",
    "prose: too few words shared": "the reply says it in other words, or only part of it",
    "prose: guard": "the reply differs in what a guard looks at; people judged the rest",
    "prose: words shared, another answer": (
        "the reply repeats the reference's words beside another answer"
    ),
    "prose: same yes or no": "the yes or no agrees; people marked the explanation",
    "prose: value agrees": "the value asked for agrees; people marked the explanation",
    "prose: labelled a refusal": "people call it a refusal; the reply answers all the same",
    "prose: declines": "the reply opens by declining; people accepted what follows",
}
"""Kinds of difference, and what a reader of the rows of each found."""


def _kind(row: Row, *, ours: bool, flags: Sequence[str]) -> str:
    if row.measure.route == "number":
        return f"number: people {'rejected a rounding' if ours else 'accepted a larger error'}"
    if ours and row.label == "Refusal":
        return "prose: labelled a refusal"
    text = row.measure.text
    if ours:
        if text is not None and text.agreement.polarity > 0:
            return "prose: same yes or no"
        key = text is not None and text.key == "same"
        return "prose: value agrees" if key else "prose: words shared, another answer"
    if row.measure.refuses:
        return "prose: declines"
    return "prose: guard" if flags else "prose: too few words shared"


def main(arguments: Sequence[str]) -> int:
    """Print the table; write the disagreements where asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--disagreements", type=Path)
    options = parser.parse_args(arguments)
    root = os.environ.get("FINASSAY_DATA")
    if not root:
        parser.error("FINASSAY_DATA does not name the folder with the real data")
    found = rows(Path(root))
    sys.stdout.write("\n".join(lines(found)) + "\n")
    if options.disagreements is not None:
        written = disagreements(found, options.disagreements)
        aside = options.disagreements.with_suffix(".part")
        with aside.open("w", encoding="utf-8", newline="") as stream:
            writer = csv.DictWriter(stream, COLUMNS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(written)
        aside.replace(options.disagreements)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
