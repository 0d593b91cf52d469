"""The page about operations: what is drawn, that it is plain, and that nothing meets."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import pytest

from claim_boards import view
from finassay.analyses.operations.from_study import StudyRequest, operations_of_study
from finassay.analyses.operations.printed import operations_of_tables
from finassay.analyses.operations.results import OperationsResult
from finassay.analyses.operations.selection import SelectionSettings
from finassay.benchmarks.finriskatlas import load_finriskatlas
from finassay.errors import UsageError
from finassay.reports.canvas import Canvas, text_width
from finassay.reports.figures_ask_ranks import displaced
from finassay.reports.operations_page import (
    operation_figures,
    operations_report,
    write_operations,
)
from finassay.reports.tables_operations import operation_tables, shown_sizes
from finassay.reports.terminal_operations import operation_lines

HOSTILE = "<script>alert(1)</script>"


@pytest.fixture(scope="module")
def printed() -> OperationsResult:
    return operations_of_tables(load_finriskatlas())


@pytest.fixture(scope="module")
def studied() -> OperationsResult:
    rules = {
        "stored": {"a": "1111" + "1000" + "11", HOSTILE: "1011" + "1110" + "00"},
        "other": {"a": "0111" + "1001" + "11", HOSTILE: "1011" + "1010" + "01"},
    }
    made = view(rules, families="KKKKXXXXYY")
    return operations_of_study(made, StudyRequest(knowledge=("K",)), SelectionSettings(draws=100))


def texts(canvas: Canvas) -> list[tuple[float, float, float, float]]:
    """Return (left, right, top, bottom) of every level text of a drawing."""
    found = []
    for layer in canvas.layers:
        if layer.kind != "text" or layer.style["angle"]:
            continue
        size = float(str(layer.style["fontSize"]))
        for mark in layer.marks:
            width = text_width(str(mark["text"]), size)
            shift = {"left": 0.0, "center": 0.5, "right": 1.0}[str(layer.style["align"])]
            left = float(mark["x"]) - shift * width
            top = float(mark["y"]) - size / 2
            found.append((left, left + width, top, top + size))
    return found


@pytest.mark.parametrize("name", ["printed", "studied"])
def test_no_two_texts_meet_and_none_leaves_the_drawing(name: str, request: pytest.FixtureRequest):
    result: OperationsResult = request.getfixturevalue(name)
    for key, figure in operation_figures(result).items():
        boxes = sorted(texts(figure.canvas), key=lambda box: box[2])
        assert boxes, key
        for at, (left, right, top, bottom) in enumerate(boxes):
            assert left >= -0.5, key
            assert right <= figure.canvas.width + 0.5, key
            assert top >= -1, key
            assert bottom <= figure.canvas.height + 1, key
            for other in boxes[at + 1 :]:
                apart = other[0] >= right or other[1] <= left or other[2] >= bottom - 1
                assert apart, (key, (left, right, top, bottom), other)


def test_figures_are_svg_without_scripts_and_with_a_text_alternative(printed: OperationsResult):
    made = operation_figures(printed)
    assert list(made) == ["fig-regret", "fig-correlations", "fig-recalls", "fig-displacement"]
    figure = made["fig-correlations"]
    root = ET.fromstring(figure.svg)
    tags = {element.tag.rpartition("}")[2] for element in root.iter()}
    assert tags <= {"svg", "g", "path", "text", "line", "rect", "title", "desc"}
    assert root[1].text == figure.summary
    assert "Mean 0.42 over 55 pairs; from −0.03" in figure.summary


def test_the_regret_figure_says_the_worst_and_the_last(printed: OperationsResult):
    summary = operation_figures(printed)["fig-regret"].summary
    assert "information extraction (18.01 points)" in summary
    assert "decision view generation is found last, at 23 systems" in summary


def test_systems_that_move_far_are_drawn_in_colour(printed: OperationsResult):
    assert printed.ask is not None
    moved = displaced(printed.ask)
    # Figure 6d of the paper: Qwen3-8B falls from rank 2 to 22; Qwen3-32B moves as far.
    assert {row.system for row in moved[:2]} == {"Qwen3-8B", "Qwen3-32B"}
    assert all(abs(row.displacement) >= 8 for row in moved)


def test_tables_show_the_shortlist_that_has_every_leader(printed: OperationsResult):
    assert 23 in shown_sizes(printed)
    made = operation_tables(printed)
    assert "operation-rules" not in made
    rows = {row[0]: row for row in made["shortlists"].rows}
    assert rows["23"][-1] == "11/11"
    leaders = {row[0]: row for row in made["operation-leaders"].rows}
    assert leaders["information extraction"][-2:] == ("18.01", "18")
    assert "disputed issue generation*" in leaders


def test_a_study_shows_intervals_and_rules(studied: OperationsResult):
    made = operation_tables(studied)
    assert [row[0] for row in made["operation-rules"].rows] == ["stored", "other"]
    assert [column.header for column in made["shortlists"].columns][2] == "Interval"
    assert "ask-association" not in made
    assert "fig-recalls" not in operation_figures(studied)


def test_names_from_outside_stay_text(studied: OperationsResult, tmp_path: Path):
    html, markdown = (p.read_text("utf-8") for p in write_operations(studied, tmp_path, ("x",)))
    assert HOSTILE not in html
    assert "&lt;script&gt;" in html
    assert HOSTILE not in markdown
    assert not re.findall(r"""(?:src|href)=["']?https?:""", html)


def test_a_file_in_the_way_is_refused(printed: OperationsResult, tmp_path: Path):
    path = tmp_path / "file"
    path.write_text("here", encoding="utf-8")
    with pytest.raises(UsageError, match="written to a directory"):
        write_operations(printed, path)


def test_every_room_has_parts_and_every_link_a_target(printed: OperationsResult):
    report = operations_report(printed)
    anchors = {room.anchor for room in report.rooms}
    assert all(room.parts for room in report.rooms)
    assert {link.anchor for link in report.strip} <= anchors
    used = {key for room in report.rooms for part in room.parts for key in part.tables}
    folded = {key for room in report.rooms for part in room.parts for _, key in part.folded}
    assert used | folded == set(report.tables)


def test_the_terminal_says_recommendations_first_and_warnings_last(printed: OperationsResult):
    lines = operation_lines(printed)
    assert lines[2].startswith("* For case classification take Kimi-K2.5")
    assert any(line.startswith("! 3 rows rounded on another grid") for line in lines)
    assert "is taken for the evaluator" in lines[-2]
    assert all(len(line) <= 160 for line in lines)


def test_a_result_without_comparable_systems_still_has_a_page(printed: OperationsResult):
    bare = replace(
        printed,
        agreement=replace(printed.agreement, mean=None, lowest=None, highest=None, explained=()),
        profiles=replace(printed.profiles, rows=(), near_pairs=(), median_gap=None),
        ask=None,
    )
    assert list(operation_figures(bare)) == ["fig-regret"]
    assert "fig-correlations" not in operations_report(bare).tables
