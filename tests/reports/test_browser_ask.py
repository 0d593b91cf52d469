"""What a reader sees of the ask pages in Chromium: no script, no sideways scrolling, no overlap."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from ask_studies import HOSTILE, REPLIES, STATES, ask_study_at, state
from finassay.analyses.ask.report import AskSettings, report_of_table
from finassay.reports.ask_page import write_ask
from finassay.reports.ask_workflow import AskRequest, ask_study, published_table

pytestmark = [pytest.mark.browser, pytest.mark.full]

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
BOXES = """id => [...document.querySelectorAll(`#${id} svg text`)]
  .filter(t => t.textContent.trim())
  .map(t => { const b = t.getBoundingClientRect();
              return [b.left, b.top, b.right, b.bottom, t.lastChild.textContent]; })"""
FIGURES = ("fig-ask-era", "fig-ask-recall", "fig-ask-ranks", "fig-ask-costs-action")
SLACK = 0.5


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("no Chromium on this machine")
    with sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    root = tmp_path_factory.mktemp("ask")
    (printed,) = write_ask(report_of_table(published_table(), AskSettings()), root / "printed")
    states = (state(1, "ask", HOSTILE, f"{HOSTILE} {'long' * 60}"), *STATES[1:])
    study = ask_study_at(root / "study", {HOSTILE: REPLIES["ada"], "bob": REPLIES["bob"]}, states)
    report, found = ask_study(study, AskRequest(settings=AskSettings(draws=20)))
    own, cases = write_ask(report, root / "own", found)
    return {"printed": printed, "own": own, "cases": cases}


@pytest.mark.parametrize("width", [400, 1300])
@pytest.mark.parametrize("name", ["printed", "own", "cases"])
def test_pages_never_scroll_sideways_and_report_no_error(
    browser: Browser, pages: dict[str, Path], name: str, width: int
):
    page = browser.new_page(viewport={"width": width, "height": 900})
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(pages[name].as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert said == []
    page.close()


@pytest.mark.parametrize("figure", FIGURES)
def test_no_two_labels_of_a_figure_meet(browser: Browser, pages: dict[str, Path], figure: str):
    page = browser.new_page(viewport={"width": 1300, "height": 900})
    page.goto(pages["printed"].as_uri())
    boxes = page.evaluate(BOXES, figure)
    assert len(boxes) > 10
    met = [
        (a[4], b[4])
        for a, b in combinations(boxes, 2)
        if min(a[2], b[2]) - max(a[0], b[0]) > SLACK and min(a[3], b[3]) - max(a[1], b[1]) > SLACK
    ]
    assert met == []
    page.close()
