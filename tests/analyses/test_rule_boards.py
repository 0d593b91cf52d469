"""One board of a study: the audit's own where it has it, else made from the same verdicts."""

from __future__ import annotations

import pytest

import web_boards
from finassay.analyses.results_audit import Audit
from finassay.analyses.rule_boards import default_rule, regime_names, rule_board, rule_names
from finassay.errors import UnknownNameError
from finassay.marking.rule_specs import rule_kind
from finassay.marking.view import StudyView, view_study
from finassay.reports.workflow import AuditSettings, audit_marked


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[StudyView, Audit]:
    study = web_boards.board_study(tmp_path_factory.mktemp("boards") / "study")
    snapshot = study.snapshot()
    return view_study(snapshot), audit_marked(study, snapshot, AuditSettings())


def test_regimes_and_rules_are_named_in_the_order_of_the_audit(made: tuple[StudyView, Audit]):
    _, audit = made
    assert regime_names(audit) == ("strict", "judge-only", "judge-augmented")
    assert rule_names(audit)[0] == audit.primary == "strict/numbers-first"
    assert default_rule(audit) == "strict"


def test_a_board_of_all_items_is_the_one_of_the_audit(made: tuple[StudyView, Audit]):
    view, audit = made
    found = rule_board(view, audit, "judge-only")
    assert found.board.rows == audit.regime_leaderboards[1].rows
    assert found.is_regime
    assert not found.is_primary


def test_the_regime_that_takes_the_primary_verdicts_has_the_ranks_of_the_audit(
    made: tuple[StudyView, Audit],
):
    view, audit = made
    found = rule_board(view, audit, "strict")
    assert found.is_primary
    assert found.ranks is audit.rank_sets


def test_a_board_of_one_task_ranks_on_its_items_alone(made: tuple[StudyView, Audit]):
    view, audit = made
    found = rule_board(view, audit, "strict", task="CON")
    whole = {row.system: dict(row.per_family)["CON"] for row in audit.leaderboard.rows}
    assert {row.system: row.estimate for row in found.board.rows} == whole
    scores = {system: part.value or 0.0 for system, part in whole.items()}
    for row in found.board.rows:
        above = sum(score > scores[row.system] for score in scores.values())
        assert row.ranks is not None
        assert row.ranks.competition == 1 + above
    assert found.ranks is not None
    assert found.ranks.n_items == web_boards.N_CHOICE


def test_a_rule_that_finds_nothing_in_a_task_has_a_board_without_open_ranks(
    made: tuple[StudyView, Audit],
):
    view, audit = made
    found = rule_board(view, audit, "number_set", task="CON")
    assert found.ranks is None
    assert {row.estimate.value for row in found.board.rows} == {None}


def test_names_that_nothing_has_are_refused(made: tuple[StudyView, Audit]):
    view, audit = made
    with pytest.raises(UnknownNameError, match="no regime or rule 'guess' with verdicts"):
        rule_board(view, audit, "guess")
    with pytest.raises(UnknownNameError, match="no task 'guess'; expected one of"):
        rule_board(view, audit, "strict", task="guess")


@pytest.mark.parametrize(
    ("scorer_id", "kind"),
    [
        ("exact", "rule"),
        ("stored", "imported"),
        ("imported/report", "imported"),
        ("judge/phi", "judge"),
        ("person/ann", "person"),
        ("regime/strict", "regime"),
    ],
)
def test_the_kind_of_a_rule_stands_in_its_id(scorer_id: str, kind: str):
    assert rule_kind(scorer_id) == kind
