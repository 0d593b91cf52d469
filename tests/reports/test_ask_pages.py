"""Pages on asking and going on: dashes, escaping, figures, cards."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from ask_studies import HOSTILE, REPLIES, STATES, ask_study_at, state
from finassay.analyses.ask.report import AskSettings, report_of_table
from finassay.analyses.results_ask import AskReport
from finassay.marking.ask_outcomes import AskOutcomes
from finassay.reports import tables_ask
from finassay.reports.ask_cases import MOST_REPLIES, cards, cases_page
from finassay.reports.ask_page import ask_figures, ask_report_page, write_ask
from finassay.reports.ask_workflow import AskRequest, ask_study, published_table
from finassay.reports.canvas import Canvas
from finassay.reports.figures_ask import Frame, contours
from finassay.reports.terminal_ask import ask_lines
from finassay.runs.importers.ask_tables import parse_ask_table

DASH = "—"


@pytest.fixture(scope="module")
def printed() -> AskReport:
    return report_of_table(published_table(), AskSettings())


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> tuple[AskReport, AskOutcomes]:
    study = ask_study_at(tmp_path_factory.mktemp("ask") / "study")
    return ask_study(study, AskRequest(settings=AskSettings(draws=50)))


def test_policies_print_dashes_for_requests(printed: AskReport):
    table = tables_ask.scores(printed)
    cells = {row[0]: row[1:] for row in table.rows}
    # ERA, BAcc, AskR, ProceedR, RAA, CRA, DEH, REH.
    always = [cell.rstrip("¹²³") for cell in cells["Always-Ask"]]
    assert always == [DASH, "50.00", "100.00", "0.00", "85.74", DASH, DASH, DASH]
    assert "A reference policy makes no request" in " ".join(table.notes)


def test_an_undefined_cra_prints_a_dash_and_says_why(tmp_path: Path):
    never = {"eve": dict.fromkeys(REPLIES["ada"], "[STOP]")}
    report, _ = ask_study(
        ask_study_at(tmp_path / "s", never), AskRequest(settings=AskSettings(draws=20))
    )
    table = tables_ask.scores(report)
    assert table.rows[0][0] == "eve"
    assert table.rows[0][6].startswith(DASH)
    assert "asks at no ask state" in " ".join(table.notes)


def test_the_evaluator_is_marked(printed: AskReport):
    names = [row[0] for row in tables_ask.scores(printed).rows]
    assert "DeepSeek-V4-Flash †" in names


def test_every_table_of_a_report_has_rows(printed: AskReport, small: tuple[AskReport, object]):
    for report in (printed, small[0]):
        keys = [table.key for table in tables_ask.ask_tables(report)]
        assert len(keys) == len(set(keys)) >= 5
    assert "ask-identities" in [table.key for table in tables_ask.ask_tables(printed)]


def test_the_terminal_tells_findings_and_warnings(printed: AskReport):
    text = "\n".join(ask_lines(printed))
    assert "[high] Systems that agree with the record alike" in text
    assert "Note: Printed metrics alone" in text


def texts_of(report: AskReport) -> dict[str, list[str]]:
    return {
        key: [
            str(mark["text"])
            for layer in figure.canvas.layers
            for mark in layer.marks
            if "text" in mark
        ]
        for key, figure in ask_figures(report).items()
    }


def test_the_charts_name_leaders_contours_and_ranks(printed: AskReport):
    texts = texts_of(printed)
    assert {"ERA 40", "ERA 60", "ERA 80"} <= set(texts["fig-ask-era"])
    assert {"Kimi-K3", "Ling-2.6-1T", "Qwen3.7-Max", "Qwen3-8B"} <= set(texts["fig-ask-era"])
    assert "FinR1-7B" in texts["fig-ask-recall"]
    assert texts["fig-ask-ranks"].count("Ling-2.6-1T") == 2
    assert {"Always-Proceed", "Kimi-K3"} <= set(texts["fig-ask-costs-action"])


def test_labels_of_the_chart_do_not_meet(printed: AskReport):
    figure = ask_figures(printed)["fig-ask-era"]
    labels = [
        (float(mark["x"]), float(mark["y"]))
        for layer in figure.canvas.layers
        if layer.kind == "text" and layer.style["fontSize"] == 11.0 and len(layer.marks) > 12
        for mark in layer.marks
        if not re.fullmatch(r"\d+", str(mark["text"]))
    ]
    assert len(labels) > 15
    for at, (x, y) in enumerate(labels):
        for other_x, other_y in labels[at + 1 :]:
            assert abs(y - other_y) >= 13.9 or abs(x - other_x) > 20


def test_a_point_on_a_contour_has_the_era_of_the_contour(printed: AskReport):
    frame, canvas = Frame(0.0, 1.0, 0.0, 1.0), Canvas(600, 600)
    contours(canvas, frame)
    at = {"0": 0.2, "1": 0.4, "2": 0.6, "3": 0.8}
    for mark in canvas.layers[0].marks:
        x = (float(mark["x"]) - frame.x(0.0)) / frame.width
        y = 1 - (float(mark["y"]) - frame.y(1.0)) / frame.height
        assert x * y == pytest.approx(at[str(mark["series"])])


def test_one_system_or_none_draws_what_it_can():
    head = "model,ERA,BAcc,AskR,ProceedR\n"
    for rows in ("", "a,10,50,60,40\n"):
        report = report_of_table(parse_ask_table(head + rows, name="t"), AskSettings())
        assert "fig-ask-era" not in ask_figures(report)
        assert ask_report_page(report).title == "Ask or proceed: t"
        assert ask_lines(report)


class Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.outside: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.outside += [
            value or ""
            for name, value in attrs
            if name in {"src", "href"} and not (value or "").startswith(("#", "data:"))
        ]


def test_pages_stand_alone_without_scripts(printed: AskReport, tmp_path: Path):
    (file,) = write_ask(printed, tmp_path)
    page = Page()
    page.feed(file.read_text("utf-8"))
    assert file.name == "ask.html"
    assert "script" not in page.tags
    assert page.outside == []
    assert page.tags.count("svg") == 5


def test_a_card_shows_context_needs_reply_and_verdict(small: tuple[AskReport, AskOutcomes]):
    _, found = small
    first = cards(found, ["ada", "bob"])[0]
    assert (first.state, first.recorded, first.trajectory) == ("S1", "ask", "T1")
    assert first.needs == ("Lease of warehouse number 1",)
    assert [reply.outcome for reply in first.replies] == [
        "asks; direct, 1",
        "recorded action missed: proceed instead of ask",
    ]
    faulty = cards(found, ["ada"])[1].replies[0]
    assert (faulty.kind, faulty.outcome) == (
        "miss",
        "asks, but the request earns nothing by its form",
    )


def test_cards_escape_everything_that_came_from_outside(tmp_path: Path):
    states = (state(1, "ask", HOSTILE, HOSTILE), *STATES[1:])
    replies = {HOSTILE: {"S1": f"[CONTINUE] {HOSTILE}"}}
    report, found = ask_study(
        ask_study_at(tmp_path / "s", replies, states), AskRequest(settings=AskSettings(draws=20))
    )
    text = cases_page(found, report)
    assert "<script" not in text
    assert text.count("&lt;script&gt;") >= 4
    page = Page()
    page.feed(text)
    assert "script" not in page.tags


def test_replies_beyond_the_limit_are_counted(tmp_path: Path):
    many = {f"s{at:02}": REPLIES["ada"] for at in range(MOST_REPLIES + 2)}
    report, found = ask_study(
        ask_study_at(tmp_path / "s", many), AskRequest(settings=AskSettings(draws=20))
    )
    first = cards(found, [row.system for row in report.rows if not row.is_policy])[0]
    assert (len(first.replies), first.n_more) == (MOST_REPLIES, 2)
    assert "and 2 more in the study" in cases_page(found, report)


def test_no_cases_are_written_where_no_text_may_be(
    small: tuple[AskReport, AskOutcomes], tmp_path: Path
):
    report, found = small
    assert [file.name for file in write_ask(report, tmp_path / "a")] == ["ask.html"]
    names = [file.name for file in write_ask(report, tmp_path / "b", found)]
    assert names == ["ask.html", "ask-cases.html"]
    assert "Lease of warehouse" not in (tmp_path / "b" / "ask.html").read_text("utf-8")
