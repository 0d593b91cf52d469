"""`finassay ask` on a study, on states and on tables: what it prints, writes and refuses."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from ask_samples import STATES_FILE
from ask_studies import ask_study_at
from cli_runs import run
from finassay.reports.schemas import schema_object
from finassay.study import Study

TABLE = "model,ERA,BAcc,AskR,ProceedR,CRA\nada,40,60,80,40,50\nbob †,9,50,20,80,45\n"


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("ask") / "study"
    ask_study_at(root)
    return root


@pytest.fixture
def table(tmp_path: Path) -> Path:
    file = tmp_path / "table.csv"
    file.write_text(TABLE, encoding="utf-8")
    return file


def checked(name: str, text: str) -> dict:
    written = json.loads(text)
    jsonschema.Draft202012Validator(schema_object(name)).validate(written)
    assert written["schema"] == f"finassay/{name}/1"
    return written


def test_a_study_gives_metrics_intervals_and_pages(study: Path, tmp_path: Path):
    target = tmp_path / "ask.json"
    done = run("ask", study, "--draws", "50", "--out", tmp_path / "out", "--json", target)
    assert done.code == 0, done.err
    assert "Asking and going on, in % on 3 ask and 2 proceed states" in done.out
    assert "95% intervals in %, from 50 resamples of trajectories" in done.out
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"ask.html", "ask-cases.html"}
    written = checked("ask", target.read_text("utf-8"))
    rows = {row["system"]: row for row in written["rows"]}
    assert rows["ada"]["scores"]["ask_recall"] == pytest.approx(2 / 3)
    assert rows["Always-Ask"]["scores"]["era"] is None


def test_no_text_leaves_the_cases_out(study: Path, tmp_path: Path):
    assert run("ask", study, "--draws", "20", "--no-text", "--out", tmp_path / "out").code == 0
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["ask.html"]


def test_a_table_gives_identities_and_no_intervals(table: Path):
    done = run("ask", table, "--json", "-")
    assert done.code == 0, done.err
    written = checked("ask", done.out)
    assert written["compared"] == ["ada"]
    assert written["printed"]["counts_from"] == "unknown"
    assert "ERA = AskR x CRA" in done.err


def test_a_folder_is_searched_for_its_one_table(table: Path):
    (table.parent / "other.csv").write_text("model,accuracy\na,1\n", encoding="utf-8")
    assert run("ask", table.parent).code == 0
    (table.parent / "again.csv").write_text(TABLE, encoding="utf-8")
    done = run("ask", table.parent)
    assert (done.code, "found 2: again.csv, table.csv" in done.err) == (3, True)


def test_states_are_counted_and_filed_in_a_study(tmp_path: Path):
    file, target = tmp_path / "mine.jsonl", tmp_path / "new study"
    file.write_text(STATES_FILE, encoding="utf-8")
    done = run("ask", file, "--study", target, "--json", "-")
    assert done.code == 0, done.err
    written = checked("ask-states", done.out)
    assert (written["n_read"], written["n_ask"], written["n_proceed"]) == (3, 2, 1)
    items = Study.open(target).snapshot().items()
    assert {item.item_id for item in items} == {"T1-1", "T1-2", "F1"}
    assert {item.benchmark for item in items} == {"mine"}


def test_dropped_states_are_told_with_the_reason(tmp_path: Path):
    file = tmp_path / "s.jsonl"
    file.write_text(STATES_FILE.replace('"action": "proceed"', '"action": "wait"'), "utf-8")
    done = run("ask", file)
    assert "dropped: ambiguous action" in done.out
    assert "T1-2: the recorded action is 'wait'." in done.out


def test_an_evaluator_may_be_named(table: Path):
    written = checked("ask", run("ask", table, "--evaluator", "ada", "--json", "-").out)
    assert written["compared"] == []


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("TABLE", "--alignment", "judge/x"), 2, "--alignment and --exact-form are for a study"),
        (("TABLE", "--exact-form"), 2, "--alignment and --exact-form are for a study"),
        (("TABLE", "--states", "583"), 2, "--states must be two whole numbers"),
        (("TABLE", "--states", "0,7"), 2, "--states must be two whole numbers"),
        (("TABLE", "--states", "999999,7"), 2, "with at most 5 digits"),
        (("TABLE", "--draws", "0"), 2, "--draws must be 1 or more"),
        (("TABLE", "--study", "x"), 2, "--study is for a file of states"),
        (("TABLE", "--evaluator", "eve"), 2, "the evaluator 'eve' is none of the systems"),
        (("STUDY", "--states", "5,5"), 2, "--states is for a table"),
        (("STUDY", "--alignment", "nonsense"), 2, "no scorer 'nonsense'"),
        (("STUDY", "--alignment", "judge/x"), 5, "no verdicts of 'judge/x'"),
        (("STATES", "--protocol", "xml"), 2, "--protocol must be one of tokens, json"),
        (("GONE",), 3, "there is nothing at"),
        (("finassay-ask",), 2, "finassay-ask needs --study DIR"),
    ],
)
def test_what_cannot_be_used_is_refused(
    study: Path, table: Path, words: tuple[str, ...], code: int, said: str
):
    states = table.with_name("s.jsonl")
    states.write_text(STATES_FILE, encoding="utf-8")
    places = {"TABLE": table, "STUDY": study, "STATES": states, "GONE": table.with_name("gone")}
    done = run("ask", *(places.get(word, word) for word in words))
    assert done.code == code
    assert said in done.err


def test_the_bundled_states_are_filed_answered_and_measured(tmp_path: Path):
    study = tmp_path / "bundled"
    done = run("ask", "finassay-ask", "--study", study, "--draws", "20", "--json", "-")
    assert done.code == 0, done.err
    written = checked("ask", done.out)
    assert (written["n_ask"], written["n_proceed"]) == (77, 67)
    assert len(Study.open(study).snapshot().systems()) == 6
