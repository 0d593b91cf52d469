from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.text.financial_years import FinancialYear, read_financial_years


def brief(reading: FinancialYear) -> str:
    parts = [f"{reading.first_year or ''}-{reading.last_year}"]
    parts += [f"Q{reading.quarter}"] if reading.quarter else []
    parts += [f"H{reading.half}"] if reading.half else []
    parts += [f"ends in {reading.end_month}"] if reading.end_month else []
    parts += ["calendar"] if reading.calendar else []
    return " ".join(parts)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("FY 2012-13", ["2012-2013"]),
        ("FY2012-2013", ["2012-2013"]),
        ("2021-22", ["2021-2022"]),
        ("1999-00", ["1999-2000"]),
        ("F.Y. 2012-13", ["2012-2013"]),
        ("financial year 2012-13", ["2012-2013"]),
        ("financial years 2012–13", ["2012-2013"]),
        ("FY2018", ["-2018"]),
        ("FY18", ["-2018"]),
        ("FY'22", ["-2022"]),
        ("fiscal 2020", ["-2020"]),
        ("fiscal year 2020", ["-2020"]),
        ("FY2023E", ["-2023"]),
        ("FY18-FY20", ["-2018", "-2020"]),
        ("Q2 FY2023", ["-2023 Q2"]),
        ("FY2023Q1", ["-2023 Q1"]),
        ("second quarter of fiscal 2020", ["-2020 Q2"]),
        ("Q2 2023", ["-2023 Q2 calendar"]),
        ("2023 Q2", ["-2023 Q2 calendar"]),
        ("2Q23", ["-2023 Q2 calendar"]),
        ("third quarter of 2019", ["-2019 Q3 calendar"]),
        ("first half of 2020", ["-2020 H1 calendar"]),
        ("H1 FY24", ["-2024 H1"]),
        ("Q3", ["-None Q3 calendar"]),
        ("CY2018", ["-2018 calendar"]),
        ("financial year ended 31 March 2013", ["-2013 ends in 3"]),
        ("fiscal year ended June 30, 2023", ["-2023 ends in 6"]),
        ("year ended December 31, 2019", ["-2019 ends in 12 calendar"]),
        ("2018-2022", []),
        ("2012-15", []),
        ("the quarter", []),
        ("first quarter results", []),
        ("2019", []),
        ("FY", []),
        ("12-13", []),
    ],
)
def test_years_and_quarters_are_read_as_they_are_written(text: str, expected: list[str]):
    assert [brief(reading) for reading in read_financial_years(text)] == expected


def test_the_span_holds_the_whole_name():
    (reading,) = read_financial_years("In **Q2 of FY 2012-13** sales rose")
    assert "In **Q2 of FY 2012-13** sales rose"[reading.start : reading.end] == "Q2 of FY 2012-13"


@settings(deadline=None, max_examples=200)
@given(text=st.text(alphabet="fyFYqQhH1234 -'/endorscal", max_size=60))
def test_no_text_makes_the_reader_raise_and_spans_rise(text: str):
    edges = [edge for found in read_financial_years(text) for edge in (found.start, found.end)]
    assert edges == sorted(edges)
    assert all(0 <= edge <= len(text) for edge in edges)
