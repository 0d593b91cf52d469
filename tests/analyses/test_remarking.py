"""Rows marked again by the rule of the rest, and people whom the primary rule does not know."""

from dataclasses import replace

from finassay.analyses.audit import AuditInputs, build_audit
from finassay.analyses.estimates import Settings
from finassay.analyses.leaderboards import leaderboard
from finassay.analyses.remarking import remarked
from finassay.analyses.results_scores import Leaderboard
from finassay.marking.matrix import VerdictMatrix
from finassay.records import SystemSpec
from small_boards import board, items

WRONG = Settings(policy="wrong")
TEN = items(["F"] * 10)


def standing(matrix: VerdictMatrix, rule: str) -> Leaderboard:
    return leaderboard(
        matrix, items=TEN, rule=rule, settings=WRONG, rank_convention="competition", kinds={}
    )


STORED = board({"a": "1111111100", "b": "1111111000", "odd": "1111100000"})
COMMON = board({"a": "1111111000", "b": "1111110000", "odd": "1111111000"})


def test_both_readings_of_a_row_marked_again_are_given():
    (row,) = remarked(standing(STORED, "stored"), standing(COMMON, "rule"), ["odd"])
    assert (row.stored_right, row.stored_rank, row.remarked_right) == (5, 3, 7)
    # Alone: a keeps 8, b keeps 7, so the row is second with b.  Together: a falls to 7 as well.
    assert (row.rank_alone, row.rank_together, row.ties_together) == (2, 1, 1)


def test_a_system_that_one_board_does_not_rank_is_left_out():
    shorter = COMMON.select(columns=["a", "b"])
    assert remarked(standing(STORED, "stored"), standing(shorter, "rule"), ["odd"]) == ()


def with_a_person(stored: dict[str, str], strict: dict[str, str]) -> AuditInputs:
    return AuditInputs(
        study="small",
        items=TEN,
        systems=(
            SystemSpec(name="a"),
            SystemSpec(name="b"),
            SystemSpec(name="reader", kind="person"),
        ),
        matrices={"stored": board(stored), "strict/numbers-first": board(strict)},
        primary="stored",
        settings=WRONG,
        stored="stored",
    )


def test_people_without_a_primary_verdict_are_shown_under_the_strict_rule_by_name():
    models = {"a": "1111111100", "b": "1111111000"}
    inputs = with_a_person(models, {**models, "reader": "11100....."})
    (person,) = build_audit(inputs).leaderboard.persons
    assert (person.person, person.rule) == ("reader", "strict/numbers-first")
    assert (person.estimate.total, person.estimate.n) == (3, 5)


def test_people_with_a_primary_verdict_are_shown_under_the_primary_rule():
    models = {"a": "1111111100", "b": "1111111000", "reader": "11111....."}
    inputs = with_a_person(models, {**models, "reader": "11100....."})
    (person,) = build_audit(inputs).leaderboard.persons
    assert (person.rule, person.estimate.total) == ("stored", 5)


def test_nobody_is_invented_where_no_rule_knows_a_person():
    models = {"a": "1111111100", "b": "1111111000"}
    inputs = replace(with_a_person(models, models), systems=(SystemSpec(name="a"),))
    assert build_audit(inputs).leaderboard.persons == ()
