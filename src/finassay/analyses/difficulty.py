"""What is difficult, and for whom.  In: items x systems verdicts of a rule.  Out: a Difficulty."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy import special

from finassay.analyses.alignment import aligned, complete_columns, difficulties, families
from finassay.analyses.estimates import Settings, points, silent, worst_case_note
from finassay.analyses.kernels.additive import expected_values
from finassay.analyses.kernels.reliability import item_rest
from finassay.analyses.label_trends import label_trends
from finassay.analyses.results_difficulty import DifficultyTrend, LabelledDifficulty
from finassay.analyses.results_gaps import (
    Axis,
    Difficulty,
    DifficultyBand,
    ItemDifficulty,
    StratumGap,
    Surprise,
    SuspiciousItem,
    SystemDifficulty,
)
from finassay.analyses.wording import plural
from finassay.errors import UnknownNameError
from finassay.marking.matrix import RIGHT, VerdictMatrix
from finassay.marking.regimes import REGIME_PREFIX
from finassay.marking.view import StudyView
from finassay.records import READS_KEY, Item

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

SHOWN = 20
"""Surprises of each kind that are kept for a system, and suspicious items of each kind."""

EDGES = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
"""Ends of the bands of empirical difficulty: shares of systems that are right."""

CHANCE = 0.01
"""One-sided p below which a correlation with the rest counts as negative."""

FEW_SYSTEMS = 10

METHOD = (
    "empirical difficulty = share of systems right; expected = additive logit model of system and "
    "item (Rasch 1960, joint maximum likelihood), z = sum of differences over the root of the sum "
    "of p (1 - p); item-rest correlation leaves the item out of the total, and counts as negative "
    f"where its one-sided p by Student's t is below {CHANCE:g}"
)


def difficulty_of_study(view: StudyView, *, rule: str, settings: Settings) -> Difficulty:
    """Return what is difficult in a study under one rule; people and controls are left out.

    Args:
        view: the study.
        rule: a scorer id, or regime/NAME.
        settings: policy for the unscored, and level.

    Raises:
        UnknownNameError: the study holds no verdicts of the rule.
    """
    rules = {**view.matrices, **{f"{REGIME_PREFIX}{k}": m for k, m in view.regimes.items()}}
    if rule not in rules:
        raise UnknownNameError(
            f"the study holds no verdicts of {rule!r}; there are: {', '.join(sorted(rules))}"
        )
    table = aligned(rules[rule], view.items)
    left_out = {
        spec.name for spec in view.systems if spec.kind == "person" or spec.prompt_arm == READS_KEY
    }
    names = [name for name in complete_columns(table) if name not in left_out]
    return difficulty(table, items=view.items, rule=rule, settings=settings, systems=names)


def difficulty(
    matrix: VerdictMatrix,
    *,
    items: Sequence[Item],
    rule: str,
    settings: Settings,
    systems: Sequence[str] | None = None,
) -> Difficulty:
    """Return what is difficult under a rule, whether labels say so, and who differs where.

    Args:
        matrix: items x systems verdicts of the rule.
        items: every item.
        rule: scorer id.
        settings: policy for the unscored, and level.
        systems: systems to count; default those with a verdict on every item.

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
    listed = _items(own, kept)
    labels = label_trends(values, counted, items=items, systems=names) if names else None
    n_unscored = int(silent(table.status).sum())
    return Difficulty(
        rule=rule,
        systems=names,
        n_items=len(kept),
        n_excluded=len(items) - len(kept),
        n_unscored=n_unscored,
        items=listed,
        labels=labels,
        bands=tuple(band for band, _ in _bands(own)),
        suspicious=tuple(_suspicious(listed, labels)),
        by_system=_by_system(own, kept, listed, names, labels),
        policy=settings.policy,
        method=METHOD,
        warnings=(
            *_warnings(len(items) - len(kept), len(names)),
            *worst_case_note(settings.policy, n_unscored),
        ),
    )


def _items(values: Floats, items: Sequence[Item]) -> tuple[ItemDifficulty, ...]:
    if not items:
        return ()
    rest, has_rest = item_rest(values)
    right = (values >= RIGHT).sum(axis=1)
    return tuple(
        ItemDifficulty(
            item_id=item.item_id,
            family=item.family,
            difficulty=item.difficulty,
            k=int(right[i]),
            n=values.shape[1],
            p=float(values[i].mean()),
            item_rest=float(rest[i]) if has_rest[i] else None,
        )
        for i, item in enumerate(items)
    )


def _bands(values: Floats) -> Iterator[tuple[DifficultyBand, Bools]]:
    """Yield the bands of empirical difficulty with their (R,) items, hardest first."""
    p = values.mean(axis=1) if values.size else np.zeros(len(values))
    for low, high in pairwise(EDGES):
        inside = (p >= low) & ((p < high) | (high == EDGES[-1]))
        name = f"{100 * low:.0f} to {100 * high:.0f}%"
        yield DifficultyBand(name=name, low=low, high=high, items=int(inside.sum())), inside


def _suspicious(
    items: Sequence[ItemDifficulty], labels: LabelledDifficulty | None
) -> Iterator[SuspiciousItem]:
    against = [item for item in items if _is_against(item)]
    for item in sorted(against, key=lambda one: one.item_rest or 0.0)[:SHOWN]:
        found = item.item_rest or 0.0
        yield SuspiciousItem(item=item, why="against the rest", expected=0.0, found=found)
    if labels is None:
        return
    easiest, hardest = labels.pooled.cells[0], labels.pooled.cells[-1]
    if easiest.rate is None or hardest.rate is None or easiest.rate <= hardest.rate:
        return
    low, high = hardest.rate, easiest.rate
    hard = [i for i in items if i.difficulty.casefold() == easiest.label and i.p < low]
    for item in sorted(hard, key=lambda one: one.p)[:SHOWN]:
        yield SuspiciousItem(item=item, why="harder than labelled", expected=high, found=item.p)
    easy = [i for i in items if i.difficulty.casefold() == hardest.label and i.p > high]
    for item in sorted(easy, key=lambda one: -one.p)[:SHOWN]:
        yield SuspiciousItem(item=item, why="easier than labelled", expected=low, found=item.p)


def _is_against(item: ItemDifficulty) -> bool:
    """Return whether the correlation with the rest is below zero by more than chance."""
    r, degrees = item.item_rest, item.n - 2
    if r is None or degrees < 1 or r >= 0:
        return False
    if r <= -1:
        return True
    t = r * (degrees / (1.0 - r * r)) ** 0.5
    return float(special.stdtr(degrees, t)) < CHANCE


@dataclass(frozen=True, slots=True, kw_only=True)
class _Stratum:
    axis: Axis
    name: str
    inside: Bools


def _strata(values: Floats, items: Sequence[Item]) -> list[_Stratum]:
    found = [_Stratum(axis="family", name=n, inside=mask) for n, mask in families(items)]
    found += [
        _Stratum(axis="difficulty label", name=n, inside=mask) for n, mask in difficulties(items)
    ]
    found += [
        _Stratum(axis="empirical difficulty", name=band.name, inside=mask)
        for band, mask in _bands(values)
    ]
    return [one for one in found if one.inside.any()]


def _by_system(
    values: Floats,
    items: Sequence[Item],
    listed: Sequence[ItemDifficulty],
    names: Sequence[str],
    labels: LabelledDifficulty | None,
) -> tuple[SystemDifficulty, ...]:
    if not items:
        return ()
    expected = expected_values(values, np.ones(values.shape, dtype=np.bool_))
    strata = _strata(values, items)
    trends: dict[str, DifficultyTrend] = {}
    if labels is not None:
        trends = {trend.system: trend for trend in labels.systems}
    return tuple(
        SystemDifficulty(
            system=name,
            n=len(items),
            score=float(values[:, j].mean()),
            trend=trends.get(name),
            strata=tuple(_gap(values[:, j], expected[:, j], one) for one in strata),
            lost=_surprises(values[:, j], expected[:, j], listed, is_right=False),
            gained=_surprises(values[:, j], expected[:, j], listed, is_right=True),
        )
        for j, name in enumerate(names)
    )


def _gap(values: Floats, expected: Floats, stratum: _Stratum) -> StratumGap:
    seen, hoped = values[stratum.inside], expected[stratum.inside]
    spread = float((hoped * (1.0 - hoped)).sum())
    return StratumGap(
        axis=stratum.axis,
        stratum=stratum.name,
        n=len(seen),
        observed=float(seen.mean()),
        expected=float(hoped.mean()),
        difference=float((seen - hoped).mean()),
        z=float((seen - hoped).sum()) / spread**0.5 if spread > 1e-12 else None,
    )


def _surprises(
    values: Floats, expected: Floats, items: Sequence[ItemDifficulty], *, is_right: bool
) -> tuple[Surprise, ...]:
    """Return the items where one system is right (or wrong) and was expected not to be."""
    otherwise = (expected < RIGHT) if is_right else (expected >= RIGHT)
    kept = np.flatnonzero(((values >= RIGHT) == is_right) & otherwise)
    gap = values[kept] - expected[kept]
    order = np.lexsort((kept, -np.abs(gap)))[:SHOWN]
    return tuple(
        Surprise(item=items[i], value=float(values[i]), expected=float(expected[i]))
        for i in kept[order].tolist()
    )


def _warnings(excluded: int, systems: int) -> tuple[str, ...]:
    out = []
    if excluded:
        out.append(f"{plural(excluded, 'item')} left out: a system has no usable verdict there")
    if systems < FEW_SYSTEMS:
        out.append(
            f"{plural(systems, 'system')}: how difficult an item is, and its correlation with the "
            f"rest, is mostly chance over so few"
        )
    return tuple(out)
