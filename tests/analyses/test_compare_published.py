"""What exact tests must find in the published logs of IndiaFinBench (arXiv 2604.19298)."""

import pytest

import published_logs as logs
import sample_audits
from finassay.analyses.compare import CompareSettings, compare
from finassay.analyses.results import Comparisons
from finassay.analyses.results_compare import PairTest

pytestmark = pytest.mark.data

SIZES = (
    68, 48, 46, 41, 41, 35, 20, 13, 12, 11, 11, 10, 9, 7, 6, 4, 4, 4, 3, 3, 2, 2, 2, 1, 1, 1, 1,
)  # fmt: skip


@pytest.fixture(scope="module")
def found() -> Comparisons:
    return compare(
        sample_audits.stored_with_person(),
        logs.items(),
        rule="stored",
        settings=CompareSettings(policy="wrong", clusters=("documents",), family=66),
        persons=("second annotator",),
    )


def pair(found: Comparisons, *names: str) -> PairTest:
    return next(t for t in found.pairs if {t.left, t.right} == set(names))


@pytest.mark.parametrize(
    ("names", "inclusive", "exclusive", "cluster", "digits"),
    [
        (("llama4scout", "groq70b"), 0.8435, 0.7422, 0.8292, 4),
        (("gpt_oss_120b", "gpt_oss_20b"), 0.9539, 0.8623, 0.9344, 4),
        (("gemini", "qwen3_32b"), 0.05221, 0.03951, 0.06045, 5),
        (("deepseek_r1_70b", "llama4scout"), 0.000824, 0.000566, None, 6),
    ],
)
def test_exact_p_of_four_pairs(
    found: Comparisons,
    names: tuple[str, str],
    inclusive: float,
    exclusive: float,
    cluster: float | None,
    digits: int,
):
    test = pair(found, *names)
    assert test.item.p.method == "exact"
    assert round(test.item.p.inclusive, digits) == inclusive
    assert round(test.item.p.exclusive, digits) == exclusive
    assert test.cluster is not None
    assert test.cluster.p.method == "exact"
    if cluster is not None:
        assert round(test.cluster.p.inclusive, digits) == cluster


def test_the_tie_convention_alone_decides_the_pair_at_the_boundary(found: Comparisons):
    test = pair(found, "deepseek_r1_70b", "llama4scout")
    assert test.item.p.exclusive < 0.05 / 66 < test.item.p.inclusive
    assert test.cluster is not None
    assert round(test.cluster.p.inclusive, 5) == 0.00708
    assert any("over items, ties at the threshold decide" in note for note in test.warnings)


def test_pairs_below_each_threshold_under_both_conventions(found: Comparisons):
    counted = {
        count.name: (count.item.inclusive, count.item.exclusive)
        + ((count.cluster.inclusive, count.cluster.exclusive) if count.cluster else ())
        for count in found.counts
    }
    assert counted == {
        "0.05": (32, 33, 27, 28),
        "0.05/66": (14, 15, 10, 10),
        "0.05/55": (15, 15, 10, 10),
    }
    assert len(found.pairs) == 55


def test_documents_joined_by_contradiction_items_make_27_clusters(found: Comparisons):
    assert found.cluster_sizes == SIZES


def test_the_human_row_against_the_leader(found: Comparisons):
    person = found.persons[0]
    assert (person.n, person.clusters, person.family) == (60, 17, 11)
    test = next(t for t in person.pairs if t.right == "gemini")
    assert round(test.left_score * 60) == 48
    assert (round(test.item.p.inclusive, 3), round(test.item.p.exclusive, 3)) == (0.483, 0.326)
    assert test.cluster is not None
    p = test.cluster.p
    assert (round(p.inclusive, 3), round(p.exclusive, 3)) == (0.570, 0.484)
