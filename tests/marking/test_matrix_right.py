"""Right and wrong of graded verdicts, in one place."""

import numpy as np

from finassay.marking.matrix import RIGHT, is_right
from small_boards import board


def test_half_marks_count_as_right_and_less_does_not():
    assert is_right(np.array([0.0, 0.49, 0.5, 1.0])).tolist() == [False, False, True, True]
    assert RIGHT == 0.5


def test_what_is_not_scored_is_never_right():
    assert board({"a": "1h0nufa"}).right[:, 0].tolist() == [True, True, *[False] * 5]
