"""Readers on texts of growing length that they like least: work grows no faster than the text.

Work is counted in calls, which no other process can slow down.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

import pytest

from finassay.text.content_words import content_stems
from finassay.text.dates import read_dates
from finassay.text.final_answers import statements
from finassay.text.financial_years import read_financial_years
from finassay.text.folding import MOST, both_ends
from finassay.text.polarity import read_directions, read_hedges, read_negations, read_polarity
from finassay.text.provisions import read_provisions
from finassay.text.quantities import read_quantities
from finassay.text.refusals import read_refusals

pytestmark = pytest.mark.full

READERS = {
    reader.__name__: reader
    for reader in (
        content_stems, read_dates, read_directions, read_financial_years, read_hedges,
        read_negations, read_polarity, read_provisions, read_quantities, read_refusals, statements,
    )
}  # fmt: skip
SHAPES = (
    "1 ", "1,", "Rs. 5 crore to US$ 1,23,456 million, ", "5 % ", "one hundred and ",
    "not less than at least ", "Section 12A(3)(b), ", "31 March 2020, 31/12/2020 and ",
    "FY 2012-13 ", "1. a\n", "not no never n't ", "cannot be determined from the ", "一二三四五",
    "| 1,234 | (56) |\n", "e.g. Rs. No. i.e. ", "up or down, so yes ",
)  # fmt: skip
SHORT = 6_000


def calls(reader: Callable[[str], object], text: str) -> int:
    """Return how many calls, of functions and of built-ins, a reader makes."""
    counted = 0

    def count(_frame: object, event: str, _arg: object) -> None:
        nonlocal counted
        counted += event in {"call", "c_call"}

    sys.setprofile(count)
    try:
        reader(text)
    finally:
        sys.setprofile(None)
    return counted


@pytest.mark.parametrize("name", READERS)
def test_twice_the_text_is_at_most_twice_the_work(name: str):
    reader = READERS[name]
    for shape in SHAPES:
        once, twice = ((shape * (length // len(shape))) for length in (SHORT, 2 * SHORT))
        reader(once)
        assert calls(reader, twice) <= 2.1 * calls(reader, once) + 200, shape


def test_a_text_of_figures_alone_is_read_at_both_ends():
    text = "1 and " * (3 * MOST) + "2"
    found = read_quantities(text)
    assert len(found) == MOST
    assert [(found[0].start, found[0].value), found[-1].value] == [(0, 1), 2]


@pytest.mark.parametrize("length", [0, 1, MOST - 1, MOST, MOST + 1, 3 * MOST])
def test_both_ends_hold_the_first_and_the_last(length: int):
    def numbers() -> Iterator[int]:
        yield from range(length)

    half = MOST // 2
    whole = list(range(length))
    assert both_ends(numbers()) == (
        whole if length <= MOST else [*range(half), *range(length - half, length)]
    )
