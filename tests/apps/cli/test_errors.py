"""What goes wrong, said in one message on stderr with the exit code of its class."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli_runs import run
from finassay.study import Study
from import_tables import table

MARK = ("--reference", "a", "--reply", "b")


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("mark", "exat", *MARK), 2, "did you mean exact or set/exact?"),
        (("mark", "exact[", *MARK), 2, "opens a bracket that it does not close"),
        (("mark", "strict/as-stated[threshold=7]", *MARK), 2, "must be in [0, 1], got 7"),
        (("mark", "stored", *MARK), 2, "imported, not computed"),
        (("mark", "exact", "--reference", "a"), 2, "Missing option '--reply'"),
        (("frobnicate",), 2, "No such command 'frobnicate'"),
        (("schema", "zz"), 2, "no schema is called 'zz'"),
        (("fetch", "foo", "--study", "nosuch"), 2, "no benchmark 'foo'"),
        (("audit", "nosuch"), 4, "there is no study at 'nosuch'"),
        (("study", "check", "nosuch"), 4, "there is no study at 'nosuch'"),
        (("import", "nosuch"), 2, "name at least one file"),
        (("import", "nosuch", "no.csv"), 3, "no.csv: there is no such file"),
        (("import", "nosuch", "no.csv", "--kind", "robot"), 2, "got 'robot'"),
        (("import", "nosuch", "no.csv", "--table", "chair"), 2, "got 'chair'"),
        (("import", "nosuch", "no.csv", "--scorer", "judge"), 2, "COLUMN=ID"),
        (("import", "nosuch", "no.csv", "--map", "no.toml"), 3, "no.toml"),
        (("import", "nosuch", "no.csv", "--error-text", "("), 2, "regular expression"),
        (("audit", "nosuch", "no.csv", "--unscored", "maybe"), 2, "got 'maybe'"),
        (("audit", "nosuch", "no.csv", "--ranks", "maybe"), 2, "got 'maybe'"),
    ],
)
def test_an_error_has_its_exit_code_and_leaves_nothing(
    words: tuple[str, ...],
    code: int,
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.chdir(tmp_path)
    ran = run(*words)
    assert (ran.code, ran.out) == (code, "")
    assert said in ran.err
    assert "Traceback" not in ran.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("target", ["no/x.json", "."])
def test_an_unwritable_json_target_is_refused_before_the_work(
    target: str, study: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(study.parent)
    ran = run("audit", study, "--json", target)
    assert (ran.code, ran.out) == (2, "")
    assert repr(target) in ran.err
    assert not (study.parent / "report").exists()


def test_another_encoding_is_suggested_and_works(tmp_path: Path):
    table(tmp_path / "items.csv", [{"id": "1", "question": "?", "answer": "café"}])
    source = tmp_path / "m.csv"
    source.write_bytes("id,prediction\n1,café\n".encode("cp1252"))
    words = ("import", tmp_path / "s", source, "--items", tmp_path / "items.csv")
    ran = run(*words)
    assert ran.code == 3
    assert "--encoding cp1252" in ran.err
    assert not (tmp_path / "s").exists()
    # the items file is UTF-8: it goes in on its own
    run("import", tmp_path / "s", "--items", tmp_path / "items.csv")
    assert run("import", tmp_path / "s", source, "--encoding", "cp1252").code == 0
    assert Study.open(tmp_path / "s").snapshot().frame("predictions")["text"].to_list() == ["café"]


def test_columns_that_cannot_be_told_apart_give_3(study: Path, raw: Path):
    source = table(raw / "two.csv", [{"id": "q1", "prediction": "a", "response": "b"}])
    ran = run("import", study, source, "--table", "predictions")
    assert ran.code == 3
    assert "'prediction'" in ran.err
    assert "'response'" in ran.err


def test_a_bad_row_is_told_and_under_strict_is_an_error(study: Path, raw: Path):
    rows = [{"id": f"q{n}", "prediction": "a"} for n in range(11)]
    source = table(raw / "odd.csv", [*rows, {"id": "q10", "prediction": "something else"}])
    before = dict(Study.open(study).snapshot().versions)
    refused = run("import", study, source, "--strict")
    assert refused.code == 3
    assert "'q10'" in refused.err
    assert dict(Study.open(study).snapshot().versions) == before
    accepted = run("import", study, source)
    assert accepted.code == 0
    assert "'q10'" in accepted.out


def test_unknown_names_in_a_study_are_named_with_what_there_is(study: Path):
    run("score", study, "--scorer", "exact")
    system = run("explain", study, "--item", "q1", "--system", "good modle")
    assert (system.code, "good model" in system.err) == (2, True)
    item = run("explain", study, "--item", "zz", "--system", "good model")
    assert (item.code, "no item 'zz'" in item.err) == (2, True)
    scorer = run("explain", study, "--item", "q1", "--system", "näive", "--scorer", "includes")
    assert (scorer.code, "no verdict of 'includes'" in scorer.err) == (2, True)
    assert run("score", study, "--system", "zz").code == 2
    assert "strict, judge-only" in run("score", study, "--regime", "zz").err


def test_a_table_that_contradicts_the_stored_verdicts_is_refused(study: Path, raw: Path):
    rows = [{"item_id": f"q{n}", "system": "good model", "strict": "0"} for n in range(6)]
    source = table(raw / "other.csv", rows)
    words = ("import", study, source, "--scorer", "strict=stored")
    before = dict(Study.open(study).snapshot().versions)
    ran = run(*words)
    assert ran.code == 4
    assert "6 of the table's own are not what the study holds" in ran.err
    assert dict(Study.open(study).snapshot().versions) == before
    assert run(*words, "--replace").code == 0
    held = Study.open(study).snapshot().frame("verdicts", scorer_id="stored")
    assert held.filter(held["value"] == 0.0).height == 6 + 12


def test_a_study_with_predictions_only_in_a_report_of_nothing_gives_5(tmp_path: Path):
    run("study", "create", tmp_path / "s")
    ran = run("audit", tmp_path / "s", "--out", tmp_path / "r")
    assert ran.code == 5
    assert "holds no verdicts" in ran.err
    assert not (tmp_path / "r").exists()


def test_a_path_that_cannot_hold_a_study_is_refused(tmp_path: Path):
    (tmp_path / "file").touch()
    file = run("study", "create", tmp_path / "file")
    assert (file.code, "a study is a directory" in file.err) == (2, True)
    bracket = run("study", "create", tmp_path / "a[1]")
    assert (bracket.code, "the path holds '['" in bracket.err) == (2, True)
    assert not (tmp_path / "a[1]").exists()


def test_a_directory_without_permission_is_an_error_and_no_traceback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied", str(tmp_path / "s"))

    monkeypatch.setattr(Path, "mkdir", refuse)
    ran = run("study", "create", tmp_path / "s")
    assert ran.code == 9
    assert "Permission denied; " in ran.err
    assert "give this user the right to write there" in ran.err
    assert "Traceback" not in ran.err
