"""Whatever a model, a file or a person writes is shown as text: nothing of it ever runs."""

from __future__ import annotations

import csv
import io
import re
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlencode

import pytest
from fastapi.testclient import TestClient
from playwright.sync_api import Browser

from cli_runs import apart, run
from finassay.apps.web.app import create_app
from finassay.apps.web.rendering import harmless
from finassay.apps.web.settings import WebSettings
from finassay.apps.web.site import PAGES, target_of
from finassay.reports.workflow import AuditSettings, audit_study
from hostile_study import JUDGES, hostile_study, names_of_systems
from web_clients import form_token, log_in, token_of
from web_injections import ALL, INJECTIONS, NAMES
from web_page_checks import read_page

pytestmark = pytest.mark.long

RAN = "() => window.taken || Object.prototype.polluted || null"


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A marked study of hostile texts, with a draw of labels and three people."""
    path = tmp_path_factory.mktemp("hostile") / "study"
    audit_study(hostile_study(path), AuditSettings(scorers=("strict/numbers-first", "financial")))
    told = ("--between", ",".join(JUDGES), "--draw", "hostile")
    ran = run("adjudicate", "plan", path, *told, "--note", NAMES[0], "--control", "20")
    assert ran.code == 0, ran.err
    return path


@pytest.fixture(scope="module")
def client(study: Path) -> Iterator[TestClient]:
    settings = WebSettings(study=study, patience_s=120)
    with TestClient(create_app(settings), follow_redirects=True) as opened:
        log_in(opened, token_of(study, "eve", "label", "review", "submit"))
        yield opened


@pytest.fixture(scope="module")
def site(study: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The study as a site of files."""
    out = tmp_path_factory.mktemp("site") / "site"
    ran = apart("export-site", study, "--out", out)
    assert ran.code == 0, ran.err
    return out


def faults(text: str) -> list[str]:
    return read_page(text).faults


def said(text: str) -> str:
    """Return all text of a page, spaces aside."""
    return squeezed("".join(part for within, part in read_page(text).texts if within != "script"))


def squeezed(text: str) -> str:
    return "".join(text.split())


def test_there_are_at_least_sixty_texts_of_twelve_kinds() -> None:
    assert len(set(ALL)) >= 60
    assert len(INJECTIONS) >= 12


@pytest.mark.parametrize("key", [page.key for page in PAGES])
def test_no_page_of_the_server_holds_anything_of_theirs_but_text(
    client: TestClient, key: str
) -> None:
    query = {"id": NAMES[0], "draw": "hostile", "system": names_of_systems()[0]}
    page = client.get(target_of(key, query).url)
    assert page.status_code < 500
    if page.headers["content-type"].startswith("text/html"):
        assert faults(page.text) == []
    assert page.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("text", [texts[0] for texts in INJECTIONS.values()])
@pytest.mark.parametrize(
    ("path", "field"),
    [("/", "name"), ("/", "regime"), ("/items", "q"), ("/item", "id"), ("/compare", "a")],
)
def test_what_is_asked_for_comes_back_as_text(
    client: TestClient, path: str, field: str, text: str
) -> None:
    page = client.get(f"{path}?{urlencode({field: text})}")
    assert page.status_code < 500
    assert faults(page.text) == []


def test_every_page_of_an_item_shows_its_texts_and_holds_nothing_else_of_them(site: Path) -> None:
    pages = [path.read_text() for path in sorted((site / "item").iterdir())]
    assert [fault for page in pages for fault in faults(page)] == []
    shown = "\n".join(said(page) for page in pages)
    hidden = [text for text in ALL if squeezed(harmless(text)) not in shown]
    assert hidden == []


def test_no_other_page_of_the_site_holds_anything_of_theirs_but_text(site: Path) -> None:
    pages = [path for path in sorted(site.rglob("*.html")) if path.parent.name != "item"]
    assert {str(path): found for path in pages if (found := faults(path.read_text()))} == {}


def test_no_file_to_save_runs_a_formula(site: Path) -> None:
    files = sorted((site / "data").rglob("*.csv"))
    assert files
    for path in files:
        for row in csv.reader(io.StringIO(path.read_text(encoding="utf-8-sig"))):
            texts = [cell for cell in row if not re.fullmatch(r"-?[\d.]+(e-?\d+)?", cell)]
            assert not [cell for cell in texts if cell.startswith(("=", "+", "-", "@", "\t"))]


def test_notes_corrections_and_labels_of_people_are_text(client: TestClient) -> None:
    token = form_token(client.get("/adjudicate").text)
    client.post("/adjudicate/join", data={"csrf": token, "draw": "hostile"})
    for text in [texts[0] for texts in INJECTIONS.values()]:
        page = client.get("/adjudicate/label?draw=hostile").text
        assert faults(page) == []
        told = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', page))
        more = {"label": "CORRECT", "note": text, "reference_wrong": "yes", "correction": text}
        done = client.post("/adjudicate/label", data={**told, **more})
        assert done.status_code == 200, done.text
    for key in ("adjudicate", "adjudicate-references", "adjudicate-people", "adjudicate-agreement"):
        page = client.get(target_of(key, {"draw": "hostile"}).url)
        assert page.status_code == 200
        assert faults(page.text) == []


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *words: object) -> None:
        pass


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.browser
def test_nothing_runs_opens_or_loads_in_a_browser(
    site: Path, address: str, browser: Browser
) -> None:
    context = browser.new_context()
    context.set_default_timeout(120_000)
    page = context.new_page()
    events: list[str] = []
    page.on("dialog", lambda one: (events.append(f"dialog {one.message}"), one.dismiss()))
    page.on("request", lambda one: events.append(one.url))
    page.on("console", lambda one: events.append(one.text) if one.type == "error" else None)
    page.on("pageerror", lambda one: events.append(str(one)))
    page.on("popup", lambda one: events.append(f"window {one.url}"))
    items = sorted(path.name for path in (site / "item").iterdir())
    names = ["index", "rules", "items", "difficulty", "compare", "judges", "about"]
    for name in [f"{name}.html" for name in names] + [f"item/{name}" for name in items[::9]]:
        page.goto(f"{address}/{name}")
        page.mouse.move(400, 400)
        page.keyboard.press("Tab")
        for chart in page.locator("[data-chart]").all():
            chart.scroll_into_view_if_needed()
            chart.locator("svg").first.wait_for()
        assert page.evaluate(RAN) is None, name
        assert page.url == f"{address}/{name}"
    context.close()
    assert [one for one in events if not one.startswith((f"{address}/", "blob:", "data:"))] == []
