"""Systems that answer without a model."""

from pathlib import Path

import pytest

from finassay.errors import InputError, NoStudyError, UnknownNameError
from finassay.integrations.answering import (
    BaselineAnswers,
    ReplayAnswers,
    ScriptedAnswers,
    baseline_named,
    known_items,
    read_script,
)
from finassay.integrations.asking import Asked, ItemFinder
from finassay.records import Item, Prediction, RunRecord, SystemSpec
from finassay.study import Study
from finassay.study.rows import predictions_frame

FEE = Item(item_id="1", question="What is the fee?", context="The fee is 3%.", reference="3%")
TERM = Item(item_id="2", question="How long is the term?", context="Ten days.", reference="10 days")
FINDER = ItemFinder([FEE, TERM])
SYSTEM = SystemSpec(name="alpha", model="alpha-7b")


def study_of(path: Path, predictions: list[Prediction]) -> Path:
    study = Study.create(path)
    study.add_items([FEE, TERM], benchmark="b")
    study.add_system(SYSTEM)
    study.add_run(RunRecord(run_id="r", system_id=SYSTEM.system_id))
    study.commit(
        "predictions",
        predictions_frame(predictions),
        partition={"system_id": SYSTEM.system_id, "run_id": "r"},
    )
    return path


def said(item_id: str, text: str, trial: int = 0) -> Prediction:
    return Prediction(
        item_id=item_id, system_id=SYSTEM.system_id, trial=trial, text=text, run_id="r"
    )


def test_a_baseline_answers_the_item_of_the_call():
    answers = BaselineAnswers(baseline_named("first-quantity"), FINDER)
    reply = answers(Asked.of("The fee is 3%. What is the fee?"))
    assert (reply.item_id, reply.text, reply.finish) == ("1", "3%", "stop")


def test_a_baseline_without_an_answer_is_empty():
    answers = BaselineAnswers(baseline_named("first-quantity"), FINDER)
    assert answers(Asked.of("Ten days. How long is the term?")).finish == "empty"


def test_an_unknown_baseline_is_refused_with_the_known_ones():
    with pytest.raises(UnknownNameError, match="no baseline 'oracle'; there are constant"):
        baseline_named("oracle")


def test_bundled_items_are_known_without_being_named():
    assert len(known_items()) == 72 + 72 + 190
    assert len(known_items(benchmark="finassay-regqa")) == 72
    with pytest.raises(UnknownNameError, match="no bundled benchmark 'x'"):
        known_items(benchmark=["x"])


def test_a_replay_gives_the_reply_of_the_item_and_trial(tmp_path: Path):
    path = study_of(tmp_path / "s", [said("1", "3%"), said("1", "4%", 1), said("2", "ten", 1)])
    replay = ReplayAnswers(path, "alpha")
    assert replay(Asked.of("What is the fee?", sample_id="1", trial=1)).text == "4%"
    assert replay(Asked.of("Ten days. How long is the term?", trial=1)).text == "ten"


def test_a_replay_of_one_trial_needs_no_trial(tmp_path: Path):
    replay = ReplayAnswers(study_of(tmp_path / "s", [said("1", "3%")]), SYSTEM.system_id)
    assert replay(Asked.of("The fee is 3%. What is the fee?")).text == "3%"


def test_what_a_study_lacks_is_a_clear_error(tmp_path: Path):
    path = study_of(tmp_path / "s", [said("1", "3%"), said("1", "4%", 1)])
    replay = ReplayAnswers(path, "alpha")
    with pytest.raises(InputError, match="no reply of 'alpha' to '1' in trial 2; its trials are"):
        replay(Asked.of("What is the fee?", sample_id="1", trial=2))
    with pytest.raises(InputError, match="the sample '2' names none of the 1 items known"):
        replay(Asked.of("How long is the term?", sample_id="2", trial=0))
    with pytest.raises(InputError, match=r"which of the trials \[0, 1\] of '1'"):
        replay(Asked.of("What is the fee?", sample_id="1"))


def test_a_replay_needs_a_study_and_a_system_of_it(tmp_path: Path):
    with pytest.raises(NoStudyError, match="nowhere"):
        ReplayAnswers(tmp_path / "nowhere", "alpha")
    with pytest.raises(UnknownNameError, match="no system 'beta'"):
        ReplayAnswers(study_of(tmp_path / "s", [said("1", "3%")]), "beta")


def test_a_script_replies_by_item_and_to_all_others():
    script = ScriptedAnswers({"1": "3%", "*": "no idea"}, FINDER)
    assert script(Asked.of("?", sample_id="1")).text == "3%"
    assert script(Asked.of("?", sample_id="7")).text == "no idea"


def test_a_script_finds_items_by_their_text():
    script = ScriptedAnswers({"2": " "}, FINDER)
    assert script(Asked.of("Ten days. How long is the term?")).finish == "empty"
    with pytest.raises(InputError, match="the script has no reply to '1' among 1"):
        script(Asked.of("The fee is 3%. What is the fee?"))


def test_a_script_may_be_a_function_or_a_list():
    reply = Prediction(text="cut", finish="truncated")
    assert ScriptedAnswers(lambda asked: asked.prompt.upper(), FINDER)(Asked.of("a")).text == "A"
    listed = ScriptedAnswers([reply], FINDER)
    assert listed(Asked.of("a")) is reply
    with pytest.raises(InputError, match="no more replies"):
        listed(Asked.of("a"))


def test_a_script_is_read_from_lines(tmp_path: Path):
    path = tmp_path / "script.jsonl"
    lines = [
        '{"item_id": "1", "text": "3%", "reasoning": "look", "tokens_in": 5, "tokens_out": 2}',
        '{"item_id": "*", "text": "\u2028", "finish": "truncated"}',
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    found = read_script(path)
    assert found["1"] == Prediction(
        item_id="1", text="3%", reasoning="look", finish="stop", tokens_in=5, tokens_out=2
    )
    assert (found["*"].text, found["*"].finish) == ("\u2028", "truncated")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "script.jsonl:1: expected a JSON object"),
        ("[]", "script.jsonl:1: expected a JSON object"),
        ('{"item_id": "1"}', "script.jsonl:1: expected the texts `item_id` and `text`"),
        ('{"item_id": "1", "text": 3}', "script.jsonl:1: expected the texts"),
        ('{"item_id": "1", "text": "", "tokens_in": "x"}', "script.jsonl:1: expected the texts"),
        ('{"item_id": "1", "text": "", "finish": "done"}', "`finish` must be one of"),
        ('{"item_id": "1", "text": "a"}\n{"item_id": "1", "text": "b"}', ":2: a second reply"),
    ],
)
def test_a_bad_line_of_a_script_is_named(tmp_path: Path, line: str, message: str):
    path = tmp_path / "script.jsonl"
    path.write_text(line, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read_script(path)


def test_a_script_that_cannot_be_read_is_named(tmp_path: Path):
    with pytest.raises(InputError, match="the script cannot be read"):
        read_script(tmp_path / "missing.jsonl")
