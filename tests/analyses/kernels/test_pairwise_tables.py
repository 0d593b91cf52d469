"""Kappa, F1 and accuracy of pairwise judges, against lists counted one by one."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.analyses.kernels.judge_tables import TREATMENTS, Treatment
from finassay.analyses.kernels.pairwise_tables import (
    MISSING,
    NEITHER,
    OTHER,
    SAME,
    accuracy,
    f1,
    kappa,
    pair_features,
)
from reference import pairwise as slow

SIDES = st.sampled_from(["left", "right"])
PAIRS = st.lists(st.tuples(SIDES, st.sampled_from(["left", "right", "tie", None])), max_size=12)


def sums_of(pairs: list[tuple[str, str | None]]) -> np.ndarray:
    codes = [
        NEITHER if judge in {"tie", None} else SAME if judge == people else OTHER
        for people, judge in pairs
    ]
    return pair_features(np.array(codes, dtype=np.int64)).sum(axis=0, keepdims=True)


def close(found: float, expected: Fraction | None) -> bool:
    return bool(np.isnan(found)) if expected is None else abs(found - float(expected)) < 1e-12


@settings(deadline=None)
@given(PAIRS, st.sampled_from(TREATMENTS))
def test_kappa_is_that_of_the_spelled_out_pairs(
    pairs: list[tuple[str, str | None]], treatment: Treatment
):
    assert close(kappa(sums_of(pairs), treatment)[0], slow.kappa(pairs, treatment))


@settings(deadline=None)
@given(PAIRS, st.sampled_from(TREATMENTS), SIDES)
def test_f1_is_that_of_either_side(
    pairs: list[tuple[str, str | None]], treatment: Treatment, side: str
):
    assert close(f1(sums_of(pairs), treatment)[0], slow.f1(pairs, treatment, side))


@settings(deadline=None)
@given(PAIRS, st.sampled_from(TREATMENTS))
def test_kappa_does_not_change_when_sides_are_swapped(
    pairs: list[tuple[str, str | None]], treatment: Treatment
):
    swapped = [
        (slow.FLIP[people], None if judge is None else slow.FLIP[judge]) for people, judge in pairs
    ]
    assert slow.kappa(pairs, treatment) == slow.kappa(swapped, treatment)


def test_ten_pairs_by_hand():
    # 6 as people, 2 the other, 2 undecided: 2 x 0.6 - 1, 2 x 0.7 - 1, 2 x 0.75 - 1, and
    # (0.6 - 0.4) / (1 - 0.4) where the undecided agree with nothing.
    sums = np.array([[2.0, 6.0, 2.0]])
    found = {name: float(kappa(sums, name)[0]) for name in TREATMENTS}
    expected = {"category": 1 / 3, "wrong": 0.2, "half": 0.4, "dropped": 0.5}
    assert found == pytest.approx(expected)
    assert float(accuracy(sums, "category")[0]) == pytest.approx(0.6)
    assert float(accuracy(sums, "dropped")[0]) == pytest.approx(0.75)


def test_a_pair_that_was_not_asked_about_counts_nowhere():
    codes = np.array([SAME, MISSING, OTHER])
    assert pair_features(codes).sum(axis=0).tolist() == [1.0, 1.0, 0.0]
