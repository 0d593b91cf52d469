"""Errors by category before and after a judge.  In: a rule, a judge, items.  Out: attribution.

The categories are a map from family and difficulty, so a count of them restates which families
and difficulties the errors fall in; what a judge clears of them is information of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from finassay.analyses.categories import (
    CATEGORIES,
    METHOD,
    REGULATORY,
    Categories,
    category_of,
    error_categories,
)
from finassay.analyses.estimates import Settings, count_rate
from finassay.analyses.results_attribution import Attribution, CategoryMeaning, Reclassified
from finassay.analyses.results_items import CategoryRow, ErrorCategories
from finassay.errors import UsageError
from finassay.marking.matrix import VerdictMatrix
from finassay.records import Item

CATEGORY_NAMES = {
    "DKF": "domain knowledge failure",
    "NRF": "numerical reasoning failure",
    "TRF": "temporal reasoning failure",
    "CGF": "context grounding failure",
}

RESTATEMENT = (
    "these labels restate the family and the difficulty of an item and say nothing of how a model "
    "fails: an error has the label of its item, whatever the reply; the shares that a judge clears "
    "are measured"
)


def attribution(
    rule: VerdictMatrix,
    *,
    study: str,
    items: Sequence[Item],
    names: tuple[str, str | None],
    settings: Settings,
    judge: VerdictMatrix | None = None,
    categories: Categories = REGULATORY,
) -> Attribution:
    """Return each system's errors by category, strict and residual, and what the labels restate.

    Args:
        rule: items x systems verdicts of the rule.
        study: name of the study.
        items: every item.
        names: scorer ids of the rule and of the judge.
        settings: policy for the unscored and level.
        judge: items x systems verdicts of the judge; systems without it have no residual errors.
        categories: the map.

    Raises:
        UsageError: no item has a category.
    """
    labels = [category_of(item, categories) for item in items]
    if not any(labels):
        families = sorted({item.family or item.task for item in items})
        raise UsageError(
            f"no item has a category: the map knows the families {', '.join(categories)}, the "
            f"items have {', '.join(families) or 'none'}"
            "; name the category of each family in the map"
        )
    table = error_categories(
        rule, items=items, names=names, settings=settings, judge=judge, categories=categories
    )
    return Attribution(
        study=study,
        restatement=RESTATEMENT,
        table=table,
        meanings=tuple(_meaning(name, labels, items) for name in CATEGORIES),
        reclassified=_reclassified(table, settings.level),
        n_items=sum(label is not None for label in labels),
        method=METHOD,
        warnings=(*table.warnings, *_partial(table, len(items))),
    )


def _partial(table: ErrorCategories, n_items: int) -> tuple[str, ...]:
    short = [
        f"{row.system} {row.n} of {n_items}"
        for row in table.rows
        if row.errors == "strict" and row.n < n_items
    ]
    return (f"errors among fewer items: {', '.join(short)}",) if short else ()


def _meaning(category: str, labels: Sequence[str | None], items: Sequence[Item]) -> CategoryMeaning:
    cells = Counter(
        (item.family or item.task, item.difficulty)
        for item, label in zip(items, labels, strict=True)
        if label == category
    )
    return CategoryMeaning(
        category=category,
        name=CATEGORY_NAMES[category],
        cells=tuple((family, difficulty, n) for (family, difficulty), n in sorted(cells.items())),
    )


def _reclassified(table: ErrorCategories, level: float) -> tuple[Reclassified, ...]:
    strict = {row.system: row for row in table.rows if row.errors == "strict"}
    return tuple(
        _cleared(strict[row.system], row, level) for row in table.rows if row.errors == "residual"
    )


def _cleared(strict: CategoryRow, residual: CategoryRow, level: float) -> Reclassified:
    left = dict(residual.counts)
    return Reclassified(
        system=strict.system,
        cleared=count_rate(strict.total - residual.total, strict.total, level=level),
        by_category=tuple(
            (category, count_rate(count - left[category], count, level=level))
            for category, count in strict.counts
        ),
    )
