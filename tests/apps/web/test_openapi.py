"""The API as its document describes it: no request that it allows is a fault of the server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from api_fuzz import ApiFuzzer
from cli_runs import run
from finassay.apps.web import guards
from finassay.apps.web.app import ROUTERS, create_app
from finassay.apps.web.people import checked
from finassay.apps.web.settings import WebSettings
from finassay.study import Study
from web_clients import log_in, token_of

WRITING = {"POST", "PUT", "PATCH", "DELETE"}

PLAN = ("adjudicate", "plan", "--draw", "d1", "--design", "simple", "--labels", "20")

READING = {"/api/rag"}
"""Asked with a body, and nothing is changed."""


@pytest.fixture
def known(own_study: Path) -> dict[str, list[str]]:
    """Values that exist in the demonstration."""
    snapshot = Study.open(own_study).snapshot()
    assert run(*PLAN[:2], own_study, *PLAN[2:]).code == 0
    systems = [spec.name for spec in snapshot.systems()[:4]]
    items = [item.item_id for item in snapshot.items()[:4]]
    return {
        **dict.fromkeys(("a", "b", "system", "name"), systems),
        **dict.fromkeys(("id", "item", "item_id"), items),
        "draw": ["d1"],
        "regime": ["financial", "strict"],
    }


@pytest.fixture
def client(own_study: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    monkeypatch.setattr(guards, "REQUESTS", 10**9)
    with TestClient(create_app(WebSettings(study=own_study, patience_s=60))) as opened:
        yield opened


@pytest.mark.full
def test_no_made_up_request_is_a_fault_with_or_without_a_token(
    client: TestClient, own_study: Path, known: dict[str, list[str]]
):
    token = token_of(own_study, "ann", "label", "review", "submit")
    nobody = ApiFuzzer(client, known=known)
    nobody.run(examples=5)
    ann = ApiFuzzer(client, headers={"Authorization": f"Bearer {token}"}, known=known)
    ann.run(examples=8)
    assert nobody.faults == []
    assert ann.faults == []
    answered = {label for label, status in ann.statuses if status == 200}
    assert {"GET /api/health", "GET /api/leaderboard", "GET /api/items"} <= answered
    refused = {label for label, status in nobody.statuses if status in {401, 403}}
    assert all("adjudicate" in label or "subm" in label for label in refused)
    assert refused >= {"POST /api/submit", "GET /api/adjudicate"}


def writing_routes() -> list[tuple[str, str]]:
    return [
        (method, route.path)
        for router in ROUTERS
        for route in router.routes
        for method in sorted(route.methods & WRITING)
    ]


def test_the_document_describes_the_api_and_no_page(client: TestClient):
    paths = client.get("/api/openapi.json").json()["paths"]
    assert "/api/leaderboard" in paths
    assert all(path.startswith("/api/") for path in paths)


def test_every_route_that_writes_checks_where_a_request_comes_from():
    unchecked = [
        route.path
        for router in ROUTERS
        for route in router.routes
        if route.methods & WRITING
        and checked not in [one.call for one in route.dependant.dependencies]
    ]
    # The login checks by itself, after the limit.
    assert set(unchecked) <= {"/login", *READING}


def test_no_route_writes_for_a_browser_that_another_site_drives(
    client: TestClient, own_study: Path
):
    log_in(client, token_of(own_study, "ann", "label", "review", "submit"))
    before = Study.open(own_study).snapshot().versions
    seen = []
    for method, path in writing_routes():
        if path in READING:
            continue
        filled = path.replace("{", "").replace("}", "")
        for headers in ({}, {"Origin": "https://evil.example", "X-CSRF-Token": "0" * 64}):
            answer = client.request(method, filled, headers=headers, data={"csrf": "0" * 64})
            assert answer.status_code in {403, 422}, (path, answer.text)
            seen.append(path)
    assert "/logout" in seen
    assert Study.open(own_study).snapshot().versions == before
