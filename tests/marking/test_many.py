from collections.abc import Iterator

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import finassay
from finassay.errors import UnknownNameError, UsageError
from finassay.marking.batch import ROW_KEYS, Row
from finassay.marking.columns import OUTPUT_SCHEMA, columns_of, verdicts_of
from finassay.marking.many import mark_frame, mark_many
from finassay.marking.single import as_text, mark
from finassay.records import FINISHES, AnswerContract, Finish, Item, Prediction, Verdict
from finassay.scorers.base import Scorer
from finassay.scorers.registry import load_scorer
from marking_samples import SCORERS, golden_pairs, replies, tasks

pytestmark = pytest.mark.full

PROPERTY = settings(deadline=None, max_examples=10, suppress_health_check=list(HealthCheck))

LOADED = [load_scorer(scorer_id) for scorer_id in SCORERS]

lone = st.text(st.characters(categories=["Cs", "Nd", "Lu"]), max_size=4)


class Recorder:
    """A scorer that keeps what it was shown."""

    name = "recorder"
    version = "1"

    def __init__(self) -> None:
        self.shown: list[tuple[Item, Prediction]] = []

    def score(self, *, item: Item, prediction: Prediction) -> Verdict:
        self.shown.append((item, prediction))
        return Verdict(status="scored", value=0.5, label="seen", extracted=prediction.text)


@PROPERTY
@given(
    st.lists(
        st.fixed_dictionaries(
            {"reference": st.none() | replies | lone, "reply": replies | lone, "task": tasks}
        ),
        max_size=12,
    )
)
def test_many_answers_are_marked_as_each_by_itself(rows: list[dict[str, str]]):
    for scorer in LOADED:
        assert mark_many(scorer, rows) == [mark(scorer, **row) for row in rows], scorer


def test_the_multilingual_pairs_are_marked_as_each_by_itself():
    keys = ("reference", "reply", "task")
    rows = [{key: pair[key] for key in keys} for pair in golden_pairs()]
    for scorer in LOADED:
        assert mark_many(scorer, rows) == [mark(scorer, **row) for row in rows], scorer


@PROPERTY
@given(
    st.lists(st.tuples(st.none() | replies, replies, st.sampled_from(FINISHES)), max_size=12),
    st.lists(replies, max_size=2),
)
def test_finish_and_alternatives_reach_the_scorer(
    rows: list[tuple[str | None, str, Finish]], alternatives: list[str]
):
    listed: list[Row] = [
        {"reference": a, "reply": b, "finish": finish, "alternatives": alternatives}
        for a, b, finish in rows
    ]
    for scorer_id in SCORERS:
        scorer = load_scorer(scorer_id)
        expected = [
            scorer.score(
                item=Item(item_id="", reference=a, alternatives=tuple(alternatives)),
                prediction=Prediction(text=b, finish=finish),
            )
            for a, b, finish in rows
        ]
        assert mark_many(scorer, listed) == expected, scorer_id


def test_mapping_and_frame_give_the_same_verdicts():
    rows = [{key: pair[key] for key in ("reference", "reply", "task")} for pair in golden_pairs()]
    for scorer_id in SCORERS:
        assert mark_many(scorer_id, pl.DataFrame(rows)) == mark_many(scorer_id, rows), scorer_id


def test_a_frame_may_name_the_reply_text():
    frame = pl.DataFrame({"reference": ["5", "6"], "text": ["5", "5"]})
    assert [v.value for v in mark_many("exact", frame)] == [1.0, 0.0]


def test_a_column_that_no_rule_reads_is_refused_not_dropped():
    frame = pl.DataFrame({"reference": ["5"], "reply": ["5"], "note": ["a"]})
    with pytest.raises(UsageError, match="unknown column 'note'"):
        mark_many("exact", frame)


def test_nulls_of_a_frame_are_what_is_not_known():
    frame = pl.DataFrame(
        {
            "reference": ["5", None],
            "reply": [None, "5"],
            "task": [None, "con"],
            "finish": [None, None],
        }
    )
    assert [v.status for v in mark_many("exact", frame)] == ["no_answer", "not_applicable"]


def test_everything_that_a_row_says_reaches_the_scorer():
    seen = Recorder()
    contract = AnswerContract(
        type="number", unit="INR", scale="crore", decimals=2, comparator="respect", percent="flag"
    )
    full: Row = {
        "reference": "B",
        "reply": "(b)",
        "question": "Which?",
        "choices": ("A", "B"),
        "context": "A passage.",
        "task": "con",
        "contract": contract,
        "alternatives": ["b"],
        "finish": "truncated",
    }
    assert set(full) == set(ROW_KEYS)
    [verdict] = mark_many(seen, [full])
    assert verdict == Verdict(status="scored", value=0.5, label="seen", extracted="(b)")
    item = Item(
        item_id="",
        reference="B",
        question="Which?",
        choices=("A", "B"),
        context="A passage.",
        task="con",
        contract=contract,
        alternatives=("b",),
    )
    assert seen.shown == [(item, Prediction(text="(b)", finish="truncated"))]


def test_one_and_many_show_a_scorer_the_same():
    one, many = Recorder(), Recorder()
    rows = [{"reference": "5", "reply": reply, "question": "q"} for reply in ("", " ", "\x1f", "5")]
    for row in rows:
        mark(one, **row)
    mark_many(many, rows)
    assert many.shown == one.shown


def test_order_is_kept():
    rows = [{"reference": str(n % 7), "reply": str(n % 5)} for n in range(500)]
    expected = [float(n % 7 == n % 5) for n in range(500)]
    assert [v.value for v in mark_many("exact", rows)] == expected
    assert [v.value for v in mark_many("strict/fuzzy-first[threshold=1]", rows)] == expected


def test_order_is_kept_where_rows_are_marked_both_ways():
    rows = [
        {"reference": "ΟΔΟΣ" if n % 3 else "5%", "reply": "5%" if n % 2 else "οδος"}
        for n in range(60)
    ]
    expected = [float((n % 3 > 0) == (n % 2 == 0)) for n in range(60)]
    assert [v.value for v in mark_many("token_set[threshold=1]", rows)] == expected


def test_rows_may_come_from_a_generator():
    def rows() -> Iterator[Row]:
        yield {"reference": "5", "reply": "5"}
        yield {"reference": "5", "reply": "6"}

    assert [v.value for v in mark_many("exact", rows())] == [1.0, 0.0]


@pytest.mark.parametrize("scorer_id", SCORERS)
def test_no_rows_give_no_verdicts(scorer_id: str):
    assert mark_many(scorer_id, []) == []
    assert mark_many(scorer_id, iter(())) == []
    empty = pl.DataFrame(schema={"reference": pl.String(), "reply": pl.String()})
    assert mark_many(scorer_id, empty) == []


def test_a_scorer_from_outside_marks_no_rows():
    assert mark_many(Recorder(), []) == []


@pytest.mark.parametrize("scorer", ["exact", "token_set", "strict/numbers-first", Recorder()])
def test_lone_surrogates_are_marked_as_the_replacement_character(scorer: str | Scorer):
    rows = [
        {"reference": "5\ud800", "reply": "5\udfff"},
        {"reference": "\ud83d\ude00 fund", "reply": "\U0001f600 fund"},
        {"reference": "5", "reply": "\ud800"},
    ]
    clean = [{key: as_text(text) for key, text in row.items()} for row in rows]
    assert mark_many(scorer, rows) == mark_many(scorer, clean)
    assert mark_many(scorer, rows) == [mark(scorer, **row) for row in rows]


def test_numbers_are_read_as_texts():
    assert mark_many("exact", [{"reference": 5, "reply": "5"}])[0].value == 1.0  # type: ignore[dict-item]


@pytest.mark.parametrize(
    ("row", "found"),
    [
        ({"reference": "5"}, "row 1: expected the keys reference and reply.*got reference$"),
        ({"reply": "5"}, "row 1: expected the keys reference and reply.*got reply$"),
        ({}, "row 1: expected the keys reference and reply"),
        (
            {"reference": "5", "reply": "5", "answer": "5"},
            "row 1: expected.*got answer, reference, reply$",
        ),
        (
            {"reference": "5", "reply": "5", "contract": {"type": "number"}},
            "row 1: `contract` must be an AnswerContract, got {'type': 'number'}",
        ),
        (
            {"reference": "5", "reply": "5", "choices": "AB"},
            "row 1: `choices` must be a list of texts, got 'AB'",
        ),
        (
            {"reference": "5", "reply": "5", "alternatives": "five"},
            "row 1: `alternatives` must be a list of texts, got 'five'",
        ),
        (
            {"reference": "5", "reply": "5", "finish": "length"},
            "row 1: `finish` must be one of stop, .*got 'length'",
        ),
    ],
)
def test_a_row_that_cannot_be_read_is_named(row: Row, found: str):
    with pytest.raises(UsageError, match=found):
        mark_many("exact", [{"reference": "5", "reply": "5"}, row])


def test_a_frame_without_references_is_an_error():
    with pytest.raises(UsageError, match=r"\['reference'\] missing"):
        mark_many("exact", pl.DataFrame({"reply": ["5"]}))


def test_an_unknown_scorer_is_an_error():
    with pytest.raises(UnknownNameError, match="no scorer 'exactly'"):
        mark_many("exactly", [])


def test_the_frame_holds_the_same_verdicts():
    rows = [{"reference": "5", "reply": "5"}, {"reference": "5", "reply": ""}]
    frame = mark_frame("number_set", rows)
    assert frame.schema == OUTPUT_SCHEMA
    assert list(verdicts_of(frame)) == mark_many("number_set", rows)
    assert frame["value"].to_list() == [1.0, None]


def test_mark_many_is_public():
    assert finassay.mark_many is mark_many


some_text = st.none() | st.text(st.characters(exclude_categories=["Cs"]), max_size=4)


@st.composite
def verdicts(draw: st.DrawFn) -> Verdict:
    status = draw(st.sampled_from(["scored", "no_answer", "unparsed", "not_applicable", "failed"]))
    return Verdict(
        status=status,
        value=draw(st.floats(0, 1)) if status == "scored" else None,
        label=draw(some_text),
        extracted=draw(some_text),
        flags=tuple(draw(st.lists(st.sampled_from(["", "a", "b", "truncated"]), max_size=3))),
        reason=draw(some_text) or ("" if status == "scored" else "told"),
    )


@settings(deadline=None)
@given(st.lists(verdicts(), max_size=6))
def test_verdicts_survive_as_columns(listed: list[Verdict]):
    assert list(verdicts_of(columns_of(listed))) == listed
