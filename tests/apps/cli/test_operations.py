"""The command `finassay operations`."""

import json
import re
from pathlib import Path

import jsonschema
import pytest

from cli_runs import Ran, run
from finassay.benchmarks.operations import bundled_shelf
from finassay.marking.scoring import score_study
from finassay.records import Item, SystemSpec
from finassay.reports.schemas import schema_object
from finassay.study import Study
from marking_studies import put_replies, put_verdicts

WIDE = "model,knowledge,match,draft\na,80.0,50.0,10.0\nb,70.5,70.1,20.0\nc,70.0,60.0,—\n"


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "wide.csv"
    path.write_text(WIDE, encoding="utf-8")
    return path


@pytest.fixture
def marked(tmp_path: Path) -> Path:
    """A study of one knowledge family and two operations, three systems, one judge."""
    path = tmp_path / "marked"
    study = Study.create(path, name="marked")
    families = ["know"] * 6 + ["match"] * 6 + ["draft"] * 4
    items = [
        Item(item_id=f"i{at:02d}", family=family, question="?", reference="x")
        for at, family in enumerate(families)
    ]
    study.add_items(items, benchmark="b")
    study.add_scorer("judge/z", "1", name="z", spec="{}", package_version="0")
    marks = {
        "a": "1111111000" + "100100",
        "b": "1100001111" + "111111",
        "c": "0000001010" + "100110",
    }
    for name, letters in marks.items():
        spec = SystemSpec(name=name)
        study.add_system(spec)
        put_replies(study, spec, {item.item_id: "x" for item in items})
        said = [(i.item_id, "scored", float(m)) for i, m in zip(items, letters, strict=True)]
        put_verdicts(study, said, spec=spec, scorer_id="judge/z")
    return path


def checked(ran: Ran, target: Path) -> dict:
    assert ran.code == 0, ran.err
    found = json.loads(target.read_text("utf-8"))
    jsonschema.Draft202012Validator(schema_object("operations")).validate(found)
    return found


def test_one_wide_table_is_read_with_the_columns_that_are_named(table: Path, tmp_path: Path):
    target = tmp_path / "found.json"
    found = checked(run("operations", table, "--json", target), target)
    assert [row["operation"] for row in found["operations"]] == ["match", "draft"]
    assert [row["n_eligible"] for row in found["operations"]] == [3, 2]
    ran = run("operations", table, "--knowledge", "match", "--operation", "draft")
    assert ran.code == 0, ran.err
    assert "For draft take b (20.00; next is a, 10.00 below)" in ran.out.replace("\n  ", " ")


def test_the_cut_and_the_near_pairs_can_be_set(table: Path, tmp_path: Path):
    target = tmp_path / "found.json"
    ran = run("operations", table, "--near", "9.5", "--within", "10", "--json", target)
    found = checked(ran, target)
    assert found["operations"][0]["regret"] == [0.0, 0.0, 0.0]
    assert (found["profiles"]["near"], found["shortlists"]["within"]) == (9.5, 10.0)


def test_a_study_is_read_with_intervals(marked: Path, tmp_path: Path):
    target = tmp_path / "found.json"
    ran = run("operations", marked, "--knowledge", "know", "--draws", "200", "--json", target)
    found = checked(ran, target)
    assert (found["kind"], found["rule"], found["draws"]) == ("study", "judge/z", 200)
    match = found["operations"][0]
    # a is right on 2 of 6, b on 6 of 6: the knowledge leader a forgoes four of six.
    assert match["leaders"] == ["b"]
    assert match["regret"][0] == pytest.approx(400 / 6)
    interval = match["recommendation"]["cost_interval"]
    assert interval["low"] < 400 / 6 < interval["high"]
    assert "a, would cost 66.67 points (95% interval" in ran.out.replace("\n  ", " ")


def test_a_page_with_figures_is_written(marked: Path, tmp_path: Path):
    out = tmp_path / "page"
    words = ("--knowledge", "know", "--draws", "200", "--out", out)
    ran = run("operations", marked, *words)
    assert ran.code == 0, ran.err
    assert sorted(path.name for path in out.iterdir()) == ["operations.html", "operations.md"]
    html = (out / "operations.html").read_text("utf-8")
    assert "<svg" in html
    assert not re.findall(r"""(?:src|href)=["']?https?:""", html)


@pytest.fixture
def under_contract(tmp_path: Path) -> Path:
    """Bundled items of three contracts, one of them text under a rubric, and two systems."""
    path = tmp_path / "contracts"
    study = Study.create(path, name="contracts")
    kept = {"knowledge-finance-law", "legal-outcome", "decision-view"}
    items = [entry.item for entry in bundled_shelf().entries if entry.item.contract_id in kept]
    study.add_items(items, benchmark="finassay-operations")
    for name, reply in {
        "all": {one.item_id: one.reference or "" for one in items},
        "none": {one.item_id: "It depends." for one in items},
    }.items():
        spec = SystemSpec(name=name)
        study.add_system(spec)
        put_replies(study, spec, reply)
    score_study(study, scorers=["contract"])
    return path


def test_a_reader_is_told_which_operations_are_scored_by_coverage(
    under_contract: Path, tmp_path: Path
):
    target, out = tmp_path / "found.json", tmp_path / "page"
    words = ("--knowledge", "knowledge-finance-law", "--draws", "200")
    ran = run("operations", under_contract, *words, "--json", target, "--out", out)
    found = checked(ran, target)
    said = "the scores of decision-view are a baseline of coverage"
    assert [note for note in found["warnings"] if said in note]
    assert said in " ".join(ran.out.split())
    for name in ("operations.html", "operations.md"):
        assert said in " ".join((out / name).read_text("utf-8").replace("\\", "").split())


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("--scorer", "stored"), 2, "--scorer needs verdicts"),
        (("--near", "much"), 2, "--near takes a number of points"),
        (("--knowledge", "match", "--knowledge", "draft"), 2, "names one column of a table"),
        (("--evaluator", "a"), 2, "name them with --judged"),
        (("--knowledge", "wit"), 2, "no number stands in a column 'wit'"),
        (("--draws", "3"), 2, "`draws` must be at least 100"),
    ],
)
def test_what_a_table_cannot_answer_is_refused(
    table: Path, words: tuple[str, ...], code: int, said: str
):
    ran = run("operations", table, *words)
    assert ran.code == code
    assert said in ran.err


def test_a_study_without_named_knowledge_is_refused(marked: Path):
    ran = run("operations", marked)
    assert ran.code == 2
    assert "name families that are knowledge with --knowledge" in ran.err
    assert run("operations", marked, "--judged", "match").code == 2


def test_a_place_that_is_nothing_is_refused(tmp_path: Path):
    ran = run("operations", tmp_path / "gone")
    assert ran.code == 3
    assert "no such file or folder" in ran.err


def test_printed_scores_in_a_study_are_read_as_tables(table: Path, tmp_path: Path):
    study = tmp_path / "printed"
    assert run("study", "create", study).code == 0
    ran = run("import", study, table, "--table", "reported", "--unit", "points")
    assert ran.code == 0, ran.err
    ran = run("operations", study)
    assert ran.code == 0, ran.err
    assert "For match take b (70.10" in ran.out


def test_the_guide_shows_what_the_printed_tables_print():
    guide = (Path(__file__).parents[3] / "docs" / "how-to" / "choose-a-system.md").read_text(
        "utf-8"
    )
    shown = next(part for part in guide.split("```") if "information extraction" in part)
    assert " ".join(shown.split()) in " ".join(run("operations", "finriskatlas").out.split())
