from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.text.folding import fold
from finassay.text.quantities import read_quantities
from reference import spelled

pytestmark = pytest.mark.full

quick = settings(deadline=None, max_examples=250)
AMOUNTS = st.decimals(min_value=0, max_value=10**9, places=2, allow_nan=False)
WHOLE = st.integers(0, 10**12)


def western(value: Decimal | int) -> str:
    return f"{value:,}"


def indian(value: int) -> str:
    digits = str(value)
    if len(digits) <= 3:
        return digits
    head, tail = digits[:-3], digits[-3:]
    pairs = []
    while head:
        pairs.insert(0, head[-2:])
        head = head[:-2]
    return ",".join([*pairs, tail])


@quick
@given(value=AMOUNTS, sign=st.sampled_from(["", "-"]), money=st.sampled_from(["", "$", "Rs. "]))
def test_a_formatted_amount_is_read_back(value: Decimal, sign: str, money: str):
    (quantity,) = read_quantities(f"It was {sign}{money}{western(value)} then")
    assert quantity.value == (-value if sign else value)
    assert quantity.step == Decimal("0.01")


@quick
@given(value=WHOLE)
def test_indian_and_western_grouping_are_read_alike(value: int):
    (first,) = read_quantities(f"Rs. {indian(value)}")
    (second,) = read_quantities(f"Rs. {western(value)}")
    assert first.value == second.value == value


@quick
@given(value=st.integers(0, 10**15 - 1))
def test_english_words_are_read_back(value: int):
    (quantity,) = read_quantities(f"{spelled.english(value)} days")
    assert quantity.value == value
    assert quantity.words


@quick
@given(value=st.integers(1, 10**12 - 1))
def test_indian_words_are_read_back(value: int):
    (quantity,) = read_quantities(f"{spelled.indian(value)} rupees")
    assert quantity.value == value


@quick
@given(value=st.integers(0, 10**16 - 1))
def test_chinese_numerals_are_read_back(value: int):
    (quantity,) = read_quantities(f"{spelled.chinese(value)}元")
    assert (quantity.value, quantity.unit) == (value, "CNY")


PIECES = st.sampled_from(
    ["1", "12", "1,234", "5.5", ".5", "2019", "2019-20", "01/02/2027", "(", ")", "$", "₹", "Rs.",
     "%", " per cent", " million", " crore", "k", "m", "x", "-", "–", " to ", " and ", "between ",
     "thirty", "one", "half a ", "hundred", "third", "days", "Section ", "(b)", "of ", "March ",
     "FY", "Q2 ", "三", "百", "万", "分之", "元", "月", "半", "**", "\\text{", "&#8377;", "\u200b",
     "\u00a0", " ", "\n", ". ", ", ", ":", "=", "/", "½", "①", "²", "e", "×", "10", "at least ",
     "≥", "İ", "१", "[1]", "no. "]
)  # fmt: skip


@settings(deadline=None, max_examples=600)
@given(text=st.lists(PIECES, max_size=14).map("".join))
def test_spans_rise_and_each_reads_the_same_alone(text: str):
    until = 0
    for quantity in read_quantities(text):
        assert until <= quantity.start < quantity.end <= len(text)
        until = quantity.end
        alone = text[quantity.start : quantity.end]
        # A sign that stands apart is one only after what it is a sign of: "= - 5".
        lead = "= " if fold(alone).text[1:2].isspace() and alone[0] in "-–" else ""
        (again,) = read_quantities(lead + alone)
        assert (again.value, again.high) == (quantity.value, quantity.high)


@quick
@given(text=st.text(max_size=120))
def test_no_text_makes_the_reader_raise(text: str):
    for quantity in read_quantities(text):
        assert quantity.value.is_finite()
        assert quantity.step >= 0
        assert quantity.high is None or quantity.high > quantity.value
