"""A walk over every link of a served study, as a reader who follows all of them would take it."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urldefrag, urljoin, urlsplit

from fastapi.testclient import TestClient

from web_page_checks import read_page

BASE = "http://127.0.0.1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Visited:
    """What one address answered.

    Attributes:
        status: HTTP status.
        text: what was sent.
        is_page: whether it is a page, whose links are followed.
        found_on: address of the page that leads to it; "" for the first.
    """

    status: int
    text: str
    is_page: bool
    found_on: str


def crawl(
    client: TestClient, *starts: str, a_kind: int | None = None, but: tuple[str, ...] = ()
) -> dict[str, Visited]:
    """Return every address that links lead to, with what it answered.

    Args:
        client: of the application; what it is logged in for is followed too.
        starts: where the walk begins.
        a_kind: addresses of one path with the same names in the query that are visited; all of
            them if None.
        but: addresses that are not visited.
    """
    waiting = deque((start, "") for start in starts or ("/",))
    seen = {*but, *(start for start, _ in waiting)}
    kinds: dict[tuple[str, ...], int] = {}
    found: dict[str, Visited] = {}
    while waiting:
        url, before = waiting.popleft()
        kind = _kind(url)
        kinds[kind] = kinds.get(kind, 0) + 1
        if a_kind is not None and kinds[kind] > a_kind:
            continue
        answer = client.get(url, follow_redirects=False)
        is_page = answer.headers.get("content-type", "").startswith("text/html")
        found[url] = Visited(
            status=answer.status_code, text=answer.text, is_page=is_page, found_on=before
        )
        for way in _ways(url, answer.headers.get("location"), answer.text if is_page else ""):
            if way not in seen:
                seen.add(way)
                waiting.append((way, url))
    return found


def _kind(url: str) -> tuple[str, ...]:
    parts = urlsplit(url)
    names = (pair.partition("=")[0] for pair in parts.query.split("&"))
    return (parts.path, *sorted(names))


def _ways(url: str, location: str | None, page: str) -> Iterator[str]:
    """Return the addresses of this server that a page leads to, loads, or asks for by itself."""
    ways = [] if location is None else [location]
    for tag, told in read_page(page).elements:
        ways += [told[name] for name in ("href", "src", "hx-get") if name in told]
        if tag == "form" and told.get("method", "get") == "get" and "action" in told:
            ways.append(told["action"])
    for way in ways:
        whole = urldefrag(urljoin(f"{BASE}{url}", way)).url
        if whole.startswith(f"{BASE}/"):
            yield whole.removeprefix(BASE)
