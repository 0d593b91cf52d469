"""What printed digits tell: rounded or cut, sizes, identities."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from math import floor

import pytest

from ask_samples import percents
from finassay.analyses.ask.metrics import METRICS, Exact, Tally, metrics
from finassay.analyses.ask.printed import (
    PrintedRow,
    Sizes,
    check_printed,
    exact_metrics,
    table_sizes,
)

UNIT = Fraction(1, 10_000)


def rounded(value: Fraction) -> Fraction:
    return Fraction(floor(value / UNIT + Fraction(1, 2))) * UNIT


def cut(value: Fraction) -> Fraction:
    return Fraction(floor(value / UNIT)) * UNIT


def board(
    shorten: Callable[[Fraction], Fraction], n_ask: int, n_proceed: int, n: int = 14
) -> list[PrintedRow]:
    draw = random.Random(7)
    rows = []
    for at in range(n):
        asked = draw.randint(n_ask // 3, n_ask)
        relevant = draw.randint(0, asked)
        direct = draw.randint(0, relevant)
        counted = Tally(
            ask=Fraction(n_ask),
            proceed=Fraction(n_proceed),
            asked=Fraction(asked),
            went_on=Fraction(draw.randint(0, n_proceed)),
            aligned=Fraction(direct + relevant, 2),
            direct=Fraction(direct),
            relevant=Fraction(relevant),
        )
        values = {m: None if v is None else shorten(v) for m, v in metrics(counted).items()}
        rows.append(PrintedRow(system=f"s{at}", values=values, unit=UNIT))
    return rows


@pytest.mark.parametrize(("shorten", "said"), [(rounded, "rounded"), (cut, "cut")])
@pytest.mark.parametrize(("n_ask", "n_proceed"), [(583, 97), (77, 67)])
def test_sizes_and_shortening_are_found_from_the_digits(
    shorten: Callable[[Fraction], Fraction], said: str, n_ask: int, n_proceed: int
):
    check = check_printed(board(shorten, n_ask, n_proceed))
    assert (check.n_ask, check.n_proceed, check.counts_from) == (n_ask, n_proceed, "found")
    assert check.printing == said
    assert all(column.printing in {said, "either"} for column in check.columns)
    assert all(one.broken == () and one.n_within == one.n for one in check.identities)


def test_rows_shortened_otherwise_are_named():
    rows = board(cut, 583, 97)
    other = board(rounded, 583, 97)
    mixed = [other[0], *rows[1:]]
    columns = {column.metric: column for column in check_printed(mixed, sizes=(583, 97)).columns}
    assert columns["AskR"].printing in {"mixed", "cut"}
    apart = {name for column in columns.values() for name in column.apart}
    assert apart == {"s0"}


def test_a_number_that_breaks_an_identity_is_named():
    rows = board(rounded, 583, 97)
    wrong: Exact = {**rows[3].values, "ERA": rows[3].values["ERA"] + Fraction(3, 1000)}
    rows[3] = PrintedRow(system="odd", values=wrong, unit=UNIT)
    check = check_printed(rows, sizes=(583, 97))
    broken = {one.identity: one.broken for one in check.identities}
    assert broken["ERA = (DEH + REH) / 2"] == ("odd",)
    assert broken["ERA = AskR x CRA"] == ("odd",)
    assert broken["BAcc = (AskR + ProceedR) / 2"] == ()
    assert check.printing == "neither"


def test_a_short_table_tells_no_sizes():
    assert table_sizes(board(rounded, 583, 97, n=2)) == Sizes(
        n_ask=None, n_proceed=None, source="unknown"
    )
    check = check_printed(board(rounded, 583, 97, n=2))
    assert (check.columns, check.printing, check.n_cra) == ((), "unknown", 0)


def test_an_empty_table_says_nothing():
    check = check_printed([])
    assert (check.printing, check.n_ask) == ("unknown", None)
    assert all(one.n == 0 and one.worst is None for one in check.identities)


def test_the_counts_behind_a_row_give_its_exact_metrics():
    # 538 of 583 is 92.28, 29 of 97 is 29.90, 446 and 453 of 583 are 76.50 and 77.70.
    row = PrintedRow(
        system="s",
        values=percents(AskR="92.28", ProceedR="29.90", DEH="76.50", REH="77.70"),
        unit=UNIT,
    )
    found = exact_metrics(row, 583, 97)
    assert found is not None
    assert found["CRA"] == Fraction(446 + 453, 2 * 538)
    assert found["RAA"] == Fraction(538 + 29, 680)


def test_digits_that_no_count_prints_give_no_exact_metrics():
    values = percents(AskR="92.20", ProceedR="29.90", DEH="76.50", REH="77.70")
    assert exact_metrics(PrintedRow(system="s", values=values, unit=UNIT), 583, 97) is None


def test_cra_made_from_a_shortened_era_is_told():
    rows = []
    for row in board(cut, 583, 97):
        exact = exact_metrics(row, 583, 97)
        assert exact is not None
        cra = rounded(row.values["ERA"] / exact["AskR"])
        rows.append(PrintedRow(system=row.system, values={**row.values, "CRA": cra}, unit=UNIT))
    check = check_printed(rows, sizes=(583, 97))
    assert check.n_cra == check.n_cra_from_era == len(rows)


def test_the_rows_of_the_helper_hold_every_metric():
    assert set(board(cut, 583, 97)[0].values) == set(METRICS)
