"""`finassay serve`: addresses, warnings, signals."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import util
from pathlib import Path

import pytest
import uvicorn

from cli_runs import run
from finassay.apps.cli import serve as serve_module
from finassay.apps.web import serving
from finassay.apps.web.serving import Address, PatientProtocol, exposure, listen
from finassay.apps.web.settings import WebSettings
from finassay.errors import UsageError
from study_samples import small_study


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_study(tmp_path_factory.mktemp("serve") / "study").root


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[tuple[WebSettings, Address, bool]]:
    """What the command would have served."""
    calls: list[tuple[WebSettings, Address, bool]] = []

    def serve(settings: WebSettings, at: Address, *, is_proxied: bool, ready: object) -> None:
        calls.append((settings, at, is_proxied))
        assert callable(ready)
        ready(at)

    monkeypatch.setattr(serving, "serve_app", serve)
    monkeypatch.setattr(serving, "log_to_stderr", lambda: None)
    for name in ("HOST", "PORT"):
        monkeypatch.delenv(name, raising=False)
    return calls


def test_this_machine_alone_is_served_by_default(study: Path, told: list):
    ran = run("serve", study)
    assert (ran.code, ran.out) == (0, "")
    assert ran.err == f"serving {study} at http://127.0.0.1:8000; stop with Ctrl-C\n"
    ((settings, at, is_proxied),) = told
    assert (settings.study, at, is_proxied) == (study, ("127.0.0.1", 8000), False)


def test_port_and_host_may_stand_in_the_environment(
    study: Path, told: list, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("PORT", "7860")
    monkeypatch.setenv("HOST", "0.0.0.0")
    run("serve", study)
    run("serve", study, "--port", "81", "--host", "::1")
    assert [at for _, at, _ in told] == [("0.0.0.0", 7860), ("::1", 81)]


def test_the_name_of_the_machine_in_the_environment_opens_nothing(
    study: Path, told: list, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("HOST", "mybox.example")
    ran = run("serve", study)
    assert "HOST='mybox.example' is no address and is passed over" in ran.err
    assert told[0][1].host == "127.0.0.1"


def test_another_address_than_this_machines_warns_who_can_read_what(study: Path, told: list):
    ran = run("serve", study, "--host", "0.0.0.0")
    first, second, third, _ = ran.err.splitlines()
    assert "everybody who reaches the machine can read all questions, references" in first
    assert "tokens protect writing only" in first
    assert "give --no-text" in second
    assert "put a proxy with TLS before it" in third
    quiet = run("serve", study, "--host", "0.0.0.0", "--no-text", "--behind-proxy")
    assert [line[:9] for line in quiet.err.splitlines()] == ["WARNING: ", "serving /"]
    assert "can read all scores of the study" in quiet.err
    settings, _, is_proxied = told[-1]
    assert (settings.no_text, settings.is_https, is_proxied) == (True, True, True)


def test_addresses_of_the_machine_itself_do_not_warn(study: Path):
    settings = WebSettings(study=study)
    for host in ("127.0.0.1", "::1", "localhost", "127.3.2.1"):
        assert exposure(Address(host, 1), settings, is_proxied=False) == []


def test_a_study_without_verdicts_says_what_to_run(tmp_path: Path, told: list):
    run("study", "create", tmp_path / "empty")
    ran = run("serve", tmp_path / "empty", "--allowed-host", "a.example")
    assert f"no verdicts yet, so most pages are empty; run: finassay score {tmp_path}" in ran.err
    assert told[0][0].allowed_hosts == ("a.example",)


def test_what_cannot_be_served_is_told(study: Path, tmp_path: Path, told: list):
    assert run("serve", tmp_path / "none").code == 4
    index = run("serve", study, "--index", tmp_path / "none")
    assert index.code == 2
    assert "build one with `finassay rag build`" in index.err
    for port in ("65536", "-1", "x"):
        assert run("serve", study, "--port", port).code == 2
    assert told == []


def test_a_store_of_another_study_is_not_served(study: Path, tmp_path: Path, told: list):
    other = small_study(tmp_path / "other").root
    (other / "study.toml").write_text(
        (other / "study.toml").read_text().replace('"small"', '"large"')
    )
    url = f"sqlite:///{tmp_path / 'labels.sqlite'}"
    assert run("people", "add", other, "ann", "--labels-url", url).code == 0
    ran = run("serve", study, "--labels-url", url)
    assert ran.code == 4
    assert "serves the study 'large" in ran.err
    assert told == []


def test_without_the_extra_the_command_names_it(study: Path, monkeypatch: pytest.MonkeyPatch):
    find = util.find_spec
    monkeypatch.setattr(
        serve_module.util, "find_spec", lambda name: None if name == "uvicorn" else find(name)
    )
    ran = run("serve", study)
    assert ran.code == 2
    assert "pip install 'finassay[web]'" in ran.err


def test_a_port_that_is_taken_says_what_to_do():
    with listen(Address("127.0.0.1", 0)) as held:
        port = held.getsockname()[1]
        with pytest.raises(
            UsageError, match=rf"another program has the port; give --port {port + 1}"
        ):
            listen(Address("127.0.0.1", port))


@pytest.mark.parametrize(
    ("host", "message"),
    [
        ("203.0.113.9", r"give --host 127\.0\.0\.1, or an address that this machine has"),
        ("nowhere.invalid", "give an address of this machine"),
        ("a" * 300, "give an address of this machine"),
    ],
)
def test_a_host_that_is_not_of_this_machine_is_refused(host: str, message: str):
    with pytest.raises(UsageError, match=message):
        listen(Address(host, 0))


def test_addresses_are_shown_as_they_are_typed():
    shown = [Address(h, 8).url for h in ("127.0.0.1", "0.0.0.0", "::", "::1", "box.example")]
    names = ["127.0.0.1", "127.0.0.1", "[::1]", "[::1]", "box.example"]
    assert shown == [f"http://{name}:8" for name in names]


@contextmanager
def bare_server() -> Iterator[int]:
    """Serve an application that answers nothing but "ok", and yield the port."""

    async def app(scope: object, receive: object, send: object) -> None:
        assert callable(send)
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"ok"})

    listening = listen(Address("127.0.0.1", 0))
    config = uvicorn.Config(app, http=PatientProtocol, lifespan="off", log_config=None)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=lambda: asyncio.run(server.serve([listening])))
    thread.start()
    try:
        yield int(listening.getsockname()[1])
    finally:
        server.should_exit = True
        thread.join()
        listening.close()


def test_a_connection_that_asks_nothing_is_closed(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(serving, "HEAD_S", 0.3)
    with bare_server() as port:
        for said in (b"", b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: "):
            with socket.create_connection(("127.0.0.1", port), timeout=20) as silent:
                silent.sendall(said)
                assert silent.recv(100) == b""
        with socket.create_connection(("127.0.0.1", port), timeout=20) as asking:
            asking.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            assert asking.recv(100).startswith(b"HTTP/1.1 200")


@contextmanager
def server_process(study: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    command = [sys.executable, "-m", "finassay", "serve", str(study), "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=os.environ) as running:
        assert running.stderr is not None
        line = running.stderr.readline()
        found = re.search(r"at (http://127\.0\.0\.1:\d+); stop with Ctrl-C", line)
        try:
            assert found is not None, line
            yield running, found[1]
        finally:
            if running.poll() is None:
                running.kill()


@pytest.mark.full
def test_a_server_answers_refuses_and_ends_with_130_on_ctrl_c(study: Path):
    with server_process(study) as (running, address):
        with urllib.request.urlopen(f"{address}/api/health", timeout=30) as answer:
            assert json.load(answer)["status"] == "ok"
            assert "server" not in {name.lower() for name in answer.headers}
        port = int(address.rpartition(":")[2])
        begun = time.monotonic()
        with socket.create_connection(("127.0.0.1", port), timeout=15) as upload:
            upload.sendall(
                b"POST /submit HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999\r\n\r\n"
            )
            said = b"".join(iter(lambda: upload.recv(65536), b""))
        assert said.startswith(b"HTTP/1.1 413")
        assert time.monotonic() - begun < 10
        running.send_signal(signal.SIGINT)
        assert running.stderr is not None
        err = running.stderr.read()
        assert running.wait(timeout=30) == 130
    assert "refused 'POST' '/submit' with 413" in err
    assert "Traceback" not in err
    assert err.splitlines()[-1].startswith("finassay: stopped")


@pytest.mark.full
def test_a_server_that_is_told_to_end_ends_with_success(study: Path):
    with server_process(study) as (running, _):
        running.send_signal(signal.SIGTERM)
        assert running.stderr is not None
        assert running.stderr.read() == ""
        assert running.wait(timeout=30) == 0
