import numpy as np
import pytest

from finassay.analyses.estimates import Settings
from finassay.analyses.kernels.agreement import MISSING
from finassay.analyses.rank_sets import Resampling
from finassay.analyses.raters import Plan, agree, ratings_of
from finassay.errors import UsageError
from finassay.reports import tables_evidence as tables
from small_boards import board, items

WRONG, EXCLUDE = Settings(policy="wrong"), Settings(policy="exclude")


def plan(settings: Settings = WRONG, **changes: object) -> Plan:
    return Plan(settings=settings, resampling=Resampling(draws=200), **changes)


def test_a_unit_is_a_prediction():
    found = agree(
        {"one": board({"a": "110", "b": "101"}), "two": board({"a": "111", "b": "100"})},
        items=items(["X"] * 3),
        plan=plan(),
    )
    assert found.overall.n_units == 6
    assert found.overall.table == (("0", "0", 1), ("0", "1", 1), ("1", "0", 1), ("1", "1", 3))
    kappa = found.overall.coefficients[0]
    assert (kappa.name, kappa.observed) == ("Cohen's kappa", pytest.approx(4 / 6))
    # Margins 4 of 6 right for both: chance 20/36, kappa (24 - 20) / (36 - 20).
    assert kappa.value == pytest.approx(0.25)


def test_silence_is_a_rating_of_zero_or_missing_by_policy():
    raters = {"one": board({"a": "1n0"}), "two": board({"a": "110"})}
    wrong = ratings_of(raters, items=items(["X"] * 3), settings=WRONG)
    left_out = ratings_of(raters, items=items(["X"] * 3), settings=EXCLUDE)
    assert wrong.codes[:, 0].tolist() == [1, 0, 0]
    assert left_out.codes[:, 0].tolist() == [1, MISSING, 0]


def test_a_failed_verdict_is_a_missing_rating_under_every_policy():
    raters = {"one": board({"a": "1f"}), "two": board({"a": "11"})}
    found = ratings_of(raters, items=items(["X"] * 2), settings=WRONG)
    assert found.codes.tolist() == [[1, 1], [MISSING, 1]]


def test_predictions_that_nobody_rates_are_no_units():
    raters = {"one": board({"a": "1.."}), "two": board({"a": "11."})}
    found = ratings_of(raters, items=items(["X"] * 3), settings=WRONG)
    assert len(found.codes) == 2


def test_three_raters_get_fleiss_and_no_table_of_two():
    raters = {
        name: board({"a": text}) for name, text in zip("rst", ("110", "100", "111"), strict=True)
    }
    found = agree(raters, items=items(["X"] * 3), plan=plan())
    assert [c.name for c in found.overall.coefficients] == [
        "Fleiss' kappa",
        "Krippendorff's alpha (nominal)",
        "Gwet's AC1",
    ]
    assert found.overall.table == ()


def test_strata_and_a_third_scorer_cut_the_units():
    raters = {"one": board({"a": "1100", "b": "1010"}), "two": board({"a": "1000", "b": "1011"})}
    third = board({"a": "11.0", "b": "0011"})
    found = agree(
        raters,
        items=items(["X", "X", "Y", "Y"]),
        plan=plan(by=("family", "system"), given={"third": third}),
    )
    sizes = {(part.by, part.stratum): part.n_units for part in found.parts}
    assert sizes == {
        ("family", "X"): 4,
        ("family", "Y"): 4,
        ("system", "a"): 4,
        ("system", "b"): 4,
        ("third", "right"): 4,
        ("third", "wrong"): 3,
    }


def test_answers_of_all_systems_to_an_item_are_drawn_together():
    found = agree(
        {"one": board({"a": "110", "b": "101"}), "two": board({"a": "111", "b": "100"})},
        items=items(["X"] * 3),
        plan=plan(),
    )
    assert (found.overall.n_units, found.overall.n_clusters) == (6, 3)


def test_the_interval_is_wider_when_the_ratings_of_an_item_are_copies():
    rng = np.random.default_rng(3)
    texts = ["".join("01"[int(x)] for x in rng.random(40) < 0.6) for _ in range(2)]
    copies = {
        name: board(dict.fromkeys("abcd", text)) for name, text in zip("rs", texts, strict=True)
    }
    found = agree(copies, items=items(["X"] * 40), plan=plan()).overall.coefficients[0]
    alone = {name: board({"a": text}) for name, text in zip("rs", texts, strict=True)}
    single = agree(alone, items=items(["X"] * 40), plan=plan()).overall.coefficients[0]
    assert found.high - found.low == pytest.approx(single.high - single.low, rel=1e-9)
    assert found.analytic_error < single.analytic_error


def test_one_sided_ratings_are_warned_of():
    raters = {"one": board({"a": "1" * 19 + "0"}), "two": board({"a": "1" * 20})}
    found = agree(raters, items=items(["X"] * 20), plan=plan())
    assert any("kappa and alpha are then low" in text for text in found.overall.warnings)
    assert "only 20 units are rated by all" in found.overall.warnings


def test_full_agreement_has_an_interval_without_width_and_says_so():
    raters = {"one": board({"a": "1100" * 10}), "two": board({"a": "1100" * 10})}
    part = agree(raters, items=items(["X"] * 40), plan=plan()).overall
    assert [c.value for c in part.coefficients] == pytest.approx([1.0, 1.0, 1.0])
    assert any("it says nothing of chance" in text for text in part.warnings)


def test_graded_verdicts_are_categories_in_order():
    raters = {"one": board({"a": "1h0h"}), "two": board({"a": "1hh0"})}
    found = agree(raters, items=items(["X"] * 4), plan=plan(scale="interval"))
    assert found.categories == ("0", "0.5", "1")
    alpha = found.overall.coefficients[1]
    assert alpha.name == "Krippendorff's alpha (interval)"
    # Values 1 1, .5 .5, 0 .5, .5 0: observed (2 x 2 x 1/4) / 8 and expected from the 56 pairs.
    values = [1.0, 1, 0.5, 0.5, 0, 0.5, 0.5, 0]
    expected = sum((x - y) ** 2 for x in values for y in values) / 56
    assert alpha.value == pytest.approx(1 - 0.125 / expected)


def test_one_rater_agrees_with_nobody():
    with pytest.raises(UsageError, match="at least two raters"):
        agree({"one": board({"a": "1"})}, items=items(["X"]), plan=plan())


def test_a_rater_as_condition_is_refused():
    raters = {"one": board({"a": "10"}), "two": board({"a": "11"})}
    with pytest.raises(UsageError, match="third scorer, got the rater 'two'"):
        agree(raters, items=items(["X"] * 2), plan=plan(given={"two": raters["two"]}))


def test_an_unknown_stratum_is_refused():
    raters = {"one": board({"a": "10"}), "two": board({"a": "11"})}
    with pytest.raises(UsageError, match="`by` must be one of"):
        agree(raters, items=items(["X"] * 2), plan=plan(by=("colour",)))


def test_strata_without_shared_units_show_dashes_not_zero():
    raters = {"one": board({"a": "10.."}), "two": board({"a": "..11"})}
    found = agree(raters, items=items(["X"] * 4), plan=plan())
    assert [c.value for c in found.overall.coefficients] == [None, None, None]
    table = tables.agreement(found)
    assert all(row[3].startswith("—") for row in table.rows)
