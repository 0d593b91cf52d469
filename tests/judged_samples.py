"""Small judged studies, written out by hand or drawn, that several tests share."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import polars as pl

from finassay.analyses.judges.inputs import JudgeInputs, JudgePlan, NamedMatrix
from finassay.analyses.judges.reliability import judge_reliability
from finassay.analyses.judges.results_compare import Judges
from finassay.analyses.rank_sets import Resampling
from finassay.records import Finish, Item, Prediction, SystemSpec
from finassay.study import Study
from finassay.study.rows import predictions_frame
from finassay.study.schemas import VERDICTS as VERDICTS_TABLE
from small_boards import LETTERS, board, items

Columns = dict[str, str]
"""System -> one letter an item: 1 right, 0 wrong, u unparsed or not sure, "." nothing."""


def inputs(
    judges: Mapping[str, Columns],
    people: Mapping[str, Columns],
    *,
    models: Mapping[str, str] | None = None,
    rule: Columns | None = None,
    own_rule: Columns | None = None,
    tasks: str = "",
) -> JudgeInputs:
    """Return inputs from letters; a system's model is its name unless told."""
    told = [*judges.values(), *people.values()]
    names = sorted({name for columns in told for name in columns})
    length = len(next(iter(next(iter(judges.values())).values())))
    made: tuple[Item, ...] = items(["all"] * length)
    if tasks:
        made = tuple(replace(item, task=task) for item, task in zip(made, tasks, strict=True))
    return JudgeInputs(
        study="by hand",
        items=made,
        systems=tuple(
            SystemSpec(name=name, model=(models or {}).get(name, name)) for name in names
        ),
        judges={name: board(columns) for name, columns in judges.items()},
        people={name: board(columns) for name, columns in people.items()},
        rule=None if rule is None else NamedMatrix(scorer_id="exact", matrix=board(rule)),
        own_rule=None
        if own_rule is None
        else NamedMatrix(scorer_id="financial", matrix=board(own_rule)),
    )


def judged(given: JudgeInputs, **changes: object) -> Judges:
    """Return the result with few resamples."""
    plan = JudgePlan(policy="exclude", resampling=Resampling(draws=200))
    return judge_reliability(given, replace(plan, **changes))  # type: ignore[arg-type]


ITEMS = tuple(
    Item(item_id=f"i{at}", family="open", question=f"Question {at}?", reference=str(at))
    for at in range(6)
)

SPECS = {
    "alpha": SystemSpec(name="alpha", model="lab/alpha-1", model_family="greek"),
    "beta": SystemSpec(name="beta", model="lab/beta-1", model_family="greek"),
    "gamma": SystemSpec(name="gamma", model="other/gamma-1", model_family="hebrew"),
}

JUDGE = "judge/alpha/single/human/A"

VERDICTS: dict[str, Columns] = {
    "exact": {"alpha": "110100", "beta": "100100", "gamma": "010010"},
    "financial": {"alpha": "110100", "beta": "100100", "gamma": "010010"},
    JUDGE: {"alpha": "111110", "beta": "1001u1", "gamma": "010011"},
    "judge/alpha/single/none/A": {"alpha": "111111", "beta": "110111", "gamma": "011u11"},
    "judge/other": {"alpha": "110100", "beta": "100110", "gamma": "011010"},
    "person/a": {"alpha": "110100", "beta": "100100", "gamma": "010010"},
    "person/b": {"alpha": "110100", "beta": "100110", "gamma": "u10010"},
    "person/c": {"alpha": "111100", "beta": "u00100", "gamma": "u10011"},
}


FINISHES: dict[tuple[str, str], Finish] = {
    ("gamma", "i5"): "empty",
    ("beta", "i5"): "truncated",
    ("alpha", "i5"): "refused",
}


def study_at(path: Path, verdicts: Mapping[str, Columns] | None = None) -> Study:
    """Return a study of three systems, three judges and three people.

    Three replies hold no whole answer: see `FINISHES`.
    """
    study = Study.create(path, name="judged")
    study.add_items(ITEMS, benchmark="made")
    for name, spec in SPECS.items():
        study.add_system(spec)
        run_id = f"run-{name}"
        texts = [f"{name} says {item.item_id}" for item in ITEMS]
        if name == "gamma":
            texts[5] = ""
        rows = predictions_frame(
            Prediction(
                item_id=item.item_id,
                system_id=spec.system_id,
                text=text,
                finish=FINISHES.get((name, item.item_id), "stop"),
                run_id=run_id,
            )
            for item, text in zip(ITEMS, texts, strict=True)
        )
        partition = {"system_id": spec.system_id, "run_id": run_id}
        study.commit("predictions", rows, partition=partition)
    put_all(study, VERDICTS if verdicts is None else verdicts)
    return study


def put_all(study: Study, verdicts: Mapping[str, Columns]) -> None:
    """File verdicts of scorers as they stand in letters, all in one commit."""
    rows = [
        {
            "item_id": item.item_id,
            "system_id": SPECS[name].system_id,
            "trial": 0,
            "scorer_id": scorer_id,
            "scorer_version": "1",
            "repeat": 0,
            "status": LETTERS[letter][0],
            "value": LETTERS[letter][1],
            "reason": "as read",
            "revision": 0,
        }
        for scorer_id, columns in verdicts.items()
        for name, letters in columns.items()
        for item, letter in zip(ITEMS, letters, strict=True)
        if letter != "."
    ]
    if rows:
        frame = VERDICTS_TABLE.complete(
            pl.DataFrame(rows, schema_overrides=dict(VERDICTS_TABLE.columns))
        )
        partition = {
            "scorer_id": list(verdicts),
            "scorer_version": ["1"],
            "system_id": [spec.system_id for spec in SPECS.values()],
        }
        study.commit("verdicts", frame, partition=partition)


def copied(study: Path, target: Path) -> Study:
    """Return a copy of a study that may be written to."""
    shutil.copytree(study, target)
    return Study.open(target)
