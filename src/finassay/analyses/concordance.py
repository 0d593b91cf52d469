"""Kendall's W.  In: verdicts or printed ratings.  Out: how far raters order objects alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.alignment import aligned, complete_columns, families
from finassay.analyses.estimates import Settings, column_estimates, point, worst_case_note
from finassay.analyses.kernels.concordance import kendall_w
from finassay.analyses.results_items import Concordance
from finassay.errors import UsageError
from finassay.marking.matrix import VerdictMatrix
from finassay.records import Item, Unscored

METHOD = (
    "Kendall's W with tie correction; chi squared = m (n - 1) W, an approximation that is rough "
    "for few objects (Kendall and Babington Smith 1939; Kendall and Gibbons 1990)"
)

Raters = Literal["systems", "families"]


def concordance_of_ratings(
    ratings: NDArray[np.float64],
    *,
    raters: tuple[str, tuple[str, ...]],
    objects: tuple[str, tuple[str, ...]],
    rule: str,
    policy: Unscored,
    n_items: int | None = None,
    n_unscored: int = 0,
) -> Concordance:
    """Return Kendall's W of (m, n) ratings: m raters put n objects in order, higher is better.

    Args:
        ratings: (m, n) scores.
        raters: what the raters are, and their m names.
        objects: what the objects are, and their n names.
        rule: scorer id, or where the ratings come from.
        policy: what was done with unscored verdicts behind the ratings.
        n_items: items behind the ratings, if they come from verdicts.
        n_unscored: verdicts without an answer behind the ratings.

    Raises:
        UsageError: names and ratings differ in number, or a rating is not finite.
    """
    if ratings.shape != (len(raters[1]), len(objects[1])) or not np.isfinite(ratings).all():
        raise UsageError(
            f"ratings must be finite and of shape ({len(raters[1])} raters, {len(objects[1])} "
            f"objects), got shape {ratings.shape}"
        )
    found = kendall_w(ratings)
    mean_ranks: tuple[tuple[str, float], ...] = ()
    if found is not None:
        ordered = sorted(zip(objects[1], found[4].tolist(), strict=True), key=lambda e: e[1])
        mean_ranks = tuple(ordered)
    return Concordance(
        rule=rule,
        raters_are=raters[0],
        objects_are=objects[0],
        raters=raters[1],
        objects=objects[1],
        w=None if found is None else found[0],
        chi2=None if found is None else found[1],
        df=None if found is None else found[2],
        p=None if found is None else found[3],
        mean_ranks=mean_ranks,
        n_items=n_items,
        n_unscored=n_unscored,
        policy=policy,
        method=METHOD,
    )


def concordance(
    matrix: VerdictMatrix,
    *,
    items: Sequence[Item],
    rule: str,
    raters: Raters,
    settings: Settings,
    systems: Sequence[str] | None = None,
) -> Concordance:
    """Return Kendall's W of accuracies: systems rating the families, or families the systems.

    With systems as raters W says whether the systems find the same families hard; with families as
    raters, whether the families put the systems in the same order.  They are different numbers.

    Args:
        matrix: items x systems verdicts of the rule.
        items: every item.
        rule: scorer id.
        raters: "systems" or "families".
        settings: policy for the unscored.
        systems: systems to use; default those with a verdict on every item.

    Raises:
        UsageError: `raters` is neither.
    """
    if raters not in ("systems", "families"):
        raise UsageError(f"`raters` must be 'systems' or 'families', got {raters!r}")
    table = aligned(matrix, items)
    names = tuple(systems) if systems is not None else complete_columns(table)
    table = table.select(columns=names)
    groups = families(items)
    parts = [column_estimates(table, settings, rows=mask) for _, mask in groups]
    grades = {name: [point(row[j]) for row in parts] for j, name in enumerate(names)}
    known = {name: [g for g in row if g is not None] for name, row in grades.items()}
    kept = tuple(name for name in names if len(known[name]) == len(groups))
    usable = [names.index(name) for name in kept]
    scores = [known[name] for name in kept]
    grid = np.array(scores, dtype=np.float64).reshape(len(kept), len(groups))
    axes = ("systems", kept), ("families", tuple(name for name, _ in groups))
    first, second = axes if raters == "systems" else axes[::-1]
    n_unscored = sum(row[j].n_unscored for row in parts for j in usable)
    found = concordance_of_ratings(
        grid if raters == "systems" else grid.T,
        raters=first,
        objects=second,
        rule=rule,
        policy=settings.policy,
        n_items=len(items),
        n_unscored=n_unscored,
    )
    left_out = [name for name in names if name not in kept]
    warnings = worst_case_note(settings.policy, n_unscored)
    if left_out:
        told = f"left out, because no verdict counts in a family: {', '.join(left_out)}"
        warnings = (told, *warnings)
    return replace(found, warnings=warnings)
