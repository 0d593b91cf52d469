"""Our systems as models of Inspect, asked by Inspect itself."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.model import ChatMessageUser, GenerateConfig, Model, ModelOutput, get_model

from finassay.benchmarks.bundled import load_bundled
from finassay.errors import InputError, NoStudyError, UnknownNameError, UsageError
from finassay.integrations.asking import Asked
from finassay.integrations.baselines import BASELINES, run_baselines
from finassay.integrations.inspect_models import (
    answerer,
    baseline_model,
    output_of,
    replay_model,
    scripted_model,
)
from finassay.integrations.inspect_samples import prediction_of
from finassay.records import FINISHES, Finish, Item, Prediction
from finassay.runs.prompts import ARMS, prompt_of
from finassay.runs.task import asking_items
from finassay.study import Study
from finassay.study.rows import predictions_from
from inspect_runs import FIELDS, INSIDE, ITEMS, RECORDED, SOME, scene, study_of

REGQA = load_bundled("finassay-regqa")


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return scene("models", tmp_path_factory.mktemp("models"))


@pytest.fixture(scope="module")
def held(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, tuple[str, str]]]:
    """Return what `run_baselines` puts into a study: text and finish by baseline and item."""
    study = Study.create(tmp_path_factory.mktemp("held") / "s")
    study.add_items(REGQA, benchmark="finassay-regqa")
    run_baselines(study, REGQA)
    snapshot = study.snapshot()
    found = {}
    for baseline in BASELINES:
        frame = snapshot.frame("predictions", system_id=baseline.spec.system_id)
        found[baseline.name] = {p.item_id: (p.text, p.finish) for p in predictions_from(frame)}
    return found


def test_baselines_say_the_same_inside_inspect_as_in_a_study(
    ran: dict[str, Any], held: dict[str, dict[str, tuple[str, str]]]
):
    for said, name in zip(ran["baselines"], INSIDE, strict=True):
        found = {item_id: (fields[0], fields[2]) for item_id, _, fields, _ in said}
        assert found == {item.item_id: held[name][item.item_id] for item in SOME}, name


def test_every_baseline_says_the_same_of_every_item_as_in_a_study(
    held: dict[str, dict[str, tuple[str, str]]],
):
    for baseline in BASELINES:
        answers = answerer(baseline.name, {"benchmark": "finassay-regqa"})
        for item in REGQA:
            reply = answers(Asked.of(prompt_of(item, ARMS["free"])[-1].text))
            assert (reply.text, reply.finish) == held[baseline.name][item.item_id]


def test_a_replay_gives_back_text_reasoning_finish_and_usage_of_each_trial(ran: dict[str, Any]):
    expected = {(p.item_id, p.trial): [getattr(p, name) for name in FIELDS] for p in RECORDED}
    assert {(item_id, trial): said for item_id, trial, said, _ in ran["replay"]} == expected


def test_an_item_that_the_study_lacks_fails_with_its_name(ran: dict[str, Any]):
    errors = {item_id: error for item_id, _, _, error in ran["part"]}
    assert errors["1"] is None
    assert "the sample '2' names none of the 1 items known" in errors["2"]


def test_a_script_in_a_file_runs_by_name(ran: dict[str, Any]):
    said = {item_id: (fields[0], fields[2]) for item_id, _, fields, _ in ran["script"]}
    assert said == {"1": ("3%", "stop"), "2": ("", "empty")}


def test_a_sample_of_another_task_is_answered_from_its_prompt(ran: dict[str, Any]):
    ((_, _, said, error),) = ran["other task"]
    baseline = next(one for one in BASELINES if one.name == "bm25-sentence")
    assert (said[0], error) == (baseline.answer(SOME[0], REGQA), None)


def ask(model: Model, text: str) -> str:
    # The provider's own call: the retries around it warn of what Inspect uses of another package.
    said = model.api.generate([ChatMessageUser(content=text)], [], "auto", GenerateConfig())
    output = asyncio.run(said)
    assert isinstance(output, ModelOutput)
    return output.completion


def test_models_answer_outside_an_evaluation_too():
    item = SOME[0]
    prompt = f"{item.context}\n{item.question}"
    baseline = next(one for one in BASELINES if one.name == "verbose")
    assert ask(baseline_model("verbose"), prompt) == baseline.answer(item, REGQA)
    assert ask(scripted_model(["a", "b"]), "anything") == "a"
    assert ask(scripted_model({"1": "3%"}, items=ITEMS), "The fee is 3%. What is the fee?") == "3%"

    def shout(asked: Asked) -> str:
        return asked.prompt.upper()

    assert ask(scripted_model(shout), "hello") == "HELLO"


@pytest.mark.parametrize(
    ("name", "arguments", "error", "message"),
    [
        ("oracle", {}, UnknownNameError, "no baseline 'oracle'"),
        ("constant", {"system": "a"}, UsageError, "finassay/constant takes no argument 'system'"),
        ("replay", {"study": "s"}, UsageError, "needs the argument 'system': pass -M system="),
        ("scripted", {}, UsageError, "needs the argument 'replies'"),
    ],
)
def test_arguments_that_make_no_model_are_refused(
    name: str, arguments: dict[str, str], error: type[Exception], message: str
):
    with pytest.raises(error, match=message):
        get_model(f"finassay/{name}", memoize=False, **arguments)


@pytest.mark.parametrize(
    ("name", "arguments", "error", "message"),
    [
        ("scripted", {"replies": "nowhere.jsonl"}, InputError, "the script cannot be read"),
        ("scripted", {"replies": None}, UsageError, "cannot be made again from a log"),
        ("constant", {"benchmark": "x"}, UnknownNameError, "no bundled benchmark 'x'"),
        ("replay", {"study": "nowhere", "system": "a"}, NoStudyError, "nowhere"),
    ],
)
def test_what_arguments_name_is_opened_at_the_first_call(
    name: str, arguments: dict[str, str | None], error: type[Exception], message: str
):
    model = get_model(f"finassay/{name}", memoize=False, **arguments)
    with pytest.raises(error, match=message):
        ask(model, "anything")


@pytest.mark.parametrize("finish", FINISHES)
def test_a_finish_survives_as_far_as_inspect_has_a_word_for_it(finish: Finish):
    text = "" if finish in {"empty", "error"} else "text"
    output = output_of(Prediction(text=text, finish=finish), model="m")
    back = prediction_of(output, item_id="1", trial=0)
    # Inspect has no word for a refusal in words, and none for a call that failed.
    expected = {"refused": "stop", "error": "empty"}.get(finish, finish)
    assert (back.text, back.finish) == (text, expected)
    assert (output.error is not None) == (finish == "error")


def test_a_run_of_ours_tells_item_trial_and_benchmark(tmp_path: Path):
    items = (
        Item(item_id="1", task="t", question="A?", reference="common"),
        Item(item_id="2", task="t", question="B?", reference="common"),
        Item(item_id="3", task="t", question="C?", reference="rare"),
    )

    def told(model: Model, item_id: str, trial: int) -> str:
        message = ChatMessageUser(content="C?", metadata={"item_id": item_id, "trial": trial})
        output = asyncio.run(model.api.generate([message], [], "auto", GenerateConfig()))
        assert isinstance(output, ModelOutput)
        return output.completion

    with asking_items(items):
        assert told(baseline_model("majority"), "3", 0) == "common"
    replay = replay_model(study_of(tmp_path / "s", RECORDED), "alpha")
    with asking_items(ITEMS):
        assert told(replay, "2", 1) == "10 days in trial 1"
