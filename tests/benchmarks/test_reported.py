"""What holds for the printed figures of IndiaFinBench."""

from __future__ import annotations

from collections import Counter

import pytest

from finassay.analyses.reported import reported_rows
from finassay.benchmarks.reported import PRINTED_NAMES, load_reported, read_reported
from finassay.errors import InputError, UnknownNameError
from finassay.records import Item, ReportedScore
from printed_tables import TABLE_4, TABLE_6, TABLE_11, TABLE_13

HEADER = "source,table,row,column,value,printed,unit,n,note\n"
SIZES = {"REG": 174, "NUM": 92, "CON": 62, "TMP": 78}


def cells(table: str) -> dict[tuple[str, str], ReportedScore]:
    return {(s.row, s.column): s for s in load_reported() if s.table == table}


def test_table_4_is_as_printed():
    scores = cells("Table 4")
    for row, printed in TABLE_4.items():
        for (family, n), percent in zip(SIZES.items(), printed, strict=True):
            score = scores[row, family]
            assert (score.printed, score.n) == (f"{percent:.1f}", n)
            assert score.value == pytest.approx(percent / 100, abs=1e-12)
        assert scores[row, "Overall"].n == 406


def test_printed_parts_of_table_4_give_its_totals():
    scores = cells("Table 4")
    for row in TABLE_4:
        right = sum(round(scores[row, family].value * n) for family, n in SIZES.items())
        assert f"{100 * right / 406:.1f}" == scores[row, "Overall"].printed


@pytest.mark.parametrize(
    ("name", "printed", "columns"),
    [
        ("Table 6", TABLE_6, ("strict", "judge-only", "judge-augmented")),
        ("Table 11", TABLE_11, ("exact judge-only", "0.1% judge-only", "1% judge-only")),
    ],
)
def test_tables_of_scores_and_ranks_are_as_printed(
    name: str, printed: dict[str, tuple[str, ...]], columns: tuple[str, ...]
):
    scores = cells(name)
    assert len(scores) == 12 * 6
    for row, texts in printed.items():
        for i, column in enumerate(columns):
            score, rank = scores[row, column], scores[row, f"{column} rank"]
            assert (score.printed, rank.printed) == texts[2 * i : 2 * i + 2]
            assert (score.unit, rank.unit) == ("fraction", "rank")
            assert score.value == pytest.approx(float(texts[2 * i]) / 100, abs=1e-12)
            assert rank.value == int(texts[2 * i + 1])


def test_only_table_6_claims_a_convention_for_its_ranks():
    claims = {
        (s.table, s.note) for s in load_reported() if s.unit == "rank" and "claimed" in s.note
    }
    assert claims == {("Table 6", "claimed convention: competition")}


def test_table_5_has_three_figures_for_each_model():
    assert Counter(row for row, _ in cells("Table 5")) == dict.fromkeys(PRINTED_NAMES, 3)
    assert cells("Table 5")["DeepSeek-R1-Distill", "overturn rate"].value == 0.939
    assert cells("Table 5")["Gemini 2.5 Pro", "rejection rate"].value == 0.028
    assert cells("Table 5")["LLaMA-3.3-70B", "judge-augmented accuracy"].value == 0.98


def test_table_5_rounds_what_table_6_prints():
    for name in PRINTED_NAMES:
        coarse = cells("Table 5")[name, "judge-augmented accuracy"].value
        assert coarse == pytest.approx(cells("Table 6")[name, "judge-augmented"].value, abs=5.1e-4)


def test_the_human_reader_has_the_counts_of_the_text():
    scores = cells("section 6.4")
    counts = {c: (round(s.value * (s.n or 0)), s.n) for (_, c), s in scores.items()}
    assert counts == {
        "Overall": (48, 60),
        "REG": (11, 11),
        "NUM": (9, 16),
        "CON": (14, 17),
        "TMP": (14, 16),
    }


def test_every_printed_model_has_a_released_name():
    assert set(PRINTED_NAMES) == set(TABLE_4) == set(TABLE_6) == set(TABLE_11)
    assert len(set(PRINTED_NAMES.values())) == 12


def test_the_contradiction_count_completes_the_reported_gemma_row():
    families = {"REG": (150, 174), "NUM": (65, 92), "TMP": (56, 78)}
    counted = [
        ReportedScore(
            source="counts", table="t", row="gemma3_4b", column=f"stored:{f}", value=k / n, n=n
        )
        for f, (k, n) in families.items()
    ]
    items = [Item(item_id=f"{f}{i}", family=f) for f, n in SIZES.items() for i in range(n)]
    (row,) = reported_rows([*counted, *load_reported()], rule="stored", items=items)
    assert (row.system, row.correct, row.n) == ("gemma3_4b", 150 + 65 + 56 + 49, 406)


def test_printed_models_do_not_enter_a_board_beside_themselves():
    items = [Item(item_id=f"{f}{i}", family=f) for f, n in SIZES.items() for i in range(n)]
    for rule in ("strict", "judge-only", "judge-augmented"):
        assert reported_rows(load_reported(), rule=rule, items=items) == ()


def test_unknown_figures_are_named():
    with pytest.raises(UnknownNameError, match=r"'finqa'; expected one of indiafinbench"):
        load_reported("finqa")


def test_a_number_that_is_none_is_named_with_its_line():
    with pytest.raises(InputError, match=r"f\.csv:2: `value` must be a number, got 'x'"):
        list(read_reported(f"{HEADER}s,t,r,c,x,x,fraction,,\n", file="f.csv"))


def test_a_figure_must_not_stand_twice():
    line = "s,t,r,c,0.5,50,fraction,,\n"
    with pytest.raises(InputError, match=r"f\.csv:3: the figure .* stands twice"):
        list(read_reported(HEADER + line + line, file="f.csv"))


def test_other_columns_are_refused():
    with pytest.raises(InputError, match=r"f\.csv: expected the columns"):
        list(read_reported("source,value\ns,1\n", file="f.csv"))


def test_table_13_is_as_printed_and_its_counts_exist():
    scores = cells("Table 13")
    assert len(scores) == 11 * 3
    for row, printed in TABLE_13.items():
        columns = ("original", "matched (512)", "truncated at 512")
        found = [scores[row, column] for column in columns]
        assert tuple(score.printed for score in found) == printed
        for score in found[:2]:
            assert f"{100 * round(score.value * 406) / 406:.2f}" == score.printed
        assert found[0].value == cells("Table 6")[row, "strict"].value
