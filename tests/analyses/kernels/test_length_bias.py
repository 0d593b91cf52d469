"""The clustered slope, against an independent implementation and by its properties."""

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.analyses.kernels.length_bias import clustered_slope


def drawn(seed: int, n: int = 240, clusters: int = 30) -> tuple[np.ndarray, ...]:
    rng = np.random.default_rng(seed)
    group = rng.integers(0, clusters, n)
    family = group % 4
    system = rng.integers(0, 5, n)
    x = rng.normal(6.0, 1.5, n) + 0.3 * system
    shift = rng.normal(0.0, 0.2, clusters)[group]
    y = (rng.random(n) < np.clip(0.2 + 0.04 * x + shift, 0, 1)).astype(float)
    return y, x, family, system, group


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("count", [1, 2])
def test_slope_error_and_p_are_those_of_another_implementation(seed: int, count: int):
    y, x, family, system, group = drawn(seed)
    factors = [family, system][:count]
    dummies = [np.eye(codes.max() + 1)[codes][:, 1:] for codes in factors]
    design = np.column_stack([x, np.ones(len(x)), *dummies])
    fit = sm.OLS(y, design).fit(cov_type="cluster", cov_kwds={"groups": group}, use_t=True)
    found = clustered_slope(y, x, factors=factors, clusters=group)
    assert found is not None
    assert found.value == pytest.approx(fit.params[0], rel=1e-9)
    assert found.error == pytest.approx(fit.bse[0], rel=1e-9)
    assert found.p == pytest.approx(fit.pvalues[0], rel=1e-9)
    low, high = fit.conf_int(alpha=0.1)[0]
    assert found.interval(0.9) == pytest.approx((low, high), rel=1e-9)


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 10_000), st.floats(-3, 3), st.floats(0.2, 5))
def test_the_slope_follows_the_units_of_the_column(seed: int, shift: float, scale: float):
    y, x, family, _, group = drawn(seed)
    a = clustered_slope(y, x, factors=[family], clusters=group)
    b = clustered_slope(y, shift + scale * x, factors=[family], clusters=group)
    assert a is not None
    assert b is not None
    assert b.value * scale == pytest.approx(a.value, rel=1e-6, abs=1e-12)
    assert b.p == pytest.approx(a.p, rel=1e-6)


def test_what_a_factor_explains_is_no_slope():
    _, x, family, _, group = drawn(1)
    column = family.astype(float)
    y = (family == 2).astype(float)
    assert clustered_slope(y, column, factors=[family], clusters=group) is None
    slope = clustered_slope(y + 0.001 * x, x, factors=[family], clusters=group)
    assert slope is None or slope.value == pytest.approx(0.001)


def test_few_clusters_and_constant_outcomes_have_no_slope():
    y, x, family, _, group = drawn(2)
    assert clustered_slope(y, x, factors=[family], clusters=group % 9) is None
    assert clustered_slope(np.ones(len(x)), x, factors=[], clusters=group) is None
