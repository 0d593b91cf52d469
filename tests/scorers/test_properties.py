"""Properties claimed once for all scorers, and shown not to hold where they are not claimed.

Every registered scorer stands in `SCORERS` (label rules, which need choices, have properties of
their own beside their tests), and every one of these on exactly one side of every
property: held (tried on drawn texts) or not (with an example that shows it).
"""

from __future__ import annotations

from dataclasses import fields, replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from finassay.records import Item, Prediction
from finassay.scorers.base import Scorer
from finassay.scorers.registry import (
    from_spec,
    load_scorer,
    scorer_id_of,
    scorer_names,
    to_spec,
)
from scoring import mark

Pair = tuple[str, str]

IDS = (
    "exact",
    'exact[normaliser="squad"]',
    'exact[normaliser="compatible"]',
    "includes",
    "includes[whole_words=true]",
    "token_f1",
    "token_f1[threshold=0.5]",
    "token_set",
    "token_sort",
    "yes_no",
    'yes_no[position="first"]',
    "number_set",
    'number_set[compare="subset"]',
    "strict/numbers-first",
    "strict/fuzzy-first",
    "strict/as-stated",
    "rule",
    'any_of[parts=["token_f1","token_set"]]',
    'all_of[parts=["token_f1","token_sort"]]',
    'first_scored[parts=["number_set","token_set"]]',
)
SCORERS: dict[str, Scorer] = {scorer_id: load_scorer(scorer_id) for scorer_id in IDS}

# For every property: the scorers for which it is not claimed, with a pair (reference, reply) or
# text that shows why.  All others hold it.
NOT_REFLEXIVE: dict[str, str] = {
    "strict/numbers-first": "the rate cannot be determined",
    "rule": "the rate cannot be determined",
}
NOT_SYMMETRIC: dict[str, Pair] = {
    "includes": ("fee", "the fee"),
    "includes[whole_words=true]": ("fee", "the fee"),
    'yes_no[position="first"]': ("yes", "well, yes"),
    'number_set[compare="subset"]': ("1", "1 and 2"),
    "strict/numbers-first": ("fail: rate", "rate"),
    "rule": ("fail: rate", "rate"),
    # Nothing is left of one side for token_f1, which takes no part when that is the reference.
    'all_of[parts=["token_f1","token_sort"]]': ("No _ _", "_ _ _"),
}
NOT_CASE_BLIND: dict[str, Pair] = {"exact": ("fee", "fee")}
NOT_SPACE_BLIND: dict[str, Pair] = {"exact": ("a fee", "a fee")}
# Contradiction items, whose texts are compared whole; nothing is left of either text.
EMPTY_MAY_EQUAL: dict[str, Pair] = {
    "strict/numbers-first": ("?", "!"),
    "strict/fuzzy-first": ("\n", " "),
}
# Those with an extraction step, and a pair of equal texts without anything to extract.
EXTRACTS: dict[str, str] = {
    "yes_no": "perhaps",
    'yes_no[position="first"]': "perhaps",
    "number_set": "perhaps",
    'number_set[compare="subset"]': "perhaps",
}
WITHOUT_THRESHOLD = (
    "exact",
    "includes",
    "yes_no",
    "number_set",
    "any_of",
    "all_of",
    "first_scored",
)

ANY_CHARACTER = st.characters()
ANY_TEXT = st.text(ANY_CHARACTER, max_size=40)
WORDS = st.sampled_from(
    [
        *("yes", "No", "the", "fee", "fees", "Rate", "30", "2.5", "1,00,000", "३०", "दिन", "की"),
        *("不", "超过", "ﬁ", "%", "₹", "(", ".", "-", "answer:", "not", "_", "\u200b"),
    ]
)
PHRASE = st.lists(WORDS, max_size=6).map(" ".join)
TEXT = st.one_of(PHRASE, PHRASE, st.text(max_size=12))
TASK = st.sampled_from(["con", "num"])
ODD = ("\ud800", "\udfff yes 5", "a\ud83d", "\x00", "\U0010ffff", "\ufeff5")
BLANKS = ("", " ", "\t\n", "?", "!", "...", "\u2014", "\u0085")

quick = settings(deadline=None, max_examples=120)


def others(exceptions: dict[str, str] | dict[str, Pair]) -> dict[str, Scorer]:
    assert set(exceptions) <= set(SCORERS)
    return {scorer_id: s for scorer_id, s in SCORERS.items() if scorer_id not in exceptions}


def test_every_registered_scorer_is_on_the_list():
    others = {name for name in scorer_names() if not name.startswith("labels/")}
    assert {scorer.name for scorer in SCORERS.values()} == others


@quick
@given(text=TEXT, task=TASK)
def test_a_text_equals_itself_where_something_is_left_of_it(text: str, task: str):
    whole = f"{text} rate"
    for scorer_id, scorer in others(NOT_REFLEXIVE).items():
        verdict = mark(scorer, whole, whole, task=task)
        if scorer_id in EXTRACTS:
            assert verdict.value in {1.0, None}, scorer_id
        else:
            assert verdict.value == 1.0, scorer_id


@pytest.mark.parametrize("scorer_id", NOT_REFLEXIVE)
def test_reflexivity_is_not_claimed_where_a_text_differs_from_itself(scorer_id: str):
    text = NOT_REFLEXIVE[scorer_id]
    assert mark(scorer_id, text, text).value == 0.0


@quick
@given(left=TEXT, right=TEXT, task=TASK)
def test_symmetric_scorers_do_not_care_which_side_is_the_reference(
    left: str, right: str, task: str
):
    assume(left and right)  # fuzzy-first calls a reply of no character silence, and no other
    for scorer_id, scorer in others(NOT_SYMMETRIC).items():
        there = mark(scorer, left, right, task=task)
        back = mark(scorer, right, left, task=task)
        if there.is_scored and back.is_scored:
            assert there.value == pytest.approx(back.value), scorer_id


@pytest.mark.parametrize("scorer_id", NOT_SYMMETRIC)
def test_symmetry_is_not_claimed_where_sides_matter(scorer_id: str):
    left, right = NOT_SYMMETRIC[scorer_id]
    assert mark(scorer_id, left, right).value != mark(scorer_id, right, left).value


@quick
@given(left=PHRASE, right=PHRASE, task=TASK)
def test_case_blind_scorers_do_not_see_capitals(left: str, right: str, task: str):
    for scorer_id, scorer in others(NOT_CASE_BLIND).items():
        plain = mark(scorer, left, right, task=task)
        assert mark(scorer, left, _swapped(right), task=task).value == plain.value, scorer_id
        assert mark(scorer, _swapped(left), right, task=task).value == plain.value, scorer_id


@pytest.mark.parametrize("scorer_id", NOT_CASE_BLIND)
def test_case_blindness_is_not_claimed_where_capitals_matter(scorer_id: str):
    left, right = NOT_CASE_BLIND[scorer_id]
    assert mark(scorer_id, left, right).value != mark(scorer_id, left, _swapped(right)).value


def _swapped(text: str) -> str:
    # Of ASCII letters only: what the capitals of other letters are is the normalisers' business.
    return "".join(c.swapcase() if c.isascii() else c for c in text)


def _spaced(text: str) -> str:
    return " \t" + text.replace(" ", "  \n") + "\r\n "


@quick
@given(left=PHRASE, right=PHRASE, task=TASK)
def test_space_blind_scorers_do_not_see_how_much_white_space(left: str, right: str, task: str):
    assume(left and right)
    for scorer_id, scorer in others(NOT_SPACE_BLIND).items():
        plain = mark(scorer, left, right, task=task)
        assert mark(scorer, left, _spaced(right), task=task).value == plain.value, scorer_id
        assert mark(scorer, _spaced(left), right, task=task).value == plain.value, scorer_id


@pytest.mark.parametrize("scorer_id", NOT_SPACE_BLIND)
def test_space_blindness_is_not_claimed_where_spaces_matter(scorer_id: str):
    left, right = NOT_SPACE_BLIND[scorer_id]
    assert mark(scorer_id, left, right).value != mark(scorer_id, left, _spaced(right)).value


@quick
@given(left=ANY_TEXT, right=ANY_TEXT, task=TASK)
def test_any_text_gets_a_verdict_with_a_value_in_range_exactly_when_scored(
    left: str, right: str, task: str
):
    for scorer_id, scorer in SCORERS.items():
        verdict = mark(scorer, left, right, task=task)
        assert (verdict.status == "scored") == (verdict.value is not None), scorer_id
        assert 0.0 <= (verdict.value or 0.0) <= 1.0, scorer_id
        assert verdict.reason, scorer_id


@pytest.mark.parametrize(
    "text", ["\ud800", "\udfff yes 5", "a\ud83d", "\x00", "\U0010ffff", "\ufeff5"]
)
@pytest.mark.parametrize("scorer_id", IDS)
def test_odd_code_points_are_marked_without_an_exception(scorer_id: str, text: str):
    for reference, reply in ((text, "5 yes"), ("5 yes", text), (text, text)):
        for task in ("con", "num"):
            assert mark(scorer_id, reference, reply, task=task).status


@quick
@given(left=TEXT, right=TEXT, task=TASK, low=st.floats(0, 1), high=st.floats(0, 1))
def test_a_higher_threshold_never_makes_a_wrong_answer_right(
    left: str, right: str, task: str, low: float, high: float
):
    low, high = sorted((low, high))
    for scorer_id, scorer in SCORERS.items():
        if scorer.name in WITHOUT_THRESHOLD:
            continue
        lenient = mark(replace(scorer, threshold=low), left, right, task=task)
        severe = mark(replace(scorer, threshold=high), left, right, task=task)
        assert (severe.value or 0.0) <= (lenient.value or 0.0), scorer_id
        assert severe.status == lenient.status, scorer_id


@pytest.mark.parametrize("scorer_id", IDS)
def test_only_scorers_on_the_list_have_no_threshold(scorer_id: str):
    scorer = SCORERS[scorer_id]
    has_threshold = "threshold" in {f.name for f in fields(scorer)}
    assert has_threshold == (scorer.name not in WITHOUT_THRESHOLD)


@pytest.mark.parametrize("scorer_id", others(EMPTY_MAY_EQUAL))
def test_nothing_never_equals_anything(scorer_id: str):
    for left in BLANKS:
        for right in (*BLANKS, "fee"):
            if left != right or not left.strip():
                for reference, reply in ((left, right), (right, left)):
                    for task in ("con", "num"):
                        assert not mark(scorer_id, reference, reply, task=task).value


@pytest.mark.parametrize(
    "scorer_id", [f"{name}[threshold=0]" for name in ("token_f1", "token_set", "token_sort")]
)
def test_nothing_equals_nothing_even_when_every_share_passes(scorer_id: str):
    assert mark(scorer_id, "fee", "...").value == 0.0


@pytest.mark.parametrize("scorer_id", EMPTY_MAY_EQUAL)
def test_published_rules_let_nothing_equal_nothing(scorer_id: str):
    assert mark(scorer_id, *EMPTY_MAY_EQUAL[scorer_id], task="con").value == 1.0


@pytest.mark.parametrize("scorer_id", EXTRACTS)
def test_what_cannot_be_read_never_equals_what_cannot_be_read(scorer_id: str):
    unreadable = EXTRACTS[scorer_id]
    assert mark(scorer_id, unreadable, unreadable).value is None
    assert mark(scorer_id, "Yes, 5", unreadable).status == "unparsed"


@quick
@given(left=TEXT, right=TEXT)
def test_scorers_that_extract_nothing_never_call_a_reply_unparsed(left: str, right: str):
    for scorer_id, scorer in others(EXTRACTS).items():
        assert mark(scorer, left, right).status != "unparsed", scorer_id


@quick
@given(left=TEXT, right=TEXT, task=TASK, names=st.tuples(TEXT, TEXT, TEXT))
def test_the_same_texts_get_the_same_verdict_whoever_answers(
    left: str, right: str, task: str, names: tuple[str, str, str]
):
    item = Item(item_id=names[0], benchmark=names[1], task=task, reference=left)
    prediction = Prediction(item_id=names[0], system_id=names[2], trial=3, text=right)
    for scorer_id in IDS:
        again = load_scorer(scorer_id).score(item=item, prediction=prediction)
        assert again == mark(SCORERS[scorer_id], left, right, task=task), scorer_id


@pytest.mark.parametrize("scorer_id", IDS)
def test_ids_and_specs_go_there_and_back(scorer_id: str):
    scorer = SCORERS[scorer_id]
    assert load_scorer(scorer_id_of(scorer)) == scorer
    assert from_spec(to_spec(scorer)) == scorer
    assert to_spec(from_spec(to_spec(scorer))) == to_spec(scorer)


@quick
@given(threshold=st.floats(0, 1), tasks=st.lists(st.text(ANY_CHARACTER), max_size=3).map(tuple))
def test_every_parameter_goes_there_and_back(threshold: float, tasks: tuple[str, ...]):
    scorer = replace(SCORERS["strict/as-stated"], threshold=threshold, yes_no_tasks=tasks)
    assert from_spec(to_spec(scorer)) == scorer
    found = scorer_id_of(scorer)
    if "[#" not in found:
        assert load_scorer(found) == scorer


MEGABYTE = 1_000_000
HOSTILE = {
    "one long number": "1" * MEGABYTE,
    "commas": "1,00," * (MEGABYTE // 5),
    "stops": "1.2." * (MEGABYTE // 4),
    "white space": " \t" * (MEGABYTE // 2),
    "cues": "answer " * (MEGABYTE // 7),
    "prefixes of the answer": "yes 3" * (MEGABYTE // 5),
    "lone surrogates": "\ud800" * MEGABYTE,
    "marks that combine": "\u0915\u093e\u0301" * (MEGABYTE // 3),
}


@pytest.mark.full
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("scorer_id", IDS)
def test_a_megabyte_is_marked(scorer_id: str, text: str):
    assert mark(scorer_id, "Yes, 30 days", text).status
