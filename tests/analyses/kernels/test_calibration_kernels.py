"""Calibration kernels against their definitions and scikit-learn."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.typing import NDArray
from sklearn.metrics import cohen_kappa_score, f1_score

from finassay.analyses.kernels.calibration import (
    best_of,
    cell_counts,
    centred_p,
    f1_of,
    group_folds,
    held_out_cells,
    interval,
    kappa_of,
    nested_choice,
    resampled_agreement,
)
from finassay.analyses.kernels.resampling import draw_counts
from reference import calibration as textbook

Bools = NDArray[np.bool_]
ONE_GROUP = np.zeros(200, dtype=np.int64)


def marks(rows: int, columns: int) -> st.SearchStrategy[Bools]:
    return arrays.arrays(np.bool_, (rows, columns))


@st.composite
def marked(draw: st.DrawFn, *, columns: int = 3) -> tuple[Bools, Bools, NDArray[np.int64]]:
    """Draw marks of three rules, labels, and a group for each of up to 16 rows."""
    rows = draw(st.integers(4, 16))
    groups = np.array([i % 4 for i in range(rows)])
    right = draw(marks(rows, columns))
    yes = draw(arrays.arrays(np.bool_, rows))
    return right, yes, groups


def of_one(right: Bools, yes: Bools) -> NDArray[np.float64]:
    return cell_counts(right, yes, ONE_GROUP[: len(yes)], 1)[0]


def value(found: tuple[NDArray[np.float64], Bools]) -> float | None:
    return float(found[0]) if found[1] else None


def same(found: float | None, expected: object) -> bool:
    if found is None or expected is None:
        return found is expected
    return found == pytest.approx(float(expected), abs=1e-12)


@settings(deadline=None)
@given(marked())
def test_kappa_and_f1_are_those_of_the_definitions(drawn: tuple[Bools, Bools, object]):
    right, yes, _ = drawn
    for at in range(right.shape[1]):
        cells = of_one(right[:, at], yes)
        assert same(value(kappa_of(cells)), textbook.kappa(right[:, at].tolist(), yes.tolist()))
        assert same(value(f1_of(cells)), textbook.f1(right[:, at].tolist(), yes.tolist()))


@settings(deadline=None)
@given(marked(columns=1))
def test_kappa_and_f1_are_those_of_scikit_learn(drawn: tuple[Bools, Bools, object]):
    right, yes = drawn[0][:, 0], drawn[1]
    cells = of_one(right, yes)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = cohen_kappa_score(right, yes)
    found = value(kappa_of(cells))
    assert np.isnan(expected) if found is None else found == pytest.approx(expected, abs=1e-12)
    if value(f1_of(cells)) is not None:
        assert value(f1_of(cells)) == pytest.approx(f1_score(yes, right), abs=1e-12)


def test_kappa_of_nothing_and_of_one_opinion_is_undefined():
    cells = np.array([[0.0, 0, 0, 0], [7, 0, 0, 0], [0, 0, 0, 7], [0, 0, 3, 4]])
    assert kappa_of(cells)[1].tolist() == [False, False, False, True]
    assert f1_of(cells)[1].tolist() == [False, True, False, True]


def test_the_first_of_equal_kappas_is_chosen_and_an_undefined_one_never():
    # 4 of 8 rows agree by chance in the first; the two others agree perfectly.
    half, whole, nothing = [2.0, 2, 2, 2], [4.0, 0, 0, 4], [0.0, 0, 0, 8]
    assert best_of(np.array([half, whole, whole])) == 1
    assert best_of(np.array([nothing, [1.0, 3, 3, 1]])) == 1
    assert best_of(np.array([nothing, nothing])) == 0


@settings(deadline=None)
@given(
    arrays.arrays(np.int64, st.integers(10, 40), elements=st.integers(1, 30)),
    st.integers(2, 5),
    st.integers(0, 99),
)
def test_folds_hold_about_as_many_rows_and_at_least_one_group(
    sizes: NDArray[np.int64], folds: int, seed: int
):
    found = group_folds(sizes, folds, np.random.default_rng(seed))
    rows = np.bincount(found, weights=sizes, minlength=folds)
    assert rows.min() > 0
    # Graham (1969): a list schedule is never apart by more than its largest job.
    assert rows.max() - rows.min() <= sizes.max()
    assert np.array_equal(found, group_folds(sizes, folds, np.random.default_rng(seed)))


def test_another_seed_makes_other_folds():
    sizes = np.ones(40, dtype=np.int64)
    one, two = (group_folds(sizes, 4, np.random.default_rng(seed)) for seed in (0, 1))
    assert not np.array_equal(one, two)


@pytest.mark.parametrize(("groups", "folds"), [(5, 3), (10, 1), (1, 2)])
def test_fewer_than_two_groups_a_fold_are_refused(groups: int, folds: int):
    with pytest.raises(ValueError, match="leave two groups in each"):
        group_folds(np.ones(groups, dtype=np.int64), folds, np.random.default_rng(0))


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_nested_choices_are_those_of_loops_over_rows(data: st.DataObject):
    groups = np.repeat(np.arange(12), data.draw(st.integers(1, 2)))
    yes = data.draw(arrays.arrays(np.bool_, len(groups)))
    families = [data.draw(marks(len(groups), n)) for n in (1, 3, 4)]
    rng = np.random.default_rng(data.draw(st.integers(0, 99)))
    sizes = np.bincount(groups)
    outer = group_folds(sizes, 3, rng)
    inner = [group_folds(sizes[outer != k], 2, rng) for k in range(3)]
    cells = [cell_counts(family, yes, groups, 12) for family in families]
    found = nested_choice(cells, outer, inner)

    columns = [[family[:, c].tolist() for c in range(family.shape[1])] for family in families]
    for k in range(3):
        train = np.flatnonzero(outer != k)
        folds = [
            [i for i, g in enumerate(groups) if g in train[inner[k] == fold]] for fold in range(2)
        ]
        for f, candidates in enumerate(columns):
            expected = textbook.chosen_by_inner_folds(candidates, yes.tolist(), folds)
            assert found.variants[f, k] == expected
        assert found.families[k] == textbook.family_by_inner_folds(columns, yes.tolist(), folds)


@settings(deadline=None)
@given(marked())
def test_held_out_cells_are_of_the_choice_of_the_other_folds(
    drawn: tuple[Bools, Bools, NDArray[np.int64]],
):
    right, yes, groups = drawn
    folds = np.array([0, 0, 1, 1])
    found = held_out_cells(cell_counts(right, yes, groups, 4), folds)
    expected = np.zeros(4)
    columns = [right[:, c].tolist() for c in range(3)]
    for fold in (0, 1):
        train = np.flatnonzero(folds[groups] != fold).tolist()
        test = folds[groups] == fold
        best = textbook.chosen(columns, yes.tolist(), train)
        expected += of_one(right[test, best], yes[test])
    assert found.tolist() == expected.tolist()


@settings(deadline=None, max_examples=30)
@given(marked())
def test_every_resample_is_that_of_a_loop_over_drawn_groups(
    drawn: tuple[Bools, Bools, NDArray[np.int64]],
):
    right, yes, groups = drawn
    cells = cell_counts(right, yes, groups, 4)
    found = resampled_agreement(cells, draws=20, rng=np.random.default_rng(5))
    counts = draw_counts(4, 20, np.random.default_rng(5)).astype(int).tolist()
    members = [np.flatnonzero(groups == g).tolist() for g in range(4)]
    for m in range(3):
        for name, values, defined in (
            ("kappa", found.kappa, found.kappa_defined),
            ("f1", found.f1, found.f1_defined),
        ):
            statistic = getattr(textbook, name)
            expected = textbook.clustered_bootstrap(
                lambda rows, m=m, statistic=statistic: statistic(
                    [right[i, m] for i in rows], [yes[i] for i in rows]
                ),
                members,
                counts,
            )
            ours = [
                float(v) if k else None for v, k in zip(values[:, m], defined[:, m], strict=True)
            ]
            assert all(same(a, b) for a, b in zip(ours, expected, strict=True))


def test_p_counts_differences_as_far_from_the_observed_as_that_is_from_zero():
    drawn = np.array([0.1, 0.2, 0.3, 0.5, -0.1])
    # |0.1-0.2|, |0.2-0.2|, |0.3-0.2| lie nearer than 0.2; 0.5 and -0.1 do not: (1 + 2) / 6.
    assert centred_p(0.2, drawn) == pytest.approx(0.5)
    assert centred_p(0.0, np.zeros(9)) == 1.0
    assert centred_p(0.2, np.zeros(0)) is None


def test_an_interval_needs_two_resamples():
    assert interval(0.5, np.array([0.5]), np.array([0.4]), 0.95) is None
    assert interval(0.5, np.array([0.4, 0.6]), np.array([0.4, 0.6]), 0.95) == (0.4, 0.6)


@pytest.mark.full
def test_the_interval_of_kappa_covers_the_truth_about_as_often_as_it_says():
    rng = np.random.default_rng(11)
    truth, groups, held = 0.6, 60, 0
    for _ in range(300):
        # People say yes half the time; the rule agrees with them in 80%, whole groups alike in a
        # fifth of the groups: kappa = 0.8 - 0.5 over 0.5 = 0.6.
        yes = rng.random((groups, 8)) < 0.5
        agrees = rng.random((groups, 8)) < 0.8
        alike = rng.random(groups) < 0.2
        agrees[alike] = (rng.random(int(alike.sum())) < 0.8)[:, None]
        cells = cell_counts(
            np.where(agrees, yes, ~yes).reshape(-1, 1), yes.ravel(), np.repeat(np.arange(60), 8), 60
        )
        drawn = resampled_agreement(cells, draws=500, rng=rng)
        left_out = kappa_of(cells.sum(axis=0) - cells)[0][:, 0]
        point = float(kappa_of(cells.sum(axis=0))[0][0])
        low, high = interval(point, drawn.kappa[:, 0], left_out, 0.95) or (0.0, 0.0)
        held += low <= truth <= high
    # 300 trials at 95%: the binomial standard deviation is 1.3 points.
    assert 0.90 <= held / 300 <= 0.99
