"""Parity with tools.  In: their verdicts beside ours.  Out: agreement, and both conventions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.kernels.agreement import cohen
from finassay.analyses.results_parity import (
    Parity,
    ParityDifference,
    PrintedScore,
    RuleParity,
    UnscoredConventions,
)
from finassay.marking.matrix import SCORED, is_right
from finassay.marking.parity import (
    MarkedVerdicts,
    ToolVerdicts,
    marked_verdicts,
    printed_scores,
    tool_verdicts,
)
from finassay.records import STATUSES, ReportedScore
from finassay.study.snapshot import Snapshot

SHOWN = 50
"""Differing answers that a result lists; all of them are counted."""

METHOD = (
    "Our rule is applied to the same texts and references; two values agree within the tolerance "
    "of the tool's rounding; Cohen's kappa of right and wrong, a value of 0.5 or more being right "
    "(Cohen 1960)"
)

Printed = Mapping[tuple[str, str, str], Sequence[ReportedScore]]
"""(scorer, system, benchmark) -> what the tool printed for it."""


def parity(
    marked: Iterable[MarkedVerdicts],
    verdicts: Sequence[ToolVerdicts],
    *,
    printed: Printed | None = None,
    shown: int = SHOWN,
) -> Parity:
    """Return how far tools and our rules agree, and each score under both conventions.

    Args:
        marked: verdicts of tools beside ours, where we have the rule.
        verdicts: all verdicts of tools.
        printed: what the tools printed as aggregates.
        shown: differing answers to list for each scorer.
    """
    rules = tuple(rule_parity(one, shown=shown) for one in marked)
    known = {rule.scorer for rule in rules}
    rows = [row for one in verdicts for row in conventions(one, printed or {})]
    return Parity(
        rules=rules,
        without_rule=tuple(one.scorer for one in verdicts if one.scorer not in known),
        conventions=tuple(rows),
        method=METHOD,
        warnings=() if verdicts else ("The study holds no verdicts of a tool.",),
    )


def rule_parity(marked: MarkedVerdicts, *, shown: int = SHOWN) -> RuleParity:
    """Return how far our rule says what the tool said."""
    theirs, ours = np.equal(marked.tool.status, SCORED), np.equal(marked.status, SCORED)
    both = theirs & ours
    near = np.abs(marked.tool.values - marked.values) <= marked.rule.tolerance
    differ = np.flatnonzero((both & ~near) | (theirs ^ ours))
    agree, n_both = int((both & near).sum()), int(both.sum())
    return RuleParity(
        scorer=marked.tool.scorer,
        rule=marked.scorer,
        reads=marked.rule.reads,
        n=len(both),
        both_scored=n_both,
        tool_only=int((theirs & ~ours).sum()),
        ours_only=int((ours & ~theirs).sum()),
        neither=int((~ours & ~theirs).sum()),
        agree=agree,
        share=agree / n_both if n_both else None,
        kappa=_kappa(marked.tool.values[both], marked.values[both]),
        other_reference=marked.other_reference,
        unmarked=marked.unmarked,
        n_differing=len(differ),
        differing=tuple(_difference(marked, int(at)) for at in _ordered(marked, differ)[:shown]),
        note=marked.rule.note,
    )


def _kappa(left: NDArray[np.float64], right: NDArray[np.float64]) -> float | None:
    codes = np.stack([is_right(left), is_right(right)], axis=1).astype(np.int64)
    coefficient = cohen(codes, 2)
    value, whole = coefficient.values(coefficient.features.sum(axis=0, keepdims=True))
    return float(value[0]) if whole[0] else None


def _ordered(marked: MarkedVerdicts, differ: NDArray[np.intp]) -> list[int]:
    tool = marked.tool
    return sorted(
        differ.tolist(), key=lambda at: (tool.systems[at], tool.items[at], int(tool.trials[at]))
    )


def _difference(marked: MarkedVerdicts, at: int) -> ParityDifference:
    tool = marked.tool
    reply, read, reference = marked.digests[at]
    return ParityDifference(
        item_id=tool.items[at],
        system=tool.systems[at],
        trial=int(tool.trials[at]),
        tool_value=_value(tool.values, tool.status, at),
        tool_status=STATUSES[tool.status[at]],
        value=_value(marked.values, marked.status, at),
        status=STATUSES[marked.status[at]],
        text_digest=reply,
        read_digest=read,
        reference_digest=reference,
    )


def _value(values: NDArray[np.float64], status: NDArray[np.int8], at: int) -> float | None:
    return float(values[at]) if status[at] == SCORED else None


def conventions(verdicts: ToolVerdicts, printed: Printed) -> list[UnscoredConventions]:
    """Return a tool's score by system and benchmark, under both conventions for the unscored."""
    groups: dict[tuple[str, str], list[int]] = {}
    for at, key in enumerate(zip(verdicts.systems, verdicts.benchmarks, strict=True)):
        groups.setdefault(key, []).append(at)
    return [
        _convention(verdicts, key, np.array(groups[key], dtype=np.intp), printed)
        for key in sorted(groups)
    ]


def _convention(
    verdicts: ToolVerdicts, key: tuple[str, str], rows: NDArray[np.intp], printed: Printed
) -> UnscoredConventions:
    system, benchmark = key
    values, status = verdicts.values[rows], verdicts.status[rows]
    scored = np.equal(status, SCORED)
    n, n_scored, total = len(rows), int(scored.sum()), float(values[scored].sum())
    reasons = Counter(STATUSES[code] for code in status[~scored])
    found = printed.get((verdicts.scorer, system, benchmark), ())
    return UnscoredConventions(
        scorer=verdicts.scorer,
        system=system,
        benchmark=benchmark,
        n=n,
        scored=n_scored,
        unscored=n - n_scored,
        reasons=tuple(sorted(reasons.items())),
        total=total,
        excluded=total / n_scored if n_scored else None,
        wrong=total / n if n else None,
        printed=tuple(
            PrintedScore(
                value=score.value,
                printed=score.printed,
                unit=score.unit,
                n=score.n,
                source=score.source,
                note=score.note,
            )
            for score in found
        ),
    )


def parity_of_study(
    snapshot: Snapshot, *, scorers: Sequence[str] | None = None, shown: int = SHOWN
) -> Parity:
    """Return the parity of all verdicts of tools in a study, or of those of some scorers.

    Args:
        snapshot: pinned tables.
        scorers: ids of scorers of tools.
        shown: differing answers to list for each scorer.

    Raises:
        UnknownNameError: the study holds no verdicts of a tool under such an id.
        MissingExtraError: a rule needs a package that is not installed.
    """
    return parity(
        marked_verdicts(snapshot, scorers),
        tool_verdicts(snapshot, scorers),
        printed=printed_scores(snapshot),
        shown=shown,
    )
