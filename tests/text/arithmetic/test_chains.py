"""Sums read out of free text: what a side is, and what it is worth."""

import time
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.text.arithmetic import (
    Known,
    Side,
    UnknownValueError,
    chains_in,
    evaluate,
    exact,
    has_operation,
    lone_number,
    names_of,
)
from reference.plain_arithmetic import value_of

numbers = st.one_of(
    st.integers(0, 9999).map(str),
    st.decimals(0, 999, places=2, allow_nan=False, allow_infinity=False).map(str),
)


def grown(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.tuples(inner, st.sampled_from("+-*/"), inner).map(lambda t: f"{t[0]} {t[1]} {t[2]}"),
        inner.map(lambda text: f"({text})"),
        inner.map(lambda text: f"-({text})"),
        st.tuples(inner, st.integers(0, 3)).map(lambda t: f"({t[0]})**{t[1]}"),
    )


def sides(text: str) -> list[Fraction | None]:
    (chain,) = chains_in(text)
    return [side_value(side) for side in chain.sides]


def side_value(side: Side) -> Fraction | None:
    if side.node is None or not side.is_whole:
        return None
    try:
        return evaluate(side.node).value
    except UnknownValueError:
        return None


@settings(deadline=None, max_examples=150)
@given(st.recursive(numbers, grown, max_leaves=8))
def test_an_expression_is_worth_what_python_says(text: str):
    (chain,) = chains_in(f"{text} = 1")
    try:
        expected = value_of(text)
    except ZeroDivisionError:
        with pytest.raises(UnknownValueError):
            evaluate(chain.sides[0].node)
        return
    assert chain.sides[0].is_whole
    assert evaluate(chain.sides[0].node).value == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("5 + 3 = 8", [8, 8]),
        ("The area is 4 x 5 = 20 m", [None, 20, 20]),
        (r"\frac{1}{2} \times 6 = 3", ["3", 3]),
        (r"\(\sqrt{16} = 4\)", [4, 4]),
        ("3 1/2 = 3.5", ["7/2", "7/2"]),
        ("2³ = 8", [8, 8]),
        ("½ × 10 = 5", [5, 5]),
        ("20% of 50 = 10", [10, 10]),
        ("12 plus 3 times 2 equals 18", [18, 18]),
        ("$1,200 million + $0.3 billion = $1.5 billion", [1_500_000_000, 1_500_000_000]),
        ("10,00,000 / 10 = 1,00,000", [100_000, 100_000]),
        ("100 + 10% = 110", [110, 110]),
        ("17 % 5 = 2", [2, 2]),
        ("5! + 1 = 121", [121, 121]),
        ("|3 - 8| * 2 = 10", [10, 10]),
        ("-2^2 = -4", [-4, -4]),
        ("2 squared = 4", [4, 4]),
        ("$100 (rent) + $50 (2021) = $150", [150, 150]),
        ("(505) million / 5 = -101 million", [-101_000_000, -101_000_000]),
        ("**5 + 3 = 8**", [8, 8]),
        ("5 hours + 3 hours = 8 hours", [8, 8]),
    ],
)
def test_a_sum_in_prose_or_latex_is_read(text: str, expected: list):
    assert sides(text) == [None if value is None else Fraction(value) for value in expected]


@pytest.mark.parametrize(
    "text",
    [
        "1 + 2 + ... + 10 = 55",
        "price per unit * 5 = 10",
        "half of 10 + 4 = 9",
        "1/2x = 4",
        "5 times the price = 10",
        "5 / 0 = 3",
        "2 ^ 999 = 1",
        "9" * 60 + " + 1 = 2",
        "(" * 50 + "1" + ")" * 50 + " = 1",
    ],
)
def test_a_side_that_is_cut_off_ambiguous_or_too_large_has_no_value(text: str):
    (chain,) = chains_in(text)
    assert side_value(chain.sides[0]) is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no figures here",
        "2020-21 was a good year",
        "1 April + 120 days = 29 July",
        "March 5, 2025 + 21 days = March 26",
        "<b>bold</b>",
    ],
)
def test_where_nothing_is_computed_nothing_is_read(text: str):
    assert all(
        side_value(side) is None or not has_operation(side.node)
        for chain in chains_in(text)
        for side in chain.sides
    )


def test_a_chain_goes_on_over_lines_and_knows_where_it_stands():
    text = "Total\n= 4 * 5\n= 20.\nNext: 1 + 1 = 2"
    first, second = chains_in(text)
    assert first.sides[0].label == ("total",)
    assert [text[side.start : side.end] for side in first.sides[1:]] == ["4 * 5", "20"]
    assert text[second.start : second.end] == "1 + 1 = 2"


def test_letters_and_functions_take_the_values_they_are_given():
    (chain,) = chains_in("2x + f(3) = 1")
    node = chain.sides[0].node
    (defined,) = chains_in("f(t) = t^2 - 1")
    known = Known({"x": exact(5)}, {"f": ("t", defined.sides[1].node)})
    assert names_of(node) == {"x"}
    assert evaluate(node, known).value == 18
    with pytest.raises(UnknownValueError):
        evaluate(node)


def test_a_function_that_calls_itself_has_no_value():
    (chain,) = chains_in("f(x) = f(x) + 1")
    body = chain.sides[1].node
    with pytest.raises(UnknownValueError):
        evaluate(body, Known({"x": exact(1)}, {"f": ("x", body)}))


def test_decimals_spread_half_a_digit_and_whole_numbers_none():
    (chain,) = chains_in("2.5 * 4 = 10")
    found = evaluate(chain.sides[0].node)
    assert (found.low, found.value, found.high) == (Fraction("9.8"), 10, Fraction("10.2"))
    assert lone_number(chain.sides[1].node) == (1, False)


@pytest.mark.parametrize(
    "unit", ["1+", "(", "2 = 2 * ", "f(", "|", r"\frac{", "3 and ", "x ", "^2"]
)
def test_time_grows_with_the_length_of_the_text_and_not_faster(unit: str):
    def spent(size: int) -> float:
        text = unit * (size // len(unit))
        start = time.process_time()
        chains_in(text)
        return time.process_time() - start

    # Where tests before left much in memory, one of the three may wait for its collection.
    spent(2_000)
    short, long = (min(spent(size) for _ in range(3)) for size in (10_000, 40_000))
    assert long < 12 * max(short, 0.01)


def test_a_sum_without_end_is_passed_over_in_time_linear_in_its_length():
    started = time.process_time()
    (chain,) = chains_in("1+" * 5_000 + "1 = 2")
    assert time.process_time() - started < 5
    assert not chain.sides[0].is_whole
    assert chain.sides[1].is_whole
