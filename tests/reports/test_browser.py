"""What a reader sees in Chromium, at the widths and in the colours that the report promises."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

import sample_audits
from finassay.reports.canvas import text_width
from finassay.reports.write import write_report

pytestmark = [pytest.mark.browser, pytest.mark.full]

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]

BOXES = """id => [...document.querySelectorAll(`#${id} svg text`)]
  .filter(t => t.textContent.trim())
  .map(t => { const b = t.getBoundingClientRect();
              return [b.left, b.top, b.right, b.bottom, t.lastChild.textContent]; })"""

CONTRAST = """() => {
  const lum = c => { const v = c.map(x => { x /= 255;
    return x <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4; });
    return 0.2126 * v[0] + 0.7152 * v[1] + 0.0722 * v[2]; };
  const rgb = s => s.match(/[0-9.]+/g).slice(0, 3).map(Number);
  const paper = lum(rgb(getComputedStyle(document.body).backgroundColor));
  const bad = [];
  for (const e of document.querySelectorAll('body *')) {
    const own = [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim());
    if (!own || ['STYLE', 'title', 'desc'].includes(e.tagName)) continue;
    const style = getComputedStyle(e);
    const ink = lum(rgb(e.tagName === 'text' ? style.fill : style.color));
    const ratio = (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05);
    if (ratio < 4.5) bad.push([e.tagName, e.textContent.slice(0, 40), ratio]);
  }
  return bad; }"""


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
    audits = {
        "12": sample_audits.made_audit(12),
        "35": sample_audits.made_audit(35),
        "hostile": sample_audits.made_audit(8, names=sample_audits.HOSTILE),
    }
    return {
        name: write_report(audit, tmp_path_factory.mktemp(name), formats=("html",))[0]
        for name, audit in audits.items()
    }


def opened(browser: Browser, path: Path, *, width: int = 1400, scheme: str = "light") -> Page:
    page = browser.new_page(
        viewport={"width": width, "height": 900},
        color_scheme="dark" if scheme == "dark" else "light",
    )
    page.goto(path.as_uri())
    return page


def overlaps(boxes: list[list[float]]) -> list[tuple[str, str]]:
    slack = 0.5
    return [
        (str(a[4]), str(b[4]))
        for i, a in enumerate(boxes)
        for b in boxes[i + 1 :]
        if a[0] < b[2] - slack
        and b[0] < a[2] - slack
        and a[1] < b[3] - slack
        and b[1] < a[3] - slack
    ]


@pytest.mark.parametrize("name", ["12", "35", "hostile"])
def test_the_page_asks_for_nothing_and_reports_no_error(
    browser: Browser, pages: dict[str, Path], name: str
):
    page = browser.new_page()
    said: list[str] = []
    asked: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(pages[name].as_uri())
    page.close()
    assert said == []
    assert [url for url in asked if not url.startswith("data:")] == [pages[name].as_uri()]


@pytest.mark.parametrize("width", [400, 1400])
@pytest.mark.parametrize("name", ["12", "35", "hostile"])
def test_the_page_never_scrolls_sideways(
    browser: Browser, pages: dict[str, Path], name: str, width: int
):
    page = opened(browser, pages[name], width=width)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.close()


def test_headings_stand_in_reading_order(browser: Browser, pages: dict[str, Path]):
    page = opened(browser, pages["12"])
    assert page.locator("h2").all_inner_texts() == [
        "Verdict",
        "Leaderboard",
        "Ranks across regimes",
        "Findings",
        "Significance",
        "Items",
        "Methods",
    ]
    assert page.locator("h3", has_text="What moves the score").count() == 1
    page.close()


@pytest.mark.parametrize("figure", ["fig-leaderboard", "fig-ranks", "fig-regimes", "fig-coverage"])
@pytest.mark.parametrize("name", ["12", "35", "hostile"])
def test_no_two_labels_of_a_figure_meet(
    browser: Browser, pages: dict[str, Path], name: str, figure: str
):
    page = opened(browser, pages[name])
    boxes = page.evaluate(BOXES, figure)
    assert len(boxes) > 10
    assert overlaps(boxes) == []
    page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_the_page(browser: Browser, pages: dict[str, Path], scheme: str):
    page = opened(browser, pages["12"], scheme=scheme)
    assert page.evaluate(CONTRAST) == []
    page.close()


@pytest.mark.parametrize("face", ["DejaVu Sans", "Liberation Sans", "sans-serif"])
def test_no_character_is_wider_than_its_estimate(browser: Browser, face: str):
    characters = [chr(code) for code in range(32, 127)] + list("—…é中文")
    page = browser.new_page()
    widths = page.evaluate(
        """([characters, face]) => {
          const pen = document.createElement('canvas').getContext('2d');
          pen.font = `100px ${face}`;
          return characters.map(c => pen.measureText(c).width); }""",
        [characters, face],
    )
    page.close()
    estimates = [text_width(char, 100) for char in characters]
    wider = [c for c, wide, most in zip(characters, widths, estimates, strict=True) if wide > most]
    assert wider == []


def test_labels_stay_inside_their_figure(browser: Browser, pages: dict[str, Path]):
    page = opened(browser, pages["hostile"])
    outside = page.evaluate(
        """() => [...document.querySelectorAll('svg')].flatMap(s => {
          const f = s.getBoundingClientRect();
          return [...s.querySelectorAll('text')].filter(t => {
            const b = t.getBoundingClientRect();
            return b.left < f.left - 1 || b.right > f.right + 1
                || b.top < f.top - 1 || b.bottom > f.bottom + 1; })
            .map(t => t.lastChild.textContent); })"""
    )
    assert outside == []
    page.close()


def test_the_first_tab_stop_skips_to_the_report(browser: Browser, pages: dict[str, Path]):
    page = opened(browser, pages["12"])
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.getAttribute('href')") == "#main"
    page.close()


def test_the_printed_page_is_not_empty(browser: Browser, pages: dict[str, Path]):
    page = opened(browser, pages["12"])
    assert page.pdf(prefer_css_page_size=True).startswith(b"%PDF-")
    page.close()
