import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import study_strategies as samples
from finassay.errors import EncodingError
from finassay.records import (
    Erratum,
    Item,
    Prediction,
    ReportedScore,
    RunRecord,
    SystemSpec,
)
from finassay.study.rows import (
    items_frame,
    items_from,
    predictions_frame,
    predictions_from,
    reported_frame,
    reported_from,
    runs_frame,
    runs_from,
    systems_frame,
    systems_from,
)
from finassay.study.schemas import TABLES

few = settings(deadline=None, max_examples=60)


@few
@given(st.lists(samples.items, max_size=4))
def test_items_come_back_exactly(listed: list[Item]):
    assert items_from(items_frame(listed)) == listed


@few
@given(st.lists(samples.systems, max_size=4))
def test_systems_come_back_exactly_and_with_their_ids(listed: list[SystemSpec]):
    frame = systems_frame(listed)
    assert systems_from(frame) == listed
    assert [spec.system_id for spec in systems_from(frame)] == frame["system_id"].to_list()


@few
@given(st.lists(samples.runs, max_size=4))
def test_runs_come_back_exactly(listed: list[RunRecord]):
    assert runs_from(runs_frame(listed)) == listed


@few
@given(st.lists(samples.predictions, max_size=4))
def test_predictions_come_back_exactly(listed: list[Prediction]):
    assert predictions_from(predictions_frame(listed)) == listed


@few
@given(st.lists(samples.reported, max_size=4))
def test_reported_scores_come_back_exactly(listed: list[ReportedScore]):
    assert reported_from(reported_frame(listed)) == listed


def test_an_erratum_of_empty_texts_is_not_lost():
    corrected = Item(item_id="1", erratum=Erratum(old_reference="", by="", reason=""))
    assert items_from(items_frame([corrected])) == [corrected]


def test_no_reference_and_an_empty_reference_differ():
    none, empty = Item(item_id="1"), Item(item_id="2", reference="")
    assert [item.reference for item in items_from(items_frame([none, empty]))] == [None, ""]


@pytest.mark.parametrize(
    ("name", "frame"),
    [
        ("items", items_frame([])),
        ("systems", systems_frame([])),
        ("runs", runs_frame([])),
        ("predictions", predictions_frame([])),
        ("reported", reported_frame([])),
    ],
)
def test_frames_have_exactly_the_columns_of_their_table(name: str, frame):  # noqa: ANN001
    assert frame.schema == TABLES[name].polars_schema


def test_a_lone_surrogate_is_refused_with_advice():
    with pytest.raises(EncodingError, match=r"lone surrogate.*decode the source"):
        predictions_frame([Prediction(item_id="1", text="\ud800")])
