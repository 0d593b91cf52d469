"""The demonstration: real disagreement of real rules, over answers nobody had to generate."""

from __future__ import annotations

import json
import re
import shutil
from html import unescape
from pathlib import Path

import jsonschema
import pytest

from cli_runs import Demo, run
from finassay.integrations.baselines import BASELINES
from finassay.reports.json import schema
from finassay.scorers.registry import load_scorer
from finassay.study import Study
from finassay.study.check import check

pytestmark = pytest.mark.full


@pytest.fixture(scope="session")
def audit(demo: Demo) -> dict:
    return json.loads(demo.json.read_text("utf-8"))


def accuracies(audit: dict) -> dict[str, dict[str, float]]:
    """Return rule -> system -> accuracy, worst case where some are unscored."""
    boards = [audit["leaderboard"], *audit["other_leaderboards"]]
    found = {}
    for board in boards:
        rows = [(row["system"], row["estimate"]) for row in board["rows"]]
        found[board["rule"]] = {name: e["value"] for name, e in rows if e["value"] is not None}
    return found


def test_the_demonstration_ends_well_and_says_what_it_wrote(demo: Demo):
    assert (demo.ran.code, demo.ran.err) == (0, "")
    assert "10 systems, 144 items" in demo.ran.out
    assert str(demo.report / "report.html") in demo.ran.out


def test_the_report_is_whole_and_its_json_follows_the_schema(demo: Demo, audit: dict):
    names = {path.name for path in demo.report.iterdir()}
    assert {"report.html", "report.md", "report.json", "tables"} <= names
    assert list((demo.report / "tables").glob("*.tex"))
    jsonschema.Draft202012Validator(schema("audit")).validate(audit)
    assert json.loads((demo.report / "report.json").read_text("utf-8")) == audit
    assert not [path for path in demo.report.rglob("*") if path.name.endswith(".tmp")]


def test_rules_really_disagree_about_the_same_answers(audit: dict):
    found = accuracies(audit)
    spreads = {}
    for system in {name for scores in found.values() for name in scores}:
        values = [scores[system] for scores in found.values() if system in scores]
        spreads[system] = max(values) - min(values)
    assert max(spreads.values()) >= 0.30


def test_controls_hold_the_accepted_answer(demo: Demo):
    snapshot = Study.open(demo.study).snapshot()
    items = {item.item_id: item for item in snapshot.items()}
    for name in ("control-worked-out", "control-other-wording"):
        frame = snapshot.frame("predictions", system_id=snapshot.resolve_system(name))
        assert frame.height == len(items)
        for item_id, text in frame.select("item_id", "text").rows():
            accepted = (items[item_id].reference or "", *items[item_id].alternatives)
            assert any(answer in text for answer in accepted)


def test_a_published_rule_rejects_more_than_a_tenth_of_right_answers(audit: dict):
    found = accuracies(audit)
    published = [name for name in found if getattr(load_scorer(name), "published", False)]
    assert published
    rejected = {
        (rule, control): 1 - found[rule][control]
        for rule in published
        for control in ("control-worked-out", "control-other-wording")
    }
    assert max(rejected.values()) > 0.10


@pytest.mark.parametrize("suffix", ["html", "md"])
def test_the_report_says_what_every_baseline_does(demo: Demo, suffix: str):
    text = (demo.report / f"report.{suffix}").read_text("utf-8")
    said = " ".join(unescape(re.sub(r"<[^>]+>", " ", text)).replace("\\", "").split())
    assert [b.name for b in BASELINES if b.description not in said] == []


def test_the_study_of_the_demonstration_checks_clean(demo: Demo):
    assert check(Study.open(demo.study)).problems == ()


def test_a_second_demonstration_makes_no_verdict(demo: Demo, tmp_path: Path):
    study = shutil.copytree(demo.study, tmp_path / "study")
    before = dict(Study.open(study).snapshot().versions)
    ran = run("demo", "--study", study, "--out", tmp_path / "r")
    assert ran.code == 0
    assert dict(Study.open(study).snapshot().versions) == before


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--benchmark", "nope"), "no bundled benchmark 'nope'"),
        (("--out", "file"), "--out must be a directory that can be written to, got 'file'"),
    ],
)
def test_a_demonstration_that_cannot_be_made_leaves_no_study(
    words: tuple[str, str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").touch()
    ran = run("demo", *words)
    assert ran.code == 2
    assert message in ran.err
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_two_demonstrations_are_equal_to_the_byte(demo: Demo, tmp_path: Path):
    ran = run("demo", "--study", tmp_path / "study", "--out", tmp_path / "report")
    assert ran.code == 0
    digests = [Study.open(path).snapshot().digests() for path in (demo.study, tmp_path / "study")]
    assert digests[0] == digests[1]
    pages = [
        (root / "report.html").read_text("utf-8").replace(str(root.parent), "ROOT")
        for root in (demo.report, tmp_path / "report")
    ]
    assert re.sub(r" --json ROOT/audit\.json", "", pages[0]) == pages[1]


def test_explain_shows_the_stages_of_the_strict_rules(demo: Demo):
    ran = run("explain", demo.study, "--item", first_item(demo.study), "--system", "verbose")
    assert ran.code == 0
    for rule in ("strict/numbers-first", "strict/fuzzy-first", "strict/as-stated"):
        block = ran.out.split(f"{rule} (version")[1].split("(version")[0]
        assert "because " in block
        assert "token_set_ratio: " in block


def test_explain_without_text_leaks_none_of_the_texts(demo: Demo):
    snapshot = Study.open(demo.study).snapshot()
    items = {item.item_id: item for item in snapshot.items()}
    item_id = first_item(demo.study)
    system_id = snapshot.resolve_system("verbose")
    reply = snapshot.frame("predictions", system_id=system_id, item_id=item_id)["text"][0]
    words = ("explain", demo.study, "--item", item_id, "--system", "verbose", "--no-text")
    shown = run(*words)
    said = shown.out + run(*words, "--json", "-").out
    assert shown.code == 0
    for text in (items[item_id].question, items[item_id].context, reply):
        assert text[:40] not in said
        assert text[:40].lower() not in said
    assert items[item_id].reference not in said


def first_item(study: Path) -> str:
    """Return the first item whose reference is long enough to be looked for."""
    items = Study.open(study).snapshot().items()
    return min(item.item_id for item in items if len(item.reference or "") > 12)
