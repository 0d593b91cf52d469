"""The additive model: its defining equations, and a slow twin."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.analyses.kernels.additive import Bools, Floats, expected_values

SHAPES = st.tuples(st.integers(1, 6), st.integers(1, 5))


@st.composite
def tables(draw: st.DrawFn) -> tuple[Floats, Bools]:
    rows, columns = draw(SHAPES)
    size = rows * columns
    value = st.sampled_from([0.0, 1.0, 0.0, 1.0, 0.5])
    values = draw(st.lists(value, min_size=size, max_size=size))
    counted = draw(st.lists(st.sampled_from([True, True, False]), min_size=size, max_size=size))
    shape = rows, columns
    return np.array(values).reshape(shape), np.array(counted, dtype=np.bool_).reshape(shape)


def slow(values: Floats, *, rounds: int) -> list[list[float]]:
    """Gradient ascent on the likelihood, cell by cell; no margin may be at an end."""
    rows, columns = values.shape
    item, system = [0.0] * rows, [0.0] * columns
    step = 2.0 / max(rows, columns)
    for _ in range(rounds):
        gaps = [
            [values[i, j] - 1 / (1 + math.exp(-item[i] - system[j])) for j in range(columns)]
            for i in range(rows)
        ]
        for i in range(rows):
            item[i] += step * sum(gaps[i])
        for j in range(columns):
            system[j] += step * sum(gaps[i][j] for i in range(rows))
    return [[1 / (1 + math.exp(-item[i] - system[j])) for j in range(columns)] for i in range(rows)]


@given(table=tables())
@settings(deadline=None, max_examples=60)
def test_margins_of_what_is_expected_are_those_of_what_was_seen(
    table: tuple[Floats, Bools],
) -> None:
    values, counted = table
    seen = np.where(counted, values, 0.0)
    found = expected_values(values, counted)
    assert found.sum(axis=1) == pytest.approx(seen.sum(axis=1), abs=5e-3)
    assert found.sum(axis=0) == pytest.approx(seen.sum(axis=0), abs=5e-3)
    assert ((found >= 0) & (found <= 1)).all()
    assert (found[~counted] == 0).all()


def test_it_is_the_likelihoods_maximum() -> None:
    values = np.array([[1, 1, 0, 1], [1, 0, 0, 1], [0, 1, 0, 0], [1, 0, 1, 0], [0, 1, 1, 1.0]])
    found = expected_values(values, np.ones(values.shape, dtype=np.bool_))
    assert found.tolist() == [pytest.approx(row, abs=1e-5) for row in slow(values, rounds=4000)]


def test_log_odds_add_up() -> None:
    values = (np.arange(40).reshape(8, 5) * 7 % 11 < 6).astype(float)
    found = expected_values(values, np.ones(values.shape, dtype=np.bool_))
    odds = np.log(found / (1 - found))
    assert np.ptp(odds[:, 0] - odds[:, 3]) == pytest.approx(0.0, abs=1e-6)


def test_items_that_all_or_none_have_right_are_expected_as_they_are() -> None:
    values = np.array([[1, 1, 1], [0, 0, 0], [1, 0, 1], [0, 1, 1.0]])
    found = expected_values(values, np.ones(values.shape, dtype=np.bool_))
    assert found[0].tolist() == [1, 1, 1]
    assert found[1].tolist() == [0, 0, 0]
    assert found[:, 2].tolist() == [1, 0, 1, 1]


def test_nothing_expects_nothing() -> None:
    assert expected_values(np.zeros((0, 3)), np.ones((0, 3), dtype=np.bool_)).shape == (0, 3)
