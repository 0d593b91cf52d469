"""From the published files of IndiaFinBench to the printed figures, by two commands."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import jsonschema
import numpy as np
import pytest

import published_logs as logs
from cli_runs import run
from finassay.analyses.concordance import concordance
from finassay.analyses.estimates import Settings
from finassay.analyses.kernels.concordance import kendall_w
from finassay.analyses.kernels.correlation import kendall, spearman
from finassay.marking.view import view_study
from finassay.reports.json import schema
from finassay.study import Study
from printed_tables import DISAGREEMENTS, TABLE_5, TABLE_6

pytestmark = [pytest.mark.data, pytest.mark.full]

TOTALS = (364, 347, 340, 338, 331, 317, 313, 312, 309, 308, 305)
PRINTED = [row for name, row in TABLE_6.items() if name != "Gemma 3 4B"]
REGIMES = ("strict", "judge-only", "judge-augmented")


@dataclass(frozen=True)
class Release:
    """The study of the release, and its audit as JSON."""

    study: Path
    report: Path
    audit: dict
    out: str


@pytest.fixture(scope="session")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    root = tmp_path_factory.mktemp("release")
    study, report, target = root / "study", root / "report", root / "audit.json"
    fetched = run("fetch", "indiafinbench", "--from", logs.folder(), "--study", study)
    assert fetched.code == 0, fetched.err
    ran = run("audit", study, "--json", target, "--out", report)
    assert ran.code == 0, ran.err
    return Release(study, report, json.loads(target.read_text("utf-8")), ran.out)


def test_the_audit_follows_its_schema(release: Release):
    jsonschema.Draft202012Validator(schema("audit")).validate(release.audit)


def test_stored_totals_are_those_of_the_release(release: Release):
    rows = {row["system"]: row["estimate"] for row in release.audit["leaderboard"]["rows"]}
    assert release.audit["primary"] == "stored"
    assert tuple(rows[name]["total"] for name in logs.ELEVEN) == TOTALS
    assert {rows[name]["n"] for name in logs.ELEVEN} == {406}


def test_both_strict_rules_differ_from_the_stored_verdicts_as_counted(release: Release):
    found = {}
    for entry in release.audit["agreement"]["distances"]:
        found[entry["system"], entry["scorer"]] = entry["mismatches"]
    for name, counts in DISAGREEMENTS.items():
        rules = ("strict/numbers-first", "strict/fuzzy-first")
        assert tuple(found[name, rule] for rule in rules) == counts, name


def test_one_file_follows_another_rule_and_only_that_one(release: Release):
    agreement = release.audit["agreement"]
    assert agreement["common_rule"] == "strict/numbers-first"
    assert agreement["outliers"] == ["gemini25_pro"]
    told = [f for f in release.audit["findings"] if "follow another rule" in f["title"]]
    assert [finding["severity"] for finding in told] == ["high"]
    assert "closest to strict/fuzzy-first with 0 mismatches" in told[0]["evidence"]
    assert "gemini25_pro" in release.out


def regime_scores(release: Release) -> dict[str, dict[str, float]]:
    regimes = release.audit["regimes"]["regimes"]
    return {r["regime"]: {s["system"]: s["score"] for s in r["scores"]} for r in regimes}


def test_every_accuracy_of_table_6_is_reproduced(release: Release):
    found = regime_scores(release)
    for at, regime in enumerate(REGIMES):
        for name, printed in zip(logs.ELEVEN, PRINTED, strict=True):
            assert round(100 * found[regime][name], 2) == float(printed[2 * at]), (regime, name)


def test_every_rate_of_table_5_is_reproduced(release: Release):
    rows = {row["system"]: row for row in release.audit["overturns"]["rows"]}
    assert sorted(rows) == sorted(TABLE_5)
    for name, (overturn, rejection, augmented) in TABLE_5.items():
        row = rows[name]
        assert round(100 * row["overturned"]["rate"], 1) == overturn
        assert round(100 * row["rejected"]["rate"], 1) == rejection
        # the source rounds its own two digits once more
        assert round(round(100 * row["augmented"]["rate"], 2), 1) == augmented


def test_strict_and_judge_only_do_not_correlate(release: Release):
    pairs = {
        frozenset((c["left"], c["right"])): c for c in release.audit["regimes"]["correlations"]
    }
    found = pairs[frozenset(("strict", "judge-only"))]
    assert found["n"] == 11
    assert round(found["spearman"], 4) == -0.2779
    assert round(found["spearman_p"], 3) == 0.408
    assert round(found["kendall"], 4) == -0.1835


def test_the_system_without_predictions_stands_apart_as_reported(release: Release):
    boards = release.audit["regime_leaderboards"]
    found = {
        board["rule"]: (row["correct"], row["n"], round(100 * row["value"], 2))
        for board in boards
        for row in board["reported"]
        if row["system"] == "gemma3_4b"
    }
    assert found == {
        "strict": (320, 406, 78.82),
        "judge-only": (354, 406, 87.19),
        "judge-augmented": (382, 406, 94.09),
    }
    assert not [r for board in boards for r in board["rows"] if r["system"] == "gemma3_4b"]


def test_its_overturns_are_shown_as_reported_and_not_pooled(release: Release):
    table = release.audit["overturns"]
    (row,) = table["reported"]
    assert row["system"] == "gemma3_4b"
    assert (row["overturned"]["k"], row["overturned"]["n"]) == (62, 73)
    assert round(100 * row["overturned"]["rate"], 1) == 84.9
    assert round(100 * row["rejected"]["rate"], 1) == 10.3
    assert table["pooled"]["n_shared"] == 11 * 344
    assert "gemma3_4b (as reported)" in (release.report / "report.html").read_text("utf-8")


def test_the_printed_ranks_of_table_6_are_dense(release: Release):
    found = [r for r in release.audit["recognition"] if "Table 6" in r["source"]]
    assert len(found) == 3
    # the strict column has no ties, so that every convention gives its ranks
    assert sorted(tuple(r["reproduces"]) == ("dense",) for r in found) == [False, True, True]
    assert all("dense" in r["reproduces"] for r in found)


def test_every_item_separates_as_many_pairs_as_counted(release: Release):
    coverage = release.audit["coverage"]
    assert len(coverage["zero_information"]) == 134
    assert (coverage["all_right"], coverage["none_right"]) == (129, 5)
    assert [band["items"] for band in coverage["bands"]] == [134, 75, 137, 60]
    assert round(coverage["mean_disagreement"], 4) == 0.2398


def test_the_two_gpt_oss_models_share_most_errors(release: Release):
    highest = release.audit["overlap"]["highest"]
    assert {highest["left"], highest["right"]} == {"gpt_oss_120b", "gpt_oss_20b"}
    assert round(highest["jaccard"], 3) == 0.427


def test_documents_form_27_clusters(release: Release):
    documents = release.audit["documents"]
    assert len(documents["per_document"]) == 34
    assert len(documents["clusters"]) == 27


def test_replies_are_cut_where_the_files_cut_them(release: Release):
    caps = {row["system"]: row["longest"] for row in release.audit["truncation"]["rows"]}
    suspected = set(release.audit["truncation"]["suspected"])
    assert set(logs.TWELVE) <= suspected
    assert {
        name: caps[name] for name in ("gemini", "groq70b", "llama3", "mistral")
    } == dict.fromkeys(("gemini", "groq70b", "llama3", "mistral"), 200)
    assert caps["gemini25_pro"] == 500
    assert caps["deepseek_r1_70b"] == 300


def test_the_annotator_scores_as_printed_under_the_strict_rule(release: Release):
    boards = {board["rule"]: board for board in release.audit["other_leaderboards"]}
    (person,) = boards["strict/numbers-first"]["persons"]
    assert person["person"] == "second_annotator"
    assert (person["estimate"]["total"], person["estimate"]["n"]) == (48, 60)
    counts = {name: (given["total"], given["n"]) for name, given in person["per_family"]}
    assert counts == {"REG": (11, 11), "TMP": (14, 16), "CON": (14, 17), "NUM": (9, 16)}


def test_concordance_of_the_families_is_that_of_the_measured_systems(release: Release):
    found = release.audit["concordance"]
    assert (found["raters_are"], found["objects_are"]) == ("systems", "families")
    assert round(found["w"], 3) == 0.853


def test_concordance_of_the_eleven_is_higher_than_that_of_the_twelve(release: Release):
    view = view_study(Study.open(release.study).snapshot())
    found = concordance(
        view.matrices["stored"],
        items=view.items,
        rule="stored",
        raters="systems",
        settings=Settings(policy="wrong"),
        systems=logs.ELEVEN,
    )
    assert round(found.w, 3) == 0.868


def printed(release: Release, table: str) -> dict[str, dict[str, float]]:
    """Return column -> row -> value of a printed table, as the study keeps it."""
    found: dict[str, dict[str, float]] = {}
    for score in view_study(Study.open(release.study).snapshot()).reported:
        if score.table == table:
            found.setdefault(score.column, {})[score.row] = score.value
    return found


def test_the_printed_table_6_correlates_as_printed(release: Release):
    columns = printed(release, "Table 6")
    strict, judged = columns["strict"], columns["judge-only"]
    assert len(strict) == 12
    left = np.array([strict[row] for row in strict])
    right = np.array([judged[row] for row in strict])
    assert round(spearman(left, right)[0], 3) == -0.273
    assert round(kendall(left, right)[0], 3) == -0.168


def test_the_printed_table_4_gives_the_printed_concordance(release: Release):
    columns = printed(release, "Table 4")
    families = [columns[name] for name in ("REG", "NUM", "CON", "TMP")]
    rows = sorted(set(families[0]) - {"Average"})
    assert len(rows) == 12
    scores = np.array([[family[row] for family in families] for row in rows])
    assert round(kendall_w(scores)[0], 3) == 0.853


def test_a_second_audit_makes_no_verdict_and_the_study_is_clean(release: Release):
    ran = run("score", release.study, "--json", "-")
    assert (ran.json["marking"]["marked"], ran.json["regimes"]["marked"]) == (0, 0)
    assert run("study", "check", release.study).code == 0


def test_explain_tells_imported_and_regime_verdicts_from_rules(release: Release):
    ran = run("explain", release.study, "--item", "REG_001", "--system", "gemini25_pro")
    assert ran.code == 0
    for name in ("stored", "judge/phi4-mini", "regime/judge-only", "strict/fuzzy-first"):
        assert f"{name} (version" in ran.out


def test_fetching_again_changes_nothing(release: Release):
    before = Study.open(release.study).snapshot().digests()
    ran = run("fetch", "indiafinbench", "--from", logs.folder(), "--study", release.study)
    assert ran.code == 0
    assert Study.open(release.study).snapshot().digests() == before
