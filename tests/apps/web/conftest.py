"""A served demonstration, for tests of pages and of the API."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partialmethod
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from finassay.apps.web.app import create_app
from finassay.apps.web.settings import WebSettings
from finassay.reports.workflow import AuditSettings, audit_study, demo_study
from labelling_office import PEOPLE, Office
from labelling_studies import study_to_label
from web_clients import token_of

# A server refuses to be addressed by a name that it does not know, as the client's own would be.
TestClient.__init__ = partialmethod(TestClient.__init__, base_url="http://127.0.0.1")

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]

SERVE = """
import sys, uvicorn
from pathlib import Path
from finassay.apps.web.app import create_app
from finassay.apps.web.settings import WebSettings
study, port, url, index = sys.argv[1:5]
index = Path(index) if index else None
app = create_app(
    WebSettings(study=Path(study), labels_url=url or None, patience_s=60, index=index)
)
uvicorn.run(app, host="127.0.0.1", port=int(port), log_level="warning")
"""


@pytest.fixture(scope="session")
def demo_study_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bundled demonstration, marked; nobody writes to it."""
    path = tmp_path_factory.mktemp("web") / "study"
    audit_study(demo_study(path), AuditSettings())
    return path


@pytest.fixture
def own_study(demo_study_path: Path, tmp_path: Path) -> Path:
    """A copy of the demonstration that a test may write to."""
    shutil.copytree(demo_study_path, tmp_path / "study")
    return tmp_path / "study"


@pytest.fixture(scope="session")
def client(demo_study_path: Path) -> Iterator[TestClient]:
    """A client of the application over the demonstration; it only reads."""
    with TestClient(create_app(WebSettings(study=demo_study_path, patience_s=60))) as opened:
        yield opened


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_until_up(address: str, running: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + 180
    while time.monotonic() < end:
        assert running.poll() is None, "the server ended while it started"
        try:
            urllib.request.urlopen(f"{address}/static/LICENSES.txt", timeout=5).close()
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            time.sleep(0.05)
        else:
            return
    raise AssertionError("the server did not answer within three minutes")


@contextmanager
def serving(
    study: Path, *, port: int | None = None, labels_url: str = "", index: Path | None = None
) -> Iterator[str]:
    """Serve a study from a process of its own, and yield the address."""
    at = port or free_port()
    command = [sys.executable, "-c", SERVE, str(study), str(at), labels_url, str(index or "")]
    with subprocess.Popen(command, env=os.environ) as running:
        address = f"http://127.0.0.1:{at}"
        try:
            wait_until_up(address, running)
            yield address
        finally:
            running.terminate()


@pytest.fixture(scope="session")
def serve() -> Callable[..., AbstractContextManager[str]]:
    """What serves a study, and a folder of documents where that is named."""
    return serving


@pytest.fixture(scope="session")
def served(demo_study_path: Path) -> Iterator[str]:
    """The address of the demonstration, served from a process of its own; only read it."""
    with serving(demo_study_path) as address:
        yield address


# Its driver runs a loop while it is open: other modules of the process need one of their own.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("no Chromium on this machine: `make ci-setup` installs it")
    with sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield opened
        opened.close()


@contextmanager
def watched(context: BrowserContext) -> Iterator[Page]:
    """Yield a page, and fail on whatever it says on the console or throws."""
    page = context.new_page()
    page.set_default_timeout(120_000)
    said: list[str] = []
    page.on(
        "console", lambda one: said.append(one.text) if one.type in {"error", "warning"} else None
    )
    page.on("pageerror", lambda error: said.append(str(error)))
    yield page
    page.close()
    assert said == []


@pytest.fixture(scope="session")
def watch() -> Callable[[BrowserContext], AbstractContextManager[Page]]:
    """What opens a page of a context and fails on whatever it says."""
    return watched


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page of 1280 x 900; a console error, a warning or a violated policy fails the test."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    with watched(context) as opened:
        yield opened
    context.close()


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    study = study_to_label(tmp_path_factory.mktemp("pages") / "s")
    return study.root, {name: token_of(study.root, name, *PEOPLE[name]) for name in PEOPLE}


@pytest.fixture
def office(template: tuple[Path, dict[str, str]], tmp_path: Path) -> Iterator[Office]:
    shutil.copytree(template[0], tmp_path / "s")
    made = Office(tmp_path / "s", template[1])
    with TestClient(made.app):
        yield made
