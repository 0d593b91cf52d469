from __future__ import annotations

import pytest

from finassay.errors import SpecError
from finassay.scorers.fields import Fields
from scoring import mark

LIMIT = '{"limit": 500000}'


@pytest.mark.parametrize(
    ("reference", "reply", "value"),
    [
        (LIMIT, f"{LIMIT}\n\nReferences: [1]", 1.0),
        (LIMIT, f"```json\n{LIMIT}\n```", 1.0),
        (LIMIT, '{"Limit": "5 lakh"}', 1.0),
        (LIMIT, '{"limit": 5,00,000}', 1.0),
        (LIMIT, '{"limit": 50000}', 0.0),
        ('{"sum": "USD 1,500,000"}', '{"sum": "1,500,000 dollars"}', 1.0),
        ('{"a": "of 1,500, paid", "b": 2}', '{"a": "of 1,500, paid", "b": 2}', 1.0),
        ('{"a": "of 1,500, paid", "b": 2000}', '{"a": "of 1,500, paid", "b": 2,000}', 1.0),
        ('{"pass": true}', '{"pass": "Yes"}', 1.0),
        ('{"pass": true}', '{"pass": false}', 0.0),
        ('{"on": "2027-01-01", "limit": "5 lakh"}', '{"limit": 500000, "on": "1 Jan 2027"}', 1.0),
        ('{"a": 1, "b": 2, "c": 3, "d": 4}', '{"a": 1, "b": 3, "d": 4}', 0.5),
        ('{"a": {"b": [1, 2]}}', '{"a": {"b": [1, 3]}}', 0.5),
        ("name: SBI\nlimit: 5 lakh", "**Limit:** 500000\n**Name:** sbi", 1.0),
        ("name: SBI\nlimit: 5 lakh", '{"name": "SBI", "limit": 5}', 0.5),
        ("(SBI, 1,000, 2027-01-01)", "(sbi, 1000, 1 Jan 2027)", 1.0),
        ("a; b; c", "a; c; b", 1 / 3),
        ("a | b", "b | a", 0.0),
    ],
)
def test_the_value_is_the_share_of_fields_that_agree(reference: str, reply: str, value: float):
    assert mark("fields", reference, reply).value == pytest.approx(value)


@pytest.mark.parametrize(
    ("reference", "reply", "status"),
    [
        (LIMIT, "the limit is 500000", "unparsed"),
        (LIMIT, '{"limit": 500000', "unparsed"),
        (LIMIT, "(500000, 2)", "unparsed"),
        ("(a, b)", "a and b", "unparsed"),
        ("a limit of 500000", LIMIT, "not_applicable"),
        ("{}", LIMIT, "not_applicable"),
    ],
)
def test_what_is_no_record_has_no_value(reference: str, reply: str, status: str):
    found = mark("fields", reference, reply)
    assert (found.status, found.value) == (status, None)


@pytest.mark.parametrize(("several", "value"), [("reject", None), ("first", 1.0), ("last", 0.0)])
def test_records_that_differ_are_a_declared_policy(several: str, value: float | None):
    found = mark(Fields(several=several), LIMIT, f'{LIMIT} For comparison: {{"limit": 5}}')
    assert found.value == value
    assert "several-records" in found.flags


def test_the_same_record_twice_is_one():
    found = mark("fields", LIMIT, f'{LIMIT} and so {{"limit": "5 lakh"}}')
    assert (found.value, found.flags) == (1.0, ())


def test_names_without_their_brackets_count_only_when_told_to():
    reference, reply = '{"amount": "500000"}', '{"Amount (INR)": "500000"}'
    plain = mark("fields", reference, reply)
    assert plain.value == 0.0
    assert "loose-name" in plain.flags
    assert mark("fields[loose_names=true]", reference, reply).value == 1.0


def test_more_fields_than_asked_for_are_flagged():
    assert mark("fields", LIMIT, '{"limit": 500000, "rate": 2}').flags == ("extra-fields",)


def test_a_threshold_of_one_asks_for_all_fields():
    reference = '{"a": 1, "b": 2}'
    assert mark("fields[threshold=1]", reference, '{"a": 1}').value == 0.0
    assert mark("fields[threshold=0.5]", reference, '{"a": 1}').value == 1.0
    assert (
        mark("fields", reference, '{"a": 1}').reason == "1 of 2 fields agree; 'b' missing or other"
    )


def test_deep_and_broken_objects_are_read_as_far_as_they_go():
    deep = '{"a":' * 5_000 + "1" + "}" * 5_000
    assert mark("fields", LIMIT, deep).status == "unparsed"
    assert mark("fields", LIMIT, "{" * 100 + LIMIT).value == 1.0


def test_a_policy_that_does_not_exist_is_refused():
    with pytest.raises(SpecError, match="`several` of Fields must be one of"):
        Fields(several="all")
