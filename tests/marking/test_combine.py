from collections.abc import Sequence

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.marking.columns import OUTPUT_SCHEMA, columns_of, merge, scored_columns, verdicts_of
from finassay.marking.combine import combine
from finassay.records import STATUSES, Verdict
from finassay.scorers.composites import AllOf, AnyOf, Composite, FirstScored, Imported, Majority

NAMES = ("rule", "judge/a", "person/b")
KINDS = (AnyOf, AllOf, FirstScored, Majority)

words = st.sampled_from(["", "a", "b", "a\x1fb", "b\x1fc"])


@st.composite
def part_verdicts(draw: st.DrawFn) -> Verdict | None:
    """A verdict, or None where the part holds none."""
    if draw(st.integers(0, 4)) == 0:
        return None
    status = draw(st.sampled_from(STATUSES))
    return Verdict(
        status=status,
        value=draw(st.sampled_from([0.0, 0.5, 1.0, 1 / 3])) if status == "scored" else None,
        label=draw(st.none() | words),
        extracted=draw(st.none() | words),
        flags=tuple(draw(st.lists(words, max_size=2))),
        reason=draw(words) or "why",
    )


rows_of_parts = st.lists(st.tuples(*(part_verdicts() for _ in NAMES)), max_size=12)


def as_columns(verdicts: Sequence[Verdict | None]) -> pl.DataFrame:
    """Return verdicts as columns, with nulls where there is none."""
    held = iter(columns_of([v for v in verdicts if v is not None]).iter_rows())
    nothing = (None,) * len(OUTPUT_SCHEMA)
    rows = [nothing if verdict is None else next(held) for verdict in verdicts]
    return pl.DataFrame(rows, schema=OUTPUT_SCHEMA, orient="row")


def composite_of(kind: type[Composite]) -> Composite:
    return kind(parts=tuple(Imported(name=name) for name in NAMES))


@pytest.mark.parametrize("kind", KINDS)
@settings(deadline=None, max_examples=40)
@given(rows_of_parts)
def test_columns_combine_as_rows_do(kind: type[Composite], rows: list[tuple[Verdict | None, ...]]):
    composite = composite_of(kind)
    parts = [(name, as_columns([row[number] for row in rows])) for number, name in enumerate(NAMES)]
    expected = [
        composite.combine([(name, v) for name, v in zip(NAMES, row, strict=True) if v is not None])
        for row in rows
    ]
    assert list(verdicts_of(combine(composite, parts))) == expected


@pytest.mark.parametrize(
    ("kind", "left", "right", "expected"),
    [
        (AnyOf, 0.0, 1.0, 1.0),
        (AnyOf, 0.0, 0.0, 0.0),
        (AnyOf, 0.0, None, None),
        (AnyOf, 1.0, None, 1.0),
        (AllOf, 1.0, 0.0, 0.0),
        (AllOf, 1.0, None, None),
        (AllOf, 0.0, None, 0.0),
        (FirstScored, None, 0.0, 0.0),
        (FirstScored, 1.0, 0.0, 1.0),
    ],
)
def test_unknown_is_neither_right_nor_wrong(
    kind: type[Composite], left: float | None, right: float | None, expected: float | None
):
    def verdict(value: float | None) -> Verdict:
        status = "unparsed" if value is None else "scored"
        return Verdict(status=status, value=value, reason="why")

    parts = [("rule", columns_of([verdict(left)])), ("judge/a", columns_of([verdict(right)]))]
    assert combine(composite_of(kind), parts)["value"].to_list() == [expected]


def test_flags_that_read_alike_when_joined_are_told_apart():
    one = Verdict(status="scored", value=1.0, flags=("a", "b\x1fc"))
    other = Verdict(status="scored", value=1.0, flags=("a\x1fb", "c"))
    found = combine(FirstScored(parts=(Imported(name="x"),)), [("x", columns_of([one, other]))])
    assert [v.flags for v in verdicts_of(found)] == [one.flags, other.flags]


def test_no_flag_and_an_empty_flag_are_told_apart():
    listed = [Verdict(status="failed", reason="told", flags=flags) for flags in ((), ("",))]
    found = combine(AnyOf(parts=(Imported(name="x"),)), [("x", columns_of(listed))])
    assert [v.flags for v in verdicts_of(found)] == [(), ("",)]


@pytest.mark.parametrize("kind", KINDS)
def test_no_rows_combine_to_no_rows(kind: type[Composite]):
    found = combine(composite_of(kind), [(name, columns_of([])) for name in NAMES])
    assert found.height == 0
    assert found.schema == OUTPUT_SCHEMA


def test_the_combination_is_asked_once_for_each_distinct_case(monkeypatch: pytest.MonkeyPatch):
    calls = []
    original = AnyOf.combine

    def counting(self: AnyOf, verdicts: Sequence[tuple[str, Verdict]]) -> Verdict:
        calls.append(1)
        return original(self, verdicts)

    monkeypatch.setattr(AnyOf, "combine", counting)
    right, wrong = (Verdict(status="scored", value=value) for value in (1.0, 0.0))
    columns = columns_of([right, wrong] * 500)
    found = combine(composite_of(AnyOf), [("rule", columns), ("judge/a", columns)])
    assert found["value"].to_list() == [1.0, 0.0] * 500
    assert len(calls) == 2


def test_verdicts_of_two_ways_are_put_back_in_order():
    right, wrong = (columns_of([Verdict(status="scored", value=v)]) for v in (1.0, 0.0))
    merged = merge([(np.array([1]), right), (np.array([0]), wrong)], 2)
    assert merged["value"].to_list() == [0.0, 1.0]


def test_nothing_merged_is_a_frame_without_rows():
    assert merge([], 0).schema == OUTPUT_SCHEMA


def test_codes_become_reasons():
    found = scored_columns(np.array([True, False]), np.array([1, 0]), ("wrong", "right"))
    assert list(verdicts_of(found)) == [
        Verdict(status="scored", value=1.0, reason="right"),
        Verdict(status="scored", value=0.0, reason="wrong"),
    ]
