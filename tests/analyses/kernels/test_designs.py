"""Samples with known inclusion probabilities."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.analyses.kernels.designs import (
    Allocation,
    Stratum,
    allocate,
    draw,
    joint_probabilities,
    planned_variance,
    simple,
    spread_of_share,
    stratum_sizes,
)
from finassay.errors import UsageError
from reference import few_labels as textbook

sizes = st.dictionaries(st.sampled_from("abcdef"), st.integers(1, 40), min_size=1)
rules: st.SearchStrategy[Allocation] = st.sampled_from(["equal", "proportional", "neyman"])


@given(sizes=sizes, rule=rules, share=st.floats(0, 1), least=st.integers(1, 4), data=st.data())
@settings(deadline=None)
def test_an_allocation_spends_exactly_the_labels_within_every_stratum(
    sizes: dict[str, int], rule: Allocation, share: float, least: int, data: st.DataObject
):
    certain = data.draw(st.sets(st.sampled_from(sorted(sizes))))
    spreads = {name: data.draw(st.floats(0, 1)) for name in sizes}
    needed = sum(n if name in certain else min(least, n) for name, n in sizes.items())
    total = needed + round(share * (sum(sizes.values()) - needed))
    found = allocate(sizes, total=total, rule=rule, spreads=spreads, least=least, certain=certain)
    assert [one.name for one in found] == list(sizes)
    assert sum(one.take for one in found) == total
    for one in found:
        assert min(least, one.size) <= one.take <= one.size == sizes[one.name]
        assert one.is_certain or one.name not in certain


@pytest.mark.parametrize("total", [6, 9, 14])
def test_neyman_allocation_has_the_smallest_variance_of_all_allocations(total: int):
    sizes = {"a": 12, "b": 5, "c": 20}
    spreads = {"a": 0.1, "b": 0.5, "c": 0.3}

    def variance(takes: tuple[int, ...]) -> float:
        strata = [
            Stratum(name=k, size=n, take=t) for (k, n), t in zip(sizes.items(), takes, strict=True)
        ]
        return planned_variance(strata, spreads)

    every = product(*(range(2, n + 1) for n in sizes.values()))
    best = min(variance(takes) for takes in every if sum(takes) == total)
    found = allocate(sizes, total=total, rule="neyman", spreads=spreads)
    assert planned_variance(found, spreads) == pytest.approx(best, rel=1e-12)


def test_proportional_and_equal_allocations_are_what_they_say():
    sizes = {"a": 100, "b": 300, "c": 600}
    assert [one.take for one in allocate(sizes, total=50)] == [5, 15, 30]
    assert [one.take for one in allocate(sizes, total=51, rule="equal")] == [17, 17, 17]


def test_the_planned_variance_is_the_variance_over_all_samples():
    values = [Fraction(v) for v in (0, 1, 1, 0, 0, 1, 1)]
    strata = list("aaaabbb")
    takes = {"a": 2, "b": 2}
    means = [
        sum(
            Fraction(strata.count(name), 7)
            * textbook.mean([values[i] for i in sample if strata[i] == name])
            for name in takes
        )
        for sample in textbook.all_samples(strata, takes)
    ]
    spreads = {"a": math.sqrt(1 / 3), "b": math.sqrt(1 / 3)}
    plan = [Stratum(name="a", size=4, take=2), Stratum(name="b", size=3, take=2)]
    assert planned_variance(plan, spreads) == pytest.approx(float(textbook.variance_over(means)))


def test_joint_probabilities_are_those_of_counting_all_samples():
    strata, takes = list("aaaabb"), {"a": 2, "b": 1}
    plan = [Stratum(name="a", size=4, take=2), Stratum(name="b", size=2, take=1)]
    drawn = draw([f"u{i}" for i in range(6)], strata, plan, seed=3)
    joint = joint_probabilities(drawn, plan)
    for row, i in enumerate(drawn.places):
        for column, j in enumerate(drawn.places):
            expected = textbook.joint_inclusion(strata, takes, i, j)
            assert joint[row, column] == pytest.approx(float(expected))
    chances = textbook.inclusion(strata, takes)
    assert drawn.probabilities == pytest.approx([float(chances[i]) for i in drawn.places])


def test_every_unit_is_drawn_as_often_as_its_probability_says():
    ids, runs = [f"unit {i}" for i in range(12)], 3000
    strata = ["x"] * 8 + ["y"] * 4
    plan = [Stratum(name="x", size=8, take=2), Stratum(name="y", size=4, take=3)]
    counts = np.zeros(12)
    for seed in range(runs):
        counts[list(draw(ids, strata, plan, seed=seed).places)] += 1
    for count, chance in zip(counts, [0.25] * 8 + [0.75] * 4, strict=True):
        assert abs(count / runs - chance) < 5 * math.sqrt(chance * (1 - chance) / runs)


def test_a_draw_depends_on_seed_and_ids_alone_and_grows_with_the_labels():
    ids = [f"q{i}" for i in range(50)]
    first = {ids[at] for at in simple(ids, total=10, seed=7).places}
    turned = list(reversed(ids))
    assert {turned[at] for at in simple(turned, total=10, seed=7).places} == first
    assert first < {ids[at] for at in simple(ids, total=20, seed=7).places}
    assert first != {ids[at] for at in simple(ids, total=10, seed=8).places}


def test_a_plan_that_does_not_fit_the_units_is_refused():
    plan = [Stratum(name="a", size=3, take=1)]
    with pytest.raises(UsageError, match="strata of the plan and of the units differ"):
        draw(["u", "v"], ["a", "a"], plan, seed=0)
    with pytest.raises(UsageError, match="ids of their own"):
        draw(["u", "u", "v"], ["a", "a", "a"], plan, seed=0)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"total": 3}, "3 labels are too few: 0 units are in strata that are drawn whole"),
        ({"total": 31}, "there are 30 units, got `total` 31"),
        ({"certain": ["z"]}, "no stratum is called 'z'"),
        ({"rule": "neyman"}, "needs the spread of every stratum"),
        ({"rule": "neyman", "spreads": {"a": 1.0, "b": -1.0}}, "must be 0 or more, got -1.0"),
        ({"rule": "best"}, "must be one of equal, proportional, neyman, got 'best'"),
        ({"least": 0}, "`least` must be 1 or more"),
        ({"sizes": {"a": 0}}, "stratum 'a' must hold at least one unit"),
    ],
)
def test_an_allocation_that_cannot_be_says_why(change: dict[str, object], message: str):
    asked = {"sizes": {"a": 10, "b": 20}, "total": 8, **change}
    with pytest.raises(UsageError, match=message):
        allocate(asked.pop("sizes"), **asked)


def test_a_stratum_of_which_nothing_is_drawn_is_refused():
    with pytest.raises(UsageError, match="of which 1 to 5 can be drawn, got 0"):
        Stratum(name="a", size=5, take=0)


def test_the_spread_of_a_pilot_without_errors_is_not_zero():
    assert spread_of_share() == 0.5
    assert spread_of_share(0, 8) == pytest.approx(0.3)
    with pytest.raises(ValueError, match=r"must be in \[0, n\]"):
        spread_of_share(3, 2)


def test_sizes_are_counted_by_name():
    assert stratum_sizes(["b", "a", "b"]) == {"a": 1, "b": 2}
