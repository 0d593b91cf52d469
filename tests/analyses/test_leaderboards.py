import pytest

from finassay.analyses.estimates import Settings, column_estimates
from finassay.analyses.labels import label_floors
from finassay.analyses.leaderboards import leaderboard
from finassay.analyses.ranking import rank_range
from finassay.analyses.results import BalancedAccuracy, Leaderboard
from finassay.errors import MarkingError, UsageError
from finassay.marking.matrix import VerdictMatrix
from finassay.records import UNSCORED_POLICIES, Unscored
from finassay.reports.tables_scores import leaderboard as leaderboard_table
from finassay.reports.tables_scores import persons
from small_boards import board, items

FAMILIES = ["X", "X", "Y", "Y"]


def made(columns: dict[str, str], policy: Unscored = "wrong", **kinds: str) -> Leaderboard:
    return leaderboard(
        board(columns),
        items=items(FAMILIES),
        rule="r",
        settings=Settings(policy=policy),
        kinds=kinds,
    )


def test_a_system_with_missing_verdicts_is_kept_marked_and_never_ranked():
    found = made({"whole": "1100", "part": "111."})
    assert [row.system for row in found.rows] == ["whole", "part"]
    assert [row.complete for row in found.rows] == [True, False]
    assert found.rows[1].ranks is None
    assert [row.system for row in found.ranked] == ["whole"]
    assert any("part" in text for text in found.warnings)


def test_items_that_no_system_has_count_as_missing():
    found = leaderboard(
        board({"s": "11"}),
        items=items(FAMILIES),
        rule="r",
        settings=Settings(policy="wrong"),
    )
    assert found.rows[0].estimate.n_missing == 2
    assert not found.rows[0].complete


def test_a_failed_verdict_is_a_verdict_and_the_system_stays_ranked():
    found = made({"a": "11f0", "b": "1000"})
    assert found.rows[0].complete
    assert found.rows[0].estimate.value == 2 / 3
    assert any("failed" in text for text in found.warnings)


def test_ties_share_ranks_by_convention():
    found = made({"a": "1110", "b": "1101", "c": "1000", "d": "1111"})
    ranks = {row.system: row.ranks for row in found.ranked}
    assert [ranks[s].competition for s in "dabc"] == [1, 2, 2, 4]
    assert [ranks[s].dense for s in "dabc"] == [1, 2, 2, 3]
    assert [ranks[s].average for s in "dabc"] == [1, 2.5, 2.5, 4]
    assert [ranks[s].ordinal for s in "dabc"] == [1, 2, 3, 4]


def test_macro_accuracy_weighs_families_alike():
    found = leaderboard(
        board({"a": "1110"}),
        items=items(["X", "X", "X", "Y"]),
        rule="r",
        settings=Settings(policy="wrong"),
    )
    assert found.rows[0].estimate.value == 0.75
    assert found.rows[0].macro == 0.5


def test_under_bounds_ranks_order_the_worst_case_and_show_what_is_possible():
    found = made({"a": "11nn", "b": "1110", "c": "1000"}, policy="bounds")
    assert found.rank_basis == "worst"
    ranges = {row.system: row.rank_range for row in found.ranked}
    # a scores from 2/4 to 4/4, b 3/4, c 1/4
    assert ranges == {"b": (1, 2), "a": (1, 2), "c": (3, 3)}


def test_a_person_stands_apart_beside_every_model_on_the_same_items():
    found = made({"m": "1100", "k": "0011", "p": "..10"}, p="person")
    assert [row.system for row in found.rows] == ["m", "k"]
    person = found.persons[0]
    assert (person.person, person.n_items, person.estimate.value) == ("p", 2, 0.5)
    assert [(row.system, row.estimate.value) for row in person.systems] == [("k", 1.0), ("m", 0.0)]
    assert (person.n_above, person.n_equal, person.n_below) == (1, 0, 1)
    assert [family for family, _ in person.per_family] == ["Y"]


def test_an_incomplete_model_is_not_beside_a_person():
    found = made({"m": "1100", "k": "001.", "p": "..10"}, p="person")
    assert [row.system for row in found.persons[0].systems] == ["m"]


def test_a_label_family_has_a_floor_and_balanced_accuracy():
    listed = items(["C"] * 20, references=["No."] * 15 + ["yes"] * 5)
    found = leaderboard(
        board({"constant": "1" * 15 + "0" * 5}),
        items=listed,
        rule="r",
        settings=Settings(policy="wrong"),
    )
    floor, own = found.floors[0], found.rows[0].balanced[0]
    assert (floor.label, floor.count, floor.n, floor.value) == ("no", 15, 20, 0.75)
    assert own.value == 0.5
    assert own.margin == 0.0
    assert own.recalls == (("no", 15.0, 15), ("yes", 0.0, 5))


def test_open_answers_have_no_floor():
    assert label_floors(items(["X"] * 30)) == ()


def test_verdicts_for_unknown_items_are_refused():
    with pytest.raises(MarkingError, match="verdicts for 1 items that are not among the 4"):
        made({"a": "11111"})


def test_trials_are_not_averaged_in_passing():
    matrix = VerdictMatrix.from_cells(
        [(("i0", "0"), "a", "scored", 1.0)], row_names=("item_id", "trial"), column_name="system"
    )
    with pytest.raises(UsageError, match="choose one trial or repeat"):
        leaderboard(matrix, items=items(["X"]), rule="r", settings=Settings(policy="wrong"))


def test_an_unknown_convention_is_refused():
    with pytest.raises(UsageError, match="`rank_convention` must be one of"):
        leaderboard(
            board({"a": "1111"}),
            items=items(FAMILIES),
            rule="r",
            settings=Settings(policy="wrong"),
            rank_convention="olympic",
        )


def test_a_system_whose_every_verdict_failed_is_not_ranked():
    found = made({"a": "1111", "b": "ffff"})
    assert [row.system for row in found.ranked] == ["a"]
    assert found.rows[1].estimate.value is None


def test_leaving_out_refusals_warns_that_systems_are_ranked_on_different_items():
    found = made({"a": "11nn", "b": "1110"}, policy="exclude")
    assert found.ranked[0].system == "a"
    assert any("denominators run from 2 to 4" in text for text in found.warnings)


def test_a_tie_in_the_best_case_still_shares_the_better_rank():
    found = made({"a": "11nn", "b": "1111", "c": "1100"}, policy="wrong")
    ranges = {row.system: row.rank_range for row in found.ranked}
    # a reaches b's 4/4 at best, and c's 2/4 at worst
    assert ranges == {"b": (1, 1), "a": (1, 2), "c": (2, 3)}


LABELS = items(["C"] * 20, references=["No."] * 15 + ["yes"] * 5)


def labelled(column: str, policy: Unscored) -> BalancedAccuracy:
    found = leaderboard(
        board({"s": column}), items=LABELS, rule="r", settings=Settings(policy=policy)
    )
    return found.rows[0].balanced[0]


def test_silence_on_one_label_earns_no_balanced_accuracy():
    silent_on_no = "n" * 15 + "1" * 5
    wrong = labelled(silent_on_no, "wrong")
    # recalls 0 of 15 and 5 of 5; 5 of 20 right against a constant that gets 15
    assert (wrong.value, wrong.accuracy, wrong.margin) == (0.5, 0.25, -0.5)
    assert wrong.recalls == (("no", 0.0, 15), ("yes", 5.0, 5))
    assert (wrong.n, wrong.n_unscored, wrong.policy) == (20, 15, "wrong")
    left_out = labelled(silent_on_no, "exclude")
    assert left_out.value is None
    assert left_out.recalls == (("no", None, 0), ("yes", 5.0, 5))
    assert (left_out.accuracy, left_out.n) == (1.0, 5)
    bounds = labelled(silent_on_no, "bounds")
    assert (bounds.value, bounds.worst, bounds.best) == (None, 0.5, 1.0)
    assert (bounds.accuracy, bounds.margin) == (None, None)


def test_failed_verdicts_are_in_no_recall_under_any_policy():
    for policy in UNSCORED_POLICIES:
        found = labelled("1" * 10 + "f" * 5 + "0" * 5, policy)
        assert found.recalls == (("no", 10.0, 10), ("yes", 0.0, 5))
        assert (found.value, found.best, found.worst) == (0.5, 0.5, 0.5)


def test_a_person_without_a_verdict_that_counts_is_not_below_everybody():
    found = made({"m": "1100", "k": "0011", "p": "ff.."}, p="person")
    (person,) = found.persons
    assert person.estimate.value is None
    assert (person.n_above, person.n_equal, person.n_below) == (None, None, None)
    (table,) = persons(found, {name: name for name in "mkp"})
    assert "Not compared: none of the person's verdicts counts." in table.notes


def test_a_system_without_a_value_on_a_persons_items_is_neither_above_nor_below():
    found = made({"m": "1100", "k": "ff11", "p": "10.."}, p="person")
    (person,) = found.persons
    assert [row.system for row in person.systems] == ["m", "k"]
    assert (person.n_above, person.n_equal, person.n_below) == (1, 0, 0)


def test_what_has_no_value_has_no_possible_ranks_and_takes_none():
    matrix = board({"a": "1111", "void": "ffff", "b": "1100"})
    estimates = column_estimates(matrix, Settings(policy="wrong"))
    assert [rank_range(estimates, at) for at in range(3)] == [(1, 1), None, (2, 2)]


def test_a_silent_system_does_not_turn_all_ranks_into_worst_cases():
    found = made({"a": "11n1", "b": "1110", "silent": "nnnn"}, policy="exclude")
    assert found.rank_basis == "value"
    assert [row.system for row in found.ranked] == ["a", "b"]


def test_the_table_says_why_a_complete_system_is_not_ranked():
    found = made({"a": "1111", "b": "ffff"})
    table = leaderboard_table(found, {"a": "a", "b": "b"})
    assert any("none of its verdicts counts" in note for note in table.notes)
    assert not any("verdicts are missing" in note for note in table.notes)
