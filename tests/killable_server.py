"""A server that can be killed and is there again at once: the program is loaded only once.

Run as a script it reads lines: "start" answers with the process id of a fresh server, "stop" ends.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import uvicorn

from finassay.apps.web.app import create_app
from finassay.apps.web.settings import WebSettings


class KillableServer:
    """A web server over a study.

    Attributes:
        address: where it answers.
        kills: how often it was killed.
    """

    def __init__(self, mother: subprocess.Popen[str], address: str) -> None:
        self._mother = mother
        self._child = 0
        self.address = address
        self.kills = 0

    def start(self) -> None:
        """Start a fresh server; it answers a moment later."""
        assert self._mother.stdin is not None
        assert self._mother.stdout is not None
        self._mother.stdin.write("start\n")
        self._mother.stdin.flush()
        self._child = int(self._mother.stdout.readline())

    def wait_until_up(self) -> None:
        """Wait until the server answers."""
        end = time.monotonic() + 60
        while time.monotonic() < end:
            try:
                urllib.request.urlopen(f"{self.address}/static/LICENSES.txt", timeout=5).close()
            except (urllib.error.URLError, ConnectionError, TimeoutError):
                time.sleep(0.05)
            else:
                return
        raise AssertionError("the server did not answer within a minute")

    def kill(self) -> None:
        """Kill the server in whatever it is doing."""
        os.kill(self._child, signal.SIGKILL)
        self.kills += 1


def free_port() -> int:
    """Return a port of the loopback address that nobody uses."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def killable_server(study: Path, port: int, labels_url: str = "") -> Iterator[KillableServer]:
    """Serve a study from a process that can be killed."""
    command = [sys.executable, __file__, str(study), str(port), labels_url]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as mother:
        server = KillableServer(mother, f"http://127.0.0.1:{port}")
        try:
            server.start()
            yield server
        finally:
            with suppress(ProcessLookupError):
                server.kill()
            assert mother.stdin is not None
            mother.stdin.write("stop\n")
            mother.stdin.close()


def _serve(study: str, port: str, labels_url: str) -> None:
    for line in sys.stdin:
        if line.strip() != "start":
            return
        child = os.fork()
        if child == 0:
            settings = WebSettings(study=Path(study), labels_url=labels_url or None)
            uvicorn.run(create_app(settings), port=int(port), log_level="error")
            os._exit(0)
        sys.stdout.write(f"{child}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    _serve(*sys.argv[1:4])
