"""Parts of the variance over a grid, against the textbook's sums and against statsmodels."""

import itertools

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from finassay.analyses.kernels.variance_parts import level_means, variance_parts
from reference.variance import shares


@st.composite
def factorials(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray]:
    sizes = draw(st.lists(st.integers(2, 3), min_size=2, max_size=3))
    levels = np.array(list(itertools.product(*map(range, sizes))))
    values = draw(arrays(np.float64, len(levels), elements=st.integers(0, 20).map(float)))
    return levels, values


@settings(deadline=None, max_examples=40)
@given(factorials())
def test_a_balanced_grid_gives_the_textbook_parts(grid: tuple[np.ndarray, np.ndarray]):
    levels, values = grid
    points = {tuple(row): v for row, v in zip(levels.tolist(), values.tolist(), strict=True)}
    total, mains, pairs = shares(points, levels.shape[1])
    found = variance_parts(values[:, None], levels, np.ones(len(values)))
    assert found.total[0] == pytest.approx(total, abs=1e-9)
    assert found.mains[:, 0] == pytest.approx(mains, abs=1e-9)
    for (f, g), part in pairs.items():
        assert found.pairs[f, g, 0] == pytest.approx(part, abs=1e-9)
        assert found.pairs[g, f, 0] == found.pairs[f, g, 0]
    if levels.shape[1] == 2:
        assert found.rest[0] == pytest.approx(0.0, abs=1e-9)


def test_three_factors_leave_what_only_all_three_explain():
    levels = np.array(list(itertools.product(range(2), repeat=3)))
    parity = (levels.sum(axis=1) % 2).astype(float)
    found = variance_parts(parity[:, None], levels, np.ones(8))
    assert found.mains.max() == pytest.approx(0.0, abs=1e-12)
    assert found.pairs.max() == pytest.approx(0.0, abs=1e-12)
    assert found.rest[0] == pytest.approx(found.total[0])


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 10_000))
def test_the_interaction_is_what_an_additive_fit_leaves_between_cells(seed: int):
    """An unbalanced table: the twin fits both models by weighted least squares (statsmodels)."""
    rng = np.random.default_rng(seed)
    levels = np.column_stack([rng.integers(0, 3, 30), rng.integers(0, 2, 30)])
    levels[:6] = list(itertools.product(range(3), range(2)))
    values, weights = rng.random(30), rng.random(30) + 0.1
    found = variance_parts(values[:, None], levels, weights)
    ones = (levels[:, [0]] == np.arange(3)).astype(float)
    others = (levels[:, [1]] == np.arange(1)).astype(float)
    cells = (levels @ np.array([2, 1]) == np.arange(6)[:, None]).T.astype(float)
    additive = sm.WLS(values, np.hstack([ones, others]), weights=weights).fit()
    full = sm.WLS(values, cells, weights=weights).fit()
    expected = (additive.ssr - full.ssr) / weights.sum()
    assert found.pairs[0, 1, 0] == pytest.approx(expected, abs=1e-9)


def test_a_nested_factor_counts_among_the_rows_where_it_applies():
    # Rows with the first choice have a threshold that moves 0.4; the others have none.
    levels = np.array([[0, 0], [0, 1], [1, -1], [1, -1]])
    values = np.array([0.1, 0.5, 0.3, 0.3])[:, None]
    found = variance_parts(values, levels, np.ones(4))
    assert found.mains[0, 0] == pytest.approx(0.0)
    assert found.mains[1, 0] == pytest.approx(0.5 * 0.2**2)
    assert found.total[0] == pytest.approx(found.mains[1, 0])
    assert found.rest[0] == pytest.approx(0.0)


def test_a_factor_that_never_applies_has_no_effect():
    found = variance_parts(np.array([[1.0], [2.0]]), np.array([[-1, 0], [-1, 1]]), np.ones(2))
    assert found.mains[0, 0] == 0.0
    assert found.pairs[0, 1, 0] == 0.0


def test_weights_say_how_often_a_row_counts():
    levels = np.array([[0], [1]])
    values = np.array([[0.0], [1.0]])
    found = variance_parts(values, levels, np.array([3.0, 1.0]))
    assert found.total[0] == pytest.approx(0.75 * 0.25)
    assert found.mains[0, 0] == pytest.approx(0.75 * 0.25)


def test_a_level_without_rows_has_no_weight():
    means, size = level_means(np.array([[2.0]]), np.array([1]), np.array([1.0]))
    assert size.tolist() == [0.0, 1.0]
    assert means[1, 0] == 2.0
