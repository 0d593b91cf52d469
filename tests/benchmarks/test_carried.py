"""Items that travel in another tool's record."""

import json

import pytest
from hypothesis import given, settings

from finassay.benchmarks.bundled import load_bundled
from finassay.benchmarks.carried import carried_item, item_from_carried
from finassay.errors import InputError
from finassay.records import Item
from study_strategies import items


@settings(deadline=None)
@given(item=items)
def test_an_item_comes_back_equal_through_json(item: Item):
    written = json.dumps(carried_item(item))
    assert item_from_carried(json.loads(written), where="here") == item


def test_fields_that_say_nothing_are_not_written():
    assert carried_item(Item(item_id="q", question="Why?")) == {"item_id": "q", "question": "Why?"}


def test_a_bundled_item_keeps_its_digest():
    item = load_bundled("finassay-regqa")[0]
    again = item_from_carried(carried_item(item), where="here")
    assert again.item_digest == item.item_digest


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("text", "sample 3: expected a JSON object"),
        ({"question": "x"}, "sample 3: expected an item with `item_id`"),
        ({"item_id": "x", "grade": 1}, "sample 3: expected an item with `item_id`"),
        ({"item_id": 7}, "`item_id` must be text, got 7"),
        ({"item_id": "x", "choices": "A"}, "`choices` must be"),
        ({"item_id": "x", "contract": {"kind": "?"}}, "`contract`: expected some of"),
        ({"item_id": "x", "strata": ["a"]}, "`strata`: expected a list of pairs"),
        ({"item_id": "x", "strata": {"a": "b"}}, "`strata`: expected a list of pairs"),
    ],
)
def test_what_is_no_item_is_refused_with_its_place(value: object, message: str):
    with pytest.raises(InputError, match=message):
        item_from_carried(value, where="sample 3")
