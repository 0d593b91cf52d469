"""Logs of lm-evaluation-harness made by hand, as several of its releases wrote them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

Line = Mapping[str, object]


def line(doc_id: int = 0, filter_name: str | None = "strict-match", **more: object) -> dict:
    """Return a line of 0.4.7 and later; without a filter's name, one of 0.4.3 to 0.4.6."""
    made: dict[str, object] = {
        "doc_id": doc_id,
        "doc": {"question": f"What is {doc_id}?", "answer": "4"},
        "target": "4",
        "arguments": {
            "gen_args_0": {"arg_0": f"Q: What is {doc_id}?\nA:", "arg_1": {"until": ["\n"]}}
        },
        "resps": [["It is 4"]],
        "filtered_resps": ["4"],
        "doc_hash": "d",
        "prompt_hash": "p",
        "target_hash": "t",
        "exact_match": 1.0,
    }
    if filter_name is not None:
        made |= {"filter": filter_name, "metrics": ["exact_match"]}
    return {**made, **more}


def choice(doc_id: int = 0, **more: object) -> dict:
    """Return a line of a multiple-choice task, in which numbers are text."""
    prompt = f"Q: Which is {doc_id}?\nA:"
    options = (" one", " two", " three")
    likely = ("-3.5", "-0.25", "-7.0")
    return line(
        doc_id,
        "none",
        doc={"query": f"Which is {doc_id}?"},
        target="1",
        arguments={
            f"gen_args_{n}": {"arg_0": prompt, "arg_1": option} for n, option in enumerate(options)
        },
        resps=[[[one, "False"]] for one in likely],
        filtered_resps=[[one, "False"] for one in likely],
        metrics=["acc", "f1"],
        acc=1.0,
        f1=[1, 1],
        **more,
    )


def results(task: str = "sums", **more: object) -> dict:
    filters = [{"name": name} for name in ("strict-match", "flexible-extract")]
    metric = {"metric": "exact_match", "aggregation": "mean"}
    return {
        "results": {
            task: {
                "alias": task,
                "exact_match,strict-match": 0.5,
                "exact_match_stderr,strict-match": 0.1,
                "exact_match,flexible-extract": 1.0,
            }
        },
        "configs": {
            task: {
                "task": task,
                "output_type": "generate_until",
                "filter_list": filters,
                "metric_list": [metric],
            }
        },
        "n-samples": {task: {"original": 9, "effective": 2}},
        "config": {"model": "hf", "model_args": "pretrained=org/small,dtype=float16"},
        "date": 1700000000.5,
        "lm_eval_version": "0.4.7",
        **more,
    }


DATE = "2026-01-02T03-04-05.678901"


def run(
    folder: Path,
    lines: Sequence[Line],
    told: Mapping[str, object] | None = None,
    task: str = "sums",
) -> Path:
    """Write samples and, unless it is {}, a results file as 0.4.3 and later name them."""
    folder.mkdir(parents=True, exist_ok=True)
    text = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in lines)
    (folder / f"samples_{task}_{DATE}.jsonl").write_text(text, encoding="utf-8")
    if told != {}:
        body = json.dumps(results(task) if told is None else told, indent=2)
        (folder / f"results_{DATE}.json").write_text(body, encoding="utf-8")
    return folder
