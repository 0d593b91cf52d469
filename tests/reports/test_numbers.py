import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.reports import numbers as num


@pytest.mark.parametrize(
    ("rate", "n", "shown"), [(364 / 406, 406, "89.7"), (0.5, 999, "50.0"), (0.92502, 4466, "92.50")]
)
def test_percent_keeps_the_digits_that_n_supports(rate: float, n: int, shown: str):
    assert num.percent(rate, n) == shown


@pytest.mark.parametrize(
    ("p", "shown"), [(0.408, "0.41"), (0.039, "0.039"), (0.0004, "<0.001"), (1.0, "1.00")]
)
def test_p_values_have_two_decimals_from_a_tenth_on_and_a_floor(p: float, shown: str):
    assert num.p_value(p) == shown


@pytest.mark.parametrize(("level", "shown"), [(0.95, "95%"), (0.999, "99.9%"), (0.5, "50%")])
def test_levels_keep_the_digits_they_have(level: float, shown: str):
    assert num.level(level) == shown


def test_minus_is_a_true_minus_and_zero_has_no_sign():
    assert num.coefficient(-0.2779) == "−0.278"
    assert num.fixed(-0.0001, 2) == "0.00"
    assert num.signed(-3) == "−3"
    assert num.signed(2) == "+2"
    assert num.signed(0) == "0"


def test_graded_sums_keep_a_decimal_and_counts_do_not():
    assert num.share(312.4, 406) == "312.4/406"
    assert num.share(755.0, 3784) == "755/3,784"


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_what_is_not_a_number_is_never_shown(value: float):
    with pytest.raises(ValueError, match="finite numbers or none at all"):
        num.percent(value, 10)


def test_average_ranks_keep_their_half():
    assert (num.rank(7.0), num.rank(7.5)) == ("7", "7.5")


def test_direction_overrides_and_controls_leave_a_name():
    assert num.clean("evil\u202eexe\u202c\x00 a\nb") == "evilexe a b"


@settings(deadline=None)
@given(st.lists(st.text(max_size=120), max_size=12), st.integers(12, 40))
def test_short_names_are_short_and_tell_all_names_apart(names: list[str], width: int):
    shown = num.short_names(names, width)
    assert set(shown) == set(names)
    assert len(set(shown.values())) == len(shown)
    assert all(len(text) <= width for text in shown.values())


def test_sentences_begin_with_a_capital_and_end_once():
    assert num.sentence("wilson interval") == "Wilson interval."
    assert num.sentence("Done.") == "Done."
    assert num.sentence("") == ""
