"""Ten replies worked through by hand: every number of the example."""

from __future__ import annotations

from fractions import Fraction

import pytest

from finassay.analyses.extraction.audit import CellAudit, Settings, audit_cell
from finassay.analyses.extraction.candidates import candidates
from finassay.analyses.extraction.counts import count
from finassay.analyses.extraction.families import reach
from finassay.analyses.extraction.floors import floor, stratified_floor
from finassay.analyses.extraction.readings import difference, is_right, read_rule
from finassay.scorers.labels.base import LabelRule
from finassay.scorers.registry import load_scorer
from label_oracle import CARD, NEG, NEU, POS, SETS, SUBSTRING, TEN, WORD, ten
from reference import labels as textbook

MATCHERS = {"substring": SUBSTRING, "word": WORD}
DEFAULT_NEUTRAL = 'labels/default-fill[default="neutral"]'
LOWERED = "labels/priority[lower_first=true]"
OUTSIDE = (DEFAULT_NEUTRAL, "labels/priority", LOWERED, "labels/lm-regex")


def table(kind: str = "substring"):
    return candidates(ten(), MATCHERS[kind])


def reading(rule_id: str, kind: str = "substring"):
    rule = load_scorer(rule_id)
    assert isinstance(rule, LabelRule)
    return read_rule(ten(), rule, table(kind))


def right_items(rule_id: str) -> list[int]:
    won = is_right(reading(rule_id), table())
    return [number for number, is_won in enumerate(won, start=1) if is_won]


def audited(*rules: str, kind: str = "substring") -> CellAudit:
    return audit_cell(ten(), Settings(matcher=MATCHERS[kind], rules=rules or None))


@pytest.mark.parametrize("kind", MATCHERS)
def test_candidate_sets(kind: str):
    assert table(kind).labels == CARD
    assert table(kind).sets == SETS[kind]


@pytest.mark.parametrize(
    ("rule_id", "places"),
    [
        ("labels/card-order", (NEG, NEU, POS, None, NEG, NEG, NEU, NEG, NEG, NEU)),
        ("labels/text-order", (POS, NEU, POS, None, NEG, NEG, NEU, NEG, NEG, POS)),
        ("labels/last", (NEG, NEU, POS, None, NEU, NEU, NEU, NEU, NEG, NEU)),
    ],
)
def test_what_each_order_reads(rule_id: str, places: tuple[int | None, ...]):
    assert reading(rule_id).places == places


@pytest.mark.parametrize(
    ("kind", "covered", "ambiguous", "contested", "dead", "forced", "wrong", "uncovered"),
    [
        ("substring", 9, 5, 4, 1, 3, 1, 1),
        ("word", 9, 3, 2, 1, 4, 2, 1),
    ],
)
def test_counts_and_shares(
    *,
    kind: str,
    covered: int,
    ambiguous: int,
    contested: int,
    dead: int,
    forced: int,
    wrong: int,
    uncovered: int,
):
    found = count(table(kind))
    assert (found.covered, found.ambiguous, found.contested) == (covered, ambiguous, contested)
    assert (found.dead, found.forced_correct, found.forced_wrong) == (dead, forced, wrong)
    assert (found.uncovered, found.n) == (uncovered, 10)
    assert found.coverage.fraction == Fraction(covered, 10)
    assert found.ambiguity.fraction == Fraction(ambiguous, 10)
    assert found.contested_rate.fraction == Fraction(contested, 10)


@pytest.mark.parametrize(
    ("kind", "ambiguous", "contested", "dead", "forced", "wrong", "uncovered"),
    [
        ("substring", [1, 5, 6, 8, 10], [1, 6, 8, 10], [5], [2, 7, 9], [3], [4]),
        ("word", [1, 5, 6], [1, 6], [5], [2, 7, 8, 9], [3, 10], [4]),
    ],
)
def test_which_items_are_of_which_kind(
    kind: str,
    ambiguous: list[int],
    contested: list[int],
    dead: list[int],
    forced: list[int],
    wrong: list[int],
    uncovered: list[int],
):
    rows = list(enumerate(zip(table(kind).golds, table(kind).sets, strict=True), start=1))
    assert [i for i, (_, s) in rows if len(s) >= 2] == ambiguous
    assert [i for i, (g, s) in rows if len(s) >= 2 and g in s] == contested
    assert [i for i, (g, s) in rows if len(s) >= 2 and g not in s] == dead
    assert [i for i, (g, s) in rows if s == (g,)] == forced
    assert [i for i, (g, s) in rows if len(s) == 1 and s != (g,)] == wrong
    assert [i for i, (_, s) in rows if not s] == uncovered


@pytest.mark.parametrize(("kind", "low", "high"), [("substring", 3, 7), ("word", 4, 6)])
def test_reachable_intervals(kind: str, low: int, high: int):
    ends = (Fraction(low, 10), Fraction(high, 10))
    assert reach(table(kind)).interval == ends
    assert reach(table(kind), "select_or_abstain_when_ambiguous").interval == ends
    assert reach(table(kind), "select_or_abstain").interval == (0, ends[1])
    # All replies differ, so a rule that goes by the text can still choose item by item.
    assert reach(table(kind), "text_function").interval == ends


@pytest.mark.parametrize(
    ("rule_id", "right"),
    [
        ("labels/card-order", 3),
        ("labels/text-order", 5),
        ("labels/last", 5),
        ("labels/card-order-word", 4),
        ("labels/text-order-word", 5),
        ("labels/last-word", 5),
    ],
)
def test_accuracies(rule_id: str, right: int):
    found = audited(rule_id).rules[0].score
    assert (found.right, found.accuracy, found.n) == (right, right / 10, 10)


def test_right_items_of_the_orders():
    assert right_items("labels/card-order") == [2, 7, 9]
    assert right_items("labels/text-order") == [1, 2, 7, 9, 10]
    assert right_items("labels/last") == [2, 6, 7, 8, 9]


def test_the_floor_and_its_strata():
    golds, strata = [gold for _, gold, _ in TEN], [stratum for stratum, _, _ in TEN]
    plain = floor(golds)
    assert (plain.count, plain.n, plain.labels) == (5, 10, ("neutral",))
    strict = stratified_floor(golds, strata)
    assert [(p.name, p.n, p.count, p.labels) for p in strict.strata] == [
        ("n", 5, 5, ("neutral",)),
        ("t", 5, 3, ("positive",)),
    ]
    assert (strict.count, strict.value) == (8, 0.8)


@pytest.mark.parametrize("kind", MATCHERS)
def test_verdicts_of_the_intervals(kind: str):
    found = audited(kind=kind)
    assert found.verdict.text == "undetermined/straddles"
    assert found.stratified_verdict is not None
    assert found.stratified_verdict.text == "below"


@pytest.mark.parametrize(
    ("rule_id", "outcome"),
    [("labels/card-order", "below"), ("labels/text-order", "ties"), ("labels/last", "ties")],
)
def test_verdicts_of_single_rules(rule_id: str, outcome: str):
    assert audited(rule_id).rules[0].verdict.outcome == outcome


def test_equal_scores_hide_different_readings():
    text, last = reading("labels/text-order"), reading("labels/last")
    found = difference(ten(), text, last, table())
    assert (found.gap, found.items) == (0, ("1", "5", "6", "8", "10"))


def test_two_selecting_rules_differ_by_no_more_than_the_contested_rate():
    card, text = reading("labels/card-order"), reading("labels/text-order")
    found = difference(ten(), card, text, table())
    assert found.items == ("1", "10")
    assert (found.gap, found.contested, found.ambiguous) == (2, 4, 5)
    assert found.both_select
    assert found.within_bounds


def test_the_other_card_order_reaches_the_upper_end():
    other = ten(("positive", "neutral", "negative"))
    found = audit_cell(other, Settings(rules=("labels/card-order",)))
    assert found.rules[0].score.right == 7 == found.reach_of("select").high


@pytest.mark.parametrize(
    ("rule_id", "right", "witnesses"),
    [
        (DEFAULT_NEUTRAL, 4, [("4", "names_an_absent_label", "neutral", "default")]),
        (
            "labels/priority",
            5,
            [
                ("4", "names_an_absent_label", "neutral", "default"),
                ("9", "names_an_absent_label", "neutral", "default"),
            ],
        ),
        (LOWERED, 6, [("4", "names_an_absent_label", "neutral", "default")]),
        (
            "labels/lm-regex",
            3,
            [
                ("7", "abstains_on_a_present_label", None, "none"),
                ("9", "abstains_on_a_present_label", None, "none"),
            ],
        ),
    ],
)
def test_rules_outside_the_family_score_and_show_witnesses(
    rule_id: str, right: int, witnesses: list[tuple[str, str, str | None, str]]
):
    found = audited(rule_id).rules[0]
    assert found.score.right == right
    assert not found.membership.is_member
    assert [(w.item_id, w.kind, w.label, w.origin) for w in found.membership.witnesses] == witnesses


def test_which_items_the_rules_outside_the_family_get_right():
    assert right_items("labels/priority") == [1, 2, 4, 7, 10]
    assert right_items("labels/lm-regex") == [2, 6, 10]
    assert reading("labels/lm-regex").places[0] == NEG
    assert set(right_items(DEFAULT_NEUTRAL)) - set(right_items("labels/card-order")) == {4}


def test_what_was_filled_in_stands_beside_the_score():
    found = {rule.score.rule: rule.score for rule in audited(*OUTSIDE).rules}
    assert found[DEFAULT_NEUTRAL].default_filled == 1
    assert found[DEFAULT_NEUTRAL].default_filled_right == 1
    assert found["labels/priority"].default_filled == 2
    assert found["labels/lm-regex"].default_filled == 0
    assert {score.refused for score in found.values()} == {1}
    assert found[DEFAULT_NEUTRAL].refused_right == 1
    assert found["labels/lm-regex"].refused_right == 0
    assert found["labels/lm-regex"].no_label == 3  # 4, 7 and 9


@pytest.mark.parametrize(
    ("rule_id", "weighted", "macro", "correlation"),
    [
        ("labels/card-order", 0.3071, 0.2619, 0.0318),
        ("labels/text-order", 0.5524, 0.5238, 0.3491),
        ("labels/last", 0.4636, 0.4091, 0.2168),
    ],
)
def test_f1_and_correlation_of_the_orders(
    rule_id: str, weighted: float, macro: float, correlation: float
):
    found = audited(rule_id).rules[0].labels
    assert round(found.weighted_f1, 4) == weighted
    assert round(found.macro_f1, 4) == macro
    assert found.mcc is not None
    assert round(found.mcc, 4) == correlation


def test_f1_over_all_32_selectors():
    bounds = audited().bounds
    assert len(list(textbook.selectors(SETS["substring"]))) == 32
    assert (bounds.weighted_f1.kind, bounds.macro_f1.kind) == ("exact", "exact")
    assert [round(v, 4) for v in (bounds.weighted_f1.low, bounds.weighted_f1.high)] == [
        0.2889,
        0.7444,
    ]
    assert [round(v, 4) for v in (bounds.macro_f1.low, bounds.macro_f1.high)] == [0.2593, 0.7111]


def test_f1_of_always_answering_neutral():
    golds = [CARD.index(gold) for _, gold, _ in TEN]
    assert round(textbook.weighted_f1(golds, [NEU] * 10, [0, 1, 2]), 4) == 0.3333
    constant = ten(replies=("neutral",) * 10)
    found = audit_cell(constant, Settings(rules=("labels/card-order",))).rules[0]
    assert round(found.labels.weighted_f1, 4) == 0.3333
    assert round(found.labels.macro_f1, 4) == 0.2222
    assert found.verdict.outcome == "ties"


def test_the_printed_shares_of_the_article_are_whole_numbers_of_items():
    assert [round(970 * share) for share in (0.7639, 0.3258, 0.8113)] == [741, 316, 787]
    assert [round(k / 970, 4) for k in (741, 316, 787)] == [0.7639, 0.3258, 0.8113]
    assert round((787 - 316) / 970, 4) == 0.4856
    assert [k / 200 for k in (132, 131)] == [0.66, 0.655]
