"""Leaderboards as rows: what they hold, how they sort, and how they are saved."""

from __future__ import annotations

import csv
import io
import json
import math
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sample_audits
from finassay.analyses.results import Audit
from finassay.analyses.rule_boards import RuleBoard
from finassay.errors import UsageError
from finassay.reports.standings.build import standings
from finassay.reports.standings.downloads import FORMATS, download, standings_csv
from finassay.reports.standings.order import Wanted, arranged, sort_columns
from finassay.reports.standings.records import Score, Standing, Standings
from finassay.reports.standings.table import columns_of, standings_table


@cache
def audit() -> Audit:
    return sample_audits.made_audit(12, n_items=40, policy="bounds")


@cache
def board() -> Standings:
    given = RuleBoard(
        name="stored",
        is_regime=False,
        task="",
        board=audit().leaderboard,
        ranks=audit().rank_sets,
        is_primary=True,
    )
    return standings(audit(), given)


def table_rows(shown: Standings) -> list[dict[str, str]]:
    names = [name for name, _ in columns_of(shown)]
    return [dict(zip(names, row, strict=True)) for row in standings_table(shown).rows]


def test_every_row_of_the_leaderboard_is_there_in_its_order():
    assert [row.system for row in board().systems] == [
        row.system for row in audit().leaderboard.rows
    ]


def test_ranks_by_sample_are_those_of_the_audit():
    sets = audit().rank_sets
    assert sets is not None
    expected = {row.system: row.marginal for row in sets.rows}
    found = {
        row.system: (row.sampling_ranks.best, row.sampling_ranks.worst)
        for row in board().systems
        if row.sampling_ranks is not None
    }
    assert found == expected


def test_tie_groups_are_shown_only_for_the_verdicts_that_were_compared():
    other = replace(
        RuleBoard(
            name="stored",
            is_regime=False,
            task="",
            board=audit().leaderboard,
            ranks=None,
            is_primary=False,
        )
    )
    assert board().alpha == 0.05
    assert standings(audit(), other).alpha is None


def test_bounds_are_shown_as_a_span_and_never_as_one_number():
    rows = {row["system"]: row for row in table_rows(board())}
    open_rows = [row for row in board().systems if row.score and row.score.value is None]
    assert open_rows
    for row in open_rows:
        assert "–" in rows[row.shown]["accuracy"]


def test_references_stay_below_and_are_not_ranked():
    kinds = [row.kind for row in board().rows]
    assert kinds == ["model"] * 12 + ["reported"]
    assert all(row.rank is None for row in board().references)


@pytest.mark.parametrize("column", sort_columns(board()))
@pytest.mark.parametrize("order", ["asc", "desc"])
def test_every_column_sorts_and_loses_no_row(column: str, order: str):
    shown = arranged(board(), Wanted(sort=column, order=order))
    assert sorted(row.system for row in shown.rows) == sorted(row.system for row in board().rows)
    assert shown.descending is (order == "desc")


@given(
    st.lists(st.one_of(st.none(), st.floats(0, 1, allow_nan=False)), min_size=1, max_size=8),
    st.sampled_from(["asc", "desc"]),
)
@settings(deadline=None, max_examples=60)
def test_rows_without_a_value_come_last_whichever_way(values: list[float | None], order: str):
    rows = tuple(row_of(f"s{at}", value) for at, value in enumerate(values))
    shown = arranged(replace(board(), rows=rows), Wanted(sort="accuracy", order=order))
    found = [None if row.score is None else row.score.shown for row in shown.rows]
    known = [value for value in found if value is not None]
    assert found == known + [None] * (len(found) - len(known))
    assert known == sorted(known, reverse=order == "desc")


def row_of(name: str, value: float | None) -> Standing:
    score = Score(value=value, low=None, high=None, worst=value, best=value, right=None, n=1)
    return Standing(system=name, shown=name, kind="model", score=score)


def test_a_filter_keeps_ranks_among_all_and_says_so():
    shown = arranged(board(), Wanted(name="LLAMA"))
    assert {row.system for row in shown.systems} == {
        row.system for row in board().systems if "llama" in row.system.casefold()
    }
    before = {row.system: row.rank for row in board().systems}
    assert all(row.rank == before[row.system] for row in shown.systems)
    assert "among all 12 systems" in " ".join(standings_table(shown).notes)
    assert "4 of 12 systems" in standings_table(shown).caption


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        (Wanted(sort="nonsense"), "`sort` must be one of"),
        (Wanted(sort="task:nonsense"), "`sort` must be one of"),
        (Wanted(order="up"), "`order` must be asc or desc"),
        (Wanted(kind="person"), "`kind` must be one of"),
    ],
)
def test_what_cannot_be_asked_for_is_refused(wanted: Wanted, said: str):
    with pytest.raises(UsageError, match=said):
        arranged(board(), wanted)


def test_csv_holds_the_rows_that_are_shown_with_all_digits():
    shown = arranged(board(), Wanted(sort="accuracy", order="asc", name="llama"))
    read = list(csv.DictReader(io.StringIO(standings_csv(shown))))
    assert [row["system"] for row in read] == [row.system for row in shown.rows]
    for row, standing in zip(read, shown.rows, strict=True):
        assert standing.score is None or number(row["low"]) == standing.score.low
        assert number(row["task:NUM:accuracy"]) == (
            None if "NUM" not in dict(standing.per_task) else dict(standing.per_task)["NUM"].value
        )


def number(text: str) -> float | None:
    return float(text) if text else None


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@sum(A1)", "\t=1", "  =1", "\r=1"])
def test_no_cell_of_the_csv_is_a_formula(name: str):
    shown = replace(board(), rows=(replace(board().rows[0], system=name, note=name),))
    row = next(csv.DictReader(io.StringIO(standings_csv(shown))))
    assert row["system"] == f"'{name}"
    assert row["note"] == f"'{name}"


def test_json_names_its_schema_and_holds_finite_numbers():
    made = json.loads(download(board(), "json").text, parse_constant=pytest.fail)
    assert made["schema"] == "finassay/leaderboard/1"
    assert [row["system"] for row in made["rows"]] == [row.system for row in board().rows]
    assert all(math.isfinite(row["score"]["n"]) for row in made["rows"] if row["score"])


def test_latex_has_a_line_a_row():
    text = download(board(), "tex").text
    body = text.partition("\\midrule")[2].partition("\\bottomrule")[0]
    lines = [line for line in body.splitlines() if line.rstrip().endswith("\\\\")]
    assert len(lines) == len(board().rows)
    assert all(line.count(" & ") == len(columns_of(board())) - 1 for line in lines)


@pytest.mark.parametrize("form", FORMATS)
def test_file_names_hold_no_path_whatever_the_study_is_called(form: str):
    hostile = replace(board(), study='../../etc/"passwd\r\nx: y', regime="a/b[c=1]", task="../t")
    name = download(hostile, form).name  # type: ignore[arg-type]
    assert name.endswith(f".{form}")
    assert not set('/\\"\r\n:;') & set(name)
    assert not name.startswith(".")
