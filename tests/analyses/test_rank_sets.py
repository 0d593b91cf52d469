import numpy as np
import pytest

from finassay.analyses.estimates import Settings
from finassay.analyses.kernels import rank_sets as kernel
from finassay.analyses.kernels.rank_sets import clustered_sums
from finassay.analyses.rank_sets import Resampling, rank_confidence
from finassay.analyses.units import units_of
from finassay.errors import UnknownNameError, UsageError
from finassay.records import Item
from small_boards import board, items

WRONG = Settings(policy="wrong")
MANY = {"best": "1" * 60, "middle": "110100" * 10, "worst": "010000" * 10}


def sets(columns: dict[str, str], **changes: object):
    listed = items(["X"] * len(next(iter(columns.values()))))
    how = Resampling(draws=500, **changes)
    return rank_confidence(
        board(columns), items=listed, rule="exact", settings=WRONG, resampling=how
    )


def test_systems_that_differ_widely_have_one_rank_each():
    found = sets(MANY)
    assert [row.simultaneous for row in found.rows] == [(1, 1), (2, 2), (3, 3)]
    assert (found.n_open, found.rows[0].system) == (0, "best")


def test_ties_share_a_rank_and_stay_open():
    found = sets({"a": "1100", "b": "0011", "c": "0000"})
    assert [row.rank for row in found.rows] == [1, 1, 3]
    assert found.rows[0].marginal[1] >= 2


def test_superiority_and_ties_of_a_pair_add_up_to_one():
    rows = sets({"a": "110101", "b": "011010", "c": "010100"}).rows
    for i, left in enumerate(rows):
        for j, right in enumerate(rows):
            if i != j:
                assert left.above[j] + right.above[i] + left.ties[j] == pytest.approx(1.0)


def test_a_seed_gives_the_same_sets_again():
    assert sets(MANY, seed=5) == sets(MANY, seed=5)


def test_an_item_that_a_system_did_not_get_marked_on_is_left_out():
    found = rank_confidence(
        board({"a": "1101", "b": "0f01"}),
        items=items(["X"] * 4),
        rule="exact",
        settings=WRONG,
        resampling=Resampling(draws=100),
    )
    assert (found.n_items, found.n_excluded) == (3, 1)


def test_one_system_cannot_be_ranked():
    with pytest.raises(UsageError, match="at least two complete systems, got 1"):
        sets({"a": "110"})


def test_few_draws_are_refused():
    with pytest.raises(UsageError, match="`draws` must be at least 100, got 5"):
        Resampling(draws=5)


def test_more_statistics_than_memory_holds_are_refused():
    with pytest.raises(UsageError, match="use fewer draws or systems"):
        rank_confidence(
            board({"a": "110", "b": "100"}),
            items=items(["X"] * 3),
            rule="exact",
            settings=WRONG,
            resampling=Resampling(draws=100_000_000),
        )


def documented(*names: str) -> tuple[Item, ...]:
    return tuple(
        Item(item_id=f"i{at}", documents=tuple(filter(None, name.split("+"))))
        for at, name in enumerate(names)
    )


def test_few_clusters_and_items_without_a_document_are_said():
    units = units_of(documented("A", "A+B", "B", "C", ""), ("documents",))
    assert units.size == 3
    first, second = units.warnings()
    assert "only 3 clusters (documents) to draw from" in first
    assert "1 items are in no clusters (documents)" in second


def test_clusters_by_an_unknown_column_are_refused():
    with pytest.raises(UnknownNameError, match="no column 'colour'"):
        units_of(documented("A"), ("colour",))


def test_clusters_that_hold_like_items_open_more_ranks():
    listed = tuple(Item(item_id=f"i{at}", documents=(str(at // 12),)) for at in range(60))
    columns = {"a": ("1" * 12 + "0" * 12) * 2 + "1" * 12, "b": "110100" * 10}
    made = [
        rank_confidence(
            board(columns),
            items=listed,
            rule="exact",
            settings=Settings(policy="wrong", level=0.5),
            resampling=Resampling(draws=2000, cluster=cluster),
        )
        for cluster in ((), ("documents",))
    ]
    assert made[0].rows[0].rank_shares[0] > made[1].rows[0].rank_shares[0]
    assert [found.n_clusters for found in made] == [60, 5]


def test_squares_taken_a_part_at_a_time_are_those_of_the_whole(monkeypatch: pytest.MonkeyPatch):
    rng = np.random.default_rng(3)
    data = clustered_sums(rng.random((40, 5)))
    counts = rng.integers(0, 4, (7, 40)).astype(np.float64)
    whole = kernel.pair_statistics(data, counts)
    monkeypatch.setattr(kernel, "PAIR_CELLS", 30)
    assert np.allclose(kernel.pair_statistics(data, counts), whole, rtol=1e-12, atol=1e-12)
