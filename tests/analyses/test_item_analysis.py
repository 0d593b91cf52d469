import math

import numpy as np
import pytest

from finassay.analyses.estimates import Settings
from finassay.analyses.item_analysis import contested_items, item_analysis
from finassay.analyses.label_trends import label_trends
from finassay.analyses.response_fit import fit_items
from finassay.analyses.results import to_jsonable
from finassay.marking.matrix import VerdictMatrix
from finassay.reports import tables_evidence as tables
from reference.item_statistics import declines
from small_boards import board, items

WRONG, EXCLUDE = Settings(policy="wrong"), Settings(policy="exclude")

COLUMNS = {"a": "11110", "b": "11100", "c": "11000", "d": "10001"}
"""Item 0 is right for all; item 4 only for the weakest system; a > b > c = d."""


def analysis(columns: dict[str, str] | None = None, settings: Settings = WRONG):
    given = COLUMNS if columns is None else columns
    listed = items(["X"] * len(next(iter(given.values()))))
    return item_analysis(board(given), items=listed, rule="exact", settings=settings)


def test_difficulty_is_the_share_of_systems_that_are_right():
    found = analysis()
    assert [item.p for item in found.items] == [1.0, 0.75, 0.5, 0.25, 0.25]
    assert [item.k for item in found.items] == [4, 3, 2, 1, 1]
    assert [item.separated for item in found.items] == [0, 3, 4, 3, 3]


def test_an_item_that_does_not_vary_has_no_discrimination_and_no_parameters():
    first = analysis().items[0]
    assert (first.item_total, first.item_rest, first.a, first.b) == (None, None, None, None)
    assert first.model == "all_right"


def test_an_item_that_only_the_weakest_gets_right_is_suspect():
    found = analysis()
    assert found.negative == ("i4",)
    assert tables.suspects(found).rows[0][0] == "i4"


def test_an_item_that_nobody_gets_right_is_flagged_not_fitted():
    found = analysis({"a": "1110", "b": "1100", "c": "1000", "d": "0100"})
    assert [item.model for item in found.items] == ["fitted", "fitted", "fitted", "none_right"]
    assert found.model.n_none_right == 1


def test_few_systems_are_a_loud_warning_and_the_priors_are_declared():
    found = analysis()
    assert any("4 systems cannot carry a two-parameter model" in text for text in found.warnings)
    assert found.model.priors == "log a ~ normal(0, sd 0.5); b ~ normal(0, sd 2)"


def test_discrimination_with_few_systems_stays_near_its_prior():
    rng = np.random.default_rng(1)
    right = (rng.random((40, 5)) < 0.6).astype(float)
    found = fit_items(right, tuple("abcde"))
    assert found.summary.prior_share_a > 0.6
    assert found.summary.prior_share_b < found.summary.prior_share_a


def test_two_systems_get_no_response_model_but_a_reason():
    found = analysis({"a": "110", "b": "100"})
    assert found.model is None
    assert any("2 systems: a response model needs at least 3" in text for text in found.warnings)


def test_no_subset_is_looked_for_among_more_than_fifty_thousand_verdicts_and_that_is_told():
    right = np.random.default_rng(3).random((5_001, 10)) < np.linspace(0.2, 0.9, 10)
    large = VerdictMatrix(
        values=right.astype(np.float64),
        status=np.zeros(right.shape, dtype=np.int8),
        row_names=("item_id",),
        rows=tuple((f"i{at}",) for at in range(5_001)),
        column_name="system",
        columns=tuple("abcdefghij"),
    )
    found = item_analysis(
        large, items=items(["F"] * 5_001), rule="strict", settings=Settings(policy="wrong")
    )
    assert found.subset is None
    assert [row.k for row in found.items] == right.sum(axis=1).tolist()
    assert any("50010 verdicts: a smallest subset" in text for text in found.warnings)


def test_a_response_model_of_more_than_fifty_thousand_verdicts_is_refused_with_the_reason():
    right = np.zeros((1_925, 26))
    right[:, ::2] = 1.0
    found = fit_items(right, tuple("abcdefghijklmnopqrstuvwxyz"))
    assert found.summary is None
    assert set(found.status) == {"not_fitted"}
    assert found.warnings == ("50050 verdicts: a response model is fitted for at most 50000",)


def test_smallest_subset_keeps_the_ranking():
    found = analysis()
    assert found.subset.is_smallest
    assert found.subset.size == found.subset.bound == len(found.subset.items)
    chosen = [int(name[1:]) for name in found.subset.items]
    sums = {name: sum(int(text[i]) for i in chosen) for name, text in COLUMNS.items()}
    assert sums["a"] > sums["b"] > sums["c"] == sums["d"]


def test_unanswered_items_are_left_out_under_exclude_and_wrong_under_wrong():
    columns = {**COLUMNS, "d": "1000n"}
    assert analysis(columns).n_items == 5
    found = analysis(columns, EXCLUDE)
    assert (found.n_items, found.n_excluded) == (4, 1)


def test_no_items_give_no_coefficients():
    found = item_analysis(
        board({"a": "1", "b": "0"}).select(rows=lambda row: False),
        items=(),
        rule="exact",
        settings=WRONG,
    )
    assert (found.n_items, found.reliability.value, found.subset) == (0, None, None)


def test_rules_that_disagree_make_an_item_contested():
    listed = items(["X"] * 3)
    rules = {
        "one": board({"a": "110", "b": "110"}),
        "two": board({"a": "100", "b": "110"}),
        "three": board({"a": "1.0", "b": "100"}),
    }
    (only,) = contested_items(rules, items=listed, systems=("a", "b"))
    assert (only.item_id, only.k, only.disputed, only.n) == ("i1", 2, 2, 2)
    # a: one of two rules says right; b: two of three.
    assert only.division == pytest.approx((4 * 0.25 + 4 * (2 / 3) * (1 / 3)) / 2)


def test_labels_that_tell_difficulty_give_a_falling_trend():
    found = item_analysis(
        board({"a": "111101000", "b": "111111111", "c": "000111111"}),
        items=items(["X"] * 9, difficulties=["easy"] * 3 + ["medium"] * 3 + ["hard"] * 3),
        rule="exact",
        settings=WRONG,
    ).labels
    by_name = {trend.system: trend for trend in found.systems}
    assert found.declining == ("a",)
    assert by_name["a"].z < 0 < by_name["c"].z
    assert (by_name["b"].z, by_name["b"].p) == (None, None)
    for trend in found.systems:
        rates = [cell.rate for cell in trend.cells]
        assert trend.is_declining == declines(rates)


def test_items_without_a_known_label_are_counted():
    found = label_trends(
        np.ones((4, 1)),
        np.ones((4, 1), dtype=bool),
        items=items(["X"] * 4, difficulties=["easy", "hard", "", "unheard of"]),
        systems=("a",),
    )
    assert (found.labels, found.n_unlabelled) == (("easy", "hard"), 2)


def test_one_label_makes_no_trend():
    found = label_trends(
        np.ones((2, 1)), np.ones((2, 1), dtype=bool), items=items(["X"] * 2), systems=("a",)
    )
    assert found is None


def test_graded_scores_give_alpha_and_a_warning_about_the_model():
    found = analysis({"a": "1h10", "b": "h110", "c": "00h1"})
    assert found.reliability.name == "Cronbach's alpha"
    assert any("graded values" in text for text in found.warnings)


def test_the_result_has_a_plain_form_without_infinities():
    plain = to_jsonable(analysis())
    assert all(math.isfinite(item["p"]) for item in plain["items"])
