"""A public home on this machine: an HTTP server on 127.0.0.1 whose answers a test writes down."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What the server says: `declared` is the Content-Length, if it shall differ from the body."""

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    declared: int | None = None
    hang: bool = False


@dataclass
class Home:
    """Answers by path, one for each request; the last is repeated."""

    answers: dict[str, list[Answer]]
    url: str = ""
    asked: list[str] = field(default_factory=list)
    hanging: Event = field(default_factory=Event)
    released: Event = field(default_factory=Event)

    def next(self, path: str) -> Answer:
        self.asked.append(path)
        listed = self.answers.get(path, [Answer(status=404)])
        return listed.pop(0) if len(listed) > 1 else listed[0]


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    home: Home

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing: clients that go away are what some tests are about."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server

    def do_GET(self) -> None:
        home = self.server.home
        answer = home.next(self.path)
        self.send_response(answer.status)
        declared = len(answer.body) if answer.declared is None else answer.declared
        if declared >= 0:
            self.send_header("Content-Length", str(declared))
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(answer.body)
        self.wfile.flush()
        if answer.hang:
            home.hanging.set()
            home.released.wait(30)

    def log_message(self, *_: object) -> None:
        """Keep the test's output clean."""


@contextmanager
def serving(answers: Mapping[str, Answer | list[Answer]]) -> Iterator[Home]:
    """Yield a running home with these answers."""
    listed = {p: list(a) if isinstance(a, list) else [a] for p, a in answers.items()}
    with _Server(("127.0.0.1", 0), _Handler) as server:
        server.home = home = Home(listed, url=f"http://127.0.0.1:{server.server_address[1]}")
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield home
        finally:
            home.released.set()
            server.shutdown()
            thread.join()
