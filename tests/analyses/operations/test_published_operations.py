"""What FinRiskAtlas (arXiv 2608.25325) prints, from its tables, and figures beyond its text.

Every expected figure names the place in the paper where it stands; figures without a place are
computed here by the slow definitions of tests/reference/selection.py.
"""

from collections.abc import Mapping
from decimal import Decimal
from itertools import combinations
from pathlib import Path
from statistics import mean

import pytest

from cli_runs import run
from finassay.analyses.operations.printed import operations_of_tables
from finassay.analyses.operations.results import OperationSelection, OperationsResult
from finassay.benchmarks.finriskatlas import load_finriskatlas
from real_data import data_root
from reference import selection

EVALUATOR = "DeepSeek-V4-Flash"
Table = dict[str, dict[str, Decimal]]


@pytest.fixture(scope="module")
def result() -> OperationsResult:
    return operations_of_tables(load_finriskatlas())


@pytest.fixture(scope="module")
def columns() -> Table:
    """Column -> system -> printed number."""
    found: Table = {}
    for scores in load_finriskatlas().values():
        for score in scores:
            found.setdefault(score.column, {})[score.row] = Decimal(score.printed)
    return found


def row(result: OperationsResult, name: str) -> OperationSelection:
    return next(one for one in result.operations if one.operation == name)


def eligible(columns: Table, one: OperationSelection) -> tuple[Mapping[str, Decimal], ...]:
    left_out = {EVALUATOR} if one.is_judged else set()
    names = [name for name in columns["overall"] if name not in left_out]
    return tuple({n: columns[c][n] for n in names} for c in ("overall", one.operation))


def compared(columns: Table, names: list[str]) -> list[dict[str, Decimal]]:
    return [{m: v for m, v in columns[c].items() if m != EVALUATOR} for c in names]


def test_the_evaluator_is_known_and_left_out_where_it_judged(result: OperationsResult):
    # Section 4.1: 33 configurations for the eight structured operations, 32 for the judged ones.
    assert result.evaluators == (EVALUATOR,)
    assert [one.n_eligible for one in result.operations] == [33] * 8 + [32] * 3
    assert result.agreement.n_systems == 32
    assert result.ask is not None
    assert result.ask.n_systems == 32


def test_mean_correlation_and_pairs_below_one_half(result: OperationsResult):
    # Section 4.2: mean 0.42, 37 of 55 below 0.5.
    assert round(result.agreement.mean or 0, 2) == 0.42
    assert (result.agreement.n_below, result.agreement.n_pairs) == (37, 55)
    assert result.agreement.share_below == 37 / 55


def test_lowest_correlation_of_operations(result: OperationsResult):
    # Section 4.2: institution matching and risk classification, -0.03.
    low = result.agreement.lowest
    assert low is not None
    assert {low.left, low.right} == {"institution_matching", "risk_classification"}
    assert round(low.rho or 0, 2) == -0.03


def test_every_correlation_is_what_its_definition_says(result: OperationsResult, columns: Table):
    names = list(result.agreement.operations)
    made = compared(columns, names)
    for i, j in combinations(range(len(names)), 2):
        expected = selection.rho(list(made[i].values()), list(made[j].values()))
        assert result.agreement.matrix[i][j] == pytest.approx(expected, abs=1e-12)


def test_eigenvalue_shares(result: OperationsResult):
    # Sections 4.2 and D.1 and figure 5b: 49.9%, first two 61.2%, first five 85.0%.
    shares = [round(100 * share, 1) for share in result.agreement.cumulative]
    assert (shares[0], shares[1], shares[4]) == (49.9, 61.2, 85.0)
    matrix = [[value or 0.0 for value in line] for line in result.agreement.matrix]
    largest = selection.largest_eigenvalue(matrix)
    assert result.agreement.eigenvalues[0] == pytest.approx(largest, abs=1e-9)


def test_knowledge_correlations(result: OperationsResult, columns: Table):
    # Section 4.2: from 0.33 (institution matching) to 0.89 (case classification).
    rho = {one.operation: one.correlation or 0.0 for one in result.operations}
    assert min(rho, key=rho.__getitem__) == "institution_matching"
    assert max(rho, key=rho.__getitem__) == "case_classification"
    assert (round(min(rho.values()), 2), round(max(rho.values()), 2)) == (0.33, 0.89)
    for one in result.operations:
        broad, wanted = eligible(columns, one)
        expected = selection.rho(list(broad.values()), list(wanted.values()))
        assert one.correlation == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("name", "points"),
    [
        # Section 4.3, k = 1.
        ("information_extraction", 18.01),
        ("quantitative_reasoning", 11.21),
        ("legal_outcome_prediction", 8.47),
        ("institution_matching", 0.0),
        ("risk_classification", 0.0),
    ],
)
def test_regret_of_the_knowledge_leader(result: OperationsResult, name: str, points: float):
    assert row(result, name).regret[0] == points
    assert row(result, name).recommendation.cost == points


def test_regret_left_at_fifteen_and_mean_regret(result: OperationsResult):
    # Section 4.3: decision view 6.70 at k = 15.  Figure 4c: 5.35, 2.59, 0.90, 0.00.
    assert row(result, "decision_view_generation").regret[14] == 6.70
    lists = result.shortlists
    assert [round(lists.mean_regret[k - 1], 2) for k in (1, 3, 10, 23)] == [5.35, 2.59, 0.9, 0.0]


def test_every_regret_is_what_its_definition_says(result: OperationsResult, columns: Table):
    for one in result.operations:
        broad, wanted = eligible(columns, one)
        expected = [float(selection.regret(broad, wanted, k + 1)) for k in range(len(broad))]
        assert list(one.regret) == expected
    for k in range(32):
        expected = mean(one.regret[k] for one in result.operations)
        assert result.shortlists.mean_regret[k] == pytest.approx(expected)


def test_leaders_recovered(result: OperationsResult):
    # Section D.1 and figure 5c: 2, 4, 8 and 11 leaders at k = 1, 3, 10 and 23; nine systems lead.
    lists = result.shortlists
    assert [lists.recovered[k - 1] for k in (1, 3, 10, 22, 23)] == [2, 4, 8, 10, 11]
    assert lists.all_recovered_at == 23
    assert lists.n_distinct_leaders == 9
    ranks = [one.leader_knowledge_rank for one in result.operations]
    assert (min(ranks), max(ranks)) == (1, 23)


def test_profile_gaps(result: OperationsResult, columns: Table):
    # Section D.1: 30 near pairs with median 25.5, all 496 with 34.2; figure 5a: 26.0 for one pair.
    gaps = result.profiles
    assert (gaps.n_near, gaps.n_pairs) == (30, 496)
    assert round(gaps.near_median_gap or 0, 1) == 25.5
    assert round(gaps.median_gap or 0, 1) == 34.2
    expected = selection.gaps(compared(columns, list(gaps.operations)))
    assert gaps.median_gap == pytest.approx(selection.median_gap(expected))
    for pair in gaps.near_pairs:
        key = (pair.left, pair.right)
        slow = expected.get(key) or expected[key[1], key[0]]
        assert pair.gap == pytest.approx(float(slow))
        assert Decimal(str(pair.knowledge)) == abs(
            columns["overall"][pair.left] - columns["overall"][pair.right]
        )
    pair = next(
        p for p in gaps.near_pairs if {p.left, p.right} == {"Kimi-K3", "Gemini-3-Flash-preview"}
    )
    assert (pair.knowledge, round(pair.gap, 1)) == (0.01, 26.0)


def test_ask_metrics_beside_static_scores(result: OperationsResult, columns: Table):
    # Section D.2: legal judgment 0.78 with CRA, 0.14 with BAcc; decision view 0.79 and 0.07.
    assert result.ask is not None
    found = {one.score: one for one in result.ask.associations}
    judgment, view = found["legal_judgment_generation"], found["decision_view_generation"]
    assert [round(x or 0, 2) for x in (judgment.cra, judgment.bacc)] == [0.78, 0.14]
    assert [round(x or 0, 2) for x in (view.cra, view.bacc)] == [0.79, 0.07]
    for name, one in found.items():
        for metric in ("BAcc", "ERA", "CRA"):
            left, right = compared(columns, [name, metric])
            expected = selection.rho([left[m] for m in right], list(right.values()))
            assert getattr(one, metric.lower()) == pytest.approx(expected, abs=1e-12)


def test_ask_pairs_gaps_and_ranks(result: OperationsResult):
    # Section 4.4: 28.31 within 0.1 BAcc (figure 4a: 0.07); 46.26; 24 of 32.  Figure 6d: ranks.
    ask = result.ask
    assert ask is not None
    assert ask.widest is not None
    assert (ask.widest.era, ask.widest.bacc) == (28.31, 0.07)
    assert (ask.median_recall_gap, ask.n_wide, ask.n_ask_above) == (46.26, 24, 32)
    ranks = {one.system: (one.bacc_rank, one.era_rank) for one in ask.rows}
    assert ranks["Ling-2.6-1T"] == (18, 1)
    assert ranks["GPT-5.6-Luna"] == (13, 2)
    assert ranks["Kimi-K3"] == (1, 3)
    assert ranks["Claude-Opus-4.7"] == (5, 4)
    assert ranks["Qwen3-8B"] == (2, 22)
    assert {one.system for one in ask.rows if one.cra_rank == 1} == {"Qwen3.7-Max"}


def test_three_rows_are_whole_numbers_in_all_operations(result: OperationsResult):
    found = next(one for one in result.findings if "another grid" in one.title)
    assert found.systems == ("Dianjin-R1-7B", "FinR1-7B", "Ling-2.6-Flash")
    assert "11 of 11 numbers are whole" in found.evidence


def test_the_knowledge_score_weighs_groups_by_their_families(result: OperationsResult):
    # Table 4: 20, 14, 4, 2 and 2 families, which is 10:7:2:1:1.
    found = next(one for one in result.findings if one.title.startswith("`overall`"))
    assert found.title == "`overall` is not the mean of the 5 group columns"
    assert "weights 10:7:2:1:1" in found.evidence


def test_the_evaluator_would_lead_what_it_judged(result: OperationsResult):
    # Table 10: 81.23 for itself, 77.12 for DeepSeek-V4-Pro.
    found = next(one for one in result.findings if one.systems == (EVALUATOR,))
    assert "81.23 by its own judgement, against 77.12" in found.evidence


@pytest.mark.data
def test_the_folder_gives_what_the_bundled_tables_give(tmp_path: Path):
    folder = data_root() / "finriskatlas"
    target = tmp_path / "found.json"
    ran = run("operations", folder, "--json", target)
    assert ran.code == 0, ran.err
    other = tmp_path / "other.json"
    assert run("operations", "finriskatlas", "--json", other).code == 0
    one, two = (path.read_text("utf-8") for path in (target, other))
    assert one.replace(str(folder), "S") == two.replace("arXiv 2608.25325, tables 8 to 11", "S")
