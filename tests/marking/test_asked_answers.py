"""Answers that judges gave when they were asked: found, placed and marked anew."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from finassay.judges.own_answers import question_of
from finassay.marking.asked_answers import AskedAnswers, AskedCounts, asked_answers
from finassay.marking.matrix import ABSENT, STATUS_CODES, VerdictMatrix
from finassay.records import Finish, Item, Prediction, RunRecord, SystemSpec
from finassay.study import Study
from finassay.study.nested import add_prompts, open_judging
from finassay.study.redact import redact
from finassay.study.rows import predictions_frame
from finassay.study.schemas import VERDICTS
from judged_studies import ITEMS, study_to_judge

JUDGE = SystemSpec(name="judge-1, answering", model="scripted/judge-1", provider="q")
OTHER = SystemSpec(name="judge-2, answering", model="scripted/judge-2", provider="q")
OPEN = tuple(item for item in ITEMS if item.family == "open" and item.reference)


@pytest.fixture
def study(tmp_path: Path) -> Study:
    return study_to_judge(tmp_path / "study")


def answer(
    study: Study,
    texts: Mapping[str, str],
    *,
    spec: SystemSpec = JUDGE,
    trial: int = 0,
    items: tuple[Item, ...] = ITEMS,
    finish: Finish = "stop",
) -> None:
    """File what a judge answered to items, in the words in which they stand."""
    inner = open_judging(study)
    prompts = {item.item_id: question_of(item) for item in items}
    add_prompts(inner, [prompts[item_id] for item_id in texts])
    inner.add_system(spec)
    run_id = f"{spec.name} {trial} {sorted(texts)}"
    inner.add_run(RunRecord(run_id=run_id, system_id=spec.system_id))
    rows = predictions_frame(
        Prediction(
            item_id=prompts[item_id].item_id,
            system_id=spec.system_id,
            text=text,
            trial=trial,
            finish=finish,
            run_id=run_id,
        )
        for item_id, text in texts.items()
    )
    partition = {"system_id": spec.system_id, "run_id": run_id}
    inner.commit("predictions", rows, partition=partition)


def label(study: Study, item_id: str, value: float, *, text_digest: str | None = None) -> None:
    """File the label of a person on what the judge answered."""
    inner = open_judging(study)
    item = next(one for one in ITEMS if one.item_id == item_id)
    snapshot = inner.snapshot()
    prompt = question_of(item).item_id
    said = snapshot.frame("predictions", item_id=prompt, system_id=JUDGE.system_id).row(0, named=1)
    asked = snapshot.frame("items", item_id=prompt).row(0, named=True)
    inner.add_scorer("person/ann", "1", name="ann", spec="{}", package_version="0")
    row = {
        "item_id": prompt,
        "system_id": JUDGE.system_id,
        "trial": 0,
        "scorer_id": "person/ann",
        "scorer_version": "1",
        "repeat": 0,
        "status": "scored",
        "value": value,
        "reason": "as read",
        "revision": 0,
        "text_digest": said["text_digest"] if text_digest is None else text_digest,
        "item_digest": asked["item_digest"],
    }
    frame = pl.DataFrame([row], schema_overrides=dict(VERDICTS.columns))
    partition = {
        "scorer_id": "person/ann",
        "scorer_version": "1",
        "system_id": JUDGE.system_id,
    }
    inner.commit("verdicts", VERDICTS.complete(frame), partition=partition)


def found_in(study: Study, scorer: str = "financial") -> AskedAnswers:
    snapshot = study.snapshot()
    items = sorted(snapshot.items(), key=lambda item: item.item_id)
    return asked_answers(snapshot, items, scorer)


def cells(matrix: VerdictMatrix | None, name: str = JUDGE.name) -> dict[str, float | str]:
    """Return the value of every cell of a judge that has one, or its status."""
    assert matrix is not None
    words = {code: status for status, code in STATUS_CODES.items()}
    column = matrix.columns.index(name)
    return {
        row[0]: matrix.values[at, column] if matrix.scored[at, column] else words[code]
        for at, (row, code) in enumerate(zip(matrix.rows, matrix.status[:, column], strict=True))
        if code != ABSENT
    }


def test_a_study_in_which_no_judge_was_asked_has_no_answers(study: Study):
    assert found_in(study) == AskedAnswers()
    open_judging(study)
    assert found_in(study) == AskedAnswers()


def test_answers_are_marked_against_the_items_and_unasked_ones_have_no_cell(study: Study):
    answer(study, {"q1": "It takes 5 days.", "q2": "It takes 999 days.", "y1": "Yes"})
    found = found_in(study)
    assert cells(found.rule) == {"q1": 1.0, "q2": 0.0, "y1": 1.0}
    assert found.scorer_id == "financial"
    assert found.counts == {JUDGE.name: AskedCounts(n=3)}
    assert found.people == {}


def test_each_judge_has_its_own_column(study: Study):
    answer(study, {"q1": "5 days"})
    answer(study, {"q1": "6 days", "q2": "10 days"}, spec=OTHER)
    found = found_in(study)
    assert cells(found.rule) == {"q1": 1.0}
    assert cells(found.rule, OTHER.name) == {"q1": 0.0, "q2": 1.0}


def test_an_answer_that_never_came_is_failed_and_an_empty_one_no_answer(study: Study):
    answer(study, {"q1": ""}, finish="error")
    answer(study, {"q2": ""}, finish="empty")
    assert cells(found_in(study).rule) == {"q1": "failed", "q2": "no_answer"}


def test_of_several_answers_to_one_question_the_first_counts(study: Study):
    answer(study, {"q1": "7 days"}, trial=0)
    answer(study, {"q1": "5 days"}, trial=1)
    answer(study, {"q1": "5 days"}, trial=2)
    found = found_in(study)
    assert cells(found.rule) == {"q1": 0.0}
    assert found.counts == {JUDGE.name: AskedCounts(n=1, further=2)}


def test_an_answer_to_other_words_is_stale(study: Study):
    answer(study, {"q1": "5 days", "q2": "10 days"})
    reworded = replace(OPEN[0], question="For how long does term 1 run?")
    study.add_items([reworded, *ITEMS[1:]], benchmark="terms")
    found = found_in(study)
    assert cells(found.rule) == {"q2": 1.0}
    assert found.counts == {JUDGE.name: AskedCounts(n=1, stale=1)}


def test_an_answer_is_marked_against_the_reference_of_today(study: Study):
    answer(study, {"q1": "5 days"})
    assert cells(found_in(study).rule) == {"q1": 1.0}
    mended = replace(OPEN[0], reference="6 days")
    study.add_items([mended, *ITEMS[1:]], benchmark="terms")
    found = found_in(study)
    assert cells(found.rule) == {"q1": 0.0}
    assert found.counts == {JUDGE.name: AskedCounts(n=1)}


def test_two_items_in_the_same_words_share_an_answer(study: Study):
    twin = replace(OPEN[0], item_id="q1-again", reference="9 days")
    study.add_items([*ITEMS, twin], benchmark="terms")
    answer(study, {"q1": "5 days"})
    assert cells(found_in(study).rule) == {"q1": 1.0, "q1-again": 0.0}


def test_masked_answers_are_left_out_and_counted(study: Study):
    answer(study, {"q1": "5 days", "q2": "10 days"})
    redact(open_judging(study), systems=[JUDGE.name])
    found = found_in(study)
    assert cells(found.rule) == {}
    assert found.counts == {JUDGE.name: AskedCounts(redacted=2)}


def test_labels_of_people_on_these_answers_are_found(study: Study):
    answer(study, {"q1": "5 days", "q2": "10 days"})
    label(study, "q1", 0.0)
    found = found_in(study)
    assert list(found.people) == ["person/ann"]
    assert cells(found.people["person/ann"]) == {"q1": 0.0}


def test_a_label_on_another_answer_is_left_out(study: Study):
    answer(study, {"q1": "5 days"})
    label(study, "q1", 0.0, text_digest="of another text")
    assert found_in(study).people.get("person/ann") is None or not cells(
        found_in(study).people["person/ann"]
    )


def test_a_scorer_that_cannot_mark_says_why(study: Study):
    answer(study, {"q1": "5 days"})
    found = found_in(study, "somebody/else")
    assert found.rule is None
    assert "somebody/else" in found.why_not
