import pytest

from finassay.analyses.estimates import Settings
from finassay.analyses.labels import label_floors
from finassay.analyses.leaderboards import leaderboard
from finassay.analyses.results import Leaderboard
from finassay.errors import MarkingError, UsageError
from finassay.marking.matrix import VerdictMatrix
from finassay.records import Unscored
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
