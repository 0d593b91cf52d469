"""Which version of a scorer counts, and what a named base or judge must hold."""

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from finassay.errors import MissingVerdictsError, UsageError
from finassay.marking.many import mark_many
from finassay.marking.regimes import available, require_held
from finassay.marking.single import mark
from finassay.marking.table import newest_versions, version_key
from finassay.records import Verdict
from finassay.scorers.composites import AnyOf, FirstScored, Imported, computable
from finassay.scorers.registry import load_scorer


@pytest.mark.parametrize(
    ("older", "newer"), [("9", "10"), ("1", "1.1"), ("1.9", "1.10"), ("rc", "1")]
)
def test_versions_compare_as_people_count_them(older: str, newer: str):
    assert version_key(older) < version_key(newer)


@given(st.lists(st.integers(0, 10**6), min_size=2, max_size=2, unique=True))
def test_whole_numbers_compare_as_numbers(pair: list[int]):
    low, high = sorted(pair)
    assert version_key(str(low)) < version_key(str(high))


def test_only_the_newest_version_of_each_scorer_is_kept():
    rows = [("a", "9", 1), ("a", "10", 2), ("b", "1", 3)]
    frame = pl.DataFrame(rows, schema=["scorer_id", "scorer_version", "n"], orient="row")
    assert newest_versions(frame)["n"].to_list() == [2, 3]


def test_a_named_base_opens_the_regimes_and_must_hold_verdicts():
    assert available(["exact"]) == ()
    assert available(["exact"], base="exact") == ("strict",)
    with pytest.raises(MissingVerdictsError, match="the judge 'judge/x' holds no verdicts"):
        require_held("judge/x", "judge", ["stored"])


def test_an_imported_scorer_is_refused_alike_at_every_door():
    nested = AnyOf(parts=(load_scorer("exact"), FirstScored(parts=(Imported(name="stored"),))))
    with pytest.raises(UsageError, match="'stored' are imported, not computed"):
        computable(nested)
    with pytest.raises(UsageError, match="'stored' are imported, not computed"):
        mark("stored", reference="a", reply="a")
    with pytest.raises(UsageError, match="'stored' are imported, not computed"):
        mark_many("stored", [{"reference": "a", "reply": "a"}])


def test_a_frame_is_held_to_what_a_mapping_is():
    with pytest.raises(UsageError, match="unknown column 'surprise'"):
        mark_many("exact", pl.DataFrame({"reference": ["a"], "reply": ["a"], "surprise": [1]}))
    with pytest.raises(UsageError, match=r"`finish` must be one of .*got 'length'"):
        mark_many("exact", pl.DataFrame({"reference": ["a"], "reply": ["a"], "finish": ["length"]}))


@pytest.mark.parametrize("status", ["no_answer", "unparsed", "not_applicable", "failed"])
def test_a_verdict_without_a_value_must_say_why(status: str):
    with pytest.raises(ValueError, match="must say why"):
        Verdict(status=status)
    assert Verdict(status=status, reason="why").value is None
