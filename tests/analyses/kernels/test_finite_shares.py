"""Intervals for shares of finite populations, against all samples listed."""

import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.analyses.kernels.finite_shares import (
    Cells,
    Share,
    blocks_of,
    difference,
    effective_interval,
    exclusive_correlation,
    hypergeometric,
    net_interval,
    share_interval,
)
from finassay.analyses.kernels.intervals import clopper_pearson, wilson
from reference import few_labels as textbook

LEVEL = Fraction(95, 100)

draws = st.integers(1, 25).flatmap(
    lambda size: st.integers(1, size).flatmap(
        lambda n: st.tuples(st.integers(0, n), st.just(n), st.just(size))
    )
)


@given(draw=draws)
@settings(deadline=None, max_examples=60)
def test_the_exact_interval_is_that_of_trying_all_shares(draw: tuple[int, int, int]):
    expected = textbook.hypergeometric(*draw, LEVEL)
    assert hypergeometric(*draw) == pytest.approx([float(end) for end in expected])


@pytest.mark.parametrize(("n", "size"), [(5, 12), (10, 40), (20, 30)])
def test_the_exact_interval_holds_every_share_at_least_as_often_as_it_says(n: int, size: int):
    ends = [hypergeometric(x, n, size) for x in range(n + 1)]
    for right in range(size + 1):
        held = sum(
            textbook.chance_of(x, right, n, size)
            for x, (low, high) in enumerate(ends)
            if low - 1e-9 <= right / size <= high + 1e-9
        )
        assert held >= LEVEL


def test_the_exact_interval_tends_to_clopper_pearsons_in_a_large_population():
    assert hypergeometric(3, 20, 2_000_000) == pytest.approx(
        clopper_pearson(right=3, n=20), abs=1e-5
    )


def test_an_interval_that_cannot_be_is_refused():
    with pytest.raises(ValueError, match="needs 0 <= right <= n <= size"):
        hypergeometric(4, 3, 10)


def test_the_effective_interval_is_clopper_pearsons_at_whole_numbers():
    assert effective_interval(0.25, 12.0, 0.9) == pytest.approx(
        clopper_pearson(right=3, n=12, level=0.9)
    )
    assert effective_interval(0.5, 0.0, 0.95) == (0.0, 1.0)


def cells(sizes: list[int], labels: list[int], *, strata: list[int] | None = None) -> Cells:
    """Return cells of one stratum, or of several, told apart by what a judge said."""
    codes = np.array(strata or [0] * len(sizes))
    of_stratum = np.bincount(codes, weights=sizes)
    given = np.bincount(codes, weights=labels)
    return Cells(
        strata=codes,
        groups=np.array([list(codes[:at]).count(code) for at, code in enumerate(codes)]),
        sizes=np.array(sizes),
        labels=np.array(labels),
        weights=(of_stratum / np.maximum(1, given))[codes],
    )


def tables(
    sizes: list[int], right: list[int], n: int
) -> Iterator[tuple[list[int], list[int], float]]:
    """Yield (labels, right among them, chance) of every sample of n from a stratum of cells."""
    size, parts = (
        sum(sizes),
        [k for pair in zip(sizes, right, strict=True) for k in (pair[0] - pair[1], pair[1])],
    )
    for counts in product(*(range(min(part, n) + 1) for part in parts)):
        if sum(counts) != n:
            continue
        ways = math.prod(math.comb(part, k) for part, k in zip(parts, counts, strict=True))
        chance = ways / math.comb(size, n)
        wrong_right = list(zip(counts[::2], counts[1::2], strict=True))
        yield [sum(pair) for pair in wrong_right], [pair[1] for pair in wrong_right], chance


JUDGED = [
    # sizes of the cells that a judge marks wrong and right, right answers in each, labels
    ([30, 30], [3, 27], 12),
    ([30, 30], [0, 3], 12),
    ([50, 10], [1, 2], 10),
    ([40, 20], [20, 10], 14),
    ([45, 15], [2, 0], 15),
    ([20, 40], [18, 40], 8),
    ([12, 12], [6, 6], 12),
]


@pytest.mark.parametrize(("sizes", "right", "n"), JUDGED)
def test_the_interval_holds_the_share_over_all_samples(sizes: list[int], right: list[int], n: int):
    truth, held, total = sum(right) / sum(sizes), 0.0, 0.0
    for labels, hits, chance in tables(sizes, right, n):
        made = cells(sizes, labels)
        found = share_interval(made, blocks_of(made), np.array(hits, dtype=float))
        assert found is not None
        total += chance
        held += chance * (found.low - 1e-9 <= truth <= found.high + 1e-9)
    assert total == pytest.approx(1.0)
    assert held >= 0.95


@pytest.mark.parametrize(("sizes", "right", "n"), JUDGED[:4])
def test_the_share_by_labels_alone_is_right_on_average(sizes: list[int], right: list[int], n: int):
    average = 0.0
    for labels, hits, chance in tables(sizes, right, n):
        made = cells(sizes, labels).ungrouped()
        found = share_interval(made, blocks_of(made), np.array(hits, dtype=float))
        assert found is not None
        average += chance * found.value
    assert average == pytest.approx(sum(right) / sum(sizes))


def test_the_share_with_verdicts_is_right_on_average_where_every_cell_has_labels():
    # Two labels in each cell at least: then no cells are merged.
    sizes, right, average, chances = [6, 5], [1, 4], 0.0, 0.0
    for labels, hits, chance in tables(sizes, right, 6):
        if min(labels) < 2:
            continue
        made = cells(sizes, labels)
        found = share_interval(made, blocks_of(made), np.array(hits, dtype=float))
        assert found is not None
        assert found.value == pytest.approx(
            sum(n * k / m for n, m, k in zip(sizes, labels, hits, strict=True)) / 11
        )
        chances += chance
        average += chance * found.value
    assert average / chances == pytest.approx(5 / 11)


def test_the_estimated_variance_is_the_variance_over_all_samples():
    # One stratum: s^2 / n (1 - n / N) is unbiased (Cochran 1977, theorem 2.4).
    size, right, n = 14, 5, 6
    values, estimates = [], []
    for labels, hits, chance in tables([size], [right], n):
        made = cells([size], labels)
        found = share_interval(made, blocks_of(made), np.array(hits, dtype=float))
        assert found is not None
        values.append((found.value, chance))
        estimates.append(found.variance * chance)
    centre = sum(v * c for v, c in values)
    assert sum(estimates) == pytest.approx(sum(c * (v - centre) ** 2 for v, c in values))


def test_one_stratum_has_the_exact_interval():
    made = cells([60], [15])
    found = share_interval(made, blocks_of(made), np.array([4.0]))
    assert found is not None
    assert (found.low, found.high) == hypergeometric(4, 15, 60)


def test_what_is_labelled_whole_is_known():
    made = cells([4, 6], [4, 6], strata=[0, 1])
    found = share_interval(made, blocks_of(made), np.array([1.0, 6.0]))
    assert found == Share(value=0.7, low=0.7, high=0.7, variance=0.0)


def test_only_the_part_that_is_not_labelled_whole_is_uncertain():
    made = cells([30, 60], [30, 10], strata=[0, 1])
    found = share_interval(made, blocks_of(made), np.array([15.0, 0.0]))
    assert found is not None
    assert found.value == pytest.approx(15 / 90)
    assert found.low == pytest.approx(15 / 90)
    assert found.high == pytest.approx(15 / 90 + 60 / 90 * hypergeometric(0, 10, 60)[1])


def test_labels_without_an_error_leave_an_interval_in_every_stratum():
    made = cells([100] * 4, [2] * 4, strata=[0, 1, 2, 3])
    found = share_interval(made, blocks_of(made), np.zeros(4))
    assert found is not None
    assert found.value == 0.0
    assert found.high > hypergeometric(0, 8, 400)[1] - 1e-3


def test_cells_are_pooled_by_their_counts_alone():
    made = cells([50, 50, 50, 50], [30, 30, 3, 1], strata=[0, 0, 1, 1])
    blocks = [sorted(block.members.tolist()) for block in blocks_of(made)]
    assert sorted(blocks) == [[0], [1], [2], [3]] or len(blocks) < 4
    merged = blocks_of(cells([50, 50], [19, 1]))
    assert [sorted(block.members.tolist()) for block in merged] == [[0, 1]]


def test_a_block_without_labels_has_no_share():
    made = cells([10, 10], [10, 0], strata=[0, 1])
    assert share_interval(made, blocks_of(made), np.array([5.0, 0.0])) is None
    assert net_interval(made, blocks_of(made), np.array([5.0, 0.0]), np.zeros(2)) is None


def test_a_difference_of_shares_has_the_interval_printed_by_newcombe():
    # Newcombe (1998), Statistics in Medicine 17, 873-890, table II, method 10: 56/70 and 48/80.
    sides = []
    for right, n in ((56, 70), (48, 80)):
        low, high = wilson(right=right, n=n)
        sides.append(Share(value=right / n, low=low, high=high, variance=0.0))
    found = difference(*sides)
    assert (round(found.low, 4), round(found.high, 4)) == (0.0524, 0.3339)


def test_two_kinds_that_exclude_each_other_are_correlated_as_in_a_multinomial():
    made = cells([10_000], [50])
    found = exclusive_correlation(made, blocks_of(made), np.array([10.0]), np.array([20.0]))
    expected = -math.sqrt(0.2 * 0.4 / (0.8 * 0.6))
    assert found == pytest.approx(expected)


@pytest.mark.parametrize(
    ("plus", "minus", "n"), [(8, 2, 10), (3, 3, 12), (1, 0, 15), (20, 4, 10), (0, 0, 10)]
)
def test_the_net_interval_holds_over_all_samples(plus: int, minus: int, n: int):
    size, held = 40, 0.0
    rest = size - plus - minus
    for a, b in product(range(min(plus, n) + 1), range(min(minus, n) + 1)):
        if not 0 <= n - a - b <= rest:
            continue
        ways = math.comb(plus, a) * math.comb(minus, b) * math.comb(rest, n - a - b)
        made = cells([size], [n])
        found = net_interval(made, blocks_of(made), np.array([float(a)]), np.array([float(b)]))
        assert found is not None
        truth = (plus - minus) / size
        held += ways / math.comb(size, n) * (found.low - 1e-9 <= truth <= found.high + 1e-9)
    assert held >= 0.95
