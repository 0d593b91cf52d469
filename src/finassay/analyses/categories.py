"""Errors by category.  In: verdicts of a rule and a judge.  Out: strict and residual counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.alignment import aligned
from finassay.analyses.estimates import Settings, points, silent, worst_case_note
from finassay.analyses.results_items import CategoryRow, ErrorCategories
from finassay.analyses.wording import plural
from finassay.marking.matrix import VerdictMatrix, is_right
from finassay.records import Item

CATEGORIES = ("DKF", "NRF", "TRF", "CGF")
"""Domain knowledge, numerical reasoning, temporal reasoning, context grounding failure."""

Categories = Mapping[str, tuple[Mapping[str, str], str]]
"""Family -> (difficulty -> category, category of the other difficulties)."""

REGULATORY: Categories = {
    "NUM": ({}, "NRF"),
    "REG": ({"hard": "CGF"}, "DKF"),
    "TMP": ({"hard": "DKF"}, "TRF"),
    "CON": ({"easy": "CGF"}, "TRF"),
}
"""The map of "Scoring-Rule Sensitivity in LLM Evaluation" (arXiv 2604.19298), appendix B.1."""

_FAMILY_OF_TASK = {
    "numerical_reasoning": "NUM",
    "regulatory_interpretation": "REG",
    "temporal_reasoning": "TMP",
    "contradiction_detection": "CON",
}

METHOD = (
    "deterministic map from family and difficulty (arXiv 2604.19298, appendix B.1): NUM is NRF; "
    "REG is CGF when hard, else DKF; TMP is DKF when hard, else TRF; CON is CGF when easy, else "
    "TRF; residual errors are those that the judge does not mark right, so unjudged errors stay"
)


def category_of(item: Item, categories: Categories = REGULATORY) -> str | None:
    """Return the category that an error on this item falls into; None when the map has none."""
    family = item.family if item.family in categories else _FAMILY_OF_TASK.get(item.task, "")
    if family not in categories:
        return None
    by_difficulty, otherwise = categories[family]
    return by_difficulty.get(item.difficulty, otherwise)


def error_categories(
    rule: VerdictMatrix,
    *,
    items: Sequence[Item],
    names: tuple[str, str | None],
    settings: Settings,
    judge: VerdictMatrix | None = None,
    categories: Categories = REGULATORY,
) -> ErrorCategories:
    """Return each system's wrong items by category, before and after a judge.

    Args:
        rule: items x systems verdicts of the rule.
        items: every item.
        names: scorer ids of the rule and of the judge.
        settings: policy for the unscored (under "wrong" and "bounds" an unanswered item is an
            error).
        judge: items x systems verdicts of the judge; systems without it get no residual row.
        categories: the map.
    """
    table = aligned(rule, items)
    second = None if judge is None else aligned(judge, items)
    values, counted = points(table, settings.policy)
    labels = [category_of(item, categories) for item in items]
    rows: list[CategoryRow] = []
    for j, name in enumerate(table.columns):
        wrong = counted[:, j] & ~is_right(values[:, j])
        n = int(counted[:, j].sum())
        rows.append(_row(name, "strict", wrong, labels=labels, n=n))
        if second is not None and name in second.columns:
            k = second.columns.index(name)
            cleared = second.right[:, k]
            rows.append(_row(name, "residual", wrong & ~cleared, labels=labels, n=n))
    n_unmapped = sum(
        row.total - sum(count for _, count in row.counts) for row in rows if row.errors == "strict"
    )
    n_unscored = int(silent(table.status).sum())
    unjudged = [] if second is None else [c for c in table.columns if c not in second.columns]
    return ErrorCategories(
        rule=names[0],
        judge=names[1] if second is not None else None,
        categories=CATEGORIES,
        rows=tuple(rows),
        n_unmapped=n_unmapped,
        n_unscored=n_unscored,
        policy=settings.policy,
        method=METHOD,
        warnings=(
            *_warnings(n_unmapped, unjudged),
            *worst_case_note(settings.policy, n_unscored),
        ),
    )


def _warnings(n_unmapped: int, unjudged: Sequence[str]) -> tuple[str, ...]:
    out = []
    if n_unmapped:
        out.append(f"{plural(n_unmapped, 'wrong item')} in families without a category")
    if unjudged:
        out.append(
            f"no residual errors, because the judge holds no verdicts: {', '.join(unjudged)}"
        )
    return tuple(out)


def _row(
    name: str, errors: str, wrong: NDArray[np.bool_], *, labels: Sequence[str | None], n: int
) -> CategoryRow:
    counts = Counter(label for label, hit in zip(labels, wrong, strict=True) if hit)
    return CategoryRow(
        system=name,
        errors=errors,
        counts=tuple((category, counts[category]) for category in CATEGORIES),
        total=int(wrong.sum()),
        n=n,
    )
