"""A throw-away PostgreSQL cluster for tests: on a free loopback port, gone afterwards."""

import getpass
import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


def server_programs() -> Path | None:
    """Return the folder of the newest `initdb` and `pg_ctl` on this machine, if any."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=_major)
    on_path = shutil.which("initdb")
    if found:
        return found[-1].parent
    return Path(on_path).resolve().parent if on_path else None


def _major(program: Path) -> float:
    name = program.parts[-3]
    return float(name) if name.replace(".", "", 1).isdigit() else 0.0


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def throw_away_server() -> Iterator[str]:
    """Yield the SQLAlchemy URL of an empty database; skip the test where there is no server."""
    programs = server_programs()
    if programs is None:
        pytest.skip("PostgreSQL server programs (initdb, pg_ctl) are not on this machine")
    # The server refuses to run as root, so it runs as the user that its package made.
    is_root = os.geteuid() == 0
    if is_root and (shutil.which("runuser") is None or not _has_user("postgres")):
        pytest.skip("PostgreSQL does not run as root, and there is no user postgres to run it as")
    user = "postgres" if is_root else getpass.getuser()
    prefix = ["runuser", "-u", "postgres", "--"] if is_root else []
    # A socket path may hold 107 bytes, and the folders of tests are deep and private.
    folder = Path(tempfile.mkdtemp(prefix="finassay-pg-"))
    try:
        if is_root:
            shutil.chown(folder, "postgres")
        data = folder / "data"
        port = _free_port()

        def call(program: str, *arguments: str) -> None:
            command = [*prefix, str(programs / program), *arguments]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=folder, timeout=120)

        call("initdb", "-D", str(data), "-A", "trust", "-U", user, "-E", "UTF8", "--no-sync")
        options = f"-p {port} -c listen_addresses=127.0.0.1 -k {folder} -c fsync=off"
        call("pg_ctl", "-D", str(data), "-o", options, "-l", str(folder / "log"), "-w", "start")
        try:
            yield f"postgresql+psycopg://{user}@127.0.0.1:{port}/postgres"
        finally:
            call("pg_ctl", "-D", str(data), "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _has_user(name: str) -> bool:
    return subprocess.run(["id", name], check=False, capture_output=True).returncode == 0
