"""Login, sessions and forms: what a browser can be made to send."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from fastapi import APIRouter, Depends
from fastapi.testclient import TestClient

from finassay.apps.web.app import create_app
from finassay.apps.web.pages.login import own_path
from finassay.apps.web.people import Checked, Labeller, PersonOf, limited
from finassay.apps.web.settings import WebSettings
from finassay.study import Study
from finassay.study.people import People, store_for
from study_samples import small_study
from web_clients import form_token, log_in, token_of

probe = APIRouter()
"""Stands for every route that changes something."""


@probe.post("/api/change", dependencies=[Checked])
def change(person: PersonOf) -> dict[str, str]:
    return {"by": person.name}


@probe.post("/change", dependencies=[Checked])
def change_page(person: Labeller) -> dict[str, str]:
    return {"by": person.name}


@probe.get("/mine")
def mine(person: PersonOf) -> dict[str, str]:
    return {"of": person.name}


@probe.get("/api/asked", dependencies=[Depends(limited("asked", per_minute=2))])
def asked() -> dict[str, str]:
    return {}


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_study(tmp_path_factory.mktemp("login") / "study").root


@contextmanager
def client_of(study: Path, **settings: object) -> Iterator[TestClient]:
    app = create_app(WebSettings(study=study, **settings))
    app.include_router(probe)
    with TestClient(app, follow_redirects=False) as opened:
        yield opened


@pytest.fixture
def own(small: Path) -> Iterator[TestClient]:
    """A client over a study without people yet."""
    for path in small.glob("labels.sqlite*"):
        path.unlink()
    with client_of(small) as opened:
        yield opened


@pytest.fixture
def token(small: Path, own: TestClient) -> str:
    return token_of(small, "ann")


@pytest.fixture
def ann(own: TestClient, token: str) -> TestClient:
    """A client logged in as ann."""
    log_in(own, token)
    return own


def csrf_of(client: TestClient) -> str:
    return form_token(client.get("/login").text)


def test_a_person_logs_in_with_a_form_and_out_again(ann: TestClient):
    assert ann.get("/mine").json() == {"of": "ann"}
    assert ann.post("/change", data={"csrf": csrf_of(ann)}).json() == {"by": "ann"}
    gone = ann.post("/logout", data={"csrf": csrf_of(ann)})
    assert (gone.status_code, gone.headers["location"]) == (303, "/")
    assert not ann.cookies
    assert ann.get("/mine").headers["location"] == "/login?next=%2Fmine"


def test_the_cookie_is_kept_from_scripts_and_from_other_sites(own: TestClient, token: str):
    csrf = csrf_of(own)
    answer = own.post("/login", data={"token": token, "csrf": csrf})
    (session,) = [c for c in answer.headers.get_list("set-cookie") if "finassay_session" in c]
    assert {"HttpOnly", "SameSite=strict", "Path=/"} <= set(session.split("; "))
    assert "Secure" not in session
    assert token not in session


def test_behind_tls_the_cookie_is_secure_and_bound_to_the_host(small: Path, token: str):
    with client_of(small, is_https=True) as client:
        client.base_url = "https://127.0.0.1"
        log_in(client, token)
        assert client.get("/mine").json() == {"of": "ann"}
        answer = client.post("/login", data={"token": token, "csrf": csrf_of(client)})
    (session,) = [c for c in answer.headers.get_list("set-cookie") if "finassay_session" in c]
    assert session.startswith("__Host-finassay_session_")
    assert "Secure" in session.split("; ")


@pytest.mark.parametrize("csrf", [None, "", "0" * 64, "é"])
def test_a_form_without_the_sessions_token_changes_nothing(ann: TestClient, csrf: str | None):
    data = {} if csrf is None else {"csrf": csrf}
    answer = ann.post("/change", data=data)
    assert answer.status_code == 403
    assert "the form is from another session" in answer.text
    assert ann.post("/logout", data=data).status_code == 403
    assert ann.get("/mine").status_code == 200


def test_a_form_token_of_another_session_is_refused(small: Path, own: TestClient, token: str):
    log_in(own, token)
    with client_of(small) as other:
        log_in(other, token)
        foreign = csrf_of(other)
    assert own.post("/change", data={"csrf": foreign}).status_code == 403
    assert own.post("/change", data={"csrf": csrf_of(own)}).status_code == 200


def test_the_form_token_may_come_as_a_header(ann: TestClient):
    csrf = csrf_of(ann)
    assert ann.post("/api/change", headers={"X-CSRF-Token": csrf}).json() == {"by": "ann"}
    assert ann.post("/api/change", json={"csrf": csrf}).status_code == 403


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:9999"},
        {"Origin": "http://127.0.0.1.evil.example"},
        {"Origin": "http://evil.example@127.0.0.1"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_a_form_that_another_site_sent_is_refused(ann: TestClient, headers: dict[str, str]):
    csrf = csrf_of(ann)
    answer = ann.post("/change", data={"csrf": csrf}, headers=headers)
    assert answer.status_code == 403
    assert "another site sent this form" in answer.text
    own = {"Origin": "http://127.0.0.1", "Sec-Fetch-Site": "same-origin"}
    assert ann.post("/change", data={"csrf": csrf}, headers=own).status_code == 200


def test_another_site_cannot_log_a_browser_in(own: TestClient, token: str):
    assert own.post("/login", data={"token": token}).status_code == 403
    csrf = csrf_of(own)
    evil = {"Origin": "https://evil.example"}
    refused = own.post("/login", data={"token": token, "csrf": csrf}, headers=evil)
    assert refused.status_code == 403
    assert own.get("/mine").status_code == 303


def test_a_stolen_cookie_is_worth_nothing_after_the_logout(small: Path, ann: TestClient):
    stolen = dict(ann.cookies)
    with client_of(small) as thief:
        thief.cookies.update(stolen)
        assert thief.get("/mine").json() == {"of": "ann"}
        assert ann.post("/logout", data={"csrf": csrf_of(ann)}).status_code == 303
        assert thief.get("/mine").status_code == 303


def test_a_session_that_was_planted_is_replaced_by_the_login(own: TestClient, token: str):
    log_in(own, token)
    (name,) = own.cookies
    first = own.cookies[name]
    own.cookies.clear()
    own.cookies.set(name, "planted", domain="127.0.0.1")
    csrf = csrf_of(own)
    done = own.post("/login", data={"token": token, "csrf": csrf})
    assert done.status_code == 303
    session = done.cookies[name]
    assert session not in {"planted", first}
    for old in ("planted",):
        own.cookies.clear()
        own.cookies.set(name, old, domain="127.0.0.1")
        assert own.get("/mine").status_code == 303


def test_a_second_login_ends_the_session_before(small: Path, ann: TestClient, token: str):
    (name,) = ann.cookies
    before = ann.cookies[name]
    log_in(ann, token)
    with client_of(small) as thief:
        thief.cookies.set(name, before, domain="127.0.0.1")
        assert thief.get("/mine").status_code == 303
    assert ann.get("/mine").status_code == 200


def test_a_revoked_token_ends_sessions_and_programs_at_once(
    small: Path, ann: TestClient, token: str
):
    program = {"Authorization": f"Bearer {token}"}
    assert ann.post("/api/change", headers=program).status_code == 200
    with store_for(Study.open(small)) as store:
        People(store).revoke("ann")
    assert ann.get("/mine").status_code == 303
    refused = ann.post("/api/change", headers=program)
    assert refused.status_code == 401
    assert refused.headers["www-authenticate"] == "Bearer"
    assert "was revoked" in refused.json()["error"]["message"]


def test_a_program_sends_its_token_and_needs_no_form_token(own: TestClient, token: str):
    done = own.post("/api/change", headers={"Authorization": f"Bearer {token}"})
    assert done.json() == {"by": "ann"}
    assert own.post("/api/change").status_code == 403
    for header in ("Bearer", "Bearer x", f"Basic {token}", token, ""):
        assert own.post("/api/change", headers={"Authorization": header}).status_code == 401


def test_a_wrong_token_beside_a_good_cookie_is_refused(ann: TestClient):
    csrf = csrf_of(ann)
    wrong = {"Authorization": "Bearer x", "X-CSRF-Token": csrf}
    assert ann.post("/api/change", headers=wrong).status_code == 401


def test_a_token_in_the_address_is_no_login(own: TestClient, token: str):
    assert own.get("/mine", params={"token": token}).status_code == 303
    csrf = csrf_of(own)
    assert own.post("/login", params={"token": token}, data={"csrf": csrf}).status_code == 422


def test_somebody_without_the_role_is_refused(small: Path, own: TestClient):
    token = token_of(small, "rev", "review")
    answer = own.post("/change", headers={"Authorization": f"Bearer {token}"})
    assert answer.status_code == 403
    assert "this needs the role" in answer.text
    assert "rev has review" in answer.text


def test_a_wrong_token_is_told_without_saying_which_part(own: TestClient, token: str):
    for wrong in (token[:-1], token + "x", "x"):
        answer = own.post("/login", data={"token": wrong, "csrf": csrf_of(own)})
        assert answer.status_code == 401
        assert "This token is nobody&#39;s here, or was revoked" in answer.text
    assert token not in answer.text
    assert token[:-1] not in answer.text


def test_logins_with_good_tokens_are_not_counted_against_an_address(own: TestClient, token: str):
    csrf = csrf_of(own)
    wrong = {"token": "x", "csrf": csrf}
    codes = [own.post("/login", data=wrong).status_code for _ in range(9)]
    for _ in range(25):
        own.cookies.clear()
        log_in(own, token)
    own.cookies.clear()
    codes += [
        own.post("/login", data={"token": "x", "csrf": csrf_of(own)}).status_code for _ in range(2)
    ]
    assert codes == [401] * 10 + [429]


def test_logins_of_any_kind_are_limited_by_address(own: TestClient, token: str):
    codes = [own.post("/login", data={"token": token}).status_code for _ in range(121)]
    assert codes == [403] * 120 + [429]


def test_wrong_tokens_of_logins_are_limited_by_address(own: TestClient, token: str):
    csrf = csrf_of(own)
    codes = [own.post("/login", data={"token": "x", "csrf": csrf}).status_code for _ in range(11)]
    assert codes == [401] * 10 + [429]
    late = own.post("/login", data={"token": token, "csrf": csrf})
    assert late.status_code == 429
    assert 0 < int(late.headers["retry-after"]) <= 60


def test_tokens_of_programs_are_limited_by_address(own: TestClient, token: str):
    wrong = {"Authorization": "Bearer x"}
    codes = [own.post("/api/change", headers=wrong).status_code for _ in range(31)]
    assert codes == [401] * 30 + [429]
    good = own.post("/api/change", headers={"Authorization": f"Bearer {token}"})
    assert good.status_code == 200


def test_a_limit_counts_each_person_apart(small: Path, own: TestClient, token: str):
    bob = {"Authorization": f"Bearer {token_of(small, 'bob')}"}
    ann = {"Authorization": f"Bearer {token}"}
    assert [own.get("/api/asked", headers=ann).status_code for _ in range(3)] == [200, 200, 429]
    assert own.get("/api/asked", headers=bob).status_code == 200
    assert own.get("/api/asked").status_code == 200


def test_no_token_and_no_session_is_logged(
    own: TestClient, token: str, caplog: pytest.LogCaptureFixture
):
    with caplog.at_level(logging.DEBUG):
        log_in(own, token)
        csrf = csrf_of(own)
        own.post("/login", data={"token": token})
        own.get("/nowhere", params={"token": token})
        own.post("/change", data={"token": token}, params={"token": token})
        own.post("/api/change", headers={"Authorization": f"Basic {token}"})
    logged = "\n".join(record.getMessage() for record in caplog.records if record.name != "httpx2")
    assert "refused 'POST' '/change' with 403" in logged
    secrets = [token, csrf, *own.cookies.values()]
    lines = [line for line in logged.splitlines() if "refused" in line]
    assert lines
    assert not any(secret in line for secret in secrets for line in lines)


def test_a_session_outlasts_a_server_that_ended(small: Path, own: TestClient, token: str):
    log_in(own, token)
    cookies = dict(own.cookies)
    with client_of(small) as again:
        again.cookies.update(cookies)
        assert again.get("/mine").json() == {"of": "ann"}


def test_a_cookie_of_another_study_is_unknown_here(tmp_path: Path, ann: TestClient):
    other = small_study(tmp_path / "other").root
    token_of(other, "ann")
    with client_of(other) as client:
        client.cookies.update(dict(ann.cookies))
        assert client.get("/mine").status_code == 303


@pytest.mark.parametrize(
    "elsewhere",
    [
        *("//evil.example", "https://evil.example", "/\\evil.example", "\\\\evil.example"),
        *("javascript:alert(1)", "/a\r\nSet-Cookie: x=1", "/\t/evil.example", "evil", "", "/é"),
    ],
)
def test_the_login_leads_back_to_this_server_only(own: TestClient, token: str, elsewhere: str):
    assert own_path(elsewhere) == "/"
    csrf = csrf_of(own)
    done = own.post("/login", data={"token": token, "csrf": csrf, "next": elsewhere})
    assert (done.status_code, done.headers["location"]) == (303, "/")


def test_the_login_leads_back_to_the_page_that_asked_for_it(own: TestClient, token: str):
    way = own.get("/mine?a=1&b=%22").headers["location"]
    page = own.get(way)
    back = "/mine?a=1&amp;b=%22"
    assert f'name="next" value="{back}"' in page.text
    data = {"token": token, "csrf": form_token(page.text), "next": "/mine?a=1&b=%22"}
    assert own.post("/login", data=data).headers["location"] == "/mine?a=1&b=%22"
