"""Rules that agree with people: kappas as the textbook has them, and what is then left."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from finassay.analyses.multiverse.analysis import MultiverseSettings, analyse_multiverse
from finassay.analyses.multiverse.board import board_of
from finassay.analyses.multiverse.floor import PeopleLabels, rule_kappas
from finassay.errors import UsageError
from finassay.marking.multiverse.codes import RIGHT, WRONG
from finassay.records import Item
from multiverse_samples import grid, multiverse, with_right


def people(labels: np.ndarray, systems: tuple[str, ...] = ("A", "B")) -> PeopleLabels:
    return PeopleLabels(
        name="person/x",
        items=tuple(f"q{n}" for n in range(len(labels))),
        systems=systems,
        labels=labels.astype(np.int8),
    )


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 10_000))
def test_the_kappa_of_a_rule_is_cohens_over_the_labelled_replies(seed: int):
    rng = np.random.default_rng(seed)
    codes = np.where(rng.random((3, 12, 2)) < 0.6, RIGHT, WRONG)
    labels = rng.integers(-1, 2, (12, 2))
    found = rule_kappas(board_of(multiverse(codes, over=grid(3))), people(labels))
    known = labels >= 0
    for at in range(3):
        said, rule = labels[known], (codes[at] == RIGHT)[known].astype(int)
        both_constant = len(set(said)) == 1 and set(said) == set(rule)
        if len(said) == 0 or both_constant:
            assert np.isnan(found[at])
        else:
            assert found[at] == pytest.approx(cohen_kappa_score(rule, said), abs=1e-12)


def test_dropping_rules_that_people_contradict_tightens_the_conclusions():
    # People agree with the first rule; the third turns the order over.
    codes = with_right([[8, 4], [7, 4], [3, 6]], items=10)
    labels = (codes[0] == RIGHT).astype(int)
    found = analyse_multiverse(
        multiverse(codes, over=grid(3)),
        items=[Item(item_id=f"q{n}") for n in range(10)],
        settings=MultiverseSettings(draws=100, floor=0.6),
        people=people(labels),
    )
    floor = found.floor
    assert floor is not None
    assert floor.kappas[0] == pytest.approx(1.0)
    assert (floor.n_kept, floor.n_labels) == (2, 20)
    assert (floor.before.n_held, floor.after.n_held) == (0, 1)
    assert (floor.before.mean_rank_range, floor.after.mean_rank_range) == (1.0, 0.0)
    assert floor.after.robust.edges == (("A", "B"),)
    assert floor.after.leaders == (("A", 1.0),)
    name, accuracy, rank = floor.ranges_after[0]
    assert (name, accuracy.low, accuracy.high, rank.high) == ("A", 0.7, 0.8, 1.0)


def test_a_floor_that_no_rule_reaches_leaves_nothing():
    codes = with_right([[8, 4], [7, 4]], items=10)
    found = analyse_multiverse(
        multiverse(codes, over=grid(2)),
        items=[Item(item_id=f"q{n}") for n in range(10)],
        settings=MultiverseSettings(draws=100, floor=1.0),
        people=people((codes[0] != RIGHT).astype(int)),
    )
    assert (found.floor.n_kept, found.floor.after, found.floor.ranges_after) == (0, None, ())


def test_labels_of_other_items_and_systems_are_passed_over():
    codes = with_right([[1, 1]], items=2)
    foreign = PeopleLabels(
        name="p", items=("q1", "z"), systems=("B", "Z"), labels=np.ones((2, 2), dtype=np.int8)
    )
    board = board_of(multiverse(codes, over=grid(1)))
    assert np.isnan(rule_kappas(board, foreign)[0]) or rule_kappas(board, foreign)[0] == 0.0


def test_a_floor_needs_labels():
    codes = with_right([[1, 1]], items=2)
    with pytest.raises(UsageError, match="needs labels of people"):
        analyse_multiverse(
            multiverse(codes, over=grid(1)),
            items=[Item(item_id="q0"), Item(item_id="q1")],
            settings=MultiverseSettings(draws=100, floor=0.6),
        )
