"""What holds for every cell: identities, intervals, families and bounds."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.analyses.extraction.audit import (
    SELECTING_RULES,
    Settings,
    audit_cell,
    label_rule,
    rules_of,
)
from finassay.analyses.extraction.candidates import candidates, is_nested
from finassay.analyses.extraction.cells import LabelCell
from finassay.analyses.extraction.counts import ExtractionCounts, count, share, tally
from finassay.analyses.extraction.families import finite_reach, reach, reach_of_counts
from finassay.analyses.extraction.readings import (
    difference,
    is_right,
    membership,
    read_rule,
    score_reading,
)
from finassay.errors import SpecError, UsageError
from label_oracle import CARD, SUBSTRING, WORD, cell_of, ten
from reference import labels as textbook

PIECES = st.sampled_from(
    ["negative", "Neutral", "positive", "positively", "non", " ", ".", "-", "unsure"]
)
REPLIES = st.lists(PIECES, max_size=6).map("".join)
ROWS = st.lists(st.tuples(REPLIES, st.sampled_from(CARD)), min_size=1, max_size=7)
FEW = st.lists(
    st.tuples(
        st.sampled_from(["positive or negative", "neutral", "", "neutral, positive"]),
        st.sampled_from(CARD),
    ),
    min_size=1,
    max_size=7,
)

Rows = list[tuple[str, str]]

quick = settings(deadline=None, max_examples=120)


def cell(rows: Rows) -> LabelCell:
    return cell_of(tuple(reply for reply, _ in rows), tuple(gold for _, gold in rows))


@quick
@given(rows=ROWS, words=st.booleans())
def test_the_five_kinds_add_up_and_follow_the_textbook(rows: Rows, *, words: bool):
    table = candidates(cell(rows), WORD if words else SUBSTRING)
    found = count(table)
    sets = [textbook.candidate_set(reply, CARD, words=words) for reply, _ in rows]
    golds = [CARD.index(gold) for _, gold in rows]
    pairs = list(zip(golds, sets, strict=True))
    assert [set(present) for present in table.sets] == sets
    assert found.forced_correct == sum(s == {g} for g, s in pairs)
    assert found.forced_wrong == sum(len(s) == 1 and s != {g} for g, s in pairs)
    assert found.contested == sum(len(s) > 1 and g in s for g, s in pairs)
    assert found.dead == sum(len(s) > 1 and g not in s for g, s in pairs)
    assert found.uncovered == sum(not s for _, s in pairs)
    assert found.covered + found.uncovered == found.n == len(rows)


@quick
@given(rows=ROWS)
def test_the_interval_is_what_selectors_reach_and_its_width_is_the_contested_rate(rows: Rows):
    table = candidates(cell(rows), SUBSTRING)
    scores = [textbook.right(table.golds, read) for read in textbook.selectors(table.sets)]
    found = reach(table)
    assert (found.low, found.high) == (min(scores), max(scores))
    assert found.width == count(table).contested_rate.fraction


@quick
@given(rows=st.one_of(ROWS, FEW))
def test_rules_that_go_by_the_text_reach_a_part_of_it(rows: Rows):
    table = candidates(cell(rows), SUBSTRING)
    scores = [
        textbook.right(table.golds, read)
        for read in textbook.text_functions(table.keys, table.sets)
    ]
    inner, outer = reach(table, "text_function"), reach(table)
    assert (inner.low, inner.high) == (min(scores), max(scores))
    assert outer.low <= inner.low <= inner.high <= outer.high


@quick
@given(rows=ROWS, words=st.booleans())
def test_selecting_rules_are_members_stay_inside_and_differ_by_no_more_than_allowed(
    rows: Rows, *, words: bool
):
    used = cell(rows)
    table = candidates(used, WORD if words else SUBSTRING)
    asked = rules_of(Settings(matcher=table.matcher))
    readings = [read_rule(used, label_rule(rule), table) for rule in asked]
    found = reach(table)
    for one in readings:
        assert membership(used, one, table).is_member
        assert found.low <= sum(is_right(one, table)) <= found.high
        for other in readings:
            apart = difference(used, one, other, table)
            assert apart.within_bounds
            assert apart.gap <= count(table).contested
            assert apart.gap <= apart.n_differ <= count(table).ambiguous


@quick
@given(rows=ROWS)
def test_the_upper_end_does_not_rise_when_the_matcher_gets_stricter(rows: Rows):
    outer, inner = candidates(cell(rows), SUBSTRING), candidates(cell(rows), WORD)
    assert is_nested(inner, outer)
    assert reach(inner).high <= reach(outer).high
    assert count(inner).covered <= count(outer).covered


def test_the_lower_end_may_rise_or_fall_when_the_matcher_gets_stricter():
    rises = cell([("nonnegative, so neutral", "neutral")])
    falls = cell([("positively", "positive")])
    ends = [
        (reach(candidates(c, SUBSTRING)).low, reach(candidates(c, WORD)).low)
        for c in (rises, falls)
    ]
    assert ends == [(0, 1), (1, 0)]


@quick
@given(rows=ROWS, other=ROWS)
def test_counts_of_two_parts_add_up_to_those_of_the_whole(rows: Rows, other: Rows):
    parts = [count(candidates(cell(part), SUBSTRING)) for part in (rows, other)]
    assert parts[0] + parts[1] == count(candidates(cell([*rows, *other]), SUBSTRING))


@quick
@given(rows=ROWS, seed=st.randoms(use_true_random=False))
def test_the_order_of_the_rows_changes_neither_counts_nor_digest(rows: Rows, seed: Random):
    ids = [str(number) for number in range(len(rows))]
    shuffled = list(zip(ids, rows, strict=True))
    seed.shuffle(shuffled)
    one = LabelCell(
        replies=tuple(r for r, _ in rows),
        golds=tuple(g for _, g in rows),
        choices=CARD,
        item_ids=tuple(ids),
    )
    other = LabelCell(
        replies=tuple(r for _, (r, _) in shuffled),
        golds=tuple(g for _, (_, g) in shuffled),
        choices=CARD,
        item_ids=tuple(i for i, _ in shuffled),
    )
    assert count(candidates(one, SUBSTRING)) == count(candidates(other, SUBSTRING))
    assert one.digest == other.digest


def test_four_equal_replies_leave_a_parser_less_freedom_than_items_do():
    table = candidates(
        cell([("positive or negative", g) for g in ("positive",) * 3 + ("negative",)]), SUBSTRING
    )
    assert reach(table).interval == (0, 1)
    assert reach(table, "text_function").interval == (Fraction(1, 4), Fraction(3, 4))


def test_replies_that_differ_in_case_alone_are_one_reply_to_a_rule_on_lower_case():
    table = candidates(cell([("POSITIVE", "positive"), ("positive", "negative")]), SUBSTRING)
    assert table.keys == (0, 0)


def test_choices_may_differ_between_items():
    found = LabelCell(
        replies=("pay", "board and pay"),
        golds=("Pay", "board"),
        item_choices=(("Pay", "Health"), ("Board", "Pay")),
    )
    table = candidates(found, SUBSTRING)
    assert table.labels == ("Pay", "Health", "Board")
    assert (table.golds, table.sets) == ((0, 2), ((0,), (0, 2)))
    assert read_rule(found, label_rule("labels/card-order"), table).places == (0, 2)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"replies": ()}, "needs at least one item"),
        ({"golds": ("a",)}, "`golds` must have one entry for each of the 10 replies, got 1"),
        ({"item_ids": ("1",) * 10}, "item ids must differ"),
        ({"strata": ("t",)}, "`strata` must have one entry"),
        ({"choices": ()}, "give either `choices` for all items or `item_choices`"),
        ({"item_choices": (CARD,) * 10}, "give either `choices` for all items or `item_choices`"),
    ],
)
def test_a_cell_that_is_not_whole_is_refused(changes: dict[str, object], message: str):
    with pytest.raises(UsageError, match=message):
        ten(**changes)


def test_a_reference_outside_the_choices_is_an_error_and_not_a_wrong_answer():
    with pytest.raises(UsageError, match="the reference 'mixed' of item '0' is none of"):
        candidates(cell([("neutral", "mixed")]), SUBSTRING)


def test_a_reference_in_another_case_is_the_same_label():
    assert count(candidates(cell([("neutral", "NEUTRAL")]), SUBSTRING)).forced_correct == 1


def test_counts_that_do_not_add_up_are_refused():
    kinds = {"forced_wrong": 0, "contested": 0, "dead": 0, "uncovered": 0}
    with pytest.raises(ValueError, match="must be n = 3, got"):
        ExtractionCounts(n=3, forced_correct=2, **kinds)
    with pytest.raises(ValueError, match="must be n = 1, got"):
        ExtractionCounts(n=1, forced_correct=2, **{**kinds, "dead": -1})


def test_nothing_has_no_share():
    with pytest.raises(ValueError, match="needs at least one item"):
        share(0, 0)
    with pytest.raises(ValueError, match="needs at least one item"):
        _ = tally([], []).coverage


def test_references_without_candidate_sets_are_refused():
    with pytest.raises(ValueError, match="shorter"):
        tally([0, 1], [(0,)])


def test_families_that_counts_do_not_decide_are_refused():
    counts = count(candidates(ten(), SUBSTRING))
    for family in ("text_function", "finite"):
        with pytest.raises(UsageError, match="does not follow from counts"):
            reach_of_counts(counts, family)
    with pytest.raises(UsageError, match="does not follow from counts"):
        reach(candidates(ten(), SUBSTRING), "finite")


def test_a_finite_family_spans_its_own_scores():
    found = finite_reach([("a", 3), ("b", 5), ("c", 4)], 10)
    assert found.interval == (Fraction(3, 10), Fraction(1, 2))
    assert found.rules == ("a", "b", "c")
    with pytest.raises(UsageError, match="needs at least one rule"):
        finite_reach([], 10)


def test_a_rule_that_drops_items_is_no_member_and_its_parsed_score_is_flagged():
    used = ten()
    table = candidates(used, SUBSTRING)
    reading = read_rule(used, label_rule("labels/drop-unparsed"), table)
    found = score_reading(used, reading, table)
    assert (found.right, found.n, found.parsed, found.dropped) == (3, 10, 9, 1)
    assert (found.accuracy, found.parsed_accuracy) == (0.3, 3 / 9)
    assert "parsed_only_differs" in found.flags
    witness = membership(used, reading, table).witnesses
    assert [(w.item_id, w.kind) for w in witness] == [("4", "leaves_the_denominator")]


def test_bounds_are_not_claimed_for_rules_outside_the_family():
    used = cell([("", "neutral")])
    table = candidates(used, SUBSTRING)
    readings = [
        read_rule(used, label_rule(rule), table)
        for rule in ("labels/card-order", 'labels/default-fill[default="neutral"]')
    ]
    found = difference(used, *readings, table)
    assert (found.gap, found.contested, found.both_select) == (1, 0, False)


def test_refusals_are_read_from_the_logged_fate_before_the_words():
    used = ten(finishes=("refused", *("stop",) * 9))
    table = candidates(used, SUBSTRING)
    reading = read_rule(used, label_rule("labels/text-order"), table)
    found = score_reading(used, reading, table)
    assert (found.refused, found.refused_right, found.refused_by) == (1, 1, "finish")
    mixed = ten(finishes=("refused", *("not_logged",) * 9))
    found = score_reading(mixed, reading, table)
    assert (found.refused, found.refused_by) == (2, "finish and text")
    assert score_reading(ten(), reading, table).refused_by == "text"


def test_witnesses_are_counted_beyond_those_kept():
    used = cell([("", "neutral")] * 30)
    table = candidates(used, SUBSTRING)
    rule = label_rule('labels/default-fill[default="neutral"]')
    found = membership(used, read_rule(used, rule, table), table, most=5)
    assert (found.n_witnesses, len(found.witnesses)) == (30, 5)


def test_a_draw_is_made_item_by_item():
    used = cell([("", "neutral")] * 60)
    table = candidates(used, SUBSTRING)
    places = read_rule(used, label_rule("labels/random-fill"), table).places
    assert set(places) == {0, 1, 2}


def test_external_labels_are_taken_by_item():
    rule = label_rule('labels/external[labels=[["1","positive"],["3","negative"]]]')
    used = ten()
    found = audit_cell(used, Settings(rules=(rule,))).rules[0]
    assert (found.score.right, found.score.external, found.score.no_label) == (2, 2, 8)
    assert found.membership.n_witnesses == 8  # all but 1 and 4
    assert [w.item_id for w in found.membership.witnesses][:2] == ["2", "3"]


def test_a_scorer_that_reads_no_label_is_refused():
    with pytest.raises(SpecError, match="'exact' is no label rule"):
        label_rule("exact")


def test_rules_follow_the_matcher_where_none_are_named():
    assert rules_of(Settings(matcher=WORD))[0] == 'labels/card-order-word[norm="lower"]'
    names = [label_rule(rule).name for rule in rules_of(Settings())]
    assert names == list(SELECTING_RULES)
