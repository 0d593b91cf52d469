import numpy as np
import pytest

from finassay.analyses.estimates import Settings
from finassay.analyses.overturns import overturn_table
from finassay.analyses.ranking import all_ranks
from finassay.analyses.recognition import recognise_ranks
from finassay.analyses.regimes import compare_regimes, correlation, move_counts
from finassay.analyses.results import RANK_CONVENTIONS
from finassay.analyses.thresholds import threshold_ablation
from finassay.errors import MissingVerdictsError, UsageError
from printed_tables import TABLE_6, TABLE_11
from small_boards import board, items

WRONG = Settings(policy="wrong")
FOUR = items(["X"] * 4)


def column(at: int, table: dict[str, tuple[str, ...]] = TABLE_6) -> np.ndarray:
    return np.array([float(row[at]) for row in table.values()])


def test_table_6_as_printed_gives_the_printed_correlations():
    found = correlation("strict", "judge-only", column(0), column(2))
    assert round(found.spearman, 3) == -0.273  # arXiv 2604.19298, section 5
    assert round(found.spearman_p, 2) == 0.39
    assert round(found.kendall, 3) == -0.168
    assert round(found.kendall_p, 2) == 0.45
    assert "ties" in found.kendall_method


def test_the_tolerance_arms_give_the_printed_correlations_with_strict():
    strict = np.array([float(TABLE_6[name][0]) for name in TABLE_11])
    rhos = [correlation("strict", "arm", strict, column(at, TABLE_11)).spearman for at in (0, 2, 4)]
    assert [round(rho, 2) for rho in rhos] == [-0.32, -0.13, -0.27]  # appendix F.2


def test_how_many_systems_move_four_ranks_depends_on_the_convention():
    # appendix F.2 claims seven of twelve; that holds under dense ranks alone
    arms = {"exact": 0, "0.1%": 2, "1%": 4}
    ranked = {name: all_ranks(column(at, TABLE_11)) for name, at in arms.items()}
    table = {
        name: {c: np.array([row.under(c) for row in rows]) for c in RANK_CONVENTIONS}
        for name, rows in ranked.items()
    }
    whole = [m for m in move_counts(table) if len(m.regimes) == 3 and m.at_least == 4]
    counts = dict(whole[0].counts)
    assert (counts["dense"], counts["competition"], whole[0].n) == (7, 5, 12)
    assert whole[0].depends_on_convention


@pytest.mark.parametrize(("value", "rank", "name"), [(2, 3, "judge-only"), (4, 5, "augmented")])
def test_printed_competition_ranks_of_table_6_are_dense_ranks(value: int, rank: int, name: str):
    rows = [(system, row[value], float(row[rank])) for system, row in TABLE_6.items()]
    found = recognise_ranks(rows, source="Table 6", column=name, claimed="competition")
    assert found.reproduces == ("dense",)
    assert found.claim_holds is False
    assert found.has_ties


def test_the_row_after_a_tie_contradicts_the_claimed_convention():
    rows = [(system, row[2], float(row[3])) for system, row in TABLE_6.items()]
    fits = recognise_ranks(rows, source="Table 6", column="judge-only").fits
    competition = next(fit for fit in fits if fit.convention == "competition")
    wrong = {c.row: (c.printed_rank, c.expected_rank) for c in competition.contradictions}
    assert wrong["Mistral-7B"] == (8.0, 9.0)


def test_without_ties_every_convention_reproduces_the_ranks():
    rows = [(system, row[0], float(row[1])) for system, row in TABLE_6.items()]
    found = recognise_ranks(rows, source="Table 6", column="strict")
    assert found.reproduces == RANK_CONVENTIONS
    assert not found.has_ties
    assert found.claim_holds is None


def test_values_printed_with_other_digits_are_compared_as_numbers():
    found = recognise_ranks([("a", "93.6", 1), ("b", "93.60%", 1)], source="s", column="c")
    assert found.has_ties


def test_a_printed_value_that_is_no_number_is_refused():
    with pytest.raises(UsageError, match="printed values must be numbers"):
        recognise_ranks([("a", "n/a", 1)], source="s", column="c")


def test_a_system_that_a_regime_lacks_is_left_out_and_named():
    found = compare_regimes(
        {"one": board({"a": "1110", "b": "1000"}), "two": board({"a": "1000", "b": "111."})},
        items=FOUR,
        settings=WRONG,
    )
    assert found.systems == ("a",)
    assert found.left_out == ("b",)
    assert found.correlations[0].spearman is None


def test_shifts_leaders_and_spread_follow_the_scores():
    found = compare_regimes(
        {
            "one": board({"a": "1111", "b": "1100", "c": "1000"}),
            "two": board({"a": "1000", "b": "1100", "c": "1100"}),
        },
        items=FOUR,
        settings=WRONG,
    )
    first, second = found.regimes
    assert (first.leaders, second.leaders) == (("a",), ("b", "c"))
    assert (first.trailers, second.trailers) == (("c",), ("a",))
    assert (first.spread, second.spread) == (0.75, 0.25)
    moved = {s.system: s.shift for s in found.shifts if s.convention == "competition"}
    assert moved == {"a": 2.0, "b": -1.0, "c": -2.0}
    change = {s.system: s.score_change for s in found.shifts if s.convention == "dense"}
    assert change == {"a": -0.75, "b": 0.0, "c": 0.25}
    assert dict(found.holds)["competition"] == ()


def test_one_regime_is_nothing_to_compare():
    with pytest.raises(UsageError, match="at least two regimes"):
        compare_regimes({"one": board({"a": "1"})}, items=items(["X"]), settings=WRONG)


def test_overturn_and_rejection_have_their_own_denominators():
    found = overturn_table(
        board({"a": "110000"}),
        board({"a": "10110."}),
        items=items(["X"] * 6),
        names=("rule", "judge"),
    )
    row = found.rows[0]
    assert (row.overturned.k, row.overturned.n) == (2, 3)
    assert (row.rejected.k, row.rejected.n) == (1, 2)
    assert (row.judge_only.k, row.augmented.k, row.rule.k) == (3, 4, 2)
    assert row.n_items == 6
    assert row.n_shared == 5


def test_a_judge_that_could_not_be_read_is_neither_an_overturn_nor_a_rejection():
    found = overturn_table(
        board({"a": "10"}), board({"a": "uu"}), items=items(["X"] * 2), names=("rule", "judge")
    )
    row = found.rows[0]
    assert (row.overturned.n, row.rejected.n, row.augmented.n) == (0, 0, 0)
    assert row.overturned.rate is None
    assert row.n_unscored == 2
    assert any("a 2" in text for text in found.warnings)


def test_the_pooled_row_sums_the_systems():
    rule, judge = board({"a": "10", "b": "00"}), board({"a": "01", "b": "11"})
    found = overturn_table(rule, judge, items=items(["X"] * 2), names=("rule", "judge"))
    assert (found.pooled.overturned.k, found.pooled.overturned.n) == (3, 3)
    assert (found.pooled.rejected.k, found.pooled.rejected.n) == (1, 1)


def test_a_judge_of_other_systems_is_refused():
    with pytest.raises(MissingVerdictsError, match="share no system"):
        overturn_table(
            board({"a": "1"}), board({"b": "1"}), items=items(["X"]), names=("rule", "judge")
        )


def test_a_threshold_shows_which_items_it_flips():
    found = threshold_ablation(
        {0.8: board({"a": "1000", "b": "1100"}), 0.6: board({"a": "0111", "b": "1100"})},
        items=FOUR,
        base=0.8,
        settings=WRONG,
    )
    cell = next(c for c in found.cells if c.system == "a" and c.threshold == 0.6)
    assert cell.newly_accepted == ("i1", "i2", "i3")
    assert cell.newly_rejected == ("i0",)
    assert cell.ranks.competition == 1
    assert found.thresholds == (0.6, 0.8)
    base = [c for c in found.cells if c.threshold == 0.8]
    assert all(not c.newly_accepted and not c.newly_rejected for c in base)


def test_a_base_threshold_that_was_not_marked_is_refused():
    with pytest.raises(UsageError, match="`base` must be one of"):
        threshold_ablation({0.8: board({"a": "1111"})}, items=FOUR, base=0.7, settings=WRONG)


def test_a_threshold_at_which_a_system_cannot_be_ranked_is_told():
    found = threshold_ablation(
        {0.5: board({"a": "1100", "b": "ffff"}), 0.6: board({"a": "1000", "b": "1100"})},
        items=FOUR,
        base=0.6,
        settings=WRONG,
    )
    assert found.warnings == (
        "not ranked at a threshold where verdicts are missing or none counts: b",
    )


def test_thresholds_ranked_by_the_worst_case_say_so():
    found = threshold_ablation(
        {0.5: board({"a": "11n0"}), 0.6: board({"a": "1000"})},
        items=FOUR,
        base=0.6,
        settings=Settings(policy="bounds"),
    )
    assert any("ranks order the worst case" in text for text in found.warnings)
