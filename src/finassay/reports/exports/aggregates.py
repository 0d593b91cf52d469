"""What the records of Every Eval Ever add up to.  In: answers.  Out: one document a benchmark.

Source: the public schema `eval.schema.json`, version 0.3.0.  The records name their results by id
alone; which scorer a result is of, its mean and its denominator stand here.
"""

from __future__ import annotations

from collections import defaultdict
from math import fsum

from finassay._version import __version__
from finassay.integrations.score_values import Policy
from finassay.records import SystemSpec
from finassay.reports.exports.answers import SystemAnswers
from finassay.reports.exports.instances import (
    SCHEMA_VERSION,
    benchmark_of,
    evaluation_id,
    result_id,
    score_under,
)
from finassay.scorers.registry import Json

Result = tuple[str, str]
"""A scorer id and its version."""


def aggregates(
    held: SystemAnswers, *, unscored: Policy, retrieved: int
) -> dict[str, dict[str, Json]]:
    """Return the document of each benchmark that a system answered, by its name.

    A scorer without any score has no result: there is no number for it.

    Args:
        held: the answers of one system.
        unscored: how a reply without an answer counts; see `instances.instance_lines`.
        retrieved: when the export was made, in seconds since 1970.
    """
    scores: dict[str, dict[Result, list[float | None]]] = defaultdict(lambda: defaultdict(list))
    for answer in held.answers:
        for scorer_id, mark in answer.marks.items():
            score = score_under(mark.verdict, unscored)
            scores[benchmark_of(answer.item)][scorer_id, mark.version].append(score)
    return {
        benchmark: _document(held.system, benchmark, marked, unscored, retrieved)
        for benchmark, marked in sorted(scores.items())
    }


def _document(
    system: SystemSpec,
    benchmark: str,
    marked: dict[Result, list[float | None]],
    unscored: Policy,
    retrieved: int,
) -> dict[str, Json]:
    results = [
        _result(system, benchmark, result, scores, unscored)
        for result, scores in sorted(marked.items())
        if any(score is not None for score in scores)
    ]
    return {
        "schema_version": SCHEMA_VERSION,
        "evaluation_id": evaluation_id(system, benchmark),
        "retrieved_timestamp": str(retrieved),
        "source_metadata": {
            "source_name": "finassay export",
            "source_type": "evaluation_run",
            "source_organization_name": "unknown",
            "evaluator_relationship": "other",
        },
        "eval_library": {"name": "finassay", "version": __version__},
        "model_info": {
            "name": system.name,
            "id": system.model or system.name,
            "additional_details": _settings(system),
        },
        "evaluation_results": list(results),
    }


def _settings(system: SystemSpec) -> dict[str, Json]:
    known = {
        # The schema asks for both, and a study does not say.
        "deployment_type": "unknown",
        "model_availability": "unknown",
        "system_id": system.system_id,
        "kind": system.kind,
        "provider": system.provider,
        "budget": system.budget,
        "prompt_arm": system.prompt_arm,
        "prompt_hash": system.prompt_hash,
        **{f"decoding.{name}": value for name, value in system.decoding},
    }
    return {name: value for name, value in known.items() if value}


def _result(
    system: SystemSpec,
    benchmark: str,
    result: Result,
    scores: list[float | None],
    unscored: Policy,
) -> dict[str, Json]:
    scorer_id, version = result
    counted = [score for score in scores if score is not None]
    is_binary = set(counted) <= {0.0, 1.0}
    return {
        "evaluation_result_id": result_id(system, benchmark, scorer_id, version),
        "evaluation_name": benchmark,
        "source_data": {"dataset_name": benchmark, "source_type": "other"},
        "metric_config": {
            "metric_id": f"finassay.{scorer_id}",
            "metric_name": scorer_id,
            "metric_unit": "proportion",
            "lower_is_better": False,
            "score_type": "binary" if is_binary else "continuous",
            "min_score": 0,
            "max_score": 1,
            "additional_details": {"scorer_version": version, "unscored": unscored},
        },
        "score_details": {
            "score": fsum(counted) / len(counted),
            "details": {"left_out": str(len(scores) - len(counted))},
            "uncertainty": {"num_samples": len(counted)},
        },
    }
