"""Properties claimed once for all scorers, and shown not to hold where they are not claimed.

The claims stand in `scorer_claims.CLAIMS`.  Each property is tried on drawn texts for all scorers
that claim it, and each denial is shown by its example.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from finassay.marking.many import mark_many
from finassay.records import Item, Prediction
from finassay.scorers.base import Scorer
from finassay.scorers.registry import (
    from_spec,
    load_scorer,
    scorer_id_of,
    scorer_names,
    to_spec,
)
from one_claim import Claims
from scorer_claims import CLAIMS, OF_STATES
from scoring import mark

SCORERS: dict[str, Scorer] = {scorer_id: claims.scorer for scorer_id, claims in CLAIMS.items()}
QUICK = tuple(scorer_id for scorer_id, claims in CLAIMS.items() if not claims.is_slow)
SLOW = tuple(
    scorer_id for scorer_id, claims in CLAIMS.items() if claims.is_slow and not claims.is_model
)

ANY_CHARACTER = st.characters()
ANY_TEXT = st.text(ANY_CHARACTER, max_size=40)
WORDS = st.sampled_from(
    [
        *("yes", "No", "the", "fee", "fees", "Rate", "30", "2.5", "1,00,000", "३०", "दिन", "की"),
        *("不", "超过", "ﬁ", "%", "₹", "(", ".", "-", "answer:", "not", "_", "\u200b"),
        *("B", "(A)", "answer", "is", "1", "January", "2027", "section", "4", "and", ";", "fee:"),
    ]
)
PHRASE = st.lists(WORDS, max_size=6).map(" ".join)
TEXT = st.one_of(PHRASE, PHRASE, st.text(max_size=12))
TASK = st.sampled_from(["con", "num"])
ODD = ("\ud800", "\udfff yes 5", "a\ud83d", "\x00", "\U0010ffff", "\ufeff5")
BLANKS = ("", " ", "\t\n", "?", "!", "...", "\u2014", "\u0085")

quick = settings(deadline=None, max_examples=120)
slow = settings(deadline=None, max_examples=12)


def claiming(group: tuple[str, ...], denial: str) -> Iterator[tuple[Claims, Scorer]]:
    for scorer_id in group:
        if getattr(CLAIMS[scorer_id], denial) is None:
            yield CLAIMS[scorer_id], SCORERS[scorer_id]


def denying(denial: str) -> list[str]:
    return [scorer_id for scorer_id, one in CLAIMS.items() if getattr(one, denial) is not None]


ASKS_ANOTHER = {"contract"}
"""A rule that marks by the one that an item's contract names, which makes its own claims."""


READS_A_JUDGE = {"judge/verdict"}
"""A rule whose reply is a judge's: it compares nothing with a reference."""


def test_every_registered_scorer_makes_its_claims():
    left = ASKS_ANOTHER | OF_STATES | READS_A_JUDGE
    assert {scorer.name for scorer in SCORERS.values()} == set(scorer_names()) - left


@pytest.mark.parametrize("scorer_id", CLAIMS)
def test_a_right_answer_is_right_and_a_wrong_one_is_not(scorer_id: str):
    claims = CLAIMS[scorer_id]
    right, wrong = claims.mark(*claims.right), claims.mark(*claims.wrong)
    assert right.value is not None
    assert right.value >= 0.5
    assert wrong.value is not None
    assert wrong.value < 0.5
    assert wrong.value < right.value


@given(text=TEXT, task=TASK)
@quick
def test_a_text_equals_itself_where_something_is_left_of_it(text: str, task: str):
    _reflexive(QUICK, f"{text} rate", task)


@given(text=TEXT, task=TASK)
@slow
def test_a_text_equals_itself_under_slow_scorers(text: str, task: str):
    _reflexive(SLOW, f"{text} rate", task)


def _reflexive(group: tuple[str, ...], whole: str, task: str) -> None:
    for claims, scorer in claiming(group, "not_reflexive"):
        text = claims.reference(whole)
        verdict = claims.mark(text, text, scorer=scorer, task=task)
        if claims.needs and not claims.choices:
            assert verdict.value in {1.0, None}, claims.scorer_id
        elif not claims.nothing_equals or not claims.choices:
            assert verdict.value == 1.0, claims.scorer_id


@pytest.mark.parametrize("scorer_id", denying("not_reflexive"))
def test_reflexivity_is_not_claimed_where_a_text_differs_from_itself(scorer_id: str):
    text = CLAIMS[scorer_id].not_reflexive or ""
    assert CLAIMS[scorer_id].mark(text, text).value != 1.0


@given(left=TEXT, right=TEXT, task=TASK)
@quick
def test_symmetric_scorers_do_not_care_which_side_is_the_reference(
    left: str, right: str, task: str
):
    _symmetric(QUICK, left, right, task)


@given(left=TEXT, right=TEXT, task=TASK)
@slow
def test_symmetry_of_slow_scorers(left: str, right: str, task: str):
    _symmetric(SLOW, left, right, task)


def _symmetric(group: tuple[str, ...], left: str, right: str, task: str) -> None:
    assume(left and right)  # fuzzy-first calls a reply of no character silence, and no other
    for claims, scorer in claiming(group, "not_symmetric"):
        there = claims.mark(left, right, scorer=scorer, task=task)
        back = claims.mark(right, left, scorer=scorer, task=task)
        if there.is_scored and back.is_scored:
            assert there.value == pytest.approx(back.value, abs=1e-6), claims.scorer_id


@pytest.mark.parametrize("scorer_id", denying("not_symmetric"))
def test_symmetry_is_not_claimed_where_sides_matter(scorer_id: str):
    claims = CLAIMS[scorer_id]
    left, right = claims.not_symmetric or ("", "")
    assert claims.mark(left, right).value != claims.mark(right, left).value


@given(left=PHRASE, right=PHRASE, task=TASK)
@quick
def test_case_blind_scorers_do_not_see_capitals(left: str, right: str, task: str):
    _blind(QUICK, "not_case_blind", _swapped, (left, right), task)


@given(left=PHRASE, right=PHRASE, task=TASK)
@slow
def test_case_blindness_of_slow_scorers(left: str, right: str, task: str):
    _blind(SLOW, "not_case_blind", _swapped, (left, right), task)


@given(left=PHRASE, right=PHRASE, task=TASK)
@quick
def test_space_blind_scorers_do_not_see_how_much_white_space(left: str, right: str, task: str):
    assume(left and right)
    _blind(QUICK, "not_space_blind", _spaced, (left, right), task)


@given(left=PHRASE, right=PHRASE, task=TASK)
@slow
def test_space_blindness_of_slow_scorers(left: str, right: str, task: str):
    assume(left and right)
    _blind(SLOW, "not_space_blind", _spaced, (left, right), task)


def _blind(
    group: tuple[str, ...],
    denial: str,
    change: Callable[[str], str],
    pair: tuple[str, str],
    task: str,
) -> None:
    left, right = pair
    for claims, scorer in claiming(group, denial):
        reference = claims.reference(left)
        plain = claims.mark(reference, right, scorer=scorer, task=task)
        changed = claims.mark(reference, change(right), scorer=scorer, task=task)
        assert changed.value == plain.value, claims.scorer_id
        if not claims.choices:
            turned = claims.mark(change(left), right, scorer=scorer, task=task)
            assert turned.value == plain.value, claims.scorer_id


@pytest.mark.parametrize("scorer_id", denying("not_case_blind"))
def test_case_blindness_is_not_claimed_where_capitals_matter(scorer_id: str):
    claims = CLAIMS[scorer_id]
    left, right = claims.not_case_blind or ("", "")
    changed = {claims.mark(left, _swapped(right)).value, claims.mark(_swapped(left), right).value}
    assert changed != {claims.mark(left, right).value}


@pytest.mark.parametrize("scorer_id", denying("not_space_blind"))
def test_space_blindness_is_not_claimed_where_spaces_matter(scorer_id: str):
    claims = CLAIMS[scorer_id]
    left, right = claims.not_space_blind or ("", "")
    changed = {claims.mark(left, _spaced(right)).value, claims.mark(_spaced(left), right).value}
    assert changed != {claims.mark(left, right).value}


def _swapped(text: str) -> str:
    # Of ASCII letters only: what the capitals of other letters are is the normalisers' business.
    return "".join(c.swapcase() if c.isascii() else c for c in text)


def _spaced(text: str) -> str:
    return " \t" + text.replace(" ", "  \n") + "\r\n "


@given(left=ANY_TEXT, right=ANY_TEXT, task=TASK)
@quick
def test_any_text_gets_a_verdict_with_a_value_in_range_exactly_when_scored(
    left: str, right: str, task: str
):
    _in_range(QUICK, left, right, task)


@given(left=ANY_TEXT, right=ANY_TEXT, task=TASK)
@slow
def test_any_text_gets_a_verdict_of_slow_scorers(left: str, right: str, task: str):
    _in_range(SLOW, left, right, task)


def _in_range(group: tuple[str, ...], left: str, right: str, task: str) -> None:
    for scorer_id in group:
        claims = CLAIMS[scorer_id]
        for reference in {left, claims.reference(left)}:
            verdict = claims.mark(reference, right, scorer=SCORERS[scorer_id], task=task)
            assert (verdict.status == "scored") == (verdict.value is not None), scorer_id
            assert 0.0 <= (verdict.value or 0.0) <= 1.0, scorer_id
            assert verdict.reason, scorer_id


@pytest.mark.parametrize("text", ODD)
@pytest.mark.parametrize("scorer_id", CLAIMS)
def test_odd_code_points_are_marked_without_an_exception(scorer_id: str, text: str):
    claims = CLAIMS[scorer_id]
    for reference, reply in ((text, "5 yes"), (claims.right[0], text), (text, text)):
        for task in ("con", "num"):
            assert claims.mark(reference, reply, scorer=SCORERS[scorer_id], task=task).status


@given(left=TEXT, right=TEXT, task=TASK, low=st.floats(0, 1), high=st.floats(0, 1))
@quick
def test_a_higher_threshold_never_makes_a_wrong_answer_right(
    left: str, right: str, task: str, low: float, high: float
):
    _monotone(QUICK, (left, right, task), *sorted((low, high)))


@given(left=TEXT, right=TEXT, task=TASK, low=st.floats(0, 1), high=st.floats(0, 1))
@slow
def test_a_higher_threshold_of_slow_scorers(
    left: str, right: str, task: str, low: float, high: float
):
    _monotone(SLOW, (left, right, task), *sorted((low, high)))


def _monotone(group: tuple[str, ...], texts: tuple[str, str, str], low: float, high: float) -> None:
    left, right, task = texts
    for scorer_id in group:
        claims, scorer = CLAIMS[scorer_id], SCORERS[scorer_id]
        if not claims.has_threshold:
            continue
        lenient = claims.mark(left, right, scorer=replace(scorer, threshold=low), task=task)
        severe = claims.mark(left, right, scorer=replace(scorer, threshold=high), task=task)
        assert (severe.value or 0.0) <= (lenient.value or 0.0), scorer_id
        assert severe.status == lenient.status, scorer_id


@pytest.mark.parametrize("scorer_id", CLAIMS)
def test_a_threshold_is_claimed_exactly_where_there_is_one(scorer_id: str):
    has_threshold = "threshold" in {f.name for f in fields(SCORERS[scorer_id])}
    assert has_threshold == CLAIMS[scorer_id].has_threshold


@pytest.mark.parametrize("scorer_id", [one for one in CLAIMS if CLAIMS[one].nothing_equals is None])
def test_nothing_never_equals_anything(scorer_id: str):
    claims, scorer = CLAIMS[scorer_id], SCORERS[scorer_id]
    filled = claims.right[0]
    pairs = [
        (left, right) for left in BLANKS for right in BLANKS if left != right or not left.strip()
    ]
    pairs += [(filled, blank) for blank in BLANKS]
    pairs += [] if scorer_id == "peer/answered" else [(blank, filled) for blank in BLANKS]
    for reference, reply in pairs:
        for task in ("con", "num"):
            assert not claims.mark(reference, reply, scorer=scorer, task=task).value


@pytest.mark.parametrize("scorer_id", [one for one in CLAIMS if CLAIMS[one].has_threshold])
def test_nothing_equals_nothing_even_when_every_share_passes(scorer_id: str):
    scorer = replace(SCORERS[scorer_id], threshold=0)
    if CLAIMS[scorer_id].nothing_equals is None and not scorer.name.startswith("strict/"):
        assert not mark(scorer, "fee", "...").value


@pytest.mark.parametrize("scorer_id", denying("nothing_equals"))
def test_some_rules_let_nothing_equal_something_as_they_were_published(scorer_id: str):
    claims = CLAIMS[scorer_id]
    left, right = claims.nothing_equals or ("", "")
    assert claims.mark(left, right, task="con").value == 1.0


@pytest.mark.parametrize("scorer_id", denying("unread"))
def test_what_cannot_be_read_never_equals_what_cannot_be_read(scorer_id: str):
    claims = CLAIMS[scorer_id]
    unread = claims.unread or ""
    assert claims.mark(unread, unread).value is None
    assert claims.mark(claims.right[0], unread).status == "unparsed"


@pytest.mark.parametrize("scorer_id", denying("unparsed"))
def test_a_scorer_that_reads_some_answers_calls_others_of_their_kind_unparsed(scorer_id: str):
    claims = CLAIMS[scorer_id]
    assert claims.mark(*(claims.unparsed or ("", ""))).status == "unparsed"


@given(left=TEXT, right=TEXT)
@quick
def test_scorers_that_read_everything_never_call_a_reply_unparsed(left: str, right: str):
    for claims, scorer in claiming((*QUICK, *SLOW), "unread"):
        if claims.is_slow or claims.unparsed:
            continue
        assert claims.mark(left, right, scorer=scorer).status != "unparsed", claims.scorer_id


@given(left=TEXT, right=TEXT, task=TASK, names=st.tuples(TEXT, TEXT, TEXT))
@quick
def test_the_same_texts_get_the_same_verdict_whoever_answers(
    left: str, right: str, task: str, names: tuple[str, str, str]
):
    for scorer_id in QUICK:
        if "random-fill" in scorer_id or "external" in scorer_id:
            continue  # these read which item it is, and say so
        claims = CLAIMS[scorer_id]
        item = Item(
            item_id=names[0],
            benchmark=names[1],
            task=task,
            reference=claims.reference(left),
            choices=claims.choices,
        )
        prediction = Prediction(item_id=names[0], system_id=names[2], trial=3, text=right)
        again = load_scorer(scorer_id).score(item=item, prediction=prediction)
        first = claims.mark(claims.reference(left), right, scorer=SCORERS[scorer_id], task=task)
        assert again == first, scorer_id


@pytest.mark.parametrize("scorer_id", [one for one in CLAIMS if "external" not in one])
def test_the_order_of_items_does_not_matter(scorer_id: str):
    claims = CLAIMS[scorer_id]
    pairs = [claims.right, claims.wrong, (claims.right[0], "..."), (claims.right[0], "30 fees B")]
    rows = [
        {"reference": left, "reply": right, "choices": list(claims.choices)}
        for left, right in (*pairs, claims.right)
    ]
    there = mark_many(claims.scorer, rows)
    back = mark_many(claims.scorer, rows[::-1])
    assert there == back[::-1]
    assert there[0] == there[-1]


@pytest.mark.parametrize("scorer_id", CLAIMS)
def test_ids_and_specs_go_there_and_back(scorer_id: str):
    scorer = SCORERS[scorer_id]
    assert load_scorer(scorer_id_of(scorer)) == scorer
    assert from_spec(to_spec(scorer)) == scorer
    assert to_spec(from_spec(to_spec(scorer))) == to_spec(scorer)


@given(threshold=st.floats(0, 1), tasks=st.lists(st.text(ANY_CHARACTER), max_size=3).map(tuple))
@quick
def test_every_parameter_goes_there_and_back(threshold: float, tasks: tuple[str, ...]):
    scorer = replace(SCORERS["strict/as-stated"], threshold=threshold, yes_no_tasks=tasks)
    assert from_spec(to_spec(scorer)) == scorer
    found = scorer_id_of(scorer)
    if "[#" not in found:
        assert load_scorer(found) == scorer
