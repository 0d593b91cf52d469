"""What every page has: its policy, its navigation, its errors."""

from __future__ import annotations

from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from playwright.sync_api import Page

from finassay.apps.web.app import create_app
from finassay.apps.web.headers import POLICY
from finassay.apps.web.settings import WebSettings
from finassay.study import Study


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


@pytest.mark.parametrize("path", ["/", "/difficulty", "/compare", "/api/leaderboard", "/api/items"])
def test_where_the_study_stands_is_nobodys_business(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str
):
    Study.create(tmp_path / "secret-place", name="unmarked")
    monkeypatch.chdir(tmp_path / "secret-place")
    with TestClient(create_app(WebSettings(study=Path()))) as client:
        said = client.get(path)
        assert said.status_code in {200, 409}
        assert "secret-place" not in said.text
        if said.status_code == 409:
            assert "the study holds no verdicts; run" in said.text


@pytest.mark.browser
@pytest.mark.full
def test_the_leaderboard_opens_without_a_word_on_the_console(served: str, page: Page):
    page.goto(served)
    assert page.locator("h1").inner_text() == "Leaderboard"
