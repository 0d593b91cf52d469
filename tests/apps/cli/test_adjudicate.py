"""The commands `adjudicate plan`, `sheet`, `import`, `status`, `estimate` and `correct`."""

import shutil
import sys
from pathlib import Path

import jsonschema
import pytest

from adjudication_studies import SYSTEMS, add_duels, is_right, judged_study
from cli_runs import Ran, run
from filled_sheets import fill, honest
from finassay.reports.schemas import schema_object

N = 24


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    study = judged_study(tmp_path_factory.mktemp("cli") / "s", n=N)
    add_duels(study, "judge/p", dict.fromkeys(range(N), ("left", "left")))
    return study.root


@pytest.fixture
def study(template: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(template, tmp_path / "s"))


BETWEEN = ("--between", "judge/one,judge/two")


def labelled(study: Path, *more: str) -> Path:
    """Draw, write sheets of ada and bob, fill them in honestly and import them."""
    out = study.parent / "out"
    assert run("adjudicate", "plan", study, *BETWEEN, "--draw", "d", *more).code == 0
    people = ("--annotator", "ada", "--annotator", "bob")
    assert run("adjudicate", "sheet", study, "d", *people, "--out", out).code == 0
    for name in ("ada", "bob"):
        fill(out / f"d-{name}.csv", honest)
    done = run("adjudicate", "import", study, "d", out / "d-ada.csv", out / "d-bob.csv")
    assert done.code == 0, done.err
    return out


def valid(ran: Ran, name: str) -> dict:
    assert ran.code == 0, ran.err
    jsonschema.Draft202012Validator(schema_object(name)).validate(ran.json)
    return ran.json


def test_a_plan_shows_strata_and_keeps_nothing_unless_asked(study: Path):
    ran = run("adjudicate", "plan", study, *BETWEEN)
    assert ran.code == 0
    assert "disputed" in ran.out
    assert "Nothing is kept: give --draw NAME to freeze the sample." in ran.out
    assert not (study / "adjudication").exists()


def test_a_plan_is_frozen_once(study: Path):
    words = ("adjudicate", "plan", study, *BETWEEN, "--draw", "d", "--json", "-")
    assert valid(run(*words), "adjudicate-plan")["is_new"] is True
    assert valid(run(*words), "adjudicate-plan")["is_new"] is False
    other = run(*words, "--seed", 5)
    assert other.code == 2
    assert "the study has another draw named 'd'" in other.err


def test_a_plan_says_how_many_labels_separate_two_systems(study: Path):
    ran = run("adjudicate", "plan", study, *BETWEEN, "--separate", "alpha,beta", "--json", "-")
    budget = valid(ran, "adjudicate-plan")["budget"]
    assert (budget["left"], budget["right"]) == ("alpha", "beta")
    assert budget["curve"]


def test_the_whole_way_from_a_plan_to_scores(study: Path):
    labelled(study, "--control", "1000")
    status = valid(run("adjudicate", "status", study, "d", "--json", "-"), "adjudicate-status")
    assert (status["draws"][0]["unanimous"], status["draws"][0]["conflicts"]) == (2 * N, 0)
    found = valid(run("adjudicate", "estimate", study, "d", "--json", "-"), "adjudicate-estimate")
    assert [scores["judge"] for scores in found["scores"]] == ["judge/one", "judge/two"]
    truth = {
        system.name: sum(is_right(i, s) for i in range(N)) / N for s, system in enumerate(SYSTEMS)
    }
    for system in found["scores"][0]["systems"]:
        human = next(one for one in system["estimates"] if one["estimator"] == "human")
        assert human["value"] == pytest.approx(truth[system["system"]])


def test_further_labels_are_sent_where_they_help(study: Path):
    labelled(study, "--control", "5")
    ran = run("adjudicate", "estimate", study, "d", "--next", 10, "--json", "-")
    advice = valid(ran, "adjudicate-estimate")["advice"]
    assert sum(one["suggested"] for one in advice["strata"]) == 10
    disputed = next(one for one in advice["strata"] if one["stratum"] == "disputed")
    assert disputed["suggested"] == 0, "all of them are labelled"


def test_an_import_that_is_refused_exits_with_its_class_and_records_nothing(study: Path):
    out = labelled(study)
    fill(out / "d-ada.csv", lambda _: {"label": "perhaps"})
    ran = run("adjudicate", "import", study, "d", out / "d-ada.csv")
    assert ran.code == 3
    assert "nothing was recorded" in ran.err
    assert "d-ada.csv:2: the label must be one of" in ran.err
    status = run("adjudicate", "status", study, "d", "--json", "-").json
    assert all(one["revised"] == 0 for one in status["draws"][0]["annotators"])


def test_importing_again_changes_nothing(study: Path):
    out = labelled(study)
    ran = run("adjudicate", "import", study, "d", out / "d-ada.csv", "--json", "-")
    found = valid(ran, "adjudicate-import")
    assert (found["new"], found["revised"], found["verdicts"]) == (0, 0, 0)


def test_labels_can_live_in_another_database(study: Path, tmp_path: Path):
    url = f"sqlite:///{tmp_path / 'elsewhere.sqlite'}"
    out = tmp_path / "out"
    run("adjudicate", "plan", study, *BETWEEN, "--draw", "d")
    words = ("--annotator", "ada", "--out", out, "--labels-url", url)
    run("adjudicate", "sheet", study, "d", *words)
    fill(out / "d-ada.csv", honest)
    done = run("adjudicate", "import", study, "d", out / "d-ada.csv", "--labels-url", url)
    assert done.code == 0, done.err
    assert not (study / "labels.sqlite").exists()
    assert run("adjudicate", "estimate", study, "d", "--labels-url", url).code == 0


@pytest.mark.parametrize("below", ["", "more"])
def test_sheets_are_not_written_to_a_file(study: Path, below: str):
    assert run("adjudicate", "plan", study, *BETWEEN, "--draw", "d").code == 0
    target = study / "study.toml" / below
    done = run("adjudicate", "sheet", study, "d", "--annotator", "ada", "--out", target)
    assert done.code == 2
    assert "expected a directory for sheets" in done.err


def test_an_annotator_has_a_name_that_a_scorer_id_can_hold(study: Path):
    assert run("adjudicate", "plan", study, *BETWEEN, "--draw", "d").code == 0
    done = run("adjudicate", "sheet", study, "d", "--annotator", "a[1]", "--out", study / "out")
    assert done.code == 2
    assert "without slashes or brackets" in done.err


def test_conflicts_go_to_a_third_person(study: Path):
    out = labelled(study)
    fill(out / "d-bob.csv", lambda _: {"label": "CORRECT"})
    run("adjudicate", "import", study, "d", out / "d-bob.csv")
    words = ("--annotator", "cat", "--conflicts", "--out", out, "--format", "xlsx")
    ran = run("adjudicate", "sheet", study, "d", *words, "--json", "-")
    found = valid(ran, "adjudicate-sheet")
    assert found["sheets"][0]["files"] == [str(out / "d-cat-conflicts.xlsx")]
    assert found["sheets"][0]["rows"] > 0


def test_pairs_are_drawn_labelled_and_estimated(study: Path):
    plan = ("--task", "pairwise", "--design", "simple", "--labels", "10")
    ran = run("adjudicate", "plan", study, *plan, "--between", "judge/p", "--draw", "p")
    assert ran.code == 0, ran.err
    out = study.parent / "pairs"
    run("adjudicate", "sheet", study, "p", "--annotator", "ada", "--out", out)
    fill(out / "p-ada.csv", lambda _: {"label": "tie"})
    done = run("adjudicate", "import", study, "p", out / "p-ada.csv")
    assert done.code == 0, done.err
    found = valid(run("adjudicate", "estimate", study, "p", "--json", "-"), "adjudicate-estimate")
    (system,) = found["scores"][0]["systems"]
    assert system["system"] == "alpha over beta"
    human = next(one for one in system["estimates"] if one["estimator"] == "human")
    assert human["value"] == pytest.approx(0.5)


def test_a_reference_is_corrected_and_the_old_one_kept(study: Path):
    why = ("--reference", "99 percent", "--why", "misprint", "--by", "lead")
    ran = run("adjudicate", "correct", study, "q001", *why)
    assert ran.code == 0, ran.err
    assert "verdicts on it are stale" in ran.out
    assert run("adjudicate", "correct", study, "q999", *why).code == 4


def test_notes_of_people_are_redacted_with_the_rest(study: Path):
    out = labelled(study)
    fill(out / "d-ada.csv", lambda row: honest(row) | {"note": "ask Jane Doe"})
    run("adjudicate", "import", study, "d", out / "d-ada.csv")
    assert b"Jane Doe" in (study / "labels.sqlite").read_bytes()
    assert run("study", "redact", study, "--pattern", "Jane Doe", "--yes").code == 0
    assert b"Jane Doe" not in (study / "labels.sqlite").read_bytes()
    assert run("adjudicate", "status", study, "d").code == 0


def test_a_damaged_draw_is_found_by_the_check(study: Path):
    labelled(study)
    assert run("study", "check", study).code == 0
    path = study / "adjudication" / "d.json"
    path.write_text(path.read_text().replace('"probability":1.0', '"probability":0.5', 1))
    ran = run("study", "check", study)
    assert ran.code == 4
    assert "was damaged or changed by hand" in ran.out


def test_without_its_package_xlsx_is_refused_with_what_installs_it(
    study: Path, monkeypatch: pytest.MonkeyPatch
):
    run("adjudicate", "plan", study, *BETWEEN, "--draw", "d")
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    words = ("--annotator", "ada", "--format", "xlsx", "--out", study.parent / "x")
    ran = run("adjudicate", "sheet", study, "d", *words)
    assert ran.code == 2
    assert "pip install 'finassay[sheets]'" in ran.err
    assert list((study.parent / "x").iterdir()) == []


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("plan", "STUDY", "--task", "taste"), "no labelling task is called 'taste'"),
        (("plan", "STUDY", "--design", "best"), "`design` must be one of"),
        (("plan", "STUDY", "--design", "simple"), "needs a number of labels"),
        (("plan", "STUDY", "--between", "judge/one,judge/one"), "'judge/one' is named twice"),
        (("plan", "STUDY", "--between", "judge/one"), "got judge/one; name more judges"),
        (
            ("plan", "STUDY", "--between", "judge/one,judge/two", "--labels", "9999"),
            "got `total` 9999 labels; ask for fewer",
        ),
        (("plan", "STUDY", "--strata", "colour"), "strata can be made of"),
        (("plan", "STUDY", "--between", "judge/one,judge/two", "--draw", "../x"), "a draw's name"),
        (("sheet", "STUDY", "none", "--annotator", "a", "--out", "x"), "has no draw 'none'"),
        (("status", "STUDY", "none"), "has no draw 'none'"),
        (("estimate", "STUDY", "none"), "has no draw 'none'"),
    ],
)
def test_what_cannot_be_used_is_told(study: Path, words: tuple[str, ...], message: str):
    ran = run("adjudicate", *(str(study) if word == "STUDY" else word for word in words))
    assert ran.code == 2
    assert message in ran.err
    assert "Traceback" not in ran.err


def test_an_audit_shows_the_scores_of_the_newest_labelled_draw(study: Path, tmp_path: Path):
    labelled(study, "--control", "1000")
    assert run("adjudicate", "plan", study, *BETWEEN, "--seed", 9, "--draw", "empty").code == 0
    estimate = run("adjudicate", "estimate", study, "d", "--judge", "judge/one", "--json", "-")
    judged = ("--judge", "judge/one", "--primary", "judge/one")
    audit = run("audit", study, *judged, "--out", tmp_path / "report", "--json", "-")
    assert audit.code == 0, audit.err
    (wanted,) = estimate.json["scores"]
    assert audit.json["few_labels"]["systems"] == wanted["systems"]
    assert audit.json["few_labels"]["n_labels"] == 2 * N


def test_a_draw_is_opened_for_people_and_left_from_the_command_line(study: Path):
    labelled(study)
    ran = run("adjudicate", "open", study, "d", "--people", "3", "--overlap", "0.25")
    assert ran.code == 0
    assert "draw d is for 3 people; all of them label 25% of its units" in ran.out
    ran = run("adjudicate", "withdraw", study, "d", "--annotator", "eve")
    assert ran.code == 2
    assert "was not given to 'eve'; it was given to: ada, bob" in ran.err
    out = study.parent / "more"
    people = ("--annotator", "cyd", "--annotator", "dan")
    assert run("adjudicate", "sheet", study, "d", *people, "--out", out).code == 0
    ran = run("adjudicate", "withdraw", study, "d", "--annotator", "cyd", "--why", "away")
    assert ran.code == 0, ran.err
    assert "cyd is off draw d: 0 answers of theirs stay and count" in ran.out
    assert "went to nobody: all others have them already" in ran.out
