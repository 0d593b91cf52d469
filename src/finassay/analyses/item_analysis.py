"""What the items measure.  In: items x systems verdicts.  Out: an ItemAnalysis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.alignment import aligned, complete_columns
from finassay.analyses.estimates import Settings, points, silent
from finassay.analyses.kernels.evidence import d_of_k
from finassay.analyses.kernels.reliability import (
    alpha_interval,
    cronbach_alpha,
    item_rest,
    item_total,
)
from finassay.analyses.kernels.response_model import Priors
from finassay.analyses.kernels.subset import smallest_subset
from finassay.analyses.label_trends import label_trends
from finassay.analyses.response_fit import ItemParameters, fit_items
from finassay.analyses.results_difficulty import (
    ContestedItem,
    ItemAnalysis,
    ItemStatistics,
    RankingSubset,
    Reliability,
)
from finassay.marking.matrix import VerdictMatrix
from finassay.records import Item

Floats = NDArray[np.float64]

METHOD = (
    "p = mean value over systems; right = value of 0.5 or more; item-rest correlation leaves the "
    "item out of the total; an item counts when every system has a usable verdict on it"
)

FEW_SYSTEMS = 10

MOST_SEARCHED = 50_000
"""Items times systems up to which the smallest subset is looked for."""


def item_analysis(
    matrix: VerdictMatrix,
    *,
    items: Sequence[Item],
    rule: str,
    settings: Settings,
    systems: Sequence[str] | None = None,
    others: Mapping[str, VerdictMatrix] | None = None,
    priors: Priors | None = None,
) -> ItemAnalysis:
    """Return difficulty, discrimination, response model, labels and the smallest sufficient subset.

    Args:
        matrix: items x systems verdicts of the rule.
        items: every item.
        rule: scorer id.
        settings: policy for the unscored, and level.
        systems: systems to count; default those with a verdict on every item.
        others: verdicts of other rules, to find the items on which rules disagree.
        priors: of the response model; `Priors()` by default.

    Raises:
        UsageError: rows that are not items.
        MarkingError: verdicts for items that are not among `items`.
    """
    table = aligned(matrix, items)
    names = tuple(systems) if systems is not None else complete_columns(table)
    table = table.select(columns=names)
    values, counted = points(table, settings.policy)
    keep = np.asarray(counted.all(axis=1) & (len(names) > 0), dtype=np.bool_)
    kept = [item for item, inside in zip(items, keep, strict=True) if inside]
    own = values[keep]
    fitted = fit_items((own >= 0.5).astype(np.float64), names, priors)
    statistics = _statistics(own, kept, fitted)
    rules = {rule: matrix, **(others or {})}
    return ItemAnalysis(
        rule=rule,
        systems=names,
        n_items=len(kept),
        n_excluded=len(items) - len(kept),
        n_unscored=int(silent(table.status).sum()),
        items=statistics,
        reliability=_reliability(own, settings.level),
        model=fitted.summary,
        labels=label_trends(values, counted, items=items, systems=names) if names else None,
        subset=_subset(own, kept) if len(names) > 1 else None,
        contested=contested_items(rules, items=kept, systems=names),
        rules=tuple(rules),
        negative=tuple(
            row.item_id for row in statistics if row.item_rest is not None and row.item_rest < 0
        ),
        policy=settings.policy,
        method=METHOD,
        warnings=_warnings(own, fitted, excluded=len(items) - len(kept)),
    )


def _statistics(
    values: Floats, items: Sequence[Item], fitted: ItemParameters
) -> tuple[ItemStatistics, ...]:
    systems = values.shape[1]
    if not len(items):
        return ()
    k = np.asarray((values >= 0.5).sum(axis=1), dtype=np.int64)
    separated = d_of_k(k, systems)
    (total, has_total), (rest, has_rest) = item_total(values), item_rest(values)
    rows = []
    for i, item in enumerate(items):
        is_fitted = fitted.status[i] == "fitted"
        a, a_se, b, b_se = fitted.values[i].tolist()
        rows.append(
            ItemStatistics(
                item_id=item.item_id,
                family=item.family,
                difficulty=item.difficulty,
                k=int(k[i]),
                n=systems,
                separated=int(separated[i]),
                p=float(values[i].mean()),
                item_total=float(total[i]) if has_total[i] else None,
                item_rest=float(rest[i]) if has_rest[i] else None,
                model=fitted.status[i],
                a=a if is_fitted else None,
                a_se=a_se if is_fitted and fitted.has_errors else None,
                b=b if is_fitted else None,
                b_se=b_se if is_fitted and fitted.has_errors else None,
            )
        )
    return tuple(rows)


def _reliability(values: Floats, level: float) -> Reliability:
    items, systems = values.shape
    is_binary = bool(np.isin(values, (0.0, 1.0)).all())
    value = cronbach_alpha(values)
    found = (
        None if value is None else alpha_interval(value, items=items, systems=systems, level=level)
    )
    low, high = (None, None) if found is None else found
    return Reliability(
        name="KR-20" if is_binary else "Cronbach's alpha",
        value=value,
        low=low,
        high=high,
        n_items=items,
        n_systems=systems,
        method="R / (R - 1) (1 - sum of item variances / variance of totals); interval of Feldt "
        "(1965), which takes systems for a sample from a population",
    )


def _subset(values: Floats, items: Sequence[Item]) -> RankingSubset | None:
    if not len(items) or values.size > MOST_SEARCHED:
        return None
    found = smallest_subset(values)
    return RankingSubset(
        items=tuple(items[row].item_id for row in found.rows),
        size=len(found.rows),
        bound=found.bound,
        is_smallest=found.is_smallest,
        n_items=len(items),
        method=f"{found.method}; ties between systems stay ties. It describes these verdicts and "
        f"predicts nothing about other systems",
    )


def contested_items(
    rules: Mapping[str, VerdictMatrix], *, items: Sequence[Item], systems: Sequence[str]
) -> tuple[ContestedItem, ...]:
    """Return the items on which rules disagree about some system, most divided first.

    Args:
        rules: scorer id -> items x systems verdicts, the primary rule first.
        items: the items to look at.
        systems: the systems to look at.
    """
    shape = len(items), len(systems)
    right, seen = np.zeros(shape), np.zeros(shape)
    first = np.zeros(len(items), dtype=np.int64)
    for at, matrix in enumerate(rules.values()):
        values, scored = _cells(matrix, items=items, systems=systems)
        calls = scored & (values >= 0.5)
        right += calls
        seen += scored
        if at == 0:
            first = calls.sum(axis=1)
    several = seen >= 2
    share = np.divide(right, seen, out=np.zeros(shape), where=several)
    division = np.where(several, 4.0 * share * (1.0 - share), 0.0)
    disputed, n = (division > 0).sum(axis=1), several.sum(axis=1)
    mean = np.divide(division.sum(axis=1), n, out=np.zeros(len(items)), where=n > 0)
    order = sorted(np.flatnonzero(disputed).tolist(), key=lambda i: (-mean[i], items[i].item_id))
    return tuple(
        ContestedItem(
            item_id=items[i].item_id,
            family=items[i].family,
            difficulty=items[i].difficulty,
            k=int(first[i]),
            disputed=int(disputed[i]),
            n=int(n[i]),
            division=float(mean[i]),
        )
        for i in order
    )


def _cells(
    matrix: VerdictMatrix, *, items: Sequence[Item], systems: Sequence[str]
) -> tuple[Floats, NDArray[np.bool_]]:
    """Return (items, systems) values and whether they are scored; absent ones are not."""
    row_at = {row[0]: i for i, row in enumerate(matrix.rows)}
    col_at = {name: j for j, name in enumerate(matrix.columns)}
    rows = [(i, row_at[item.item_id]) for i, item in enumerate(items) if item.item_id in row_at]
    cols = [(j, col_at[name]) for j, name in enumerate(systems) if name in col_at]
    values = np.zeros((len(items), len(systems)))
    scored = np.zeros(values.shape, dtype=np.bool_)
    if rows and cols:
        into = np.ix_([i for i, _ in rows], [j for j, _ in cols])
        out_of = np.ix_([i for _, i in rows], [j for _, j in cols])
        values[into], scored[into] = matrix.values[out_of], matrix.scored[out_of]
    return values, scored


def _warnings(values: Floats, fitted: ItemParameters, *, excluded: int) -> tuple[str, ...]:
    out = list(fitted.warnings)
    if fitted.summary is not None:
        out += fitted.summary.warnings
    if values.size > MOST_SEARCHED:
        out.append(f"{values.size} verdicts: a smallest subset is looked for in {MOST_SEARCHED}")
    if excluded:
        out.append(f"{excluded} items are left out: a system has no usable verdict on them")
    systems = values.shape[1]
    if systems < FEW_SYSTEMS:
        out.append(
            f"{systems} systems: a correlation of an item with the rest of the test over so few "
            f"systems is mostly chance"
        )
    if not np.isin(values, (0.0, 1.0)).all():
        out.append("graded values: the response model calls a value of 0.5 or more right")
    return tuple(out)
