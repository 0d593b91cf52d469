"""A multiverse analysed: worked by hand on three systems, and against loops on drawn ones."""

import itertools
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.analyses.multiverse.analysis import MultiverseSettings, analyse_multiverse
from finassay.analyses.results import to_jsonable
from finassay.analyses.results_multiverse import Ends, MultiverseResult, PairShare
from finassay.errors import UsageError
from finassay.marking.multiverse.codes import RIGHT, SILENT, WRONG
from finassay.records import Item
from finassay.scorers.registry import load_scorer
from multiverse_samples import grid, multiverse, with_right

FEW = MultiverseSettings(draws=100)


def items_of(count: int, **more: object) -> list[Item]:
    return [Item(item_id=f"q{n}", **more) for n in range(count)]


def analysed(
    counts: Sequence[Sequence[int]], *sizes: int, items: int = 10, weights: Sequence[float] = ()
) -> MultiverseResult:
    """Return the result of rules under which system j is right on the first counts[r][j] items."""
    found = multiverse(with_right(counts, items=items), over=grid(*sizes, weights=weights))
    return analyse_multiverse(found, items=items_of(items), study="s", settings=FEW)


def pair(found: MultiverseResult, above: str, below: str) -> PairShare:
    return next(p for p in found.pairs if (p.above, p.below) == (above, below))


# Rules in grid order: (whole, token_set), (whole, includes), (final, token_set), (final, includes).
FOUR = [[9, 5, 1], [6, 7, 1], [8, 4, 2], [8, 5, 3]]


def test_accuracy_and_rank_of_each_rule_stand_in_the_table():
    found = analysed(FOUR, 2, 2)
    assert found.systems == ("A", "B", "C")
    assert found.accuracy == ((0.9, 0.5, 0.1), (0.6, 0.7, 0.1), (0.8, 0.4, 0.2), (0.8, 0.5, 0.3))
    assert found.ranks == ((1, 2, 3), (2, 1, 3), (1, 2, 3), (1, 2, 3))
    assert (found.n_rules, found.n_distinct, found.n_pruned, found.base) == (4, 4, 0, 0)


def test_ranges_span_the_rules():
    a, b, c = analysed(FOUR, 2, 2).ranges
    assert (a.rule_accuracy, a.rule_rank) == (Ends(low=0.6, high=0.9), Ends(low=1.0, high=2.0))
    assert (b.rule_accuracy, b.rule_rank) == (Ends(low=0.4, high=0.7), Ends(low=1.0, high=2.0))
    assert (c.rule_accuracy, c.rule_rank) == (Ends(low=0.1, high=0.3), Ends(low=3.0, high=3.0))
    assert (a.lowest_rule, a.highest_rule) == (1, 0)
    assert a.rank_shares == pytest.approx((0.75, 0.25, 0.0))


def test_both_uncertainties_together_are_wider_than_either():
    for row in analysed(FOUR, 2, 2).ranges:
        for part in ("accuracy", "rank"):
            both = getattr(row, f"both_{part}")
            for other in (getattr(row, f"rule_{part}"), getattr(row, f"sampling_{part}")):
                assert both.low <= other.low <= other.high <= both.high


def test_shares_of_a_pair_count_rules_and_plausibility():
    found = analysed(FOUR, 2, 2, weights=(3.0, 1.0))
    above, below = pair(found, "A", "B"), pair(found, "B", "A")
    assert (above.n_above, above.n_tied, above.n_rules) == (3, 0, 4)
    assert (above.share, below.share) == (0.75, 0.25)
    assert above.weighted_share == pytest.approx(3 / 8 + 1 / 8 + 1 / 8)
    assert above.weighted_share + below.weighted_share == pytest.approx(1.0)
    assert (above.least, above.most) == pytest.approx((-0.1, 0.4))
    assert above.base == pytest.approx(0.4)
    assert found.is_weighted


def test_a_pair_is_significant_where_mcnemar_says_so():
    found = analysed(FOUR, 2, 2)
    # A and C differ on 8, 5, 6 and 5 items, all one way: p = 2 / 2^n, so below .05 from n = 6 on.
    assert pair(found, "A", "C").n_significant == 2
    assert pair(found, "C", "A").n_significant == 0
    assert pair(found, "A", "B").n_significant == 0


def test_the_order_that_holds_under_every_rule_is_reduced_to_its_lines():
    every, clear, _ = analysed(FOUR, 2, 2).orders
    assert every.edges == (("A", "C"), ("B", "C"))
    assert every.levels == (("A", "B"), ("C",))
    assert every.open_pairs == (("A", "B"),)
    assert (every.n_held, every.n_pairs) == (2, 3)
    assert clear.n_held == 0


def test_an_order_of_plausible_rules_needs_the_declared_share():
    rules = [[9, 5, 1]] * 3 + [[4, 5, 1]]
    codes = with_right(rules, items=10)
    for share, lines in ((0.75, (("A", "B"), ("B", "C"))), (0.8, (("A", "C"), ("B", "C")))):
        given_share = MultiverseSettings(draws=100, plausible=share)
        found = analyse_multiverse(
            multiverse(codes, over=grid(2, 2)), items=items_of(10), settings=given_share
        )
        assert found.orders[2].edges == lines


def test_what_moves_the_score_is_the_choice_that_does():
    # Only the second dimension moves anything: A by 4 items, B by 2.
    found = analysed([[8, 5, 1], [4, 7, 1], [8, 5, 1], [4, 7, 1]], 2, 2)
    effects = {effect.dimensions: effect for effect in found.decomposition.effects}
    assert effects["matcher",].accuracy == pytest.approx(1.0)
    assert effects["matcher",].rank == pytest.approx(1.0)
    assert effects["passage",].accuracy == pytest.approx(0.0)
    assert effects["passage", "matcher"].accuracy == pytest.approx(0.0)
    assert effects["matcher",].accuracy_range == pytest.approx((0.4 + 0.2 + 0.0) / 3)
    assert effects["matcher",].by_system[2] == (None, None)
    assert found.decomposition.accuracy_left == pytest.approx(0.0)
    assert [d.moves_verdicts for d in found.dimensions] == [False, True]
    assert found.n_distinct == 2


def test_means_by_choice_are_over_the_rules_that_make_it():
    found = analysed(FOUR, 2, 2)
    means = {(m.dimension, m.choice): m.accuracy for m in found.decomposition.choices}
    assert means["passage", "whole"] == pytest.approx((0.75, 0.6, 0.1))
    assert means["matcher", "includes"] == pytest.approx((0.7, 0.6, 0.2))


def test_the_nearest_rule_that_turns_a_pair_over_has_the_fewest_changes():
    found = analysed(FOUR, 2, 2)
    leader = found.flips[0]
    assert (leader.kind, leader.above, leader.below) == ("leader", "A", "B")
    assert (leader.n_changes, leader.rules, leader.n_rules) == (1, (1,), 1)
    assert [(c.dimension, c.base, c.other) for c in leader.changes] == [
        ("matcher", "token_set", "includes")
    ]
    assert leader.difference == pytest.approx(-0.1)
    never = [f for f in found.flips if f.kind == "pair" and f.below == "C"]
    assert [(f.n_changes, f.rules, f.changes) for f in never] == [(None, (), ())] * 2


def test_ties_of_the_nearest_rules_are_listed_with_the_plausible_ones_first():
    rules = [[9, 5], [5, 9], [5, 9], [9, 5]]
    found = analysed(rules, 2, 2, weights=(1.0, 3.0))
    assert (found.flips[0].n_changes, found.flips[0].rules) == (1, (2, 1))


def test_a_leader_that_no_rule_dethrones_has_no_flip():
    found = analysed([[9, 5], [9, 6]], 2)
    assert found.flips[0].n_changes is None
    assert found.flips[0].below == ""
    assert found.conclusions.leaders == (("A", 1.0),)


def test_rules_can_be_replayed_and_know_their_like():
    found = analysed([[9, 5], [9, 5], [4, 5]], 3)
    assert [row.n_alike for row in found.rules] == [2, 2, 1]
    assert [row.verdicts for row in found.rules] == [0, 0, 1]
    assert [row.n_changes for row in found.rules] == [0, 1, 1]
    assert load_scorer(found.rules[1].rule_id).passage == "final"
    assert sum(row.weight for row in found.rules) == pytest.approx(1.0)


def test_a_system_with_gaps_is_not_ranked():
    found = multiverse(with_right([[3, 2, 1]], items=4), over=grid(1))
    present = found.present.copy()
    present[0, 1] = False
    gappy = type(found)(
        **{
            name: getattr(found, name)
            for name in ("grid", "cells", "items", "systems", "sheets", "sheet")
        },
        present=present,
        unjudged=("C",),
    )
    with pytest.raises(UsageError, match="1 of 3 did"):
        analyse_multiverse(gappy, items=items_of(4), settings=FEW)


def test_a_rule_that_leaves_a_system_nothing_to_count_gives_no_rank_there():
    codes = with_right([[3, 2], [3, 2]], items=4)
    codes[1, :, 1] = SILENT
    over = grid(2).with_unscored("exclude")
    found = analyse_multiverse(multiverse(codes, over=over), items=items_of(4), settings=FEW)
    assert found.accuracy[1] == (0.75, None)
    assert found.ranks[1] == (1.0, None)
    assert pair(found, "A", "B").n_rules == 1
    assert "1 rule with a system that has nothing to count" in " ".join(found.warnings)
    unranked = found.decomposition.choices[1]
    assert unranked.accuracy == unranked.rank == (None, None)
    to_jsonable(found)


def test_clusters_are_drawn_as_wholes():
    codes = with_right([[6, 3]], items=12)
    found = multiverse(codes, over=grid(1))
    own = [Item(item_id=f"q{n}", documents=("d",) if n < 6 else ("e",)) for n in range(12)]
    settings_ = MultiverseSettings(draws=400, cluster=("documents",))
    by_document = analyse_multiverse(found, items=own, settings=settings_)
    assert by_document.ranges[0].sampling_accuracy == Ends(low=0.0, high=1.0)
    assert by_document.resampled == "documents"
    assert "only 2 clusters (documents) to draw from" in by_document.warnings[-1]
    assert pair(by_document, "A", "B").n_significant == 0


def test_the_same_seed_gives_the_same_result_and_another_seed_does_not():
    found = multiverse(with_right([[60, 55]], items=100), over=grid(1))
    results = [
        analyse_multiverse(
            found, items=items_of(100), settings=MultiverseSettings(draws=150, seed=seed)
        )
        for seed in (1, 1, 2)
    ]
    assert results[0] == results[1]
    assert results[0].ranges != results[2].ranges


def test_equal_rules_have_no_variance_to_share():
    found = analysed([[5, 3], [5, 3]], 2)
    assert found.decomposition.effects[0].accuracy is None
    assert found.decomposition.accuracy_left is None
    assert found.decomposition.accuracy_sd == 0.0


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 10_000))
def test_shares_robust_pairs_and_flips_are_those_of_plain_loops(seed: int):
    rng = np.random.default_rng(seed)
    codes = np.where(rng.random((6, 7, 3)) < 0.5, RIGHT, WRONG)
    made = multiverse(codes, over=grid(3, 2))
    found = analyse_multiverse(made, items=items_of(7), settings=FEW)
    where = {name: "ABC".index(name) for name in found.systems}
    right = (codes == RIGHT).sum(axis=1)
    for one in found.pairs:
        i, j = where[one.above], where[one.below]
        wins = [rule for rule in range(6) if right[rule, i] > right[rule, j]]
        assert one.n_above == len(wins)
        held = (one.above, one.below) in set(found.orders[0].edges)
        assert not held or len(wins) == 6
    changes = [rule.n_changes for rule in found.rules]
    for flip in (f for f in found.flips if f.kind == "pair"):
        i, j = where[flip.above], where[flip.below]
        does = [r for r in range(6) if right[r, j] > right[r, i]]
        nearest = min((changes[r] for r in does), default=None)
        assert flip.n_changes == nearest
        assert set(flip.rules) == {r for r in does if changes[r] == nearest}


@settings(deadline=None, max_examples=20)
@given(st.permutations(range(3)), st.integers(0, 1000))
def test_the_order_of_systems_does_not_matter(order: list[int], seed: int):
    rng = np.random.default_rng(seed)
    codes = np.where(rng.random((4, 8, 3)) < 0.6, RIGHT, WRONG)
    over, names = grid(2, 2), ["A", "B", "C"]
    results = [
        analyse_multiverse(
            multiverse(codes[:, :, kept], over=over, systems=[names[k] for k in kept]),
            items=items_of(8),
            settings=FEW,
        )
        for kept in (list(range(3)), list(order))
    ]
    assert results[0] == results[1]


@pytest.mark.parametrize(
    ("given_values", "message"),
    [
        ({"level": 95}, r"`level` must be in \(0, 1\), got 95"),
        ({"alpha": 0.0}, r"`alpha` must be in \(0, 1\)"),
        ({"plausible": 0.5}, r"`plausible` must be in \(0.5, 1\]"),
        ({"draws": 10}, "`draws` must be at least 100"),
        ({"seed": -1}, "`seed` 0 or more"),
        ({"floor": 2.0}, r"`floor` must be a kappa in \[-1, 1\]"),
    ],
)
def test_settings_out_of_range_are_refused(given_values: dict[str, float], message: str):
    with pytest.raises(UsageError, match=message):
        MultiverseSettings(**given_values)


def test_every_number_of_pairs_is_listed_once():
    found = analysed([[3, 2, 1]], 1)
    assert [(p.above, p.below) for p in found.pairs] == list(itertools.permutations("ABC", 2))
