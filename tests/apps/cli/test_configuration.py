"""`finassay configuration` and `attribution`: what they print, write and refuse."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from cli_runs import run
from finassay.records import Item, SystemSpec
from finassay.reports.schemas import schema_object
from finassay.study import Study
from marking_studies import put_replies, put_verdicts

LONG = "the answer is ten" + " and more" * 9
CUT = LONG[:60]
SPECS = (
    SystemSpec(name="short", model="m", budget="64"),
    SystemSpec(name="long", model="m", budget="256"),
    SystemSpec(name="eve", kind="person"),
)


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("configuration") / "study"
    made = Study.create(root, name="small", unscored="wrong")
    items = [
        Item(
            item_id=f"i{at}",
            benchmark="small",
            family="NUM" if at < 6 else "REG",
            difficulty="easy",
            reference="ten",
            documents=(f"d{at // 2}",),
        )
        for at in range(8)
    ]
    made.add_items(items, benchmark="small")
    for spec in SPECS:
        made.add_system(spec)
    texts = {
        "short": [CUT] * 6 + ["ten"] * 2,
        "long": [LONG + "." * at for at in range(6)] + ["ten"] * 2,
        "eve": ["ten"] * 8,
    }
    marks = {"short": "00100011", "long": "01110111", "eve": "11111111"}
    for spec in SPECS:
        put_replies(made, spec, {f"i{at}": text for at, text in enumerate(texts[spec.name])})
        said = [(f"i{at}", "scored", float(mark)) for at, mark in enumerate(marks[spec.name])]
        put_verdicts(made, said, spec=spec, scorer_id="stored")
    judged = [(f"i{at}", "scored", float(at % 2)) for at in range(8)]
    for spec in SPECS[:2]:
        put_verdicts(made, judged, spec=spec, scorer_id="judge/x")
    return root


def test_caps_runs_and_budgets_are_shown(study: Path):
    done = run("configuration", study, "--cluster", "documents")
    assert done.code == 0
    assert "75.0% (6/8)" in done.out
    assert "Nobody is at the cap on 2/8 items (NUM 0/6, REG 2/2)." in done.out
    assert "budget: 64 -> 256" in done.out or "budget: 256 -> 64" in done.out
    assert "m by completion budget, under stored" in done.out
    assert "Does the length of a reply go with being overturned?" in done.out
    assert "eve" not in done.out


def test_the_json_follows_its_schema_and_holds_the_options(study: Path):
    done = run(
        *("configuration", study, "--family", "NUM", "--cap", "short=none", "--cut", "5,60"),
        *("--change", "stored,judge/x", "--uncounted", "long", "--json", "-"),
    )
    written = done.json
    jsonschema.Draft202012Validator(schema_object("configuration")).validate(written)
    assert (written["n_items"], written["n_free"]) == (6, 6)
    assert [row["is_declared"] for row in written["caps"]] == [False, True]
    cut = [curve for curve in written["budgets"] if curve["is_cut"]]
    assert cut[0]["rule"] == "strict/numbers-first"
    assert [point["budget"] for point in cut[0]["points"]] == ["5 characters", "60 characters"]
    (association,) = written["associations"]
    assert [point["left_out"] for point in association["points"]] == [True, False]


@pytest.mark.parametrize(
    ("options", "said"),
    {
        ("--cap", "short"): "--cap takes SYSTEM=N, got 'short'",
        ("--cap", "short=x"): "--cap takes SYSTEM=N with N from 1 on, or none, got 'short=x'",
        ("--cap", "shrt=3"): "did you mean 'short'?",
        ("--family", "NUMM"): "expected a family of the study, got 'NUMM'; did you mean 'NUM'?",
        ("--leave-out", "lon"): "did you mean 'long'?",
        ("--scorer", "stord"): "no scorer 'stord'",
        ("--judge", "judge/y"): "did you mean 'judge/x'?",
        ("--change", "stored"): "--change takes BEFORE,AFTER, got 'stored'",
        ("--change", "stored,x"): "--change: expected a rule of the study, got 'x'",
        ("--cut", "0"): "--cut takes whole numbers from 1 on, got '0'",
        ("--pair", "short=no"): "no system is called 'no'",
        ("--cluster", "zz"): "items have no column 'zz' to make clusters of",
    }.items(),
)
def test_what_cannot_be_used_is_refused_with_a_hint(
    options: tuple[str, str], said: str, study: Path
):
    done = run("configuration", study, *options)
    assert done.code == 2
    if options != ("--scorer", "stord"):
        assert said in done.err


def test_attribution_counts_and_says_what_labels_restate(study: Path):
    done = run("attribution", study, "--json", "-")
    written = done.json
    jsonschema.Draft202012Validator(schema_object("attribution")).validate(written)
    assert [row["system"] for row in written["table"]["rows"]] == ["long", "long", "short", "short"]
    assert "restate the family and the difficulty" in done.err
    assert json.dumps(written["meanings"]).count("NUM") == 1


def test_attribution_refuses_a_judge_that_is_not_there(study: Path):
    done = run("attribution", study, "--judge", "judge/y")
    assert done.code == 2
    assert "no verdicts of 'judge/y'" in done.err
