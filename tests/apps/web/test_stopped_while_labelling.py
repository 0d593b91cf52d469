"""Servers that are told to end while labels come: every label is whole or absent, none is lost."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx
import pytest

from finassay.study.adjudication.draw_files import read_draw
from finassay.study.adjudication.ledger import Ledger
from finassay.study.labels import LabelStore
from labelling_studies import study_to_label
from web_clients import token_of

DRAW = "correctness"
N = 60
PATIENCE_S = 120


@contextmanager
def server_of(study: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    command = [sys.executable, "-m", "finassay", "serve", str(study), "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=os.environ) as running:
        assert running.stderr is not None
        line = running.stderr.readline()
        found = re.search(r"at (http://127\.0\.0\.1:\d+);", line)
        try:
            assert found is not None, line
            yield running, found[1]
        finally:
            if running.poll() is None:
                running.kill()


def label_until_it_ends(address: str, token: str, told: list[str]) -> None:
    """Answer unit after unit, and keep the units of which the server says that they are stored."""
    with httpx.Client(
        base_url=f"{address}/api/adjudicate/{DRAW}",
        headers={"Authorization": f"Bearer {token}"},
        timeout=PATIENCE_S,
    ) as client:
        view = client.get("/next").json()
        while view["unit"] is not None:
            unit = view["unit"]
            said = {"unit": unit["unit"], "submission": unit["submission"], "label": "CORRECT"}
            try:
                answer = client.post("/answers", json={**said, "note": "of this server"})
            except httpx.HTTPError:
                return
            if answer.status_code != 200:
                return
            told.append(unit["unit"])
            view = answer.json()["next"]


@pytest.mark.long
def test_two_servers_of_one_study_lose_no_label_when_they_are_told_to_end(tmp_path: Path) -> None:
    study = study_to_label(tmp_path / "s", n=N)
    tokens = {name: token_of(study.root, name) for name in ("ada", "bob")}
    told: dict[str, list[str]] = {name: [] for name in tokens}
    with ExitStack() as servers:
        running = {name: servers.enter_context(server_of(study.root)) for name in tokens}
        for name, (_, address) in running.items():
            header = {"Authorization": f"Bearer {tokens[name]}"}
            joined = httpx.post(
                f"{address}/api/adjudicate/{DRAW}/join", headers=header, timeout=PATIENCE_S
            )
            assert joined.status_code == 200
        people = [
            threading.Thread(
                target=label_until_it_ends, args=(address, tokens[name], told[name]), daemon=True
            )
            for name, (_, address) in running.items()
        ]
        for person in people:
            person.start()
        until = time.monotonic() + PATIENCE_S
        while min(map(len, told.values())) < 5 and time.monotonic() < until:
            time.sleep(0.002)
        for process, _ in running.values():
            process.send_signal(signal.SIGTERM)
        for process, _ in running.values():
            assert process.stderr is not None
            err = process.stderr.read()
            assert process.wait(timeout=60) == 0, err
            assert "Traceback" not in err
        for person in people:
            person.join(PATIENCE_S)
    with LabelStore.of(study) as store:
        history = Ledger(store, read_draw(study, DRAW).draw_id).history()
    for name, units in told.items():
        stored = [one.answer for one in history if one.answer.annotator == name]
        assert {one.unit_id for one in stored} >= set(units)
        # One more may be stored of which the answer was not heard any more.
        assert 5 <= len(units) <= len(stored) <= len(units) + 1 <= N
        assert {(one.label, one.note) for one in stored} == {("CORRECT", "of this server")}
