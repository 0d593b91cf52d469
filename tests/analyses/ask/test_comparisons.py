"""What holds for comparisons between systems."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ask_samples import percents
from finassay.analyses.ask.comparisons import (
    ask_ranks,
    competition_ranks,
    cost_curves,
    metric_correlations,
    near_pairs,
    recall_asymmetry,
)
from finassay.analyses.ask.metrics import Exact, policies

QUIET = settings(deadline=None, max_examples=60)
HUNDREDTHS = st.integers(0, 10_000).map(lambda k: str(Fraction(k, 100)))


@st.composite
def boards(draw: st.DrawFn) -> dict[str, Exact]:
    return {
        name: percents(
            AskR=draw(HUNDREDTHS),
            ProceedR=draw(HUNDREDTHS),
            BAcc=draw(HUNDREDTHS),
            ERA=draw(HUNDREDTHS),
        )
        for name in "abcde"[: draw(st.integers(1, 5))]
    }


def test_a_pair_exactly_at_the_distance_is_near():
    # In binary 55.69 - 55.59 is 0.0999... or 0.1000...1 by luck; on digits it is 0.1.
    systems = {
        "a": percents(BAcc="55.69", ERA="60"),
        "b": percents(BAcc="55.59", ERA="40"),
        "c": percents(BAcc="55.58", ERA="10"),
    }
    found = near_pairs(systems)
    assert (found.n_pairs, found.n_all) == (2, 3)
    assert found.largest is not None
    assert (found.largest.high, found.largest.low) == ("b", "c")
    assert found.largest.era_difference == pytest.approx(0.3)


def test_without_near_pairs_there_is_no_largest():
    found = near_pairs({"a": percents(BAcc="1", ERA="1"), "b": percents(BAcc="9", ERA="1")})
    assert (found.n_pairs, found.largest) == (0, None)


@given(boards())
@QUIET
def test_the_largest_difference_is_that_of_a_plain_search(systems: dict[str, Exact]):
    far = [
        abs(systems[a]["ERA"] - systems[b]["ERA"])
        for a, b in combinations(systems, 2)
        if abs(systems[a]["BAcc"] - systems[b]["BAcc"]) <= Fraction(1, 4)
    ]
    found = near_pairs(systems, within=Fraction(1, 4))
    assert found.n_pairs == len(far)
    assert (found.largest is None) == (not far)
    if found.largest is not None:
        assert found.largest.era_difference == float(max(far))


def test_a_gap_at_the_threshold_is_not_above_it():
    systems = {
        "a": percents(AskR="70.00", ProceedR="50.00"),
        "b": percents(AskR="70.01", ProceedR="50.00"),
        "c": percents(AskR="10", ProceedR="50"),
    }
    found = recall_asymmetry(systems)
    assert (found.n, found.n_above, found.n_ask_higher) == (3, 1, 2)
    assert found.median_gap == 0.2
    assert [name for name, _ in found.gaps] == ["b", "a", "c"]


def test_without_systems_there_is_no_median():
    assert recall_asymmetry({}).median_gap is None


def test_ties_share_the_better_rank_and_the_next_is_left_out():
    systems = {name: percents(ERA=value) for name, value in zip("abcd", "5971", strict=True)}
    systems["e"] = percents(ERA="7")
    systems["f"] = percents()
    assert competition_ranks(systems, "ERA") == {"a": 4, "b": 1, "c": 2, "d": 5, "e": 2}


def test_a_system_that_never_asks_has_no_rank_by_cra():
    systems = {"a": percents(BAcc="50", ERA="0"), "b": percents(BAcc="60", ERA="9", CRA="30")}
    by_name = {row.system: row for row in ask_ranks(systems)}
    assert (by_name["a"].cra, by_name["b"].cra) == (None, 1)
    assert (by_name["a"].era, by_name["a"].bacc) == (2, 2)


def test_correlations_are_over_the_systems_that_have_both():
    systems = {
        "a": percents(BAcc="1", ERA="1", CRA="3"),
        "b": percents(BAcc="2", ERA="2", CRA="2"),
        "c": percents(BAcc="3", ERA="3"),
    }
    found = {(one.left, one.right): one for one in metric_correlations(systems)}
    assert (found["BAcc", "ERA"].rho, found["BAcc", "ERA"].n) == (1.0, 3)
    assert (found["BAcc", "CRA"].rho, found["BAcc", "CRA"].n) == (-1.0, 2)
    assert found["AskR", "ERA"].rho is None


def test_two_policies_cross_where_both_errors_cost_the_same():
    # With 3 ask and 1 proceed state, asking costs (1 - p) / 4 and going on 3 p / 4: p = 1/4.
    found = cost_curves(policies(3, 1), Fraction(3, 4), "action")
    assert [(one.low, one.high, one.systems) for one in found.segments] == [
        (0.0, 0.25, ("Always-Proceed",)),
        (0.25, 1.0, ("Always-Ask",)),
    ]


def test_policies_have_no_line_where_a_miss_is_an_unmet_need():
    systems = {**policies(3, 1), "a": percents(AskR="50", ProceedR="50", ERA="25")}
    found = cost_curves(systems, Fraction(3, 4), "evidence")
    assert [(line.system, line.if_misses_only) for line in found.lines] == [("a", 0.5625)]


@given(boards(), st.fractions(0, 1))
@QUIET
def test_no_system_is_cheaper_than_the_one_named_for_a_price(
    systems: dict[str, Exact], price: Fraction
):
    found = cost_curves(systems, Fraction(2, 3), "action")

    def cost(name: str, at: Fraction) -> Fraction:
        one = systems[name]
        missed = Fraction(2, 3) * (1 - one["AskR"])
        return at * missed + (1 - at) * Fraction(1, 3) * (1 - one["ProceedR"])

    assert found.segments[0].low == 0.0
    assert found.segments[-1].high == 1.0
    segment = next(one for one in found.segments if one.low <= price <= one.high)
    least = min(cost(name, price) for name in systems)
    # Ends of segments are stored as floats.
    assert all(cost(name, price) - least < Fraction(1, 10**12) for name in segment.systems)


def test_without_systems_there_are_no_segments():
    assert cost_curves({}, Fraction(1, 2), "action").segments == ()
