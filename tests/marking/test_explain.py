from pathlib import Path

import polars as pl
import pytest

from finassay.errors import UnknownNameError
from finassay.marking.explain import HIDDEN, explain_prediction
from finassay.marking.regime_scoring import score_regimes
from finassay.marking.scoring import score_study
from finassay.study import Study
from study_samples import SYSTEM, answers, in_run, item, marks, of_scorer, small_study


@pytest.fixture
def study(tmp_path: Path) -> Study:
    made = small_study(tmp_path / "s")
    for name, value in (("stored", 0.0), ("judge/x", 1.0)):
        made.add_scorer(name, "1", name=name, spec="{}", package_version="0")
        made.commit("verdicts", marks(made, name, value=value), partition=of_scorer(name))
    score_study(made, scorers=["strict/numbers-first", "includes"])
    score_regimes(made)
    return made


def test_rules_come_with_steps_and_imported_verdicts_without(study: Study):
    found = explain_prediction(study.snapshot(), item_id="01", system="alpha")
    by_name = {mark.scorer: mark for mark in found.marks}
    assert dict(by_name["strict/numbers-first"].steps)["numbers in reply"] == "1"
    assert (by_name["stored"].steps, by_name["stored"].value) == ((), 0.0)
    assert (by_name["regime/judge-only"].steps, by_name["regime/judge-only"].value) == (
        (),
        1.0,
    )
    assert found.stale == ()
    assert (found.reply, found.reference) == ("answer 1 of alpha", "01")


def test_a_verdict_on_an_older_text_shows_as_stale(study: Study):
    study.commit("predictions", answers(suffix=" again"), partition=in_run())
    found = explain_prediction(study.snapshot(), item_id="01", system="alpha")
    assert set(found.stale) == {mark.scorer for mark in found.marks}
    assert any("stands on an older text" in line for line in found.to_lines())


def test_a_verdict_on_an_older_item_shows_as_stale(study: Study):
    changed = [item("00"), item("01", reference="one"), item("02")]
    study.add_items(changed, benchmark="demo")
    snapshot = study.snapshot()
    assert explain_prediction(snapshot, item_id="01", system="alpha").stale
    assert explain_prediction(snapshot, item_id="00", system="alpha").stale == ()


def test_without_text_nothing_of_the_texts_is_left(study: Study):
    bare = explain_prediction(study.snapshot(), item_id="01", system="alpha").without_text()
    said = "\n".join(bare.to_lines())
    assert "answer 1 of alpha" not in said
    assert "What is 01?" not in said
    assert (bare.question, bare.reference, bare.reply) == (HIDDEN, HIDDEN, HIDDEN)
    assert {mark.extracted for mark in bare.marks} == {None}
    assert {mark.steps for mark in bare.marks} == {()}


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"item_id": "zz", "system": "alpha"}, "no item 'zz'"),
        ({"item_id": "01", "system": "zz"}, "no system 'zz'"),
        ({"item_id": "01", "system": "alpha", "trial": 7}, "no reply to item '01' in trial 7"),
        ({"item_id": "01", "system": "alpha", "scorers": ["exat"]}, "no verdict of 'exat'"),
    ],
)
def test_what_is_not_there_is_named(study: Study, asked: dict, message: str):
    with pytest.raises(UnknownNameError, match=message):
        explain_prediction(study.snapshot(), **asked)


def test_a_system_is_found_by_the_beginning_of_its_id(study: Study):
    found = explain_prediction(study.snapshot(), item_id="01", system=SYSTEM.system_id[:6])
    assert found.system == "alpha"


def test_every_verdict_of_the_table_is_explained(study: Study):
    snapshot = study.snapshot()
    held = snapshot.frame("verdicts", system_id=SYSTEM.system_id, item_id="02")
    found = explain_prediction(snapshot, item_id="02", system="alpha")
    said = {(mark.scorer, mark.status, mark.value) for mark in found.marks}
    assert said == set(held.select("scorer_id", "status", pl.col("value")).rows())
