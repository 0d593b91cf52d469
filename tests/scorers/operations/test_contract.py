"""What holds for the rule that asks the contract, and for the check of parsers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.benchmarks.operations import BENCHMARK, KINDS, bundled_shelf
from finassay.benchmarks.operations.contract import Kind
from finassay.benchmarks.operations.shelf import bundled_folder
from finassay.errors import InputError
from finassay.records import Finish, Item, Prediction, Verdict
from finassay.scorers.operations.artifacts import read_artifact
from finassay.scorers.operations.check import check_contracts
from finassay.scorers.operations.contract import UnderContract, mark_under, shelf_at
from finassay.scorers.operations.variants import harmless_variants, malformed_variants
from finassay.scorers.registry import from_spec, load_scorer, scorer_id_of, to_spec
from operation_samples import ITEM, contract_of_kind, contract_text, write_shelf

ITEMS = {entry.item.item_id: entry.item for entry in bundled_shelf().entries}
RULE = UnderContract()
OPTIONS = ("A. one", "B. two", "C. three", "D. four")


def said(item_id: str, reply: str, finish: Finish = "stop") -> Verdict:
    return RULE.score(item=ITEMS[item_id], prediction=Prediction(text=reply, finish=finish))


@pytest.mark.parametrize(
    ("item_id", "reply", "value"),
    [
        ("CC-EN-06", "Agency dispute", 1.0),
        ("CC-ZH-01", "答案：借款合同纠纷", 1.0),
        ("IM-ZH-02", "不是同一机构", 1.0),
        ("PM-EN-02", "No. The dates of birth differ.", 1.0),
        ("QR-EN-05", "$20,000", 1.0),
        ("QR-ZH-01", "7,222,000元", 1.0),
        ("QR-EN-02", "42.5 percent", 1.0),
        ("QR-EN-02", "0.4%", 0.0),
        ("RC-EN-02", "Grade 3", 0.0),
        ("AP-ZH-03", "第4条、第12条", 1.0),
        ("LO-ZH-01", "驳回原告的诉讼请求。", 1.0),
        ("KC-EN-01", "B、D", 1.0),
        ("KC-EN-01", "B", 0.0),
        ("KP-EN-02", "False.", 1.0),
    ],
)
def test_each_item_is_marked_as_its_contract_says(item_id: str, reply: str, value: float):
    verdict = said(item_id, reply)
    assert verdict.value == value
    assert verdict.reason.startswith(f"{ITEMS[item_id].contract_id}: ")


def test_fields_are_marked_by_name_or_else_by_place():
    reference = json.loads(ITEMS["IE-ZH-01"].reference or "")
    named = "；".join(f"{name}：{value}" for name, value in reference.items())
    assert said("IE-ZH-01", named).value == 1.0
    assert said("IE-ZH-01", "\n".join(reference.values())).value == 1.0
    one_wrong = ["某人", *list(reference.values())[1:]]
    assert said("IE-ZH-01", " | ".join(one_wrong)).value == pytest.approx(4 / 5)
    swapped = list(reference.values())
    swapped[0], swapped[1] = swapped[1], swapped[0]
    assert said("IE-ZH-01", "\n".join(swapped)).value == pytest.approx(3 / 5)


def test_malformed_replies_have_no_value_and_say_which_form_was_asked_for():
    verdict = said("KC-EN-01", "the second and the fourth")
    assert (verdict.status, verdict.value) == ("unparsed", None)
    assert "malformed" in verdict.flags
    assert "letters of all options" in verdict.reason


@pytest.mark.parametrize(
    ("reply", "finish", "status"),
    [("", "empty", "no_answer"), ("low", "blocked", "failed"), ("", "refused", "no_answer")],
)
def test_the_fate_of_a_reply_comes_first(reply: str, finish: Finish, status: str):
    assert said("RC-EN-01", reply, finish).status == status


def test_text_under_a_rubric_gets_a_baseline_that_is_flagged():
    verdict = said("DV-EN-01", ITEMS["DV-EN-01"].reference or "")
    assert verdict.value == 1.0
    assert "coverage_baseline" in verdict.flags
    judged = bundled_shelf().contracts["decision-view"].scoring
    assert judged.judge.startswith("judge/")
    assert judged.rubric


def test_an_item_without_a_contract_is_not_applicable():
    prediction = Prediction(text="x", finish="stop")
    for item in (
        Item(item_id="i", reference="x"),
        Item(item_id="i", reference="x", contract_id="unknown"),
        Item(item_id="i", reference="x", contract_id="unknown", task="legal-outcome"),
    ):
        verdict = RULE.score(item=item, prediction=prediction)
        assert verdict.status == "not_applicable"
    named_by_task = Item(
        item_id="i", task="legal-outcome", reference="dismissed", choices=("dismissed", "granted")
    )
    assert RULE.score(item=named_by_task, prediction=Prediction(text="dismissed")).value == 1.0


def test_the_steps_name_the_contract_the_artifact_and_the_scorer():
    steps = dict(RULE.trace(item=ITEMS["KC-EN-01"], prediction=Prediction(text="ＢＤ")))
    contract = bundled_shelf().contracts["knowledge-compliance"]
    assert contract.digest[:12] in steps["contract"]
    assert steps["option set"] == "B, D"
    assert steps["scorer"] == contract.scoring.scorer
    assert steps["shared"] == "2"
    malformed = dict(RULE.trace(item=ITEMS["KC-EN-01"], prediction=Prediction(text="the best")))
    assert malformed["option set"] == "malformed"
    assert RULE.trace(item=Item(item_id="i"), prediction=Prediction(text="x")) == ()


def test_contracts_of_a_folder_are_asked(tmp_path: Path):
    path = write_shelf(tmp_path)
    rule = load_scorer(f"contract[path={json.dumps(str(path))}]")
    item = Item(
        item_id="i", contract_id="outcome", reference="refuse", choices=("accept", "refuse")
    )
    assert rule.score(item=item, prediction=Prediction(text="no")).value == 1.0
    assert rule.version != RULE.version
    assert from_spec(to_spec(rule)) == rule
    missing = UnderContract(path=str(tmp_path / "none"))
    with pytest.raises(InputError, match="expected a contract or a folder"):
        missing.score(item=item, prediction=Prediction(text="no"))


def test_the_version_follows_the_contracts(tmp_path: Path):
    path = write_shelf(tmp_path)
    first = UnderContract(path=str(path)).version
    newer = contract_text().replace("version: 1", "version: 2")
    path.write_text(newer, encoding="utf-8")
    shelf_at.cache_clear()
    second = UnderContract(path=str(path)).version
    assert [version.split(".")[:2] for version in (first, second)] == [["1", "1"], ["1", "2"]]
    assert UnderContract.version == RULE.version
    assert scorer_id_of(RULE) == "contract"


@pytest.mark.parametrize("item_id", ["CC-EN-01", "IE-ZH-02", "QR-ZH-04", "AP-EN-08", "KC-ZH-01"])
def test_harmless_forms_are_read_as_the_reference_and_malformed_ones_are_not(item_id: str):
    item = ITEMS[item_id]
    contract = bundled_shelf().contracts[item.contract_id]
    kind = contract.artifact.kind
    for variant in harmless_variants(kind, item):
        prediction = Prediction(text=variant.text, finish="stop")
        assert mark_under(contract, item=item, prediction=prediction).value == 1.0, variant
    for variant in malformed_variants(kind, item):
        prediction = Prediction(text=variant.text, finish="stop")
        assert not mark_under(contract, item=item, prediction=prediction).is_scored, variant


def test_the_shipped_contracts_and_their_items_pass_the_check():
    found = check_contracts(bundled_folder())
    assert [problem.to_line() for problem in found.problems] == []
    assert len(found.contracts) == 18
    assert sum(one.items for one in found.contracts) == len(ITEMS)
    assert all(one.variants >= 10 * one.items for one in found.contracts)


def test_the_check_names_a_parser_that_reads_too_little(tmp_path: Path):
    path = write_shelf(tmp_path, contract_text(scorer="exact"))
    found = check_contracts(path)
    fields = {problem.field for problem in found.problems}
    assert "parser (explained below)" in fields
    assert found.errors == len(found.problems)
    assert all(problem.item_id == "i1" for problem in found.problems)


def test_the_check_names_a_scorer_that_is_not_installed(tmp_path: Path):
    (problem,) = check_contracts(write_shelf(tmp_path, contract_text(scorer="closd"))).problems
    assert problem.field == "scoring.scorer"
    assert "did you mean closed" in problem.advice


def test_the_check_goes_on_after_a_contract_that_cannot_be_used(tmp_path: Path):
    write_shelf(tmp_path, contract_text(), {**ITEM, "reference": "perhaps"})
    (tmp_path / "b.yaml").write_text("contract: b\n", encoding="utf-8")
    found = check_contracts(tmp_path)
    assert {problem.file for problem in found.problems} == {"b.yaml", "outcome.jsonl"}
    assert found.to_lines()[-1].startswith("contracts: 2, errors: ")


@pytest.mark.parametrize(
    ("kind", "reply", "read"),
    [
        ("option", "Ｂ", "B"),
        ("option", "**B**", "B"),
        ("option", "B. two, as shown", "B"),
        ("option", "A, C", None),
        ("option_set", "ＡＣ", "A, C"),
        ("option_set", "A. one\nC. three", "A, C"),
        ("option_set", "A, C. B is wrong", None),
        ("option_set", "选 A", None),
        ("number", "12 or 13", None),
        ("number", "大约12或者13", None),
        ("number", "between 12 and 13", None),
        ("number", "Answer: 12 days\nworking", "12 days"),
    ],
)
def test_the_artifact_is_read_by_its_form(kind: Kind, reply: str, read: str | None):
    item = Item(item_id="i", reference="A", choices=OPTIONS)
    assert read_artifact(kind, reply, item) == read


@pytest.mark.parametrize(
    "reply",
    ["a: 1\nb: 2\na: 3", "x: 1\ny: 2", "1 | 2 | 3", "1", "", '{"x": 1}', "some words on a and b"],
)
def test_a_record_that_cannot_be_told_apart_is_malformed(reply: str):
    item = Item(item_id="i", reference='{"a": "1", "b": "2"}')
    assert read_artifact("ordered_fields", reply, item) is None


def test_every_kind_has_forms_that_must_and_must_not_be_read():
    item = Item(item_id="i", reference='{"a": "1", "b": "2"}', choices=OPTIONS)
    for kind in KINDS:
        assert len(harmless_variants(kind, item)) >= 5
        assert len(malformed_variants(kind, item)) >= 3


def test_an_action_is_read_from_its_label():
    contract = contract_of_kind("ask_or_proceed")
    item = Item(item_id="i", reference="ask", choices=("ask", "proceed"))
    for reply, value in (("ask", 1.0), ('{"action": "proceed"}', 0.0)):
        prediction = Prediction(text=reply, finish="stop")
        assert mark_under(contract, item=item, prediction=prediction).value == value


@given(reply=st.text(max_size=80), name=st.sampled_from(sorted(ITEMS)))
@settings(deadline=None, max_examples=150)
def test_any_reply_gets_a_verdict_in_range(reply: str, name: str):
    verdict = said(name, reply)
    assert 0.0 <= (verdict.value or 0.0) <= 1.0
    assert verdict.reason


@pytest.mark.parametrize("name", ["CC-EN-01", "IE-EN-01", "AP-EN-01", "DV-EN-01", "KC-EN-01"])
@pytest.mark.parametrize(
    "unit",
    ["a", " ", "\n", "第七条", "Article 7 ", "- A\n", "a: 1\n", "{", "```\n", "答案：", "1 or "],
)
def test_long_replies_take_little_time(name: str, unit: str):
    # Linear: 200,000 characters; the time limit of the suite would end anything worse.
    assert said(name, unit * (200_000 // len(unit))).status


def test_the_benchmark_has_its_name():
    assert {item.benchmark for item in ITEMS.values()} == {BENCHMARK}
