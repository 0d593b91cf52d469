"""Means with intervals over clusters of items, and over trials within items."""

import numpy as np
import pytest

import small_boards
from finassay.analyses.kernels.intervals import wilson
from finassay.analyses.kernels.mean_intervals import cluster_error, cluster_robust
from finassay.analyses.uncertainty import Drawing, MeanEstimate, clustered_means, trial_means
from finassay.errors import UsageError
from finassay.marking.matrix import VerdictMatrix
from finassay.records import Item, Unscored

LABELS = "aaaabbbbccddddef"
ITEMS = tuple(Item(item_id=f"i{at}", documents=(name,)) for at, name in enumerate(LABELS))


def means(letters: str, policy: Unscored = "wrong") -> MeanEstimate:
    board = small_boards.board({"ada": letters})
    return clustered_means(
        board, ITEMS, clusters=["documents"], drawing=Drawing(policy=policy, draws=2000)
    )[0]


def ends(found: MeanEstimate) -> dict[str, tuple[float, float]]:
    return {one.method: (one.low, one.high) for one in found.intervals}


def test_right_and_wrong_verdicts_have_wilson_and_both_cluster_intervals():
    found = means("1111000011110010")
    assert (found.n, found.units, found.value) == (16, 6, 9 / 16)
    shown = ends(found)
    assert set(shown) == {"wilson", "cluster-robust", "cluster-bootstrap"}
    assert shown["wilson"] == wilson(right=9, n=16)
    # a 4 of 4, b 0 of 4, c 2 of 2, d 2 of 4, e 1 of 1, f 0 of 1.
    sums, sizes = np.array([4.0, 0, 2, 2, 1, 0]), np.array([4.0, 4, 2, 4, 1, 1])
    assert shown["cluster-robust"] == pytest.approx(cluster_robust(sums, sizes))
    assert found.standard_error == pytest.approx(cluster_error(sums, sizes))


def test_verdicts_that_agree_within_clusters_have_a_large_design_effect():
    together, mixed = means("1111000011111100"), means("1010101010101010")
    assert together.design_effect is not None
    assert mixed.design_effect is not None
    assert together.design_effect > 2.0 > mixed.design_effect


def test_graded_verdicts_have_t_and_bca():
    assert set(ends(means("11h1h0h01h110011"))) == {
        "student-t",
        "bca",
        "cluster-robust",
        "cluster-bootstrap",
    }


def test_bounds_span_the_worst_and_the_best_case():
    found = means("1111n00011110n10", "bounds")
    worst, best = means("1111000011110010"), means("1111100011110110")
    assert (found.value, found.n_unscored) == (None, 2)
    for method, (low, high) in ends(found).items():
        assert low == pytest.approx(ends(worst)[method][0])
        assert high == pytest.approx(ends(best)[method][1])


def test_excluded_verdicts_leave_the_denominator():
    assert means("1111n00011110n10", "exclude").n == 14


def test_without_verdicts_there_is_no_value():
    found = means("f" * 16)
    assert (found.n, found.units, found.value, found.standard_error) == (0, 0, None, None)
    assert found.intervals == ()


def trials(values: dict[tuple[str, str], float]) -> VerdictMatrix:
    return VerdictMatrix.from_cells(
        [(key, "ada", "scored", value) for key, value in values.items()],
        row_names=("item_id", "trial"),
        column_name="system",
    )


def test_items_count_alike_however_many_trials_they_have():
    values = {("i0", "0"): 1.0, ("i1", "0"): 0.0, ("i1", "1"): 0.0, ("i1", "2"): 1.0}
    found = trial_means(trials(values), drawing=Drawing(policy="wrong", draws=500))[0]
    assert (found.n, found.units) == (4, 2)
    assert found.value == pytest.approx((1 + 1 / 3) / 2)
    assert found.standard_error == pytest.approx((2 / 3) / 2)


def test_more_trials_of_the_same_items_do_not_shrink_the_interval_to_nothing():
    rng = np.random.default_rng(2)
    chances = rng.uniform(size=30)

    def width(many: int) -> float:
        values = {
            (f"i{item}", str(trial)): float(rng.random() < chance)
            for item, chance in enumerate(chances)
            for trial in range(many)
        }
        found = trial_means(trials(values), drawing=Drawing(policy="wrong", draws=2000))[0]
        return found.intervals[0].high - found.intervals[0].low

    between = 2 * 1.96 * chances.std() / 30**0.5
    assert width(40) == pytest.approx(between, rel=0.15)
    assert width(1) > 1.3 * between


def test_items_without_trials_are_refused():
    with pytest.raises(UsageError, match=r"row axes \('item_id', 'trial'\)"):
        trial_means(small_boards.board({"ada": "10"}), drawing=Drawing(policy="wrong"))


def test_bounds_are_refused_for_trials():
    with pytest.raises(UsageError, match="got 'bounds'"):
        trial_means(trials({("i0", "0"): 1.0}), drawing=Drawing(policy="bounds"))
