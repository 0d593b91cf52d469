"""Evaluations of promptfoo: one recorded, and one of version 2 made by hand."""

import json
from pathlib import Path

from harness_files import Doc, Log

PROMPTFOO = Path(__file__).parent / "golden" / "logs" / "promptfoo_0_121_20.json"
"""What promptfoo 0.121.20 wrote for two prompts, its `echo` provider and a scripted one."""


def promptfoo() -> Log:
    """Return the recorded evaluation."""
    return Log("promptfoo", documents={"out.json": json.loads(PROMPTFOO.read_text("utf-8"))})


def promptfoo_lines() -> Log:
    """Return the same evaluation as promptfoo writes it to .jsonl: results without the rest."""
    whole = json.loads(PROMPTFOO.read_text("utf-8"))
    return Log("promptfoo", lines={"out.jsonl": whole["results"]["results"]})


def _output(text: str, *, passed: bool, value: str = "6.50%", **more: Doc) -> Doc:
    return {
        "pass": passed,
        "score": float(passed),
        "text": text,
        "prompt": "Repo rate?",
        "latencyMs": 20,
        "tokenUsage": {"total": 12, "prompt": 8, "completion": 4},
        "gradingResult": {
            "pass": passed,
            "score": float(passed),
            "reason": "",
            "componentResults": [
                {
                    "pass": passed,
                    "score": float(passed),
                    "reason": "",
                    "assertion": {"type": "equals", "value": value},
                }
            ],
        },
        **more,
    }


def promptfoo_table() -> Log:
    """Return an evaluation of version 2, with a table and no `failureReason`."""
    failed = _output("", passed=False, error="HTTP 500", gradingResult=None)
    return Log(
        "promptfoo",
        documents={
            "old.json": {
                "results": {
                    "version": 2,
                    "timestamp": "2024-05-01T00:00:00.000Z",
                    "results": [],
                    "stats": {"successes": 1, "failures": 2},
                    "table": {
                        "head": {
                            "prompts": [
                                {
                                    "raw": "{{question}}",
                                    "label": "plain",
                                    "id": "p1",
                                    "provider": "openai:gpt-4",
                                },
                                {
                                    "raw": "{{question}}",
                                    "label": "plain",
                                    "id": "p1",
                                    "provider": "openai:gpt-3.5",
                                },
                            ],
                            "vars": ["question"],
                        },
                        "body": [
                            {
                                "outputs": [
                                    _output("6.50%", passed=True),
                                    _output("7%", passed=False),
                                ],
                                "vars": ["Repo rate?"],
                                "test": {"assert": [{"type": "equals", "value": "6.50%"}]},
                            },
                            {
                                "outputs": [failed, _output("4%", passed=False, value="4.50%")],
                                "vars": ["CRR?"],
                                "test": {"assert": [{"type": "equals", "value": "4.50%"}]},
                            },
                        ],
                    },
                },
                "config": {"description": "old rates"},
            }
        },
    )
