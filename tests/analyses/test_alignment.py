import numpy as np

from finassay.analyses.alignment import aligned
from small_boards import board, items


def test_a_matrix_that_is_aligned_already_is_not_copied():
    table = board({"a": "10", "b": "01"})
    assert aligned(table, items(["X", "X"])) is table


def test_items_in_another_order_move_the_rows():
    found = aligned(board({"a": "10"}), items(["X", "X"])[::-1])
    assert found.rows == (("i1",), ("i0",))
    assert np.array_equal(found.values, [[0.0], [1.0]])
