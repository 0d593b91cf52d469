"""Ask the rules: passages with their places, an answer that cites them, and no model before."""

from __future__ import annotations

import datetime as dt
import html
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from playwright.sync_api import Page

from finassay.apps.web.app import create_app
from finassay.apps.web.settings import WebSettings
from finassay.integrations.cited_answers import Question, cited_answer
from finassay.integrations.rules_desk import RulesDesk
from finassay.retrieval import Document, Filters, Index, update_index
from import_tables import twelve_items
from retrieval_samples import DISCLOSURE, FEES, HASHING

HOSTILE = Document(
    document_id="<script>alert(1)</script>.txt",
    text="A penalty <img src=x onerror=alert(1)> is due\u202e for a late penalty.",
    title="</script><script>alert(2)</script>",
    regulator="RBI",
    date=dt.date(2020, 1, 1),
)
QUESTION = "What fee must a broker pay?"

Serve = Callable[..., AbstractContextManager[str]]


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("rules") / "index"
    update_index(path, add=[FEES, DISCLOSURE, HOSTILE], settings=HASHING)
    return path


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return twelve_items(tmp_path_factory.mktemp("rules") / "study").root


def opened(study: Path, index: Path | None, **more: bool) -> TestClient:
    app = create_app(WebSettings(study=study, index=index, **more))
    return TestClient(app, base_url="http://127.0.0.1")


@pytest.fixture
def client(study: Path, index: Path) -> Iterator[TestClient]:
    """A client of a server of its own, so that its turns are its own."""
    with opened(study, index) as made:
        yield made


def shown(page: str) -> str:
    """The text of a page, without tags."""
    return html.unescape(re.sub(r"<[^>]+>", "", page))


def test_without_an_index_the_page_says_how_to_build_one(study: Path):
    with opened(study, None) as client:
        assert "finassay rag build INDEX DOCUMENTS..." in shown(client.get("/ask-the-rules").text)
        told = client.get("/api/rag", params={"question": "fee"})
    assert told.status_code == 409
    assert "finassay rag build" in told.json()["error"]["message"]


def test_the_page_shows_the_passages_and_the_answer_of_the_library(client: TestClient, index: Path):
    page = client.get("/ask-the-rules", params={"q": QUESTION, "k": 3})
    found = cited_answer(Index.open(index), Question(text=QUESTION, k=3))
    text = shown(page.text)
    assert page.status_code == 200
    assert found.answer in text
    for passage in found.passages:
        assert f"{passage.start} to {passage.end}" in text
    places = [int(at) for at in re.findall(r'id="passage-(\d+)"', page.text)]
    assert places == [1, 2, 3]


def test_words_of_the_question_are_marked_in_the_passages(client: TestClient):
    page = client.get("/ask-the-rules", params={"q": QUESTION}).text
    assert {"broker", "fee", "pay"} <= {
        word.lower()
        for found in re.findall(r"<mark>([^<]+)</mark>", page)
        for word in found.split()
    }


def test_hostile_documents_are_shown_and_do_nothing(client: TestClient):
    page = client.get("/ask-the-rules", params={"q": "<b>penalty</b>", "mode": "lexical"}).text
    assert "<script>alert" not in page
    assert "<img src=x" not in page
    assert "<b>penalty" not in page
    assert "\u202e" not in page
    assert "onerror=alert(1)" in shown(page)


def test_filters_are_those_of_the_index(client: TestClient, index: Path):
    day = dt.date(2024, 6, 1)
    told = client.get("/api/rag", params={"question": "disclosure", "on": day.isoformat()}).json()
    found = cited_answer(
        Index.open(index), Question(text="disclosure", filters=Filters(in_force_on=day))
    )
    assert [one["document"] for one in told["passages"]] == [one.document for one in found.passages]
    assert DISCLOSURE.document_id not in {one["document"] for one in told["passages"]}
    only = client.get("/api/rag", params={"question": "fee", "regulator": "RBI"}).json()
    assert {one["document"] for one in only["passages"]} == {HOSTILE.document_id}


def test_both_ways_of_the_api_say_the_same(client: TestClient):
    by_query = client.get("/api/rag", params={"question": QUESTION, "k": 2})
    by_body = client.post("/api/rag", json={"question": QUESTION, "k": 2})
    assert by_query.json() == by_body.json()
    assert by_query.json()["model"] is None


@pytest.mark.parametrize(
    "asked",
    [
        {"question": ""},
        {"question": "x" * 501},
        {"question": "fee", "k": 0},
        {"question": "fee", "mode": "magic"},
        {"question": "fee", "on": "soon"},
        {"question": "fee", "more": 1},
    ],
)
def test_a_question_that_cannot_be_asked_is_told(client: TestClient, asked: dict[str, object]):
    told = client.post("/api/rag", json=asked)
    assert told.status_code == 422
    assert told.json()["error"]["code"] == 422


def test_a_date_that_is_none_is_told_on_the_page(client: TestClient):
    page = client.get("/ask-the-rules", params={"q": "fee", "on": "1.6.2024"})
    assert "must be a date as 2024-09-30" in shown(page.text)


def test_the_twenty_first_question_of_a_minute_waits(client: TestClient):
    for _ in range(20):
        assert client.get("/api/rag", params={"question": "fee"}).status_code == 200
    refused = client.post("/api/rag", json={"question": "fee"})
    assert refused.status_code == 429
    assert int(refused.headers["retry-after"]) > 0
    assert client.get("/ask-the-rules", params={"q": "fee"}).status_code == 429
    assert client.get("/ask-the-rules").status_code == 200


def test_nothing_is_opened_before_the_first_question(client: TestClient, index: Path):
    asked: list[Path] = []

    def opener(path: Path) -> Index:
        asked.append(path)
        return Index.open(path)

    client.app.state.rules = RulesDesk(index, opener=opener)
    client.get("/ask-the-rules")
    assert asked == []
    for _ in range(2):
        client.get("/ask-the-rules", params={"q": "fee"})
    assert asked == [index]


def test_an_index_that_was_built_anew_is_opened_anew(study: Path, tmp_path: Path):
    path = tmp_path / "index"
    update_index(path, add=[FEES], settings=HASHING)
    with opened(study, path) as client:
        ask = {"question": "material events", "mode": "lexical"}
        assert client.get("/api/rag", params=ask).json()["passages"] == []
        update_index(path, add=[FEES, DISCLOSURE], settings=HASHING)
        assert client.get("/api/rag", params=ask).json()["passages"]


def test_a_slow_question_holds_nobody_else_up(client: TestClient, index: Path):
    begun, go_on = threading.Event(), threading.Event()

    def slow(path: Path) -> Index:
        begun.set()
        assert go_on.wait(20)
        return Index.open(path)

    client.app.state.rules = RulesDesk(index, opener=slow)
    asking = threading.Thread(target=client.get, args=("/api/rag?question=fee",))
    asking.start()
    assert begun.wait(20)
    before = time.monotonic()
    assert client.get("/api/health").status_code == 200
    assert time.monotonic() - before < 5
    assert asking.is_alive()
    go_on.set()
    asking.join(20)


def test_no_text_of_documents_leaves_a_server_without_texts(study: Path, index: Path):
    with opened(study, index, no_text=True) as client:
        page = client.get("/ask-the-rules", params={"q": QUESTION}).text
        told = client.get("/api/rag", params={"question": QUESTION}).json()
    assert "500 crore" not in page
    assert told["answer"] is None
    assert {one["text"] for one in told["passages"]} == {None}


@pytest.mark.browser
@pytest.mark.full
def test_a_question_is_asked_in_a_browser(study: Path, index: Path, page: Page, serve: Serve):
    with serve(study, index=index) as address:
        page.goto(f"{address}/ask-the-rules")
        page.get_by_label("Question, or an identifier").fill(QUESTION)
        page.get_by_label("Regulator").fill("sebi")
        page.get_by_role("button", name="Ask", exact=True).click()
        assert "[1]" in page.locator("blockquote.answer").inner_text()
        assert page.locator("#passage-1 mark").count() > 0
        assert "fees.txt" in page.locator("#passage-1").inner_text()
