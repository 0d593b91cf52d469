"""Packages: ranges as PEP 440 means them, and what each extra lacks."""

from __future__ import annotations

import tomllib
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.reports.doctor.packages import (
    PURPOSES,
    Requirement,
    declared,
    examine_packages,
    is_in_range,
)

LINES = [
    "polars<3,>=2.1",
    "rich>=13.9",
    'fastapi>=0.120; extra == "web"',
    "python-multipart>=0.0.20 ; extra == 'web'",
    'psycopg[binary]>=3.2; extra == "postgres"',
]
ALL = {"polars": "2.1.4", "rich": "14.0", "fastapi": "0.120.1", "python-multipart": "0.0.20"}


@pytest.mark.parametrize(
    ("installed", "wanted", "holds"),
    [
        # The cases are those of the version specifiers specification (PEP 440).
        ("2.1", ">=2.1,<3", True),
        ("2.1.0", ">=2.1,<3", True),
        ("3.0", ">=2.1,<3", False),
        ("2.0.9", ">=2.1", False),
        ("10.0", ">=9", True),
        ("0.1.2", "==0.1.2", True),
        ("0.1.20", "==0.1.2", False),
        ("1.1.post1", "==1.1.*", True),
        ("1.2", "==1.1.*", False),
        ("2.3", "~=2.2", True),
        ("3.0", "~=2.2", False),
        ("1.4.5a4", "~=1.4.5", True),
        ("1.5", "!=1.5", False),
        ("1.5.0", "!=1.5", False),
        ("1.6", "!=1.5", True),
        ("7", "", True),
        ("1!2.0", ">=1.0", True),
    ],
)
def test_a_version_lies_in_its_range_or_not(installed: str, wanted: str, *, holds: bool):
    assert is_in_range(installed, wanted) is holds


releases = st.lists(st.integers(0, 30), min_size=1, max_size=3)


@given(st.lists(releases, min_size=2, max_size=6))
@settings(deadline=None, max_examples=60)
def test_ranges_follow_the_order_of_padded_numbers(numbers: list[list[int]]):
    ordered = sorted([*one, *[0] * (3 - len(one))] for one in numbers)
    for low, high in pairwise(".".join(map(str, one)) for one in ordered):
        assert is_in_range(high, f">={low}")
        assert is_in_range(low, f"<{high}") is (low != high)


def test_lines_of_metadata_are_taken_apart():
    assert declared(LINES)[0] == Requirement("polars", "<3,>=2.1", "")
    assert declared(LINES)[3:] == (
        Requirement("python-multipart", ">=0.0.20", "web"),
        Requirement("psycopg", ">=3.2", "postgres"),
    )


def test_an_extra_that_is_not_there_is_a_note_with_the_command_that_brings_it():
    found = {one.name: one for one in examine_packages(LINES, ALL.get)}
    assert found["finassay"].state == found["web"].state == "ok"
    assert found["postgres"].state == "note"
    assert "people's labels in PostgreSQL" in found["postgres"].said
    assert "pip install 'finassay[postgres]'" in found["postgres"].advice


def test_a_version_out_of_range_is_a_problem_that_names_both():
    old = {**ALL, "fastapi": "0.1", "polars": "3.0"}
    found = {one.name: one for one in examine_packages(LINES, old.get)}
    assert found["web"].state == found["finassay"].state == "problem"
    assert "fastapi 0.1 (expected >=0.120)" in found["web"].said
    assert "out of range: polars 3.0 (expected <3,>=2.1)" in found["finassay"].said


def test_a_package_that_is_always_needed_and_missing_is_a_problem():
    found = next(iter(examine_packages(LINES, {**ALL, "rich": None}.get)))
    assert (found.state, found.said) == ("problem", "missing: rich")


def test_half_an_extra_says_which_half_is_missing():
    found = {o.name: o for o in examine_packages(LINES, {**ALL, "python-multipart": None}.get)}
    assert found["web"].state == "note"
    assert found["web"].said.startswith("python-multipart not installed; for ")


def test_every_extra_says_what_it_is_for():
    project = Path(__file__).parents[3] / "pyproject.toml"
    extras = tomllib.loads(project.read_text("utf-8"))["project"]["optional-dependencies"]
    assert set(extras) <= set(PURPOSES)
