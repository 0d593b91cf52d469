"""Our rules as scorers of Inspect, called by Inspect itself."""

import json
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from inspect_ai import list_tasks
from inspect_ai.scorer import SampleScore, Score

from finassay.benchmarks.carried import KEY, carried_item
from finassay.errors import SpecError, UnknownNameError, UsageError
from finassay.integrations import inspect_registry
from finassay.integrations.inspect_samples import documents_of
from finassay.integrations.inspect_scorers import clustered_stderr, clusters, mark, named, no_answer
from finassay.integrations.inspect_tasks import RULES, reglabels, regqa
from finassay.records import Finish, Item, Prediction
from finassay.scorers.registry import load_scorer, scorer_names
from inspect_runs import MARKED, SAID, scene


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("scores")
    records = [
        {"id": "a", "value": 1.0, "answer": "5%", "explanation": "same", "metadata": {"k": "v"}},
        {"id": "b", "epoch": 1, "value": "N", "metadata": {"unscored_reason": "no_response"}},
        {"id": "e", "value": float("nan"), "metadata": {"unscored_reason": "not_applicable"}},
    ]
    lines = [json.dumps(record) + "\n" for record in records]
    (made / "written.jsonl").write_text("".join(lines), encoding="utf-8")
    return made


@pytest.fixture(scope="module")
def ran(folder: Path) -> dict[str, Any]:
    return scene("scores", folder)


def found(ran: dict[str, Any], part: str, name: str) -> dict[str, Any]:
    return {sample: score for sample, scorer, score in ran[part] if scorer == name}


def verdict(rule: str, item: Item):
    text = SAID[item.item_id]
    finish: Finish = "stop" if text.strip() else "empty"
    prediction = Prediction(item_id=item.item_id, text=text, finish=finish)
    return load_scorer(rule).score(item=item, prediction=prediction)


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("financial", "financial"),
        ("mark", "strict/as-stated"),
        ("strict/as-stated", "strict/as-stated[threshold=0.99]"),
    ],
)
def test_a_score_says_what_the_rule_says(ran: dict[str, Any], name: str, rule: str):
    scores = found(ran, "marked", name)
    for item in MARKED:
        expected, score = verdict(rule, item), scores[item.item_id]
        assert score["metadata"]["status"] == expected.status
        assert score["metadata"]["flags"] == list(expected.flags)
        assert score["metadata"]["scorer"] == rule
        assert score["metadata"]["version"] == load_scorer(rule).version
        assert score["answer"] == expected.extracted
        assert (score["explanation"] or "") == expected.reason
        if expected.value is not None:
            assert score["value"] == expected.value


def test_silence_is_no_answer_and_an_item_without_reference_is_unscored(ran: dict[str, Any]):
    scores = found(ran, "marked", "financial")
    assert (scores["c"]["value"], scores["c"]["reason"]) == ("N", "no_response")
    assert (str(scores["e"]["value"]), scores["e"]["reason"]) == ("nan", "not_applicable")


def test_silence_is_left_out_where_that_is_asked_for(ran: dict[str, Any]):
    assert ran["counted"]["financial"] == [4, 1]
    assert ran["counted"]["financial1"] == [3, 2]
    assert math.isnan(found(ran, "marked", "financial1")["c"]["value"])


def test_metrics_are_shares_over_the_scored_samples(ran: dict[str, Any]):
    # a and d are right, b is wrong, c is silent, e has no reference.
    counted, left_out = ran["metrics"]["financial"], ran["metrics"]["financial1"]
    assert (counted["accuracy"], counted["no_answer"]) == (2 / 4, 1 / 4)
    assert left_out["accuracy"] == pytest.approx(2 / 3)
    assert left_out["no_answer"] == 0.0


def test_the_standard_error_is_clustered_by_document(ran: dict[str, Any]):
    # a, b and c hang together over d1 and d2; d stands alone.  Textbook form of the formula.
    values, groups = np.array([1.0, 0.0, 0.0, 1.0]), [[0, 1, 2], [3]]
    deviations = [float((values[group] - values.mean()).sum()) for group in groups]
    expected = np.sqrt(sum(d * d for d in deviations) * 2 / 1) / 4
    assert ran["metrics"]["financial"]["clustered_stderr"] == pytest.approx(expected)


def test_samples_of_other_tasks_are_read_from_target_and_choices(ran: dict[str, Any]):
    assert found(ran, "bare", "exact")["x"]["value"] == 1.0
    assert found(ran, "bare", "exact")["x"]["metadata"]["flags"] == ["alternative"]
    assert found(ran, "bare", "choice")["y"]["value"] == 1.0


def test_inspect_attaches_scores_that_were_written_beforehand(ran: dict[str, Any]):
    again = found(ran, "again", "precomputed_scores")
    assert set(again) == {"a", "b", "e"}
    assert (again["a"]["value"], again["a"]["answer"]) == (1.0, "5%")
    assert (again["b"]["value"], again["b"]["reason"]) == ("N", "no_response")
    assert (str(again["e"]["value"]), again["e"]["reason"]) == ("nan", "not_applicable")


@pytest.mark.full
def test_the_command_line_knows_our_scorers_by_name(ran: dict[str, Any]):
    command = ["score", ran["log"], "--scorer", "finassay/token_f1", "-S", "unscored=exclude"]
    done = subprocess.run(
        [sys.executable, "-m", "inspect_ai", *command, "--action", "append", "--overwrite"],
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "token_f1" in done.stdout


def test_every_installed_rule_is_a_scorer_of_inspect():
    assert set(inspect_registry.SCORERS) == set(scorer_names())


def test_what_is_no_rule_is_refused():
    with pytest.raises(UnknownNameError, match="no scorer 'nope'"):
        mark("nope")
    with pytest.raises(UsageError, match="'judge/x' are imported, not computed"):
        mark("judge/x")
    with pytest.raises(SpecError, match="has no parameter colour"):
        named("exact")(colour="red")
    with pytest.raises(UsageError, match="`unscored` must be one of"):
        named("exact")(unscored="bounds")  # type: ignore[arg-type]


def test_samples_that_share_a_document_are_one_cluster():
    labels = clusters([("a",), ("b",), (), ("c", "a"), ("b", "c"), ()])
    assert len({labels[0], labels[1], labels[3], labels[4]}) == 1
    assert len(set(labels)) == 3
    assert clusters([]) == []


def test_without_documents_the_standard_error_is_the_plain_one():
    values = [1.0, 0.0, 0.0, 1.0, 1.0]
    scores = [SampleScore(score=Score(value=value)) for value in values]
    plain = np.std(values, ddof=1) / np.sqrt(len(values))
    assert clustered_stderr()(scores) == pytest.approx(plain)  # type: ignore[arg-type]
    assert no_answer()([]) == 0.0


@pytest.mark.parametrize(
    ("metadata", "documents"),
    [
        (None, ()),
        ({"doc_id": 7}, ("7",)),
        ({"document": ""}, ()),
        ({"documents": ["a", "b"]}, ("a", "b")),
        ({KEY: carried_item(Item(item_id="1", documents=("d",))), "doc_id": 1}, ("d",)),
    ],
)
def test_documents_are_read_from_the_metadata(metadata: dict[str, Any], documents: tuple[str, ...]):
    assert documents_of(metadata) == documents


def test_inspect_lists_the_bundled_tasks():
    room = Path(inspect_registry.__file__).parent
    assert [task.name for task in list_tasks(root_dir=room)] == ["reglabels", "regqa"]


def test_bundled_tasks_hold_all_items_and_the_prompt_holds_no_answer():
    task = regqa(arm="exact-answer")
    assert len(task.dataset) == len(reglabels(rules="choice").dataset) == 72
    assert len(task.scorer or []) == len(RULES)
    sample = task.dataset[0]
    assert sample.id == "REG_001"
    assert next(iter(sample.target)) == "at least 4.5%"
    assert "at least 4.5%" not in str(sample.input)
    with pytest.raises(UnknownNameError, match="there is no prompt arm 'loud'"):
        regqa(arm="loud")
