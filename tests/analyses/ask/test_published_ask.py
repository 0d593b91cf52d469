"""Every number that arXiv 2608.25325 prints about FinRisk-Ask, from its own Table 11."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from finassay.analyses.ask.report import AskSettings, report_of_table
from finassay.analyses.kernels.correlation import spearman
from finassay.analyses.results_ask import AskReport, AskRow
from finassay.benchmarks.reported import load_reported
from finassay.reports.ask_workflow import ask_table_report, known_evaluators, published_table
from finassay.runs.importers.ask_tables import read_ask_table
from real_data import data_root

EVALUATOR = "DeepSeek-V4-Flash"


@pytest.fixture(scope="module")
def report() -> AskReport:
    return report_of_table(published_table(), AskSettings())


def row(report: AskReport, system: str) -> AskRow:
    return next(one for one in report.rows if one.system == system)


def percent(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.2f}"


def test_33_systems_are_shown_and_32_compared(report: AskReport):
    # Section 4.1: the evaluator is left out of comparisons.
    assert sum(not one.is_policy for one in report.rows) == 33
    assert len(report.compared) == 32
    assert EVALUATOR not in report.compared
    assert row(report, EVALUATOR).is_evaluator


def test_the_digits_alone_tell_583_ask_and_97_proceed_states(report: AskReport):
    # Section 3.4: "680 states ... 583 recorded Ask states and 97 recorded Proceed states".
    assert report.printed is not None
    assert (report.n_ask, report.n_proceed) == (583, 97)
    assert report.printed.counts_from == "found"


def test_the_reference_policies_print_as_in_table_11(report: AskReport):
    ask, never = row(report, "Always-Ask").scores, row(report, "Always-Proceed").scores
    assert [percent(v) for v in (ask.bacc, ask.ask_recall, ask.proceed_recall, ask.raa)] == [
        "50.00",
        "100.00",
        "0.00",
        "85.74",
    ]
    assert [percent(v) for v in (never.bacc, never.raa)] == ["50.00", "14.26"]
    for scores in (ask, never):
        assert (scores.era, scores.cra, scores.deh, scores.reh) == (None, None, None, None)


def test_near_pairs_differ_by_up_to_28_31_points_of_era(report: AskReport):
    # Section 4.4 and figure 4(a): 28.31 at a BAcc difference of 0.07.
    found = report.near_pairs.largest
    assert found is not None
    assert (found.high, found.low) == ("Kimi-K3", "Qwen3-8B")
    assert (percent(found.era_difference), percent(found.bacc_difference)) == ("28.31", "0.07")


def test_the_leaders_are_those_of_the_text(report: AskReport):
    # Section 4.4: Ling-2.6-1T by ERA, Qwen3.7-Max by CRA; figure 4(b) and (a): second places.
    ranks = {one.system: one for one in report.ranks}
    assert ranks["Ling-2.6-1T"].era == 1
    assert (ranks["Qwen3.7-Max"].cra, ranks["Kimi-K3"].cra) == (1, 2)
    assert (ranks["Kimi-K3"].bacc, ranks["Qwen3-8B"].bacc) == (1, 2)
    ling, qwen = row(report, "Ling-2.6-1T").scores, row(report, "Qwen3.7-Max").scores
    assert [percent(v) for v in (ling.ask_recall, ling.cra)] == ["96.57", "82.58"]
    assert [percent(v) for v in (qwen.cra, qwen.ask_recall, qwen.era)] == [
        "87.67",
        "57.80",
        "50.68",
    ]
    assert percent(row(report, "Kimi-K3").scores.era) == "77.10"
    assert percent(row(report, "Claude-Opus-4.7").scores.era) == "75.98"


def test_the_recalls_are_as_far_apart_as_the_text_says(report: AskReport):
    # Section 4.4: AskR exceeds ProceedR for all 32; median gap 46.26; 24 gaps above 20.
    told = report.asymmetry
    assert (told.n, told.n_ask_higher, told.n_above) == (32, 32, 24)
    assert percent(told.median_gap) == "46.26"


def test_the_rank_displacements_are_those_of_figure_6(report: AskReport):
    ranks = {one.system: (one.bacc, one.era) for one in report.ranks}
    assert {
        name: ranks[name]
        for name in ("Ling-2.6-1T", "GPT-5.6-Luna", "Kimi-K3", "Claude-Opus-4.7", "Qwen3-8B")
    } == {
        "Ling-2.6-1T": (18, 1),
        "GPT-5.6-Luna": (13, 2),
        "Kimi-K3": (1, 3),
        "Claude-Opus-4.7": (5, 4),
        "Qwen3-8B": (2, 22),
    }


@pytest.mark.parametrize(
    ("operation", "metric", "printed"),
    [
        ("legal_judgment_generation", "CRA", "0.78"),
        ("legal_judgment_generation", "BAcc", "0.14"),
        ("decision_view_generation", "CRA", "0.79"),
        ("decision_view_generation", "BAcc", "0.07"),
    ],
)
def test_operations_go_with_request_targeting_as_section_d_says(
    report: AskReport, operation: str, metric: str, printed: str
):
    cells = {(s.row, s.column): s.value for s in load_reported("finrisk-ask")}
    x = np.array([cells[name, operation] for name in report.compared])
    y = np.array([cells[name, metric] for name in report.compared])
    rho, _, _ = spearman(x, y)
    assert rho is not None
    assert f"{rho:.2f}" == printed


def test_the_identities_hold_within_a_hundredth(report: AskReport):
    assert report.printed is not None
    assert len(report.printed.identities) == 4
    for check in report.printed.identities:
        assert (check.n, check.n_within, check.broken) == (33, 33, ())


def test_some_columns_were_rounded_and_others_cut(report: AskReport):
    # Not in the paper: told from the digits.
    assert report.printed is not None
    by_metric = {column.metric: column for column in report.printed.columns}
    for metric in ("BAcc", "AskR", "ProceedR", "RAA"):
        assert by_metric[metric].printing == "rounded"
    assert by_metric["DEH"].printing == "cut"
    assert by_metric["ERA"].n_cut == 31
    assert by_metric["ERA"].apart == ("Dianjin-R1-7B", "FinR1-7B")
    assert by_metric["REH"].apart == ("FinR1-7B",)
    assert by_metric["CRA"].printing == "neither"
    assert (report.printed.n_cra, report.printed.n_cra_from_era) == (33, 33)


def test_stated_sizes_give_the_same_report(report: AskReport):
    stated = report_of_table(published_table(), AskSettings(sizes=(583, 97)))
    assert stated.printed is not None
    assert report.printed is not None
    assert replace(stated.printed, counts_from="found") == report.printed


@pytest.mark.data
def test_the_released_table_is_the_one_that_is_printed():
    folder = data_root() / "finriskatlas"
    released = read_ask_table(folder / "finrisk_ask.csv")
    printed = {one.system: one.cells for one in published_table().rows}
    assert len(released.rows) == 33
    assert all(printed[one.system] == one.cells for one in released.rows)
    assert known_evaluators(released) == (EVALUATOR,)


@pytest.mark.data
def test_a_folder_with_the_table_gives_the_facts(report: AskReport):
    found = ask_table_report(data_root() / "finriskatlas", AskSettings())
    assert found.near_pairs == report.near_pairs
    assert found.asymmetry == report.asymmetry
    assert found.compared == report.compared
    assert any(EVALUATOR in warning for warning in found.warnings)
