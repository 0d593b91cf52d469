"""Comparisons of a study that still hold."""

from __future__ import annotations

from pathlib import Path

import pytest

from finassay.marking.duels import stored_comparisons
from finassay.records import Prediction
from finassay.study import Study
from finassay.study.rows import predictions_frame
from judged_samples import ITEMS, SPECS, study_at
from pairwise_samples import file_comparisons

JUDGE = "judge/alpha/pairwise/human/A"
SAID = (
    (0, "alpha", "gamma", "left_first", "l"),
    (0, "alpha", "gamma", "right_first", "t"),
    (1, "alpha", "beta", "left_first", "u"),
)


@pytest.fixture
def study(tmp_path: Path) -> Study:
    made = study_at(tmp_path / "study")
    file_comparisons(made, JUDGE, SAID)
    return made


def test_comparisons_come_by_scorer_with_display_names(study: Study):
    found = stored_comparisons(study.snapshot())
    assert set(found.by_scorer) == {JUDGE}
    told = [
        (one.item_id, one.left, one.right, one.order, one.winner, one.status)
        for one in found.by_scorer[JUDGE]
    ]
    assert told == [
        ("i0", "alpha", "gamma", "left_first", "left", "scored"),
        ("i0", "alpha", "gamma", "right_first", "tie", "scored"),
        ("i1", "alpha", "beta", "left_first", None, "unparsed"),
    ]
    assert found.stale == {}


def test_a_comparison_of_a_reply_that_has_changed_is_left_out_and_counted(study: Study):
    spec = SPECS["gamma"]
    rows = predictions_frame(
        Prediction(
            item_id=item.item_id,
            system_id=spec.system_id,
            text=f"now {item.item_id}",
            run_id="run-gamma",
        )
        for item in ITEMS
    )
    partition = {"system_id": spec.system_id, "run_id": "run-gamma"}
    study.commit("predictions", rows, partition=partition)
    found = stored_comparisons(study.snapshot())
    assert [one.item_id for one in found.by_scorer[JUDGE]] == ["i1"]
    assert found.stale == {JUDGE: 2}


def test_scorers_that_are_not_asked_for_are_left_out(study: Study):
    assert stored_comparisons(study.snapshot(), scorers=["judge/other"]).by_scorer == {}
