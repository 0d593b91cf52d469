"""Logs of lighteval made by hand, in both layouts of its details."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import polars as pl

DATE = "2025-10-11T12-13-14.151617"
TASK = "gsm8k|5"
MODEL = "org/small"


def new_row(index: int = 0, **more: object) -> dict[str, object]:
    """Return a row of 0.11 and later: a generation with one accepted answer."""
    doc: dict[str, object] = {
        "id": str(index),
        "task_name": TASK,
        "query": f"What is {index}?",
        "choices": [" 4"],
        "gold_index": [0],
        "instruction": None,
        "specific": {"extracted_predictions": ["4"], "extracted_golds": ["4"]},
    }
    reply: dict[str, object] = {
        "text": ["It is 4"],
        "text_post_processed": None,
        "reasonings": ["two and two"],
        "input_tokens": [1, 2, 3],
        "output_tokens": [[4, 5]],
        "logprobs": [],
        "truncated_tokens_count": 0,
    }
    made: dict[str, dict[str, object]] = {
        "doc": doc,
        "metric": {"extractive_match": 1.0, "never_set": None},
        "model_response": reply,
    }
    for name, fields in more.items():
        made[name] |= fields  # type: ignore[arg-type]
    return dict(made)


def old_row(index: int = 0, **more: object) -> dict[str, object]:
    """Return a row of 0.6 to 0.10."""
    return {
        "example": f"What is {index}?",
        "instruction": "",
        "full_prompt": f"Q: What is {index}?\nA:",
        "predictions": ["It is 4"],
        "input_tokens": [[1, 2, 3]],
        "cont_tokens": [[4, 5]],
        "truncated": [0],
        "gold": ["4"],
        "pred_logits": [],
        "choices": [],
        "gold_index": [],
        "metrics": {"qem": 1},
        "specifics": None,
        **more,
    }


def results(*, is_new: bool = True) -> dict[str, object]:
    given = {"temperature": 0.0, "max_new_tokens": 256, "seed": None}
    general: dict[str, object] = {"lighteval_sha": "abc", "start_time": 12.5}
    if is_new:
        general["model_config"] = {"model_name": MODEL, "generation_parameters": given}
    else:
        general |= {"model_name": MODEL, "generation_parameters": given}
    return {
        "config_general": general,
        "results": {TASK: {"extractive_match": 0.5, "extractive_match_stderr": 0.1}, "all": {}},
        "versions": {},
        "config_tasks": {},
    }


def run(
    folder: Path,
    rows: Sequence[Mapping[str, object]],
    *,
    is_new: bool = True,
    with_results: bool = True,
) -> Path:
    """Write details, and results beside them, in the two trees that the tool makes."""
    details = folder / "details" / MODEL / DATE
    details.mkdir(parents=True)
    pl.DataFrame(list(rows)).write_parquet(details / f"details_{TASK}_{DATE}.parquet")
    if with_results:
        beside = folder / "results" / MODEL
        beside.mkdir(parents=True)
        path = beside / f"results_{DATE}.json"
        path.write_text(json.dumps(results(is_new=is_new), indent=2), encoding="utf-8")
    return folder
