"""Tables, figures and rooms about pairs, ranks and items."""

import pytest

import sample_audits
from finassay.analyses.results import Audit
from finassay.reports import figures_evidence, tables_compare
from finassay.reports.figures import figures
from finassay.reports.numbers import p_exact
from finassay.reports.outline import outline
from finassay.reports.plain import table_lines
from finassay.reports.table import Column, Table
from finassay.reports.tables import shown_names, tables


@pytest.fixture(scope="module")
def twelve() -> Audit:
    return sample_audits.made_audit()


def test_the_report_has_a_room_for_significance_before_the_items(twelve: Audit):
    headings = [room.heading for room in outline(twelve).rooms]
    assert headings.index("Significance") == headings.index("Items") - 1
    assert headings.index("Findings") < headings.index("Significance")


def test_an_audit_without_complete_systems_says_what_was_not_measured():
    rooms = {room.heading: room for room in outline(sample_audits.bare_audit()).rooms}
    for part in rooms["Significance"].parts:
        assert part.text[0].startswith("Not measured")


def test_counts_show_every_tie_convention(twelve: Audit):
    table = tables(twelve)["significance-counts"]
    first = twelve.comparisons.counts[0]
    assert table.rows[0][1:5] == tuple(
        str(n) for n in (first.pairs, first.item.inclusive, first.item.exclusive, first.item.mid)
    )


def test_without_clusters_their_cells_are_dashes(twelve: Audit):
    assert twelve.comparisons.clusters == ()
    row = tables_compare.counts(twelve.comparisons).rows[0]
    assert all(cell.startswith("—") for cell in row[5:])


def test_pairs_nearest_to_the_threshold_stand_first(twelve: Audit):
    result = twelve.comparisons
    names = shown_names(twelve)
    shown = tables_compare.pairs(result, names).rows[0][0]
    ratios = {
        f"{names[t.left]} × {names[t.right]}": max(
            t.item.adjusted.inclusive / result.alpha, result.alpha / t.item.adjusted.inclusive
        )
        for t in result.pairs
        if t.item.adjusted.inclusive
    }
    assert ratios[shown] == min(ratios.values())


def test_every_new_figure_is_drawn_with_its_numbers(twelve: Audit):
    made = figures(twelve, shown_names(twelve))
    drawn = tables(twelve)
    for key in ("fig-significance", "fig-rank-sets", "fig-item-map"):
        assert made[key].svg.startswith("<svg")
        assert any(table in drawn for table in made[key].tables)


def test_the_map_counts_every_item_that_varies(twelve: Audit):
    found = twelve.item_analysis
    canvas = figures_evidence.item_map(found)
    cells = [
        int(str(mark["text"]))
        for layer in canvas.layers
        for mark in layer.marks
        if layer.kind == "text" and "d" in mark
    ]
    assert sum(cells) == sum(item.item_rest is not None for item in found.items)


@pytest.mark.parametrize(
    ("p", "shown"),
    [(0.0522062, "0.0522"), (1.0, "1"), (0.000824, "8.24×10⁻⁴"), (3e-12, "3.00×10⁻¹²")],
)
def test_p_keeps_three_digits(p: float, shown: str):
    assert p_exact(p) == shown


def test_a_plain_table_lines_up_its_columns_and_wide_characters():
    table = Table(
        key="t",
        caption="Two rows",
        columns=(Column("Name", "left"), Column("n")),
        rows=(("模型", "1"), ("ab", "10")),
        notes=("A note.",),
    )
    assert table_lines(table) == [
        "Two rows",
        "",
        "Name   n",
        "----  --",
        "模型   1",
        "ab    10",
        "",
        "A note.",
    ]
