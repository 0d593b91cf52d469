"""Arms of one measurement as printed: Table 11 of arXiv 2604.19298, appendix F.2."""

import jsonschema
import pytest

from cli_runs import run
from finassay.analyses.reported_arms import reported_arms
from finassay.analyses.results_arms import ArmsReport
from finassay.benchmarks.reported import load_reported
from finassay.errors import UnknownNameError, UsageError
from finassay.records import ReportedScore
from finassay.reports.schemas import schema_object

ARMS = ("exact judge-only", "0.1% judge-only", "1% judge-only")


@pytest.fixture(scope="module")
def printed() -> ArmsReport:
    return reported_arms(load_reported("indiafinbench"), table="Table 11", base="Table 6:strict")


def test_the_correlations_with_strict_are_those_printed(printed: ArmsReport):
    # appendix F.2 prints rho of -0.32, -0.13 and -0.27 at exact, 0.1% and 1%, all with p over 0.3
    assert tuple(arm.arm for arm in printed.arms) == ARMS
    assert [round(arm.with_base.spearman, 2) for arm in printed.arms] == [-0.32, -0.13, -0.27]
    assert all(arm.with_base.spearman_p > 0.3 for arm in printed.arms)
    assert [arm.with_base.n for arm in printed.arms] == [12, 12, 12]


def test_the_spreads_are_those_printed(printed: ArmsReport):
    # "the judge-only spread stays within a similar 7.6-9.1 point band"
    spreads = [round(100 * arm.spread, 1) for arm in printed.arms]
    assert (min(spreads), max(spreads)) == (7.6, 9.1)


def test_the_printed_ranks_are_dense_and_ours(printed: ArmsReport):
    # table 6 says "competition ranks"; table 11 says nothing
    assert all(arm.printed_ranks == ("dense",) for arm in printed.arms)
    assert all(row.printed == row.ranks for row in printed.rows)


def test_systems_move_as_far_as_the_text_says_under_dense_ranks(printed: ArmsReport):
    # "seven of twelve models move 4 or more ranks", "LLaMA-3.3-70B (rank 3 to 10, 7 positions) and
    # GPT-OSS 20B (rank 1 to 6, 5 positions)"; DeepSeek-R1-Distill 2 to 4 to 7
    rows = {row.system: row for row in printed.rows}
    assert rows["LLaMA-3.3-70B"].ranks == (3, 5, 10)
    assert rows["GPT-OSS 20B"].ranks == (1, 1, 6)
    assert rows["DeepSeek-R1-Distill"].ranks == (2, 4, 7)
    assert sum(row.move >= 4 for row in printed.rows) == 7
    # not said there: DeepSeek-R1-Distill moves as far as GPT-OSS 20B
    assert rows["DeepSeek-R1-Distill"].move == rows["GPT-OSS 20B"].move == 5


def test_how_many_move_four_ranks_depends_on_the_convention(printed: ArmsReport):
    (whole,) = [m for m in printed.moves if len(m.regimes) == 3 and m.at_least == 4]
    assert dict(whole.counts) == {"competition": 5, "dense": 7, "average": 3, "ordinal": 4}
    under = reported_arms(
        load_reported("indiafinbench"),
        table="Table 11",
        base="Table 6:strict",
        rank_convention="competition",
    )
    moved = {row.system: row.ranks for row in under.rows}
    assert moved["LLaMA-3.3-70B"] == (7, 7, 11)


def test_claims_say_in_which_arms_they_hold(printed: ArmsReport):
    claims = {claim.text: claim for claim in printed.claims}
    assert claims["Gemini 2.5 Pro leads"].holds == ARMS[2:]
    assert claims["GPT-OSS 20B leads"].holds == ARMS[:1]
    assert claims["Kimi K2 and GPT-OSS 20B share the lead"].holds == ARMS[1:2]
    assert claims["Gemma 3 4B is last"].fails == ()
    assert claims["the order correlates positively with the base column"].holds == ()
    assert claims["its rank correlation with the base column differs from zero at 0.05"].holds == ()
    assert claims["LLaMA-3.3-70B is among the first 3 (dense ranks)"].holds == ARMS[:1]
    depends = [claim.depends for claim in printed.claims]
    assert depends == sorted(depends, reverse=True)
    assert printed.n_held + printed.n_tied + printed.n_turned == printed.n_pairs == 66


def score(row: str, column: str, value: float) -> ReportedScore:
    return ReportedScore(source="s", table="T", row=row, column=column, value=value)


def test_pairs_are_held_tied_or_turned():
    rows = {"a": (0.9, 0.9), "b": (0.8, 0.9), "c": (0.7, 0.95)}
    made = [score(row, f"arm {at}", v) for row, vs in rows.items() for at, v in enumerate(vs)]
    found = reported_arms([*made, score("a", "base", 0.5)][:-1], table="T", base="T:arm 0")
    # a over b ties in the second arm; c passes both
    assert (found.n_held, found.n_tied, found.n_turned) == (0, 1, 2)


def test_what_is_not_there_is_said():
    made = [score("a", "arm", 0.5), score("b", "arm", 0.4)]
    with pytest.raises(UnknownNameError, match="no reported scores of 'Table 1'"):
        reported_arms(made, table="Table 1", base="T:arm")
    with pytest.raises(UsageError, match="at least two columns"):
        reported_arms(made, table="T", base="T:arm")
    two = [*made, score("a", "other", 0.5)]
    with pytest.raises(UsageError, match="must print the same rows"):
        reported_arms(two, table="T", base="T:arm")
    with pytest.raises(UnknownNameError, match="no reported column 'T:none'"):
        reported_arms([*two, score("b", "other", 0.1)], table="T", base="T:none")


def test_the_command_shows_tables_and_json():
    ran = run("arms", "indiafinbench", "--json", "-")
    assert ran.code == 0
    jsonschema.validate(ran.json, schema_object("arms"))
    assert "Scores and dense ranks by arm" in ran.err
    assert run("arms", "indiafinbench", "--ranks", "tallest").code == 2
