"""What holds for items under a contract, and for the checks of them."""

from __future__ import annotations

import pytest

from finassay.benchmarks.operations.checks import check_items
from finassay.benchmarks.operations.problems import ContractProblem
from finassay.records import AnswerContract
from operation_samples import ITEM, contract_of_kind, read_items

TEXT_FIELDS = {"fields": "context, question"}


def found(kind: str = "decision_label", *items: dict[str, object], **changes: str):
    contract = contract_of_kind(kind, **changes)  # type: ignore[arg-type]
    entries, problems = read_items(contract, *items)
    assert not problems, problems
    return check_items(contract, entries, file="i.jsonl")


def fields_of(problems: tuple[ContractProblem, ...]) -> list[str]:
    return [problem.field for problem in problems]


def without(*names: str, **changes: object) -> dict[str, object]:
    return {key: value for key, value in {**ITEM, **changes}.items() if key not in names}


def test_an_item_carries_its_contract_and_its_instructions():
    ((entry,), problems) = read_items(contract_of_kind(), ITEM)
    assert not problems
    item = entry.item
    assert (item.contract_id, item.family, item.task, item.benchmark) == (
        *("outcome", "outcome"),
        *("outcome", "b"),
    )
    assert item.question == "What now?\nAnswer."
    assert entry.asked == "What now?"
    assert dict(item.strata) == {"layer": "review", "group": "g"}
    assert item.contract == AnswerContract(type="label")
    assert "sent one paper" in entry.visible
    assert "made up" not in entry.visible


def test_an_item_in_chinese_gets_chinese_instructions():
    ((entry,), _) = read_items(contract_of_kind(), {**ITEM, "language": "zh"})
    assert entry.item.question.endswith("作答。")


def test_the_answer_of_a_number_is_read():
    answer = {"type": "money", "unit": "USD", "scale": "million", "decimals": 1}
    item = without("choices", reference="USD 5 million", answer=answer)
    ((entry,), problems) = read_items(contract_of_kind("number", **TEXT_FIELDS), item)
    assert not problems
    assert entry.item.contract == AnswerContract(**answer)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("change", "field", "expected"),
    [
        ({"item_id": ""}, "item_id", "text that is not empty"),
        ({"question": 3}, "question", "text that is not empty"),
        ({"source": " "}, "source", "where the item comes from"),
        ({"rationale": ""}, "rationale", "where the item comes from"),
        ({"contract": "other"}, "contract", "one of outcome"),
        ({"difficulty": "brutal"}, "difficulty", "one of easy, medium, hard"),
        ({"language": "de"}, "language", "one of en, zh"),
        ({"choices": "accept"}, "choices", "a list of texts"),
        ({"evidence": [1]}, "evidence", "a list of texts"),
        ({"hint": "x"}, "hint", "one of item_id"),
        ({"answer": []}, "answer", "an object"),
        ({"answer": {"typ": "x"}}, "answer.typ", "one of type"),
        ({"answer": {"type": "x"}}, "answer.type", "one of text"),
        ({"answer": {"decimals": 99}}, "answer.decimals", "a whole number from 0 to 12"),
        ({"answer": {"percent": "maybe"}}, "answer.percent", "one of allow"),
    ],
)
def test_a_wrong_value_is_named_with_its_line(change: dict[str, object], field: str, expected: str):
    entries, problems = read_items(contract_of_kind(), ITEM, {**ITEM, "item_id": "i2", **change})
    assert len(entries) == 1
    assert [(one.line, one.field) for one in problems] == [(2, field)]
    assert expected in problems[0].expected


@pytest.mark.parametrize("key", ["item_id", "contract", "question", "reference", "source"])
def test_a_missing_key_is_named(key: str):
    _, problems = read_items(contract_of_kind(), without(key))
    assert [one.field for one in problems] == [key]
    assert problems[0].got == "nothing"


def test_an_id_must_not_stand_twice_and_a_line_must_be_an_object():
    contract = contract_of_kind()
    _, problems = read_items(contract, ITEM, ITEM)
    assert [(one.line, one.field, one.item_id) for one in problems] == [(2, "item_id", "i1")]
    reader_problems = read_items(contract, ITEM)[1]
    assert not reader_problems


def test_a_sound_item_has_no_finding():
    assert found("decision_label", ITEM) == ()


@pytest.mark.parametrize(
    ("kind", "change", "changes"),
    [
        ("decision_label", {"reference": "maybe"}, {}),
        ("option", {"reference": "E"}, {"scorer": "choice"}),
        ("option", {"reference": "A, B"}, {"scorer": "choice"}),
        ("option_set", {"reference": "none"}, {"scorer": "choice"}),
        ("provision_set", {"reference": "Article 9"}, {"scorer": "provision_set"}),
    ],
)
def test_a_reference_that_is_not_of_the_kind_is_found(
    kind: str, change: dict[str, object], changes: dict[str, str]
):
    assert "reference" in fields_of(found(kind, {**ITEM, **change}, **changes))


@pytest.mark.parametrize(
    ("kind", "reference", "scorer"),
    [("number", "much", "financial"), ("ordered_fields", "much", "fields")],
)
def test_an_open_reference_that_is_not_of_the_kind_is_found(kind: str, reference: str, scorer: str):
    item = without("choices", reference=reference)
    assert "reference" in fields_of(found(kind, item, scorer=scorer, **TEXT_FIELDS))


def test_parts_that_the_contract_does_not_show_are_found():
    assert fields_of(found("decision_label", ITEM, fields="question, choices")) == ["context"]
    shown = found("decision_label", ITEM, fields="context, contexts, question, choices")
    assert fields_of(shown) == ["contexts"]


def test_evidence_must_stand_in_the_visible_input():
    quote = {**ITEM, "evidence": ["sent two papers"]}
    assert fields_of(found("decision_label", quote)) == ["evidence"]
    none = {**ITEM, "evidence": []}
    assert fields_of(found("decision_label", none)) == ["evidence"]
    assert found("decision_label", none, layer="knowledge") == ()


def test_evidence_is_found_whatever_its_marks_and_width():
    item = {
        **ITEM,
        "context": "付款人：青禾商行，金额１２０万元。 It was “paid”.",
        "evidence": ["金额120万元 it was paid"],
    }
    assert found("decision_label", item) == ()


def test_values_of_fields_must_stand_in_the_record():
    record = '{"Papers": "two", "Sender": "the bank"}'
    item = without("choices", "evidence", reference=record)
    problems = found("ordered_fields", item, scorer="fields", **TEXT_FIELDS)
    assert fields_of(problems) == ["reference.Sender"]


@pytest.mark.parametrize(
    ("kind", "context", "reference"),
    [
        ("decision_label", "sent one paper; we refuse it", "refuse"),
        ("label", "sent one paper: REFUSE", "refuse"),
        ("decision_label", "sent one paper，应当ｒｅｆｕｓｅ。", "refuse"),
    ],
)
def test_a_label_that_the_evidence_gives_away_is_found(kind: str, context: str, reference: str):
    item = {**ITEM, "context": context, "reference": reference}
    assert fields_of(found(kind, item)) == ["context"]


def test_a_label_inside_another_word_is_not_given_away():
    item = {**ITEM, "context": "sent one paper and a refuses-all note, unacceptable"}
    assert found("decision_label", {**item, "reference": "accept"}) == ()


def test_a_number_that_the_evidence_gives_away_is_found():
    item = without("choices", context="sent one paper; the total is 1,500.0", reference="USD 1,500")
    assert fields_of(found("number", item, scorer="financial", **TEXT_FIELDS)) == ["context"]
    sum_ = {**item, "context": "sent one paper; 1,000 and 500"}
    assert found("number", sum_, scorer="financial", **TEXT_FIELDS) == ()


def test_key_points_that_the_evidence_holds_word_for_word_are_found():
    point = "- The applicant sent one paper of the two"
    item = without("choices", reference=point)
    assert fields_of(found("rubric_text", item, scorer="key_points", **TEXT_FIELDS)) == ["context"]


LONG = (
    "The applicant sent one paper of the two that are needed, and the office wrote to him in May "
    "that the other one, a statement of his bank, had to come before the end of the year."
)
OTHER = {"item_id": "i2", "context": "Nothing of the kind was sent one paper to the office."}


@pytest.mark.parametrize(
    ("first", "second", "got"),
    [
        ({}, {}, "the input of i1"),
        ({}, {"context": str(ITEM["context"]).upper() + "!"}, "the input of i1"),
        (
            {"context": "On day 5 he sent one paper of 20."},
            {"context": "On day 7 he sent one paper of 31."},
            "with other figures",
        ),
        ({"context": LONG}, {"context": f"{LONG} Thanks."}, "of the input of i1"),
    ],
)
def test_items_that_are_nearly_the_same_are_found(
    first: dict[str, object], second: dict[str, object], got: str
):
    (problem,) = found("decision_label", {**ITEM, **first}, {**ITEM, "item_id": "i2", **second})
    assert (problem.line, problem.item_id) == (2, "i2")
    assert got in problem.got


def test_items_of_one_source_may_be_less_alike():
    longer = f"{ITEM['context']} We asked for it."
    one, other = {**ITEM, "source_id": "file 7"}, {**ITEM, "item_id": "i2", "context": longer}
    assert found("decision_label", one, other) == ()
    (problem,) = found("decision_label", one, {**other, "source_id": "file 7"})
    assert "its source 'file 7'" in problem.got


def test_unlike_items_are_no_finding():
    assert found("decision_label", ITEM, {**ITEM, **OTHER}) == ()
