import csv
import json
from pathlib import Path

import pytest

from finassay.marking.regime_scoring import score_regimes
from finassay.marking.regimes import REGIME_NAMES
from finassay.records import Item, SystemSpec
from finassay.study import Study
from marking_studies import Said, put_replies, put_verdicts, regime_cells
from real_data import data_root

pytestmark = pytest.mark.full

PRINTED = {
    "gemini": ("89.66", "89.66", "96.55"),
    "qwen3_32b": ("85.47", "92.36", "97.29"),
    "groq70b": ("83.74", "88.67", "98.03"),
    "llama4scout": ("83.25", "94.33", "97.54"),
    "kimi_k2": ("81.53", "93.35", "97.78"),
    "llama3": ("78.08", "93.60", "96.31"),
    "gpt_oss_120b": ("77.09", "93.84", "97.54"),
    "gpt_oss_20b": ("76.85", "93.10", "97.54"),
    "gemini25_pro": ("76.11", "94.83", "96.55"),
    "mistral": ("75.86", "91.38", "95.57"),
    "deepseek_r1_70b": ("75.12", "92.36", "98.03"),
}
"""Percent right of 406 under the three regimes.  Source: arXiv 2604.19298, Table 6."""


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Study:
    """The eleven systems with stored and judge verdicts, filed without the importers."""
    folder = data_root() / "indiafinbench"
    study = Study.create(tmp_path_factory.mktemp("published") / "study")
    study.add_items(
        [
            Item(
                item_id=entry["id"],
                family=entry["id"].split("_")[0],
                task=entry["task_type"],
                reference=entry["answer"],
            )
            for entry in json.loads((folder / "items.json").read_text(encoding="utf-8"))
        ],
        benchmark="indiafinbench",
    )
    judged = _rows(folder / "judge_verdicts.csv")
    for name in PRINTED:
        spec = SystemSpec(name=name)
        study.add_system(spec)
        rows = _rows(folder / "predictions" / f"{name}.csv")
        put_replies(study, spec, {row["id"]: row["prediction"] for row in rows})
        stored: Said = [(row["id"], "scored", float(row["correct"])) for row in rows]
        put_verdicts(study, stored, spec=spec, scorer_id="stored")
        said: Said = [
            (row["item_id"], "scored", float(row["judge"]))
            for row in judged
            if row["system"] == name
        ]
        put_verdicts(study, said, spec=spec, scorer_id="judge/phi4-mini")
    score_regimes(study)
    return study


@pytest.mark.data
@pytest.mark.parametrize("name", REGIME_NAMES)
def test_regime_totals_are_the_printed_ones(published: Study, name: str):
    totals = {}
    for system in PRINTED:
        cells = regime_cells(published, name, SystemSpec(name=system))
        assert len(cells) == 406
        assert {status for status, _ in cells.values()} == {"scored"}
        right_count = sum(value or 0.0 for _, value in cells.values())
        totals[system] = f"{100 * right_count / 406:.2f}"
    column = REGIME_NAMES.index(name)
    assert totals == {system: printed[column] for system, printed in PRINTED.items()}


@pytest.mark.data
def test_contradiction_items_keep_the_stored_verdict(published: Study):
    frame = published.snapshot().frame("verdicts", scorer_id="regime/judge-only")
    deciding = {(row["item_id"].split("_")[0], row["label"]) for row in frame.iter_rows(named=True)}
    assert deciding == {
        ("CON", "stored"),
        ("NUM", "judge/phi4-mini"),
        ("REG", "judge/phi4-mini"),
        ("TMP", "judge/phi4-mini"),
    }


@pytest.mark.data
def test_the_imported_study_has_the_printed_totals(tmp_path: Path):
    importer = pytest.importorskip("finassay.runs.importers.indiafinbench")
    study = Study.create(tmp_path / "study")
    importer.import_indiafinbench(study, data_root() / "indiafinbench")
    score_regimes(study)
    ids = {spec.name: spec.system_id for spec in study.snapshot().systems()}
    for column, name in enumerate(REGIME_NAMES):
        frame = study.snapshot().frame("verdicts", scorer_id=f"regime/{name}")
        for system, printed in PRINTED.items():
            values = frame.filter(system_id=ids[system])["value"]
            assert len(values) == 406
            assert f"{100 * values.sum() / 406:.2f}" == printed[column], (name, system)
