"""An OpenAI-compatible server on 127.0.0.1 whose replies a test writes down; real HTTP.

::

    def script(asked: Asked) -> Reply:
        if asked.attempt == 0:
            return Reply(status=429, headers={"Retry-After": "0"})
        return Reply(text="45 days")


    with scripted_server(script, log=tmp_path / "requests.jsonl") as server:
        ...  # server.url is the base URL, ending in /v1; any API key will do

`Asked` says what was asked: the model, the messages as text, how often the same was asked before
(`attempt`, counted over model and messages, so repeats of an item count on), and the whole body.
`Reply` says what the server does; its defaults are a usual answer.  A request with `stream` true is
answered as server-sent events, one word a chunk.  `server.asked` lists the requests in order of
arrival, and `log` gets one line of JSON for each when it came ("asked") and one when its answer
had gone out whole ("answered"), flushed, so that it can be read after everything was killed.

Point Inspect at it with the model `openai-api/scripted/NAME`, `base_url=server.url` and any
`api_key`; or with the environment variables SCRIPTED_BASE_URL and SCRIPTED_API_KEY.
"""

from __future__ import annotations

import hashlib
import json
import socket
import struct
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import islice
from pathlib import Path
from threading import Lock, Thread


@dataclass(frozen=True, kw_only=True)
class Asked:
    """One request.

    `key` stands for model and messages; `prompt` is the content of the last user message.
    """

    number: int
    key: str
    attempt: int
    model: str
    prompt: str
    body: Mapping[str, object]
    headers: Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class Reply:
    """What the server does with a request.

    Attributes:
        text: content of the message; None is a null.
        reasoning: what stands in `reasoning_field` beside it.
        finish: finish_reason, such as stop, length or content_filter.
        model: served model; the one asked for by default.
        tokens: prompt and completion tokens of the usage; None leaves the usage out.
        reasoning_tokens: as the usage tells them; None leaves them out.
        cost: what the usage says that the request cost, as some gateways do.
        status: HTTP status; from 400 on the body is an error with `error` as its message.
        headers: more headers, such as Retry-After.
        wait_s: seconds before the first byte.
        chunk_wait_s: seconds between the chunks of a stream.
        cut_at: bytes after which the body ends, though it is declared whole; with `is_short` it is
            declared as long as it is, so that the JSON is broken and the transport is not.  Of a
            stream, the chunks after which it ends.
        reset: the connection is reset instead of an answer.
        raw: a whole body in place of what the rest says.
    """

    text: str | None = "a reply"
    reasoning: str | None = None
    reasoning_field: str = "reasoning_content"
    finish: str | None = "stop"
    model: str | None = None
    tokens: tuple[int, int] | None = (10, 5)
    reasoning_tokens: int | None = None
    cost: float | None = None
    status: int = 200
    error: str = "scripted"
    error_code: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    wait_s: float = 0.0
    chunk_wait_s: float = 0.0
    cut_at: int | None = None
    is_short: bool = False
    reset: bool = False
    raw: bytes | None = None


Script = Callable[[Asked], Reply]


class ScriptedServer:
    """A running server: its base URL, and what it was asked."""

    def __init__(self, script: Script, log: Path | None) -> None:
        self.script = script
        self.asked: list[Asked] = []
        self.url = ""
        self._seen: Counter[str] = Counter()
        self._lock = Lock()
        self._log = log.open("a", encoding="utf-8") if log else None

    def note(self, body: Mapping[str, object], headers: Mapping[str, str]) -> Asked:
        """Count a request in and return it."""
        messages = body.get("messages")
        told = json.dumps([body.get("model"), messages], sort_keys=True)
        key = hashlib.sha256(told.encode()).hexdigest()[:16]
        with self._lock:
            asked = Asked(
                number=len(self.asked),
                key=key,
                attempt=self._seen[key],
                model=str(body.get("model")),
                prompt=_last_user(messages),
                body=body,
                headers=headers,
            )
            self._seen[key] += 1
            self.asked.append(asked)
            self.write("asked", asked, None)
        return asked

    def answered(self, asked: Asked, reply: Reply) -> None:
        """Log that an answer went out, if it went out whole."""
        if reply.cut_at is None:
            with self._lock:
                self.write("answered", asked, reply)

    def write(self, event: str, asked: Asked, reply: Reply | None) -> None:
        if self._log is None:
            return
        line = {
            "event": event,
            "at": time.time(),
            "number": asked.number,
            "key": asked.key,
            "model": asked.model,
            "prompt": asked.prompt,
            "status": None if reply is None else reply.status,
            "finish": None if reply is None else reply.finish,
        }
        self._log.write(json.dumps(line) + "\n")
        self._log.flush()

    def close(self) -> None:
        if self._log is not None:
            self._log.close()


@contextmanager
def scripted_server(script: Script, *, log: Path | None = None) -> Iterator[ScriptedServer]:
    """Yield a server that answers by a script until the block ends."""
    served = ScriptedServer(script, log)
    http = _Server(("127.0.0.1", 0), _Handler)
    http.scripted = served
    served.url = f"http://127.0.0.1:{http.server_address[1]}/v1"
    thread = Thread(target=http.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield served
    finally:
        http.shutdown()
        http.server_close()
        thread.join()
        served.close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128
    scripted: ScriptedServer

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing: clients that go away are what some tests are about."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"
    # Two packets for headers and body would wait for each other for 40 ms.
    wbufsize = -1
    disable_nagle_algorithm = True

    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length", "0"))
        body = json.loads(self.rfile.read(length) or b"{}")
        served = self.server.scripted
        asked = served.note(body, dict(self.headers.items()))
        reply = served.script(asked)
        time.sleep(reply.wait_s)
        if reply.reset:
            self._reset()
        elif body.get("stream") and reply.status < 400 and reply.raw is None:
            self._stream(asked, reply)
            served.answered(asked, reply)
        else:
            self._whole(asked, reply)
            served.answered(asked, reply)

    def _reset(self) -> None:
        linger = struct.pack("ii", 1, 0)
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        self.connection.close()
        self.close_connection = True

    def _whole(self, asked: Asked, reply: Reply) -> None:
        body = reply.raw if reply.raw is not None else _body(asked, reply)
        sent = body if reply.cut_at is None else body[: reply.cut_at]
        self.send_response(reply.status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(sent) if reply.is_short else len(body)))
        for name, value in reply.headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(sent)
        self.wfile.flush()
        if len(sent) < len(body):
            self.close_connection = True

    def _stream(self, asked: Asked, reply: Reply) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        for chunk in islice(_chunks(asked, reply), reply.cut_at):
            self.wfile.write(b"data: " + json.dumps(chunk).encode() + b"\n\n")
            self.wfile.flush()
            time.sleep(reply.chunk_wait_s)
        if reply.cut_at is None:
            self.wfile.write(b"data: [DONE]\n\n")
            self.wfile.flush()
        self.close_connection = True

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name there
        """Say nothing on stderr; the log is a file."""


def _last_user(messages: object) -> str:
    if not isinstance(messages, list):
        return ""
    told = [one["content"] for one in messages if one.get("role") == "user"]
    if not told:
        return ""
    last = told[-1]
    return last if isinstance(last, str) else json.dumps(last)


def _head(asked: Asked, reply: Reply, kind: str) -> dict[str, object]:
    return {
        "id": f"scripted-{asked.number}",
        "object": kind,
        "created": 1_700_000_000,
        "model": reply.model or asked.model,
    }


def _usage(reply: Reply) -> dict[str, object]:
    prompt, completion = reply.tokens or (0, 0)
    usage: dict[str, object] = {
        "prompt_tokens": prompt,
        "completion_tokens": completion,
        "total_tokens": prompt + completion,
    }
    if reply.reasoning_tokens is not None:
        usage["completion_tokens_details"] = {"reasoning_tokens": reply.reasoning_tokens}
    if reply.cost is not None:
        usage["cost"] = reply.cost
    return usage


def _body(asked: Asked, reply: Reply) -> bytes:
    if reply.status >= 400:
        error = {"message": reply.error, "type": "scripted", "code": reply.error_code}
        return json.dumps({"error": error}).encode()
    message: dict[str, object] = {"role": "assistant", "content": reply.text}
    if reply.reasoning is not None:
        message[reply.reasoning_field] = reply.reasoning
    choice = {"index": 0, "message": message, "finish_reason": reply.finish}
    body = _head(asked, reply, "chat.completion") | {"choices": [choice]}
    if reply.tokens is not None:
        body["usage"] = _usage(reply)
    return json.dumps(body).encode()


def _chunks(asked: Asked, reply: Reply) -> Iterator[dict[str, object]]:
    head = _head(asked, reply, "chat.completion.chunk")

    def chunk(delta: dict[str, object], finish: str | None = None) -> dict[str, object]:
        return head | {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}

    yield chunk({"role": "assistant", "content": ""})
    if reply.reasoning is not None:
        yield chunk({reply.reasoning_field: reply.reasoning})
    words = (reply.text or "").split(" ")
    for place, word in enumerate(words):
        yield chunk({"content": word if place == 0 else f" {word}"})
    yield chunk({}, reply.finish)
    if reply.tokens is not None:
        yield head | {"choices": [], "usage": _usage(reply)}
