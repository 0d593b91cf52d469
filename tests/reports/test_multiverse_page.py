"""The page of a multiverse: what is drawn, for few and for many systems, and that it is plain."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import altair as alt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.analyses.multiverse.analysis import MultiverseSettings, analyse_multiverse
from finassay.analyses.multiverse.audited import with_multiverse
from finassay.analyses.results_multiverse import MultiverseResult, RobustOrder
from finassay.errors import UsageError
from finassay.marking.multiverse.codes import SILENT
from finassay.records import Item
from finassay.reports import numbers as num
from finassay.reports.canvas import Canvas, text_width
from finassay.reports.figures_multiverse import apart, sorted_rules
from finassay.reports.figures_order import hasse
from finassay.reports.figures_pairs import all_above
from finassay.reports.html import html
from finassay.reports.multiverse_page import multiverse_report, write_multiverse
from finassay.reports.outline_multiverse import multiverse_figures
from finassay.reports.tables_multiverse import multiverse_tables
from multiverse_results import analysed, drawn
from multiverse_samples import grid, multiverse, with_right
from sample_audits import HOSTILE, bare_audit

pytestmark = pytest.mark.full

SWAP = [[18, 10, 2], [12, 14, 2], [16, 8, 4], [16, 10, 6]]


@pytest.fixture(scope="module")
def twelve() -> MultiverseResult:
    return drawn(12)


@pytest.fixture(scope="module")
def many() -> MultiverseResult:
    names = [f"a system with a rather long name, number {at}" for at in range(35)]
    return drawn(35, names=names)


def names(found: MultiverseResult) -> dict[str, str]:
    return num.short_names(found.systems)


def test_rules_run_from_the_lowest_to_the_highest_mean(twelve: MultiverseResult):
    rules, table = sorted_rules(twelve)
    assert sorted(rules) == list(range(27))
    means = table.mean(axis=1)
    assert (means[1:] >= means[:-1]).all()
    first = twelve.accuracy[rules[0]]
    assert sum(a or 0 for a in first) == min(sum(a or 0 for a in row) for row in twelve.accuracy)


def shortened(canvas: Canvas) -> dict[str, object]:
    """Return the specification with two marks a layer: they are all of one form."""
    spec = {key: value for key, value in canvas.spec().items() if key != "$schema"}
    layers = [replace(layer, marks=layer.marks[:2]).spec() for layer in canvas.layers]
    return {**spec, "layer": layers}


@pytest.mark.parametrize("size", ["twelve", "many"])
def test_figures_are_plain_vega_lite_and_svg(size: str, request: pytest.FixtureRequest):
    found: MultiverseResult = request.getfixturevalue(size)
    made = multiverse_figures(found, names(found))
    assert set(made) == {"fig-curve", "fig-rule-ranks", "fig-order", "fig-effects"}
    for key, figure in made.items():
        alt.LayerChart.from_dict(shortened(figure.canvas))
        root = ET.fromstring(figure.svg)
        tags = {element.tag.rpartition("}")[2] for element in root.iter()}
        assert tags <= {"svg", "g", "path", "text", "line", "rect", "title", "desc"}
        assert root[1].text == figure.summary
        assert root[0].get("id") == f"{key}-title"


def texts(canvas: Canvas) -> list[tuple[float, float, float, float]]:
    """Return (left, right, top, bottom) of every text of a drawing."""
    boxes = []
    for layer in canvas.layers:
        if layer.kind != "text":
            continue
        size = float(str(layer.style["fontSize"]))
        for mark in layer.marks:
            wide = text_width(str(mark["text"]), size)
            x, y = float(mark["x"]), float(mark["y"])
            left = {"left": x, "right": x - wide, "center": x - wide / 2}[str(layer.style["align"])]
            boxes.append((left, left + wide, y - size / 2, y + size / 2))
    return boxes


@pytest.mark.parametrize("size", ["twelve", "many"])
@pytest.mark.parametrize("key", ["fig-rule-ranks", "fig-order", "fig-curve", "fig-effects"])
def test_no_two_labels_meet_and_none_leaves_the_drawing(
    size: str, key: str, request: pytest.FixtureRequest
):
    found: MultiverseResult = request.getfixturevalue(size)
    canvas = multiverse_figures(found, names(found))[key].canvas
    boxes = sorted(texts(canvas))
    assert boxes
    for at, (left, right, top, bottom) in enumerate(boxes):
        assert left >= -1
        assert right <= canvas.width + 1
        assert top >= -1
        assert bottom <= canvas.height + 1
        for other in boxes[at + 1 :]:
            is_beside = other[0] >= right or other[1] <= left
            is_above = other[2] >= bottom - 0.1 or other[3] <= top + 0.1
            assert is_beside or is_above, (at, (left, right, top, bottom), other)


@given(
    wanted=st.lists(st.floats(0, 500, allow_nan=False), min_size=1, max_size=12),
    gap=st.floats(1, 30),
)
@settings(deadline=None)
def test_labels_moved_apart_keep_their_order_and_their_distance(wanted: list[float], gap: float):
    pairs = [(str(at), y) for at, y in enumerate(sorted(wanted))]
    placed = list(apart(pairs, gap=gap).values())
    assert all(b - a >= gap - 1e-9 for a, b in pairwise(placed))
    assert all(y >= was - 1e-9 for y, (_, was) in zip(placed, pairs, strict=True))


CHAIN = RobustOrder(
    name="every rule",
    least_share=1.0,
    n_pairs=10,
    n_held=5,
    edges=(("a", "b"), ("b", "c"), ("a", "d")),
    levels=(("a", "e"), ("b", "d"), ("c",)),
    open_pairs=(),
)


def test_what_stands_above_through_others_is_found():
    assert all_above(CHAIN) == {
        "a": {"b", "c", "d"},
        "b": {"c"},
        "c": set(),
        "d": set(),
        "e": set(),
    }


def test_lines_of_a_hasse_diagram_lead_down():
    canvas = hasse(CHAIN, {name: name for name in "abcde"})
    lines = [
        mark
        for layer in canvas.layers
        if layer.kind == "rule"
        for mark in layer.marks
        if "d" in mark
    ]
    assert {str(mark["d"]) for mark in lines} == {"a above b", "b above c", "a above d"}
    assert all(float(mark["y2"]) > float(mark["y"]) for mark in lines)
    words = [str(m["text"]) for layer in canvas.layers if layer.kind == "text" for m in layer.marks]
    assert "No other system stands above or below these:" in words


def test_a_dense_order_is_drawn_as_a_matrix(many: MultiverseResult):
    assert len(many.orders[0].edges) > 40
    figure = multiverse_figures(many, names(many))["fig-order"]
    cells = [m for layer in figure.canvas.layers if layer.kind == "rect" for m in layer.marks]
    assert len(cells) == 35 * 34 // 2
    held = sum(float(cell["o"]) == 1.0 for cell in cells)
    assert held == many.orders[0].n_held


def test_pairs_are_told_once_the_most_open_first(twelve: MultiverseResult):
    table = multiverse_tables(twelve, names(twelve))["rule-pairs"]
    assert len(table.rows) == 40
    assert len({frozenset(row[:2]) for row in table.rows}) == 40
    shares = [float(row[2].split("%")[0]) for row in table.rows]
    assert shares == sorted(shares)
    assert min(shares) >= 0.0


def test_tables_of_a_floor_stand_side_by_side():
    counts = [[10, 10, 10], [10, 9, 8], [2, 18, 10], [20, 1, 5]]
    found = analysed(counts, 2, 2, floor=0.7)
    table = multiverse_tables(found, names(found))["floor"]
    assert [column.header for column in table.columns] == [
        "What",
        "All rules",
        "Kappa at least 0.7",
    ]
    assert table.rows[0][1:] == ("4", "2")
    assert "fig-floor" in multiverse_figures(found, names(found))


def test_rules_that_are_alike_are_told_with_what_makes_no_difference():
    found = analysed([[10, 8, 6], [14, 12, 10]] * 2, 2, 2)
    table = multiverse_tables(found, names(found))["alike"]
    assert {row[:2] for row in table.rows} == {("2", "passage")}


def test_rules_without_a_difference_have_no_effects_flips_or_floor():
    found = analysed([[10, 8, 6]] * 4, 2, 2)
    tables = multiverse_tables(found, names(found))
    assert not {"effects", "flips", "floor"} & set(tables)
    assert "fig-effects" not in multiverse_figures(found, names(found))


def test_a_choice_whose_rules_all_leave_someone_out_has_dashes_for_means():
    codes = with_right([[3, 2], [3, 2]], items=4)
    codes[1, :, 1] = SILENT
    made = multiverse(codes, over=grid(2).with_unscored("exclude"))
    items = [Item(item_id=name) for name in made.items]
    found = analyse_multiverse(
        made, items=items, study="sample", settings=MultiverseSettings(draws=100)
    )
    means = multiverse_tables(found, names(found))["choice-means"]
    assert [row[2:] for row in means.rows] == [("75.0", "50.0"), ("—¹", "—¹")]
    assert any(note.startswith("¹") for note in means.notes)


def test_the_page_is_self_contained_and_its_links_have_targets(
    twelve: MultiverseResult, tmp_path: Path
):
    page, told = write_multiverse(twelve, tmp_path / "out", ["finassay multiverse s --out out"])
    text = page.read_text("utf-8")
    assert "<script" not in text
    assert "default-src 'none'" in text
    ids = re.findall(r'\bid="([^"]+)"', text)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'href="#([^"]+)"', text)) <= set(ids)
    assert len(text) < 3_000_000
    assert [path.name for path in sorted((tmp_path / "out").iterdir())] == [
        "multiverse.html",
        "multiverse.md",
    ]
    for sentence in multiverse_report(twelve).strip:
        assert sentence.text in text
    assert "Under all 27 rules tried" in told.read_text("utf-8")


def test_a_page_is_not_written_into_a_file(twelve: MultiverseResult, tmp_path: Path):
    place = tmp_path / "taken"
    place.write_text("x")
    with pytest.raises(UsageError, match="got the file"):
        write_multiverse(twelve, place)


def test_names_of_systems_stay_text(tmp_path: Path):
    found = drawn(len(HOSTILE), names=HOSTILE)
    page, _ = write_multiverse(found, tmp_path)
    text = page.read_text("utf-8")
    assert "<script" not in text
    assert "<b>bold" not in text


def test_an_audit_with_a_multiverse_has_it_in_its_rooms():
    audit = with_multiverse(bare_audit(), analysed(SWAP, 2, 2, systems=("Alpha", "Beta", "Gamma")))
    text = html(audit)
    assert 'id="s-multiverse"' in text
    assert "fig-curve" in text
    assert "Rules tried" in text
    ids = re.findall(r'\bid="([^"]+)"', text)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'href="#([^"]+)"', text)) <= set(ids)
    assert 'id="s-multiverse"' not in html(bare_audit())
