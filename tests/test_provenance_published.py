"""What provenance finds by itself in published files, against figures that the sources print."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

import jsonschema
import pytest

import flare_logs
import published_logs as logs
from cli_runs import run
from finassay.analyses.categories import error_categories
from finassay.analyses.estimates import Settings
from finassay.reports.schemas import schema_object
from finassay.study import Study
from printed_tables import DISAGREEMENTS, TABLE_6
from real_data import data_root

pytestmark = [pytest.mark.data, pytest.mark.full]

ODD = "gemini25_pro"
COMMON, OWN = "strict/numbers-first", "strict/fuzzy-first"


@dataclass(frozen=True)
class Traced:
    """The audit of the release as JSON, and what was printed."""

    json: dict
    out: str

    def of(self, kind: str) -> list[dict]:
        return [finding for finding in self.json["findings"] if finding["kind"] == kind]

    def only(self, kind: str) -> dict:
        (finding,) = self.of(kind)
        return finding


@pytest.fixture(scope="session")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("provenance") / "study"
    fetched = run("fetch", "indiafinbench", "--from", logs.folder(), "--study", path)
    assert fetched.code == 0, fetched.err
    return path


@pytest.fixture(scope="session")
def traced(study: Path) -> Traced:
    target = study.with_name("provenance.json")
    tables = [
        data_root() / "finriskatlas" / f"operations_{kind}.csv" for kind in ("structured", "judged")
    ]
    given = [word for path in tables for word in ("--table", path)]
    for name in (flare_logs.GPT4_FRAUD, flare_logs.LLAMA, flare_logs.GPT4_GERMAN):
        given += ["--log", flare_logs.path_of(name)]
    done = run("provenance", study, *given, "--json", target)
    assert done.code == 0, done.err
    return Traced(json.loads(target.read_text("utf-8")), done.out)


def test_the_result_follows_its_schema(traced: Traced):
    jsonschema.Draft202012Validator(schema_object("provenance")).validate(traced.json)


def test_nothing_was_marked_into_the_study(study: Path, traced: Traced):
    held = Study.open(study).snapshot().frame("verdicts")["scorer_id"].unique().to_list()
    assert COMMON in traced.json["candidates"]
    assert not set(held) & set(traced.json["candidates"])


def test_one_system_follows_the_other_script_and_only_that_one(traced: Traced):
    finding = traced.only("mixed_rule")
    assert (finding["systems"], finding["severity"]) == ([ODD], "high")
    assert finding["n_witnesses"] == 43
    for rule in (COMMON, OWN):
        assert rule in finding["evidence"]
    assert traced.json["rules"]["odd"] == [ODD]
    assert traced.json["rules"]["common_rule"] == COMMON


def test_mismatches_with_both_rules_are_those_counted_elsewhere(traced: Traced):
    found = {(d["system"], d["scorer"]): d["mismatches"] for d in traced.json["rules"]["distances"]}
    for name, counts in DISAGREEMENTS.items():
        assert (found[name, COMMON], found[name, OWN]) == counts


def boards(traced: Traced) -> dict[str, dict[str, tuple[int, int]]]:
    """Return board -> system -> (rank, right)."""
    return {
        board["name"]: {row["system"]: (row["rank"], row["right"]) for row in board["rows"]}
        for board in traced.json["rules"]["boards"]
    }


def test_the_row_is_second_marked_alone_and_joint_first_marked_with_all(traced: Traced):
    stored, alone, together = boards(traced).values()
    assert (stored["gemini"], stored[ODD]) == ((1, 364), (9, 309))
    assert (alone["gemini"], alone[ODD]) == ((1, 364), (2, 350))
    assert (together["gemini"], together[ODD]) == ((1, 350), (1, 350))


def test_the_correlation_with_the_judge_turns_from_negative_to_positive(traced: Traced):
    found = [board["with_judge"] for board in traced.json["rules"]["boards"]]
    assert {c["n"] for c in found} == {11}
    assert round(found[0]["spearman"], 4) == -0.2779
    assert round(found[0]["kendall"], 4) == -0.1835
    assert found[0]["spearman"] < 0 < found[1]["spearman"] < found[2]["spearman"]


def test_the_judge_board_is_the_printed_one(traced: Traced):
    printed = {
        name: row[2]
        for name, row in zip(
            logs.ELEVEN, [r for n, r in TABLE_6.items() if n != "Gemma 3 4B"], strict=True
        )
    }
    judged = traced.json["rules"]["boards"][0]["judged"]
    assert {r["system"]: f"{100 * r['right'] / r['n']:.2f}" for r in judged} == {
        name: f"{float(text):.2f}" for name, text in printed.items()
    }


@pytest.mark.parametrize("table", ["Table 4", "Table 6"])
def test_printed_totals_alone_name_the_same_row(table: str, traced: Traced):
    (found,) = (f for f in traced.of("mixed_rule_totals") if f"{table}," in f["evidence"])
    assert found["systems"] == ["Gemini 2.5 Pro"]
    assert f"0 answers from those of {OWN} and 41 from those of {COMMON}" in found["evidence"]


def test_no_other_printed_table_has_an_odd_row(traced: Traced):
    assert len(traced.of("mixed_rule_totals")) == 2
    judged = [t for t in traced.json["totals"] if "judge" in t["parts"][0]]
    assert judged
    assert {t["common_rule"] for t in judged} == {None}


CAPS = {
    **dict.fromkeys(("gemini", "groq70b", "llama3", "mistral", "haiku"), 200),
    "gemini25_pro": 500,
}


def test_replies_are_cut_at_the_caps_of_their_files(traced: Traced):
    caps = {p["system"]: p["length"] for p in traced.json["piles"] if p["what"] == "reply"}
    assert caps == {name: CAPS.get(name, 300) for name in (*logs.TWELVE, "haiku")}
    for p in traced.json["piles"]:
        if p["what"] == "reply":
            assert p["n_at"] == logs.lengths(p["system"]).count(p["length"])


def test_references_and_questions_are_cut_where_the_files_cut_them(traced: Traced):
    found = {
        (p["system"], p["what"]): (p["length"], p["n_at"])
        for p in traced.json["piles"]
        if p["what"] != "reply"
    }
    for name in (*logs.TWELVE, "haiku"):
        table = logs.rows(logs.folder() / "predictions" / f"{name}.csv")
        whole = {item.item_id: item.reference for item in logs.items()}
        cut = [
            len(r["ref_answer"])
            for r in table
            if whole[r["id"]] != r["ref_answer"] and whole[r["id"]].startswith(r["ref_answer"])
        ]
        expected = (max(set(cut)), len(cut)) if cut else None
        assert found.get((name, "reference")) == expected, name
    assert {found[n, "question"][0] for n in logs.TWELVE if n != ODD} == {80}
    assert found[ODD, "question"][0] == 200
    assert {found[n, "reference"][0] for n in logs.TWELVE if (n, "reference") in found} == {
        100,
        150,
    }


def test_failed_calls_are_the_rows_that_begin_with_fail(traced: Traced):
    expected = {
        row["id"]
        for name in logs.TWELVE
        for row in logs.rows(logs.folder() / "predictions" / f"{name}.csv")
        if row["prediction"].startswith("FAIL:")
    }
    assert set(traced.only("error_replies")["witnesses"]) == expected != set()


def test_the_judge_credits_ten_blank_replies(traced: Traced):
    credited = {
        (system, item): logs.judged_cells().get((item, system))
        for system in logs.ELEVEN
        for item in logs.empty_replies(system)
        if (item, system) in logs.judged_cells()
    }
    right = {key for key, value in credited.items() if value == 1.0}
    finding = traced.only("empty_credited")
    assert finding["title"].startswith("judge/phi4-mini")
    measures = {m["name"]: m["value"] for m in finding["measures"]}
    assert measures["credited"] == len(right) == 10
    assert set(finding["witnesses"]) == {item for _, item in right}
    assert set(finding["systems"]) == {system for system, _ in right}


def test_printed_numbers_that_no_count_gives_are_named(traced: Traced):
    finding = traced.only("impossible_number")
    assert finding["n_witnesses"] == 1
    assert finding["witnesses"][0].startswith("Model-based, REG: 85.7 of 53")
    assert traced.only("total_mismatch")["systems"] == ["Model-based"]


def test_three_rows_of_the_risk_review_tables_are_whole_in_all_eleven_operations(traced: Traced):
    finding = traced.only("rounding_grid")
    assert set(finding["systems"]) == {"Dianjin-R1-7B", "FinR1-7B", "Ling-2.6-Flash"}
    assert "8 of 8 numbers are whole" in finding["evidence"]
    assert "operations_judged.csv too, all 3 numbers" in finding["evidence"]


def test_seven_rows_of_one_label_log_contradict_themselves(traced: Traced):
    (finding,) = (f for f in traced.of("contradiction") if flare_logs.GPT4_FRAUD in f["systems"])
    assert finding["n_witnesses"] == 7
    assert "7 right although no label was found" in finding["evidence"]


def test_only_one_log_gives_its_card_order_away(traced: Traced):
    finding = traced.only("card_order")
    assert finding["systems"] == [flare_logs.LLAMA]
    assert finding["evidence"].startswith("no, yes: 2000 of 2000 marks come out as logged")


def test_printed_ranks_that_are_dense_are_named(traced: Traced):
    titles = {finding["title"] for finding in traced.of("printed_ranks")}
    assert titles == {
        "Printed ranks of judge-only are not competition ranks",
        "Printed ranks of judge-augmented are not competition ranks",
    }


def test_what_is_not_there_is_not_found(traced: Traced):
    """No file is a copy, no item stands twice, and the judge does not pay for length."""
    absent = ("copied_system", "duplicate_items", "constant_predictor", "length_favour")
    assert not [f for kind in absent for f in traced.of(kind)]
    (judge,) = (f for f in traced.json["length"] if f["scorer"] == "judge/phi4-mini")
    # section 5 of the source: length does not survive adjustment for task and model
    assert judge["p_within"] > 0.05


def test_nine_files_leave_190_open_items_without_a_reply_at_its_cap(traced: Traced):
    """Appendix F.6 counts 190; two of the eleven files here are older, and cut at 200."""
    caps = {p["system"]: p["length"] for p in traced.json["piles"] if p["what"] == "reply"}
    nine = [name for name in logs.ELEVEN if name not in ("llama3", "mistral")]
    open_items = [item.item_id for item in logs.items() if item.family != "CON"]

    def free(systems: tuple[str, ...] | list[str]) -> int:
        at_cap = {
            row["id"]
            for name in systems
            for row in logs.rows(logs.folder() / "predictions" / f"{name}.csv")
            if len(row["prediction"]) == caps[name]
        }
        return sum(item not in at_cap for item in open_items)

    assert (free(nine), free(logs.ELEVEN), free(logs.TWELVE)) == (190, 163, 161)


def test_a_copied_file_of_the_release_is_found(tmp_path: Path):
    study = tmp_path / "study"
    folder = logs.folder()
    copy = tmp_path / "renamed.csv"
    copy.write_text((folder / "predictions" / "kimi_k2.csv").read_text("utf-8"), "utf-8")
    paths = [folder / "predictions" / f"{name}.csv" for name in ("kimi_k2", "llama3", "mistral")]
    read = run("import", study, *paths, copy, "--items", folder / "items.json")
    assert read.code == 0, read.err
    done = run("provenance", study, "--scorer", "strict/numbers-first", "--json", "-")
    found = [f for f in done.json["findings"] if f["kind"] == "copied_system"]
    assert [f["systems"] for f in found] == [["kimi_k2", "renamed"]]


PAGE = Path(__file__).parents[1] / "docs" / "how-to" / "re-audit-a-published-leaderboard.md"


def test_the_how_to_prints_what_the_command_prints(traced: Traced):
    blocks = re.findall(r"```text\n(.*?)```", PAGE.read_text("utf-8"), flags=re.DOTALL)
    shown = [line for block in blocks for line in block.splitlines()]
    printed = set(traced.out.splitlines())
    assert len(shown) > 30
    assert [line for line in shown if line not in printed] == []


def test_the_how_to_repeats_table_9_of_the_source():
    """Table 9, appendix B.1: strict and residual errors of the systems with files."""
    printed = {
        "gemini": ((12, 14, 13, 3, 42), (4, 2, 7, 1, 14)),
        "qwen3_32b": ((25, 21, 10, 3, 59), (1, 3, 6, 1, 11)),
        "groq70b": ((25, 23, 17, 1, 66), (0, 2, 5, 1, 8)),
        "deepseek_r1_70b": ((51, 28, 19, 3, 101), (2, 1, 5, 0, 8)),
    }
    kept = logs.stored()
    found = error_categories(
        kept.select(columns=list(printed)),
        items=logs.items(),
        names=("stored", "judge"),
        settings=Settings(policy="wrong"),
        judge=logs.judge(),
    )
    rows = {}
    for row in found.rows:
        rows.setdefault(row.system, []).append((*(n for _, n in row.counts), row.total))
    assert {name: tuple(both) for name, both in rows.items()} == printed
    text = PAGE.read_text("utf-8")
    for name, both in printed.items():
        for kind, counts in zip(("strict", "residual"), both, strict=True):
            assert f"| {name} | {kind} | {' | '.join(map(str, counts))} |" in text
