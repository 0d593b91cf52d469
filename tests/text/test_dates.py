from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.text.dates import read_dates

quick = settings(deadline=None, max_examples=200)


def parts(text: str) -> list[tuple[int | None, int | None, int | None]]:
    return [(reading.year, reading.month, reading.day) for reading in read_dates(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2027-01-01", [(2027, 1, 1)]),
        ("2027-01-01T10:00", [(2027, 1, 1)]),
        ("2023/06/30", [(2023, 6, 30)]),
        ("1 January 2027", [(2027, 1, 1)]),
        ("1 Jan 2027", [(2027, 1, 1)]),
        ("1 Jan. 2027", [(2027, 1, 1)]),
        ("January 1, 2027", [(2027, 1, 1)]),
        ("Jan 1 2027", [(2027, 1, 1)]),
        ("1st July 2022", [(2022, 7, 1)]),
        ("1st day of July, 2022", [(2022, 7, 1)]),
        ("the first day of April 2027", [(2027, 4, 1)]),
        ("30th June, 2023", [(2023, 6, 30)]),
        ("31-Mar-2024", [(2024, 3, 31)]),
        ("31.12.2020", [(2020, 12, 31)]),
        ("13/02/2027", [(2027, 2, 13)]),
        ("02/13/2027", [(2027, 2, 13)]),
        ("20270101", [(2027, 1, 1)]),
        ("2024年3月31日", [(2024, 3, 31)]),
        ("二〇二七年一月一日", [(2027, 1, 1)]),
        ("二〇二七年十二月三十一日", [(2027, 12, 31)]),
        ("2024年3月", [(2024, 3, None)]),
        ("2024年", [(2024, None, None)]),
        ("于2024-03-31披露", [(2024, 3, 31)]),
        ("March 2021", [(2021, 3, None)]),
        ("Dec-21", [(2021, 12, None)]),
        ("Mar'22", [(2022, 3, None)]),
        ("31 March", [(None, 3, 31)]),
        ("May 5", [(None, 5, 5)]),
        ("from 1 April 2026 to 31 March 2027", [(2026, 4, 1), (2027, 3, 31)]),
        ("**March 31, 2018**", [(2018, 3, 31)]),
        ("April 20-24, 2026", [(2026, 4, 20), (2026, 4, 24)]),
        ("20 to 24 April 2026", [(2026, 4, 20), (2026, 4, 24)]),
        ("May 5-4", []),
        ("Section 5 May apply", []),
        ("Section 5 may apply", []),
        ("it may 5 times", []),
        ("a march 3 miles", []),
        ("March 5 million", []),
        ("30 days", []),
        ("12:30", []),
        ("2018", []),
        ("31 February 2021", []),
        ("29 February 2021", []),
        ("29 February 2024", [(2024, 2, 29)]),
        ("32/01/2020", []),
        ("12.07", []),
        ("4.2.1", []),
        ("maybe 2021", []),
        ("123456789", []),
    ],
)
def test_only_strict_dates_are_read(text: str, expected: list[tuple[int | None, ...]]):
    assert parts(text) == expected


def test_figures_that_are_two_dates_are_read_day_first_and_marked():
    (reading,) = read_dates("due on 01/02/2027")
    assert (reading.year, reading.month, reading.day) == (2027, 2, 1)
    assert reading.ambiguous
    assert reading.alternative == (2027, 1, 2)


@pytest.mark.parametrize("text", ["13/02/2027", "02/13/2027", "05/05/2027", "1 February 2027"])
def test_figures_that_are_one_date_are_not_ambiguous(text: str):
    (reading,) = read_dates(text)
    assert not reading.ambiguous
    assert reading.alternative is None


@quick
@given(
    day=st.dates(min_value=date(1900, 1, 1), max_value=date(2099, 12, 31)),
    form=st.sampled_from(
        ["%Y-%m-%d", "%d %B %Y", "%B %d, %Y", "%d %b %Y", "%d-%b-%Y", "%Y年%m月%d日", "%Y%m%d"]
    ),
    lead=st.sampled_from(["", "on ", "(", "by "]),
)
def test_every_day_in_every_unambiguous_form_is_read_back(day: date, form: str, lead: str):
    text = f"{lead}{day.strftime(form)}."
    (reading,) = read_dates(text)
    assert (reading.year, reading.month, reading.day) == (day.year, day.month, day.day)
    assert text[reading.start : reading.end] == day.strftime(form)


@quick
@given(text=st.text(max_size=80))
def test_no_text_makes_the_reader_raise_and_spans_rise(text: str):
    edges = [edge for reading in read_dates(text) for edge in (reading.start, reading.end)]
    assert edges == sorted(edges)
    assert all(0 <= edge <= len(text) for edge in edges)
