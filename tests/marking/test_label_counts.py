"""Counting labels over columns: the same sets as reply by reply, and one pass over a file."""

from collections import Counter
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.errors import InputError, MappingError, UsageError
from finassay.marking.label_counts import label_histogram, parquet_replies
from finassay.text.labels import Matcher, finder

CHOICES = ("negative", "neutral", "Positive", "no")
REPLIES = st.lists(
    st.one_of(
        st.sampled_from(
            ["Positive", "NEGATIVE", "neutral", "no", "non-negative", "nο", "İ", "ΣΑΣ"]
        ),
        st.sampled_from([" ", ".", "-", "_", "1"]),
    ),
    max_size=6,
).map("".join)
ROWS = st.lists(
    st.tuples(REPLIES, st.sampled_from(CHOICES), st.sampled_from(["t", "n"])),
    min_size=1,
    max_size=12,
)
MATCHERS = [
    Matcher(),
    Matcher(norm="none"),
    Matcher(kind="word"),
    Matcher(kind="word", hyphen_joins=True),
    Matcher(longest=True),
    Matcher(norm="compatible"),
]


def frame(rows: list[tuple[str, str, str]]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=["reply", "gold", "stratum"], orient="row")


@pytest.mark.parametrize("matcher", MATCHERS, ids=lambda matcher: matcher.name)
@settings(deadline=None, max_examples=50)
@given(rows=ROWS, repeats=st.integers(1, 3))
def test_sets_are_those_found_reply_by_reply(
    matcher: Matcher, rows: list[tuple[str, str, str]], repeats: int
) -> None:
    found = finder(matcher, CHOICES)
    expected = Counter(
        (stratum, found.index_of(gold), sum(1 << j for j in found.labels(reply)))
        for reply, gold, stratum in rows * repeats
    )
    histogram = label_histogram([frame(rows * repeats)], choices=CHOICES, matcher=matcher)
    assert dict(histogram.cells) == expected
    assert histogram.n == len(rows) * repeats


@settings(deadline=None, max_examples=50)
@given(rows=ROWS, cut=st.integers(0, 12))
def test_batches_do_not_change_the_counts(rows: list[tuple[str, str, str]], cut: int) -> None:
    whole = frame(rows)
    parts = [part for part in (whole[:cut], whole[cut:]) if len(part)]
    assert label_histogram(parts, choices=CHOICES) == label_histogram([whole], choices=CHOICES)


def test_a_file_is_counted_in_batches(tmp_path: Path) -> None:
    path = tmp_path / "replies.parquet"
    rows = [("Positive, not negative.", "Positive", "t"), ("no", "neutral", "n")] * 50
    frame(rows).write_parquet(path)
    batches = list(parquet_replies(path, stratum="stratum", rows=16))
    assert len(batches) > 1
    histogram = label_histogram(batches, choices=CHOICES)
    assert dict(histogram.cells) == {("n", 1, 0b1000): 50, ("t", 2, 0b1101): 50}


def test_a_file_that_is_not_there_or_lacks_a_column_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.parquet: cannot be read as a Parquet file"):
        list(parquet_replies(tmp_path / "none.parquet"))
    other = tmp_path / "other.parquet"
    other.write_text("reply,gold", encoding="utf-8")
    with pytest.raises(InputError, match="cannot be read as a Parquet file"):
        list(parquet_replies(other))
    frame([("no", "no", "")]).write_parquet(other)
    with pytest.raises(MappingError, match="there is no column 'answer'"):
        list(parquet_replies(other, gold="answer"))


def test_an_accepted_label_outside_the_choices_is_an_error_not_wrong() -> None:
    with pytest.raises(InputError, match="the accepted label 'maybe' is not among the choices"):
        label_histogram([frame([("no", "maybe", "")])], choices=CHOICES)


def test_no_replies_give_no_counts() -> None:
    with pytest.raises(InputError, match="there are no replies"):
        label_histogram([], choices=CHOICES)


def test_a_null_reply_is_refused() -> None:
    with pytest.raises(InputError, match="null"):
        label_histogram([pl.DataFrame({"reply": [None], "gold": ["no"]})], choices=CHOICES)


def test_too_many_labels_are_refused() -> None:
    with pytest.raises(UsageError, match="at most 63 labels, got 64"):
        label_histogram([frame([("no", "no", "")])], choices=[f"l{i:02}" for i in range(64)])


def test_labels_equal_under_the_norm_are_refused() -> None:
    with pytest.raises(UsageError, match="equal under norm 'lower'"):
        label_histogram([frame([("no", "no", "")])], choices=["no", "No"])
