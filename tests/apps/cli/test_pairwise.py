"""The pairwise ways of `finassay agree`."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from cli_runs import run
from finassay.reports.schemas import schema_object
from judged_samples import study_at
from pairwise_samples import file_comparisons

JUDGE = "judge/alpha/pairwise/human/A"
FILE = (
    "pair_id,judge,order,winner,label,source,reply\n"
    "p,j,left_first,A,left,x,[[A]]\n"
    "p,j,right_first,B,left,x,[[B]]\n"
    "q,j,left_first,A,right,y,no idea\n"
    "q,j,right_first,A,right,y,[[A]]\n"
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "pairs.csv"
    path.write_text(FILE, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("pairwise") / "study"
    said = [
        (at, "beta", "gamma", order, letter)
        for at, letter in ((0, "l"), (1, "r"), (3, "l"), (4, "t"))
        for order in ("left_first", "right_first")
    ]
    file_comparisons(study_at(path), JUDGE, said)
    return path


def test_a_file_gives_accuracy_order_effect_and_derived_decisions(file: Path):
    done = run("agree", "--pairwise", file, "--json", "-")
    assert done.code == 0
    jsonschema.Draft202012Validator(schema_object("agree-pairwise")).validate(done.json)
    (judge,) = done.json["judges"]
    rates = {
        (one["rule"], one["source"]): one["right"]["rate"]
        for one in judge["accuracy"]
        if one["decisions"] == "stored"
    }
    assert rates["sum", ""] == rates["both orders", ""] == 0.5
    assert (rates["sum", "x"], rates["sum", "y"]) == (1.0, 0.0)
    assert (judge["rederived"]["n_same"], judge["rederived"]["n_no_verdict"]) == (3, 1)
    assert judge["order"]["n_reversed"] == 1
    assert "How often judges pick the better of two answers" in done.err
    assert "3/4 stored decisions of prompted judges follow from their replies." in done.err


def test_a_study_gives_judges_and_baselines_beside_people(study: Path):
    done = run(
        "agree", study, "--pairwise-against", "person/a", "--draws", 200, "--baseline", "exact",
        "--json", "-",
    )  # fmt: skip
    assert done.code == 0, done.err
    jsonschema.Draft202012Validator(schema_object("agree-pairwise-people")).validate(done.json)
    assert (done.json["against"], done.json["rule"]) == (["person/a"], "both orders")
    names = [one["scorer_id"] for one in done.json["voices"]]
    assert names == [JUDGE, "exact"]
    agreement = done.json["voices"][0]["agreement"]
    # beta and gamma differ on i0, i1, i3 and i4: beta is right on i0 and i3, gamma on i1 and i4.
    assert (agreement["n"], agreement["n_same"], agreement["n_tied"]) == (4, 3, 1)
    assert "Judges and baselines on" in done.err


def test_conditional_agreement_and_own_answers_are_shown(study: Path):
    done = run(
        "agree", study, "--pairwise-against", "person/a,person/b", "--draws", 200,
        "--with-own", "--decision", "sum", "--undecided", "half", "--json", "-",
    )  # fmt: skip
    assert done.code == 0, done.err
    assert done.json["primary"] == "half"
    (one,) = done.json["conditional"]
    assert (one["candidate"], one["source"]) == ("alpha", "people")
    assert "could answer the question itself" in done.err


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("--raters", "exact,includes"),
        ("STUDY",),
        ("STUDY", "--pairwise", "FILE"),
        ("STUDY", "--raters", "exact,includes", "--pairwise-against", "person/a"),
    ],
)
def test_exactly_one_way_is_asked_for(words: tuple[str, ...], study: Path, file: Path):
    named = {"STUDY": study, "FILE": file}
    done = run("agree", *(named.get(word, word) for word in words))
    assert done.code == 2
    assert "give one of the three" in done.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--pairwise-against", "person/nobody"), "no verdicts of 'person/nobody'"),
        (("--pairwise-against", "person/a", "--judge", "judge/x"), "no comparisons of 'judge/x'"),
        (
            ("--pairwise-against", "person/a", "--decision", "first"),
            "--decision must be both or sum",
        ),
        (("--pairwise-against", "person/a", "--undecided", "lost"), "--undecided must be one of"),
        (("--pairwise-against", "person/a", "--candidate", "x"), "--candidate takes JUDGE=SYSTEM"),
    ],
)
def test_what_cannot_be_used_is_refused(words: tuple[str, ...], message: str, study: Path):
    done = run("agree", study, *words)
    assert done.code == 2
    assert message in done.err


def test_a_bad_line_of_a_file_is_named(tmp_path: Path):
    path = tmp_path / "pairs.jsonl"
    path.write_text(json.dumps({"pair_id": "p", "judgments": "none"}) + "\n", encoding="utf-8")
    done = run("agree", "--pairwise", path)
    assert done.code == 3
    assert "pairs.jsonl:1" in done.err


def test_a_folder_is_no_file_of_judgments(tmp_path: Path):
    done = run("agree", "--pairwise", tmp_path)
    assert done.code == 3
    assert "expected a file of pairwise judgments, got a directory" in done.err


@pytest.mark.parametrize(
    "words",
    [
        ("--pairwise", "FILE", "--by", "system"),
        ("STUDY", "--raters", "exact,includes", "--judge", "judge/x"),
        ("STUDY", "--pairwise-against", "person/a", "--given", "exact"),
    ],
)
def test_an_option_that_does_nothing_is_refused(words: tuple[str, ...], study: Path, file: Path):
    done = run("agree", *({"STUDY": study, "FILE": file}.get(word, word) for word in words))
    assert done.code == 2
    assert f"the option {words[-2]} does nothing" in done.err
