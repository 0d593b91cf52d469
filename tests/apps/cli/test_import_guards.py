"""Imports refuse what would spoil a study, before anything is made or committed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from cli_runs import run
from finassay import __version__
from finassay.study import Study
from import_tables import answers, stored, table, texts

pytestmark = pytest.mark.full


def versions(study: Path) -> dict[str, int]:
    return dict(Study.open(study).snapshot().versions)


def test_a_failing_import_leaves_what_another_process_filled_meanwhile(
    raw: Path, monkeypatch: pytest.MonkeyPatch
):
    made = Study.open_or_create

    def filled(path: Path, **more: str) -> Study:
        # Another process wins the race and fills the study that this one is about to open.
        words = [sys.executable, "-m", "finassay", "import", str(path), "--items"]
        subprocess.run([*words, str(raw / "items.csv")], check=True, timeout=120)
        return made(path, **more)

    monkeypatch.setattr(Study, "open_or_create", filled)
    bad = table(raw / "bad.csv", [{"id": "q1", "prediction": t} for t in ("a", "b")])
    assert run("import", raw / "s", bad, "--strict").code == 3
    assert Study.open(raw / "s").snapshot().frame("items").height == 12


@pytest.mark.parametrize(
    "name",
    ["strict/numbers-first", "exact", "regime/strict", "judge/", "imported/a[b]", "judge/a\nb"],
)
def test_foreign_verdicts_are_not_filed_under_the_id_of_a_rule(name: str, study: Path, raw: Path):
    rows = [{"id": "q1", "system": "good model", "a": "1"}]
    before = versions(study)
    ran = run("import", study, table(raw / "forge.csv", rows), "--scorer", f"a={name}")
    assert ran.code == 2
    assert "imported/" in ran.err or "brackets" in ran.err
    assert versions(study) == before


def test_a_redaction_is_not_undone_by_importing_again(study: Path, raw: Path):
    assert run("study", "redact", study, "--pattern", "It takes", "--yes").code == 0
    before = texts(Study.open(study), "good model")
    assert before["q1"] == "[redacted] 1 days."
    again = ("import", study, raw / "good model.csv", "--items", raw / "items.csv")
    ran = run(*again)
    assert ran.code == 0, ran.err
    assert "redacted rows kept as they are" in ran.out
    assert texts(Study.open(study), "good model") == before
    assert len(stored(Study.open(study), "good model")) == 12
    assert run(*again, "--replace-redacted").code == 0
    assert texts(Study.open(study), "good model")["q1"] == "It takes 1 days."


def test_a_redacted_item_stays_redacted_when_items_are_imported_again(study: Path, raw: Path):
    assert run("study", "redact", study, "--pattern", "What is 3", "--yes").code == 0
    ran = run("import", study, "--items", raw / "items.csv")
    assert "(`finassay import --replace-redacted` replaces them): 1\n" in ran.out
    held = {item.item_id: item for item in Study.open(study).snapshot().items()}
    assert (held["q3"].question, held["q4"].question) == ("[redacted]?", "What is 4?")
    run("import", study, "--items", raw / "items.csv", "--replace-redacted")
    held = {item.item_id: item for item in Study.open(study).snapshot().items()}
    assert held["q3"].question == "What is 3?"


def test_named_columns_of_a_prediction_file_are_verdicts_too(study: Path, raw: Path):
    rows = [{**row, "correct": "1", "ann": "0"} for row in answers(["q1", "q2"])]
    source = table(raw / "marked.csv", rows)
    ran = run("import", study, source, "--scorer-column", "ann=person/ann")
    assert ran.code == 0, ran.err
    opened = Study.open(study)
    assert stored(opened, "marked", "person/ann") == {"q1": 0.0, "q2": 0.0}
    assert stored(opened, "marked") == {"q1": 1.0, "q2": 1.0}
    assert "values <- ann" in ran.out


def test_a_named_column_is_not_the_verdict_of_the_source_as_well(study: Path, raw: Path):
    source = table(raw / "judged too.csv", [{**row, "correct": "1"} for row in answers(["q1"])])
    assert run("import", study, source, "--scorer", "correct=judge/x").code == 0
    opened = Study.open(study)
    assert stored(opened, "judged too", "judge/x") == {"q1": 1.0}
    assert stored(opened, "judged too") == {}


@pytest.mark.parametrize("command", ["import", "audit"])
def test_a_scorer_column_that_is_not_there_is_an_error(command: str, study: Path, raw: Path):
    before = versions(study)
    ran = run(command, study, raw / "good model.csv", "--scorer-column", "jugde=judge/x")
    assert (ran.code, "'jugde'" in ran.err) == (3, True)
    assert versions(study) == before


@pytest.mark.parametrize(
    "words",
    [
        ("--scorer", "nosuch"),
        ("--primary", "nosuch"),
        ("--judge", "exact"),
        ("--out", "file.txt"),
        ("--out", "file.txt/below"),
    ],
)
def test_an_audit_refuses_its_settings_before_it_imports(
    words: tuple[str, str], study: Path, raw: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(raw)
    Path("file.txt").touch()
    before = versions(study)
    new = table(raw / "new.csv", answers(["q1"]))
    assert run("audit", study, new, *words).code == 2
    assert versions(study) == before


def test_an_audit_reads_raw_tables_as_its_options_say(raw: Path):
    people = table(raw / "p.csv", [{"nr": f"q{n}", "said": f"{n} days"} for n in range(12)])
    words = ("--items", raw / "items.csv", "--map", "item_id=nr", "--map", "prediction=said")
    more = ("--system", "Ann", "--kind", "person", "--benchmark", "bench", "--out", raw / "r")
    ran = run("audit", raw / "s", people, *words, *more, "--scorer", "exact")
    assert ran.code == 0, ran.err
    (system,) = Study.open(raw / "s").snapshot().systems()
    assert (system.name, system.kind) == ("Ann", "person")
    assert set(Study.open(raw / "s").snapshot().frame("items")["benchmark"]) == {"bench"}


@pytest.mark.parametrize(
    "option",
    [
        ("--map", "reply=text"),
        ("--system", "x"),
        ("--scorer-column", "judge=judge/x"),
        ("--benchmark", "b"),
        ("--kind", "person"),
        ("--encoding", "cp1252"),
        ("--strict",),
    ],
)
def test_options_for_raw_tables_need_raw_tables(study: Path, option: tuple[str, ...]):
    ran = run("audit", study, *option)
    assert (ran.code, f"{option[0]}: for reading raw tables" in ran.err) == (2, True)


def test_a_pipe_is_refused_and_not_waited_for(study: Path, raw: Path):
    os.mkfifo(raw / "pipe.csv")
    for path in (raw / "pipe.csv", "/dev/zero"):
        ran = run("import", study, path, "--format", "csv")
        assert (ran.code, "expected a regular file" in ran.err) == (3, True)


@pytest.mark.parametrize("name", ["rot13", "base64", "idna", "punycode", "nosuch", "a\0b"])
def test_a_codec_of_no_text_is_refused(name: str, study: Path, raw: Path):
    ran = run("import", study, raw / "good model.csv", "--encoding", name)
    assert (ran.code, "encoding of text" in ran.err) == (2, True)


def test_a_path_too_long_is_a_usage_error(study: Path):
    assert run("import", study, "x" * 300 + ".csv").code == 2
    assert run("study", "create", "y" * 300).code == 2


def test_a_file_of_bad_rows_shows_them(study: Path, raw: Path):
    source = raw / "m.jsonl"
    source.write_text('{"id": 1\n[1]\n', encoding="utf-8")
    ran = run("import", study, source)
    assert ran.code == 3
    assert "none of its 2 rows can be read" in ran.err
    assert "m.jsonl:1: not JSON" in ran.err


def test_counts_of_one_are_in_the_singular(study: Path, raw: Path):
    rows = [*answers(["q1"]), {"id": "", "prediction": "x"}]
    assert "  1 bad row, not imported:\n" in run("import", study, table(raw / "m.csv", rows)).out
    assert ", 1 scorer: " in run("score", study, "--scorer", "exact").out


def test_the_version_is_an_option_too():
    assert run("--version").out == run("version").out == f"{__version__}\n"


def test_an_audit_takes_the_judge_that_is_named(study: Path, raw: Path):
    rows = [
        {"item_id": f"q{n}", "system": name, "a": "1", "b": "0"}
        for n in range(12)
        for name in ("good model", "näive")
    ]
    judged = table(raw / "two judges.csv", rows)
    columns = ("--scorer", "a=judge/a", "--scorer", "b=judge/b")
    assert run("import", study, judged, *columns).code == 0
    words = ("audit", study, "--out", raw / "r", "--scorer", "exact", "--json", "-")
    first, second = run(*words), run(*words, "--judge", "judge/b")
    assert (first.code, second.code) == (0, 0), second.err
    assert first.json["overturns"]["judge"] == "judge/a"
    assert second.json["overturns"]["judge"] == "judge/b"
    held = Study.open(study).snapshot().frame("verdicts", scorer_id="regime/judge-only")
    assert set(held["value"]) == {0.0}
    missing = run(*words, "--judge", "judge/zz")
    assert (missing.code, "judge/zz" in missing.err) == (5, True)
