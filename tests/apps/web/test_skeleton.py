"""What every page has: its policy, its navigation, its errors."""

from __future__ import annotations

import pytest
from fastapi.testclient import TestClient
from playwright.sync_api import Page

from finassay.apps.web.headers import POLICY


def test_the_leaderboard_names_the_leader_of_the_demonstration(client: TestClient):
    page = client.get("/")
    assert page.status_code == 200
    assert "control-worked-out" in page.text
    assert page.headers["content-security-policy"] == POLICY


def test_a_page_that_does_not_exist_says_so(client: TestClient):
    page = client.get("/nowhere")
    assert page.status_code == 404
    assert "To the leaderboard" in page.text


def test_an_error_under_api_is_json(client: TestClient):
    assert client.get("/api/nowhere").json() == {"error": {"code": 404, "message": "Not Found"}}


@pytest.mark.browser
@pytest.mark.full
def test_the_leaderboard_opens_without_a_word_on_the_console(served: str, page: Page):
    page.goto(served)
    assert page.locator("h1").inner_text() == "Leaderboard"
