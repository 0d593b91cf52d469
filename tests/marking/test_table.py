from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.errors import CellClashError, MissingVerdictsError, SchemaError, UnknownNameError
from finassay.marking.matrix import ABSENT, STATUS_CODES, VerdictMatrix
from finassay.marking.table import AXES, VerdictTable
from finassay.records import STATUSES
from finassay.study.schemas import VERDICTS

KEY = VERDICTS.key
DEFAULTS: dict[str, Any] = {
    "item_id": "i1",
    "system_id": "s1",
    "trial": 0,
    "scorer_id": "exact",
    "scorer_version": "1",
    "repeat": 0,
    "status": "scored",
    "value": 1.0,
}
SCHEMA = {name: VERDICTS.columns[name] for name in (*KEY, "status", "value")}


def table_of(*rows: dict[str, Any]) -> VerdictTable:
    return VerdictTable(pl.DataFrame([DEFAULTS | row for row in rows], schema=SCHEMA))


cells = st.lists(
    st.tuples(
        st.sampled_from(["i1", "i2", "i10", "é"]),
        st.sampled_from(["s1", "s2"]),
        st.integers(0, 11),
        st.sampled_from(["exact", "judge/a"]),
        st.sampled_from(STATUSES),
        st.floats(0, 1),
    ),
    max_size=20,
    unique_by=lambda cell: cell[:4],
)


@settings(deadline=None)
@given(cells)
def test_a_matrix_equals_the_one_built_cell_by_cell(listed: list[tuple[Any, ...]]):
    if not listed:
        return
    rows = [
        {
            "item_id": item,
            "system_id": system,
            "trial": trial,
            "scorer_id": scorer,
            "status": status,
            "value": value if status == "scored" else None,
        }
        for item, system, trial, scorer, status, value in listed
    ]
    found = table_of(*rows).matrix(rows=("item_id", "system_id", "trial"), columns="scorer_id")
    twin = VerdictMatrix.from_cells(
        [
            (
                (row["item_id"], row["system_id"], str(row["trial"])),
                row["scorer_id"],
                row["status"],
                row["value"],
            )
            for row in rows
        ],
        row_names=("item_id", "system_id", "trial"),
        column_name="scorer_id",
    )
    assert set(found.rows) == set(twin.rows)
    assert found.rows == tuple(sorted(found.rows))
    assert found.columns == tuple(sorted(twin.columns))
    i = [twin.rows.index(row) for row in found.rows]
    j = [twin.columns.index(column) for column in found.columns]
    assert np.array_equal(found.status, twin.status[np.ix_(i, j)])
    assert np.array_equal(found.values, twin.values[np.ix_(i, j)])
    assert (found.row_names, found.column_name) == (twin.row_names, twin.column_name)


def test_rows_and_columns_are_sorted_unless_an_order_is_given():
    table = table_of({"item_id": "b"}, {"item_id": "a", "system_id": "s2", "value": 0.0})
    found = table.matrix(rows=("item_id",), columns="system_id")
    assert found.rows == (("a",), ("b",))
    assert found.columns == ("s1", "s2")
    assert found.status.tolist() == [[ABSENT, 0], [0, ABSENT]]


def test_an_order_lays_out_absent_labels_and_leaves_out_others():
    table = table_of({"item_id": "b"}, {"item_id": "a", "value": 0.0}, {"item_id": "c"})
    found = table.matrix(
        rows=("item_id",),
        columns="system_id",
        row_order=[("c",), ("z",), ("a",)],
        column_order=["s9", "s1"],
    )
    assert found.rows == (("c",), ("z",), ("a",))
    assert found.columns == ("s9", "s1")
    assert found.status.tolist() == [[ABSENT, 0], [ABSENT, ABSENT], [ABSENT, 0]]
    assert found.values.tolist() == [[0.0, 1.0], [0.0, 0.0], [0.0, 0.0]]


def test_statuses_without_a_value_are_kept_apart_from_wrong():
    rows = [
        {"item_id": status, "status": status, "value": 0.0 if status == "scored" else None}
        for status in STATUSES
    ]
    found = table_of(*rows).matrix(rows=("item_id",), columns="scorer_id")
    for (label,), (code,), (scored,) in zip(
        found.rows, found.status.tolist(), found.scored.tolist(), strict=True
    ):
        assert code == STATUS_CODES[label]
        assert scored is (label == "scored")


@pytest.mark.parametrize(
    ("axis", "other"),
    [("trial", 1), ("repeat", 1), ("scorer_version", "2"), ("scorer_id", "includes")],
)
def test_two_verdicts_in_one_cell_name_the_axis_that_tells_them_apart(axis: str, other: object):
    table = table_of({}, {axis: other, "value": 0.0})
    with pytest.raises(CellClashError, match=rf"'item_id': 'i1'.*tell.*\b{axis}\b"):
        table.matrix(rows=("item_id",), columns="system_id")
    named = table.matrix(rows=("item_id",), columns=axis)
    assert named.columns == tuple(sorted((str(DEFAULTS[axis]), str(other))))
    as_row = table.matrix(rows=("item_id", axis), columns="system_id")
    assert as_row.labels(axis) == named.columns
    filtered = table.where(**{axis: other}).matrix(rows=("item_id",), columns="system_id")
    assert filtered.values.tolist() == [[0.0]]


def test_a_display_name_is_an_axis_where_the_table_has_it():
    frame = table_of({}, {"system_id": "s2"}).frame
    named = VerdictTable(frame.with_columns(system=pl.Series(["beta", "alpha"])))
    assert named.matrix(rows=("item_id",), columns="system").columns == ("alpha", "beta")
    with pytest.raises(UnknownNameError, match="no axis 'system'"):
        VerdictTable(frame).matrix(rows=("item_id",), columns="system")


@pytest.mark.parametrize("axis", ["value", "status", "family"])
def test_what_is_no_axis_is_refused(axis: str):
    with pytest.raises(UnknownNameError, match=f"no axis '{axis}'; expected some of item_id"):
        table_of({}).matrix(rows=("item_id",), columns=axis)
    assert axis not in AXES


def test_an_empty_table_needs_an_order():
    table = table_of()
    with pytest.raises(MissingVerdictsError, match="no verdicts to lay out"):
        table.matrix(rows=("item_id",), columns="system_id")
    found = table.matrix(
        rows=("item_id",), columns="system_id", row_order=[("a",)], column_order=["s1"]
    )
    assert found.status.tolist() == [[ABSENT]]


def test_where_takes_one_value_or_several():
    table = table_of({}, {"item_id": "i2", "trial": 1}, {"item_id": "i3", "trial": 2})
    assert len(table.where(item_id="i2")) == 1
    assert len(table.where(item_id=["i2", "i3", "i9"])) == 2
    assert len(table.where(trial=1, item_id="i1")) == 0
    assert len(table.where()) == 3


def test_where_on_an_unknown_column_is_an_error():
    with pytest.raises(UnknownNameError, match="no column 'scorer'; expected some of item_id"):
        table_of({}).where(scorer="exact")


def test_scorer_ids_are_sorted_and_named_once():
    table = table_of({"scorer_id": "b"}, {"scorer_id": "a"}, {"scorer_id": "b", "trial": 1})
    assert table.scorer_ids == ("a", "b")


def test_a_table_without_a_key_column_is_refused():
    with pytest.raises(SchemaError, match=r"\['repeat'\] missing"):
        VerdictTable(table_of({}).frame.drop("repeat"))


def test_two_rows_under_one_key_are_refused():
    frame = table_of({}).frame
    with pytest.raises(CellClashError, match=r"two verdicts stand under one key: \{'item_id'"):
        VerdictTable(pl.concat([frame, frame]))
