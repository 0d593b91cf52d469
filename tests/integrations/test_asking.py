"""Finding the item that a harness asks about."""

import pytest

from finassay.benchmarks.bundled import bundled_names, load_bundled
from finassay.benchmarks.carried import KEY, carried_item
from finassay.errors import InputError
from finassay.integrations.asking import Asked, ItemFinder
from finassay.records import Item
from finassay.runs.prompts import ARMS, prompt_of

FEE = Item(item_id="1", question="What is the fee?", context="The fee is 3%.", reference="3%")
OTHER_FEE = Item(item_id="2", question="What is the fee?", context="The fee is 5%.", reference="5%")
TERM = Item(item_id="3", question="How long is the term?", context="Ten days.", reference="10 days")
FINDER = ItemFinder([FEE, OTHER_FEE, TERM])


def test_an_id_is_believed_where_the_question_is_the_same():
    assert FINDER.find(Asked.of("Q: What is  the\nfee?", sample_id="2")) == OTHER_FEE


def test_an_id_of_another_benchmark_is_not_believed():
    asked = Asked.of("Ten days. How long is the term?", sample_id="1")
    assert FINDER.find(asked) == TERM


def test_question_and_passage_together_tell_the_item():
    assert FINDER.find(Asked.of("The fee is 5%.\n\nWhat is the fee?\nAnswer:")) == OTHER_FEE


def test_the_carried_item_wins_and_need_not_be_known():
    new = Item(item_id="9", question="Who?")
    asked = Asked.of("What is the fee?", sample_id="1", metadata={KEY: carried_item(new)})
    assert FINDER.find(asked) == new


def test_twins_in_content_are_one_answer():
    twin = Item(item_id="4", question="How long is the term?", context="Ten days.", reference="x")
    same = Item(item_id="5", question=TERM.question, context=TERM.context, reference="10 days")
    assert ItemFinder([TERM, same]).find(Asked.of("Ten days. How long is the term?")) == same
    with pytest.raises(InputError, match="the call holds the texts of several items: '3', '4'"):
        ItemFinder([TERM, twin]).find(Asked.of("Ten days. How long is the term?"))


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (Asked.of("Something else?", sample_id="1"), "'1' asks another question than the item"),
        (Asked.of("Something else?", sample_id="7"), "the sample '7' names none of the 3 items"),
        (Asked.of("Something else?"), "the call names none .* it begins 'Something else\\?'"),
    ],
)
def test_a_call_about_no_known_item_is_refused(asked: Asked, message: str):
    with pytest.raises(InputError, match=message):
        FINDER.find(asked)


def test_an_item_without_any_text_is_never_found_by_its_text():
    with pytest.raises(InputError, match="names none"):
        ItemFinder([Item(item_id="1")]).find(Asked.of("Anything"))


@pytest.mark.parametrize("arm", ARMS)
def test_every_bundled_item_is_found_from_our_prompts_alone(arm: str):
    items = [item for name in bundled_names() for item in load_bundled(name)]
    finder = ItemFinder(items)
    for item in items:
        prompt = prompt_of(item, ARMS[arm])[-1].text
        assert finder.find(Asked.of(prompt)).item_digest == item.item_digest
