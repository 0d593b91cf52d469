"""Charts, sorting and files in Chromium: drawn, pointed at, stepped through, in both colours."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

import web_boards

pytestmark = [pytest.mark.browser, pytest.mark.full]

Watch = Callable[[BrowserContext], AbstractContextManager[Page]]

PATIENCE_MS = 60_000


@pytest.fixture(scope="module")
def address(
    tmp_path_factory: pytest.TempPathFactory, serve: Callable[..., AbstractContextManager[str]]
) -> Iterator[str]:
    path = tmp_path_factory.mktemp("charts") / "study"
    web_boards.board_study(path)
    with serve(path) as found:
        yield found


def drawn(page: Page, key: str, times: int = 1) -> None:
    """Bring a chart into view and wait until it was drawn so many times."""
    place = page.locator(f"[data-chart='{key}-spec']")
    place.scroll_into_view_if_needed()
    page.wait_for_function(
        "([key, times]) => Number(document.querySelector(`[data-chart='${key}-spec']`)"
        ".dataset.drawn ?? 0) >= times",
        arg=[key, times],
        timeout=PATIENCE_MS,
    )


def mark_at(page: Page, key: str, kind: str, number: int) -> tuple[float, float]:
    """Return the middle of a mark of a chart, in pixels of the window."""
    box = page.locator(f"#{key} svg .mark-{kind} path").nth(number).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_pointing_at_a_system_shows_its_numbers_and_fades_the_others(address: str, page: Page):
    page.goto(f"{address}/?regime=strict")
    drawn(page, "accuracy")
    tip = page.locator("#vg-tooltip-element.visible")
    assert tip.count() == 0
    page.mouse.move(*mark_at(page, "accuracy", "symbol", 1))
    expect(tip).to_be_visible()
    told = tip.inner_text()
    row = page.locator("#t-leaderboard tbody tr").nth(1)
    assert row.locator("th").inner_text() in told
    assert f"{row.locator('td').nth(2).inner_text()}%" in told
    assert row.locator("td").nth(4).inner_text() in told
    faded = page.locator("#accuracy svg .mark-symbol path[opacity='0.3']")
    assert faded.count() == page.locator("#accuracy svg .mark-symbol path").count() - 1


def test_a_click_keeps_a_system_lit_after_the_pointer_left(address: str, page: Page):
    page.goto(f"{address}/?regime=strict")
    drawn(page, "ranks")
    faded = "#ranks svg .mark-line path[opacity='0.2']"
    page.mouse.click(*mark_at(page, "ranks", "symbol", 3))
    page.mouse.move(2, 2)
    expect(page.locator(faded)).to_have_count(4)


def test_arrow_keys_step_through_the_systems_and_say_them(address: str, page: Page):
    page.goto(f"{address}/?regime=strict")
    drawn(page, "accuracy")
    place = page.locator("[data-chart='accuracy-spec']")
    said = page.locator("#accuracy .said")
    place.focus()
    page.keyboard.press("ArrowDown")
    first = page.locator("#t-leaderboard tbody tr").first.locator("th").inner_text()
    expect(said).to_contain_text(first)
    page.keyboard.press("End")
    expect(said).to_contain_text("reader")
    page.keyboard.press("Escape")
    expect(said).to_have_text("")


def test_other_colours_draw_the_chart_again_in_them(address: str, page: Page):
    page.goto(address)
    drawn(page, "accuracy")
    blue = page.locator("#accuracy svg line[stroke='#0072b2']")
    assert blue.count() >= 5
    page.locator("[data-theme-picker] select").select_option("dark")
    drawn(page, "accuracy", times=2)
    named = page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--blue')")
    assert named.strip() != "#0072b2"
    expect(page.locator(f"#accuracy svg line[stroke='{named.strip()}']")).not_to_have_count(0)
    expect(blue).to_have_count(0)


def test_the_regime_switch_and_the_heads_of_columns_are_links(address: str, page: Page):
    page.goto(address)
    page.get_by_role("link", name="judge-only", exact=True).click()
    expect(page.locator("#board-h")).to_have_text("Systems under judge-only")
    page.get_by_role("columnheader", name="Accuracy, %").get_by_role("link").click()
    head = page.locator("th[aria-sort]")
    expect(head).to_have_attribute("aria-sort", "descending")
    page.get_by_role("columnheader", name="Accuracy, %").get_by_role("link").click()
    expect(head).to_have_attribute("aria-sort", "ascending")
    heads = page.locator("#t-leaderboard thead th").all_inner_texts()
    place = next(at for at, text in enumerate(heads, start=1) if text.startswith("Accuracy"))
    values = page.locator(f"#t-leaderboard tbody tr :nth-child({place})").all_inner_texts()[:5]
    numbers = [float(text) for text in values]
    assert numbers == sorted(numbers)
    assert "regime=judge-only" in page.url


def test_files_are_kept_with_the_rows_of_the_page(address: str, page: Page, tmp_path: Path):
    page.goto(f"{address}/?regime=judge-only&sort=accuracy&order=asc")
    names = page.locator("#t-leaderboard tbody th").all_inner_texts()
    for form in ("CSV", "JSON", "LaTeX"):
        with page.expect_download() as waiting:
            page.locator(".downloads").get_by_role("link", name=form).click()
        waiting.value.save_as(tmp_path / form)
    with (tmp_path / "CSV").open(newline="", encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    assert [row["system"].removeprefix("'") for row in rows] == [
        name.rpartition(" (")[0] or name for name in names
    ]
    body = json.loads((tmp_path / "JSON").read_text("utf-8"))
    assert len(body["rows"]) == len(names)
    assert "\\begin{tabular}" in (tmp_path / "LaTeX").read_text("utf-8")


@pytest.mark.parametrize(("name", "begins"), [("Save SVG", b"<svg"), ("Save PNG", b"\x89PNG")])
def test_a_chart_is_saved_on_white_whatever_the_page_looks_like(
    address: str, page: Page, tmp_path: Path, name: str, begins: bytes
):
    page.emulate_media(color_scheme="dark")
    page.goto(address)
    drawn(page, "accuracy")
    with page.expect_download(timeout=PATIENCE_MS) as waiting:
        page.locator("#accuracy").get_by_role("button", name=name).click()
    waiting.value.save_as(tmp_path / "chart")
    content = (tmp_path / "chart").read_bytes()
    assert content.startswith(begins)
    if name == "Save SVG":
        assert b"#0072b2" in content
        assert b"<script" not in content


def test_a_chart_that_cannot_be_drawn_leaves_its_words_and_its_table(address: str, page: Page):
    page.route(
        "**/vega.js",
        lambda route: route.fulfill(status=200, body="export {};", content_type="text/javascript"),
    )
    page.goto(address)
    page.locator("[data-chart='ranks-spec']").scroll_into_view_if_needed()
    page.wait_for_function("() => document.querySelector('[data-chart=ranks-spec]').dataset.failed")
    expect(page.locator("#ranks .summary")).to_be_visible()
    expect(page.locator("#ranks summary").first).to_be_visible()


def test_ranks_over_rules_come_to_the_open_page_by_themselves(address: str, page: Page):
    page.goto(address)
    expect(page.get_by_role("columnheader", name="By rule")).to_be_visible(timeout=PATIENCE_MS)
    page.goto(f"{address}/rules")
    for key in ("curve", "rank-intervals", "effects", "reachable"):
        drawn(page, key)
    assert page.locator("[data-failed]").count() == 0


@pytest.mark.parametrize("path", ["/", "/rules"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_shows_every_chart_without_scrolling_sideways(
    address: str, browser: Browser, watch: Watch, path: str, scheme: str
):
    context = browser.new_context(
        viewport={"width": 390, "height": 844},
        color_scheme="dark" if scheme == "dark" else "light",
    )
    with watch(context) as page:
        page.goto(f"{address}{path}")
        for place in page.locator("[data-chart]").all():
            name = place.get_attribute("data-chart") or ""
            drawn(page, name.removesuffix("-spec"))
            box = place.locator("svg").bounding_box()
            assert box is not None
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= 390
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
    context.close()
