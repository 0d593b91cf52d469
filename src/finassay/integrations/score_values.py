"""A verdict as another tool's score.  In: a verdict and a policy.  Out: the parts of a score.

Other tools know a number, or that there is none; what kind of silence it was stands beside it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from finassay.errors import UsageError
from finassay.records import Status, Verdict

Policy = Literal["wrong", "exclude"]
"""How a reply without an answer counts where a tool wants one number."""

POLICIES: tuple[Policy, ...] = get_args(Policy)

NO_ANSWER = "N"
"""Inspect's value for no answer; its metrics count it as 0."""

SILENT: frozenset[Status] = frozenset({"no_answer", "unparsed"})
"""Statuses that tell of the model, and that a policy may count as wrong."""

Metadata: TypeAlias = dict[str, str | list[str]]

_REASONS: Mapping[Status, str] = {
    "unparsed": "invalid_response_format",
    "failed": "scoring_failed",
    "not_applicable": "not_applicable",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreValue:
    """The parts of a score, in the words of Inspect.

    Attributes:
        value: in [0, 1]; `NO_ANSWER` for silence that counts as wrong; None for no score.
        answer: what the rule took from the reply.
        explanation: why, in words.
        reason: Inspect's word for why there is no number, or None.
        metadata: status, flags, scorer and version.
    """

    value: float | str | None
    answer: str | None
    explanation: str | None
    reason: str | None
    metadata: Metadata


def require_policy(policy: str) -> Policy:
    """Return the policy of a name.

    Raises:
        UsageError: there is none.
    """
    for known in POLICIES:
        if policy == known:
            return known
    raise UsageError(f"`unscored` must be one of {POLICIES}, got {policy!r}")


def score_value(verdict: Verdict, *, scorer_id: str, version: str, unscored: Policy) -> ScoreValue:
    """Return a verdict as the parts of a score.

    Args:
        verdict: what the rule says.
        scorer_id: which rule.
        version: its version.
        unscored: "wrong" makes silence a score of `NO_ANSWER`, "exclude" leaves it without one; a
            verdict that failed or does not apply has none under either.
    """
    metadata: Metadata = {
        "status": verdict.status,
        "flags": list(verdict.flags),
        "scorer": scorer_id,
        "version": version,
    }
    if verdict.label is not None:
        metadata["label"] = verdict.label
    counts = unscored == "wrong" and verdict.status in SILENT
    return ScoreValue(
        value=NO_ANSWER if counts else verdict.value,
        answer=verdict.extracted,
        explanation=verdict.reason or None,
        reason=None if verdict.is_scored else _REASONS.get(verdict.status) or _silence(verdict),
        metadata=metadata,
    )


def _silence(verdict: Verdict) -> str:
    return "no_response" if verdict.reason == "the reply is empty" else "refusal"
