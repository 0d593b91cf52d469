"""Pictures of every page, from the bundled data: docs/images/web/.

    python scripts/screenshots.py [--demo DIR] [--only NAME]...

Serves the demonstration of `web_demo.py`, opens its pages in Chromium and writes optimised PNG
files.  `--demo` keeps what is served, and takes it from there the next time.
"""

from __future__ import annotations

import argparse
import io
import json
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

import web_demo
from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from finassay.apps.web.site import PAGES, target_of

OUT = Path(__file__).resolve().parents[1] / "docs" / "images" / "web"
MOST_BYTES = 250_000
PATIENCE_MS = 300_000
"""Longest wait for a page: the first ones are asked for while every rule is tried."""

DESK = (1280, 900)
PHONE = (390, 844)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shot:
    """One picture.

    Attributes:
        name: of the file.
        path: what is opened.
        study: field of `web_demo.Served` that is served.
        height: pixels that are kept from the top, or from the element `at`.
        size: of the window.
        dark: whether the colours are dark.
        at: selector of the element at which the picture begins.
    """

    name: str
    path: str
    study: str = "study"
    height: int = 1500
    size: tuple[int, int] = DESK
    dark: bool = False
    at: str = ""


def page(key: str, **query: str) -> str:
    """Return the address of a page."""
    return target_of(key, query).url


SHOTS: tuple[Shot, ...] = (
    Shot(name="leaderboard", path=page("leaderboard"), height=1700),
    Shot(name="leaderboard-ranks", path=page("leaderboard"), at="#regimes", height=900),
    Shot(name="leaderboard-phone", path=page("leaderboard"), size=PHONE, height=1500),
    Shot(name="rules", path=page("rules"), height=1700),
    Shot(name="rules-dark", path=page("rules"), at="#effects-part", dark=True, height=1100),
    Shot(name="difficulty", path=page("difficulty"), height=1500),
    Shot(name="items", path=page("items", order="disagreement"), height=1100),
    Shot(name="item", path=page("item", id="NUM_002"), height=1500),
    Shot(name="item-phone", path=page("item", id="NUM_002"), size=PHONE, dark=True, height=1500),
    Shot(name="why", path=page("why", id="NUM_002", system="bm25-quantity"), height=1400),
    Shot(name="compare", path=page("compare", a="bm25-quantity", b="majority"), height=1500),
    Shot(name="judges", path=page("judges"), height=1600),
    Shot(name="operations", path=page("operations"), study="operations", height=1700),
    Shot(name="ask", path=page("ask"), study="ask", height=1500),
    Shot(
        name="operations-profiles",
        path=page("operations"),
        study="operations",
        at="figure.chart",
        height=1000,
    ),
    Shot(name="ask-plane", path=page("ask"), study="ask", at="figure.chart", height=1000),
    Shot(
        name="ask-the-rules",
        path=page("ask-the-rules", q="unplanned downtime of a critical system"),
        height=1250,
    ),
    Shot(name="adjudicate", path=page("adjudicate"), height=1000),
    Shot(
        name="conflicts",
        path=page("adjudicate-conflicts", draw=web_demo.DRAW),
        size=(1280, 1150),
        height=1150,
    ),
    Shot(name="references", path=page("adjudicate-references", draw=web_demo.DRAW), height=900),
    Shot(name="agreement", path=page("adjudicate-agreement", draw=web_demo.DRAW), height=1000),
    Shot(name="who-labels", path=page("adjudicate-people", draw=web_demo.DRAW), height=900),
    Shot(name="label", path=page("adjudicate-label", draw=web_demo.FRESH_DRAW), height=1100),
    Shot(
        name="label-phone",
        path=page("adjudicate-label", draw=web_demo.FRESH_DRAW),
        size=PHONE,
        height=1300,
    ),
    Shot(name="submit", path=page("submit"), height=1000),
    Shot(name="about", path=page("about"), height=1200),
    Shot(name="login", path="/login", height=700),
)

WITHOUT_PICTURE = frozenset({"adjudicate-answers"})
"""Pages that are files to save."""


def main() -> None:
    """Write the pictures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--demo", type=Path, help="directory that keeps what is served")
    parser.add_argument("--only", action="append", help="name of a picture; repeat")
    asked = parser.parse_args()
    shots = [shot for shot in SHOTS if not asked.only or shot.name in asked.only]
    OUT.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        served = kept(asked.demo or Path(scratch) / "served")
        with sync_playwright() as driver:
            chromium = shutil.which("chromium")
            browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            for study in ("study", "operations", "ask"):
                of_study = [shot for shot in shots if shot.study == study]
                if of_study:
                    with serving(getattr(served, study), served.index) as address:
                        take(browser, address, served.token, of_study)
            browser.close()


def kept(root: Path) -> web_demo.Served:
    """Return the demonstration of a directory, made there if it is not."""
    told = root / "served.json"
    if told.exists():
        known = json.loads(told.read_text())
        token = known.pop("token")
        return web_demo.Served(**{name: Path(at) for name, at in known.items()}, token=token)
    root.mkdir(parents=True, exist_ok=True)
    made = web_demo.build(root)
    told.write_text(json.dumps(asdict(made), default=str))
    return made


@contextmanager
def serving(study: Path, index: Path) -> Iterator[str]:
    """Serve a study, and yield the address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    words = ["serve", str(study), "--port", str(port), "--index", str(index)]
    address = f"http://127.0.0.1:{port}"
    with subprocess.Popen([sys.executable, "-m", "finassay", *words]) as server:
        while True:
            try:
                urllib.request.urlopen(f"{address}/api/health", timeout=5).close()
                break
            except (urllib.error.URLError, ConnectionError, TimeoutError):
                if server.poll() is not None:
                    raise SystemExit("the server ended while it started") from None
                time.sleep(0.2)
        try:
            yield address
        finally:
            server.terminate()


def take(browser: Browser, address: str, token: str, shots: list[Shot]) -> None:
    """Open each page and keep its picture, once every rule has been tried."""
    first = browser.new_page()
    first.set_default_timeout(PATIENCE_MS)
    visit(first, f"{address}{page('rules')}")
    first.close()
    for shot in shots:
        width, height = shot.size
        context = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if shot.dark else "light",
        )
        opened = context.new_page()
        opened.set_default_timeout(PATIENCE_MS)
        if shot.study == "study" and shot.name != "login":
            log_in(opened, address, token)
        if shot.path.startswith("/adjudicate/label"):
            join(opened, address)
        visit(opened, f"{address}{shot.path}")
        save(shot, picture(opened, shot))
        context.close()


def log_in(opened: Page, address: str, token: str) -> None:
    """Log in with the form."""
    opened.goto(f"{address}/login")
    opened.fill("input[name=token]", token)
    opened.press("input[name=token]", "Enter")
    opened.wait_for_url(lambda url: "/login" not in url)


def join(opened: Page, address: str) -> None:
    """Join the draw that nobody labelled yet, unless that was done before."""
    opened.goto(f"{address}/adjudicate")
    draw = opened.locator(f"[data-draw={web_demo.FRESH_DRAW}]")
    button = draw.get_by_role("button", name="Join")
    if button.count():
        button.first.click()


def visit(opened: Page, url: str) -> None:
    """Open a page, wait until what it computes is there, and let every chart be drawn."""
    opened.goto(url, wait_until="load")
    while opened.locator("[role=status]:has-text('being')").count():
        time.sleep(2)
        opened.goto(url, wait_until="load")
    for chart in opened.locator("[data-chart]").all():
        chart.scroll_into_view_if_needed()
        chart.locator("svg").first.wait_for()
    opened.evaluate("scrollTo(0, 0)")
    opened.wait_for_timeout(400)


def picture(opened: Page, shot: Shot) -> bytes:
    """Return a picture as PNG."""
    top = 0.0
    if shot.at:
        box = opened.locator(shot.at).first.bounding_box()
        top = max(0.0, (box or {"y": 0.0})["y"] - 20)
    whole = opened.evaluate("document.documentElement.scrollHeight")
    clip = {"x": 0, "y": top, "width": shot.size[0], "height": min(shot.height, whole - top)}
    return opened.screenshot(full_page=True, clip=clip)


def save(shot: Shot, png: bytes) -> None:
    """Write a picture with as few colours as it needs."""
    image = Image.open(io.BytesIO(png)).convert("RGB")
    small = image.quantize(colors=128, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    path = OUT / f"{shot.name}.png"
    small.save(path, optimize=True)
    size = path.stat().st_size
    print(f"{path.name}: {size / 1000:.0f} kB")
    if size > MOST_BYTES:
        raise SystemExit(f"{path} has {size} bytes, at most {MOST_BYTES} are allowed")


if __name__ == "__main__":
    missing = {one.key for one in PAGES} - WITHOUT_PICTURE
    shown = {shot.path.partition("?")[0] for shot in SHOTS}
    lacking = sorted(one.key for one in PAGES if one.key in missing and one.path not in shown)
    if lacking:
        raise SystemExit(f"pages without a picture: {', '.join(lacking)}")
    main()
