"""Exports: what other tools get of a study, and what comes back."""

import csv
import hashlib
import io
import json
import shutil
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from export_samples import ALPHA, BETA, ITEMS, export, marked_study, records, reply, study_of
from finassay.errors import MissingVerdictsError, UnknownNameError, UsageError
from finassay.records import STORED, SystemSpec, Verdict
from finassay.reports.exports.answers import Answer, SystemAnswers
from finassay.reports.exports.export import Format
from finassay.reports.exports.files import file_stem
from finassay.reports.exports.tables import COLUMNS, table_lines, verdict_word
from finassay.runs.importers.auto import Request
from finassay.runs.importers.indiafinbench import import_indiafinbench
from finassay.runs.importers.mixed import import_mixed, plan_import
from finassay.runs.importers.predictions import import_predictions
from finassay.runs.importers.values import read_verdict
from finassay.study import Study
from finassay.study.rows import predictions_frame
from real_data import data_root


@pytest.fixture
def study(tmp_path: Path) -> Study:
    return marked_study(tmp_path / "s")


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def carried(study: Study) -> list[tuple[object, ...]]:
    """What a table can carry, by the name of the system."""
    names = {spec.system_id: (spec.name, spec.model) for spec in study.snapshot().systems()}
    frame = study.snapshot().frame("predictions")
    kept = frame.select("item_id", "system_id", "trial", "text", "finish").sort(pl.all())
    return [(*names[row[1]], row[0], *row[2:]) for row in kept.iter_rows()]


def stored(study: Study) -> list[tuple[object, ...]]:
    frame = study.snapshot().frame("verdicts", scorer_id=STORED)
    columns = ("item_id", "system_id", "trial", "status", "value", "label")
    return sorted(frame.select(columns).rows(), key=str)


def test_a_table_has_the_published_columns_and_no_more(tmp_path: Path, study: Study):
    report = export(study, tmp_path / "out", "csv", systems=["alpha"], scorers=["financial"])
    assert [(file.name, file.rows, file.scorer) for file in report.files] == [
        ("alpha.csv", 3, "financial")
    ]
    found = rows(tmp_path / "out" / "alpha.csv")
    assert tuple(found[0]) == COLUMNS
    assert list(found[0].values()) == [
        *("1", "numerical_reasoning", "easy", "What is the fee?", "3%", "3 %", "1", "alpha-7b")
    ]
    assert [row["correct"] for row in found] == ["1", "", ""]


def test_columns_are_added_where_a_table_could_not_say_it(tmp_path: Path, study: Study):
    export(study, tmp_path / "out", "csv", systems=[BETA.name])
    (path,) = (tmp_path / "out").iterdir()
    assert path.name == "org_beta_512_tokens.csv"
    assert [(r["system"], r["trial"], r["finish"]) for r in rows(path)] == [
        (BETA.name, "0", "stop"),
        (BETA.name, "1", "stop"),
    ]


def test_an_import_of_the_tables_gives_the_same_study(tmp_path: Path, study: Study):
    export(study, tmp_path / "out", "csv", scorers=["exact"])
    again = study_of(tmp_path / "again", {})
    import_predictions(again, str(tmp_path / "out" / "*.csv"))
    assert carried(again) == carried(study)
    marks = study.snapshot().frame("verdicts", scorer_id="exact", status="scored")
    held = marks.select("item_id", "value").iter_rows()
    assert sorted(row[0::4] for row in stored(again)) == sorted(held)


UGLY = (
    *("\n", "\r\n", "a\rb", "\r", '"', ",", "'", "=1+1", "\u2028", "\x85", "\x00"),
    *("\ufeff", " x ", "007", "NULL"),
)


def test_ugly_texts_survive_a_table(tmp_path: Path):
    said = [
        reply("1", text, trial=trial, finish="not_logged" if text.strip() else "empty")
        for trial, text in enumerate(UGLY)
    ]
    first = study_of(tmp_path / "s", {ALPHA: said})
    export(first, tmp_path / "out", "csv")
    again = study_of(tmp_path / "again", {})
    import_predictions(again, str(tmp_path / "out" / "*.csv"))
    assert carried(again) == carried(first)


@settings(deadline=None)
@given(texts=st.lists(st.text(), max_size=3))
def test_any_text_is_read_back_by_the_language_itself(texts: list[str]):
    answers = [Answer(item=ITEMS[0], prediction=reply("1", text), marks={}) for text in texts]
    held = SystemAnswers(system=ALPHA, answers=tuple(answers))
    table = "".join(table_lines(held, scorer=None, no_text=False))
    found = list(csv.DictReader(io.StringIO(table, newline="")))
    assert [row["prediction"] for row in found] == texts


@pytest.mark.data
def test_the_published_predictions_come_back_whole(tmp_path: Path):
    first = Study.create(tmp_path / "first")
    names = ["gemini25_pro", "haiku", "gemini"]
    source = data_root() / "indiafinbench"
    (tmp_path / "some" / "predictions").mkdir(parents=True)
    for name in ("items.json", *(f"predictions/{name}.csv" for name in names)):
        shutil.copy(source / name, tmp_path / "some" / name)
    import_indiafinbench(first, tmp_path / "some")
    export(first, tmp_path / "predictions", "csv", systems=names)
    again = Study.create(tmp_path / "again")
    again.add_items(first.snapshot().items(), benchmark="indiafinbench")
    import_predictions(again, str(tmp_path / "predictions" / "*.csv"))
    ids = [spec.system_id for spec in again.snapshot().systems()]
    assert [spec.name for spec in again.snapshot().systems()] == sorted(names)
    assert [row for row in carried(first) if row[0] in names] == carried(again)
    assert [row for row in stored(first) if row[1] in ids] == stored(again)


def test_a_record_has_what_the_public_schema_asks_for(tmp_path: Path, study: Study):
    export(study, tmp_path / "out", "eee", systems=["alpha"], scorers=["financial"])
    right, silent = records(tmp_path / "out" / "alpha.jsonl")
    assert right["schema_version"] == "0.3.0"
    assert right["interaction_type"] == "single_turn"
    assert right["messages"] is None
    assert (right["sample_id"], right["model_id"]) == ("1", "alpha-7b")
    assert right["input"] == {
        "raw": "The fee is 3%.\n\nWhat is the fee?",
        "reference": ["3%", "three per cent"],
        "choices": None,
    }
    assert right["output"] == {"raw": ["3 %"], "reasoning_trace": ["look"]}
    assert right["evaluation"] == {"score": 1.0, "is_correct": True}
    assert right["token_usage"] == {"input_tokens": 5, "output_tokens": 2, "total_tokens": 7}
    assert right["performance"] == {"latency_ms": 500.0}
    assert all(isinstance(value, str) for value in right["metadata"].values())
    assert silent["evaluation"] == {"score": 0.0, "is_correct": False}
    assert silent["metadata"]["status"] == "no_answer"
    assert silent["input"]["choices"] == ["crimson", "blue"]
    assert right["evaluation_id"] == silent["evaluation_id"]


def test_the_sample_hash_is_that_of_question_and_accepted_answers(tmp_path: Path, study: Study):
    export(study, tmp_path / "out", "eee", systems=["alpha"], scorers=["exact"])
    silent = records(tmp_path / "out" / "alpha.jsonl")[1]
    expected = hashlib.sha256(b'{"raw":"Which?","reference":["crimson"]}').hexdigest()
    assert silent["sample_hash"] == expected


def test_one_answer_with_two_verdicts_is_two_records(tmp_path: Path, study: Study):
    report = export(study, tmp_path / "out", "eee", unscored="exclude")
    # Of beta two answers by two rules; of alpha item 1 by two, item 2 is silent, 3 has no key.
    records_only = [file for file in report.files if file.name.endswith(".jsonl")]
    assert [(file.system, file.rows) for file in records_only] == [("alpha", 2), (BETA.name, 4)]
    assert report.left_out == 4
    assert "left out: 4 verdicts without a score" in report.to_lines()
    found = records(tmp_path / "out" / "org_beta_512_tokens.jsonl")
    assert len({record["evaluation_result_id"] for record in found}) == 2
    assert {record["metadata"]["trial"] for record in found} == {"0", "1"}


def test_the_aggregate_names_each_result_its_mean_and_its_denominator(tmp_path: Path, study: Study):
    export(study, tmp_path / "out", "eee", unscored="exclude", systems=["alpha"])
    document = json.loads((tmp_path / "out" / "alpha.b.json").read_text("utf-8"))
    found = records(tmp_path / "out" / "alpha.jsonl")
    assert document["evaluation_id"] == found[0]["evaluation_id"]
    assert document["model_info"]["id"] == "alpha-7b"
    results = {one["metric_config"]["metric_name"]: one for one in document["evaluation_results"]}
    # "3 %" is the reference for the one rule and not for the other; item 2 is silent, 3 has no key.
    details = {name: one["score_details"] for name, one in results.items()}
    told = {name: (one["score"], one["uncertainty"]) for name, one in details.items()}
    assert told == {"exact": (0.0, {"num_samples": 1}), "financial": (1.0, {"num_samples": 1})}
    assert {one["details"]["left_out"] for one in details.values()} == {"2"}
    by_id = {one["evaluation_result_id"] for one in results.values()}
    assert {record["evaluation_result_id"] for record in found} == by_id


def test_an_import_of_the_records_tells_the_scorers_apart(tmp_path: Path, study: Study):
    export(study, tmp_path / "out", "eee", systems=["alpha"])
    again = Study.create(tmp_path / "again")
    import_mixed(again, plan_import(Request(paths=(tmp_path / "out",))))
    held = again.snapshot().frame("verdicts", item_id="b/1")
    told = dict(held.select("scorer_id", "value").iter_rows())
    assert told["imported/every-eval-ever/financial"] == 1.0
    assert told["imported/every-eval-ever/exact"] == 0.0


@pytest.mark.parametrize("format", ["csv", "eee"])
def test_no_text_leaves_no_word_of_question_reference_or_reply(
    tmp_path: Path,
    study: Study,
    format: Format,  # noqa: A002 - as above
):
    export(study, tmp_path / "with", format, scorers=["financial"])
    export(study, tmp_path / "out", format, scorers=["financial"], no_text=True)
    told = ["fee", "3%", "3 %", "Which", "crimson", "Me.", "look", "three"]
    for folder, is_told in (("with", True), ("out", False)):
        text = "".join(p.read_text("utf-8") for p in sorted((tmp_path / folder).iterdir()))
        assert any(word in text for word in told) is is_told, folder
        assert "numerical_reasoning" in text


def test_a_file_that_is_there_is_not_replaced_unasked(tmp_path: Path, study: Study):
    out = tmp_path / "out"
    export(study, out, "csv", systems=["alpha"])
    (out / "alpha.csv").write_text("mine", encoding="utf-8")
    with pytest.raises(UsageError, match=r"alpha.csv' is there already; pass --force"):
        export(study, out, "csv")
    assert [path.name for path in out.iterdir()] == ["alpha.csv"]
    assert (out / "alpha.csv").read_text("utf-8") == "mine"
    export(study, out, "csv", force=True)
    assert len(rows(out / "alpha.csv")) == 3


def test_an_export_that_fails_leaves_nothing(tmp_path: Path, study: Study):
    twin = SystemSpec(name="org_beta_512_tokens", model="x")
    study.add_system(twin)
    with pytest.raises(UsageError, match="two exports would both be written"):
        export(study, tmp_path / "out", "csv")
    assert list((tmp_path / "out").iterdir()) == []


@pytest.mark.parametrize(
    ("format", "options", "error", "message"),
    [
        ("xml", {}, UsageError, "`format` must be one of csv, eee, inspect-scores, got 'xml'"),
        ("csv", {"log": Path("x")}, UsageError, "--log LOG goes with --format inspect-scores"),
        ("inspect-scores", {}, UsageError, "--log LOG goes with --format inspect-scores"),
        ("csv", {"scorers": ["exact", "financial"]}, UsageError, "a table has one column"),
        ("eee", {"scorers": ["token_f1"]}, MissingVerdictsError, "no verdicts of 'token_f1'"),
        ("csv", {"systems": ["gamma"]}, UnknownNameError, "no system 'gamma'"),
    ],
)
def test_what_cannot_be_exported_is_refused(
    tmp_path: Path,
    study: Study,
    format: Format,  # noqa: A002 - as above
    options: dict[str, object],
    error: type[Exception],
    message: str,
):
    with pytest.raises(error, match=message):
        export(study, tmp_path / "out", format, **options)  # type: ignore[arg-type]


def test_a_file_in_the_place_of_the_directory_is_refused(tmp_path: Path, study: Study):
    (tmp_path / "out").write_text("x", encoding="utf-8")
    with pytest.raises(UsageError, match="expected a directory to write to"):
        export(study, tmp_path / "out", "csv")


def test_verdicts_on_an_older_text_are_not_exported(tmp_path: Path, study: Study):
    study.commit(
        "predictions",
        predictions_frame([reply("1", "another text")]),
        partition={"system_id": ALPHA.system_id, "run_id": "r"},
    )
    with pytest.raises(MissingVerdictsError, match="on '1' of 'alpha' stands on an older text"):
        export(study, tmp_path / "out", "csv", scorers=["financial"])


@pytest.mark.parametrize(
    ("name", "stem"),
    [
        ("a/b\\c:d", "a_b_c_d"),
        ("..", "unnamed"),
        ("", "unnamed"),
        ("é 5", "é_5"),
        ("x" * 300, "x" * 120),
    ],
)
def test_a_name_becomes_a_stem_that_every_system_takes(name: str, stem: str):
    assert file_stem(name) == stem


@given(value=st.floats(0, 1))
def test_a_value_is_read_back_as_it_was(value: float):
    read = read_verdict(verdict_word(Verdict(status="scored", value=value, label="whatever")))
    assert read is not None
    assert read.value == value


def test_the_words_of_the_source_are_kept():
    refused = Verdict(status="no_answer", label="Refusal", reason="it says so")
    assert verdict_word(refused) == "Refusal"
    assert verdict_word(Verdict(status="scored", value=1.0, label="TRUE")) == "TRUE"
    assert verdict_word(Verdict(status="scored", value=0.0, label="TRUE")) == "0"
    assert verdict_word(Verdict(status="failed", reason="x")) == ""
