"""The study of what judges were asked, and how those who look after a study follow into it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from finassay.records import Item, Prediction, RunRecord, SystemSpec
from finassay.study import Study
from finassay.study.check import check
from finassay.study.clean import clean
from finassay.study.config import read_config, write_config
from finassay.study.migrations import Migration, migrate
from finassay.study.nested import (
    JUDGING,
    SHOWN_SYSTEM,
    add_prompts,
    judging_study,
    open_judging,
    prompts_showing,
)
from finassay.study.redact import redact
from finassay.study.rows import predictions_frame
from finassay.study.summary import summarise
from study_samples import OTHER, SYSTEM, marks

JUDGE = SystemSpec(name="judge-1", model="p/judge-1")
SCORER = "judge/judge-1/single/human/A"


def prompt(item_id: str, text: str, *systems: SystemSpec) -> Item:
    shown = tuple((SHOWN_SYSTEM, one.system_id) for one in systems)
    return Item(item_id=item_id, benchmark=JUDGING, question=text, context="Judge.", strata=shown)


PROMPTS = (
    prompt("p1", "Is 'answer 0 of alpha' right?", SYSTEM),
    prompt("p2", "Is 'answer 0 of beta' right?", OTHER),
    prompt("p3", "Which: 'answer 1 of alpha' or 'answer 1 of beta'?", SYSTEM, OTHER),
)


@pytest.fixture
def judged(study: Study) -> Study:
    """The small study with a judge's replies, one of which a verdict rests on."""
    inner = open_judging(study)
    add_prompts(inner, PROMPTS)
    inner.add_system(JUDGE)
    inner.add_run(RunRecord(run_id="r", system_id=JUDGE.system_id))
    replies = [
        Prediction(
            item_id=one.item_id,
            system_id=JUDGE.system_id,
            text=f"{one.question} CORRECT",
            finish="stop",
            run_id="r",
        )
        for one in PROMPTS
    ]
    inner.commit(
        "predictions",
        predictions_frame(replies),
        partition={"system_id": JUDGE.system_id, "run_id": "r"},
    )
    spec = json.dumps({"evidence": JUDGING})
    study.add_scorer(SCORER, "1.a", name=SCORER, spec=spec, package_version="0")
    rows = marks(study, SCORER).with_columns(
        evidence_id=pl.lit(replies[0].prediction_id), scorer_version=pl.lit("1.a")
    )
    partition = {
        "scorer_id": SCORER,
        "scorer_version": "1.a",
        "system_id": SYSTEM.system_id,
    }
    study.commit("verdicts", rows, partition=partition)
    return study


def inner_of(study: Study) -> Study:
    inner = judging_study(study)
    assert inner is not None
    return inner


def test_a_study_without_judges_has_no_study_inside(study: Study):
    assert judging_study(study) is None
    assert not (study.root / JUDGING).exists()


def test_a_prompt_that_is_added_again_keeps_its_words_and_gathers_the_systems_it_shows(
    tmp_path: Path,
):
    inner = Study.create(tmp_path / "inner")
    add_prompts(inner, [prompt("p", "Is 'five' right?", SYSTEM)])
    add_prompts(inner, [prompt("p", "other words", OTHER), prompt("q", "Is 'six' right?")])
    held = {one.item_id: one for one in inner.snapshot().items()}
    assert held["p"].question == "Is 'five' right?"
    assert {value for _, value in held["p"].strata} == {SYSTEM.system_id, OTHER.system_id}
    assert held["q"].strata == ()
    again = add_prompts(inner, [prompt("p", "Is 'five' right?", SYSTEM)])
    assert not again.changed


def test_the_same_prompt_twice_in_one_call_is_one_prompt(tmp_path: Path):
    inner = Study.create(tmp_path / "inner")
    add_prompts(inner, [prompt("p", "Is 'five' right?", one) for one in (SYSTEM, OTHER)])
    snapshot = inner.snapshot()
    assert len(snapshot.items()) == 1
    assert prompts_showing(snapshot, [OTHER.system_id]) == ["p"]
    assert check(inner).problems == ()


def test_a_check_reads_the_inner_study_too(judged: Study):
    clean_report = check(judged)
    assert clean_report.problems == ()
    assert clean_report.rows[f"{JUDGING}/predictions"] == 3
    assert f"{JUDGING}/items" in clean_report.versions
    inner_of(judged).commit(
        "items",
        inner_of(judged).snapshot().frame("items").clear(),
        partition={"benchmark": JUDGING},
    )
    problem = check(judged).problems[0]
    assert (problem.severity, problem.table) == ("error", f"{JUDGING}/predictions")
    assert problem.message.startswith(f"{JUDGING}/predictions: 3 rows refer to items")


def test_a_check_tells_verdicts_of_judges_whose_reply_is_gone(judged: Study):
    inner = inner_of(judged)
    inner.drop("predictions", {"system_id": JUDGE.system_id, "run_id": "r"})
    found = [problem for problem in check(judged).problems if problem.severity == "warning"]
    assert [(one.code, one.table, one.n) for one in found] == [
        ("verdict_without_evidence", "verdicts", 3)
    ]


def test_the_summary_lists_the_tables_of_both(judged: Study):
    inner = inner_of(judged).snapshot()
    found = summarise(judged.snapshot(), inner)
    by_name = {table.name: table for table in found.tables}
    assert by_name[f"{JUDGING}/items"].rows == 3
    assert by_name[f"{JUDGING}/items"].digest == inner.digest("items")
    assert any(line.startswith(f"{JUDGING}/predictions ") for line in found.to_lines())


def test_leftovers_of_the_inner_study_are_cleaned(judged: Study):
    left = judged.root / JUDGING / "items" / "benchmark=judging" / "left.parquet"
    left.write_bytes(b"x")
    aside = judged.root / JUDGING / "spool-1.tmp"
    aside.write_bytes(b"y")
    report = clean(judged, older_than_hours=0)
    assert set(report.files) == {
        f"{JUDGING}/items/benchmark=judging/left.parquet",
        f"{JUDGING}/spool-1.tmp",
    }
    assert check(judged).problems == ()


def test_a_pattern_is_masked_in_what_judges_were_shown_and_said(judged: Study):
    report = redact(judged, pattern="answer 0 of alpha")
    assert report.rows[f"{JUDGING}/items"] == 1
    assert report.rows[f"{JUDGING}/predictions"] == 1
    kept = [path for path in judged.root.rglob("*") if path.is_file()]
    assert not [path for path in kept if b"answer 0 of alpha" in path.read_bytes()]
    problems = check(judged).problems
    assert {problem.severity for problem in problems} == {"note"}
    assert f"{JUDGING}/items" in {problem.table for problem in problems}


def test_the_texts_of_a_system_are_masked_in_every_prompt_that_shows_them(judged: Study):
    report = redact(judged, systems=["alpha"])
    assert report.rows[f"{JUDGING}/items"] == 2
    assert report.rows[f"{JUDGING}/predictions"] == 2
    held = {one.item_id: one.question for one in inner_of(judged).snapshot().items()}
    assert held == {"p1": "", "p2": "Is 'answer 0 of beta' right?", "p3": ""}
    kept = [path for path in judged.root.rglob("*") if path.is_file()]
    assert not [path for path in kept if b"of alpha" in path.read_bytes()]


def test_a_redacted_prompt_stays_redacted_when_it_is_added_again(judged: Study):
    redact(judged, systems=["alpha"])
    inner = inner_of(judged)
    add_prompts(inner, PROMPTS)
    held = {one.item_id: one.question for one in inner.snapshot().items()}
    assert held["p1"] == ""


def test_a_migration_takes_the_inner_study_along(judged: Study):
    seen: list[Path] = []
    step = Migration(name="mend", from_version=1, apply=seen.append)
    taken = migrate(judged.root, migrations=(step,), to_version=2)
    assert taken == ("mend", f"{JUDGING}: mend")
    assert seen == [judged.root, judged.root / JUDGING]
    assert read_config(judged.root / JUDGING).schema_version == 2


def test_a_migration_that_was_killed_between_the_two_goes_on(judged: Study):
    write_config(judged.root, replace(read_config(judged.root), schema_version=2))
    step = Migration(name="mend", from_version=1, apply=lambda _: None)
    assert migrate(judged.root, migrations=(step,), to_version=2) == (f"{JUDGING}: mend",)
