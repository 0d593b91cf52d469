"""Every page can be read and driven by everybody: checked by axe-core, by keyboard, on a phone.

The tests run over the register of pages, so that a page cannot be added without them.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files

import pytest
from playwright.sync_api import Browser, BrowserContext

from finassay.apps.web.site import PAGES, target_of

pytestmark = [pytest.mark.browser, pytest.mark.full]

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]
SIZES = {"desk": (1280, 900), "phone": (390, 844)}
AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")

RUN = """(rules) => axe.run({ runOnly: rules, resultTypes: ["violations"] })
  .then((found) => found.violations.map((one) => [one.id, one.nodes.map((node) => node.html)]))"""

WIDER = """() => [...document.body.querySelectorAll("*")].filter((one) => {
  const box = one.getBoundingClientRect();
  return box.width && box.right > document.documentElement.clientWidth + 1 && !one.closest(".scroll, pre, .plot");
}).map((one) => one.outerHTML.slice(0, 120))"""

SMALL = """() => [...document.querySelectorAll("main a, main button, main select, nav a, summary")]
  .filter((one) => one.checkVisibility() && !one.closest("p, li:not(nav li), td, dd, dt, .foot, .reply, .notice"))
  .filter((one) => one.getBoundingClientRect().height < 43.5)
  .map((one) => one.outerHTML.slice(0, 120))"""


def address(served: str, key: str, item: str) -> str:
    query = {"id": item} if key == "item" else {}
    return served + target_of(key, query).url


@pytest.fixture(scope="module", params=["light", "dark"])
def context(request: pytest.FixtureRequest, browser: Browser) -> Iterator[BrowserContext]:
    # axe is put into the page, which the policy of the pages rightly forbids.
    opened = browser.new_context(color_scheme=request.param, bypass_csp=True)
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def item(served: str, browser: Browser) -> str:
    """Any item of the demonstration."""
    return "reglabels-001"


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("key", [page.key for page in PAGES])
def test_axe_finds_nothing(
    served: str, context: BrowserContext, item: str, key: str, size: str
) -> None:
    page = context.new_page()
    width, height = SIZES[size]
    page.set_viewport_size({"width": width, "height": height})
    opened = page.goto(address(served, key, item), wait_until="networkidle")
    assert opened is not None
    assert opened.status in {200, 409}
    page.evaluate(AXE)
    found = page.evaluate(RUN, RULES)
    page.close()
    assert found == []
