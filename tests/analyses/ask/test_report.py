"""The report on a study of states: from replies to metrics, by way of the one verdict table."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from ask_studies import REPLIES, ask_study_at, spec_of
from finassay.analyses.ask.report import AskSettings, printed_rows, report_of_table
from finassay.analyses.results_ask import AskReport, AskRow
from finassay.errors import InputError, MarkingError, MissingVerdictsError, UnknownNameError
from finassay.reports.ask_workflow import AskRequest, ask_study
from finassay.runs.importers.ask_tables import parse_ask_table
from finassay.study import Study
from marking_studies import Said, put_verdicts

FEW = AskSettings(draws=50)


def reported(study: Study, alignment: str = "ask/alignment-words", **given: object) -> AskReport:
    settings = AskSettings(draws=50, **given)
    return ask_study(study, AskRequest(alignment=alignment, settings=settings))[0]


def row(report: AskReport, system: str) -> AskRow:
    return next(one for one in report.rows if one.system == system)


def judged(study: Study, said: Said, system: str, scorer: str = "judge/x") -> None:
    put_verdicts(study, said, spec=spec_of(system), scorer_id=scorer)


@pytest.fixture
def study(tmp_path: Path) -> Study:
    return ask_study_at(tmp_path / "study")


def test_metrics_follow_from_replies(study: Study):
    ada, bob = (row(reported(study), name) for name in ("ada", "bob"))
    # ada asks at 2 of 3 ask states, once usably and directly; goes on at 1 of 2 proceed states.
    assert (ada.scores.ask_recall, ada.scores.proceed_recall) == (2 / 3, 0.5)
    assert (ada.scores.era, ada.scores.cra) == (1 / 3, 0.5)
    assert ada.scores.raa == 0.6
    # bob asks at S4 for nothing that is needed, is invalid at S2.
    assert (bob.scores.ask_recall, bob.scores.cra, bob.scores.era) == (1 / 3, 0.0, 0.0)


def test_counts_tell_invalid_replies_and_faulty_requests(study: Study):
    report = reported(study)
    ada, bob = (row(report, name).counts for name in ("ada", "bob"))
    assert ada is not None
    assert bob is not None
    assert (ada.invalid, ada.faulty, ada.direct, ada.asked) == (0, 1, 1, 2)
    assert (bob.invalid, bob.faulty, bob.missing, bob.n_trajectories) == (1, 0, 0, 2)


def test_policies_stand_in_every_report_without_request_metrics(study: Study):
    always = row(reported(study), "Always-Ask")
    assert always.is_policy
    assert (always.scores.raa, always.scores.bacc) == (0.6, 0.5)
    assert (always.scores.era, always.scores.cra, always.intervals) == (None, None, ())


def test_alignment_may_come_from_a_judge_in_the_one_verdict_table(study: Study):
    judged(study, [("S1", "scored", 0.5), ("S2", "scored", 1.0)], "ada")
    judged(study, [("S4", "scored", 1.0)], "bob")
    report = reported(study, "judge/x")
    # The request at S2 is for two items, so it earns nothing whatever the judge says.
    assert row(report, "ada").scores.era == pytest.approx(0.5 / 3)
    assert row(report, "bob").scores.era == pytest.approx(1 / 3)
    assert report.alignment == "judge/x"


def test_a_request_that_nobody_marked_counts_0_and_is_told(study: Study):
    judged(study, [("S1", "scored", 0.5)], "ada")
    judged(study, [("S4", "unparsed", None)], "bob")
    report = reported(study, "judge/x")
    bob = row(report, "bob")
    assert bob.counts is not None
    assert (bob.counts.unaligned, bob.scores.era) == (1, 0.0)
    assert bob.era_if_aligned == pytest.approx(1 / 3)
    assert any("without a verdict of judge/x" in one for one in report.warnings)


def test_a_judge_that_is_a_system_is_compared_with_nobody(study: Study):
    judged(study, [("S1", "scored", 1.0)], "ada", "judge/model-bob")
    judged(study, [("S4", "scored", 1.0)], "bob", "judge/model-bob")
    report = reported(study, "judge/model-bob")
    assert row(report, "bob").is_evaluator
    assert report.compared == ("ada",)


def test_a_named_evaluator_is_compared_with_nobody(study: Study):
    report = reported(study, evaluators=("ada",))
    assert (report.compared, row(report, "ada").is_evaluator) == (("bob",), True)


def test_an_unknown_evaluator_is_named(study: Study):
    with pytest.raises(UnknownNameError, match="the evaluator 'eve' is none of the systems: ada"):
        reported(study, evaluators=("eve",))


def test_an_alignment_off_the_scale_is_refused(study: Study):
    judged(study, [("S1", "scored", 0.7)], "ada")
    with pytest.raises(MarkingError, match=r"'ada' at state 'S1' must be 0, 0.5 or 1, got 0.7"):
        reported(study, "judge/x")


def test_an_alignment_without_verdicts_is_named(study: Study):
    with pytest.raises(MissingVerdictsError, match=r"no verdicts of 'person/eve' on its states"):
        reported(study, "person/eve")


def test_a_study_without_states_says_what_to_do(tmp_path: Path):
    empty = Study.create(tmp_path / "empty", name="e", unscored="wrong")
    with pytest.raises(MissingVerdictsError, match="holds no states"):
        reported(empty)


def test_a_system_with_states_missing_is_left_out_of_comparisons(tmp_path: Path):
    part = {name: dict(texts) for name, texts in REPLIES.items()}
    del part["bob"]["S5"]
    report = reported(ask_study_at(tmp_path / "part", part))
    assert report.compared == ("ada",)
    assert any("some states have no prediction: bob" in one for one in report.warnings)


def test_the_baseline_alignment_is_told_as_one(study: Study):
    assert any("compares words with the hidden needs" in one for one in reported(study).warnings)


def test_intervals_are_over_trajectories_and_repeat_with_the_seed(study: Study):
    first, second = reported(study), reported(study)
    assert row(first, "ada").intervals == row(second, "ada").intervals
    notes = {one.metric: one.note for one in row(first, "ada").intervals}
    assert "2 trajectories are few" in notes["RAA"]


TABLE = """model,ERA,BAcc,AskR,ProceedR,RAA,CRA
a,0.40,0.60,0.80,0.40,0.7,0.50
b †,0.10,0.50,0.20,0.80,,0.50
Always-Ask,-,0.5,1,0,0.75,-
"""


def test_a_table_in_fractions_is_read_as_such():
    first, second, _ = printed_rows(parse_ask_table(TABLE, name="t.csv"))
    assert (first.values["ERA"], first.unit) == (Fraction(2, 5), Fraction(1, 100))
    assert second.values["RAA"] is None


def test_a_table_has_no_intervals_and_keeps_its_own_policies():
    report = report_of_table(parse_ask_table(TABLE, name="t.csv"), FEW)
    assert (report.source, report.alignment, report.compared) == ("table", "printed", ("a",))
    assert [one.system for one in report.rows] == ["a", "b", "Always-Ask"]
    assert row(report, "Always-Ask").scores.raa == 0.75
    assert report.costs == ()


def test_a_cell_that_is_no_number_is_named():
    table = parse_ask_table(TABLE.replace("0.60", "sixty"), name="t.csv")
    with pytest.raises(InputError, match=r"t\.csv: BAcc of a: expected a number or a dash, got"):
        report_of_table(table, FEW)


def test_replies_without_an_action_are_a_finding(tmp_path: Path):
    bad = {"ada": dict.fromkeys(REPLIES["ada"], "hm"), "bob": REPLIES["bob"]}
    titles = [one.title for one in reported(ask_study_at(tmp_path / "bad", bad)).findings]
    assert "Replies that name no action, or both" in titles


def test_numbers_that_break_an_identity_are_the_gravest_finding():
    report = report_of_table(
        parse_ask_table(TABLE.replace("0.40,0.60", "0.60,0.60"), name="t"), FEW
    )
    grave = report.findings[0]
    assert (grave.severity, grave.title) == ("high", "Printed numbers break ERA = AskR x CRA")
    assert "a" in grave.evidence


def test_the_exact_form_makes_other_writings_invalid(tmp_path: Path):
    loose = {"ada": {**REPLIES["ada"], "S1": "[continue] The lease of the warehouse"}}
    study = ask_study_at(tmp_path / "loose", loose)
    both = [
        row(ask_study(study, AskRequest(action=action, settings=FEW))[0], "ada").counts
        for action in ("ask/action", 'ask/action[form="exact"]')
    ]
    assert [counts.invalid for counts in both if counts is not None] == [0, 1]
    assert [counts.direct for counts in both if counts is not None] == [1, 0]
