"""Faults that are really made end as the page says; `scripts/fault_table.py` makes all of them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "scripts"))

from fault_table import CASES, END, MARK, PAGE, differences, row_of, unmet

from fault_cases import Case

QUICK = [case for case in CASES if case.is_quick]


def test_the_page_has_a_row_for_every_case_and_no_other():
    page = PAGE.read_text(encoding="utf-8")
    table = page.partition(MARK)[2].partition(END)[0]
    named = [tuple(line.split(" | ")[:2]) for line in table.strip().splitlines()[2:]]
    assert named == [(f"| {case.fault}", case.during) for case in CASES]


@pytest.mark.full
@pytest.mark.parametrize("case", QUICK, ids=lambda case: case.name)
def test_a_fault_ends_as_the_page_says(case: Case):
    lacks = unmet([case])
    if lacks:
        pytest.skip("; ".join(lacks.values()))
    row = row_of(case, 1)
    assert row.faults == ()
    assert differences([row]) == []


@pytest.mark.long
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_every_fault_ends_as_the_page_says(case: Case):
    lacks = unmet([case])
    if lacks:
        pytest.skip("; ".join(lacks.values()))
    row = row_of(case, 3)
    assert row.faults == ()
    assert differences([row]) == []
