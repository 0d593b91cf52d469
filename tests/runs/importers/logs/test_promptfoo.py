"""Evaluations that promptfoo wrote: what is read into which column.

The document was recorded from promptfoo 0.121.20 with its `echo` provider and a scripted one.
"""

import json
from pathlib import Path

import pytest

import harness_logs
from finassay.records import OTHER_REFERENCE
from finassay.runs.importers.logs.base import Block, ReadOptions
from finassay.runs.importers.logs.importing import find_logs
from finassay.runs.importers.logs.promptfoo import PromptfooReader
from finassay.study import Study
from finassay.study.schemas import REDACTED
from logs_in_studies import answers, bring, new_study, verdicts

ECHO = "parrot (The answer to {{question}} is {{guess}})"


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Study:
    folder = tmp_path_factory.mktemp("promptfoo")
    study = new_study(folder)
    bring(study, harness_logs.promptfoo().write(folder / "log"))
    return study


def _one_system() -> harness_logs.Log:
    """Return the evaluation with the results of one provider and one prompt only."""
    log = harness_logs.promptfoo().copy()
    whole = log.documents["out.json"]
    assert isinstance(whole, dict)
    kept = [one for one in whole["results"]["results"] if one["promptIdx"] == 0]
    whole["results"]["results"] = kept
    return log


def _of(study: Study, table: str, name: str) -> list[dict[str, object]]:
    system_id = study.snapshot().resolve_system(name)
    return list(study.snapshot().frame(table, system_id=system_id).iter_rows(named=True))


def _verdict(study: Study, name: str, scorer: str, item_id: str) -> dict[str, object]:
    (row,) = [
        one
        for one in _of(study, "verdicts", name)
        if one["scorer_id"] == f"imported/promptfoo/{scorer}" and one["item_id"] == item_id
    ]
    return row


def test_a_provider_with_a_prompt_is_a_system(filled: Study):
    assert {spec.name for spec in filled.snapshot().systems()} == {
        "parrot",
        ECHO,
        "scripted",
        "scripted (The answer to {{question}} is {{guess}})",
    }
    spec = next(one for one in filled.snapshot().systems() if one.name == ECHO)
    assert (spec.model, spec.prompt_arm) == ("echo", "The answer to {{question}} is {{guess}}")


def test_an_echo_says_what_it_was_asked(filled: Study):
    texts = {row["item_id"]: row["text"] for row in _of(filled, "predictions", ECHO)}
    assert texts["Rates/0"] == "The answer to What is the repo rate? is 6.50%"


def test_an_output_that_is_an_object_is_kept_as_json(filled: Study):
    row = next(r for r in _of(filled, "predictions", "scripted") if r["item_id"] == "Rates/2")
    assert json.loads(str(row["text"])) == {"rate": 4.5, "unit": "%"}
    assert row["finish"] == "truncated"
    assert (row["tokens_in"], row["tokens_out"], row["cost_usd"]) == (8, 4, 0.0003)


def test_an_error_is_told_from_a_failed_assertion(filled: Study):
    finishes = {row["item_id"]: row["finish"] for row in _of(filled, "predictions", "scripted")}
    assert finishes["Rates/3"] == "error"
    assert finishes["Rates/0"] == "stop", "`error` also holds the text of a failed assertion"
    failed = _verdict(filled, "scripted", "success", "Rates/3")
    assert (failed["status"], failed["reason"]) == ("failed", "HTTP 500: upstream failed")


def test_every_assertion_has_a_verdict_of_its_own(filled: Study):
    assert _verdict(filled, "scripted", "contains/rate", "Rates/0")["value"] == 1.0
    assert _verdict(filled, "scripted", "icontains", "Rates/0")["value"] == 0.0
    assert _verdict(filled, "scripted", "success", "Rates/0")["value"] == 0.0
    assert _verdict(filled, "scripted", "score", "Rates/0")["value"] == 0.5


def test_a_score_of_null_is_unscored_and_not_nought(filled: Study):
    row = _verdict(filled, "scripted", "javascript", "Rates/2")
    assert (row["status"], row["value"]) == ("unparsed", None)
    assert str(row["reason"]).startswith("the score is null")


def test_an_assertion_on_another_text_than_the_reference_says_so(filled: Study):
    assert _verdict(filled, ECHO, "contains/rate", "Rates/0")["flags"] == []
    assert _verdict(filled, ECHO, "icontains", "Rates/0")["flags"] == [OTHER_REFERENCE]


def test_the_reference_is_what_the_first_comparing_assertion_expects(filled: Study):
    items = {item.item_id: item for item in filled.snapshot().items()}
    assert items["Rates/0"].reference == "6.50%", "a variable of the test, filled in"
    assert items["r2"].reference == "The answer to Bank rate? is 5%", "the id that the user gave"
    assert items["Rates/2"].reference is None, "a function expects no text"
    assert items["Rates/0"].question == "What is the repo rate?"


def test_lines_hold_the_same_answers(filled: Study, tmp_path: Path):
    (source,) = find_logs([harness_logs.promptfoo_lines().write(tmp_path / "lines")]).sources
    blocks = PromptfooReader().read(source, ReadOptions())
    texts = [one.text for block in blocks if isinstance(block, Block) for one in block.samples]
    assert sorted(texts) == sorted(filled.snapshot().frame("predictions")["text"])


def test_an_evaluation_in_two_formats_is_one(tmp_path: Path):
    harness_logs.promptfoo().write(tmp_path / "log")
    harness_logs.promptfoo_lines().write(tmp_path / "log")
    (source,) = find_logs([tmp_path / "log"]).sources
    assert [path.name for path in source.paths] == ["out.json", "out.jsonl"]
    blocks = list(PromptfooReader().read(source, ReadOptions()))
    assert sum(len(block.samples) for block in blocks if isinstance(block, Block)) == 16
    assert any("out.jsonl holds the same" in note for block in blocks for note in block.notes)


def test_repeats_are_trials_of_one_test(study: Study, tmp_path: Path):
    log = _one_system()
    whole = log.documents["out.json"]
    assert isinstance(whole, dict)
    # As `--repeat 2` writes them: every test twice in a row, under numbers of their own.
    whole["runtimeOptions"] = {"repeat": 2}
    doubled = []
    for result in whole["results"]["results"]:
        doubled += [{**result, "testIdx": 2 * result["testIdx"] + at} for at in (0, 1)]
    whole["results"]["results"] = doubled
    bring(study, log.write(tmp_path / "log"))
    items = {item.item_id for item in study.snapshot().items()}
    assert items == {"Rates/0", "Rates/2", "Rates/3", "r2"}
    assert {trial for _, trial in answers(study)} == {0, 1}


def test_a_stripped_output_is_no_answer(study: Study, tmp_path: Path):
    log = _one_system()
    whole = log.documents["out.json"]
    assert isinstance(whole, dict)
    for result in whole["results"]["results"]:
        if "output" in result["response"]:
            result["response"]["output"] = "[output stripped]"
    bring(study, log.write(tmp_path / "log"))
    rows = _of(study, "predictions", "parrot")
    assert {row["text"] for row in rows} == {""}
    assert all(row["flags"] == [REDACTED] for row in rows)


def test_a_grader_that_failed_is_unscored(study: Study, tmp_path: Path):
    log = _one_system()
    whole = log.documents["out.json"]
    assert isinstance(whole, dict)
    result = whole["results"]["results"][0]
    result["gradingResult"]["componentResults"] = [
        {
            "pass": False,
            "score": 0,
            "reason": "Could not extract JSON",
            "assertion": {"type": "llm-rubric", "value": "is polite"},
            "metadata": {"graderError": True},
        },
        {"pass": True, "score": 1, "reason": "", "assertion": {"type": "human"}},
    ]
    result["gradingResult"]["comment"] = "read by Ann"
    bring(study, log.write(tmp_path / "log"))
    (row,) = (
        study.snapshot()
        .frame("verdicts", scorer_id="imported/promptfoo/llm-rubric")
        .rows(named=True)
    )
    assert (row["status"], row["reason"]) == ("unparsed", "Could not extract JSON")
    (person,) = study.snapshot().frame("verdicts", scorer_id="person/promptfoo").rows(named=True)
    assert (person["value"], person["reason"]) == (1.0, "read by Ann")


def test_the_table_of_version_2_is_read_by_row_and_column(study: Study, tmp_path: Path):
    bring(study, harness_logs.promptfoo_table().write(tmp_path / "log"))
    rows = _of(study, "predictions", "openai:gpt-4")
    assert [(row["text"], row["finish"]) for row in rows] == [
        ("6.50%", "not_logged"),
        ("", "error"),
    ]
    assert verdicts(study, "promptfoo/equals")["old rates/0", 0] is not None
    items = {item.item_id: item.reference for item in study.snapshot().items()}
    assert items == {"old rates/0": "6.50%", "old rates/1": "4.50%"}
