from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.text.provisions import read_provisions

quick = settings(deadline=None, max_examples=200)


def named(text: str) -> list[str]:
    return [f"{provision.kind} {provision.number}" for provision in read_provisions(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Regulation 30(6)", ["regulation 30(6)"]),
        ("Reg. 30(6)", ["regulation 30(6)"]),
        ("Regulation 30 (6)", ["regulation 30(6)"]),
        ("Section 12A", ["section 12A"]),
        ("section 12", ["section 12"]),
        ("Sec. 5", ["section 5"]),
        ("§4.2", ["section 4.2"]),
        ("§§ 4, 5", ["section 4", "section 5"]),
        ("Rule 10b-5", ["rule 10b-5"]),
        ("Article 21", ["article 21"]),
        ("Article 21; Article 21", ["article 21", "article 21"]),
        ("Schedule III", ["schedule III"]),
        ("Schedule III Part A", ["schedule III", "part A"]),
        ("Chapter IV", ["chapter IV"]),
        ("para 5", ["paragraph 5"]),
        ("clause (b)", ["clause (b)"]),
        ("sub-section (2)", ["sub-section (2)"]),
        ("clause (b) of sub-regulation (6) of regulation 30", ["regulation 30(6)(b)"]),
        ("sub-section (2) of section 11", ["section 11(2)"]),
        ("Sections 4 to 6", ["section 4", "section 5", "section 6"]),
        ("Sections 4, 5 and 6", ["section 4", "section 5", "section 6"]),
        ("Sections 4-6", ["section 4", "section 5", "section 6"]),
        ("Regulations 24 to 27", [f"regulation {number}" for number in range(24, 28)]),
        ("Sections 4 and 5 million", ["section 4"]),
        ("Sections 4 and 30 days", ["section 4"]),
        ("Section 5 and 7", ["section 5"]),
        ("Section 5 and 7A", ["section 5", "section 7A"]),
        ("SECTION 13 OR 15(d)", ["section 13", "section 15(d)"]),
        ("Section 5(1)(a), (b)", ["section 5(1)(a)", "section 5(1)(b)"]),
        ("Section 5(1)(a) and (2)", ["section 5(1)(a)", "section 5(2)"]),
        ("Section 5(1)(a); Section 5(1)(b)", ["section 5(1)(a)", "section 5(1)(b)"]),
        ("第三十条第二款", ["article 30", "paragraph 2"]),
        ("第30条第2款", ["article 30", "paragraph 2"]),
        ("第一百二十三条", ["article 123"]),
        ("**Regulation 30(6)**", ["regulation 30(6)"]),
        ("the section I wrote", []),
        ("part a of it", []),
        ("the company's 5", []),
        ("in part 5% of sales", []),
        ("sections", []),
        ("30(6)", []),
    ],
)
def test_references_are_read_one_by_one(text: str, expected: list[str]):
    assert named(text) == expected


def test_the_span_of_a_reference_starts_with_its_head():
    text = "under clause (b) of section 5, and"
    (provision,) = read_provisions(text)
    assert text[provision.start : provision.end] == "clause (b) of section 5"


@quick
@given(first=st.integers(1, 400), width=st.integers(1, 20))
def test_a_range_holds_every_number_of_it(first: int, width: int):
    expected = [f"section {number}" for number in range(first, first + width + 1)]
    assert named(f"Sections {first} to {first + width}") == expected


@quick
@given(text=st.text(alphabet="sectionregulaSRP §()0123456789abIVX,.-and ", max_size=60))
def test_no_text_makes_the_reader_raise(text: str):
    for provision in read_provisions(text):
        assert 0 <= provision.start < provision.end <= len(text)
        assert provision.number
