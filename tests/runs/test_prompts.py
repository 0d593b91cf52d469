"""What models are asked, and the examples that they are shown."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.benchmarks.bundled import bundled_names, load_bundled
from finassay.errors import UnknownNameError, UsageError
from finassay.records import AnswerContract, Item
from finassay.runs.prompts import ARMS, Thinking, arm_named, letter_of, prompt_hash, prompt_of
from finassay.runs.shots import Shots, is_near, leaks


def item(item_id: str = "a", **fields: object) -> Item:
    told: dict[str, object] = {"question": f"How many are {item_id}?", "reference": "12"}
    return Item(item_id=item_id, **(told | fields))  # type: ignore[arg-type]


def asked(one: Item, arm: str = "free") -> str:
    return prompt_of(one, ARMS[arm])[-1].text


@pytest.mark.parametrize("name", bundled_names())
@pytest.mark.parametrize("arm", ARMS)
def test_a_prompt_holds_passages_and_question_and_never_the_reference(name: str, arm: str):
    for one in load_bundled(name):
        secret = replace(one, reference="a key to the answer", alternatives=("another key",))
        text = asked(secret, arm)
        assert one.question in text
        assert one.context in text
        assert all(passage in text for passage in one.contexts)
        assert "a key to the answer" not in text
        assert "another key" not in text


def test_the_answer_contract_is_told():
    contract = AnswerContract(type="money", unit="EUR", scale="million", decimals=1)
    assert "an amount of money in EUR counted in million to 1 decimal place." in asked(
        item(contract=contract)
    )
    days = AnswerContract(type="duration", unit="working_day", decimals=2)
    assert "a length of time in working day to 2 decimal places." in asked(item(contract=days))


def test_options_are_lettered_where_the_contract_asks_for_a_choice():
    text = asked(item(choices=("up", "down"), contract=AnswerContract(type="choice")))
    assert "A. up\nB. down" in text
    assert "by its letter" in text


def test_labels_that_the_question_does_not_name_are_named():
    named = item(choices=("up", "down"))
    assert "Choose one of: up; down." in asked(named)
    known = item(question="Is it up or down?", choices=("up", "down"))
    assert "Choose one of" not in asked(known)


def test_the_exact_arm_asks_for_a_last_line():
    assert "begins with 'Answer:'" in asked(item(), "exact-answer")
    assert "begins with 'Answer:'" not in asked(item())


def test_letters_go_on_after_z():
    assert [letter_of(n) for n in (0, 25, 26, 51, 52, 701, 702)] == [
        *("A", "Z", "AA", "AZ", "BA", "ZZ", "AAA")
    ]


@pytest.mark.parametrize(
    ("thinking", "line"), [("no-think", "/no_think"), ("instructed", "Reply at once")]
)
def test_reasoning_is_kept_down_by_a_system_line(thinking: Thinking, line: str):
    first = prompt_of(item(), ARMS["free"], thinking=thinking)[0]
    assert first.role == "system"
    assert first.text.startswith(line)


@pytest.mark.parametrize("thinking", ["as-is", "effort-none"])
def test_no_system_line_is_sent_where_none_was_asked_for(thinking: Thinking):
    assert [turn.role for turn in prompt_of(item(), ARMS["free"], thinking=thinking)] == ["user"]


def test_the_hash_tells_wordings_apart():
    ways: tuple[Thinking, ...] = ("as-is", "no-think", "instructed")
    hashes = {prompt_hash(arm, way) for arm in ARMS.values() for way in ways}
    assert len(hashes) == len(ARMS) * len(ways)


def test_an_unknown_arm_is_refused_with_those_there_are():
    with pytest.raises(UnknownNameError, match="no prompt arm 'best'; expected one of free, exact"):
        arm_named("best")


def test_examples_stand_before_the_question_with_their_answers():
    shot = item("b", reference="7")
    turns = prompt_of(item(), ARMS["exact-answer"], shots=[shot])
    assert [turn.role for turn in turns] == ["user", "assistant", "user"]
    assert shot.question in turns[0].text
    assert turns[1].text == "Answer: 7"
    assert prompt_of(item(), ARMS["free"], shots=[shot])[1].text == "7"


PASSAGE = "The bank reports a ratio of 12% for the year and pays a dividend of 3 cents in May."
NEARLY = "The bank reports a ratio of 13% for the year and pays a dividend of 3 cents in May."
FAR = "Members of the council may be elected twice and serve for four years from July on."


@pytest.mark.parametrize(
    ("example", "reason"),
    [
        (item("a", question="Something else?"), "the same id"),
        (item("b", documents=("annual report", "notes")), "a document in common"),
        (item("b", context=NEARLY, question="Who pays?"), "nearly the same passage"),
        (item("b", contexts=(FAR, PASSAGE), question="Who?"), "the passage among several"),
        (item("b", question="Are how many a?"), "the same words"),
    ],
)
def test_an_example_that_may_give_the_answer_away_leaks(example: Item, reason: str):
    del reason
    assert leaks(example, item("a", documents=("notes",), context=PASSAGE)) or leaks(
        example, item("a")
    )


def test_an_example_about_something_else_does_not_leak():
    example = item("b", context=FAR, documents=("statutes",), question="How long do they serve?")
    assert not leaks(example, item("a", documents=("notes",), context=PASSAGE))


def test_a_question_that_is_the_same_for_all_is_no_leak_where_the_passages_differ():
    question = "Do the two passages contradict each other? Answer Yes or No."
    first = item("a", question=question, contexts=(PASSAGE, FAR[::-1]))
    second = item("b", question=question, contexts=(FAR, PASSAGE[::-1]))
    assert not leaks(first, second)


@pytest.mark.parametrize("name", bundled_names())
def test_examples_of_the_bundled_items_share_nothing_with_them(name: str):
    items = load_bundled(name)
    chosen = Shots(pool=items, count=2).of(items)
    assert chosen.keys() == {one.item_id for one in items}
    for one in items:
        for shot in chosen[one.item_id]:
            assert shot.task == one.task
            assert not set(shot.documents) & set(one.documents)
            assert shot.item_id != one.item_id


def test_examples_are_the_same_every_time_and_others_under_another_seed():
    items = load_bundled("finassay-regqa")
    assert Shots(pool=items, count=2).of(items) == Shots(pool=items[::-1], count=2).of(items)
    assert Shots(pool=items, count=2).of(items) != Shots(pool=items, count=2, seed=1).of(items)
    assert Shots(pool=items, count=2).named() == Shots(pool=items[::-1], count=2).named()
    assert Shots(pool=items, count=2).named() != Shots(pool=items[1:], count=2).named()


def test_too_few_examples_are_an_error_and_not_fewer_examples():
    pool = tuple(item(name, context=FAR) for name in "bcd")
    with pytest.raises(UsageError, match=r"needs 2 worked examples .* and the pool has 0"):
        Shots(pool=pool, count=2).of([item("a", context=FAR)])


@given(st.text(min_size=1, max_size=80).filter(str.strip))
@settings(deadline=None)
def test_a_text_is_near_itself_in_any_case(text: str):
    assert is_near(text, text)
