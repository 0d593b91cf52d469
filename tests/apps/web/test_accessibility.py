"""Every page can be read and driven by everybody: checked by axe-core, by keyboard, on a phone.

The tests run over the register of pages, so that a page cannot be added without them.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from importlib.resources import files
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from cli_runs import run
from finassay.apps.web.site import PAGES, target_of
from web_clients import token_of

pytestmark = [pytest.mark.browser, pytest.mark.full]

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]
DESK = {"width": 1280, "height": 900}
PHONE = {"width": 390, "height": 844}
AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
DRAW = "axe"

OFTEN = frozenset({"leaderboard", "item", "adjudicate"})
"""Pages that every run of the tests looks at; the others are long."""

FILES = frozenset({"adjudicate-answers"})
"""Pages that are files to save."""

QUERY: Mapping[str, Mapping[str, str]] = {
    "item": {"id": "NUM_002"},
    "why": {"id": "NUM_002", "system": "bm25-quantity"},
} | {page.key: {"draw": DRAW} for page in PAGES if page.key.startswith("adjudicate-")}
"""What pages need in their query."""

FOUND = """(rules) => axe.run({ runOnly: rules, resultTypes: ["violations"] })
  .then((found) => found.violations.map((one) => [one.id, one.nodes.map((node) => node.html)]))"""

WIDER = """() => document.documentElement.scrollWidth - document.documentElement.clientWidth"""

SMALL = """() => [...document.querySelectorAll("button, select, summary, nav a")]
  .filter((one) => one.checkVisibility() && !one.closest(".chart .plot"))
  .filter((one) => one.getBoundingClientRect().height < 43.5)
  .map((one) => one.outerHTML.slice(0, 120))"""


@pytest.fixture(scope="module")
def office(
    demo_study_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    serve: Callable[[Path], AbstractContextManager[str]],
) -> Iterator[str]:
    """A server over a copy of the demonstration, with a draw; yields address and token."""
    path = tmp_path_factory.mktemp("axe") / "study"
    shutil.copytree(demo_study_path, path)
    rules = "includes,number_set"
    ran = run("adjudicate", "plan", path, "--between", rules, "--draw", DRAW, "--control", "2")
    assert ran.code == 0, ran.err
    token = token_of(path, "ann", "label", "review", "submit")
    with serve(path) as address:
        yield f"{address} {token}"


@pytest.fixture(scope="module")
def context(office: str, browser: Browser) -> Iterator[BrowserContext]:
    address, token = office.split()
    # axe is put into the page, which the policy of the pages rightly forbids.
    opened = browser.new_context(bypass_csp=True, viewport=DESK)
    # The first page waits for the audit, on a machine that may be busy.
    opened.set_default_timeout(120_000)
    page = opened.new_page()
    page.goto(f"{address}/login")
    page.fill("input[name=token]", token)
    page.press("input[name=token]", "Enter")
    page.wait_for_url(lambda url: "/login" not in url)
    page.goto(f"{address}/adjudicate")
    page.get_by_role("button", name="Join").first.click()
    page.close()
    yield opened
    opened.close()


def opened(page: Page, office: str, path: str) -> None:
    answer = page.goto(office.split(maxsplit=1)[0] + path, wait_until="load")
    assert answer is not None
    assert answer.status in {200, 409}, answer.status
    for chart in page.locator("[data-chart]").all():
        chart.scroll_into_view_if_needed()
        chart.locator("svg").first.wait_for()


def violations(page: Page) -> dict[str, list[object]]:
    """Return what axe finds on a desk and a phone, light and dark."""
    page.evaluate(AXE)
    found = {}
    for size, viewport in (("desk", DESK), ("phone", PHONE)):
        page.set_viewport_size(viewport)
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            found[f"{size} {scheme}"] = page.evaluate(FOUND, RULES)
    return {where: faults for where, faults in found.items() if faults}


@pytest.mark.parametrize(
    "key",
    [
        pytest.param(page.key, marks=() if page.key in OFTEN else pytest.mark.long)
        for page in PAGES
        if page.key not in FILES
    ],
)
def test_axe_finds_nothing_and_a_phone_is_wide_enough(
    office: str, context: BrowserContext, key: str
) -> None:
    page = context.new_page()
    opened(page, office, target_of(key, QUERY.get(key, {})).url)
    assert violations(page) == {}
    assert page.evaluate(WIDER) <= 0
    assert page.evaluate(SMALL) == []
    page.close()


@pytest.mark.parametrize("path", ["/login", "/nowhere", "/item?id=nothing"])
def test_axe_finds_nothing_on_pages_that_are_in_no_register(
    office: str, browser: Browser, path: str
) -> None:
    context = browser.new_context(bypass_csp=True, viewport=DESK)
    page = context.new_page()
    page.goto(office.split(maxsplit=1)[0] + path)
    assert violations(page) == {}
    context.close()


def test_the_keyboard_alone_reaches_the_content_and_walks_to_another_page(
    served: str, page: Page
) -> None:
    page.goto(served)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    page.goto(served)
    for _ in range(12):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent") == "Items":
            break
    page.keyboard.press("Enter")
    page.wait_for_url(f"{served}/items")
    current = page.locator(".nav .wide [aria-current=page]")
    assert current.inner_text() == "Items"


def test_every_stop_of_the_keyboard_on_the_leaderboard_can_be_seen(served: str, page: Page) -> None:
    page.goto(served)
    seen = 0
    for _ in range(200):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement === document.body"):
            break
        outline = page.evaluate(
            "() => { const style = getComputedStyle(document.activeElement);"
            " return style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2; }"
        )
        told = page.evaluate("document.activeElement.outerHTML.slice(0, 120)")
        assert outline, told
        seen += 1
    assert seen > 30


def test_the_menu_of_a_phone_opens_without_script(served: str, browser: Browser) -> None:
    context = browser.new_context(viewport=PHONE, java_script_enabled=False)
    page = context.new_page()
    page.goto(served)
    page.locator(".nav summary").click()
    page.locator(".nav details").get_by_role("link", name="Items", exact=True).click()
    assert page.url == f"{served}/items"
    context.close()


def test_the_choice_of_colours_is_kept_and_there_before_anything_is_drawn(
    served: str, browser: Browser
) -> None:
    context = browser.new_context(color_scheme="light")
    page = context.new_page()
    page.goto(f"{served}/about")
    paper = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(paper)
    page.get_by_label("Colours").select_option("dark")
    dark = page.evaluate(paper)
    assert dark != light
    page.goto(f"{served}/items", wait_until="commit")
    page.wait_for_selector("body")
    assert page.evaluate(paper) == dark
    page.get_by_label("Colours").select_option("auto")
    assert page.evaluate(paper) == light
    context.close()
