"""Inspect logs made by hand: archives of any packing, and documents of older schema versions."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

Json = Mapping[str, object]


def header(**more: object) -> dict[str, object]:
    told: dict[str, object] = {
        "eval_id": "E1",
        "run_id": "R1",
        "task_id": "T1",
        "task": "sums",
        "created": "2026-01-02T03:04:05+00:00",
        "model": "openai/small",
        "model_generate_config": {"temperature": 0.0},
        "packages": {"inspect_ai": "0.3.200"},
        **more,
    }
    return {"version": 2, "status": "success", "eval": told, "plan": {"config": {}}}


def sample(identity: object = "a", epoch: int = 1, **more: object) -> dict[str, object]:
    message = {"role": "assistant", "content": "It is 4"}
    return {
        "id": identity,
        "epoch": epoch,
        "input": f"What is {identity}?",
        "target": "4",
        "output": {
            "model": "openai/small",
            "choices": [{"message": message, "stop_reason": "stop"}],
            "completion": "It is 4",
        },
        "scores": {"match": {"value": "C", "answer": "4"}},
        **more,
    }


def archive(
    path: Path,
    samples: Sequence[Json],
    head: Json | None = None,
    *,
    method: int = zipfile.ZIP_DEFLATED,
) -> Path:
    with zipfile.ZipFile(path, "w", method) as packed:
        packed.writestr("_journal/start.json", json.dumps({"version": 2, **_start(head)}))
        for one in samples:
            name = f"samples/{one['id']}_epoch_{one['epoch']}.json"
            packed.writestr(name, json.dumps(one))
        if head is not None:
            packed.writestr("header.json", json.dumps(head))
    return path


def _start(head: Json | None) -> dict[str, object]:
    told = header() if head is None else head
    return {"eval": told["eval"], "plan": told["plan"]}


def document(path: Path, samples: Sequence[Json], head: Json | None = None) -> Path:
    made = {**(header() if head is None else head), "samples": list(samples)}
    path.write_text(json.dumps(made, indent=2), encoding="utf-8")
    return path


def repacked(source: Path, target: Path, method: int) -> Path:
    """Write the entries of an archive again with another packing."""
    import zipfile_zstd  # noqa: F401, PLC0415 - teaches zipfile method 93

    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w", method) as new:
        for name in old.namelist():
            new.writestr(name, old.read(name))
    return target
