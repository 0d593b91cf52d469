"""Every command, run as a person would, with what it prints and writes."""

from __future__ import annotations

import json
import re
from pathlib import Path

import jsonschema
import pytest

from cli_runs import Ran, run
from finassay import __version__
from finassay.reports.schemas import schema_names, schema_object
from finassay.study import Study

STRICT = ("mark", "strict/numbers-first", "--reference", "30 days", "--reply", "Within 30 days.")


def check(ran: Ran, name: str) -> dict:
    assert ran.code == 0, ran.err
    found = ran.json
    assert next(iter(found)) == "schema"
    jsonschema.Draft202012Validator(schema_object(name)).validate(found)
    return found


def test_version_is_the_package_version():
    assert run("version").out == f"{__version__}\n"


def test_no_command_shows_the_help():
    ran = run()
    assert (ran.code, "Commands:" in ran.out + ran.err) == (2, True)


def test_marking_says_which_stage_decided():
    ran = run(*STRICT)
    assert (ran.code, ran.err) == (0, "")
    assert "because the sets of numbers are equal" in ran.out
    assert re.search(r"^  numbers in reply: 30$", ran.out, flags=re.MULTILINE)


def test_json_on_stdout_stands_alone_and_lines_go_to_stderr():
    ran = run(*STRICT, "--json", "-")
    found = check(ran, "mark")
    assert found["schema"] == "finassay/mark/1"
    assert found["value"] == 1.0
    assert "because the sets of numbers are equal" in ran.err


def test_json_in_a_file_is_the_same_and_leaves_nothing_beside_it(tmp_path: Path):
    target = tmp_path / "a mark ü.json"
    ran = run(*STRICT, "--json", target)
    assert "because" in ran.out
    assert json.loads(target.read_text("utf-8")) == run(*STRICT, "--json", "-").json
    assert [path.name for path in tmp_path.iterdir()] == [target.name]


def test_choices_and_task_reach_the_rule():
    task = "contradiction_detection"
    words = ("mark", "strict/numbers-first", "--reference", "No", "--task", task)
    assert ": scored, value 1" in run(*words, "--reply", "No, they agree.").out
    assert ": scored, value 0" in run(*words, "--reply", "Yes, they differ.").out


def test_an_empty_reply_is_no_answer_and_has_no_value():
    ran = run("mark", "exact", "--reference", "a", "--reply", "", "--json", "-")
    assert (ran.json["status"], ran.json["value"]) == ("no_answer", None)


def test_the_scorers_are_listed_with_parameters_and_imported_names():
    ran = run("scorers", "--json", "-")
    found = check(ran, "scorers")
    known = {entry["name"]: entry for entry in found["scorers"]}
    assert ["threshold", "0.72"] in known["strict/numbers-first"]["parameters"]
    assert known["strict/fuzzy-first"]["published"]
    assert not known["exact"]["published"]
    assert not [entry["problem"] for entry in known.values() if entry["problem"]]
    assert ["stored", "the verdicts that a source wrote beside its predictions"] in found[
        "imported"
    ]


@pytest.mark.parametrize("name", schema_names())
def test_every_schema_is_printed_and_valid(name: str):
    ran = run("schema", name)
    jsonschema.Draft202012Validator.check_schema(ran.json)
    assert ran.json == schema_object(name)


def test_schema_without_a_name_lists_all():
    assert run("schema").out.split() == list(schema_names())


def test_import_reads_names_with_spaces_and_letters_beyond_ascii(raw: Path):
    path = raw / "a study ü"
    ran = run(
        "import",
        path,
        raw / "good model.csv",
        raw / "näive.csv",
        "--items",
        raw / "items.csv",
        "--json",
        "-",
    )
    check(ran, "import")
    assert "good model: 12 of 12 rows imported" in ran.err
    assert [spec.name for spec in Study.open(path).snapshot().systems()] == ["good model", "näive"]


def test_importing_twice_changes_nothing(raw: Path, study: Path):
    judged = ("import", study, raw / "judged.csv", "--scorer", "judge=judge/x")
    assert run(*judged).code == 0
    before = dict(Study.open(study).snapshot().versions)
    assert run(*judged).code == 0
    files = raw / "good model.csv", raw / "näive.csv"
    assert run("import", study, *files, "--items", raw / "items.csv").code == 0
    assert dict(Study.open(study).snapshot().versions) == before


def test_scoring_twice_makes_no_verdict_the_second_time(study: Path):
    first = check(run("score", study, "--json", "-"), "score")
    second = check(run("score", study, "--json", "-"), "score")
    assert (first["marking"]["marked"], first["marking"]["up_to_date"]) == (288, 0)
    assert (second["marking"]["marked"], second["marking"]["up_to_date"]) == (0, 288)


def test_one_scorer_and_one_system_are_marked_alone(study: Path):
    ran = run("score", study, "--scorer", "exact", "--system", "good model", "--json", "-")
    found = check(ran, "score")["marking"]
    assert (found["scorers"], found["systems"], found["marked"]) == (["exact"], ["good model"], 12)


def test_explain_shows_every_rule_and_what_it_read(study: Path):
    run("score", study, "--scorer", "strict/numbers-first", "--scorer", "exact")
    ran = run("explain", study, "--item", "q3", "--system", "good model")
    assert ran.code == 0
    assert "reply:     It takes 3 days." in ran.out
    assert "strict/numbers-first (version 1): scored, value 1" in ran.out
    assert "exact (version 1): scored, value 0" in ran.out
    assert "stored (version" in ran.out
    only = run("explain", study, "--item", "q3", "--system", "good model", "--scorer", "exact")
    assert "strict" not in only.out


def test_explain_without_text_holds_no_text(study: Path):
    run("score", study)
    words = ("explain", study, "--item", "q3", "--system", "good model", "--no-text")
    printed, written = run(*words), run(*words, "--json", "-")
    check(written, "explain")
    for text in ("What is 3", "3 days", "It takes", "it takes"):
        assert text not in printed.out
        assert text not in written.out + written.err


def test_info_names_rows_versions_and_digests(study: Path):
    found = check(run("study", "info", study, "--json", "-"), "study-info")
    rows = {entry["name"]: entry["rows"] for entry in found["tables"]}
    assert (rows["items"], rows["systems"], rows["predictions"], rows["verdicts"]) == (
        12,
        2,
        24,
        24,
    )
    digests = Study.open(study).snapshot().digests()
    assert {entry["name"]: entry["digest"] for entry in found["tables"]} == dict(digests)


def test_a_whole_study_checks_clean_and_a_damaged_one_gives_4(study: Path):
    check(run("study", "check", study, "--json", "-"), "study-check")
    next((study / "predictions").glob("**/*.parquet")).unlink()
    ran = run("study", "check", study)
    assert (ran.code, "predictions: a file cannot be read" in ran.out) == (4, True)


def test_clean_removes_only_what_no_version_refers_to(study: Path):
    (study / "items" / "part-left.parquet").write_bytes(b"left by a killed writer")
    kept = check(run("study", "clean", study, "--json", "-"), "study-clean")
    assert kept["files"] == []
    ran = run("study", "clean", study, "--older-than-hours", "0")
    assert ran.out == "removed 1 file, 23 bytes\n"
    assert run("study", "check", study).code == 0


def test_redaction_asks_first_and_masks_with_yes(study: Path):
    assert run("study", "redact", study, "--pattern", "days").code != 0
    found = run("study", "redact", study, "--pattern", r"\d+ days", "--yes", "--json", "-")
    check(found, "study-redact")
    texts = Study.open(study).snapshot().frame("predictions")["text"].to_list()
    assert not [text for text in texts if "days" in text]


def test_create_sets_the_policy_and_migrate_has_nothing_to_do(tmp_path: Path):
    path = tmp_path / "new"
    assert run("study", "create", path, "--name", "New", "--unscored", "exclude").code == 0
    config = Study.open(path).snapshot().config
    assert (config.name, config.unscored) == ("New", "exclude")
    assert run("study", "migrate", path).out == "nothing to migrate\n"


def test_one_command_leads_from_raw_files_to_a_report(raw: Path):
    out = raw / "the report"
    ran = run(
        "audit",
        raw / "s",
        raw / "good model.csv",
        raw / "näive.csv",
        raw / "judged.csv",
        "--items",
        raw / "items.csv",
        "--scorer-column",
        "judge=judge/x",
        "--scorer-column",
        "strict=stored",
        "--out",
        out,
        "--json",
        "-",
    )
    found = check(ran, "audit")
    assert [regime["regime"] for regime in found["regimes"]["regimes"]] == [
        "strict",
        "judge-only",
        "judge-augmented",
    ]
    assert "12 verdicts of 'stored' are what the study holds already" in ran.err
    assert found == json.loads((out / "report.json").read_text("utf-8"))
    assert {"report.html", "report.md", "report.json"} <= {path.name for path in out.iterdir()}


def test_fetch_builds_a_study_from_a_copy_or_says_what_is_missing(tmp_path: Path):
    ran = run("fetch", "indiafinbench", "--from", tmp_path, "--study", tmp_path / "s")
    assert ran.code == 3
    assert "expected items.json and predictions/*.csv" in ran.err
    assert not (tmp_path / "s").exists()
