"""The demonstration as it is served for pictures: studies, judges, labels of people, an index.

Everything is made from the data that ship with the package.  The two judges and the two people are
made up; their faults are declared here.
"""

from __future__ import annotations

import csv
import hashlib
import subprocess
import sys
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from finassay.benchmarks.bundled import load_bundled
from finassay.study import Study
from finassay.study.people import People, store_for
from finassay.study.schemas import VERDICTS

JUDGES = {"judge/made-up-lenient": (0.02, 0.20), "judge/made-up-strict": (0.15, 0.03)}
"""By judge: how often it calls a right answer wrong, and a wrong one right."""

PEOPLE = {"asha": 0.03, "ben": 0.08}
"""By person: how often the label is the other one."""

DOUBTED = 0.06
"""How often a person calls the reference wrong, and proposes another one."""

TRUTH = "financial"
DRAW = "demonstration"
"""Labelled by the two people, apart from a third of it."""

FRESH_DRAW = "second-look"
"""Labelled by nobody yet: who labels one draw is asked for in no other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """What is served.

    Attributes:
        study: with judges and labels.
        operations: study of operations under contracts.
        ask: study of states in which to ask or proceed.
        index: of the passages of the study's items.
        token: of somebody who may label, review and submit.
    """

    study: Path
    operations: Path
    ask: Path
    index: Path
    token: str


def build(root: Path) -> Served:
    """Make everything that is served in an empty directory, and return where it stands."""
    made = Served(
        study=root / "demo",
        operations=root / "demo-operations",
        ask=root / "demo-ask",
        index=root / "index",
        token="",
    )
    finassay("demo", "--study", made.study, "--out", root / "report")
    finassay("score", made.study, "--scorer", TRUTH)
    for judge, faults in JUDGES.items():
        _judge(made.study, judge, faults)
    _draw(made.study, root / "sheets")
    _index(made.index, root / "documents")
    finassay("audit", made.study, "--out", root / "report")
    with store_for(Study.open(made.study), url=None) as store:
        token = People(store).add("chris", ("label", "review", "submit")).token
    return Served(
        study=made.study, operations=made.operations, ask=made.ask, index=made.index, token=token
    )


def finassay(*words: str | Path) -> None:
    """Run a command, and stop where it fails."""
    command = [sys.executable, "-m", "finassay", *map(str, words)]
    subprocess.run(command, check=True, capture_output=True, text=True)


def chance(*parts: object) -> float:
    """Return a number in [0, 1) that follows from the parts."""
    told = "\0".join(map(str, parts)).encode()
    return int.from_bytes(hashlib.sha256(told).digest()[:8], "big") / 2**64


def _marks(study: Study) -> pl.DataFrame:
    rows = study.snapshot().frame("verdicts").filter(pl.col("scorer_id") == TRUTH)
    return rows.select("item_id", "system_id", "value").drop_nulls()


def _judge(path: Path, name: str, faults: tuple[float, float]) -> None:
    """File a judge's verdicts: those of the rule, with the declared faults."""
    study = Study.open(path)
    study.add_scorer(name, "1", name=name, spec="{}", package_version="0")
    too_strict, too_lenient = faults
    for (system_id,), rows in _marks(study).group_by("system_id"):
        said = []
        for item_id, _, value in rows.sort("item_id").iter_rows():
            right = value == 1
            slips = chance(name, item_id, system_id) < (too_strict if right else too_lenient)
            said.append(
                {
                    "item_id": item_id,
                    "system_id": system_id,
                    "trial": 0,
                    "scorer_id": name,
                    "scorer_version": "1",
                    "repeat": 0,
                    "status": "scored",
                    "value": float(right != slips),
                    "reason": "a made-up judge with declared faults",
                    "revision": 0,
                }
            )
        partition = {"scorer_id": name, "scorer_version": "1", "system_id": str(system_id)}
        study.commit("verdicts", VERDICTS.complete(pl.DataFrame(said)), partition=partition)


def _draw(study: Path, sheets: Path) -> None:
    """Draw disputed answers, and let two people label two thirds of them."""
    finassay("adjudicate", "plan", study, "--between", ",".join(JUDGES), "--draw", DRAW)
    for person in PEOPLE:
        finassay("adjudicate", "sheet", study, DRAW, "--annotator", person, "--out", sheets)
    truth = _truth(Study.open(study))
    fresh = ("--design", "simple", "--labels", "24", "--draw", FRESH_DRAW)
    finassay("adjudicate", "plan", study, "--between", ",".join(JUDGES), *fresh)
    for person, slips in PEOPLE.items():
        (file,) = sheets.glob(f"*{person}*.csv")
        _fill(file, person, slips, truth)
        finassay("adjudicate", "import", study, DRAW, file)


def _truth(study: Study) -> Mapping[tuple[str, str], bool]:
    """Return by question and reply whether the rule calls it right."""
    snapshot = study.snapshot()
    questions = {item.item_id: item.question for item in snapshot.items()}
    texts = snapshot.frame("predictions").select("item_id", "system_id", "text")
    joined = texts.join(_marks(study), on=["item_id", "system_id"])
    return {
        (_told(questions[item_id]), _told(text)): value == 1
        for item_id, _, text, value in joined.iter_rows()
    }


def _told(text: str) -> str:
    return " ".join(text.split()).lstrip("'")


def _fill(file: Path, person: str, slips: float, truth: Mapping[tuple[str, str], bool]) -> None:
    with file.open(encoding="utf-8-sig", newline="") as stream:
        rows = list(csv.DictReader(stream))
    for at, row in enumerate(rows):
        if at % 3 == 2:
            continue
        right = truth.get((_told(row["question"]), _told(row["answer"])), False)
        is_slip = chance(person, row["unit"]) < slips
        row["label"] = "CORRECT" if right != is_slip else "INCORRECT"
        if is_slip:
            row["note"] = "read as the whole answer, not as its last sentence"
        # Two people doubt the same reference: what is in doubt follows from the question.
        if chance("doubt", row["question"]) < DOUBTED:
            row["reference is wrong"] = "yes"
            first = row["reference"].partition("also accepted:")[0].strip()
            row["correct reference"] = f"{first}, before interest"
            row["note"] = "the passage leaves interest out, and the reference should say so"
    with file.open("w", encoding="utf-8-sig", newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def _index(index: Path, folder: Path) -> None:
    """Index the passages of the bundled items, those of one document together."""
    passages: dict[str, dict[str, None]] = defaultdict(dict)
    for item in load_bundled("finassay-regqa"):
        for text in (item.context, *item.contexts):
            if text:
                passages[(item.documents or ("rules",))[0]][text] = None
    folder.mkdir()
    for name, texts in passages.items():
        (folder / f"{name}.txt").write_text("\n\n".join(texts), encoding="utf-8")
    finassay("rag", "build", index, folder, "--embedder", "none")
