import hashlib
import random

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import study_strategies as samples
from finassay.records import Item, Prediction
from finassay.study import digests
from finassay.study.digests import table_digest
from finassay.study.rows import items_frame, predictions_frame
from finassay.study.schemas import ITEMS, PREDICTIONS, TABLES, TableSchema
from reference.table_digest import digest_of_rows
from study_samples import answers

few = settings(deadline=None, max_examples=50)


def slow_digest(frame: pl.DataFrame, schema: TableSchema) -> str:
    columns = [name for name in schema.columns if name not in schema.volatile]
    return digest_of_rows([[row[c] for c in columns] for row in frame.iter_rows(named=True)])


@few
@given(st.lists(samples.items, max_size=5))
def test_items_digest_equals_the_textbook_one(listed: list[Item]):
    frame = items_frame(listed)
    assert table_digest(frame, ITEMS) == slow_digest(frame, ITEMS)


@few
@given(st.lists(samples.predictions, max_size=5))
def test_predictions_digest_equals_the_textbook_one(listed: list[Prediction]):
    frame = predictions_frame(listed)
    assert table_digest(frame, PREDICTIONS) == slow_digest(frame, PREDICTIONS)


@few
@given(st.lists(samples.predictions, max_size=6), st.integers(0, 10**6), st.integers(1, 4))
def test_order_and_chunks_do_not_enter(listed: list[Prediction], seed: int, size: int):
    frame = predictions_frame(listed)
    shuffled = random.Random(seed).sample(listed, len(listed))
    parts = [shuffled[i : i + size] for i in range(0, len(shuffled), size)]
    chunked = pl.concat([predictions_frame(part) for part in parts] or [frame], rechunk=False)
    assert table_digest(chunked, PREDICTIONS) == table_digest(frame, PREDICTIONS)


@few
@given(samples.predictions)
def test_a_duplicate_row_changes_the_digest(one: Prediction):
    once, twice = predictions_frame([one]), predictions_frame([one, one])
    assert table_digest(once, PREDICTIONS) != table_digest(twice, PREDICTIONS)


@pytest.mark.parametrize("column", ["latency_s", "cost_usd", "run_id"])
def test_volatile_columns_do_not_enter(column: str):
    frame = answers()
    changed = frame.with_columns(pl.lit("7").cast(PREDICTIONS.columns[column]).alias(column))
    assert not changed.equals(frame)
    assert table_digest(changed, PREDICTIONS) == table_digest(frame, PREDICTIONS)


@pytest.mark.parametrize("name", list(TABLES))
def test_every_other_column_enters(name: str):
    schema = TABLES[name]
    frame = pl.DataFrame({c: pl.Series([None], dtype=t) for c, t in schema.columns.items()})
    samples_of = {
        pl.String(): "x",
        pl.Int64(): 1,
        pl.Float64(): 1.0,
        pl.List(pl.String()): [],
        pl.List(pl.Struct({"key": pl.String(), "value": pl.String()})): [],
    }
    before = table_digest(frame, schema)
    for column in schema.digested:
        dtype = schema.columns[column]
        changed = frame.with_columns(pl.Series(column, [samples_of[dtype]], dtype=dtype))
        assert table_digest(changed, schema) != before, column


def test_null_and_empty_text_and_empty_list_differ():
    base = items_frame([Item(item_id="1", reference=None)])
    empty = items_frame([Item(item_id="1", reference="")])
    same_id = empty.with_columns(base["item_digest"])
    assert table_digest(base, ITEMS) != table_digest(same_id, ITEMS)
    no_list = base.with_columns(pl.lit(None, dtype=pl.List(pl.String)).alias("choices"))
    assert table_digest(base, ITEMS) != table_digest(no_list, ITEMS)


def test_text_cannot_flow_from_one_column_into_the_next():
    one = items_frame([Item(item_id="1", family="ab", task="c")])
    two = items_frame([Item(item_id="1", family="a", task="bc")]).with_columns(one["item_digest"])
    assert table_digest(one, ITEMS) != table_digest(two, ITEMS)


def test_an_empty_table_has_the_digest_of_nothing():
    # SHA-256 of the empty message, FIPS 180-4 example value.
    expected = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert table_digest(ITEMS.empty(), ITEMS) == expected


def test_digests_of_rows_are_sorted_as_bytes_even_where_they_hold_zeros(
    monkeypatch: pytest.MonkeyPatch,
):
    rows = [bytes([255] * 32), bytes(32), bytes([1, *[0] * 31]), bytes([*[0] * 31, 1]), bytes(32)]
    monkeypatch.setattr(digests, "row_digests", lambda *_: iter(rows))
    expected = hashlib.sha256(b"".join(sorted(rows))).hexdigest()
    assert table_digest(items_frame([]), ITEMS) == expected


def test_minus_zero_and_zero_differ_because_their_bits_do():
    verdicts = TABLES["verdicts"]
    row = {"item_id": "1", "value": 0.0}
    frame = pl.DataFrame([row], schema=verdicts.polars_schema)
    minus = frame.with_columns(value=pl.lit(-0.0))
    assert table_digest(frame, verdicts) != table_digest(minus, verdicts)
