"""What holds for scores under contracts: malformed as wrong, and valid only beside."""

from __future__ import annotations

from pathlib import Path

import pytest

from finassay.benchmarks.operations import BENCHMARK, bundled_shelf
from finassay.errors import MissingVerdictsError
from finassay.marking.contract_scores import ContractScore, contract_scores
from finassay.marking.many import mark_many
from finassay.marking.scoring import score_study
from finassay.records import Item, Prediction, RunRecord, SystemSpec
from finassay.scorers.operations.contract import UnderContract
from finassay.study import Study
from finassay.study.rows import predictions_frame
from marking_studies import put_replies, put_verdicts

ITEMS = [entry.item for entry in bundled_shelf().of("legal-outcome")[:4]]
SPEC = SystemSpec(name="alpha")


def study_of(tmp_path: Path, items: list[Item], replies: dict[str, str]) -> Study:
    study = Study.create(tmp_path / "s")
    study.add_items(items, benchmark=BENCHMARK)
    study.add_system(SPEC)
    put_replies(study, SPEC, replies)
    return study


def test_the_contract_of_an_item_reaches_the_scorer_in_a_study(tmp_path: Path):
    # The task is another name, so only the contract id can lead to the contract.
    items = [Item(**{**as_dict(item), "task": "t"}) for item in ITEMS]
    replies = {item.item_id: item.reference or "" for item in items}
    study = study_of(tmp_path, items, replies)
    score_study(study, scorers=["contract"])
    frame = study.snapshot().frame("verdicts")
    assert frame["value"].to_list() == [1.0] * 4
    assert frame["scorer_version"].unique().to_list() == [UnderContract.version]


def as_dict(item: Item) -> dict[str, object]:
    return {name: getattr(item, name) for name in Item.__slots__}


def test_malformed_answers_are_wrong_in_one_score_and_left_out_of_the_other(tmp_path: Path):
    first, second, third, fourth = (item.item_id for item in ITEMS)
    right, other = ITEMS[0].reference or "", "granted in full"
    replies = {first: right, second: "hard to say", third: other, fourth: ""}
    study = study_of(tmp_path, ITEMS, replies)
    score_study(study, scorers=["contract"])
    expected = {first: 1.0, third: float(ITEMS[2].reference == other)}
    credit = sum(expected.values())
    (score,) = contract_scores(study.snapshot()).scores
    assert score == ContractScore(
        system="alpha",
        contract="legal-outcome",
        n=4,
        malformed=2,
        failed=0,
        score=credit / 4,
        valid_only=credit / 2,
    )


def test_replies_that_were_never_obtained_are_left_out_and_counted(tmp_path: Path):
    study = study_of(tmp_path, ITEMS[:1], {})
    said = [("LO-EN-01", "failed", None)]
    put_verdicts(study, said, spec=SPEC, scorer_id="judge/a")  # type: ignore[arg-type]
    (score,) = contract_scores(study.snapshot(), "judge/a").scores
    assert (score.n, score.failed, score.score, score.valid_only) == (0, 1, None, None)
    assert "-  -  (0 of 0 malformed, 1 failed)" in "\n".join(
        contract_scores(study.snapshot(), "judge/a").to_lines()
    )


def test_a_study_that_was_not_marked_says_what_to_run(tmp_path: Path):
    study = study_of(tmp_path, ITEMS[:1], {"LO-EN-01": "dismissed"})
    with pytest.raises(MissingVerdictsError, match="finassay score STUDY --scorer contract"):
        contract_scores(study.snapshot())


def test_families_and_systems_are_told_apart(tmp_path: Path):
    item = bundled_shelf().of("risk-classification")[0].item
    study = study_of(tmp_path, [ITEMS[0], item], {"LO-EN-01": "dismissed"})
    beta = SystemSpec(name="beta")
    study.add_system(beta)
    study.add_run(RunRecord(run_id="r", system_id=beta.system_id))
    rows = predictions_frame(
        [Prediction(item_id=item.item_id, system_id=beta.system_id, text="Grade 4", run_id="r")]
    )
    study.commit("predictions", rows, partition={"system_id": beta.system_id, "run_id": "r"})
    score_study(study, scorers=["contract"])
    found = [
        (one.contract, one.system, one.score) for one in contract_scores(study.snapshot()).scores
    ]
    assert found == [("legal-outcome", "alpha", 1.0), ("risk-classification", "beta", 0.0)]


def test_rows_marked_at_once_are_marked_by_task():
    row = {
        "reference": "dismissed",
        "reply": "Dismissed.",
        "task": "legal-outcome",
        "choices": ["granted in full", "granted in part", "dismissed"],
    }
    assert mark_many("contract", [row])[0].value == 1.0
    assert mark_many("contract", [{**row, "task": ""}])[0].status == "not_applicable"
