"""People for tests of pages: tokens, and clients that are logged in."""

from __future__ import annotations

import re
from pathlib import Path

from fastapi.testclient import TestClient

from finassay.study import Study
from finassay.study.people import People, store_for


def token_of(study: Path, name: str, *roles: str, labels_url: str | None = None) -> str:
    """Add a person to the label store of a study, and return the token."""
    with store_for(Study.open(study), url=labels_url) as store:
        return People(store).add(name, roles or ("label",)).token


def log_in(client: TestClient, token: str) -> None:
    """Log a client in as a browser does: with the form of the login page."""
    page = client.get("/login")
    done = client.post(
        "/login", data={"token": token, "csrf": form_token(page.text)}, follow_redirects=False
    )
    assert done.status_code == 303, done.text


def form_token(page: str) -> str:
    """Return the token in the first form of a page."""
    found = re.search(r'name="csrf" value="([0-9a-f]{64})"', page)
    assert found is not None
    return found[1]
