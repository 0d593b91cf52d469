"""Runs over a scripted server: how a server may behave, and what a test asks of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from finassay.records import Item
from finassay.runs.requests import Asking, Effort
from finassay.runs.running import RunRequest
from finassay.study import Study
from scripted_server import Asked, Reply, ScriptedServer

MODEL = "openai-api/scripted/model-1"
KEY = "sk-this-must-never-be-written-down"

PASSING = {
    "rate limited, with a time": Reply(status=429, headers={"Retry-After": "0"}),
    "rate limited": Reply(status=429),
    "server error": Reply(status=500),
    "overloaded": Reply(status=503),
    "reset": Reply(reset=True),
    "cut on the way": Reply(cut_at=60),
    "broken JSON": Reply(cut_at=60, is_short=True),
    "no choices": Reply(
        raw=b'{"id": "1", "object": "chat.completion", "model": "m", "choices": []}'
    ),
    "no model": Reply(raw=b'{"id": "1", "object": "chat.completion", "choices": []}'),
    "not an object": Reply(raw=b'"hello"'),
}
ANSWERS = {
    "plain": Reply(text="  45 days\n", tokens=(11, 7)),
    "length": Reply(text="The answer is", finish="length"),
    "only reasoning": Reply(text="", reasoning="let me see", finish="length", reasoning_tokens=5),
    "in reasoning": Reply(text="", reasoning="30 days", reasoning_field="reasoning"),
    "empty": Reply(text=""),
    "null": Reply(text=None),
    "filter": Reply(text="", finish="content_filter"),
    "other model": Reply(text="45 days", model="model-2"),
    "dated model": Reply(text="45 days", model="model-1-2026-01-31"),
    "think": Reply(text="<think>90 / 2</think>\n\n45 days", reasoning_tokens=3),
    "tag in answer": Reply(text="Use <think>x</think> to open a block"),
    "cost": Reply(text="45 days", cost=0.25),
    "no usage": Reply(text="45 days", tokens=None),
    "no finish": Reply(text="45 days", finish=None),
    "too long": Reply(text="45 days", tokens=(10, 900)),
}
LASTING = {
    "bad request": Reply(status=400, error="no such thing"),
    "forever down": Reply(status=500),
    "window": Reply(status=400, error="too long", error_code="context_length_exceeded"),
}


def scenario(asked: Asked) -> str:
    return asked.prompt.partition("Question: ")[2].partition("\n")[0]


def script(asked: Asked) -> Reply:
    name = scenario(asked)
    if name in PASSING and asked.attempt == 0:
        return PASSING[name]
    return ANSWERS.get(name) or LASTING.get(name) or Reply(text="45 days")


def items(*names: str) -> tuple[Item, ...]:
    return tuple(
        Item(item_id=name, benchmark="b", question=name, reference="45 days") for name in names
    )


def point_at(server: ScriptedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCRIPTED_BASE_URL", server.url)
    monkeypatch.setenv("SCRIPTED_API_KEY", KEY)


QUICK = Effort(retries=2, longest_wait_s=0.01)


def request(*names: str, effort: Effort = QUICK, asking: Asking | None = None) -> RunRequest:
    return RunRequest(
        items=items(*names), models=(MODEL,), asking=asking or Asking(), effort=effort
    )


def study_of(path: Path, asked: RunRequest) -> Study:
    study = Study.create(path)
    study.add_items(asked.items, benchmark="b")
    return study
