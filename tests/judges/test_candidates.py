"""Answers with the conversation before them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from finassay.errors import UsageError
from finassay.judges.candidates import Candidate, Pair, candidates_of, earlier_items, place_of
from finassay.records import Item
from judge_samples import FEE, LATER, candidate, said


@pytest.mark.parametrize(
    ("item", "place"),
    [
        (Item(item_id="101"), ("101", 1)),
        (Item(item_id="101~turn2"), ("101", 2)),
        (Item(item_id="x~turn3", strata=(("turn", "3"),)), ("x", 3)),
        (Item(item_id="q7", strata=(("conversation", "c"), ("turn", "2"))), ("c", 2)),
        (Item(item_id="q7", strata=(("conversation", "c"), ("turn", "last"))), ("c", 1)),
        (Item(item_id="~turn2"), ("~turn2", 1)),
    ],
)
def test_an_item_says_its_place_by_strata_or_id(item: Item, place: tuple[str, int]):
    assert place_of(item) == place


def test_a_later_turn_comes_with_the_same_systems_answers_of_the_same_trial():
    predictions = [
        said(FEE, "one", "s1"),
        said(FEE, "other", "s2"),
        replace(said(FEE, "again", "s1"), trial=1),
        replace(said(LATER, "then", "s1"), trial=1),
        said(LATER, "alone", "s3"),
    ]
    found = candidates_of([LATER, FEE], predictions)
    assert [one.text for one in found] == ["one", "other", "again", "then", "alone"]
    assert found[0].history == ()
    assert (found[3].turn, found[3].history[0].item, found[3].history[0].answer) == (
        2,
        FEE,
        "again",
    )
    assert found[4].history[0].answer == ""


def test_conversations_of_two_benchmarks_are_not_mixed():
    other = replace(FEE, benchmark="other")
    assert earlier_items(LATER, [other, LATER]) == ()
    assert earlier_items(LATER, [FEE, LATER]) == (FEE,)


def test_predictions_to_unknown_items_are_no_candidates():
    assert candidates_of([FEE], [said(LATER, "x")]) == ()


def test_an_answer_is_not_judged_with_another_item():
    with pytest.raises(UsageError, match="the item is 'fee', the answer is to 'fee~turn2'"):
        Candidate(item=FEE, prediction=said(LATER, "x"))


def test_pairs_are_two_answers_to_one_item():
    one = candidate()
    with pytest.raises(UsageError, match="a pair needs two answers, got one of item 'fee' twice"):
        Pair(left=one, right=one)
    with pytest.raises(UsageError, match="answers of a pair are to one item"):
        Pair(left=one, right=candidate(item=LATER))
    with pytest.raises(UsageError, match="come after the same turns, got 1 and 0 turns"):
        Pair(left=candidate(item=LATER, past="15"), right=candidate(item=LATER, system="s2"))
