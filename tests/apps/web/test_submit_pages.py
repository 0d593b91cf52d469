"""Submitting predictions: errors by line, a preview, one confirmation, a row on the leaderboard."""

from __future__ import annotations

import errno
import html
import re
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest
from fastapi.testclient import TestClient
from playwright.sync_api import Page

from finassay.apps.web.app import create_app
from finassay.apps.web.settings import WebSettings
from finassay.marking.scoring import score_study
from finassay.runs.importers.predictions import import_predictions
from finassay.study import Study
from import_tables import LONG, answers, table, twelve_items
from web_clients import form_token, log_in, token_of

RULES = ("includes", 'exact[normaliser="words"]', "strict/numbers-first")
GOOD = "id,prediction\n" + "".join(f'q{n},"{LONG}{n}"\n' for n in range(10))
BAD = "id,prediction\nq0,yes\nnowhere,x\nq2\nq0,no\n"

Serve = Callable[..., AbstractContextManager[str]]


@pytest.fixture(scope="module")
def marked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("submit")
    made = twelve_items(folder / "study")
    import_predictions(made, table(folder / "first.csv", answers()))
    score_study(made, scorers=RULES)
    return made.root


@pytest.fixture
def study(marked: Path, tmp_path: Path) -> Path:
    shutil.copytree(marked, tmp_path / "study")
    return tmp_path / "study"


@pytest.fixture
def client(study: Path) -> Iterator[TestClient]:
    """Somebody who may submit, logged in."""
    app = create_app(WebSettings(study=study, patience_s=60, max_upload_bytes=300_000))
    with TestClient(app, base_url="http://127.0.0.1") as opened:
        log_in(opened, token_of(study, "ann", "submit"))
        yield opened


def hand_in(
    client: TestClient, data: str | bytes = GOOD, *, name: str = "a.csv", **fields: str
) -> httpx.Response:
    form = {"system": "alpha", "csrf": form_token(client.get("/submit").text), **fields}
    return client.post("/submit", data=form, files={"file": (name, data)})


def confirm(client: TestClient, page: httpx.Response) -> httpx.Response:
    form = {"id": page.url.params["id"], "csrf": form_token(page.text)}
    return client.post("/submit/confirm", data=form)


def finished(client: TestClient, submission_id: str) -> dict[str, object]:
    until = time.monotonic() + 60
    while time.monotonic() < until:
        told: dict[str, object] = client.get(f"/api/submissions/{submission_id}").json()
        if told["state"] not in ("queued", "importing", "marking"):
            return told
        time.sleep(0.05)
    raise AssertionError("the submission did not come to its end")


def shown(page: str) -> str:
    return html.unescape(re.sub(r"<[^>]+>", " ", page))


def test_the_page_is_for_people_with_the_role(study: Path):
    app = create_app(WebSettings(study=study))
    with TestClient(app, base_url="http://127.0.0.1") as client:
        assert client.get("/submit", follow_redirects=False).status_code == 303
        assert client.get("/api/submissions/" + "0" * 32).status_code == 401
        log_in(client, token_of(study, "bob", "label"))
        assert client.get("/submit").status_code == 403


def test_every_error_is_shown_by_its_line_and_nothing_is_written(client: TestClient, study: Path):
    before = Study.open(study).snapshot().versions
    page = hand_in(client, BAD)
    rows = re.findall(r'<th scope="row" class="r">(\w+)</th><td class="wrap">([^<]+)<', page.text)
    assert [line for line, _ in rows] == ["3", "4", "5"]
    assert "Not taken; nothing was written." in shown(page.text)
    assert "/submit/confirm" not in page.text
    assert Study.open(study).snapshot().versions == before


def test_of_many_errors_the_first_are_shown_and_the_rest_counted(client: TestClient):
    page = hand_in(client, "id,prediction\n" + "".join(f"x{n},a\n" for n in range(250)))
    assert page.text.count('class="wrap id"') == 200
    assert "The first 200 of 250 errors; 50 more" in shown(page.text)


def test_a_clean_file_is_previewed_before_it_is_written(client: TestClient, study: Path):
    before = Study.open(study).snapshot().versions
    page = hand_in(client, GOOD + f'q9,"{LONG}9"\n')
    text = " ".join(shown(page.text).split())
    assert "11 Rows" in text or "Rows 11" in text
    assert re.search(r"b 10 12 83\.3", text)
    assert "1 row said the same as an earlier one" in text
    assert Study.open(study).snapshot().versions == before


def test_a_confirmed_file_is_marked_as_the_library_would_and_is_on_the_leaderboard(
    client: TestClient, study: Path, tmp_path: Path
):
    page = hand_in(client)
    page = confirm(client, page)
    told = finished(client, page.url.params["id"])
    assert told["state"] == "done"
    twin = twelve_items(tmp_path / "twin")
    import_predictions(twin, _written(tmp_path / "alpha.csv"))
    score_study(twin, scorers=RULES)
    assert marks(Study.open(study)) == marks(twin)
    assert told["verdicts"] == 10 * len(RULES)
    assert "alpha" in shown(client.get("/").text)


def _written(path: Path) -> Path:
    path.write_text(GOOD, encoding="utf-8")
    return path


def marks(study: Study) -> set[tuple[str, str, float | None]]:
    snapshot = study.snapshot()
    frame = snapshot.frame("verdicts", system_id=snapshot.resolve_system("alpha"))
    rows = frame.select("scorer_id", "item_id", "value").iter_rows()
    return {(scorer, item, value) for scorer, item, value in rows if scorer in RULES}


def test_the_same_file_again_leads_to_what_is_there(client: TestClient):
    first = confirm(client, hand_in(client))
    finished(client, first.url.params["id"])
    again = hand_in(client)
    assert again.url.params["id"] == first.url.params["id"]
    other = hand_in(client, GOOD.replace("q9", "q10"))
    assert "has a system 'alpha' already" in shown(other.text)


def test_a_form_of_another_session_changes_nothing(client: TestClient, study: Path):
    page = hand_in(client)
    form = {"id": page.url.params["id"], "csrf": "0" * 64}
    assert client.post("/submit/confirm", data=form).status_code == 403
    upload = client.post("/submit", data={"system": "x"}, files={"file": ("a.csv", GOOD)})
    assert upload.status_code == 403
    assert "alpha" not in {spec.name for spec in Study.open(study).snapshot().systems()}


def test_a_withdrawn_file_is_gone(client: TestClient, study: Path):
    page = hand_in(client)
    form = {"id": page.url.params["id"], "csrf": form_token(page.text)}
    page = client.post("/submit/withdraw", data=form)
    assert "Withdrawn." in shown(page.text)
    assert not list((study / "submissions").glob("*.csv"))


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("a.exe", GOOD, "must end in one of"),
        ("a.csv.gz", GOOD, "compressed files are not unpacked"),
        ("a.csv", b"PK\x03\x04" + b"0" * 50, "got a ZIP archive"),
        ("a.csv", b"id,prediction\nq0,\xff\n", "is not text in utf-8"),
        ("a.csv", "id,prediction\nq0,a\0b\n", "holds a NUL character"),
        ("a.xlsx", b"nothing", "no XLSX workbook"),
        ("a.csv", "id;text\nq0;a\n" * 2, "id"),
        ("a.csv", "", "the file is empty"),
    ],
)
def test_a_file_that_is_not_what_it_should_be_is_refused_in_words(
    client: TestClient, name: str, data: str | bytes, said: str
):
    page = hand_in(client, data, name=name)
    assert page.status_code in (200, 400)
    assert said in shown(page.text)


def test_a_file_that_is_too_large_is_refused(client: TestClient, study: Path):
    page = hand_in(client, "id,prediction\n" + f"q0,{'x' * 400_000}\n")
    assert page.status_code in (400, 413)
    assert not list((study / "submissions").glob("*.csv"))


def test_a_file_that_cannot_be_kept_is_told_so_and_leaves_nothing(
    client: TestClient, study: Path, monkeypatch: pytest.MonkeyPatch
):
    def full(_source: object, _out: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    writing = SimpleNamespace(copyfileobj=full)
    monkeypatch.setattr("finassay.apps.web.pages.submit.shutil", writing)
    page = hand_in(client, "item_id,prediction\nq0,yes\n")
    assert page.status_code == 503
    assert "the file cannot be kept: No space left on device" in shown(page.text)
    assert not list((study / "submissions").glob("*.csv"))


def test_hostile_cells_and_names_are_shown_and_do_nothing(client: TestClient):
    page = hand_in(
        client,
        'id,prediction\n<script>alert(1)</script>,"<img src=x onerror=alert(2)>"\n',
        name='"><script>alert(3)</script>.csv',
        system="<b>bold</b>",
    )
    assert "<script>alert" not in page.text
    assert "<img src=x" not in page.text
    assert "<b>bold" not in page.text
    assert "no item '<script>alert(1)</script>'" in shown(page.text.replace("&#39;", "'"))


def test_what_others_handed_in_is_not_there_for_one(client: TestClient, study: Path):
    mine = hand_in(client).url.params["id"]
    headers = {"authorization": f"Bearer {token_of(study, 'eve', 'submit')}"}
    with TestClient(client.app, base_url="http://127.0.0.1") as other:
        assert other.get(f"/api/submissions/{mine}", headers=headers).status_code == 404
        refused = other.post(f"/api/submissions/{mine}/confirm", headers=headers)
        assert refused.status_code == 404
        assert (
            other.get("/submit/progress", params={"id": mine}, headers=headers).status_code == 404
        )


def test_a_program_hands_in_with_its_token(client: TestClient, study: Path):
    headers = {"authorization": f"Bearer {token_of(study, 'bot', 'submit')}"}
    with TestClient(client.app, base_url="http://127.0.0.1") as program:
        program.headers.update(headers)
        refused = program.post(
            "/api/submit", data={"system": "beta"}, files={"file": ("b.csv", BAD)}
        )
        assert refused.status_code == 422
        assert [one["line"] for one in refused.json()["submission"]["errors"]] == [3, 4, 5]
        form = {"system": "beta", "confirmed": "true"}
        told = program.post("/api/submit", data=form, files={"file": ("b.csv", GOOD)})
        assert told.status_code == 201
        assert told.json()["coverage"] == [{"benchmark": "b", "answered": 10, "items": 12}]
        assert finished(program, told.json()["id"])["state"] == "done"


@pytest.mark.browser
def test_a_file_is_handed_in_corrected_and_seen_on_the_leaderboard(
    study: Path, tmp_path: Path, page: Page, serve: Serve
):
    bad, good = tmp_path / "bad.csv", _written(tmp_path / "good.csv")
    bad.write_text(BAD, encoding="utf-8")
    token = token_of(study, "ann", "submit")
    with serve(study) as address:
        page.goto(f"{address}/submit")
        page.get_by_label("Token").fill(token)
        page.get_by_role("button", name="Log in").click()
        page.goto(f"{address}/submit")
        page.get_by_label("File", exact=True).set_input_files(bad)
        page.get_by_label("Name of the system").fill("my system")
        page.get_by_role("button", name="Check the file").click()
        assert page.locator("tbody th", has_text="3").first.is_visible()
        page.get_by_role("link", name="hand it in again").click()
        page.get_by_label("File", exact=True).set_input_files(good)
        page.get_by_label("Name of the system").fill("my system")
        page.get_by_role("button", name="Check the file").click()
        page.get_by_role("button", name="File and mark these replies").click()
        page.get_by_text("Done.").wait_for(timeout=60_000)
        page.get_by_role("link", name="To the leaderboard").click()
        page.get_by_text("my system").first.wait_for(timeout=60_000)


FAULTY: dict[str, tuple[str, str | bytes]] = {
    "another encoding": ("a.csv", "id,prediction\nq0,né\n".encode("latin-1")),
    "wide characters": ("a.csv", "id,prediction\nq0,yes\n".encode("utf-16-le")),
    "two delimiters": ("a.csv", "id,prediction;rest\nq0,yes;x\n"),
    "no column of replies": ("a.csv", "id,something\nq0,yes\n"),
    "two columns of replies": ("a.csv", "id,prediction,response\nq0,yes,no\n"),
    "no id": ("a.csv", "prediction\nyes\n"),
    "no document": ("a.json", '{"id": "q0", "prediction": "yes"}\n{"id": "q1"}\n'),
    "half a document": ("a.json", '[{"id": "q0", "prediction": '),
    "no rows": ("a.jsonl", "nothing\nat all\n"),
    "no table": ("a.csv", "x\ny\n"),
    "binary": ("a.csv", b"PK\x03\x04" + bytes(range(256))),
    "empty": ("a.tsv", ""),
}
"""Files of which a message of the importer names options of the command line, or may."""


@pytest.mark.parametrize("kind", FAULTY)
def test_what_is_wrong_with_a_file_is_said_in_the_words_of_the_form(
    client: TestClient, study: Path, kind: str
):
    name, data = FAULTY[kind]
    token = {"Authorization": f"Bearer {token_of(study, 'bot', 'submit')}"}
    sent = {"files": {"file": (name, data)}, "data": {"system": "s"}}
    told = client.post("/api/submit", headers=token, **sent)
    assert told.status_code in {400, 422}, told.text
    page = hand_in(client, data, name=name)
    for text in (told.text, shown(page.text)):
        assert "finassay import" not in text
        assert not re.search(r"\s`?--[a-z]", text)
    assert "Not taken" in page.text


def test_an_encoding_that_does_not_fit_names_the_field_to_change(client: TestClient):
    page = shown(hand_in(client, FAULTY["another encoding"][1]).text)
    assert "choose another in the field “Encoding of the text” (`encoding`)" in page
    assert hand_in(client, FAULTY["another encoding"][1], encoding="cp1252").status_code == 200
