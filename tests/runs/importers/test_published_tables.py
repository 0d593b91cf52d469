"""The published tables come in whole; the counts are those their sources state."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

import pytest

from finassay.runs.importers.indiafinbench import import_indiafinbench
from finassay.runs.importers.mapping import ColumnMap
from finassay.runs.importers.report import FetchReport
from finassay.runs.importers.tables import (
    ImportOptions,
    import_items,
    import_predictions,
    import_reported,
)
from finassay.study import Study
from finassay.study.check import check
from real_data import data_root

pytestmark = [pytest.mark.data, pytest.mark.full]

# Correct answers of the eleven complete files, by the paper's leaderboard (Table 4, k of 406).
STORED_TOTALS = {
    "gemini": 364,
    "qwen3_32b": 347,
    "groq70b": 340,
    "llama4scout": 338,
    "kimi_k2": 331,
    "llama3": 317,
    "gpt_oss_120b": 313,
    "gpt_oss_20b": 312,
    "gemini25_pro": 309,
    "mistral": 308,
    "deepseek_r1_70b": 305,
}


@pytest.fixture(scope="module")
def data() -> Path:
    """The folder with the public data."""
    return data_root()


@pytest.fixture(scope="module")
def india(data: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Study, FetchReport]:
    """IndiaFinBench as a study, with the report on its making."""
    study = Study.create(tmp_path_factory.mktemp("india") / "study")
    return study, import_indiafinbench(study, data / "indiafinbench")


def test_a_second_import_changes_nothing_and_the_study_is_sound(
    india: tuple[Study, FetchReport], data: Path
) -> None:
    study, report = india
    assert report.is_changed
    versions = study.snapshot().versions
    assert not import_indiafinbench(study, data / "indiafinbench").is_changed
    assert study.snapshot().versions == versions
    assert check(study).problems == ()


def test_the_four_families_have_their_published_sizes(india: tuple[Study, FetchReport]) -> None:
    items = india[0].snapshot().items()
    sizes = Counter(item.family for item in items)
    assert sizes == {"REG": 174, "NUM": 92, "CON": 62, "TMP": 78}
    pairs = [item for item in items if item.family == "CON"]
    assert all(item.choices == ("Yes", "No") and len(item.contexts) == 2 for item in pairs)
    assert Counter(item.reference for item in pairs) == {"No": 53, "Yes": 9}
    assert len({name for item in items for name in item.documents}) == 34


def test_stored_totals_are_those_of_the_leaderboard(india: tuple[Study, FetchReport]) -> None:
    snapshot = india[0].snapshot()
    for name, total in STORED_TOTALS.items():
        frame = snapshot.frame(
            "verdicts", scorer_id="stored", system_id=snapshot.resolve_system(name)
        )
        assert (name, frame.height, frame["value"].sum()) == (name, 406, total)


def test_texts_are_those_of_the_files(india: tuple[Study, FetchReport], data: Path) -> None:
    snapshot = india[0].snapshot()
    files = sorted((data / "indiafinbench" / "predictions").glob("*.csv"))
    assert len(files) == 13
    for path in files:
        with path.open(encoding="utf-8", newline="") as handle:
            expected = {row["id"]: row["prediction"] for row in csv.DictReader(handle)}
        frame = snapshot.frame("predictions", system_id=snapshot.resolve_system(path.stem))
        assert dict(zip(frame["item_id"], frame["text"], strict=True)) == expected


def test_cuts_of_the_logs_are_reported(india: tuple[Study, FetchReport]) -> None:
    reports = {report.system: report for report in india[1].imports[1].systems}
    caps = {name: report.cap.length for name, report in reports.items() if report.cap}
    assert caps == {
        **dict.fromkeys(["gemini", "groq70b", "haiku", "llama3", "mistral"], 200),
        **dict.fromkeys(
            ["deepseek_r1_70b", "gemma4_e4b", "gpt_oss_120b", "gpt_oss_20b", "kimi_k2"], 300
        ),
        **dict.fromkeys(["llama4scout", "qwen3_32b"], 300),
        "gemini25_pro": 500,
    }
    gemini = reports["gemini"]
    # The repository's own count: 132 of 406 predictions sit exactly at the cap.
    assert gemini.cap is not None
    assert (gemini.cap.rows, gemini.cap.n) == (132, 406)
    assert [length for length, _ in gemini.cut_references] == [100]
    assert [length for length, _ in reports["kimi_k2"].cut_references] == [150]
    assert reports["llama4scout"].cut_references == ()


def test_empty_replies_and_missing_items_are_counted(india: tuple[Study, FetchReport]) -> None:
    reports = {report.system: report for report in india[1].imports[1].systems}
    assert dict(reports["gemma4_e4b"].finishes)["empty"] == 58
    assert (reports["haiku"].imported, reports["haiku"].missing.count) == (150, 256)
    assert all(report.extra.count == 0 for report in reports.values())


def test_annotators_are_systems_of_their_kind(india: tuple[Study, FetchReport]) -> None:
    snapshot = india[0].snapshot()
    kinds = {spec.name: spec.kind for spec in snapshot.systems()}
    assert (kinds["second_annotator"], kinds["model_annotator"]) == ("person", "model")
    person = snapshot.resolve_system("second_annotator")
    model = snapshot.resolve_system("model_annotator")
    assert snapshot.frame("predictions", system_id=person).height == 60
    assert snapshot.frame("predictions", system_id=model).height == 150


def test_judge_verdicts_are_all_accounted_for(india: tuple[Study, FetchReport], data: Path) -> None:
    snapshot = india[0].snapshot()
    verdicts = snapshot.frame("verdicts", scorer_id="judge/phi4-mini")
    reported = snapshot.frame("reported", source="judge_verdicts.csv")
    assert verdicts.height == 11 * 344
    assert set(reported["row"]) == {"gemma3_4b"}
    with (data / "indiafinbench" / "judge_verdicts.csv").open(encoding="utf-8") as handle:
        rows = list(csv.DictReader(handle))
    assert len(rows) == 4128
    for column, scorer in (("judge", "judge/phi4-mini"), ("strict", "stored")):
        for family in ("NUM", "REG", "TMP"):
            mine = [
                row[column]
                for row in rows
                if row["system"] == "gemma3_4b" and row["item_id"].startswith(family)
            ]
            (line,) = reported.filter(column=f"{scorer}:{family}").rows(named=True)
            assert (line["printed"], line["n"]) == (f"{mine.count('1')}/{len(mine)}", len(mine))


def test_human_labels_of_financebench_come_in_with_refusals_apart(
    data: Path, tmp_path: Path
) -> None:
    study = Study.create(tmp_path / "study")
    folder = data / "financebench"
    import_items(study, folder / "items.jsonl", benchmark="financebench")
    options = ImportOptions(
        mapping=ColumnMap(system=("model_name", "eval_mode")),
        stored_scorer="person/financebench",
        strict=True,
    )
    report = import_predictions(study, folder / "answers_with_human_labels.jsonl", options=options)
    assert (len(report.systems), {one.imported for one in report.systems}) == (16, {65})
    frame = study.snapshot().frame("verdicts", scorer_id="person/financebench")
    assert Counter(frame["label"]) == {
        "Correct Answer": 516,
        "Incorrect Answer": 214,
        "Refusal": 310,
    }
    assert Counter(frame["status"]) == {"scored": 730, "no_answer": 310}
    assert frame["value"].sum() == 516


def test_printed_tables_of_finriskatlas_keep_their_digits(data: Path, tmp_path: Path) -> None:
    study = Study.create(tmp_path / "study")
    for path in sorted((data / "finriskatlas").glob("*.csv")):
        import_reported(study, path, source="finriskatlas", table=path.stem)
    frame = study.snapshot().frame("reported")
    assert frame.n_unique("row") == 33
    (cell,) = frame.filter(table="domain_knowledge", row="Dianjin-R1-7B", column="trade").rows(
        named=True
    )
    assert (cell["printed"], cell["value"], cell["unit"]) == ("63.43", 0.6343, "fraction")
