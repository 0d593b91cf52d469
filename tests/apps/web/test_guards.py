"""What stands before every page: hosts, rates, bodies, methods and paths."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi import APIRouter, Request
from fastapi.testclient import TestClient
from starlette.types import Message

from finassay.apps.web import bodies, guards
from finassay.apps.web.app import ROUTERS, create_app
from finassay.apps.web.bodies import GuardedBody
from finassay.apps.web.headers import POLICY
from finassay.apps.web.hosts import host_name, is_loopback, may_be_addressed
from finassay.apps.web.limits import MOST_KEYS, RateLimiter, whose
from finassay.apps.web.settings import WebSettings
from finassay.errors import UsageError
from study_samples import small_study
from web_clients import token_of

probe = APIRouter()


@probe.post("/submit/probe")
async def upload(request: Request) -> dict[str, int]:
    return {"bytes": len(await request.body())}


@probe.post("/json")
async def as_json(body: dict[str, str]) -> dict[str, int]:
    return {"fields": len(body)}


@probe.get("/named/{name}")
def named(name: str) -> dict[str, str]:
    return {"name": name}


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_study(tmp_path_factory.mktemp("guards") / "study").root


@pytest.fixture
def client(small: Path) -> Iterator[TestClient]:
    app = create_app(WebSettings(study=small, max_upload_bytes=3_000_000))
    app.include_router(probe)
    with TestClient(app, follow_redirects=False) as opened:
        yield opened


@pytest.mark.parametrize(
    ("header", "is_ours"),
    [
        *((name, True) for name in ("localhost", "127.0.0.1:8000", "[::1]:8000", "LOCALHOST.")),
        *((name, True) for name in ("10.0.0.7:80", "assay.localhost", "Assay.Example:443")),
        *((name, False) for name in ("evil.example", "", "127.0.0.1.evil.example", "localhost:x")),
        *((name, False) for name in ("evil.example:127.0.0.1", "[::1", "[::1]x", "a b", "*")),
    ],
)
def test_a_server_is_addressed_by_names_that_it_knows(header: str, is_ours: object):
    assert may_be_addressed(header, {"assay.example"}) is is_ours


def test_ports_and_brackets_are_no_part_of_a_name():
    assert [host_name(h) for h in ("A.b.:8", "[2001:DB8::1]:8")] == ["a.b", "2001:db8::1"]
    assert [is_loopback(h) for h in ("::1", "127.9.9.9", "0.0.0.0", "10.0.0.7")] == [
        *(True, True, False, False)
    ]


def test_a_name_that_is_led_to_this_machine_reads_nothing(client: TestClient):
    for path in ("/", "/api/health", "/static/app.css", "/login"):
        answer = client.get(path, headers={"Host": "evil.example"})
        assert answer.status_code == 421
        assert "not known by that name" in answer.text
    assert "error" in client.get("/api/health", headers={"Host": "evil.example"}).json()


def test_allowed_hosts_are_known(small: Path):
    app = create_app(WebSettings(study=small, allowed_hosts=("Assay.Example",)))
    with TestClient(app) as client:
        host = {"Host": "assay.example:443"}
        assert client.get("/api/health", headers=host).status_code == 200


def test_requests_of_one_address_are_limited_and_files_are_not(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(guards, "REQUESTS", 5)
    assert client.get("/static/LICENSES.txt").status_code == 200
    codes = [client.get("/api/health").status_code for _ in range(6)]
    assert codes == [200] * 5 + [429]
    assert client.get("/static/LICENSES.txt").status_code == 200
    refused = client.get("/api/health")
    assert refused.json()["error"]["code"] == 429
    assert 1 <= int(refused.headers["retry-after"]) <= 10


def test_a_window_slides_and_what_was_refused_is_not_counted():
    now = [0.0]
    limiter = RateLimiter(lambda: now[0])
    key = ("rag", "a")
    answers = []
    for at in (0, 10, 20, 30, 59, 60, 61, 70):
        now[0] = float(at)
        answers.append(limiter.take(key, limit=2))
    assert answers == [None, None, 40.0, 30.0, 1.0, None, 9.0, None]
    assert limiter.take(("rag", "b"), limit=2) is None
    assert limiter.take(("submit", "a"), limit=2) is None


def test_looking_at_a_window_counts_nothing_and_says_what_taking_would():
    now = [0.0]
    limiter = RateLimiter(lambda: now[0])
    key = ("wrong login", "a")
    assert [limiter.wait(key, limit=1) for _ in range(3)] == [None] * 3
    assert limiter.take(key, limit=1) is None
    now[0] = 20.0
    assert limiter.wait(key, limit=1) == limiter.take(key, limit=1) == 40.0
    now[0] = 60.0
    assert limiter.wait(key, limit=1) is None


def test_few_addresses_are_remembered():
    limiter = RateLimiter(lambda: 0.0)
    for at in range(MOST_KEYS + 10):
        limiter.take(("all", str(at)), limit=1)
    assert len(limiter._times) == MOST_KEYS
    assert limiter.take(("all", str(MOST_KEYS + 9)), limit=1) is not None
    assert limiter.take(("all", "0"), limit=1) is None


def test_an_address_counts_by_itself_and_a_network_of_the_new_kind_as_one():
    assert whose("192.0.2.7") == "192.0.2.7"
    assert whose("2001:db8::1") == whose("2001:db8::ffff") == "2001:db8::/64"
    assert [whose(one) for one in (None, "", "testclient")] == ["unknown", "unknown", "testclient"]


def chunks(size: int) -> Iterator[bytes]:
    for _ in range(size // 100_000):
        yield b"x" * 100_000


@pytest.mark.parametrize("path", ["/submit/probe", "/json", "/login", "/api/nowhere"])
@pytest.mark.parametrize("how", ["declared", "in chunks"])
def test_an_upload_of_nobody_is_refused_before_it_is_kept(client: TestClient, path: str, how: str):
    content = b"x" * 2_000_000 if how == "declared" else chunks(2_000_000)
    kind = "application/x-www-form-urlencoded" if path == "/login" else "application/json"
    answer = client.post(path, content=content, headers={"content-type": kind})
    if path == "/api/nowhere" and how == "in chunks":
        assert answer.status_code == 404  # nobody reads the body
        return
    assert answer.status_code == 413
    assert answer.headers["connection"] == "close"
    assert "larger than 1,048,576 bytes; nothing was kept" in answer.text


def test_an_upload_of_a_submitter_is_taken_up_to_its_limit(small: Path, client: TestClient):
    headers = {"Authorization": f"Bearer {token_of(small, 'sub', 'submit')}"}
    taken = client.post("/submit/probe", content=b"x" * 2_000_000, headers=headers)
    assert taken.json() == {"bytes": 2_000_000}
    assert client.post("/submit/probe", content=chunks(2_000_000), headers=headers).json() == {
        "bytes": 2_000_000
    }
    for content in (b"x" * 3_000_001, chunks(3_100_000)):
        refused = client.post("/submit/probe", content=content, headers=headers)
        assert refused.status_code == 413
        assert "larger than 3,000,000 bytes" in refused.text
    assert client.post("/json", content=b"x" * 2_000_000, headers=headers).status_code == 413


def test_an_upload_of_somebody_who_may_only_label_is_refused(small: Path, client: TestClient):
    headers = {"Authorization": f"Bearer {token_of(small, 'lab', 'label')}"}
    answer = client.post("/submit/probe", content=b"x" * 2_000_000, headers=headers)
    assert answer.status_code == 413


def test_a_declared_length_that_is_no_number_is_read_and_measured(client: TestClient):
    answer = client.post(
        "/submit/probe", content=chunks(2_000_000), headers={"content-length": "-1"}
    )
    assert answer.status_code == 413


def test_a_body_that_comes_too_slowly_is_refused():
    async def silent() -> Message:
        await asyncio.sleep(30)
        raise AssertionError

    async def usual() -> int:
        return 10

    async def read() -> None:
        body = GuardedBody(silent, usual=10, limit_of=usual, patience_s=0.05)
        with pytest.raises(Exception, match="came too slowly") as caught:
            await body.receive()
        assert caught.value.status_code == 408

    asyncio.run(read())


def test_a_body_may_take_longer_the_larger_it_is(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(bodies, "SLOWEST_BYTES_PER_S", 100)
    sent = iter([(b"x" * 50, 0.0), (b"x", 0.2), (b"", 30.0)])

    async def slow() -> Message:
        chunk, wait_s = next(sent)
        await asyncio.sleep(wait_s)
        return {"type": "http.request", "body": chunk, "more_body": True}

    async def usual() -> int:
        return 1_000

    async def read() -> list[int]:
        body = GuardedBody(slow, usual=1_000, limit_of=usual, patience_s=0.1)
        sizes = [len((await body.receive())["body"]) for _ in range(2)]
        with pytest.raises(Exception, match="came too slowly"):
            await body.receive()
        return sizes

    assert asyncio.run(read()) == [50, 1]


def test_head_is_get_without_the_body_and_options_tells_the_methods(client: TestClient):
    for path in ("/login", "/api/health", "/static/LICENSES.txt"):
        head, full = client.head(path), client.get(path)
        assert (head.status_code, head.content) == (200, b"")
        assert full.content
        assert head.headers["content-type"] == full.headers["content-type"]
    told = client.options("/login")
    assert (told.status_code, told.headers["allow"]) == (204, "GET, HEAD, OPTIONS, POST")
    assert "access-control-allow-origin" not in told.headers
    assert client.options("/nowhere").status_code == 404


def test_other_methods_are_refused_as_a_page_and_as_json(client: TestClient):
    page = client.delete("/login")
    assert (page.status_code, page.headers["content-type"][:9]) == (405, "text/html")
    assert page.headers["allow"] == "GET, HEAD, OPTIONS, POST"
    assert client.put("/static/app.css").headers["allow"] == "GET, HEAD, OPTIONS"
    answer = client.request("TRACE", "/api/health")
    assert answer.status_code == 405
    assert answer.json()["error"]["code"] == 405


def test_every_refusal_has_the_headers_and_a_line_in_the_log(
    client: TestClient, caplog: pytest.LogCaptureFixture
):
    with caplog.at_level(logging.WARNING, logger="finassay.web"):
        answers = [
            client.get("/api/health", headers={"Host": "evil.example"}),
            client.delete("/login"),
            client.post("/logout"),
            client.post("/json", content=b"x" * 2_000_000),
            client.get("/adjudicate/%0a%1b[31mfake line"),
        ]
    assert [one.status_code for one in answers] == [421, 405, 403, 413, 404]
    for answer in answers:
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert answer.headers["cache-control"] == "no-store"
    lines = [record.getMessage() for record in caplog.records]
    assert [re.search(r"with (\d+)", line)[1] for line in lines] == ["421", "405", "403", "413"]
    assert all(line.isprintable() for line in lines)


ATTACKS = (
    *("../../../../etc/passwd", "..%2f..%2f..%2f..%2fetc%2fpasswd", "%2e%2e/%2e%2e/etc/passwd"),
    *("..%252f..%252fetc%252fpasswd", "..%5c..%5cetc%5cpasswd", "%00/etc/passwd", "/etc/passwd"),
    *("....//....//etc/passwd", "%c0%ae%c0%ae/etc/passwd", "~root", "..;/app.py", "../app.py"),
    *("..%2fapp.py", "study.toml", "..%2f..%2fstudy.toml", "C:%5cWindows%5cwin.ini", "%ff%fe"),
)


def paths_with_a_hole() -> Iterator[str]:
    """Yield every path of the application in which a request may put a text of its own."""
    yield "/static/{}"
    for router in (*ROUTERS, probe):
        for route in router.routes:
            if "{" in route.path:
                yield re.sub(r"\{\w+(:\w+)?\}", "{}", route.path)


def test_no_path_leads_out_of_what_is_served(small: Path, client: TestClient):
    (small / "secret.txt").write_text("this is a secret")
    holes = set(paths_with_a_hole())
    assert "/named/{}" in holes
    leaked = ("root:x:0:0", "schema_version", "this is a secret", "def create_app", "[fonts]")
    for hole in holes:
        for attack in (*ATTACKS, "secret.txt", "../../../study/secret.txt"):
            answer = client.get(hole.replace("{}", attack))
            assert answer.status_code < 500, (hole, attack)
            assert not any(text in answer.text for text in leaked), (hole, attack)


def test_static_files_are_those_of_the_package_and_folders_are_not_listed(client: TestClient):
    assert client.get("/static/app.css").status_code == 200
    for path in ("/static/", "/static", "/static/.", "/static/none.css"):
        assert client.get(path).status_code in {404, 307, 405}, path


def test_pages_work_where_labels_cannot_be_stored_and_labelling_says_why(tmp_path: Path):
    study = small_study(tmp_path / "study").root
    # As where the directory is read-only or on a full disk: SQLite cannot open its file.
    (study / "labels.sqlite").mkdir()
    with TestClient(create_app(WebSettings(study=study)), follow_redirects=False) as client:
        assert client.get("/api/health").status_code == 200
        client.cookies.set("finassay_session_0123456789abcdef", "x", domain="127.0.0.1")
        missing = client.get("/nowhere")
        assert missing.status_code == 404
        login = client.get("/login")
        assert login.status_code == 503
        assert "cannot be reached: unable to open database file" in login.text
        program = {"Authorization": "Bearer x"}
        refused = client.post("/logout", headers=program)
        assert refused.status_code in {303, 503}


def test_pages_are_shown_in_frames_of_named_sites_only(small: Path):
    site = "https://huggingface.co"
    with TestClient(create_app(WebSettings(study=small, embed_in=(site,)))) as client:
        policy = client.get("/api/health").headers["content-security-policy"]
    assert policy == POLICY.replace("frame-ancestors 'none'", f"frame-ancestors {site}")
    for wrong in ("*", "http://a.example", "https://a.example/x", "https://a b", "https://a; x"):
        with pytest.raises(UsageError, match="must be https://NAME"):
            WebSettings(study=small, embed_in=(wrong,))
