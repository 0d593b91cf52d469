"""Verdicts as instance-level records of Every Eval Ever.  In: answers.  Out: JSON Lines.

Source: the public schema `instance_level_eval.schema.json`, version 0.3.0.  It holds one score a
record, so an answer with several verdicts becomes several records; what it has no field for
(status, flags, trial, finish) stands in its `metadata`, whose values are texts.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator

from finassay.integrations.score_values import SILENT, Policy
from finassay.records import RIGHT, Item, Prediction, SystemSpec, Verdict
from finassay.reports.exports.answers import Answer, Marked, SystemAnswers
from finassay.scorers.registry import Json

_QUOTING = frozenset({"reason", "label"})

SCHEMA_VERSION = "0.3.0"
"""Version of the schema that the records follow."""


def instance_lines(held: SystemAnswers, *, unscored: Policy, no_text: bool) -> Iterator[str]:
    """Yield one line for each answer and verdict that has a score under the policy.

    Args:
        held: the answers of one system.
        unscored: "wrong" writes silence as a score of 0, with its status beside it; "exclude"
            leaves it out.  What failed or does not apply is left out under either.
        no_text: leave out questions, passages, references and replies, and what quotes them.
    """
    for answer in held.answers:
        for scorer_id, mark in sorted(answer.marks.items()):
            score = score_under(mark.verdict, unscored)
            if score is not None:
                record = instance(held.system, answer, scorer_id, mark, score=score)
                shown = without_text(record) if no_text else record
                yield json.dumps(shown, ensure_ascii=False, allow_nan=False) + "\n"


def score_under(verdict: Verdict, unscored: Policy) -> float | None:
    """Return the score that a verdict counts as, or None where it is left out."""
    if verdict.value is None and unscored == "wrong" and verdict.status in SILENT:
        return 0.0
    return verdict.value


def instance(
    system: SystemSpec, answer: Answer, scorer_id: str, mark: Marked, *, score: float
) -> dict[str, Json]:
    """Return the record of one verdict on one answer."""
    item, reply = answer.item, answer.prediction
    benchmark = benchmark_of(item)
    return {
        "schema_version": SCHEMA_VERSION,
        "evaluation_id": evaluation_id(system, benchmark),
        "model_id": system.model or system.name,
        "evaluation_name": benchmark,
        "evaluation_result_id": result_id(system, benchmark, scorer_id, mark.version),
        "sample_id": item.item_id,
        "sample_hash": sample_hash(item),
        "interaction_type": "single_turn",
        "input": {
            "raw": _asked(item),
            "reference": _accepted(item),
            "choices": list(item.choices) or None,
        },
        "output": {
            "raw": [reply.text],
            "reasoning_trace": [reply.reasoning] if reply.reasoning else None,
        },
        "messages": None,
        "answer_attribution": _attribution(mark.verdict, scorer_id),
        "evaluation": {"score": score, "is_correct": score >= RIGHT},
        "token_usage": _usage(reply),
        "performance": None
        if reply.latency_s is None
        else {"latency_ms": reply.latency_s * 1000.0},
        "error": reply.finish if reply.finish in {"error", "blocked"} else None,
        "metadata": _metadata(system, answer, scorer_id, mark),
    }


def benchmark_of(item: Item) -> str:
    """Return the benchmark of an item, which a record must name."""
    return item.benchmark or "unnamed"


def evaluation_id(system: SystemSpec, benchmark: str) -> str:
    """Return the id under which the records of a system and benchmark belong together."""
    return f"{benchmark}/{system.name}/{system.system_id}"


def result_id(system: SystemSpec, benchmark: str, scorer_id: str, version: str) -> str:
    """Return the id of what one scorer says of a system on a benchmark."""
    return f"{evaluation_id(system, benchmark)}/{scorer_id}/{version}"


def without_text(record: dict[str, Json]) -> dict[str, Json]:
    """Return a record without the texts of item and reply; ids, hash and scores stay."""
    held = record["metadata"]
    metadata = held if isinstance(held, dict) else {}
    return {
        **record,
        "input": {"raw": "", "reference": [], "choices": None},
        "output": {"raw": [], "reasoning_trace": None},
        "answer_attribution": [],
        "metadata": {key: value for key, value in metadata.items() if key not in _QUOTING},
    }


def sample_hash(item: Item) -> str:
    """Return the SHA-256 of the question as asked and its accepted answers."""
    parts = {"raw": _asked(item), "reference": _accepted(item)}
    payload = json.dumps(parts, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(payload.encode()).hexdigest()


def _asked(item: Item) -> str:
    return "\n\n".join(part for part in (item.context, *item.contexts, item.question) if part)


def _accepted(item: Item) -> list[Json]:
    first = [] if item.reference is None else [item.reference]
    return [*first, *item.alternatives]


def _attribution(verdict: Verdict, scorer_id: str) -> list[Json]:
    if verdict.extracted is None:
        return []
    return [
        {
            "turn_idx": 0,
            "source": "output.raw",
            "extracted_value": verdict.extracted,
            "extraction_method": scorer_id,
            "is_terminal": True,
        }
    ]


def _usage(reply: Prediction) -> Json:
    if reply.tokens_in is None or reply.tokens_out is None:
        return None
    return {
        "input_tokens": reply.tokens_in,
        "output_tokens": reply.tokens_out,
        "total_tokens": reply.tokens_in + reply.tokens_out,
    }


def _metadata(system: SystemSpec, answer: Answer, scorer_id: str, mark: Marked) -> dict[str, Json]:
    item, verdict = answer.item, mark.verdict
    known = {
        "scorer": scorer_id,
        "scorer_version": mark.version,
        "status": verdict.status,
        "flags": " ".join(verdict.flags),
        "reason": verdict.reason,
        "label": verdict.label or "",
        "finish": answer.prediction.finish,
        "trial": str(answer.prediction.trial),
        "system": system.name,
        "system_id": system.system_id,
        "family": item.family,
        "task": item.task,
        "difficulty": item.difficulty,
    }
    return {name: value for name, value in known.items() if value}
