"""Printed numbers: those that cannot be are found, those that can are left alone."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.analyses.audit import build_audit
from finassay.analyses.audit_inputs import AuditInputs
from finassay.analyses.estimates import Settings
from finassay.analyses.provenance.numbers import check_numbers
from finassay.analyses.provenance.printed_tables import printed_tables
from finassay.analyses.provenance.results import ProvenanceFinding
from finassay.benchmarks.reported import load_reported
from finassay.records import Item, ReportedScore, SystemSpec
from provenance_samples import cell, verdicts

SIZES = {"REG": 53, "NUM": 32, "CON": 30, "TMP": 35}


def found(
    *scores: ReportedScore, sizes: dict[str, int] | None = None
) -> dict[str, ProvenanceFinding]:
    sections = check_numbers(printed_tables(scores, sizes))
    return {finding.kind: finding for section in sections for finding in section.findings}


def share(k: int, n: int) -> str:
    return f"{100 * k / n:.1f}"


def row(name: str, right: tuple[int, int, int, int]) -> list[ReportedScore]:
    """Return a row of true shares with its true total."""
    cells = [cell(name, c, share(k, n), n) for (c, n), k in zip(SIZES.items(), right, strict=True)]
    return [*cells, cell(name, "All", share(sum(right), sum(SIZES.values())), 150)]


def test_true_shares_and_totals_are_left_alone():
    assert found(*row("a", (45, 27, 29, 27)), *row("b", (53, 0, 30, 1))) == {}


def test_a_percent_that_no_count_gives_is_found_with_its_neighbours():
    scores = [*row("a", (45, 27, 29, 27)), *row("b", (50, 20, 25, 30))]
    scores[0] = cell("a", "REG", "85.7", 53)
    finding = found(*scores)["impossible_number"]
    assert finding.systems == ("a",)
    assert finding.witnesses == ("a, REG: 85.7 of 53 (45 give 84.91, 46 give 86.79)",)


def test_a_total_that_its_parts_do_not_give_is_found():
    scores = row("a", (45, 27, 29, 27))
    scores[-1] = cell("a", "All", "90.7", 150)
    finding = found(*scores)["total_mismatch"]
    assert finding.evidence == "a, All: 90.7, but the parts give 85.28 to 85.38"


def test_the_printed_agreement_table_of_the_release_is_found_wrong_twice():
    wrong = found(*(s for s in load_reported() if s.table == "Table 2"))
    assert wrong["impossible_number"].witnesses == (
        "Model-based, REG: 85.7 of 53 (45 give 84.91, 46 give 86.79)",
    )
    assert wrong["total_mismatch"].witnesses == (
        "Model-based, All: 90.7, but the parts give 85.57 to 85.67",
    )
    assert wrong["total_mismatch"].systems == ("Model-based",)


def test_the_other_printed_tables_of_the_release_hold():
    assert found(*(s for s in load_reported() if s.table != "Table 2")) == {}


def test_a_number_of_items_can_be_said_for_a_column():
    scores = [cell("a", "REG", "85.7"), cell("b", "REG", "49.1"), cell("c", "REG", "73.6")]
    assert found(*scores) == {}
    assert found(*scores, sizes={"REG": 53})["impossible_number"].systems == ("a",)


def test_intervals_are_no_shares():
    low = cell("a", "95% CI low", "86.4", 50)
    assert found(low, *row("a", (45, 27, 29, 27))) == {}


def test_the_audit_of_a_study_names_them_too():
    items = tuple(Item(item_id=f"q{at}", family="F", reference="x") for at in range(4))
    matrix = verdicts(items, {"a": [1.0] * 4, "b": [0.0] * 4})
    inputs = AuditInputs(
        study="small",
        items=items,
        systems=(SystemSpec(name="a"), SystemSpec(name="b")),
        matrices={"stored": matrix},
        primary="stored",
        settings=Settings(policy="wrong"),
        reported=(cell("a", "REG", "85.7", 53), *row("b", (50, 20, 25, 30))),
    )
    titles = [finding.title for finding in build_audit(inputs).findings]
    assert "paper, Table 1 prints 1 number that no count gives" in titles


def test_a_system_may_bear_any_name():
    scores = [*row("delta", (45, 27, 29, 27)), *row("alpha low", (50, 20, 25, 30))]
    scores[0] = cell("delta", "REG", "85.7", 53)
    assert found(*scores)["impossible_number"].systems == ("delta",)


def test_where_most_numbers_are_impossible_the_column_is_no_share():
    texts = ("51.3", "48.9", "50.0", "42.9")
    scores = [cell(f"s{at}", "score", text, 7) for at, text in enumerate(texts)]
    assert found(*scores) == {}


def test_a_single_impossible_number_is_found():
    assert found(cell("a", "REG", "85.7", 53))["impossible_number"].systems == ("a",)


def test_a_plain_mean_over_the_parts_is_no_mismatch():
    scores = row("a", (45, 27, 29, 27))
    mean = sum(float(score.printed) for score in scores[:-1]) / 4
    assert found(*scores[:-1], cell("a", "All", f"{mean:.1f}", 150)) == {}


def grid(whole: set[str], names: int = 8, columns: int = 6) -> list[ReportedScore]:
    return [
        cell(f"s{r}", f"c{c}", f"{50 + 3 * r + c}.00" if f"s{r}" in whole else f"{50 + r}.{13 + c}")
        for r in range(names)
        for c in range(columns)
    ]


def test_a_row_of_whole_numbers_among_decimals_is_found():
    finding = found(*grid({"s2"}))["rounding_grid"]
    assert finding.systems == ("s2",)
    assert "s2: 6 of 6 numbers are whole" in finding.evidence


def test_several_such_rows_do_not_hide_each_other():
    assert set(found(*grid({"s2", "s5"}))["rounding_grid"].systems) == {"s2", "s5"}


def test_a_table_of_whole_numbers_has_no_odd_row():
    assert found(*grid({f"s{r}" for r in range(8)})) == {}
    assert found(*grid(set())) == {}


def test_other_tables_are_named_where_the_rows_are_whole_too():
    second = [replace(score, table="Table 2", column=f"{score.column}x") for score in grid({"s2"})]
    finding = found(*grid({"s2"}), *second)["rounding_grid"]
    assert "in Table 1 too, all 6 numbers of each of these rows are whole" in finding.evidence


def means(wrong: str | None) -> list[ReportedScore]:
    """Return rows without item numbers whose total is one weighted mean of the parts."""
    out = []
    for r in range(12):
        parts = [40 + 3.7 * r % 31, 55 + 5.3 * r % 23, 30 + 7.1 * r % 37]
        total = 0.5 * parts[0] + 0.3 * parts[1] + 0.2 * parts[2] + (3 if f"s{r}" == wrong else 0)
        out += [cell(f"s{r}", f"c{c}", f"{part:.2f}") for c, part in enumerate(parts)]
        out.append(cell(f"s{r}", "Overall", f"{total:.2f}"))
    return out


def test_without_item_numbers_a_total_is_held_against_the_other_rows():
    assert found(*means(None)) == {}
    assert found(*means("s4"))["total_mismatch"].systems == ("s4",)


@settings(deadline=None, max_examples=60)
@given(
    st.lists(
        st.tuples(*(st.integers(0, n) for n in SIZES.values())), min_size=1, max_size=6, unique=True
    )
)
def test_no_table_of_true_counts_is_doubted(rows: list[tuple[int, int, int, int]]):
    scores = [score for at, right in enumerate(rows) for score in row(f"s{at}", right)]
    assert not set(found(*scores)) & {"impossible_number", "total_mismatch"}
