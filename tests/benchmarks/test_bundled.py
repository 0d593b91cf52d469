"""What holds for loading the bundled benchmarks."""

from __future__ import annotations

import csv
import json
import shutil
import subprocess
import sys
import zipfile
from importlib.resources import files
from pathlib import Path

import pytest

from finassay.benchmarks.bundled import (
    AUDITED,
    bundled_names,
    bundled_sources,
    load_bundled,
    read_entries,
)
from finassay.errors import InputError, UnknownNameError
from finassay.records import AnswerContract

DATA = files("finassay.benchmarks") / "data"
FILES = {"finassay-regqa": "regqa_items.jsonl", "finassay-reglabels": "reglabels_items.jsonl"}
SHIPPED = (
    *FILES.values(),
    "operations/legal-outcome.yaml",
    "operations/legal-outcome.jsonl",
    "operations/second_reading_operations.csv",
    "second_reading.csv",
    "README.md",
    "indiafinbench.md",
    "indiafinbench_manifest.json",
    "indiafinbench_reported.csv",
)
ROOT = Path(__file__).parents[2]

ENTRY = {
    "item_id": "REG_001",
    "benchmark": "b",
    "family": "REG",
    "task": "t",
    "difficulty": "easy",
    "language": "en",
    "question": "How much?",
    "context": "Seven.",
    "contexts": ["A", "B"],
    "reference": "7",
    "alternatives": ["seven"],
    "choices": [],
    "contract": {
        "type": "number",
        "unit": None,
        "scale": None,
        "decimals": 2,
        "comparator": "respect",
    },
    "documents": ["D"],
    "strata": {"jurisdiction": "Nowhere"},
    "source": "Rule 1",
    "rationale": "It says so.",
}


def read(*entries: object) -> list:
    text = "".join(f"{json.dumps(entry)}\n" for entry in entries)
    return list(read_entries(text, file="f.jsonl", benchmark="b"))


def test_all_benchmarks_are_named():
    assert bundled_names() == ("finassay-regqa", "finassay-reglabels", "finassay-operations")
    assert bundled_names()[:2] == AUDITED


def test_the_items_of_all_benchmarks_are_many_and_their_ids_unique():
    ids = [item.item_id for name in bundled_names() for item in load_bundled(name)]
    assert len(set(ids)) == len(ids) >= 250


def test_operations_are_loaded_with_their_contracts_and_sources():
    items = load_bundled("finassay-operations")
    assert {item.benchmark for item in items} == {"finassay-operations"}
    assert all(item.contract_id for item in items)
    sources = bundled_sources("finassay-operations")
    assert list(sources) == [item.item_id for item in items]
    assert all(sources.values())


@pytest.mark.parametrize("name", FILES)
def test_every_line_becomes_an_item_with_its_texts(name: str):
    lines = (DATA / FILES[name]).read_text(encoding="utf-8").splitlines()
    told = [json.loads(line) for line in lines]
    items = load_bundled(name)
    assert len(items) == 72
    assert [item.item_id for item in items] == [one["item_id"] for one in told]
    for key in ("question", "context", "reference", "family", "task", "difficulty", "benchmark"):
        assert [getattr(item, key) for item in items] == [one[key] for one in told]
    for key in ("contexts", "alternatives", "choices", "documents"):
        assert [list(getattr(item, key)) for item in items] == [one[key] for one in told]
    assert [dict(item.strata) for item in items] == [one["strata"] for one in told]


@pytest.mark.parametrize("name", FILES)
def test_every_item_has_a_source(name: str):
    sources = bundled_sources(name)
    assert list(sources) == [item.item_id for item in load_bundled(name)]
    assert all(sources.values())


def test_an_entry_is_read_whole():
    ((item, source),) = read(ENTRY)
    assert source == "Rule 1"
    assert item.contexts == ("A", "B")
    assert item.alternatives == ("seven",)
    assert item.contract == AnswerContract(type="number", decimals=2, comparator="respect")
    assert item.strata == (("jurisdiction", "Nowhere"),)


def test_a_line_separator_inside_a_text_does_not_end_the_line():
    entry = json.dumps({**ENTRY, "question": "How\u2028much?"}, ensure_ascii=False)
    ((item, _),) = read_entries(entry, file="f.jsonl", benchmark="b")
    assert item.question == "How\u2028much?"


def test_an_unknown_benchmark_is_named():
    with pytest.raises(UnknownNameError, match=r"'finqa'.*finassay-regqa"):
        load_bundled("finqa")
    with pytest.raises(UnknownNameError, match="'finqa'"):
        bundled_sources("finqa")


@pytest.mark.parametrize("key", ENTRY)
def test_a_missing_key_is_named_with_its_line(key: str):
    entry = {name: value for name, value in ENTRY.items() if name != key}
    with pytest.raises(InputError, match=rf"f\.jsonl:2: .*missing \['{key}'\]"):
        read({**ENTRY, "item_id": "REG_000"}, entry)


def test_an_unknown_key_is_named():
    with pytest.raises(InputError, match=r"f\.jsonl:1: .*unknown \['answer'\]"):
        read({**ENTRY, "answer": "7"})


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"question": 7}, "`question` must be text, got 7"),
        ({"reference": None}, "`reference` must be text, got None"),
        ({"alternatives": "seven"}, "`alternatives` must be a list, got 'seven'"),
        ({"choices": ["a", 1]}, "`choices` must be a list of texts"),
        ({"strata": []}, r"`strata`: expected a JSON object, got \[\]"),
        ({"strata": {"year": 2020}}, "`strata`: `year` must be text, got 2020"),
        ({"contract": {"type": "number"}}, "`contract`: expected the keys"),
        ({"contract": {**ENTRY["contract"], "decimals": True}}, "`decimals` must be a whole"),
        ({"contract": {**ENTRY["contract"], "comparator": "x"}}, "`comparator` must be 'ignore'"),
        ({"contract": {**ENTRY["contract"], "unit": 1}}, "`unit` must be text"),
        ({"benchmark": "c"}, "`benchmark` must be 'b', got 'c'"),
    ],
)
def test_a_wrong_value_is_named_with_what_was_expected(change: dict[str, object], said: str):
    with pytest.raises(InputError, match=rf"f\.jsonl:1.*{said}"):
        read({**ENTRY, **change})


def test_an_id_must_not_stand_twice():
    with pytest.raises(InputError, match=r"f\.jsonl:2: `item_id` 'REG_001' stands in line 1"):
        read(ENTRY, ENTRY)


@pytest.mark.parametrize(("text", "said"), [("{", "expected a JSON object: "), ("[]", r"got \[\]")])
def test_a_line_that_is_no_object_is_named(text: str, said: str):
    with pytest.raises(InputError, match=rf"f\.jsonl:1: .*{said}"):
        list(read_entries(text, file="f.jsonl", benchmark="b"))


@pytest.mark.parametrize("name", SHIPPED)
def test_the_data_files_are_found_through_the_package(name: str):
    assert (DATA / name).is_file()


def test_the_second_reading_covers_the_bundled_items():
    listed = csv.DictReader((DATA / "second_reading.csv").read_text(encoding="utf-8").splitlines())
    read_again = {row["item_id"] for row in listed}
    assert read_again == {item.item_id for name in AUDITED for item in load_bundled(name)}


@pytest.mark.full
def test_a_built_wheel_holds_the_data_files(tmp_path: Path):
    pytest.importorskip("hatchling", reason="hatchling is not installed: no wheel can be built")
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, tmp_path)
    shutil.copytree(ROOT / "src", tmp_path / "src")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    assert {f"finassay/benchmarks/data/{name}" for name in SHIPPED} <= names
