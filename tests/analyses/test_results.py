import json
import math
from dataclasses import dataclass, fields, is_dataclass

import pytest

from finassay.analyses import results
from finassay.analyses.results import CountRate, Ranks, to_jsonable


def test_a_result_becomes_json_with_its_fields_in_order():
    plain = to_jsonable(CountRate(k=1, n=4, rate=0.25, low=0.1, high=0.6))
    assert list(plain) == ["k", "n", "rate", "low", "high"]
    assert json.loads(json.dumps(plain)) == plain


def test_no_value_becomes_null():
    assert to_jsonable(CountRate(k=0, n=0, rate=None, low=None, high=None))["rate"] is None


def test_a_number_that_is_not_finite_is_refused():
    with pytest.raises(ValueError, match="finite numbers or None"):
        to_jsonable(CountRate(k=1, n=4, rate=math.nan, low=None, high=None))


def test_something_without_a_json_form_is_refused():
    @dataclass(frozen=True)
    class Odd:
        part: object

    with pytest.raises(TypeError, match="got complex"):
        to_jsonable(Odd(part=1j))


def test_every_result_is_frozen_with_slots_and_keywords_only():
    classes = [getattr(results, name) for name in results.__all__]
    for cls in (c for c in classes if isinstance(c, type) and is_dataclass(c)):
        assert cls.__dataclass_params__.frozen, cls
        assert "__slots__" in vars(cls), cls
        assert all(field.kw_only for field in fields(cls)), cls


def test_every_result_of_verdicts_says_how_the_unscored_were_counted():
    for name in (
        "Estimate",
        "Leaderboard",
        "RegimeComparison",
        "OverturnTable",
        "ItemCoverage",
        "BalancedAccuracy",
    ):
        assert "policy" in {field.name for field in fields(getattr(results, name))}


def test_a_rank_is_read_under_its_convention():
    ranks = Ranks(competition=3, dense=2, average=3.5, ordinal=4)
    names = results.RANK_CONVENTIONS
    assert [ranks.under(name) for name in names] == [3.0, 2.0, 3.5, 4.0]


def test_all_names_of_the_room_are_listed():
    assert len(set(results.__all__)) == len(results.__all__)
    assert all(hasattr(results, name) for name in results.__all__)
