from pathlib import Path

import pytest

from finassay.integrations.baselines import (
    BASELINES,
    best_sentence,
    first_quantity,
    overlap_label,
    passages_differ,
    record_answer,
    run_baselines,
)
from finassay.records import AnswerContract, Item
from finassay.study import Study

ITEMS = (
    Item(
        item_id="n1",
        task="numerical_reasoning",
        question="How long must records be kept?",
        context="A fee of USD 20 applies. Records must be kept for 5 years. Nothing else.",
        reference="5 years",
        alternatives=("five years",),
    ),
    Item(
        item_id="n2",
        task="numerical_reasoning",
        question="What is the fee?",
        context="The fee is 3%. It is due.",
        reference="3%",
    ),
    Item(
        item_id="c1",
        task="contradiction_detection",
        question="Do they contradict?",
        contexts=("The limit is 10 days.", "The limit is 15 days."),
        choices=("Yes", "No"),
        reference="Yes",
    ),
    Item(
        item_id="l1",
        task="topic",
        question="Which?",
        context="Capital, capital and liquidity.",
        choices=("liquidity", "capital"),
        reference="capital",
    ),
)
BY_NAME = {baseline.name: baseline for baseline in BASELINES}


def reply(name: str, item: Item) -> str:
    return BY_NAME[name].answer(item, ITEMS)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", ""),
        ("nothing here", ""),
        ("A fee of USD 20 applies", "USD 20"),
        ("within 30 days of", "30 days"),
        ("Rs. 1,50,000 crore was", "Rs. 1,50,000 crore"),
        ("about 2.5 per cent", "2.5 per cent"),
        ("on 3 March 2021, 40 firms", "3 March 2021"),
        ("by March 3, 2021 at", "March 3, 2021"),
        ("€12 million or more", "€12 million"),
    ],
)
def test_the_first_quantity_comes_with_its_currency_and_unit(text: str, found: str):
    assert first_quantity(text) == found


def test_the_sentence_that_shares_words_with_the_question_is_found():
    assert best_sentence(ITEMS[0]) == "Records must be kept for 5 years."
    assert best_sentence(Item(item_id="x", question="What?")) == ""


def test_closed_items_get_one_of_their_choices():
    assert overlap_label(ITEMS[3], "Capital, capital and liquidity.") == "capital"
    assert passages_differ(ITEMS[2])
    assert reply("first-quantity", ITEMS[2]) == "Yes"
    assert reply("first-quantity", ITEMS[3]) == "capital"
    assert reply("constant", ITEMS[2]) == "No"


@pytest.mark.parametrize(
    ("question", "context", "said"),
    [
        (
            "Fields, in this order: Payer; Amount",
            "Ollin Ceramics paid USD 20 to Tarn Mills.",
            "Payer: Ollin Ceramics\nAmount: USD 20",
        ),
        (
            "按此顺序填写字段：付款人；金额\n作答",
            "青禾商行付款，金额二十元。",
            "付款人: 青禾商行付款\n金额: 金额二十元",
        ),
    ],
)
def test_fields_are_filled_with_names_and_quantities_in_order(
    question: str, context: str, said: str
):
    item = Item(
        item_id="f",
        question=question,
        context=context,
        contract=AnswerContract(type="fields"),
    )
    assert record_answer(item) == said
    assert reply("first-quantity", item) == said
    assert record_answer(ITEMS[0]) is None


def test_contestants_do_not_read_the_accepted_answer():
    for baseline in BASELINES:
        if baseline.reads_key:
            continue
        for item in ITEMS:
            hidden = Item(
                **{
                    name: getattr(item, name)
                    for name in ("item_id", "task", "question", "context", "contexts", "choices")
                }
            )
            said = [baseline.answer(it, []) for it in (item, hidden)]
            assert said[0] == said[1], baseline.name


def test_controls_hold_the_accepted_answer_and_say_that_they_read_it():
    for name in ("control-worked-out", "control-other-wording"):
        for item in ITEMS:
            accepted = (item.reference or "", *item.alternatives)
            assert any(answer in reply(name, item) for answer in accepted)
        assert BY_NAME[name].spec.prompt_arm == "reads the accepted answers"


def test_the_majority_is_the_most_frequent_answer_of_the_task():
    twice = Item(item_id="n3", task="numerical_reasoning", reference="3%")
    assert BY_NAME["majority"].answer(ITEMS[0], [*ITEMS, twice]) == "3%"


def test_runs_are_committed_once_and_again_change_nothing(tmp_path: Path):
    study = Study.create(tmp_path / "s")
    study.add_items(list(ITEMS), benchmark="b")
    names = run_baselines(study, ITEMS)
    first = study.snapshot()
    assert names == tuple(BY_NAME)
    assert first.frame("predictions").height == len(ITEMS) * len(BASELINES)
    assert {spec.kind for spec in first.systems()} == {"baseline"}
    run_baselines(study, ITEMS)
    assert dict(study.snapshot().versions) == dict(first.versions)


def test_an_empty_reply_is_filed_as_empty(tmp_path: Path):
    bare = [Item(item_id="x", question="What?", reference="y")]
    study = Study.create(tmp_path / "s")
    study.add_items(bare, benchmark="b")
    run_baselines(study, bare, [BY_NAME["first-quantity"], BY_NAME["constant"]])
    frame = study.snapshot().frame("predictions")
    assert sorted(frame.select("text", "finish").rows()) == [("", "empty"), ("Not stated", "stop")]
