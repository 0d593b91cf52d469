"""Our scorers as scorers of Inspect.  In: a sample and a reply.  Out: a score that says why.

Every installed scorer is `finassay/NAME` and takes its parameters as arguments; `finassay/mark`
takes a whole scorer id.  A verdict becomes a score so:

- scored: the value, a number in [0, 1];
- no_answer and unparsed: `NOANSWER`, which counts as wrong, or unscored with `unscored="exclude"`;
- failed and not_applicable: unscored under either policy, since neither tells of the model.

The status, the flags, the scorer id and its version stand in the score's metadata, and the reason
in its explanation.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from functools import cache
from typing import Any

import anyio.to_thread
from inspect_ai.scorer import (
    Metric,
    SampleScore,
    Score,
    Scorer,
    Target,
    accuracy,
    metric,
    scorer,
    stderr,
)
from inspect_ai.solver import TaskState

from finassay.benchmarks.bundled import bundled_names
from finassay.errors import UsageError
from finassay.integrations.asking import ItemFinder
from finassay.integrations.inspect_samples import documents_of, item_of, prediction_of
from finassay.integrations.score_values import Policy, require_policy, score_value
from finassay.records import Item, Prediction, Verdict
from finassay.scorers.base import Scorer as Rule
from finassay.scorers.composites import Imported
from finassay.scorers.registry import Json, from_spec, load_scorer, scorer_id_of, scorer_names

LONG = 20_000
"""Characters of a reply from which on marking runs outside the event loop."""

_NO_ANSWER = frozenset({"no_response", "refusal", "invalid_response_format"})
_CLUSTER = "finassay_cluster"
_one_at_a_time = threading.Lock()


@metric
def clustered_stderr() -> Metric:
    """Return the standard error of the mean, clustered by document.

    Samples that name a document in common, directly or through others, are one cluster; a sample
    that names none is a cluster by itself, and without any document it is the plain standard error.
    Formula: Inspect's `stderr(cluster=)` (arXiv 2411.00640, appendix A, with C / (C - 1)).
    """

    def compute(scores: list[SampleScore]) -> float:
        labels = clusters([documents_of(score.sample_metadata) for score in scores])
        clustered = [
            score.model_copy(update={"sample_metadata": {_CLUSTER: label}})
            for score, label in zip(scores, labels, strict=True)
        ]
        by_document: Any = stderr(cluster=_CLUSTER)
        return float(by_document(clustered))

    return compute


@metric
def no_answer() -> Metric:
    """Return the share of scored samples that gave no answer which could be read."""

    def compute(scores: list[SampleScore]) -> float:
        silent = sum(score.score.reason in _NO_ANSWER for score in scores)
        return silent / len(scores) if scores else 0.0

    return compute


def clusters(documents: list[tuple[str, ...]]) -> list[int]:
    """Return the cluster of each sample: those that share a document are in one.

    Args:
        documents: what each sample stands on.
    """
    root = list(range(len(documents)))

    def find(number: int) -> int:
        while root[number] != number:
            root[number] = root[root[number]]
            number = root[number]
        return number

    first: dict[str, int] = {}
    for number, names in enumerate(documents):
        for name in names:
            root[find(number)] = find(first.setdefault(name, number))
    return [find(number) for number in range(len(documents))]


def score_of(verdict: Verdict, *, scorer_id: str, version: str, unscored: Policy) -> Score:
    """Return a verdict as a score of Inspect; see `score_values.score_value`."""
    found = score_value(verdict, scorer_id=scorer_id, version=version, unscored=unscored)
    return Score(
        # Inspect's own mark of a sample without a score.
        value=math.nan if found.value is None else found.value,
        answer=found.answer,
        explanation=found.explanation,
        reason=found.reason,
        metadata=dict(found.metadata),
    )


@scorer(metrics=[accuracy(), clustered_stderr(), no_answer()])
def mark(scorer: str, unscored: Policy = "wrong", items: str | None = None) -> Scorer:
    """Return the scorer of an id, such as `strict/as-stated` or `exact[normaliser="casefold"]`.

    Args:
        scorer: the id of a rule.
        unscored: "wrong" counts a reply without an answer as wrong, "exclude" leaves it out.
        items: a bundled benchmark or the directory of a study, for samples that carry no item.

    Raises:
        UnknownNameError: there is no such rule.
        UsageError: a person or a judge made its verdicts; or the policy is no policy.
    """
    return marking(load_scorer(scorer), unscored=unscored, items=items)


@cache
def named(name: str) -> Callable[..., Scorer]:
    """Return the scorer of Inspect for the rule of a name, registered as `finassay/NAME`."""

    def factory(unscored: Policy = "wrong", items: str | None = None, **parameters: Json) -> Scorer:
        rule = from_spec({"name": name, "parameters": parameters})
        return marking(rule, unscored=unscored, items=items)

    factory.__doc__ = f"Return the rule `{name}` as a scorer of Inspect."
    return scorer(metrics=[accuracy(), clustered_stderr(), no_answer()], name=name)(factory)


def register_all() -> dict[str, Callable[..., Scorer]]:
    """Register every installed rule, and return the scorers by name."""
    return {name: named(name) for name in scorer_names()}


def marking(rule: Rule, *, unscored: Policy, items: str | None) -> Scorer:
    """Return the coroutine that marks samples by a rule.

    Raises:
        UsageError: the rule's verdicts are imported, or the policy is no policy.
    """
    if isinstance(rule, Imported):
        raise UsageError(
            f"the verdicts of {rule.name!r} are imported, not computed; write them back with "
            f"`finassay export --format inspect-scores`"
        )
    policy = require_policy(unscored)
    finder = None if items is None else ItemFinder(_named_items(items))
    scorer_id = scorer_id_of(rule)

    async def score(state: TaskState, target: Target) -> Score:
        item = item_of(state, target, finder)
        reply = prediction_of(state.output, item_id=item.item_id, trial=state.epoch - 1)
        verdict = await _verdict(rule, item, reply)
        return score_of(verdict, scorer_id=scorer_id, version=rule.version, unscored=policy)

    return score


def _named_items(name: str) -> tuple[Item, ...]:
    # Studies bring a frame library, which Inspect should not load for a scorer's name.
    from finassay.integrations.answering import known_items  # noqa: PLC0415

    return known_items(benchmark=name) if name in bundled_names() else known_items(study=name)


async def _verdict(rule: Rule, item: Item, reply: Prediction) -> Verdict:
    if len(reply.text) < LONG:
        # A rule takes less time than a change of threads.
        return rule.score(item=item, prediction=reply)
    return await anyio.to_thread.run_sync(_alone, rule, item, reply)


def _alone(rule: Rule, item: Item, reply: Prediction) -> Verdict:
    # The packages behind some rules are not known to bear several threads.
    with _one_at_a_time:
        return rule.score(item=item, prediction=reply)
