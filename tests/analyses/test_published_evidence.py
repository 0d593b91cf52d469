"""What item analysis, ranks and raters must find in the published logs (arXiv 2604.19298)."""

import pytest

import published_logs as logs
from finassay.analyses.estimates import Settings
from finassay.analyses.item_analysis import item_analysis
from finassay.analyses.kernels.subset import keeps_ranking
from finassay.analyses.rank_sets import Resampling, rank_confidence
from finassay.analyses.raters import Plan, agree
from finassay.analyses.results import ItemAnalysis

pytestmark = pytest.mark.data

WRONG = Settings(policy="wrong")


@pytest.fixture(scope="module")
def eleven() -> ItemAnalysis:
    return item_analysis(logs.stored(), items=logs.items(), rule="stored", settings=WRONG)


def test_three_systems_decline_from_easy_to_hard_and_gemini_2_5_pro_most_sharply(
    eleven: ItemAnalysis,
):
    # Section 6.2 of the paper: three of twelve, most sharply 83.1% to 68.8%.
    assert set(eleven.labels.declining) == {"gemini", "gpt_oss_120b", "gemini25_pro"}
    drops = {t.system: t.cells[0].rate - t.cells[-1].rate for t in eleven.labels.systems}
    assert max(drops, key=drops.get) == "gemini25_pro"
    (pro,) = (t for t in eleven.labels.systems if t.system == "gemini25_pro")
    assert [round(100 * c.rate, 1) for c in (pro.cells[0], pro.cells[-1])] == [83.1, 68.8]


def test_the_older_gemma_file_declines_too():
    # The paper counts a newer file of this system, which is not in the release.
    found = item_analysis(
        logs.stored(logs.TWELVE), items=logs.items(), rule="stored", settings=WRONG
    )
    assert set(found.labels.declining) - {"gemini", "gpt_oss_120b", "gemini25_pro"} == {
        "gemma4_e4b"
    }


def test_items_without_information_have_no_parameters(eleven: ItemAnalysis):
    silent = [item for item in eleven.items if item.separated == 0]
    assert {item.model for item in silent} <= {"all_right", "none_right"}
    assert eleven.model.n_items == 406 - len(silent)
    assert all(item.a is None and item.item_rest is None for item in silent)


def test_a_handful_of_items_keeps_the_ranking_of_eleven_systems(eleven: ItemAnalysis):
    rows = [row[0] for row in logs.stored().rows]
    chosen = [rows.index(name) for name in eleven.subset.items]
    assert keeps_ranking(logs.stored().values, chosen)
    assert eleven.subset.is_smallest
    # Eleven systems with ten different gaps need at least ten items.
    assert 10 <= eleven.subset.size < 20


def test_clusters_leave_more_ranks_open_than_items():
    found = [
        rank_confidence(
            logs.stored(),
            items=logs.items(),
            rule="stored",
            settings=WRONG,
            resampling=Resampling(draws=4000, cluster=cluster),
        )
        for cluster in ((), ("documents",))
    ]
    assert [result.n_clusters for result in found] == [406, 27]
    assert found[0].n_open < found[1].n_open
    for row in found[0].rows:
        assert row.marginal[0] <= row.rank <= row.marginal[1]


def test_the_judge_and_the_stored_rule_agree_no_more_than_by_chance():
    found = agree(
        {"stored": logs.stored(), "judge": logs.judge()},
        items=logs.items(),
        plan=Plan(settings=WRONG, resampling=Resampling(draws=1000)),
    ).overall
    assert found.n_complete == 344 * 11
    kappa, _, ac1 = found.coefficients
    assert kappa.low < 0 < kappa.high
    assert ac1.value > 0.6  # the verdicts are mostly "right" on both sides
