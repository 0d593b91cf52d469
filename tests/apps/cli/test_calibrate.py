"""The command `calibrate`, and scorers that are read from a file it wrote."""

import json
from pathlib import Path

import jsonschema
import pytest

from cli_runs import Ran, run
from finassay.reports.schemas import schema_object
from labelled_tables import planted, table_of, write_jsonl

pytestmark = pytest.mark.full

SHARED = (
    *("--reference", "gold", "--reply", "reply", "--label", "label", "--positive", "right"),
    *("--group", "question", "--question", "question", "--resamples", 200),
)


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_jsonl(tmp_path_factory.mktemp("labelled") / "replies.jsonl", planted())


def calibrate(table: Path, *more: object) -> Ran:
    return run("calibrate", table, *SHARED, *more)


@pytest.fixture(scope="module")
def written(table: Path) -> tuple[Ran, Path]:
    spec = table.with_name("spec.json")
    words = ("--scorer", "token_f1", "--peers", "--stratum", "reference-type", "--write-spec", spec)
    return calibrate(table, *words, "--json", table.with_name("out.json")), spec


def test_one_command_prints_the_choice_beside_its_peers(written: tuple[Ran, Path]):
    ran, _ = written
    assert (ran.code, ran.err) == (0, "")
    assert "All replies: 240 replies in 40 groups of 'question'" in ran.out
    assert "* token_f1" in ran.out
    assert "strict/as-stated" in ran.out
    assert "Replies with reference-type=text: 240 replies" in ran.out
    assert "Where the choice and people disagree, by kind" in ran.out
    assert "a verdict without a value counts as not marked right" in ran.out


def test_the_json_is_what_its_schema_says(written: tuple[Ran, Path]):
    found = json.loads(written[1].with_name("out.json").read_text("utf-8"))
    jsonschema.validate(found, schema_object("calibrate"))
    assert found["schema"] == "finassay/calibrate/1"
    assert found["rows"][0]["role"] == "chosen"


def test_the_written_spec_marks_one_reply(written: tuple[Ran, Path]):
    spec = written[1]
    chosen = json.loads(spec.read_text("utf-8"))["calibration"]["scorer_id"]
    ran = run("mark", f"@{spec}", "--reference", "alpha beta", "--reply", "alpha beta")
    assert ran.code == 0
    assert chosen in ran.out
    assert "value 1" in ran.out


def test_the_written_spec_marks_a_study_and_names_its_verdicts(
    written: tuple[Ran, Path], tmp_path: Path
):
    spec = f"@{written[1]}"
    replies = tmp_path / "alpha.csv"
    replies.write_text("id,prediction,question,answer\nq1,five,How many?,five\nq2,six,And?,two\n")
    study = tmp_path / "study"
    assert run("import", study, replies, "--items-from-predictions").code == 0
    assert run("score", study, "--scorer", spec, "--scorer", "exact").code == 0
    for command in (
        ("explain", study, "--item", "q1", "--system", "alpha", "--scorer", spec),
        ("agree", study, "--raters", f"{spec},exact", "--draws", 200),
        ("audit", study, "--scorer", spec, "--primary", spec, "--out", tmp_path / "report"),
    ):
        ran = run(*command)
        assert (ran.code, ran.err) == (0, "")


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        (None, 3, "the scorer spec cannot be read"),
        ("{}", 2, "a scorer spec is a JSON object with a name"),
        ('{"name": "exact", "version": "0"}', 2, "the spec is for version '0' of 'exact'"),
    ],
)
def test_a_spec_file_that_cannot_be_used_is_named(
    tmp_path: Path, text: str | None, code: int, said: str
):
    path = tmp_path / "spec.json"
    if text is not None:
        path.write_text(text, "utf-8")
    ran = run("mark", f"@{path}", "--reference", "a", "--reply", "a")
    assert ran.code == code
    assert said in ran.err
    assert "spec.json" in ran.err


def test_a_grid_file_declares_the_values(table: Path, tmp_path: Path):
    grid = tmp_path / "grid.toml"
    grid.write_text("[token_set]\nthreshold = [0.5]\n[token_f1]\nthreshold = [0.6]\n", "utf-8")
    ran = calibrate(table, "--grid", grid, "--json", "-")
    assert [row["n_variants"] for row in ran.json["rows"]] == [2, 2, 2]
    assert [row["role"] for row in ran.json["rows"]] == ["candidate", "candidate", "chosen"]


def test_a_peer_can_be_named_and_a_mistyped_one_is_an_error(table: Path):
    ran = calibrate(table, "--scorer", "exact", "--peer", "token_set", "--json", "-")
    rows = [(row["family"], row["role"], row["n_variants"]) for row in ran.json["rows"]]
    assert rows == [("exact", "chosen", 1), ("token_set", "peer", 20)]
    ran = calibrate(table, "--scorer", "exact", "--peer", "tokenset")
    assert (ran.code, "no scorer 'tokenset'" in ran.err) == (2, True)


def test_the_same_scorer_twice_is_refused(table: Path):
    ran = calibrate(table, "--scorer", "exact", "--scorer", "exact")
    assert (ran.code, "asked for twice" in ran.err) == (2, True)


def test_few_groups_end_with_a_message_and_no_file(tmp_path: Path):
    rows = [(f"q{i % 4}", "5", "5", "right" if i % 2 else "wrong") for i in range(16)]
    path = write_jsonl(tmp_path / "few.jsonl", table_of(rows))
    spec = tmp_path / "spec.json"
    ran = calibrate(path, "--scorer", "exact", "--write-spec", spec)
    assert ran.code == 2
    assert "5 folds need at least 10 groups" in ran.err
    assert not spec.exists()


def test_a_missing_column_is_named(table: Path):
    ran = calibrate(table, "--scorer", "exact", "--stratum", "country")
    assert (ran.code, "got 'country'" in ran.err) == (3, True)


def test_texts_can_be_left_out(table: Path):
    ran = calibrate(table, "--scorer", "exact", "--no-text", "--json", "-")
    examples = [e for kind in ran.json["disagreements"] for e in kind["examples"]]
    assert examples
    assert all(e["reference"] is None and e["reason"] == "" for e in examples)


@pytest.mark.parametrize("option", ["--write-spec", "--json"])
def test_the_table_is_never_written_over(table: Path, option: str):
    before = table.read_bytes()
    ran = calibrate(table, "--scorer", "exact", option, table)
    assert ran.code == 2
    assert f"{option} must name a file of its own" in ran.err
    assert table.read_bytes() == before


def test_the_spec_and_the_result_cannot_share_a_file(table: Path):
    both = table.with_name("both.json")
    ran = calibrate(table, "--scorer", "exact", "--write-spec", both, "--json", both)
    assert ran.code == 2
    assert "which is that of --write-spec too; name another file" in ran.err
    assert not both.exists()


def test_resamples_that_outgrow_memory_are_refused(table: Path):
    ran = calibrate(table, "--scorer", "exact", "--resamples", 10**11)
    assert ran.code == 2
    assert "at most 1000000, got 100000000000" in ran.err


def test_a_spec_directory_is_not_blamed_on_json(table: Path):
    ran = calibrate(table, "--scorer", "exact", "--write-spec", table.parent)
    assert ran.code == 2
    assert "expected a file to write to, got the directory" in ran.err
    assert "--json" not in ran.err


def test_an_argument_with_half_a_character_is_refused():
    ran = run("mark", "exact", "--reference", "5", "--reply", "\ud800")
    assert ran.code == 2
    assert "is not UTF-8" in ran.err


def test_a_mistyped_key_of_a_spec_is_refused(tmp_path: Path):
    spec = tmp_path / "spec.json"
    spec.write_text('{"name": "exact", "params": {"normaliser": "words"}}')
    ran = run("mark", f"@{spec}", "--reference", "5", "--reply", "5")
    assert ran.code == 2
    assert "got 'params'; correct or remove it" in ran.err
