"""Rules of other tools that we have too.  In: the scorer id of a tool's verdicts.  Out: ours."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Literal

from finassay.records import IMPORTED_PREFIX

Reads = Literal["reply", "extracted"]
"""What our rule is given: the reply, or what the tool extracted (the reply where nothing is)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolRule:
    """A rule of a tool, and the scorer of ours that is meant to be the same.

    Attributes:
        tool: name of the tool, as the scorer ids of its verdicts begin.
        metric: pattern (`*` and `?`) of the metric; what stands behind it in the id, a filter or a
            metric's own label, does not matter.
        scorer: id of ours.
        reads: what ours is given.
        tolerance: greatest difference of two values that are the same, for tools that round.
        note: where the two are known to differ.
    """

    tool: str
    metric: str
    scorer: str
    reads: Reads = "reply"
    tolerance: float = 1e-6
    note: str = ""


_WHITE_SPACE = "the tool strips the ends only; ours takes runs of white space inside as one, too"
_SETTINGS = (
    "case and punctuation are left out where the task's settings say so; ours compares as is"
)
_DEFAULTS = "with the tool's default settings; a log does not always say whether they were changed"

TOOL_RULES: tuple[ToolRule, ...] = (
    ToolRule(tool="inspect", metric="match", scorer="peer/inspect-match", note=_DEFAULTS),
    ToolRule(tool="inspect", metric="includes", scorer="peer/inspect-includes", note=_DEFAULTS),
    ToolRule(
        tool="inspect",
        metric="exact",
        scorer='exact[normaliser="squad"]',
        note="the tool also writes numbers in one form before it compares",
    ),
    ToolRule(
        tool="inspect",
        metric="f1",
        scorer="token_f1",
        tolerance=0.005001,
        note="the tool rounds to two decimals, and writes numbers in one form before",
    ),
    ToolRule(tool="inspect", metric="choice", scorer="exact", reads="extracted"),
    ToolRule(
        tool="lm-eval", metric="exact_match", scorer="exact", reads="extracted", note=_SETTINGS
    ),
    ToolRule(tool="lm-eval", metric="em", scorer="exact", reads="extracted", note=_SETTINGS),
    ToolRule(tool="lm-eval", metric="acc", scorer="exact", reads="extracted"),
    ToolRule(tool="lm-eval", metric="f1", scorer="token_f1", reads="extracted"),
    ToolRule(tool="lighteval", metric="em", scorer='exact[normaliser="trim"]', note=_WHITE_SPACE),
    ToolRule(tool="lighteval", metric="qem", scorer="quasi_exact"),
    ToolRule(
        tool="helm",
        metric="exact_match",
        scorer='exact[normaliser="trim"]',
        reads="extracted",
        note=_WHITE_SPACE,
    ),
    ToolRule(tool="helm", metric="quasi_exact_match", scorer="quasi_exact", reads="extracted"),
    ToolRule(tool="opencompass", metric="accuracy", scorer="exact", reads="extracted"),
    ToolRule(tool="opencompass", metric="correct", scorer="exact", reads="extracted"),
    ToolRule(tool="promptfoo", metric="equals", scorer="exact"),
    ToolRule(tool="promptfoo", metric="contains", scorer='includes[normaliser="none"]'),
    ToolRule(tool="promptfoo", metric="icontains", scorer="includes", note=_WHITE_SPACE),
    ToolRule(
        tool="openai-evals",
        metric="match",
        scorer="exact",
        reads="extracted",
        note="the tool's `basic.Match` accepts a reply that begins with the reference",
    ),
    ToolRule(
        tool="flare",
        metric="acc",
        scorer="labels/card-order",
        note="the order of the labels is the task's, which the log does not hold",
    ),
)
"""Tool and metric, our scorer, what ours is given, and known differences."""


def tool_of(scorer_id: str) -> tuple[str, str] | None:
    """Return the tool and the metric of a scorer id such as `imported/helm/exact_match`, or None.

    An id of fewer than two parts behind the prefix says of no tool.
    """
    if not scorer_id.startswith(IMPORTED_PREFIX):
        return None
    parts = scorer_id.removeprefix(IMPORTED_PREFIX).split("/")
    return (parts[0], parts[1]) if len(parts) > 1 else None


def tool_rule(scorer_id: str) -> ToolRule | None:
    """Return the rule of ours for a tool's verdicts, or None."""
    said = tool_of(scorer_id)
    if said is None:
        return None
    tool, metric = said
    fitting = (
        rule for rule in TOOL_RULES if rule.tool == tool and fnmatchcase(metric, rule.metric)
    )
    return next(fitting, None)
