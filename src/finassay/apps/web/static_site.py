"""A study as a site of files.  In: a study.  Out: a directory that any file server can show.

The application renders each page as a server would; its links lead to files and are followed
breadth first.  Every address is relative, so that the site works under any path.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from html import escape, unescape
from importlib.resources import files
from pathlib import Path
from typing import cast
from urllib.parse import urlencode, urlsplit

from fastapi import FastAPI
from starlette.types import Message, Scope

from finassay._version import __version__
from finassay.apps.web.app import create_app
from finassay.apps.web.desk import Desk
from finassay.apps.web.settings import WebSettings
from finassay.apps.web.site import BY_KEY, Target
from finassay.apps.web.static_plan import ABOUT, Plan, PlannedLinks
from finassay.errors import StudyError, UsageError
from finassay.reports.site_folder import SiteFolder, require_replaceable, site_folder

POLL_S = 0.2
"""Seconds between two looks at a result that is being computed."""

_LONGEST_SAID = 500

NOT_SHIPPED = frozenset({"htmx.js", "adjudicate.js"})
"""Files of the package that only a server needs."""

Progress = Callable[[int, int, str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteOptions:
    """What a site holds.

    Attributes:
        no_text: leave out questions, replies and passages.
        max_items: how many pages of items; None for all.
        base_url: address under which the site will stand, for its list of pages; None if unknown.

    Raises:
        UsageError: a number is negative, or the address is not one of the web.
    """

    no_text: bool = False
    max_items: int | None = None
    base_url: str | None = None

    def __post_init__(self) -> None:
        if self.max_items is not None and self.max_items < 0:
            raise UsageError(f"`max_items` must be at least 0, got {self.max_items!r}")
        if self.base_url is not None:
            parts = urlsplit(self.base_url)
            if parts.scheme not in {"http", "https"} or not parts.netloc or parts.query:
                raise UsageError(
                    f"`base_url` must be an address such as 'https://example.org/audit/', got "
                    f"{self.base_url!r}"
                )


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteReport:
    """What was written.

    Attributes:
        directory: where the site stands.
        pages: how many pages.
        files: how many files, pages included.
        size: bytes of all of them.
        left_out: items for which there was no room.
    """

    directory: Path
    pages: int
    files: int
    size: int
    left_out: int

    def to_lines(self) -> tuple[str, ...]:
        """Return the report in lines."""
        told = f"{self.pages:,} pages, {self.files:,} files, {self.size / 1e6:,.1f} MB"
        lines = [f"written: {self.directory}: {told}"]
        if self.left_out:
            lines.append(f"{self.left_out:,} items have no page: --max-items leaves them out")
        return tuple(lines)


def export_site(
    study: str | os.PathLike[str],
    directory: str | os.PathLike[str],
    options: SiteOptions,
    progress: Progress = lambda _done, _total, _label: None,
) -> SiteReport:
    """Return what was written: the read-only pages of a study, as files.

    The same study gives the same files, byte for byte.

    Args:
        study: directory of the study.
        directory: where the site will stand; it may hold an earlier one, and nothing else.
        options: what the site holds.
        progress: called with (pages written, pages known, name of the page).

    Raises:
        NoStudyError: there is no study at the path.
        StudyError: a page cannot be shown.
        UsageError: the directory is a file or holds something else.
    """
    require_replaceable(Path(os.path.realpath(directory)))
    settings = WebSettings(study=Path(study), no_text=options.no_text, is_static=True)
    app = create_app(settings)
    told = {"written_by": f"finassay {__version__}", **_state(app)}
    plan = Plan(max_items=options.max_items)
    with site_folder(directory, told) as folder:
        asyncio.run(_write_all(app, plan, folder, options, progress))
        _write_static(folder)
        _write_lists(folder, plan, options.base_url)
        size = sum(path.stat().st_size for path in folder.root.rglob("*") if path.is_file())
    return SiteReport(
        directory=Path(directory),
        pages=len(plan.known),
        files=len(folder.files) + 1,
        size=size,
        left_out=len(plan.left_out),
    )


def _state(app: FastAPI) -> Mapping[str, object]:
    desk = cast("Desk", app.state.desk)
    versions = dict(sorted(desk.snapshot().versions.items()))
    return {"study": desk.study.config.name, "tables": versions}


async def _write_all(
    app: FastAPI, plan: Plan, folder: SiteFolder, options: SiteOptions, progress: Progress
) -> None:
    """Write every page that the leaderboard leads to; the list of pages comes last."""
    last = Target(BY_KEY[ABOUT])
    plan.admit(Target(BY_KEY["leaderboard"]))
    async with app.router.lifespan_context(app):
        while plan.waiting:
            target = plan.waiting.popleft()
            if target == last and plan.waiting:
                plan.waiting.append(target)
                continue
            progress(len(plan.known) - len(plan.waiting) - 1, len(plan.known), target.page.label)
            page = _finished(await _page(app, target, plan), target, options)
            folder.write(target.file, _unpacked(page, target, folder))


_INLINE = re.compile(
    rb'href="data:[a-z/+.-]+(?:;charset=utf-8)?;base64,(?P<bytes>[A-Za-z0-9+/=]*)" '
    rb'download="(?P<name>[^"]+)"'
)
"""A file that a page carries in a link."""


def _unpacked(page: bytes, target: Target, folder: SiteFolder) -> bytes:
    """Return a page whose files stand beside it, each written once, instead of in its links."""
    root = "../" * target.file.count("/")

    def write(found: re.Match[bytes]) -> bytes:
        content = base64.b64decode(found["bytes"])
        name = found["name"].decode()
        # Servers and systems differ in what else a name of a file may hold.
        plain = re.sub(r"[^A-Za-z0-9.-]+", "_", unescape(name))[-80:]
        file = f"data/{hashlib.sha256(content).hexdigest()[:10]}/{plain}"
        if file not in folder.files:
            folder.write(file, content)
        return f'href="{root}{file}" download="{name}"'.encode()

    return _INLINE.sub(write, page)


def _finished(page: bytes, target: Target, options: SiteOptions) -> bytes:
    """Return a page with its own address, and without links to what the site does not hold."""
    # Templates escape every quotation mark of a study, so these words are always their own.
    page = page.replace(b' href=""', b"")
    if options.base_url is None:
        return page
    address = escape(f"{options.base_url.rstrip('/')}/{target.file}")
    return page.replace(
        b"</title>", f'</title>\n<link rel="canonical" href="{address}">'.encode(), 1
    )


async def _page(app: FastAPI, target: Target, plan: Plan) -> bytes:
    """Return what the application answers for a page, waiting for results that take long.

    Raises:
        StudyError: it answers something else than a page.
    """
    while True:
        links = PlannedLinks(target, is_static=True, plan=plan)
        status, body = await _answer(app, target, links)
        if status == 202:
            await asyncio.sleep(POLL_S)
        elif status in {200, 400, 409}:
            # 400: a rule marks nothing of a task; 409: verdicts are missing.  The page says why.
            return body
        else:
            raise StudyError(
                f"the page {target.url!r} cannot be written: the application answers {status}, "
                f"{_said(body)!r}; nothing was written; correct that, or look at the page with "
                f"`finassay serve`"
            )


_MAIN = re.compile(r"<main\b.*?</main>", re.DOTALL)
_HEADING = re.compile(r"<h1\b.*?</h1>", re.DOTALL)
_LINK = re.compile(r"<a\b.*?</a>", re.DOTALL)


def _said(body: bytes) -> str:
    """Return what a page that is an error says, without its heading and its links."""
    text = body.decode(errors="replace")
    main = _MAIN.search(text)
    bare = _LINK.sub(" ", _HEADING.sub(" ", main[0] if main else text))
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", bare)).split())[:_LONGEST_SAID]


async def _answer(app: FastAPI, target: Target, links: PlannedLinks) -> tuple[int, bytes]:
    """Return status and body of a request that never leaves this process."""
    scope: Scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": target.page.path,
        "raw_path": target.page.path.encode(),
        "root_path": "",
        "query_string": urlencode(target.query).encode(),
        "headers": [(b"host", b"127.0.0.1")],
        "client": ("127.0.0.1", 0),
        "server": ("127.0.0.1", 80),
        "state": {"links": links},
    }
    status = 500
    body = bytearray()

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        nonlocal status
        if message["type"] == "http.response.start":
            status = message["status"]
        elif message["type"] == "http.response.body":
            body.extend(message.get("body", b""))

    await app(scope, receive, send)
    return status, bytes(body)


def _write_static(folder: SiteFolder) -> None:
    static = files("finassay.apps.web").joinpath("static")
    for file in sorted(static.iterdir(), key=lambda one: one.name):
        if file.is_file() and file.name not in NOT_SHIPPED:
            folder.write(f"static/{file.name}", file.read_bytes())


def _write_lists(folder: SiteFolder, plan: Plan, base_url: str | None) -> None:
    """Write what hosts look for: no site generator of theirs, and every page by its address."""
    folder.write(".nojekyll", b"")
    if base_url is None:
        return
    root = base_url.rstrip("/")
    entries = "".join(
        f"<url><loc>{escape(f'{root}/{target.file}')}</loc></url>\n"
        for target in plan.known
        if target.file.endswith(".html")
    )
    space = "http://www.sitemaps.org/schemas/sitemap/0.9"
    head = f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="{space}">\n'
    folder.write("sitemap.xml", f"{head}{entries}</urlset>\n".encode())
