"""Names and ids that every room shares."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.records import (
    IMPORTED_PREFIX,
    JUDGE_PREFIX,
    PERSON_PREFIX,
    STORED,
    ReportedColumn,
    content_digest,
    parse_reported_column,
    reported_column,
)
from finassay.runs.importers import tables
from finassay.scorers.registry import is_imported
from finassay.study.label_records import person_scorer

NAMES = st.sampled_from(["stored", "judge/phi4:mini", "strict/as-stated[threshold=0.8]", "a or b"])
FAMILIES = ["", "NUM", "REG", "Q:NUM", "given", "a b"]


@pytest.mark.parametrize(
    ("column", "said"),
    [
        ("stored", ReportedColumn("stored")),
        ("stored:NUM", ReportedColumn("stored", "NUM")),
        ("judge/x:8b:NUM", ReportedColumn("judge/x:8b", "NUM")),
        ("judge/x:8b", ReportedColumn("judge/x:8b")),
        ("judge/x given stored wrong:NUM", ReportedColumn("judge/x", "NUM", ("stored", False))),
        ("judge/x given stored right", ReportedColumn("judge/x", None, ("stored", True))),
        ("judge/x given stored:NUM", ReportedColumn("judge/x given stored", "NUM")),
    ],
)
def test_columns_of_reported_scores_are_written_and_read_alike(column: str, said: ReportedColumn):
    assert reported_column(*said) == column
    assert parse_reported_column(column, ["NUM", "REG"]) == said


@given(
    scorer=NAMES,
    family=st.none() | st.sampled_from(FAMILIES),
    other=st.none() | st.tuples(NAMES, st.booleans()),
)
@settings(deadline=None)
def test_reading_a_column_undoes_writing_it(
    scorer: str, family: str | None, other: tuple[str, bool] | None
):
    said = ReportedColumn(scorer, family, other)
    families = [name for name in FAMILIES if name in ("", family)]
    # one family may end with another, so the longest that fits is meant
    assert parse_reported_column(reported_column(*said), families) == said


@given(st.lists(st.text()))
@settings(deadline=None)
def test_a_digest_is_sha256_of_the_parts_behind_their_lengths(parts: list[str]):
    hashed = hashlib.sha256()
    for part in parts:
        raw = part.encode("utf-8", "surrogatepass")
        hashed.update(len(raw).to_bytes(8, "big") + raw)
    assert content_digest(*parts) == hashed.hexdigest()


def test_names_of_verdicts_from_outside_are_those_the_registry_knows():
    names = STORED, f"{JUDGE_PREFIX}x", f"{PERSON_PREFIX}x", f"{IMPORTED_PREFIX}x"
    assert all(is_imported(name) for name in names)
    assert not is_imported("exact")
    assert person_scorer("x") == f"{PERSON_PREFIX}x"
    assert tables.STORED == STORED
