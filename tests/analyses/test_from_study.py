from dataclasses import replace
from pathlib import Path

import pytest

from finassay.analyses.from_study import choose_primary, inputs_from, printed_ranks
from finassay.errors import UnknownNameError
from finassay.marking.scoring import score_study
from finassay.marking.view import StudyView, view_study
from finassay.records import ReportedScore
from small_boards import board
from study_samples import marks, of_scorer, small_study

ONE = board({"a": "10", "b": "11"})


@pytest.fixture
def view(tmp_path: Path) -> StudyView:
    study = small_study(tmp_path / "s")
    rules = ["strict/numbers-first", "strict/numbers-first[threshold=0.8]"]
    score_study(study, scorers=rules)
    study.add_scorer("stored", "1", name="stored", spec="{}", package_version="0")
    study.commit("verdicts", marks(study, "stored"), partition=of_scorer("stored"))
    return view_study(study.snapshot())


def test_what_the_source_stored_is_shown_first():
    assert choose_primary({"exact": ONE, "stored": ONE, "strict/numbers-first": ONE}) == "stored"
    assert choose_primary({"exact": ONE, "strict/numbers-first": ONE}) == "strict/numbers-first"
    assert choose_primary({"zz": ONE, "exact": ONE}) == "exact"
    with pytest.raises(UnknownNameError, match="no scorer holds verdicts"):
        choose_primary({})


def test_the_policy_is_the_study_s_unless_said(view: StudyView):
    assert inputs_from(view).settings.policy == "bounds"
    assert inputs_from(view, policy="wrong").settings.policy == "wrong"


def test_thresholds_are_those_of_the_strict_rule(view: StudyView):
    inputs = inputs_from(view)
    assert (inputs.base_threshold, sorted(inputs.thresholds)) == (0.72, [0.72, 0.8])
    assert inputs.stored == inputs.primary == "stored"
    assert inputs.judge is None


def test_what_the_view_counted_reaches_the_audit(view: StudyView):
    told = replace(view, trials={"a": 3}, error_replies={"a": ("i0",)}, lengths={"a": (4, 5, 6)})
    inputs = inputs_from(told)
    assert (inputs.trials, inputs.error_replies) == ({"a": 3}, {"a": ("i0",)})
    assert inputs.n_predictions == 3


def test_an_unknown_primary_rule_is_named(view: StudyView):
    with pytest.raises(UnknownNameError, match="got 'nobody'"):
        inputs_from(view, primary="nobody")


def test_versions_digests_and_packages_are_kept(view: StudyView):
    inputs = inputs_from(view, commands=["finassay audit s"])
    assert (inputs.versions, inputs.digests) == (view.versions, view.digests)
    assert {name for name, _ in inputs.packages} >= {"finassay", "numpy", "polars"}
    assert inputs.commands == ("finassay audit s",)


def reported(column: str, row: str, value: float, note: str = "") -> ReportedScore:
    printed = f"{value:g}"
    return ReportedScore(
        source="paper", table="6", row=row, column=column, value=value, printed=printed, note=note
    )


def test_a_column_of_ranks_is_read_beside_its_column_of_values():
    scores = [
        reported("strict", "a", 90.0),
        reported("strict", "b", 80.0),
        reported("strict rank", "a", 1, "claimed convention: competition"),
        reported("strict rank", "b", 2),
        reported("alone", "a", 5.0),
    ]
    (found,) = printed_ranks(scores)
    assert (found.source, found.column, found.claimed) == ("paper, 6", "strict", "competition")
    assert found.rows == (("a", "90", 1), ("b", "80", 2))


def test_one_rank_alone_is_no_column():
    assert printed_ranks([reported("x", "a", 1.0), reported("x rank", "a", 1)]) == ()
