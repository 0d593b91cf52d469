"""Columns find their parts, or the error says how to help."""

from __future__ import annotations

from pathlib import Path

import pytest

from finassay.errors import InputError, MappingError
from finassay.runs.importers.guessing import guess_kind, guess_map
from finassay.runs.importers.mapping import ColumnMap, Kind, load_map
from finassay.runs.importers.sources import Row


def sample(*records: dict[str, str]) -> list[Row]:
    return [Row("t.csv", number, dict(record)) for number, record in enumerate(records, start=2)]


@pytest.mark.parametrize(
    ("columns", "kind", "expected"),
    [
        (
            "id task_type difficulty question ref_answer prediction correct model_version",
            "predictions",
            (
                "item_id=id prediction=prediction reference=ref_answer model=model_version "
                "question=question task=task_type difficulty=difficulty"
            ),
        ),
        ("id your_answer passage", "predictions", "item_id=id prediction=your_answer"),
        ("qid answer", "predictions", "item_id=qid prediction=answer"),
        (
            "doc_id response target",
            "predictions",
            "item_id=doc_id prediction=response reference=target",
        ),
        (
            "id model_answer answer",
            "predictions",
            "item_id=id prediction=model_answer reference=answer",
        ),
        ("Item ID,Model Answer", "predictions", "item_id=Item ID prediction=Model Answer"),
        (
            "financebench_id question answer",
            "items",
            "item_id=financebench_id question=question reference=answer",
        ),
        (
            "id question answer context_a context_b document_a document_b",
            "items",
            (
                "item_id=id question=question reference=answer contexts=context_a "
                "contexts=context_b documents=document_a documents=document_b"
            ),
        ),
    ],
)
def test_names_in_use_are_understood(columns: str, kind: Kind, expected: str) -> None:
    names = columns.split(",") if "," in columns else columns.split()
    found = {f"{part}={column}" for part, column in guess_map(names, [], kind).parts}
    wanted = (
        expected.split() if "," not in columns else {"item_id=Item ID", "prediction=Model Answer"}
    )
    assert found == set(wanted)


def test_two_candidates_are_an_ambiguity_that_names_the_flag() -> None:
    rows = sample({"id": "1", "response": "a", "output": "b"})
    with pytest.raises(
        MappingError, match=r"`prediction`.*\['response', 'output'\].*--map prediction=response"
    ):
        guess_map(["id", "response", "output"], rows, "predictions")


def test_candidates_that_hold_the_same_are_no_ambiguity() -> None:
    rows = sample({"id": "1", "question_id": "1", "response": "a"})
    found = guess_map(["id", "question_id", "response"], rows, "predictions")
    assert found.item_id == "id"


def test_a_label_that_is_no_verdict_is_not_taken_for_one() -> None:
    columns = ["id", "response", "label"]
    is_one = guess_map(columns, sample({"id": "1", "label": "Correct Answer"}), "predictions")
    is_none = guess_map(columns, sample({"id": "1", "label": "A>B"}), "predictions")
    assert (is_one.correct, is_none.correct) == ("label", None)


def test_what_is_given_wins_over_what_is_guessed() -> None:
    columns = ["id", "response", "output", "correct"]
    given = ColumnMap.from_pairs([("prediction", "output"), ("correct", "")])
    found = guess_map(columns, sample({"id": "1", "correct": "1"}), "predictions", given=given)
    assert (found.prediction, found.correct) == ("output", None)


def test_several_columns_may_name_a_system() -> None:
    given = ColumnMap.from_pairs([("system", ["model_name", "eval_mode"])])
    found = guess_map(["id", "answer", "model_name", "eval_mode"], [], "predictions", given=given)
    assert found.system == ("model_name", "eval_mode")


def test_a_given_column_that_is_not_there_lists_the_near_ones() -> None:
    given = ColumnMap(prediction="respnse")
    with pytest.raises(MappingError, match=r"`prediction`.*'respnse'; there are \['response'\]"):
        guess_map(["id", "response"], [], "predictions", given=given)


def test_the_description_names_what_is_used_and_what_is_ignored() -> None:
    columns = ["id", "your_answer", "passage"]
    found = guess_map(columns, [], "predictions")
    assert found.describe(columns) == "item_id <- id, prediction <- your_answer, ignored: passage"


@pytest.mark.parametrize(
    ("columns", "cells", "kind"),
    [
        ("id prediction correct", "1 a 1", "predictions"),
        ("id question answer", "1 q a", "items"),
        ("id answer", "1 a", "predictions"),
        ("item_id system strict judge", "1 s 1 0", "verdicts"),
        ("model trade overall", "m 63.43 65.00", "reported"),
    ],
)
def test_the_kind_of_a_table_is_read_off_its_columns(columns: str, cells: str, kind: Kind) -> None:
    names = columns.split()
    rows = sample(dict(zip(names, cells.split(), strict=True)))
    assert guess_kind(names, rows) == kind


def test_a_table_of_no_kind_is_an_error() -> None:
    with pytest.raises(MappingError, match="fit no kind of table"):
        guess_kind(["name", "colour"], sample({"name": "x", "colour": "red"}))


def test_a_wide_verdict_table_takes_the_columns_that_hold_verdicts() -> None:
    rows = sample({"item_id": "1", "system": "s", "task": "yes", "a": "1", "b": "no", "c": "x"})
    found = guess_map(list(rows[0].values), rows, "verdicts")
    assert found.values == ("a", "b")


def test_a_long_verdict_table_has_a_scorer_and_a_value() -> None:
    rows = sample({"item_id": "1", "system": "s", "scorer": "x", "value": "0.5"})
    found = guess_map(list(rows[0].values), rows, "verdicts")
    assert (found.scorer, found.value, found.values) == ("scorer", "value", ())


def test_a_mapping_file_gives_columns_and_leaves_parts_out(tmp_path: Path) -> None:
    path = tmp_path / "map.toml"
    path.write_text('prediction = "output"\nsystem = ["model", "mode"]\ncorrect = ""\n')
    assert load_map(path) == ColumnMap(
        prediction="output", system=("model", "mode"), without=("correct",)
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('predicton = "x"', r"no part 'predicton'.*'prediction'"),
        ("prediction = 3", r"key 'prediction' must be a column name or a list of them, got 3"),
        ('prediction = ["a", "b"]', r"`prediction` must be one column, got \['a', 'b'\]"),
        ("prediction", "not TOML"),
    ],
)
def test_a_mapping_file_that_cannot_be_used_names_the_key(
    tmp_path: Path, text: str, message: str
) -> None:
    path = tmp_path / "map.toml"
    path.write_text(text)
    with pytest.raises(MappingError, match=message):
        load_map(path)


def test_a_missing_mapping_file_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="mapping file cannot be read"):
        load_map(tmp_path / "none.toml")
