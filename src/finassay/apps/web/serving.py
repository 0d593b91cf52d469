"""The server.  In: settings and an address.  Out: pages, until it is stopped."""

from __future__ import annotations

import asyncio
import errno
import logging
import signal
import socket
import sys
from collections.abc import Callable
from types import FrameType
from typing import NamedTuple

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from finassay.apps.web.app import create_app
from finassay.apps.web.hosts import is_loopback
from finassay.apps.web.settings import WebSettings
from finassay.errors import UsageError

HEAD_S = 15.0
"""Seconds in which a new connection must send the head of its first request."""

CLOSING_S = 5
"""Seconds that requests at work have to end when the server is stopped."""

CONNECTIONS = 500
"""Connections that are open at once; more are told to come back."""

LONGEST_HEAD = 32 * 1024
"""Most bytes of the head of a request."""


_WHO_READS = (
    "everybody who reaches the machine can read all {} of the study; tokens protect writing only"
)


class Address(NamedTuple):
    """Where a server listens."""

    host: str
    port: int

    @property
    def url(self) -> str:
        """What to type into a browser on this machine."""
        host = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(self.host, self.host)  # noqa: S104
        named = f"[{host}]" if ":" in host and not host.startswith("[") else host
        return f"http://{named}:{self.port}"


class PatientProtocol(H11Protocol):
    """HTTP over one connection, which is closed when no request comes after it was opened."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for the head of a request."""
        super().connection_made(transport)
        self.loop.call_later(HEAD_S, self._close_if_silent)

    def _close_if_silent(self) -> None:
        if getattr(self, "scope", None) is None and not self.transport.is_closing():
            self.transport.close()


class _TellingServer(uvicorn.Server):
    """A server that says when it answers, which is also when it can be stopped in good order."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to answer."""
        await super().startup(sockets)
        self._ready()


def serve_app(
    settings: WebSettings,
    at: Address,
    *,
    is_proxied: bool = False,
    ready: Callable[[Address], None],
) -> None:
    """Serve a study until it is stopped.

    Args:
        settings: how.
        at: where; port 0 takes any that is free.
        is_proxied: a proxy stands before it, whose X-Forwarded-For and -Proto are believed.
        ready: called with the address once it listens.

    Raises:
        UsageError: the address cannot be listened at.
        NoStudyError: there is no study at the path.
        StudyError: its layout is of another version.
        KeyboardInterrupt: it was stopped by Ctrl-C, after what was at work had ended.
    """
    listening = listen(at)
    with listening:
        app = create_app(settings)
        config = uvicorn.Config(
            app,
            http=PatientProtocol,
            ws="none",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=is_proxied,
            forwarded_allow_ips="*" if is_proxied else None,
            limit_concurrency=CONNECTIONS,
            timeout_graceful_shutdown=CLOSING_S,
            h11_max_incomplete_event_size=LONGEST_HEAD,
        )
        real = Address(at.host, int(listening.getsockname()[1]))
        server = _TellingServer(config, lambda: ready(real))
        # The server hands a signal on when it is through: a container's stop is no failure.
        signal.signal(signal.SIGTERM, _end)
        server.run(sockets=[listening])


def _end(_signal: int, _frame: FrameType | None) -> None:
    """End with success."""
    sys.exit(0)


def listen(at: Address) -> socket.socket:
    """Return a socket that listens.

    Raises:
        UsageError: the port is taken, needs other rights, or the host is not of this machine.
    """
    try:
        found = socket.getaddrinfo(
            at.host, at.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
        family, kind, protocol, _, address = found[0]
    except (socket.gaierror, OverflowError, UnicodeError) as error:
        raise UsageError(
            f"cannot listen at {at.host!r}, port {at.port}: {error}; give an address of this "
            f"machine, such as 127.0.0.1, and a port from 0 to 65535"
        ) from error
    made = socket.socket(family, kind, protocol)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind(address)
        made.listen(2048)
    except OSError as error:
        made.close()
        raise UsageError(_why_not(at, error)) from error
    return made


def _why_not(at: Address, error: OSError) -> str:
    told = f"cannot listen at {at.host}, port {at.port}: {error.strerror}"
    if error.errno == errno.EADDRINUSE:
        return (
            f"{told}; another program has the port; give --port {at.port + 1}, or --port 0 for any"
        )
    if error.errno == errno.EACCES:
        return f"{told}; ports below 1024 need special rights; give --port 8000"
    return f"{told}; give --host 127.0.0.1, or an address that this machine has"


def exposure(at: Address, settings: WebSettings, *, is_proxied: bool) -> list[str]:
    """Return what whoever opens a server to others must know; nothing on the loopback address."""
    if is_loopback(at.host):
        return []
    shown = "scores" if settings.no_text else "questions, references, replies and scores"
    told = [f"WARNING: this listens at {at.host}: {_WHO_READS.format(shown)}"]
    if not settings.no_text:
        told.append("WARNING: give --no-text to leave questions, references and replies out")
    if not is_proxied and not settings.is_https:
        told.append(
            "WARNING: tokens and sessions travel unencrypted; put a proxy with TLS before it and "
            "give --behind-proxy, or use --host 127.0.0.1"
        )
    return told


def log_to_stderr() -> None:
    """Let refusals and the server's own errors be written to stderr, a line each."""
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("%(asctime)s %(name)s: %(message)s"))
    for name in ("finassay.web", "uvicorn.error"):
        logger = logging.getLogger(name)
        logger.addHandler(handler)
        logger.setLevel(logging.WARNING)
        logger.propagate = False
