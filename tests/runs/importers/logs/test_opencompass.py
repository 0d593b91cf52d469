"""Predictions and results of OpenCompass: what is read into which column."""

from pathlib import Path

import pytest

import harness_logs
from finassay.records import Item
from finassay.study import Study
from logs_in_studies import answers, bring, new_study, verdicts


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Study:
    folder = tmp_path_factory.mktemp("opencompass")
    study = new_study(folder)
    bring(study, harness_logs.opencompass().write(folder / "log"))
    return study


def _item(study: Study, item_id: str) -> Item:
    return next(one for one in study.snapshot().items() if one.item_id == item_id)


def test_partitions_are_one_data_set_with_running_numbers(filled: Study):
    found = {key: text for key, text in answers(filled).items() if key[0].startswith("long/")}
    assert found == {
        ("long/0", 0): "one",
        ("long/1", 0): "two",
        ("long/1", 1): "2",
        ("long/2", 0): "three",
    }


def test_an_accepted_answer_that_was_left_out_comes_from_the_details(filled: Study):
    assert _item(filled, "rates/1").reference == "0"


def test_without_details_a_missing_answer_stays_missing(filled: Study):
    assert _item(filled, "long/2").reference is None


def test_the_verdict_the_extraction_and_the_judge_stand_together(filled: Study):
    assert verdicts(filled, "opencompass/accuracy")["rates/0", 0] == 1.0
    assert verdicts(filled, "opencompass/accuracy", "extracted")["rates/0", 0] == "6.50"
    assert verdicts(filled, "opencompass/accuracy", "reason")["rates/0", 0] == "CORRECT"
    assert answers(filled, "tool_extracted")["rates/1", 0] == "none"


def test_judges_replies_are_no_predictions(filled: Study):
    assert "CORRECT" not in answers(filled).values()


def test_a_task_by_perplexity_has_its_labels_as_options(filled: Study):
    item = _item(filled, "pick/0")
    assert (item.question, item.choices, item.reference) == ("Pick", ("A", "B"), "A")
    assert verdicts(filled, "opencompass/accuracy")["pick/0", 0] == 0.0


def test_an_unfinished_run_is_read_as_far_as_it_came(filled: Study):
    assert answers(filled)["begun/3", 0] == "four"


def test_lengths_are_tokens(filled: Study):
    assert answers(filled, "tokens_in")["long/0", 0] == 9
    assert answers(filled, "tokens_out")["long/0", 0] == 1


def test_percents_are_kept_as_fractions(filled: Study):
    frame = filled.snapshot().frame("reported")
    values = {row["table"]: (row["value"], row["unit"]) for row in frame.iter_rows(named=True)}
    assert values["rates"] == (0.5, "fraction")


def test_replicas_of_a_data_set_are_trials(study: Study, tmp_path: Path):
    log = harness_logs.opencompass().copy()
    at = harness_logs.COMPASS
    rows = log.documents[f"{at}/predictions/bank-1/rates.json"]
    assert isinstance(rows, dict)
    rows["2"], rows["3"] = rows["0"] | {"prediction": "again"}, rows["1"]
    details = [
        {"pred": ["6.50", "a"], "answer": ["6.50", "6.50"], "correct": [True, False]},
        {"pred": ["none", "0"], "answer": ["0", "0"], "correct": [False, True]},
    ]
    log.documents[f"{at}/results/bank-1/rates.json"]["details"] = details  # type: ignore[index]
    bring(study, log.write(tmp_path / "log"))
    found = {key: said for key, said in answers(study).items() if key[0].startswith("rates/")}
    assert found["rates/0", 1] == "again"
    assert set(found) == {("rates/0", 0), ("rates/0", 1), ("rates/1", 0), ("rates/1", 1)}
    assert verdicts(study, "opencompass/accuracy")["rates/1", 1] == 1.0
