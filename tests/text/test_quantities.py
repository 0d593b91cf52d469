from __future__ import annotations

from decimal import Decimal

import pytest

from finassay.text.dates import read_dates
from finassay.text.financial_years import read_financial_years
from finassay.text.folding import MOST
from finassay.text.provisions import read_provisions
from finassay.text.quantities import Quantity, read_quantities
from finassay.text.readings import read_all
from quantity_forms import FORMS


def figure(value: Decimal) -> str:
    whole = value.quantize(Decimal(1)) if value == value.to_integral_value() else value.normalize()
    return f"{whole:f}"


def brief(quantity: Quantity) -> str:
    """Return a quantity in one line: value, upper end, kind, unit, comparator, maybe a year."""
    parts = [figure(quantity.value)]
    if quantity.high is not None:
        parts[0] += f"..{figure(quantity.high)}"
    parts += [] if quantity.kind == "plain" else [quantity.kind]
    parts += [quantity.unit] if quantity.unit else []
    parts += [] if quantity.comparator == "none" else [quantity.comparator]
    parts += ["year?"] if quantity.bare_year else []
    return " ".join(parts)


def briefs(text: str) -> list[str]:
    return [brief(quantity) for quantity in read_quantities(text)]


@pytest.mark.parametrize(("text", "expected"), FORMS)
def test_what_is_read_is_what_a_careful_reader_reads(text: str, expected: list[str]):
    assert briefs(text) == expected


@pytest.mark.parametrize(
    ("text", "step", "scale"),
    [
        ("8.7 billion", "100000000", "1000000000"),
        ("30", "1", "1"),
        ("8.70", "0.01", "1"),
        ("1,577", "1", "1"),
        ("12.5 crore", "1000000", "10000000"),
        ("5%", "1", "1"),
        ("two-thirds", "0", "1"),
        ("3亿", "100000000", "100000000"),
        ("三亿", "100000000", "1"),
        ("five million", "1000000", "1"),
        ("50 paise", "0.01", "0.01"),
        ("$5-7 million", "1000000", "1000000"),
    ],
)
def test_the_step_is_one_unit_of_the_last_digit_shown(text: str, step: str, scale: str):
    (quantity,) = read_quantities(text)
    assert (quantity.step, quantity.scale) == (Decimal(step), Decimal(scale))


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("It was **$5** million.", "$5** million"),
        ("a fee of Rs. 500/- only", "Rs. 500/-"),
        ("thirty (30) days", "thirty (30) days"),
        ("falls between 5 and 7 days", "between 5 and 7 days"),
        ("about minus ten per cent", "minus ten per cent"),
        ("a loss of $(1,234) million", "$(1,234) million"),
        ("&#8377;500 each", "&#8377;500"),
    ],
)
def test_the_span_is_all_that_belongs_to_the_figure(text: str, span: str):
    (quantity,) = read_quantities(text)
    assert text[quantity.start : quantity.end] == span


def test_readings_share_one_pass_and_agree_with_the_readers():
    text = "Under **Regulation 30(6)** of 1 April 2024, Q2 FY2024 sales were Rs. 12.5 crore."
    readings = read_all(text)
    assert readings.quantities == read_quantities(text)
    assert readings.dates == read_dates(text)
    assert readings.financial_years == read_financial_years(text)
    assert readings.provisions == read_provisions(text)
    assert [len(found) for found in (readings.quantities, readings.provisions)] == [1, 1]


def test_only_the_first_and_last_figures_of_a_hostile_text_are_looked_at():
    text = " ".join(str(number) for number in range(10, 10 + 3 * MOST))
    quantities = read_quantities(text)
    assert len(quantities) == MOST
    assert (quantities[0].value, quantities[-1].value) == (10, 9 + 3 * MOST)
