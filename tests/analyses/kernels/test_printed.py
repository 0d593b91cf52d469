"""What digits allow: every claim is checked by listing all counts."""

from decimal import ROUND_DOWN, ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from finassay.analyses.kernels.printed import (
    Printed,
    chance_of_grid,
    possible_counts,
    read_printed,
    rounded_counts,
    weighted_range,
)


def texts_of(k: int, n: int, decimals: int) -> set[str]:
    """Return every way in which 100 k / n may be printed."""
    exact = Decimal(100 * k) / Decimal(n)
    unit = Decimal(1).scaleb(-decimals)
    modes = (ROUND_HALF_UP, ROUND_HALF_EVEN, ROUND_DOWN)
    return {str(exact.quantize(unit, rounding=mode)) for mode in modes}


@pytest.mark.parametrize(
    ("text", "value", "decimals", "significant"),
    [
        ("85.7", Fraction(857, 10), 1, 1),
        (" 77.00 ", Fraction(77), 2, 0),
        ("72.50%", Fraction(145, 2), 2, 1),
        ("-3.5", Fraction(-7, 2), 1, 1),
        ("−3.5", Fraction(-7, 2), 1, 1),
        ("40", Fraction(40), 0, 0),
    ],
)
def test_digits_are_read_exactly(text: str, value: Fraction, decimals: int, significant: int):
    found = read_printed(text)
    assert found == (value, decimals)
    assert found is not None
    assert found.significant_decimals == significant


@pytest.mark.parametrize("text", ["", "n/a", "1,234", "12/60", "85.7 ± 1", "1e3"])
def test_what_is_no_plain_number_is_not_read(text: str):
    assert read_printed(text) is None


def test_no_count_of_53_gives_85_7_percent():
    number = read_printed("85.7")
    assert number is not None
    assert possible_counts(number, 53) == ()
    assert possible_counts(number, 49) == (42,)


@settings(deadline=None, max_examples=200)
@given(st.integers(1, 400), st.integers(0, 2), st.data())
def test_every_way_to_print_a_share_is_possible(n: int, decimals: int, data: st.DataObject):
    k = data.draw(st.integers(0, n))
    for text in texts_of(k, n, decimals):
        number = read_printed(text)
        assert number is not None
        assert k in possible_counts(number, n)


@settings(deadline=None, max_examples=200)
@given(st.integers(1, 120), st.integers(0, 1000))
def test_what_no_way_to_print_gives_is_impossible(n: int, tenths: int):
    number = Printed(Fraction(tenths, 10), 1)
    text = f"{tenths // 10}.{tenths % 10}"
    listed = tuple(k for k in range(n + 1) if text in texts_of(k, n, 1))
    assert possible_counts(number, n) == listed
    assert set(rounded_counts(number, n)) <= set(listed)


def test_counts_need_items():
    with pytest.raises(ValueError, match=r"`n` must be positive, got 0"):
        possible_counts(Printed(Fraction(1), 0), 0)
    with pytest.raises(ValueError, match=r"parts must hold items"):
        weighted_range([])


def test_a_weighted_mean_moves_by_what_rounding_hides():
    parts = [(Printed(Fraction(50), 0), 30), (Printed(Fraction(80), 0), 10)]
    assert weighted_range(parts) == (Fraction(57), Fraction(58))


def test_the_chance_of_a_grid_is_a_binomial_tail():
    assert chance_of_grid(8, 8, 20, 240) == pytest.approx(stats.binom.sf(7, 8, 21 / 241))
    assert chance_of_grid(0, 8, 20, 240) == 1.0
    assert chance_of_grid(3, 3, 240, 240) == 1.0
