"""Measures the audit of references on data with known answers, and prints the tables.

    python scripts/reference_audit.py

reads $FINASSAY_DATA/mt_bench_references (20 items of two turns, whose 40 references of a model two
people labelled apart from each other: docs/reference/mt_bench_reference_labels_a.csv and _b.csv)
and, for false alarms of the arithmetic alone, $FINASSAY_DATA/financebench.  No model is asked.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import random
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from finassay.analyses.kernels.agreement import cohen
from finassay.analyses.reference_audit.audit import SUSPECT, audit_references, audit_text
from finassay.analyses.reference_audit.inputs import read_references
from finassay.analyses.reference_audit.recompute import recompute
from finassay.analyses.reference_audit.results import ARITHMETIC_KINDS, ReferenceFinding
from finassay.text.arithmetic import chains_in, has_operation

ROOT = Path(__file__).resolve().parents[1]
LABELS = ROOT / "docs" / "reference"
MODEL, FILE, CORRECTED = "gpt4_reference", "question_file_reference", "corrected_reference"
SEED = 20261130
Place = tuple[str, int]


def labels(name: str, source: str) -> dict[Place, str]:
    """Return the label of each (item, turn) in one of the two files."""
    path = LABELS / f"mt_bench_reference_labels_{name}.csv"
    with path.open(encoding="utf-8", newline="") as file:
        return {(row["question_id"], int(row["turn"])): row[source] for row in csv.DictReader(file)}


def alarms(found: Iterable[ReferenceFinding], source: str) -> dict[Place, list[ReferenceFinding]]:
    """Return the suspected references of a source with what is held against them."""
    out: dict[Place, list[ReferenceFinding]] = {}
    for finding in found:
        if finding.source == source and finding.severity in SUSPECT and finding.kind != "empty":
            out.setdefault((finding.item_id, finding.turn), []).append(finding)
    return out


def scored(raised: Iterable[Place], truth: dict[Place, str]) -> tuple[int, int, int, int]:
    """Return (true alarms, alarms, wrong references, references) over the labelled ones."""
    places = {place for place, label in truth.items() if label in {"right", "wrong"}}
    wrong = {place for place in places if truth[place] == "wrong"}
    hit = set(raised) & places
    return len(hit & wrong), len(hit), len(wrong), len(places)


def said(counts: tuple[int, int, int, int]) -> str:
    """Return precision and recall as counts and percentages."""
    hits, raised, wrong, n = counts
    precision = f"{hits}/{raised} ({100 * hits / raised:.0f}%)" if raised else f"{hits}/0"
    recall = f"{hits}/{wrong} ({100 * hits / wrong:.0f}%)" if wrong else f"{hits}/0"
    return f"precision {precision:<14} recall {recall:<14} n {n}"


def mt_bench(folder: Path, *, verbose: bool) -> None:
    """Print kappa, and precision and recall of the audit under each truth."""
    path = folder / "mt_bench_references" / "references.jsonl"
    for source in (MODEL, FILE):
        a, b = labels("a", source), labels("b", source)
        same = sum(a[place] == b[place] for place in a)
        counts = f"{dict(Counter(a.values()))} and {dict(Counter(b.values()))}"
        coefficient = kappa(list(a.values()), [b[place] for place in a])
        print(f"{source}: labels {counts}; alike on {same} of {len(a)}, kappa {coefficient}")
    arms = {
        "the model's alone": (MODEL,),
        "with the question file": (MODEL, FILE),
        "with the corrected": (MODEL, FILE, CORRECTED),
    }
    for name, sources in arms.items():
        items = read_references(path, sources=sources)
        found = audit_references(items, trusted=CORRECTED if CORRECTED in sources else "").findings
        for source in (MODEL, FILE)[: len(sources)]:
            raised = alarms(found, source)
            truths = {"A": labels("a", source), "B": labels("b", source)}
            truths["A = B"] = {p: v for p, v in truths["A"].items() if truths["B"][p] == v}
            for who, truth in truths.items():
                print(f"{name:<24} {source:<24} against {who:<6} {said(scored(raised, truth))}")
        if verbose:
            show(found, sources)


def show(found: Sequence[ReferenceFinding], sources: Sequence[str]) -> None:
    """Print what is held against each reference of the model, beside its label."""
    truth = labels("a", MODEL)
    raised = alarms(found, MODEL)
    print(f"-- {', '.join(sources)}")
    for place in sorted(truth):
        if place in raised or truth[place] == "wrong":
            kinds = [
                f"{f.kind}/{f.severity}: {f.said[:70]!r} ({f.stated} | {f.found})"
                for f in raised.get(place, [])
            ]
            print(f"  {place} {truth[place]:<6} {'; '.join(kinds)}")


def kappa(left: Sequence[str], right: Sequence[str]) -> str:
    """Return Cohen's kappa of two lists of labels, or a dash where it is not defined."""
    classes = sorted({*left, *right})
    codes = [[classes.index(label) for label in labels] for labels in (left, right)]
    coefficient = cohen(np.array(codes).T, len(classes))
    observed, chance = (float(part[0]) for part in coefficient.summary(coefficient.features.sum(0)))
    return "-" if chance == 1 else f"{(observed - chance) / (1 - chance):.3f}"


def financebench(folder: Path, *, verbose: bool) -> None:
    """Print how often arithmetic in answers of models is said to be wrong, by kind."""
    path = folder / "financebench" / "answers_with_human_labels.jsonl"
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    kinds: Counter[str] = Counter()
    answers = Counter[str]()
    checked = with_sums = 0
    for number, row in enumerate(rows):
        audit = audit_text(str(row["model_answer"]), question=row["question"])
        checked += audit.n_checked
        with_sums += audit.n_checked > 0
        grave = [f for f in audit.findings if f.kind in ARITHMETIC_KINDS and f.severity in SUSPECT]
        kinds.update(f"{f.kind} {f.severity}" for f in grave)
        answers[str(row["label"])] += bool(grave)
        if verbose:
            for f in grave:
                print(f"  {number} {f.kind} {f.severity} {f.said[:100]!r} {f.stated} | {f.found}")
    print(f"financebench: {len(rows)} answers, {checked} computations in {with_sums} of them")
    print(f"  suspected: {dict(kinds)} in {dict(answers)}")


def planted(folder: Path) -> None:
    """Print how many wrong results are found that were put into right computations."""
    draw = random.Random(SEED)
    path = folder / "financebench" / "answers_with_human_labels.jsonl"
    texts = [str(json.loads(line)["model_answer"]) for line in path.read_text("utf-8").splitlines()]
    for name, change in (
        ("another first digit", first_digit),
        ("one more in the last", last_digit),
    ):
        found = made = 0
        for text in texts:
            for chain in chains_in(text):
                start, end = chain.sides[-1].start, chain.end
                own = text[chain.start : end]
                audit = recompute(own)
                figure = re.search(r"\d[\d,]*(?:\.\d+)?", text[start:end])
                if not audit.n_checked or audit.findings or figure is None:
                    continue
                if chain.sides[-1].node is None or has_operation(chain.sides[-1].node):
                    continue
                at = start - chain.start + figure.start()
                wrong = own[:at] + change(figure[0], draw) + own[at + len(figure[0]) :]
                made += 1
                found += any(one.severity in SUSPECT for one in recompute(f"{wrong}.").findings)
        print(f"planted in {made} right results, {name}: {found} found ({100 * found / made:.0f}%)")


def first_digit(figure: str, draw: random.Random) -> str:
    """Return a figure with another first digit."""
    return draw.choice([digit for digit in "123456789" if digit != figure[0]]) + figure[1:]


def last_digit(figure: str, draw: random.Random) -> str:  # noqa: ARG001 - both take the same
    """Return a figure whose last digit is one higher, 8 for 9."""
    return figure[:-1] + (str(int(figure[-1]) + 1) if figure[-1] != "9" else "8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--verbose", action="store_true", help="print every alarm")
    asked = parser.parse_args()
    folder = Path(os.environ["FINASSAY_DATA"])
    mt_bench(folder, verbose=asked.verbose)
    financebench(folder, verbose=asked.verbose)
    planted(folder)


if __name__ == "__main__":
    main()
