"""Where provisions and headings begin."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.retrieval.structure import kind_of_title, marks_of

REGULATIONS = "SEBI (Listing Obligations and Disclosure Requirements) Regulations, 2015"
TEXT = """CHAPTER IV
OBLIGATIONS OF A LISTED ENTITY

30. (1) Every listed entity shall make disclosures, as follows:—
(a) events in Para A;
(b) events in Para B; and
(i) the first;
(ii) the second.
Provided that the entity shall.
(2) Events specified in regulation
15. The board shall.
31. Holding.- (1) The entity shall. (2) Something else; (h) x; (i) y.
SCHEDULE III
1. Acquisition
"""


def opened(text: str, title: str = "") -> list[str]:
    return [mark.clause for mark in marks_of(text, title=title) if mark.opens]


def test_levels_of_a_provision_are_told_apart_by_their_numbers() -> None:
    assert opened(TEXT, REGULATIONS) == [
        "regulation 30",
        "regulation 30(1)",
        "regulation 30(1)(a)",
        "regulation 30(1)(b)",
        "regulation 30(1)(b)(i)",
        "regulation 30(1)(b)(ii)",
        "regulation 30(2)",
        "regulation 31",
        "regulation 31(1)",
        "regulation 31(2)",
        "regulation 31(2)(h)",
        "regulation 31(2)(i)",
        "1",
    ]


def test_a_proviso_stays_within_its_provision() -> None:
    marks = {TEXT[mark.start :][:8]: mark for mark in marks_of(TEXT, title=REGULATIONS)}
    assert marks["Provided"].clause == "regulation 30(1)(b)(ii)"
    assert not marks["Provided"].opens


def test_headings_are_kept_with_what_stands_under_them() -> None:
    headings = {mark.heading for mark in marks_of(TEXT)}
    assert headings == {"CHAPTER IV", "OBLIGATIONS OF A LISTED ENTITY", "SCHEDULE III"}


def test_entries_of_a_schedule_are_not_regulations() -> None:
    assert opened(TEXT, REGULATIONS)[-1] == "1"


@pytest.mark.parametrize(
    ("line", "clause"),
    [
        ("Regulation 24A(1): A credit rating agency shall not", "regulation 24A(1)"),
        ("Regulation 16(3) (pre-2018): A credit rating agency", "regulation 16(3)"),
        ("Section 12A. No person shall", "section 12A"),
        ("Reg. 30 (6) — The entity", "regulation 30(6)"),
        ("4.2.1 Banks shall hold", "4.2.1"),
        ("# Scope\n12. Banks shall hold", "12"),
    ],
)
def test_a_provision_is_opened_by_its_name_or_number(line: str, clause: str) -> None:
    assert opened(line) == [clause]


@pytest.mark.parametrize(
    "text",
    [
        "Regulation 30(6) requires that an entity disclose.",
        "as required under\n30. The board",
        "a fee of Rs. 500. and more",
        "see section 5(1)(a), (b) and (c) of the Act",
        "under clause\n(b) above",
    ],
)
def test_a_provision_that_is_cited_is_not_opened(text: str) -> None:
    assert opened(text) == []


@pytest.mark.parametrize(
    ("title", "kind"),
    [
        (REGULATIONS, "regulation"),
        ("Securities Contracts (Regulation) Rules, 1957", "rule"),
        ("Reserve Bank of India Act, 1934", "section"),
        ("Master Direction on dividends", "paragraph"),
        ("A note", ""),
    ],
)
def test_the_title_says_what_provisions_are_called(title: str, kind: str) -> None:
    assert kind_of_title(title) == kind


@settings(deadline=None)
@given(st.text(alphabet="(a)1.2iv \n:;ABCreg#-—", max_size=300))
def test_marks_rise_and_lie_within_the_text(text: str) -> None:
    starts = [mark.start for mark in marks_of(text)]
    assert starts == sorted(set(starts))
    assert all(0 <= start < len(text) for start in starts)
