"""Logging in and out in a real browser, as a person does it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from study_samples import small_study
from web_clients import token_of

pytestmark = [pytest.mark.browser, pytest.mark.full]

Serve = Callable[..., AbstractContextManager[str]]


def test_a_person_logs_in_by_keyboard_works_and_logs_out(serve: Serve, tmp_path: Path, page: Page):
    study = small_study(tmp_path / "study").root
    token = token_of(study, "Ann <b>Smith<b>", "label")
    with serve(study) as address:
        page.goto(f"{address}/adjudicate")
        expect(page).to_have_url(f"{address}/login?next=%2Fadjudicate")
        page.get_by_label("Token").focus()
        page.keyboard.type(token)
        page.keyboard.press("Enter")
        expect(page).to_have_url(f"{address}/adjudicate")
        expect(page.get_by_text("Ann <b>Smith<b>")).to_be_visible()
        cookies = page.context.cookies()
        assert [one["name"].rpartition("_")[0] for one in cookies] == ["finassay_session"]
        assert (cookies[0]["httpOnly"], cookies[0]["sameSite"]) == (True, "Strict")
        assert page.evaluate("document.cookie") == ""
        page.get_by_role("button", name="Log out").click()
        expect(page).to_have_url(f"{address}/")
        assert page.context.cookies() == []
        page.go_back()
        page.reload()
        expect(page).to_have_url(f"{address}/login?next=%2Fadjudicate")


def test_a_form_on_another_site_changes_nothing(serve: Serve, tmp_path: Path, browser: Browser):
    # Not the watched page: a refusal is told on the console.
    page = browser.new_page()
    study = small_study(tmp_path / "study").root
    token = token_of(study, "ann")
    with serve(study) as address:
        page.goto(f"{address}/login")
        page.get_by_label("Token").fill(token)
        page.get_by_role("button", name="Log in").click()
        expect(page.get_by_role("button", name="Log out")).to_be_visible()
        # The same machine under another name is another site: its cookie does not travel.
        other = address.replace("127.0.0.1", "localhost")
        page.route(
            f"{other}/attack",
            lambda route: route.fulfill(
                content_type="text/html",
                body=f'<form method="post" action="{address}/logout"><button>Win</button></form>',
            ),
        )
        page.goto(f"{other}/attack")
        with page.expect_response(f"{address}/logout") as answered:
            page.get_by_role("button", name="Win").click()
        assert answered.value.status == 403
        page.goto(f"{address}/login")
        expect(page.get_by_role("button", name="Log out")).to_be_visible()
    page.close()
