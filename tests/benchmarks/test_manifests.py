"""What holds for manifests, and for the one of IndiaFinBench."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from finassay.benchmarks.manifests import (
    DerivedTable,
    Location,
    Manifest,
    Pin,
    SourceFile,
    load_manifest,
    manifest_from,
    plain_text,
)
from finassay.errors import InputError, UnknownNameError, UsageError

COMMIT = "a" * 40
SHA = "b" * 64

RECORD: dict[str, object] = {
    "name": "small",
    "home": "https://example.org/data",
    "licence": "CC BY 4.0",
    "notes": ["one"],
    "files": [{"target": "a.csv", "sha256": SHA, "size": 3, "path": "x/a.csv", "commit": COMMIT}],
    "derived": [
        {
            "target": "b.csv",
            "sha256": SHA,
            "size": 4,
            "form": "csv",
            "columns": {"item_id": "id"},
            "label": "system",
            "parts": [{"path": "x/b.csv", "commit": COMMIT, "about": 9, "label": "s"}],
        }
    ],
}

PREDICTIONS = {
    "deepseek_r1_70b",
    "gemini",
    "gemini25_pro",
    "gemma4_e4b",
    "gpt_oss_120b",
    "gpt_oss_20b",
    "groq70b",
    "haiku",
    "kimi_k2",
    "llama3",
    "llama4scout",
    "mistral",
    "qwen3_32b",
}


def changed(change: Callable[[dict[str, object]], object]) -> str:
    record = json.loads(json.dumps(RECORD))
    change(record)
    return json.dumps(record)


def test_a_manifest_is_read_whole():
    manifest = manifest_from(json.dumps(RECORD), where="m.json")
    assert manifest.name == "small"
    assert manifest.targets == ("a.csv", "b.csv")
    source, table = manifest.entries
    assert isinstance(source, SourceFile)
    assert source.pin == Pin(target="a.csv", sha256=SHA, size=3)
    assert source.location == Location(path="x/a.csv", commit=COMMIT)
    assert isinstance(table, DerivedTable)
    assert (table.form, table.columns, table.label) == ("csv", (("item_id", "id"),), "system")
    assert [(part.about, part.label) for part in table.parts] == [(9, "s")]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda r: r.pop("licence"), r"m\.json: .*missing \['licence'\]"),
        (lambda r: r.update(extra=1), r"m\.json: .*unknown \['extra'\]"),
        (lambda r: r["files"][0].pop("sha256"), r"files\[0\]: .*missing \['sha256'\]"),
        (lambda r: r["files"][0].update(size="3"), r"files\[0\]: `size` must be a whole number"),
        (lambda r: r["derived"][0].update(form="xml"), "`form` must be one of csv, json"),
        (lambda r: r["derived"][0]["parts"][0].pop("about"), r"parts\[0\]: .*missing"),
        (lambda r: r["derived"][0].update(label=3), "`label` must be text, got 3"),
        (lambda r: r.update(notes="one"), "`notes` must be a list"),
    ],
)
def test_what_is_wrong_with_a_manifest_is_named(
    change: Callable[[dict[str, object]], object], said: str
):
    with pytest.raises(InputError, match=said):
        manifest_from(changed(change), where="m.json")


@pytest.mark.parametrize("target", ["../a.csv", "/a.csv", "", "x/../../a", "x\\a.csv"])
def test_a_target_outside_the_directory_is_refused(target: str):
    with pytest.raises(UsageError, match="inside the directory"):
        Pin(target=target, sha256=SHA, size=1)


@pytest.mark.parametrize("sha256", ["", "B" * 64, "b" * 63, "b" * 65])
def test_a_digest_that_is_none_is_refused(sha256: str):
    with pytest.raises(UsageError, match="64 hexadecimal digits"):
        Pin(target="a", sha256=sha256, size=1)


def test_a_negative_size_is_refused():
    with pytest.raises(UsageError, match="0 or more bytes"):
        Pin(target="a", sha256=SHA, size=-1)


@pytest.mark.parametrize("commit", ["main", "a" * 39, "A" * 40, ""])
def test_a_branch_is_no_pin(commit: str):
    with pytest.raises(UsageError, match="40 hexadecimal digits"):
        Location(path="a", commit=commit)


def test_two_files_at_one_place_are_refused():
    one = SourceFile(
        pin=Pin(target="a", sha256=SHA, size=1), location=Location(path="a", commit=COMMIT)
    )
    with pytest.raises(UsageError, match="two files belong at one place"):
        Manifest(name="m", home="https://example.org", files=(one, one))


def test_line_ends_and_byte_order_mark_are_no_content():
    assert plain_text(b"\xef\xbb\xbfa\r\nb\n") == b"a\nb\n"


def test_a_lone_carriage_return_is_content():
    assert plain_text(b"a\rb\n\r\n") == b"a\rb\n\n"


def test_an_unknown_manifest_is_named():
    with pytest.raises(UnknownNameError, match=r"'finqa'; expected one of indiafinbench"):
        load_manifest("finqa")


def test_indiafinbench_lists_all_that_its_import_reads():
    targets = set(load_manifest("indiafinbench").targets)
    assert {f"predictions/{name}.csv" for name in PREDICTIONS} <= targets
    assert {"items.json", "judge_verdicts.csv", "second_annotator_60.csv"} <= targets
    assert {"iaa_kappa_report_60.csv", "model_annotator_150.csv"} <= targets
    assert len(targets) == len(PREDICTIONS) + 7


def test_indiafinbench_comes_from_its_repository_over_https():
    manifest = load_manifest()
    assert manifest.home == "https://raw.githubusercontent.com/Rajveer-code/IndiaFinBench"
    assert manifest.licence == "CC BY 4.0"


def test_the_judged_files_are_twelve_at_one_commit():
    (table,) = [t for t in load_manifest().derived if t.pin.target == "judge_verdicts.csv"]
    assert len({part.label for part in table.parts}) == 12
    assert len({part.location.commit for part in table.parts}) == 1
