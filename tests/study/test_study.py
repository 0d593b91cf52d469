import shutil
from pathlib import Path
from types import SimpleNamespace

import polars as pl
import pytest

from finassay.errors import (
    KeyClashError,
    NoStudyError,
    SchemaError,
    StudyError,
    UnknownNameError,
    UsageError,
)
from finassay.records import RunRecord, SystemSpec
from finassay.study import TABLES, Study, TableSchema, tables
from finassay.study.schemas import VERDICTS
from study_samples import OTHER, RUN, SYSTEM, answers, in_run, item, marks, of_scorer

ODD = "person/é[a='b']%20 \"x\"\\y"


def test_a_new_study_has_all_tables_empty(tmp_path: Path):
    snapshot = Study.create(tmp_path / "s").snapshot()
    assert dict(snapshot.versions) == dict.fromkeys(TABLES, 0)
    assert all(snapshot.frame(name).equals(TABLES[name].empty()) for name in TABLES)


def test_study_toml_survives_quotes_newlines_and_emoji(tmp_path: Path):
    name = 'a "b"\\ \n é 😀 \x7f'
    Study.create(tmp_path / "s", name=name, unscored="wrong")
    config = Study.open(tmp_path / "s").config
    assert (config.name, config.unscored, config.schema_version) == (name, "wrong", 1)


def test_opening_what_is_not_a_study_says_what_to_do(tmp_path: Path):
    with pytest.raises(NoStudyError, match="finassay study create"):
        Study.open(tmp_path)


def test_a_newer_schema_version_is_refused(study: Study):
    toml = study.root / "study.toml"
    toml.write_text(toml.read_text().replace("schema_version = 1", "schema_version = 2"))
    with pytest.raises(StudyError, match=r"schema version 2.*install a newer"):
        Study.open(study.root)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("name = 3", "`name` must be text, got 3"),
        ("schema_version = true", "`schema_version` must be a number, got True"),
        ('unscored = "zero"', "`unscored` must be one of .*got 'zero'"),
        ("created =", "is not TOML"),
    ],
)
def test_a_damaged_study_toml_is_refused(study: Study, line: str, message: str):
    toml = study.root / "study.toml"
    field = line.partition(" ")[0]
    kept = [old for old in toml.read_text().splitlines() if not old.startswith(field)]
    toml.write_text("\n".join([*kept, line]))
    with pytest.raises(StudyError, match=message):
        Study.open(study.root)


def test_creating_over_a_study_or_over_other_files_is_refused(study: Study, tmp_path: Path):
    with pytest.raises(UsageError, match=r"there is a study at .* already"):
        Study.create(study.root)
    other = tmp_path / "thesis"
    other.mkdir()
    (other / "thesis.tex").touch()
    with pytest.raises(UsageError, match=r"not empty.*thesis\.tex"):
        Study.create(other)


def test_a_creation_that_was_killed_is_taken_over(tmp_path: Path):
    Study.create(tmp_path / "s")
    (tmp_path / "s" / "study.toml").unlink()
    assert Study.open_or_create(tmp_path / "s", name="again").config.name == "again"


def test_open_or_create_opens_what_is_there(study: Study):
    again = Study.open_or_create(study.root, name="ignored")
    assert again.config == study.config


def test_committed_rows_come_back(study: Study):
    rows = study.snapshot().frame("predictions", system_id=SYSTEM.system_id)
    assert rows.equals(answers().sort("item_id"))


def test_the_same_content_is_a_no_op(study: Study):
    rows = answers().with_columns(latency_s=pl.lit(9.9)).reverse()
    again = study.commit("predictions", rows, partition=in_run())
    assert (again.changed, again.rows) == (False, 3)
    assert again.version == study.snapshot().versions["predictions"] == 2


def test_other_content_is_a_new_version_and_the_old_stays_readable(study: Study):
    before = study.snapshot()
    made = study.commit("predictions", answers(suffix="!"), partition=in_run())
    assert made.changed
    assert made.version == before.versions["predictions"] + 1
    old = study.snapshot(before.versions)
    assert old.frame("predictions").equals(before.frame("predictions"))
    new = study.snapshot().frame("predictions", system_id=SYSTEM.system_id)
    assert new["text"].to_list() == [f"answer {i} of alpha!" for i in range(3)]


def test_a_snapshot_does_not_see_later_writes(study: Study):
    snapshot = study.snapshot()
    study.commit("predictions", answers(suffix="!"), partition=in_run())
    study.add_items([item("99")], benchmark="later")
    assert snapshot.frame("predictions", system_id=SYSTEM.system_id)["text"][0].endswith("alpha")
    assert [one.item_id for one in snapshot.items()] == ["00", "01", "02"]


def test_replacing_a_partition_leaves_the_others_alone(study: Study):
    study.commit("predictions", answers(suffix="!", n=1), partition=in_run())
    rows = study.snapshot().frame("predictions")
    assert rows.filter(pl.col("system_id") == OTHER.system_id).height == 3
    assert rows.height == 4


def test_dropping_a_partition_empties_it_and_twice_is_a_no_op(study: Study):
    assert study.drop("verdicts", of_scorer("exact")).changed
    assert study.snapshot().frame("verdicts").height == 0
    assert not study.drop("verdicts", of_scorer("exact")).changed


def test_odd_characters_in_partition_values_are_kept_apart(study: Study):
    for scorer_id in (ODD, ODD + "'", "a b", "a+b", "a%20b"):
        rows = marks(study, scorer_id)
        assert study.commit("verdicts", rows, partition=of_scorer(scorer_id)).rows == 3
        assert not study.commit("verdicts", rows, partition=of_scorer(scorer_id)).changed
    found = study.snapshot().frame("verdicts", scorer_id=ODD)
    assert found.height == 3
    assert study.snapshot().frame("verdicts").height == 18


def test_a_lazy_frame_is_streamed_into_one_commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    study = Study.create(tmp_path / "s")
    n, size, heights = 20_000, 1_000, []
    monkeypatch.setattr(tables, "STREAM_ROWS", size)
    honest = tables.Table.from_arrow
    monkeypatch.setattr(
        tables, "Table", SimpleNamespace(from_arrow=lambda f: heights.append(f.height) or honest(f))
    )
    rows = pl.LazyFrame({"item_id": pl.int_range(n, eager=True).cast(pl.String)}).with_columns(
        system_id=pl.lit("s"),
        trial=pl.lit(0, dtype=pl.Int64),
        scorer_id=pl.lit("x"),
        scorer_version=pl.lit("1"),
        repeat=pl.lit(0, dtype=pl.Int64),
        status=pl.lit("scored"),
        value=pl.lit(1.0),
        revision=pl.lit(0, dtype=pl.Int64),
        **{
            name: pl.lit(None, dtype=VERDICTS.columns[name])
            for name in ("label", "extracted", "flags", "reason", "evidence_id")
        },
        text_digest=pl.lit("t"),
        item_digest=pl.lit("i"),
    )
    partition = {"scorer_id": "x", "scorer_version": "1", "system_id": "s"}
    made = study.commit("verdicts", rows, partition=partition)
    assert (made.version, made.rows) == (1, n)
    assert sum(heights) == n
    assert max(heights) <= size
    assert study.snapshot().scan("verdicts").select(pl.len()).collect().item() == n
    assert not study.commit("verdicts", rows, partition=partition).changed
    assert not list(study.root.glob("*.tmp"))


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        (lambda f: f.drop("text"), SchemaError, "'text' is missing; expected String"),
        (
            lambda f: f.with_columns(trial=pl.lit("0")),
            SchemaError,
            "'trial' has another type; expected Int64, got String",
        ),
        (lambda f: f.with_columns(more=1), SchemaError, "no column 'more'"),
        (
            lambda f: f.with_columns(item_id=pl.lit(None, dtype=pl.String)),
            SchemaError,
            "'item_id' must hold a value, got None",
        ),
        (
            lambda f: f.with_columns(finish=pl.lit("done")),
            SchemaError,
            "'finish' must hold one of .*got 'done'",
        ),
        (
            lambda f: f.with_columns(run_id=pl.lit("other")),
            SchemaError,
            "'run_id' must equal the partition's 'run-1', got 'other'",
        ),
        (
            lambda f: pl.concat([f, f.head(1)]),
            KeyClashError,
            "1 keys stand on more than one row.*'item_id': '00'",
        ),
    ],
)
@pytest.mark.parametrize("lazy", [False, True])
def test_rows_that_do_not_fit_are_refused_and_nothing_is_written(
    study: Study,
    change,  # noqa: ANN001
    error: type[Exception],
    message: str,
    lazy: bool,  # noqa: FBT001
):
    before = study.snapshot().versions
    bad = change(answers())
    with pytest.raises(error, match=message):
        study.commit("predictions", bad.lazy() if lazy else bad, partition=in_run())
    assert study.snapshot().versions == before
    assert not list(study.root.glob("*.tmp"))


@pytest.mark.parametrize(
    ("status", "value", "message"),
    [
        ("scored", None, "'value' must hold a value exactly where status is 'scored'"),
        ("failed", 0.0, "'value' must hold a value exactly where status is 'scored'"),
        ("scored", 1.5, r"'value' must hold a fraction in \[0, 1\], got 1.5"),
        ("scored", float("nan"), r"'value' must hold a fraction in \[0, 1\], got nan"),
        ("wrong", None, "'status' must hold one of"),
    ],
)
def test_a_verdict_without_its_value_or_status_is_refused(
    study: Study, status: str, value: float | None, message: str
):
    rows = marks(study).with_columns(status=pl.lit(status), value=pl.lit(value, dtype=pl.Float64))
    with pytest.raises(SchemaError, match=message):
        study.commit("verdicts", rows, partition=of_scorer("exact"))


def test_columns_of_nulls_alone_take_their_type(study: Study):
    rows = marks(study).with_columns(
        label=pl.lit(None), flags=pl.Series([[], [], []], dtype=pl.List(pl.Null))
    )
    assert study.commit("verdicts", rows, partition=of_scorer("exact")).rows == 3


@pytest.mark.parametrize(
    ("partition", "message"),
    [
        ({"system_id": "x"}, "is named by"),
        ({"system_id": "x", "run_id": "y", "trial": "0"}, "is named by"),
        ({"system_id": "x", "run_id": ""}, "must be text that is not empty, got ''"),
        ({"system_id": "x", "run_id": "é" * 50}, "must fit the name of a folder .*50 characters"),
        ({"system_id": "x", "run_id": 3}, "must be text that is not empty, got 3"),
    ],
)
def test_a_partition_must_be_named_completely(
    study: Study, partition: dict[str, str], message: str
):
    with pytest.raises(UsageError, match=message):
        study.commit("predictions", answers(), partition=partition)


def test_an_unknown_table_is_refused(study: Study):
    with pytest.raises(UnknownNameError, match="no table 'scores'"):
        study.commit("scores", answers(), partition={})


def test_an_item_id_of_another_benchmark_is_refused(study: Study):
    with pytest.raises(KeyClashError, match=r"'01' in 'demo'.*qualify the ids.*'other/01'"):
        study.add_items([item("01"), item("77")], benchmark="other")


def test_items_of_another_benchmark_are_refused(study: Study):
    with pytest.raises(UsageError, match="belongs to benchmark 'b', expected 'c'"):
        study.add_items([item("5", benchmark="b")], benchmark="c")


def test_items_without_a_benchmark_get_the_one_they_are_added_to(study: Study):
    assert {one.benchmark for one in study.snapshot().items()} == {"demo"}


def test_a_display_name_belongs_to_one_system(study: Study):
    with pytest.raises(UsageError, match="display name 'alpha' belongs to another system"):
        study.add_system(SystemSpec(name="alpha", model="alpha-70b"))
    with pytest.raises(UsageError, match="must have a display name"):
        study.add_system(SystemSpec(name=""))


def test_adding_the_same_system_twice_is_a_no_op(study: Study):
    before = study.snapshot().versions
    assert study.add_system(SYSTEM) == SYSTEM.system_id
    assert study.snapshot().versions == before


def test_a_second_run_may_not_answer_in_the_same_trial(study: Study):
    with pytest.raises(KeyClashError, match=r"run 'run-9'.*'run-1' answered in the same trial"):
        study.commit("predictions", answers(run_id="run-9"), partition=in_run(run_id="run-9"))
    further = answers(run_id="run-9").with_columns(trial=pl.lit(1, dtype=pl.Int64))
    assert study.commit("predictions", further, partition=in_run(run_id="run-9")).changed


def test_a_run_may_be_completed_later(study: Study):
    done = RunRecord(run_id=RUN, system_id=SYSTEM.system_id, served_model="alpha-7b-0601")
    assert study.add_run(done).changed
    assert study.snapshot().frame("runs", run_id=RUN)["served_model"].item() == "alpha-7b-0601"


def test_versions_of_a_scorer_stand_beside_each_other(study: Study):
    add = study.add_scorer
    assert add("exact", "2", name="exact", spec='{"case": 1}', package_version="1").rows == 2
    assert not add("exact", "2", name="exact", spec='{"case": 1}', package_version="9").changed
    assert add("exact", "2", name="exact", spec='{"case": 2}', package_version="9").changed
    specs = study.snapshot().frame("scorers")["spec"].to_list()
    assert specs == ["{}", '{"case": 2}']


def test_a_partition_is_rewritten_by_a_function_of_its_rows(study: Study):
    made = study.rewrite("predictions", in_run(), lambda rows: rows.head(1))
    assert (made.changed, made.rows) == (True, 1)


def test_no_text_column_leaves_a_trace_in_the_log(tmp_path: Path):
    secret = "XYZZYSECRET"
    study = Study.create(tmp_path / "s")
    for schema in TABLES.values():
        row = _filled(schema, secret)
        partition = {name: row[name] for name in schema.partition}
        frame = pl.DataFrame([row], schema=schema.polars_schema)
        study.commit(schema.name, frame, partition=partition)
        logs = list((study.root / schema.name / "_delta_log").iterdir())
        assert len(logs) >= 2
        assert not [log for log in logs if secret.encode() in log.read_bytes()]
        files = list((study.root / schema.name).rglob("*.parquet"))
        assert any(secret.encode() in file.read_bytes() for file in files)


def _filled(schema: TableSchema, secret: str) -> dict[str, object]:
    """One valid row whose every free text is the secret."""
    fixed: dict[str, object] = {
        "kind": "model",
        "finish": "stop",
        "status": "scored",
        "winner": "left",
        "value": 1.0,
    }
    row: dict[str, object] = {}
    for name, dtype in schema.columns.items():
        if name in schema.key or name in schema.partition or dtype in (pl.Int64(), pl.Float64()):
            row[name] = "k" if dtype == pl.String() else 0
        elif dtype == pl.String():
            row[name] = secret
        elif dtype == pl.List(pl.String()):
            row[name] = [secret]
        else:
            row[name] = [{"key": secret, "value": secret}]
    return row | {name: value for name, value in fixed.items() if name in row}


def test_every_table_declares_keys_partitions_and_texts_that_it_has():
    for schema in TABLES.values():
        named = (*schema.key, *schema.partition, *schema.volatile, *schema.text_columns)
        assert {*named, *schema.required} <= set(schema.columns)
        assert schema.partition
        assert not set(schema.volatile) & set(schema.required) - set(schema.partition)


def test_the_longest_partition_value_allowed_can_be_written(study: Study):
    longest = "x" + "é" * ((255 - len("scorer_id=") - 1) // 6)
    rows = marks(study, longest)
    assert study.commit("verdicts", rows, partition=of_scorer(longest)).changed
    assert study.snapshot().frame("verdicts", scorer_id=longest).height == 3


def test_a_missing_table_or_version_is_named(study: Study):
    with pytest.raises(StudyError, match=r"'runs' .*expected version 9 of it to be there"):
        study.snapshot({"runs": 9})
    shutil.rmtree(study.root / "runs")
    with pytest.raises(StudyError, match=r"'runs' .*expected the table to be there"):
        study.snapshot()


def test_open_or_create_opens_what_another_process_made_meanwhile(
    study: Study, monkeypatch: pytest.MonkeyPatch
):
    real = Path.exists
    looks = iter([False])
    monkeypatch.setattr(Path, "exists", lambda path: next(looks, None) is None and real(path))
    assert Study.open_or_create(study.root).config == study.config
