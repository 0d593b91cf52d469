import polars as pl
import pytest
from deltalake import write_deltalake

from finassay.study import Study
from finassay.study.check import CheckReport, check
from finassay.study.snapshot import Snapshot
from study_samples import OTHER, SYSTEM, answers, in_run, item, marks, of_scorer


def codes(report: CheckReport) -> list[tuple[str, str, int]]:
    return [(problem.severity, problem.code, problem.n) for problem in report.problems]


def test_a_sound_study_has_no_problems(study: Study):
    report = check(study)
    assert report.problems == ()
    assert report.is_clean
    assert report.rows["predictions"] == 6
    assert report.versions == dict(study.snapshot().versions)


@pytest.mark.parametrize(
    ("table", "partition", "expected"),
    [
        ("items", {"benchmark": "demo"}, ("prediction_without_item", 6)),
        ("systems", {"system_id": SYSTEM.system_id}, ("run_without_system", 1)),
        ("systems", {"system_id": OTHER.system_id}, ("prediction_without_system", 3)),
        ("predictions", in_run(), ("verdict_without_prediction", 3)),
        ("scorers", {"scorer_id": "exact"}, ("verdict_without_scorer", 3)),
    ],
)
def test_what_is_referred_to_must_be_there(
    study: Study, table: str, partition: dict[str, str], expected: tuple[str, int]
):
    study.drop(table, partition)
    report = check(study)
    assert ("error", *expected) in codes(report)
    assert not report.is_clean


def test_predictions_without_their_run_are_a_warning(study: Study):
    study.drop("runs", {"run_id": "run-2"})
    assert codes(check(study)) == [("warning", "prediction_without_run", 3)]


def test_comparisons_need_both_predictions(study: Study):
    row = {
        "item_id": "00",
        "left_system_id": SYSTEM.system_id,
        "left_trial": 0,
        "right_system_id": OTHER.system_id,
        "right_trial": 7,
        "scorer_id": "judge",
        "scorer_version": "1",
        "order": "left_first",
        "repeat": 0,
        "winner": "tie",
        "status": "scored",
    }
    from finassay.study.schemas import COMPARISONS  # noqa: PLC0415

    rows = pl.DataFrame([row], schema=COMPARISONS.polars_schema)
    study.commit("comparisons", rows, partition={"scorer_id": "judge", "scorer_version": "1"})
    assert codes(check(study)) == [("error", "comparison_without_right", 1)]


def test_a_text_changed_behind_our_back_is_found(study: Study):
    rows = answers().with_columns(text=pl.lit("forged"))
    study.commit("predictions", rows, partition=in_run())
    report = check(study)
    assert codes(report) == [("error", "wrong_text_digest", 3)]
    assert "'item_id': '00'" in report.problems[0].message


def test_a_wrong_prediction_id_is_found(study: Study):
    rows = answers().with_columns(prediction_id=pl.lit("0"))
    study.commit("predictions", rows, partition=in_run())
    assert codes(check(study)) == [("error", "wrong_prediction_id", 3)]


def test_a_wrong_item_digest_is_found(study: Study):
    study.rewrite(
        "items", {"benchmark": "demo"}, lambda rows: rows.with_columns(reference=pl.lit("x"))
    )
    assert codes(check(study)) == [("error", "wrong_item_digest", 3)]


def test_verdicts_on_an_older_text_or_item_are_stale(study: Study):
    study.commit("predictions", answers(suffix="!"), partition=in_run())
    items = [item(i, question="Reworded?" if i == "01" else f"What is {i}?") for i in ("00", "01")]
    study.add_items([*items, item("02")], benchmark="demo")
    report = check(study)
    assert codes(report) == [("warning", "stale_text", 3), ("warning", "stale_item", 1)]
    assert report.is_clean
    study.commit("verdicts", marks(study), partition=of_scorer("exact"))
    assert check(study).problems == ()


def test_a_key_that_stands_twice_across_partitions_is_found(study: Study):
    # Past the one door, as two runs that commit in the same moment would.
    rows = answers(run_id="run-2")
    write_deltalake(study.root / "predictions", rows, mode="append")
    assert codes(check(study)) == [("error", "duplicate_key", 3)]


def test_rows_that_break_a_rule_are_found(study: Study):
    rows = marks(study, "exact").with_columns(repeat=pl.lit(1).cast(pl.Int64), value=pl.lit(7.0))
    write_deltalake(study.root / "verdicts", rows, mode="append")
    report = check(study)
    assert codes(report) == [("error", "rule", 1)]
    assert "a fraction in [0, 1], got 7.0" in report.problems[0].message


def test_an_item_id_in_two_benchmarks_and_a_name_of_two_systems_are_found(study: Study):
    items = study.snapshot().frame("items").head(1).with_columns(benchmark=pl.lit("twin"))
    write_deltalake(study.root / "items", items, mode="append")
    system = study.snapshot().frame("systems").head(1).with_columns(system_id=pl.lit("twin"))
    write_deltalake(study.root / "systems", system, mode="append")
    found = codes(check(study))
    assert ("error", "item_id_not_unique", 1) in found
    assert ("error", "name_not_unique", 1) in found


def test_a_table_with_other_columns_is_found(study: Study):
    rows = study.snapshot().frame("runs").drop("environment")
    write_deltalake(study.root / "runs", rows, mode="overwrite", schema_mode="overwrite")
    report = check(study)
    assert codes(report) == [("error", "schema", 0)]
    assert "'environment' is missing" in report.problems[0].message


def test_a_check_block_by_block_finds_what_one_of_the_whole_finds(
    study: Study, monkeypatch: pytest.MonkeyPatch
):
    study.commit("verdicts", marks(study, system=OTHER), partition=of_scorer("exact", OTHER))
    study.commit("predictions", answers(suffix="!"), partition=in_run())
    study.drop("predictions", in_run(OTHER, "run-2"))
    whole = check(study)
    monkeypatch.setattr(Snapshot.blocks, "__kwdefaults__", {"most": 1})
    assert check(study) == whole
    assert codes(whole) == [
        ("error", "verdict_without_prediction", 3),
        ("warning", "stale_text", 3),
    ]
