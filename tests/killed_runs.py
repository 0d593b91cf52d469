"""Runs that are killed and resumed: what must hold whatever the moment of the kill."""

from __future__ import annotations

import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from unittest.mock import patch

import polars as pl

from finassay.runs.choosing import items_to_run
from finassay.runs.journal import JOURNALS
from finassay.runs.plan import Scope
from finassay.runs.prompts import ARMS, prompt_of
from finassay.runs.requests import Effort
from finassay.runs.running import RunRequest, run_models
from finassay.study import Study
from finassay.study.check import check
from scripted_server import Asked, Reply, ScriptedServer, scripted_server

Key = tuple[str, str]
"""Model as the server hears of it, and prompt."""


def replies(asked: Asked) -> Reply:
    """Answer by model and prompt alone; fail in passing now and then, never three times."""
    drawn = int(hashlib.sha256(f"{asked.model}\0{asked.prompt}".encode()).hexdigest(), 16)
    wait_s = 0.02 + (drawn % 7) / 100
    if asked.attempt < 2:
        failures = {
            0: Reply(status=429, headers={"Retry-After": "0"}),
            1: Reply(status=429),
            2: Reply(status=503),
            3: Reply(reset=True),
            4: Reply(cut_at=40, is_short=True),
        }
        if (failure := failures.get((drawn >> 8) % 31)) is not None:
            return failure
    kinds = {
        0: Reply(text="", reasoning="so much to think about", finish="length", wait_s=wait_s),
        1: Reply(text="", reasoning="45 days", wait_s=wait_s),
        2: Reply(text="I cannot say", finish="content_filter", wait_s=wait_s),
        3: Reply(text="<think>90 / 2</think>45 days", model="another", wait_s=wait_s),
    }
    plain = Reply(text=f"The answer is {drawn % 97} days.\nAnswer: {drawn % 97}", wait_s=wait_s)
    return kinds.get((drawn >> 16) % 17, plain)


@dataclass(kw_only=True)
class Outcome:
    """What a series of kills came to.

    `answered` counts the replies that the server sent whole, `lost` those of them that were on
    their way when the process was killed, and `again` what was asked after it had been received.
    """

    kills: int = 0
    starts: int = 0
    requests: int = 0
    answered: int = 0
    wanted: int = 0
    lost: int = 0
    again: list[Key] = field(default_factory=list)
    moments: Counter[str] = field(default_factory=Counter)
    digests: tuple[dict[str, str], dict[str, str]] = ({}, {})
    problems: list[str] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True)
class Setting:
    """What is run: a bundled benchmark and models of the scripted server, and others."""

    benchmark: str
    served: Sequence[str]
    others: Sequence[str] = ()
    limit: int | None = None
    trials: int = 1
    land_every: int = 20
    connections: int = 4

    def command(self, study: Path) -> list[str]:
        models = [part for name in self.models() for part in ("--model", name)]
        limit = [] if self.limit is None else ["--limit", str(self.limit)]
        return [
            *(sys.executable, "-m", "finassay", "run", self.benchmark, "--study", str(study)),
            *(*models, *limit, "--trials", str(self.trials), "--max-wait", "0.05"),
            *("--land-every", str(self.land_every), "--max-connections", str(self.connections)),
        ]

    def models(self) -> tuple[str, ...]:
        served = [f"openai-api/scripted/{name}" for name in self.served]
        return (*served[:1], *self.others, *served[1:])

    def request(self) -> RunRequest:
        """Return what the command asks for, for a run in this process."""
        return RunRequest(
            items=items_to_run(None, self.benchmark),
            models=self.models(),
            scope=Scope(limit=self.limit, trials=self.trials),
            effort=Effort(longest_wait_s=0.05, connections=self.connections),
        )

    def prompts(self) -> dict[str, str]:
        """Return the id of each item by the last message that asks it."""
        items = items_to_run(None, self.benchmark)[: self.limit]
        return {prompt_of(item, ARMS["free"])[-1].text: item.item_id for item in items}


def _environment(server: ScriptedServer) -> dict[str, str]:
    return os.environ | {"SCRIPTED_BASE_URL": server.url, "SCRIPTED_API_KEY": "not-a-secret"}


def run_whole(setting: Setting, study: Path, server: ScriptedServer) -> None:
    """Run a setting to its end.

    Raises:
        RuntimeError: it did not end well.
    """
    done = subprocess.run(
        setting.command(study),
        env=_environment(server),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"exit code {done.returncode}: {done.stderr}{done.stdout}")


def run_calmly(setting: Setting, path: Path, server: ScriptedServer) -> None:
    """Run a setting in this process, with nobody to disturb it."""
    study = Study.create(path)
    request = setting.request()
    study.add_items(request.items, benchmark=setting.benchmark)
    with patch.dict(os.environ, _environment(server)):
        run_models(study, request)


def run_and_kill(
    setting: Setting, study: Path, server: ScriptedServer, rng: random.Random
) -> tuple[str, bool]:
    """Start a setting and kill it at a random point; return where, and whether it was killed."""
    before = len(server.asked)
    process = subprocess.Popen(
        setting.command(study),
        env=_environment(server),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    moment = rng.choice(["requests", "requests", "requests", "landing", "start"])
    stop_at = rng.randint(1, setting.land_every)
    deadline = time.monotonic() + (rng.uniform(0.3, 4.0) if moment == "start" else 300)
    folder = study / "predictions" / "_delta_log"
    commits = len(list(folder.glob("*.json"))) if folder.exists() else 0
    while process.poll() is None and time.monotonic() < deadline:
        if moment == "requests" and len(server.asked) - before >= stop_at:
            break
        if moment == "landing" and len(list(folder.glob("*.json"))) > commits:
            break
        time.sleep(0.005)
    time.sleep(rng.uniform(0.0, 0.03))
    was_running = process.poll() is None
    if was_running:
        process.send_signal(signal.SIGKILL)
    process.wait()
    return moment, was_running


def received(study: Path, setting: Setting) -> Counter[Key]:
    """Return how many replies are on the disk for each model and prompt, in journal or tables."""
    if not (study / "study.toml").exists():
        return Counter()
    snapshot = Study.open(study).snapshot()
    models = {spec.system_id: spec.model.rpartition("/")[2] for spec in snapshot.systems()}
    prompts = {item_id: prompt for prompt, item_id in setting.prompts().items()}
    rows = snapshot.frame("predictions").filter(pl.col("finish").ne("error"))
    held = {(row["system_id"], row["item_id"], row["trial"]) for row in rows.iter_rows(named=True)}
    for path in (study / JOURNALS).glob("*.jsonl"):
        for line in path.read_bytes().split(b"\n")[:-1]:
            receipt = json.loads(line)
            if receipt["finish"] != "error":
                held.add((path.stem, receipt["item_id"], receipt["trial"]))
    return Counter((models[system], prompts[item]) for system, item, _ in held if system in models)


def kill_and_resume(setting: Setting, folder: Path, *, kills: int, seed: int) -> Outcome:
    """Return what came of killing a run again and again, and of running it once undisturbed."""
    rng = random.Random(seed)
    outcome = Outcome(wanted=len(setting.prompts()) * setting.trials * len(setting.served))
    disturbed, calm = folder / "disturbed", folder / "calm"
    with scripted_server(replies, log=folder / "disturbed.jsonl") as server:
        had: Counter[Key] = Counter()
        while outcome.kills < kills:
            start = len(server.asked)
            moment, was_killed = run_and_kill(setting, disturbed, server, rng)
            outcome.starts += 1
            _ask_again(outcome, had, server, start, setting)
            had = received(disturbed, setting)
            if not was_killed:
                break
            outcome.kills += 1
            outcome.moments[moment] += 1
        start = len(server.asked)
        run_whole(setting, disturbed, server)
        outcome.starts += 1
        _ask_again(outcome, had, server, start, setting)
        outcome.requests = len(server.asked)
    answered = Counter(
        (line["model"], line["prompt"])
        for line in map(json.loads, (folder / "disturbed.jsonl").read_text().splitlines())
        if line["event"] == "answered" and line["status"] == 200
    )
    outcome.answered = sum(answered.values())
    outcome.lost = outcome.answered - outcome.wanted
    with scripted_server(replies, log=folder / "calm.jsonl") as server:
        run_calmly(setting, calm, server)
    outcome.digests = digests(disturbed), digests(calm)
    outcome.problems = [problem.message for problem in check(Study.open(disturbed)).problems]
    return outcome


def _ask_again(
    outcome: Outcome, had: Counter[Key], server: ScriptedServer, start: int, setting: Setting
) -> None:
    """Note what was asked though all its trials had been received before this start."""
    for asked in server.asked[start:]:
        key = asked.model, asked.prompt
        if had[key] >= setting.trials:
            outcome.again.append(key)


def digests(study: Path) -> dict[str, str]:
    """Return the canonical digest of each table of a study."""
    snapshot = Study.open(study).snapshot()
    return {name: snapshot.digest(name) for name in snapshot.versions}
