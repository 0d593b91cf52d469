import numpy as np
import pytest

from finassay.analyses.categories import category_of, error_categories
from finassay.analyses.concordance import concordance, concordance_of_ratings
from finassay.analyses.coverage import band_of, item_coverage
from finassay.analyses.documents import document_provenance
from finassay.analyses.estimates import Settings
from finassay.analyses.overlap import error_overlap
from finassay.analyses.truncation import truncation_piles
from finassay.errors import UsageError
from finassay.records import Item
from printed_tables import TABLE_4
from small_boards import board, items

WRONG, EXCLUDE = Settings(policy="wrong"), Settings(policy="exclude")


def test_the_printed_task_percents_give_the_printed_concordance():
    ratings = np.array(list(TABLE_4.values()))
    found = concordance_of_ratings(
        ratings,
        raters=("systems", tuple(TABLE_4)),
        objects=("families", ("REG", "NUM", "CON", "TMP")),
        rule="Table 4",
        policy="wrong",
    )
    assert round(found.w, 3) == 0.853  # arXiv 2604.19298, section 6.1
    assert round(found.chi2, 1) == 30.7
    assert (found.df, found.p < 0.001) == (3, True)
    assert [name for name, _ in found.mean_ranks] == ["CON", "REG", "TMP", "NUM"]


def test_tasks_as_raters_of_the_systems_are_another_question():
    ratings = np.array(list(TABLE_4.values())).T
    found = concordance_of_ratings(
        ratings,
        raters=("families", ("REG", "NUM", "CON", "TMP")),
        objects=("systems", tuple(TABLE_4)),
        rule="Table 4",
        policy="wrong",
    )
    assert found.df == 11
    assert found.w < 0.5


def test_ratings_of_another_shape_than_their_names_are_refused():
    with pytest.raises(UsageError, match="of shape \\(1 raters, 2 objects\\)"):
        concordance_of_ratings(
            np.zeros((2, 2)),
            raters=("systems", ("a",)),
            objects=("families", ("X", "Y")),
            rule="r",
            policy="wrong",
        )


def test_raters_are_part_of_the_call():
    matrix = board({"a": "1110", "b": "1100", "c": "1010"})
    listed = items(["X", "X", "Y", "Y"])
    by_system, by_family = (
        concordance(matrix, items=listed, rule="r", raters=raters, settings=WRONG)
        for raters in ("systems", "families")
    )
    assert by_system.raters == ("a", "b", "c")
    assert by_family.raters == ("X", "Y")
    with pytest.raises(UsageError, match="`raters` must be"):
        concordance(matrix, items=listed, rule="r", raters="items", settings=WRONG)


@pytest.mark.parametrize(
    ("band", "ks"),
    [
        ("zero information", [0, 12]),
        ("near unanimous", [1, 11]),
        ("middle", [4, 5, 6, 7, 8, 9]),
        ("rest", [2, 3, 10]),
    ],
)
def test_bands_of_twelve_systems_are_those_of_table_3(band: str, ks: list[int]):
    assert [k for k in range(13) if band_of(k, 12) == band] == ks


def test_items_that_all_or_none_get_right_separate_no_pair():
    found = item_coverage(
        board({"a": "1100", "b": "1010", "c": "1000"}),
        items=items(["X", "X", "Y", "Y"]),
        rule="r",
        settings=WRONG,
    )
    assert found.zero_information == ("i0", "i3")
    assert (found.all_right, found.none_right) == (1, 1)
    assert [item.d for item in found.items] == [0, 2, 2, 0]
    assert found.mean_disagreement == 4 / (3 * 4)
    assert [(s.stratum, s.items, s.d_share) for s in found.by_family] == [
        ("X", 2, 0.5),
        ("Y", 2, 0.5),
    ]


def test_an_unanswered_item_is_wrong_or_left_out_by_policy():
    matrix, listed = board({"a": "1n", "b": "11"}), items(["X", "X"])
    wrong = item_coverage(matrix, items=listed, rule="r", settings=WRONG)
    exclude = item_coverage(matrix, items=listed, rule="r", settings=EXCLUDE)
    assert (wrong.n_items, wrong.items[1].k) == (2, 1)
    assert (exclude.n_items, exclude.n_excluded) == (1, 1)


def test_a_failed_verdict_leaves_the_item_out_under_every_policy():
    found = item_coverage(
        board({"a": "1f", "b": "11"}), items=items(["X", "X"]), rule="r", settings=WRONG
    )
    assert (found.n_items, found.n_excluded) == (1, 1)
    assert any("left out" in text for text in found.warnings)


def test_one_system_has_no_disagreement():
    found = item_coverage(board({"a": "10"}), items=items(["X", "X"]), rule="r", settings=WRONG)
    assert found.mean_disagreement is None


def test_overlap_is_shared_errors_over_all_errors():
    found = error_overlap(board({"a": "0011", "b": "0101", "c": "1111"}), rule="r", settings=WRONG)
    table = {(p.left, p.right): (p.both, p.either, p.jaccard) for p in found.pairs}
    assert table == {("a", "b"): (1, 3, 1 / 3), ("a", "c"): (0, 2, 0.0), ("b", "c"): (0, 2, 0.0)}
    assert (found.highest.left, found.highest.right, found.median) == ("a", "b", 0.0)


def test_two_systems_without_errors_have_no_overlap():
    found = error_overlap(board({"a": "11", "b": "11"}), rule="r", settings=WRONG)
    assert (found.pairs[0].jaccard, found.highest, found.median) == (None, None, None)


def test_documents_hang_together_through_items_on_two_of_them():
    listed = [
        Item(item_id="1", documents=("a",)),
        Item(item_id="2", documents=("a", "b")),
        Item(item_id="3", documents=("b",)),
        Item(item_id="4", documents=("c",)),
        Item(item_id="5"),
    ]
    found = document_provenance(listed)
    assert found.sizes == (3, 1)
    assert found.clusters[0].documents == ("a", "b")
    assert dict(found.per_document) == {"a": 2, "b": 2, "c": 1}
    assert (found.n_without_document, found.largest_document) == (1, 2)


def test_no_document_gives_no_cluster():
    found = document_provenance([Item(item_id="1")])
    assert (found.clusters, found.largest_document, found.median_per_document) == ((), None, None)


def test_replies_that_pile_up_at_the_longest_length_are_suspected():
    spread = [10 + 7 * at for at in range(25)]
    found = truncation_piles({"cut": [*spread, *[200] * 30], "whole": [*spread, 200]})
    assert found.suspected == ("cut",)
    cut = found.rows[0]
    assert (cut.longest, cut.at_longest, cut.n) == (200, 30, 55)
    assert found.n_at_longest == 30


def test_short_labels_of_one_length_are_no_cut():
    assert truncation_piles({"labels": [2, 3] * 100}).suspected == ()


def test_no_reply_has_no_longest():
    found = truncation_piles({"s": []}).rows[0]
    assert (found.longest, found.share, found.is_suspected) == (None, None, False)
    assert found.expected is None


@pytest.mark.parametrize(
    ("family", "difficulty", "category"),
    [
        ("NUM", "easy", "NRF"),
        ("NUM", "hard", "NRF"),
        ("REG", "hard", "CGF"),
        ("REG", "medium", "DKF"),
        ("TMP", "hard", "DKF"),
        ("TMP", "easy", "TRF"),
        ("CON", "easy", "CGF"),
        ("CON", "hard", "TRF"),
    ],
)
def test_categories_follow_appendix_b(family: str, difficulty: str, category: str):
    assert category_of(Item(item_id="1", family=family, difficulty=difficulty)) == category


def test_a_family_outside_the_map_has_no_category_and_is_counted():
    found = error_categories(
        board({"a": "00"}), items=items(["NUM", "other"]), names=("r", None), settings=WRONG
    )
    assert found.n_unmapped == 1
    assert dict(found.rows[0].counts)["NRF"] == 1
    assert found.rows[0].total == 2


def test_the_judge_clears_what_it_marks_right_and_unjudged_errors_stay():
    found = error_categories(
        board({"a": "000"}),
        items=items(["NUM", "NUM", "CON"]),
        names=("r", "j"),
        settings=WRONG,
        judge=board({"a": "10."}),
    )
    strict, residual = found.rows
    assert (strict.total, residual.total) == (3, 2)
    assert dict(residual.counts) == {"DKF": 0, "NRF": 1, "TRF": 0, "CGF": 1}


def test_half_marks_count_as_right_in_an_overlap():
    found = error_overlap(board({"a": "h00", "b": "h01"}), rule="r", settings=WRONG)
    assert (found.pairs[0].both, found.pairs[0].either) == (1, 2)


BOUNDS = Settings(policy="bounds")
WORST = "unscored verdicts count as wrong here: this analysis shows the worst case alone"


def test_what_shows_the_worst_case_under_bounds_says_so():
    matrix, listed = board({"a": "1n01", "b": "0111"}), items(["NUM", "NUM", "REG", "REG"])
    for settings, expected in ((BOUNDS, True), (WRONG, False), (EXCLUDE, False)):
        parts = (
            item_coverage(matrix, items=listed, rule="r", settings=settings),
            error_overlap(matrix, rule="r", settings=settings),
            error_categories(matrix, items=listed, names=("r", None), settings=settings),
            concordance(matrix, items=listed, rule="r", raters="systems", settings=settings),
        )
        assert [WORST in part.warnings for part in parts] == [expected] * 4


def test_pairs_that_are_not_compared_on_all_items_are_told():
    found = error_overlap(board({"a": "1f01", "b": "0111", "c": "0101"}), rule="r", settings=WRONG)
    (told,) = found.warnings
    assert told.startswith("2 of 3 pairs compared on fewer than 4 items")


def test_a_system_without_an_answer_in_a_family_is_no_rater_and_is_named():
    matrix, listed = board({"a": "10nn", "b": "1101", "c": "1100"}), items(["X", "X", "Y", "Y"])
    found = concordance(matrix, items=listed, rule="r", raters="systems", settings=EXCLUDE)
    assert found.raters == ("b", "c")
    assert found.warnings == ("left out, because no verdict counts in a family: a",)
    assert concordance(matrix, items=listed, rule="r", raters="systems", settings=WRONG).raters == (
        "a",
        "b",
        "c",
    )


def test_errors_outside_the_map_and_systems_without_a_judge_are_told():
    found = error_categories(
        board({"a": "00", "b": "11"}),
        items=items(["NUM", "other"]),
        names=("r", "j"),
        settings=WRONG,
        judge=board({"a": "11"}),
    )
    assert found.warnings == (
        "1 wrong item in families without a category",
        "no residual errors, because the judge holds no verdicts: b",
    )


def test_systems_without_replies_are_told():
    found = truncation_piles({"s": [], "t": [4, 5]})
    assert found.warnings == ("there are no replies to look at for s",)
