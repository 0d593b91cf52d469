import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finassay.study.adjudication.cells import (
    CELL_CHARACTERS,
    chunks,
    compared,
    guarded,
    unguarded,
    xml_escaped,
    xml_unescaped,
)
from finassay.study.adjudication.draws import UnitKey, unit_id_of

TEXTS = st.text(st.characters(exclude_categories=("Cs",)), max_size=60)

DANGEROUS = [
    "=1+1",
    "=cmd|' /C calc'!A0",
    '=HYPERLINK("http://x","y")',
    "+1",
    "-1",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    "\n=1",
    "  =1+1",
    "＝1+1",
    "%0A=1",
]

CONVERTED = ["1E5", "00123", "3/4", "2024-01-02", "5 Mar", "March 5, 2024", "12:30", "TRUE", "50%"]


@pytest.mark.parametrize("text", [*DANGEROUS, *CONVERTED])
def test_what_a_spreadsheet_would_run_or_convert_is_guarded(text: str):
    assert guarded(text) == f"'{text}"


@pytest.mark.parametrize(
    "text", ["", "yes", "The rate is 26.", "a = b", "Section 30(6) applies to it"]
)
def test_prose_is_left_as_it_is(text: str):
    assert guarded(text) == text


@given(TEXTS)
def test_a_guarded_text_comes_back_exactly(text: str):
    assert unguarded(guarded(text)) == text


@given(TEXTS)
def test_no_guarded_cell_begins_like_a_formula(text: str):
    cell = guarded(text)
    assert cell[:1] not in set("=+-@\t\r\n")
    assert cell.strip()[:1] not in set("=+-@")


@given(
    st.one_of(TEXTS, st.from_regex(r"(_x[0-9A-Fa-f]{4}_|_x005F_|\x00|\r|a){0,6}", fullmatch=True))
)
def test_an_escaped_text_comes_back_exactly_and_holds_nothing_that_xml_lacks(text: str):
    cell = xml_escaped(text)
    assert xml_unescaped(cell) == text
    assert not re.search("[\x00-\x08\x0b-\x1f]", cell)


def test_a_text_is_never_cut_but_goes_on_in_the_next_column():
    text = "x" * (2 * CELL_CHARACTERS + 1)
    pieces = chunks(text)
    assert [len(piece) for piece in pieces] == [CELL_CHARACTERS, CELL_CHARACTERS, 1]
    assert "".join(pieces) == text


def test_comparison_forgives_what_spreadsheets_do_and_nothing_else():
    assert compared("'=1  +1\r\n") == compared("=1 +1")
    assert compared("₹ 5", codec="cp1252") == compared("? 5")
    assert compared("5.1") != compared("5.2")


@given(st.text(max_size=10), st.text(max_size=10), st.integers(0, 9))
def test_codes_of_units_are_a_letter_and_digits(item: str, system: str, trial: int):
    assert re.fullmatch(r"u\d{12}", unit_id_of(UnitKey(item, system, trial)))
