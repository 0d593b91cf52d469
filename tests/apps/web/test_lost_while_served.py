"""What is lost while it is served is told as lost: no page fails, and nobody is told it is them."""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import event

from finassay.apps.web.app import create_app
from finassay.apps.web.settings import WebSettings
from finassay.retrieval import IndexSettings
from finassay.retrieval.building import update_index
from finassay.retrieval.records import Document
from finassay.study import Study
from finassay.study.people import People, store_for
from labelling_office import Office, fields, next_page
from study_samples import item, small_study

READING = ("/", "/items", "/item?id=00", "/why?id=00&system=alpha", "/difficulty", "/api/items")


@pytest.fixture
def small(tmp_path: Path) -> Path:
    return small_study(tmp_path / "study").root


@contextmanager
def client_of(study: Path, **settings: Path) -> Iterator[TestClient]:
    app = create_app(WebSettings(study=study, patience_s=60, **settings))
    with TestClient(app, raise_server_exceptions=False, follow_redirects=False) as opened:
        yield opened


@pytest.mark.parametrize("how", ["deleted", "moved", "a file gone"])
def test_a_study_that_is_lost_is_told_as_damaged_by_every_page_that_reads_it(
    small: Path, how: str
) -> None:
    with client_of(small) as client:
        before = {path: client.get(path).status_code for path in READING}
        assert set(before.values()) == {200}
        if how == "deleted":
            shutil.rmtree(small)
        elif how == "moved":
            small.rename(small.with_name("elsewhere"))
        else:
            next((small / "items").rglob("*.parquet")).unlink()
        after = {path: client.get(path) for path in READING}
        assert client.get("/about").status_code == 200
    lost = [one for one in after.values() if one.status_code == 503]
    # What was computed before stays; what reads files says that they are gone.
    assert {one.status_code for one in after.values()} <= {200, 503}
    assert lost
    for one in lost:
        assert "is damaged: the file" in one.text
        assert str(small) not in one.text


def test_an_error_that_no_lost_file_explains_stays_an_error(
    small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_words: object, **_more: object) -> None:
        raise OSError("not a file of the study")

    monkeypatch.setattr("finassay.apps.web.pages.items.list_items", broken)
    with client_of(small) as client:
        assert client.get("/items").status_code == 500


def test_a_version_that_comes_while_pages_are_read_is_shown(small: Path) -> None:
    with client_of(small) as client:
        assert "gamma" not in client.get("/items?q=00&where=replies").text
        Study.open(small).add_items([item("g", question="What is gamma?")], benchmark="more")
        time.sleep(1.1)
        assert "What is gamma?" in client.get("/items").text


def read_only(office: Office, *, is_on: bool) -> None:
    """Let the label store refuse every write, or take them again."""
    engine = office.app.state.desk.store.engine
    if is_on:
        event.listen(engine, "connect", _query_only)
    else:
        event.remove(engine, "connect", _query_only)
    engine.dispose()


def _query_only(connection: object, _record: object) -> None:
    connection.execute("PRAGMA query_only = ON")


def test_a_label_that_cannot_be_written_is_refused_at_once_and_stored_once_later(
    office: Office,
) -> None:
    office.join("ada", "correctness")
    form = fields(next_page(office, "ada", "correctness"))
    read_only(office, is_on=True)
    begun = time.monotonic()
    refused = office.send("ada", form, "CORRECT")
    # Fifty tries with a wait between them took longer than anybody looks at a page.
    assert time.monotonic() - begun < 5
    # 503, at which the page keeps the decision and sends it again.
    assert refused.status_code == 503
    assert "cannot be written: " in refused.text
    assert office.person("ada").get("/adjudicate/label?draw=correctness").status_code == 200
    assert office.history("correctness") == []
    read_only(office, is_on=False)
    again = [office.send("ada", form, "CORRECT").status_code for _ in range(2)]
    assert again == [303, 303]
    assert [one.answer.label for one in office.history("correctness")] == ["CORRECT"]


@pytest.mark.parametrize("how", ["gone", "garbage", "a folder"])
def test_a_store_that_is_lost_is_not_a_person_who_is_unknown(office: Office, how: str) -> None:
    office.join("ada", "correctness")
    office.app.state.desk.store.engine.dispose()
    for path in office.study.root.glob("labels.sqlite*"):
        path.unlink()
    store = office.study.root / "labels.sqlite"
    if how == "garbage":
        store.write_bytes(b"no database at all" * 100)
    elif how == "a folder":
        store.mkdir()
    page = office.person("ada").get("/adjudicate", follow_redirects=False)
    told = TestClient(office.app).get("/api/adjudicate", headers=office.header("ada"))
    assert (page.status_code, told.status_code) == (503, 503)
    assert "the label store at" in told.json()["error"]["message"]
    assert str(office.study.root) not in page.text + told.text
    assert office.person("ada").get("/items").status_code == 503


def test_a_person_whose_token_is_revoked_records_nothing_more(office: Office) -> None:
    office.join("ada", "correctness")
    form = fields(next_page(office, "ada", "correctness"))
    with store_for(office.study) as store:
        People(store).revoke("ada")
    answer = office.send("ada", form, "CORRECT")
    assert (answer.status_code, answer.headers["location"]) == (303, "/login")
    assert office.history("correctness") == []


def test_two_windows_on_one_unit_record_one_answer(office: Office) -> None:
    office.join("ada", "correctness")
    first, second = (fields(next_page(office, "ada", "correctness")) for _ in range(2))
    assert first["unit"] == second["unit"]
    assert office.send("ada", first, "CORRECT").status_code == 303
    other = office.send("ada", second, "INCORRECT")
    assert other.status_code == 409
    assert "has another answer of yours since this page was shown" in other.text
    assert len(office.history("correctness")) == 1


def test_a_unit_whose_draw_was_withdrawn_while_it_was_open_is_not_recorded(office: Office) -> None:
    office.join("bob", "correctness")
    form = fields(next_page(office, "bob", "correctness"))
    gone = office.post("eve", "/adjudicate/withdraw", draw="correctness", annotator="bob")
    assert gone.status_code == 303
    refused = office.send("bob", form, "CORRECT")
    assert refused.status_code == 400
    assert "nothing was recorded" in refused.text
    assert "You have no units of this draw yet." in refused.text
    assert office.history("correctness") == []


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("rules") / "index"
    text = "Rule 1. A broker pays a fee of five rupees.\n\nRule 2. The net worth is ten crore."
    document = Document(document_id="a", title="Fees", text=text)
    update_index(path, add=[document], settings=IndexSettings(embedder="none"))
    return path


HARM = ("gone", "noise", "a folder", "no index any more")


@pytest.mark.parametrize("harm", HARM)
@pytest.mark.parametrize("name", ["manifest.json", "chunks.parquet", "vocabulary.parquet"])
def test_a_damaged_index_is_told_where_a_question_is_asked(
    small: Path, index: Path, tmp_path: Path, name: str, harm: str
) -> None:
    own = tmp_path / "index"
    shutil.copytree(index, own)
    file = next(own.rglob(name))
    file.unlink()
    if harm == "noise":
        file.write_bytes(b"\x00\xffnoise" * 50)
    elif harm == "a folder":
        file.mkdir()
    elif harm == "no index any more":
        shutil.rmtree(own)
    with client_of(small, index=own) as client:
        page = client.get("/ask-the-rules?q=fee")
        told = client.get("/api/rag?question=fee")
        assert client.get("/ask-the-rules").status_code == 200
    assert page.status_code == 200
    assert told.status_code in {404, 503}
    message = told.json()["error"]["message"]
    assert re.search(r"damaged|there is no index", message)
    assert str(own) not in page.text + told.text
