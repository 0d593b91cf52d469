import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from finassay.analyses.kernels import judge_tables as kernel
from finassay.analyses.kernels.judge_tables import TREATMENTS, Treatment
from reference import judges as slow

Pairs = list[tuple[int, int | None]]

pairs_of_verdicts = st.lists(
    st.tuples(st.integers(0, 1), st.sampled_from([0, 1, None])), min_size=0, max_size=30
)
treatments = st.sampled_from(TREATMENTS)


def sums(pairs: Pairs) -> NDArray[np.float64]:
    people = np.array([p for p, _ in pairs], dtype=np.int64)
    judge = np.array([kernel.NO_VERDICT if j is None else j for _, j in pairs], dtype=np.int64)
    return kernel.cell_features(people, judge).sum(axis=0, keepdims=True)


def same(found: NDArray[np.float64], expected: Fraction | None) -> bool:
    if expected is None:
        return bool(np.isnan(found[0]))
    return math.isclose(float(found[0]), float(expected), abs_tol=1e-12)


@settings(deadline=None)
@given(pairs=pairs_of_verdicts, treatment=treatments)
def test_kappa_is_the_textbook_one_under_every_treatment(pairs: Pairs, treatment: Treatment):
    assert same(kernel.kappa(sums(pairs), treatment), slow.kappa(pairs, treatment))


@settings(deadline=None)
@given(pairs=pairs_of_verdicts, treatment=treatments, positive=st.integers(0, 1))
def test_f1_is_the_harmonic_mean_of_precision_and_recall(
    pairs: Pairs, treatment: Treatment, positive: int
):
    expected = slow.f1(pairs, treatment, positive)
    assert same(kernel.f1(sums(pairs), treatment, positive), expected)


@settings(deadline=None)
@given(pairs=pairs_of_verdicts, treatment=treatments)
def test_accuracy_is_the_share_of_agreement(pairs: Pairs, treatment: Treatment):
    assert same(kernel.accuracy(sums(pairs), treatment), slow.accuracy(pairs, treatment))


@settings(deadline=None)
@given(pairs=pairs_of_verdicts)
def test_an_unreadable_verdict_never_flatters_as_a_category(pairs: Pairs):
    found = sums(pairs)
    category, dropped = (kernel.accuracy(found, t)[0] for t in ("category", "dropped"))
    assert np.isnan(dropped) or category <= dropped + 1e-12


def test_kappa_of_a_worked_table():
    # Cohen's example form: 45 both yes, 25 both no, 15 and 15 apart: observed 0.7, chance
    # 0.6*0.6 + 0.4*0.4 = 0.52, kappa 0.18 / 0.48.
    table = np.array([[25.0, 15.0, 0.0, 15.0, 45.0, 0.0]])
    assert kernel.kappa(table, "category")[0] == pytest.approx(0.18 / 0.48)


def test_a_judge_that_always_says_the_same_has_kappa_zero():
    table = np.array([[0.0, 30.0, 0.0, 0.0, 70.0, 0.0]])
    assert kernel.kappa(table, "category")[0] == pytest.approx(0.0)


def test_a_judge_that_is_never_readable_has_kappa_zero_as_a_category_and_none_when_dropped():
    table = np.array([[0.0, 0.0, 30.0, 0.0, 0.0, 70.0]])
    assert kernel.kappa(table, "category")[0] == pytest.approx(0.0)
    assert np.isnan(kernel.kappa(table, "dropped")[0])


@pytest.mark.parametrize("function", [kernel.kappa, kernel.accuracy, kernel.f1_macro])
def test_no_replies_give_no_figure(
    function: Callable[[NDArray[np.float64], Treatment], NDArray[np.float64]],
):
    assert np.isnan(function(np.zeros((1, 6)), "category")[0])


def test_missing_labels_and_verdicts_are_in_no_cell():
    people, judge = np.array([1, -1, 0]), np.array([-1, 1, 2])
    assert kernel.cell_features(people, judge).sum(axis=0).tolist() == [0, 0, 1, 0, 0, 0]


@settings(deadline=None)
@given(
    said=st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), min_size=1, max_size=20),
)
def test_kappa_of_two_judges_is_that_of_people_and_a_judge(said: list[tuple[int, int]]):
    counts = np.zeros((1, 4))
    for a, b in said:
        counts[0, 2 * a + b] += 1
    assert same(kernel.two_judges(counts), slow.kappa(said, "dropped"))
