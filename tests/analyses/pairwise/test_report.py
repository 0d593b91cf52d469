"""What a file of pairwise judgments says of its judges."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.analyses.pairwise.decisions import decided, flipped
from finassay.analyses.pairwise.report import pairwise_report
from finassay.analyses.pairwise.results import PairwiseAccuracy, PairwiseJudge
from finassay.errors import UsageError
from finassay.runs.pairwise import JudgedPair, OneOrder, Winner, read_pairs
from real_data import data_root
from reference import pairwise as slow

DECISIONS = st.sampled_from(["left", "right", "tie", None])


def pair(
    first: Winner | None,
    second: Winner | None,
    *,
    label: Winner | None = "left",
    name: str = "p",
    source: str = "",
    replies: tuple[str | None, str | None] = (None, None),
) -> JudgedPair:
    """Return a pair whose decisions are in terms of the pair."""
    return JudgedPair(
        pair_id=name,
        judge="j",
        label=label,
        source=source,
        orders=(
            OneOrder(order="left_first", winner=first, reply=replies[0]),
            OneOrder(order="right_first", winner=second, reply=replies[1]),
        ),
    )


def judge_of(*pairs: JudgedPair) -> PairwiseJudge:
    (judge,) = pairwise_report(pairs, file="f").judges
    return judge


def accuracy(judge: PairwiseJudge, rule: str, decisions: str = "stored") -> PairwiseAccuracy:
    (found,) = (
        one
        for one in judge.accuracy
        if (one.rule, one.decisions, one.source) == (rule, decisions, "")
    )
    return found


@settings(deadline=None)
@given(st.sampled_from(["left", "right"]), DECISIONS, DECISIONS)
def test_the_sum_rule_is_that_of_its_definition(
    label: str, first: Winner | None, second: Winner | None
):
    # The slow twin takes positions, so the second decision is turned back first.
    position = None if second is None else flipped(second)
    expected = slow.sum_rule(label, first, position)
    winner = decided([first, second], "sum")
    got = "right" if winner == label else "level" if winner in {None, "tie"} else "wrong"
    assert got == expected


@pytest.mark.parametrize(
    ("first", "second", "by_sum", "by_both"),
    [
        ("left", "left", "left", "left"),
        ("left", "right", "tie", "tie"),
        ("left", "tie", "left", "tie"),
        ("tie", "tie", "tie", "tie"),
        ("left", None, "left", "tie"),
        (None, None, None, None),
    ],
)
def test_two_orders_make_one_decision(
    first: Winner | None, second: Winner | None, by_sum: str | None, by_both: str | None
):
    assert decided([first, second], "sum") == by_sum
    assert decided([first, second], "both orders") == by_both


def test_a_single_order_decides_by_sum_and_confirms_nothing():
    assert decided(["left"], "sum") == "left"
    assert decided(["left"], "both orders") == "tie"


def test_accuracy_keeps_undecided_pairs_in_the_denominator():
    judge = judge_of(
        pair("left", "left", name="a"),
        pair("left", "tie", name="b"),
        pair("left", "right", name="c"),
        pair("right", "right", name="d"),
        pair(None, None, name="e"),
    )
    found = accuracy(judge, "sum")
    assert (found.right.k, found.right.n) == (2, 5)
    assert (found.n_tied, found.n_wrong, found.n_unread) == (1, 1, 1)
    both = accuracy(judge, "both orders")
    assert (both.right.k, both.n_tied, both.n_wrong, both.n_unread) == (1, 2, 1, 1)
    assert (judge.n_decisions, judge.n_missing) == (8, 2)


def test_accuracy_is_cut_by_source():
    judge = judge_of(
        pair("left", "left", name="a", source="x"), pair("right", "right", name="b", source="y")
    )
    shares = {one.source: one.right.rate for one in judge.accuracy if one.rule == "sum"}
    assert shares == {"": 0.5, "x": 1.0, "y": 0.0}


def test_the_order_effect_counts_pairs_and_leans():
    judge = judge_of(
        pair("left", "left", name="a"),
        pair("tie", "tie", name="b"),
        pair("left", "right", name="c"),
        pair("left", "right", name="d"),
        pair("right", "left", name="e"),
        pair("left", "tie", name="f"),
        pair("left", None, name="g"),
    )
    found = judge.order
    assert (found.consistent.k, found.consistent.n) == (2, 6)
    assert (found.n_same_answer, found.n_reversed, found.n_half_tied) == (1, 3, 1)
    assert found.n_one_sided == 1
    # First: left in the first order and right in the second; a, c, c, d, d, f, g of 10 decisions.
    assert (found.first.k, found.first.n) == (7, 10)
    assert (found.n_lean_first, found.n_lean_second) == (3, 1)
    # Two-sided binomial: 2 (C(4,0) + C(4,1)) / 16.
    assert found.p == pytest.approx(10 / 16)


def test_decisions_are_derived_from_replies():
    judge = judge_of(
        pair("left", "left", name="a", replies=("[[A>>B]]", "[[B>A]]")),
        pair("left", None, name="b", replies=("A is fine.", "[[A>B]]")),
        pair("left", "left", name="c", replies=("[[B>A]]", "[[B>A]]")),
    )
    found = judge.rederived
    assert (found.read_from, found.n, found.n_same) == ("replies", 6, 3)
    assert (found.n_no_verdict, found.n_not_stored, found.n_differ) == (1, 1, 1)
    told = [(one.pair_id, one.order, one.stored, one.derived) for one in found.differences]
    assert told == [
        ("b", "left_first", "left", None),
        ("b", "right_first", None, "right"),
        ("c", "left_first", "left", "right"),
    ]
    derived = accuracy(judge, "sum", "derived")
    assert (derived.right.k, derived.n_tied, derived.n_wrong) == (1, 1, 1)


def test_replies_with_single_letters_are_read_with_the_menu_of_two():
    judge = judge_of(pair("left", "left", replies=("[[A]]", "My verdict: [[B]]")))
    assert (judge.rederived.n_same, judge.rederived.menu) == (2, "A, tie, B")


def test_equal_scores_are_a_convention_and_no_difference():
    scored = JudgedPair(
        pair_id="p",
        judge="j",
        label="left",
        source="",
        orders=(
            OneOrder(order="left_first", winner="right", scores=(1.0, 1.0)),
            OneOrder(order="right_first", winner="left", scores=(2.0, 1.0)),
        ),
    )
    found = judge_of(scored).rederived
    assert (found.read_from, found.n_same, found.n_equal, found.n_differ) == ("scores", 1, 1, 0)


def test_without_labels_there_is_no_accuracy_and_a_warning():
    judge = judge_of(pair("left", "left", label=None))
    assert judge.accuracy == ()
    assert judge.warnings == ("no pair has a label, so there is no accuracy",)


def test_a_level_that_does_not_exist_is_refused():
    with pytest.raises(UsageError, match=r"for 95% pass 0\.95"):
        pairwise_report([pair("left", "left")], file="f", level=95)


@pytest.mark.data
def test_judgebench_gives_its_published_percentages_and_its_stored_decisions():
    path = data_root() / "judgebench" / "pairwise_judgments.jsonl"
    found = pairwise_report(read_pairs(path), file=path.name)
    by_name = {one.judge: accuracy(one, "sum").right for one in found.judges}
    shares = {name: (round(100 * (one.rate or 0), 2), one.n) for name, one in by_name.items()}
    assert shares == {
        "o1-mini-2024-09-12": (65.71, 350),
        "claude-3-haiku-20240307": (32.22, 270),
        "internlm2-7b-reward": (59.43, 350),
        "Skywork-Reward-Gemma-2-27B": (64.29, 350),
    }
    prompted = [one.rederived for one in found.judges if one.rederived.read_from == "replies"]
    assert (found.n_prompted, found.n_prompted_same) == (1240, 1200)
    assert sum(one.n_no_verdict for one in prompted) == 28
    assert sum(one.n_not_stored for one in prompted) == 12
    assert sum(one.n_differ for one in prompted) == 0
    scored = [one.rederived for one in found.judges if one.rederived.read_from == "scores"]
    assert sum(one.n_same + one.n_equal for one in scored) == sum(one.n for one in scored) == 1400
