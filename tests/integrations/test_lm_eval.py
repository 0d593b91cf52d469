"""Our rules as a function that lm-evaluation-harness calls, and the real tool calling it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from finassay.errors import InputError, UnknownNameError, UsageError
from finassay.integrations.lm_eval import Doc, Fields, metric_name, process_results
from finassay.integrations.score_values import Policy
from finassay.marking.single import mark
from finassay.records import AnswerContract

QUIET = pytest.mark.parametrize(("unscored", "value"), [("wrong", 0.0), ("exclude", None)])


def test_a_row_gets_the_verdict_of_the_rule():
    process = process_results("financial", Fields(reference="answer"), unscored="wrong")
    for reply in ("It is 30 days.", "It is 31 days."):
        expected = mark("financial", reference="thirty days", reply=reply).value
        assert process({"answer": "thirty days"}, [reply])["financial"] == expected


@QUIET
def test_silence_is_counted_and_scored_as_the_policy_says(unscored: Policy, value: float | None):
    process = process_results("financial", Fields(reference="a"), unscored=unscored)
    found = process({"a": "5%"}, ["  "])
    assert found.get("financial") == value
    assert found["financial_no_answer"] == 1.0


def test_a_row_to_which_the_rule_does_not_apply_adds_to_nothing():
    process = process_results("financial", Fields(reference="a"), unscored="wrong")
    assert process({"a": None}, ["5%"]) == {}


def test_all_fields_reach_the_rule():
    fields = Fields(
        reference="gold", choices="options", question="q", context="c", task="t", alternatives="or"
    )
    process = process_results("choice", fields, unscored="wrong", metric="picked")
    row = {"gold": 1, "options": ["red", "blue"], "q": "Which?", "c": "", "t": None, "or": None}
    assert process(row, ["Answer: B"]) == {"picked": 1.0, "picked_no_answer": 0.0}
    alternatives = process_results(
        "exact", Fields(reference="a", alternatives="b"), unscored="wrong"
    )
    assert alternatives({"a": "x", "b": ["y"]}, ["y"])["exact"] == 1.0


def test_the_answer_contract_of_a_task_is_used():
    row, reply = {"a": "5"}, ["5 million"]
    plain = process_results("financial", Fields(reference="a"), unscored="wrong")
    millions = process_results(
        "financial",
        Fields(reference="a"),
        unscored="wrong",
        contract=AnswerContract(type="number", scale="million"),
    )
    assert (plain(row, reply)["financial"], millions(row, reply)["financial"]) == (0.0, 1.0)


def test_repeats_are_marked_by_the_first():
    process = process_results("exact", Fields(reference="a"), unscored="wrong")
    assert process({"a": "x"}, [["x", "y"]])["exact"] == 1.0
    assert process({"a": "x"}, [[]])["exact_no_answer"] == 1.0


@pytest.mark.parametrize(
    ("row", "results", "message"),
    [
        ({"a": "x"}, ["x"], r"no field 'o'; it has \['a'\]"),
        ({"a": ["x"], "o": []}, ["x"], "`a` must be a text or a number"),
        ({"a": 5, "o": ["x"]}, ["x"], "`a` must be an index of 1 choices, got 5"),
        ({"a": "x", "o": "xy"}, ["x"], "`o` must be a list of texts"),
        ({"a": "x", "o": []}, [-0.5], "expected the reply as text, got -0.5"),
    ],
)
def test_a_row_of_another_shape_is_refused(row: Doc, results: list[object], message: str):
    process = process_results("exact", Fields(reference="a", choices="o"), unscored="wrong")
    with pytest.raises(InputError, match=message):
        process(row, results)


def test_only_rules_that_can_be_computed_are_taken():
    with pytest.raises(UsageError, match="'judge/x' are imported"):
        process_results("judge/x", Fields(reference="a"), unscored="wrong")
    with pytest.raises(UnknownNameError, match="no scorer 'nope'"):
        process_results("nope", Fields(reference="a"), unscored="wrong")
    with pytest.raises(UsageError, match="`unscored` must be one of"):
        process_results("exact", Fields(reference="a"), unscored="bounds")


def test_a_metric_has_a_plain_name():
    assert metric_name("labels/last-word") == "labels_last_word"


TASK = """\
task: {name}
dataset_path: json
dataset_kwargs:
  data_files:
    test: {rows}
test_split: test
output_type: generate_until
doc_to_text: "{{{{passage}}}}\\n\\nQuestion: {{{{question}}}}\\nAnswer:"
doc_to_target: "{{{{answer}}}}"
process_results: !function finassay_rules.financial
metric_list:
  - metric: financial
    aggregation: mean
    higher_is_better: true
  - metric: financial_no_answer
    aggregation: mean
    higher_is_better: false
"""
RULES = """\
from finassay.integrations.lm_eval import Fields, process_results

financial = process_results(
    "financial", Fields(reference="answer", question="question"), unscored="wrong"
)
"""
# The command line would first read all of the tool's own task files, which takes longer.
RUN = """\
import json, sys
from lm_eval import simple_evaluate
from lm_eval.tasks import TaskManager

tasks = TaskManager(include_path=sys.argv[1], include_defaults=False)
found = simple_evaluate(
    model="dummy", tasks=["rules"], task_manager=tasks, bootstrap_iters=0, log_samples=True
)
print(json.dumps([found["results"]["rules"], found["samples"]["rules"]], default=str))
"""


def test_the_real_tool_reports_the_shares_of_our_verdicts(tmp_path: Path):
    replies = [("lol", 1.0), ("30 days", 0.0), ("LOL.", 1.0)]
    rows = [{"passage": "p", "question": "What?", "answer": answer} for answer, _ in replies]
    for name, text in (
        ("rows.jsonl", "".join(json.dumps(row) + "\n" for row in rows)),
        ("rules.yaml", TASK.format(name="rules", rows=tmp_path / "rows.jsonl")),
        ("finassay_rules.py", RULES),
    ):
        (tmp_path / name).write_text(text, encoding="utf-8")
    offline = {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "HF_HOME": str(tmp_path / "hf")}
    done = subprocess.run(
        [sys.executable, "-c", RUN, str(tmp_path)],
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, **offline},
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    results, samples = json.loads(done.stdout.strip().splitlines()[-1])
    # The tool's dummy model always says "lol".
    expected = [mark("financial", reference=answer, reply="lol").value for answer, _ in replies]
    assert [sample["financial"] for sample in samples] == [v or 0.0 for v in expected]
    assert results["financial,none"] == pytest.approx(sum(v or 0.0 for v in expected) / 3)
    assert results["financial_no_answer,none"] == pytest.approx(
        sum(v is None for v in expected) / 3
    )
    assert 0 < results["financial,none"] < 1
