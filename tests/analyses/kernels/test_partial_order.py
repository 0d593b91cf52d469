"""Closure, reduction and levels of partial orders, against plain searches."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.analyses.kernels.partial_order import closure, levels, reduction
from reference.variance import chain, hasse


@st.composite
def acyclic(draw: st.DrawFn) -> np.ndarray:
    """A relation in which everything above has the smaller number: it has no cycle."""
    n = draw(st.integers(1, 7))
    bits = draw(st.lists(st.booleans(), min_size=n * n, max_size=n * n))
    order = draw(st.permutations(range(n)))
    above = np.triu(np.array(bits).reshape(n, n), 1)
    return above[np.ix_(order, order)]


@settings(deadline=None, max_examples=100)
@given(acyclic())
def test_the_reduction_keeps_the_closure_and_nothing_that_follows(above: np.ndarray):
    order = closure(above)
    lines = reduction(order)
    assert {(i, j) for i, j in np.argwhere(lines).tolist()} == hasse(order.tolist())
    assert (closure(lines) == order).all()
    assert levels(order).tolist() == [chain(order.tolist(), i) for i in range(len(order))]


def test_a_chain_has_one_line_between_neighbours():
    above = np.array([[0, 1, 1], [0, 0, 1], [0, 0, 0]], dtype=bool)
    assert np.argwhere(reduction(closure(above))).tolist() == [[0, 1], [1, 2]]
    assert levels(closure(above)).tolist() == [0, 1, 2]


def test_pairs_on_a_cycle_settle_nothing():
    above = np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0]], dtype=bool)
    assert not closure(above).any()


@pytest.mark.parametrize("n", [0, 1])
def test_small_orders_have_no_lines(n: int):
    above = np.zeros((n, n), dtype=bool)
    assert not reduction(closure(above)).any()
    assert levels(above).tolist() == [0] * n
