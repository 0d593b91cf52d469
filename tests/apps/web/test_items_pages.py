"""Pages and answers about items, difficulty and two systems."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from urllib.parse import quote

import pytest
from fastapi.testclient import TestClient
from playwright.sync_api import Page, expect

from browsing_studies import HOSTILE, ODD_ID, browsing_study
from finassay.apps.web.app import create_app
from finassay.apps.web.settings import WebSettings


@pytest.fixture(scope="module")
def study_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("items") / "study"
    browsing_study(path)
    return path


def client_of(settings: WebSettings) -> TestClient:
    return TestClient(create_app(settings), base_url="http://127.0.0.1")


@pytest.fixture(scope="module")
def own(study_path: Path) -> Iterator[TestClient]:
    with client_of(WebSettings(study=study_path, patience_s=60)) as opened:
        yield opened


@pytest.fixture(scope="module")
def without_text(study_path: Path) -> Iterator[TestClient]:
    with client_of(WebSettings(study=study_path, no_text=True, patience_s=60)) as opened:
        yield opened


def test_the_list_shows_every_item_and_links_to_it(own: TestClient) -> None:
    page = own.get("/items")
    assert page.status_code == 200
    assert "4</strong> of 4 items" in page.text
    for item_id in ("q1", "q2", "q4"):
        assert f'href="/item?id={item_id}"' in page.text


def test_an_id_of_any_characters_has_a_page(own: TestClient) -> None:
    listed = own.get("/items", params={"family": "TMP"})
    link = re.search(r'href="(/item\?[^"]*a%2F\.\.%2Fb[^"]*)"', listed.text)
    assert link is not None
    page = own.get(link[1].replace("&amp;", "&"))
    assert page.status_code == 200
    assert "a/../b?c=d&amp;e#f" in page.text
    assert own.get("/api/item", params={"id": ODD_ID}).json()["item"]["item_id"] == ODD_ID


def test_what_models_said_is_inert(own: TestClient) -> None:
    page = own.get("/item", params={"id": ODD_ID}).text
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)" in page
    assert "\u202e" not in page
    assert "U+202E" in page


def test_an_item_shows_its_parts(own: TestClient) -> None:
    page = own.get("/item?id=q2").text
    for words in (
        "Passage one names",
        "Passage two",
        "50 million rupees",
        "misread",
        "Rs. 6 crore",
    ):
        assert words in page
    assert "The other" in page
    assert "truncated" in page
    assert "asha" in own.get("/item?id=q1").text
    assert "said the judge" in own.get("/item?id=q1").text


def test_the_answer_of_a_reply_is_framed(own: TestClient) -> None:
    page = own.get("/item?id=q1").text
    assert '<mark class="answer">30 days</mark>' in page


def test_neighbours_keep_the_filter(own: TestClient) -> None:
    page = own.get(
        "/item", params={"id": "q1", "task": "tmp", "order": "id", "reverse": "true"}
    ).text
    assert "Item 1 of 2" in page
    following = re.search(r'href="([^"]*)" rel="next"', page)
    assert following is not None
    assert "task=tmp" in following[1]
    assert "reverse=true" in following[1]


def test_a_form_with_empty_fields_is_a_query_without_them(own: TestClient) -> None:
    sent = {"q": "", "k_from": "", "k_to": "", "outcome": "", "system": "", "family": "NUM"}
    page = own.get("/items", params=sent)
    assert page.status_code == 200
    assert "1</strong> of 4 items" in page.text


@pytest.mark.parametrize(
    ("address", "status", "words"),
    [
        ("/item?id=zz", 404, "no item"),
        ("/item", 422, "id"),
        ("/items?order=up", 422, "order"),
        ("/items?k_from=5&k_to=1", 400, "holds no item"),
        ("/items?outcome=right", 400, "needs a system"),
        ("/items?rule=zz", 404, "no verdicts of"),
        ("/items?page=0", 422, "page"),
        ("/items?size=201", 422, "size"),
        ("/item?id=q1&trial=9", 404, "no trial 9"),
        ("/why?id=q2&system=gamma", 404, "no reply"),
        ("/difficulty?system=zz", 404, "is counted under"),
        ("/compare?a=zz", 404, "no system is called"),
        ("/compare?rule=zz", 404, "no verdicts of"),
    ],
)
def test_what_cannot_be_shown_says_why(
    address: str, status: int, words: str, own: TestClient
) -> None:
    for prefix in ("", "/api"):
        if prefix and address.startswith("/why"):
            continue
        answer = own.get(prefix + address)
        assert answer.status_code == status, answer.text
        assert words in answer.text.replace("&#39;", "'")


def test_a_page_past_the_last_is_empty(own: TestClient) -> None:
    assert "past the last item" in own.get("/items?page=9").text
    assert own.get("/item?id=q1&page=9").status_code == 200
    assert own.get("/api/items?page=9").json()["rows"] == []


def test_a_typed_address_of_an_item_leads_to_its_page(own: TestClient) -> None:
    answer = own.get("/items/q1", follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (307, "/item?id=q1")


def test_json_says_what_the_page_says(own: TestClient) -> None:
    listed = own.get("/api/items?order=k").json()
    assert listed["total"] == 4
    assert {row["item_id"] for row in listed["rows"]} == {"q1", "q2", ODD_ID, "q4"}
    shown = own.get("/api/items/q1").json()
    alpha = next(reply for reply in shown["replies"] if reply["system"] == "alpha")
    assert alpha["labels_conflict"]
    assert "".join(piece for _, piece in alpha["segments"]) == alpha["text"]


def test_an_example_is_drawn_among_what_is_asked_for(own: TestClient) -> None:
    asked = {"task": "num", "diff": "hard"}
    assert own.get("/api/example", params=asked).json()["item"]["item_id"] == "q2"
    same = [own.get("/api/example?seed=7").json()["item"]["item_id"] for _ in range(3)]
    assert len(set(same)) == 1
    assert own.get("/api/example?task=zz").status_code == 404


def test_without_text_no_words_of_the_study_are_sent(without_text: TestClient) -> None:
    addresses = (
        "/items", "/item?id=q1", "/item?id=q2", f"/item?id={quote(ODD_ID)}",
        "/why?id=q1&system=alpha", "/compare?a=alpha&b=beta", "/difficulty", "/api/items",
        "/api/items/q2", "/api/items/q1", "/api/example",
    )  # fmt: skip
    for address in addresses:
        answer = without_text.get(address)
        assert answer.status_code == 200, (address, answer.text)
        for words in (
            "30 days",
            "crore",
            "trustee",
            "alert",
            "line 3",
            "said the judge",
            "Who signs",
        ):
            assert words not in answer.text, (address, words)
    assert without_text.get("/items?q=crore").status_code == 400


def test_difficulty_names_hard_items_and_one_system(own: TestClient) -> None:
    assert "Does the label hold?" in own.get("/difficulty").text
    page = own.get("/difficulty?system=alpha").text
    assert "Where alpha loses and gains" in page
    part = own.get("/api/difficulty?system=alpha").json()
    assert [one["system"] for one in part["by_system"]] == ["alpha"]


def test_two_systems_are_compared_and_the_same_twice_is_told(own: TestClient) -> None:
    page = own.get("/compare").text
    assert "alpha" in page
    assert "McNemar, exact" in page
    twice = own.get("/compare?a=alpha&b=alpha")
    assert twice.status_code == 200
    assert "same as itself" in twice.text
    assert own.get("/api/compare?a=alpha&b=alpha").status_code == 400
    found = own.get("/api/compare?a=alpha&b=beta").json()
    assert (
        len(found["won"]) - len(found["lost"])
        == found["test"]["mcnemar"]["left_only"] - (found["test"]["mcnemar"]["right_only"])
    )


@pytest.mark.browser
@pytest.mark.full
def test_filters_change_the_list_without_loading_the_page(served: str, page: Page) -> None:
    page.goto(f"{served}/items")
    page.evaluate("window.stayed = true")
    before = page.locator("#found [role=status]").inner_text()
    page.select_option("select[name=family]", index=1)
    expect(page.locator("#found [role=status]")).not_to_have_text(before)
    assert "family=" in page.url
    assert page.evaluate("window.stayed") is True
    page.go_back()
    expect(page.locator("#found [role=status]")).to_have_text(before)


@pytest.mark.browser
@pytest.mark.full
def test_an_item_is_reached_and_left_for_the_next(served: str, page: Page) -> None:
    page.goto(f"{served}/items?order=k")
    first = page.locator(".items .id a").first
    name = first.inner_text()
    first.click()
    expect(page.locator("h1")).to_have_text(name)
    page.locator("a[rel=next]").click()
    expect(page.locator("h1")).not_to_have_text(name)
    expect(page.locator(".pager .here").first).to_contain_text("Item 2 of")
    page.locator(".one-reply a", has_text="steps of each rule").first.click()
    expect(page.locator("h1")).to_contain_text("got these marks")


@pytest.mark.browser
@pytest.mark.full
def test_systems_are_picked_and_their_items_listed(served: str, page: Page) -> None:
    page.goto(f"{served}/compare")
    expect(page.locator("#pair-discordance svg, #pair-discordance canvas").first).to_be_visible()
    shown = {page.input_value(f"select[name={field}]") for field in "ab"}
    others = page.locator("select[name=b] option").all_inner_texts()
    page.select_option("select[name=b]", next(name for name in others if name not in shown))
    page.get_by_role("button", name="Compare").click()
    page.get_by_role("link", name=re.compile("both right")).click()
    expect(page.locator(".switch a[aria-current]", has_text="both right")).to_be_visible()
    page.locator(".items .id a").first.click()
    expect(page.locator("#replies")).to_be_visible()


@pytest.mark.browser
@pytest.mark.full
def test_hostile_replies_run_nothing(
    study_path: Path, page: Page, serve: Callable[..., AbstractContextManager[str]]
) -> None:
    with serve(study_path) as address:
        page.goto(f"{address}/item?id={quote(ODD_ID)}")
        expect(page.locator("h1")).to_have_text(ODD_ID)
        assert "alert(1)" in page.locator(".one-reply .reply").first.inner_text()
    assert HOSTILE.startswith("<script>")
