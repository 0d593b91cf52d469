"""Errors by category before and after a judge: the printed table, and what labels restate."""

from __future__ import annotations

import pytest

import published_logs as logs
from finassay.analyses.attribution import attribution
from finassay.analyses.estimates import Settings
from finassay.analyses.results_attribution import Attribution
from finassay.errors import UsageError
from printed_tables import TABLE_9
from small_boards import board, items

WRONG = Settings(policy="wrong")
FOUR = items(["NUM", "REG", "REG", "CON"], difficulties=["easy", "hard", "easy", "hard"])


def small(judge: str | None = "1..0", marks: str = "0000") -> Attribution:
    return attribution(
        board({"ada": marks}),
        study="small",
        items=FOUR,
        names=("stored", "judge/x" if judge else None),
        settings=WRONG,
        judge=board({"ada": judge}) if judge else None,
    )


def test_what_a_judge_clears_is_counted_by_category():
    (row,) = small().reclassified
    assert (row.cleared.k, row.cleared.n) == (1, 4)
    assert {name: (rate.k, rate.n) for name, rate in row.by_category} == {
        "NRF": (1, 1),
        "CGF": (0, 1),
        "DKF": (0, 1),
        "TRF": (0, 1),
    }


def test_a_category_is_made_of_families_and_difficulties_alone():
    found = small()
    assert {m.category: m.cells for m in found.meanings} == {
        "NRF": (("NUM", "easy", 1),),
        "CGF": (("REG", "hard", 1),),
        "DKF": (("REG", "easy", 1),),
        "TRF": (("CON", "hard", 1),),
    }
    assert "restate the family and the difficulty" in found.restatement


def test_without_a_judge_nothing_is_cleared_and_no_error_has_no_rate():
    assert small(judge=None).reclassified == ()
    (row,) = small(marks="1111", judge="1111").reclassified
    assert row.cleared.rate is None


def test_a_system_with_fewer_items_is_named():
    assert small(marks="00..").warnings[-1] == "errors among fewer items: ada 2 of 4"


def test_items_without_a_category_are_refused():
    with pytest.raises(UsageError, match=r"no item has a category: .* the items have OTHER"):
        attribution(
            board({"ada": "0"}),
            study="s",
            items=items(["OTHER"]),
            names=("stored", None),
            settings=WRONG,
        )


@pytest.mark.data
def test_table_9_is_found_with_its_shares_for_the_systems_with_files():
    found = attribution(
        logs.stored(),
        study="IndiaFinBench",
        items=logs.items(),
        names=("stored", "judge/phi4-mini"),
        settings=WRONG,
        judge=logs.judge(),
    )
    rows = {(row.system, row.errors): row for row in found.table.rows}
    for system, printed in TABLE_9.items():
        for errors, counts in zip(("strict", "residual"), printed, strict=True):
            row = rows[system, errors]
            assert tuple(count for _, count in row.counts) == counts
            assert row.total == sum(counts)
    cleared = {row.system: row.cleared for row in found.reclassified}
    # Appendix B.1: 101 strict failures collapse to 8; the lowest of the five is 66.7%.
    assert (cleared["deepseek_r1_70b"].k, cleared["deepseek_r1_70b"].n) == (93, 101)
    assert round(100 * cleared["gemini"].rate, 1) == 66.7
    assert min(cleared.values(), key=lambda rate: rate.rate) == cleared["gemini"]
