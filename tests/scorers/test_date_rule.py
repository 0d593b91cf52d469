from __future__ import annotations

import pytest

from finassay.errors import SpecError
from finassay.scorers.dates import Dates
from scoring import mark


@pytest.mark.parametrize(
    ("reference", "reply", "value"),
    [
        ("1 January 2027", "2027-01-01", 1.0),
        ("1 January 2027", "It starts on January 1, 2027.", 1.0),
        ("1 January 2027", "二〇二七年一月一日", 1.0),
        ("1 April 2027", "the first day of April 2027", 1.0),
        ("13 February 2027", "13/02/2027", 1.0),
        ("1 January 2027", "1 January 2026", 0.0),
        ("1 January 2027", "2 January 2027", 0.0),
        ("April 2027", "1 April 2027", 0.0),
        ("1 January 2027", "In 1 March 2020 it was drafted. Answer: 1 January 2027", 1.0),
        ("FY 2026-27", "in FY27", 1.0),
        ("FY 2026-27", "FY 2025-26", 0.0),
        ("Q2 FY2023", "Q3 FY2023", 0.0),
    ],
)
def test_dates_are_compared_part_by_part(reference: str, reply: str, value: float):
    assert mark("date", reference, reply).value == value


@pytest.mark.parametrize(
    ("reference", "reply", "status"),
    [
        ("1 January 2027", "after 30 days", "unparsed"),
        ("30 days", "30 October 2026", "not_applicable"),
        ("30", "30", "not_applicable"),
        ("Section 5 may apply", "5 May", "not_applicable"),
        ("1 January 2027", "FY 2026-27", "unparsed"),
    ],
)
def test_durations_numbers_and_prose_are_no_dates(reference: str, reply: str, status: str):
    assert mark("date", reference, reply).status == status


@pytest.mark.parametrize(
    ("order", "february", "january"),
    [("day-first", 1.0, 0.0), ("month-first", 0.0, 1.0), ("either", 1.0, 1.0)],
)
def test_the_order_of_day_and_month_is_a_declared_policy(
    order: str, february: float, january: float
):
    rule = Dates(order=order)
    for reference, value in (("1 February 2027", february), ("2 January 2027", january)):
        found = mark(rule, reference, "01/02/2027")
        assert found.value == value
        assert "ambiguous-date" in found.flags


def test_an_ambiguous_date_can_be_left_unparsed():
    found = mark('date[order="reject"]', "1 February 2027", "01/02/2027")
    assert (found.status, found.flags) == ("unparsed", ("ambiguous-date",))


def test_a_finer_date_answers_a_coarser_reference_only_when_told_to():
    for reference, reply in (("April 2027", "1 April 2027"), ("31 March", "31 March 2026")):
        assert mark("date", reference, reply).value == 0.0
        assert "coarser-date" in mark("date", reference, reply).flags
        assert mark('date[precision="reference"]', reference, reply).value == 1.0
        assert mark('date[precision="reference"]', reply, reference).value == 0.0


@pytest.mark.parametrize(("take", "value"), [("first", 1.0), ("last", 0.0), ("only", None)])
def test_which_of_several_dates_counts_is_a_declared_policy(take: str, value: float | None):
    found = mark(Dates(take=take), "1 May 2027", "1 May 2027, after 3 June 2020 and 1 May 2027")
    expected = {"first": 1.0, "last": 0.0, "only": None}[take]
    assert found.value == expected == value
    assert "several-dates" in found.flags


def test_the_months_of_a_financial_year_answer_it_only_when_told_to():
    reply = "1 April 2026 to 31 March 2027"
    plain = mark("date", "FY 2026-27", reply)
    assert plain.value == 0.0
    assert "financial-year" in plain.flags
    assert mark("date[months_of_year=true]", "FY 2026-27", reply).value == 1.0
    assert mark("date[months_of_year=true]", "FY 2025-26", reply).value == 0.0


def test_policies_share_one_measure():
    assert Dates(take="last", order="either").measure_key == Dates().measure_key


@pytest.mark.parametrize(("field", "value"), [("take", "middle"), ("order", "dmy")])
def test_policies_that_do_not_exist_are_refused(field: str, value: str):
    with pytest.raises(SpecError, match=f"`{field}` of Dates must be one of"):
        Dates(**{field: value})
