"""A small study with everything that a page of an item can show."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl

from finassay.marking.scoring import score_study
from finassay.records import (
    AnswerContract,
    Erratum,
    Finish,
    Item,
    Prediction,
    RunRecord,
    SystemSpec,
    Verdict,
    content_id,
)
from finassay.study import Study
from finassay.study.filing import file_verdicts
from finassay.study.label_records import Label
from finassay.study.labels import LabelStore
from finassay.study.nested import EVIDENCE, JUDGING, add_prompts, open_judging
from finassay.study.rows import predictions_frame, verdict_row

JUDGE = "judge/j/single/human/A"
HOSTILE = "<script>alert(1)</script> \u202eevil\u202c & 5 days"
ODD_ID = "a/../b?c=d&e#f"

ITEMS = (
    Item(
        item_id="q1",
        benchmark="b",
        family="TMP",
        task="tmp",
        difficulty="easy",
        question="Within how many days must the trustee report?",
        context="The trustee must report within 30 days.",
        reference="30 days",
        contract=AnswerContract(type="duration", unit="day"),
        documents=("d1",),
    ),
    Item(
        item_id="q2",
        benchmark="b",
        family="NUM",
        task="num",
        difficulty="hard",
        question="What is the penalty?",
        context="",
        contexts=("Passage one names Rs. 5 crore.", "Passage two is another."),
        reference="Rs. 5 crore",
        alternatives=("50 million rupees",),
        choices=("Rs. 5 crore", "Rs. 6 crore"),
        documents=("d1",),
        erratum=Erratum(old_reference="Rs. 6 crore", by="ed", reason="misread"),
    ),
    Item(
        item_id=ODD_ID,
        benchmark="b",
        family="TMP",
        task="tmp",
        difficulty="medium",
        question=f"What of {HOSTILE}?",
        reference="5 days",
        documents=("d2",),
    ),
    Item(item_id="q4", benchmark="b", family="", question="Who signs?", reference=None),
)

SYSTEMS = ("alpha", "beta", "gamma")
REPLIES: dict[str, dict[str, tuple[str, Finish]]] = {
    "alpha": {
        "q1": ("It has 30 days, says rule 7.", "stop"),
        "q2": ("5 crore rupees", "stop"),
        ODD_ID: (HOSTILE, "stop"),
        "q4": ("The board.", "stop"),
    },
    "beta": {
        "q1": ("45 days", "stop"),
        "q2": ("\n".join(f"line {n} of the reply" for n in range(40)), "truncated"),
        ODD_ID: ("", "empty"),
        "q4": ("Nobody.", "stop"),
    },
    "gamma": {"q1": ("thirty days", "stop")},
}


def spec(name: str) -> SystemSpec:
    return SystemSpec(name=name, model=f"m/{name}")


def browsing_study(path: Path) -> Study:
    """Three systems, four items, two rules, a judge with its reply, and two people who differ."""
    study = Study.create(path, name="browsing", unscored="wrong")
    study.add_items(ITEMS, benchmark="b")
    for name in SYSTEMS:
        one = spec(name)
        study.add_system(one)
        study.add_run(RunRecord(run_id=f"run-{name}", system_id=one.system_id))
        rows = [
            Prediction(
                item_id=item_id,
                system_id=one.system_id,
                text=text,
                finish=finish,
                run_id=f"run-{name}",
                latency_s=1.5,
                tokens_out=9,
            )
            for item_id, (text, finish) in REPLIES[name].items()
        ]
        partition = {"system_id": one.system_id, "run_id": f"run-{name}"}
        study.commit("predictions", predictions_frame(rows), partition=partition)
    score_study(study, scorers=("strict/numbers-first", "financial"))
    _judge(study)
    with LabelStore.of(study) as store:
        for person, value in (("asha", 1.0), ("ben", 0.0)):
            store.record(
                Label(
                    annotator=person,
                    item_id="q1",
                    system_id=spec("alpha").system_id,
                    label="correct" if value else "incorrect",
                    value=value,
                )
            )
        store.materialise(study)
    return study


def _judge(study: Study) -> None:
    inner = open_judging(study)
    judge = SystemSpec(name="j", model="m/j")
    inner.add_system(judge)
    inner.add_run(RunRecord(run_id="r", system_id=judge.system_id))
    words = "Is the reply right? QUESTION TO THE JUDGE"
    prompt = Item(item_id=content_id(words), benchmark=JUDGING, question=words)
    add_prompts(inner, [prompt])
    reply = Prediction(
        item_id=prompt.item_id,
        system_id=judge.system_id,
        text="VERDICT: INCORRECT, said the judge",
        finish="stop",
        run_id="r",
    )
    inner.commit(
        "predictions",
        predictions_frame([reply]),
        partition={"system_id": judge.system_id, "run_id": "r"},
    )
    told = json.dumps({"scorer": "judge", EVIDENCE: JUDGING})
    study.add_scorer(JUDGE, "1", name=JUDGE, spec=told, package_version="0")
    verdict = Verdict(
        status="scored",
        value=0.0,
        label="incorrect",
        reason="the judge says INCORRECT",
        evidence_id=reply.prediction_id,
    )
    row = verdict_row(verdict, item_id="q1", trial=0, text_digest="older", item_digest=None)
    file_verdicts(study, [row], scorer=(JUDGE, "1"), system_id=spec("alpha").system_id)


def stored(study: Study, table: str) -> list[dict[str, object]]:
    """The rows of a table as plain mappings, for slow twins."""
    frame: pl.DataFrame = study.snapshot().frame(table)
    return list(frame.iter_rows(named=True))
