"""Errors that systems share.  In: items x systems verdicts.  Out: Jaccard of every pair."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from statistics import median

from finassay.analyses.alignment import complete_columns
from finassay.analyses.estimates import Settings, points, silent, worst_case_note
from finassay.analyses.kernels.evidence import overlap_counts
from finassay.analyses.results_items import ErrorOverlap, OverlapPair
from finassay.analyses.wording import plural
from finassay.marking.matrix import RIGHT, VerdictMatrix, is_right

METHOD = (
    f"Jaccard index of the sets of wrong items (value < {RIGHT:g}): wrong for both / wrong for "
    "either, over items usable for both (Jaccard 1912)"
)


def error_overlap(
    matrix: VerdictMatrix,
    *,
    rule: str,
    settings: Settings,
    systems: Sequence[str] | None = None,
) -> ErrorOverlap:
    """Return how far every pair of systems is wrong on the same items.

    Under "wrong" and "bounds" an unanswered item is a wrong one; under "exclude" it is no item of
    the pair.

    Args:
        matrix: items x systems verdicts of the rule.
        rule: scorer id.
        settings: policy for the unscored.
        systems: systems to compare; default those with a verdict on every row.
    """
    names = tuple(systems) if systems is not None else complete_columns(matrix)
    table = matrix.select(columns=names)
    values, counted = points(table, settings.policy)
    both, either, shared = overlap_counts(~is_right(values), counted)
    pairs = [
        OverlapPair(
            left=names[a],
            right=names[b],
            both=int(both[a, b]),
            either=int(either[a, b]),
            jaccard=int(both[a, b]) / int(either[a, b]) if either[a, b] else None,
            n=int(shared[a, b]),
        )
        for a, b in combinations(range(len(names)), 2)
    ]
    pairs.sort(key=lambda pair: (pair.jaccard is None, -(pair.jaccard or 0.0)))
    known = [pair.jaccard for pair in pairs if pair.jaccard is not None]
    n_items, n_unscored = len(table.rows), int(silent(table.status).sum())
    short = sum(pair.n < n_items for pair in pairs)
    return ErrorOverlap(
        rule=rule,
        systems=names,
        pairs=tuple(pairs),
        highest=pairs[0] if known else None,
        median=median(known) if known else None,
        n_items=n_items,
        n_unscored=n_unscored,
        policy=settings.policy,
        method=METHOD,
        warnings=(
            *_warnings(short, len(pairs), n_items),
            *worst_case_note(settings.policy, n_unscored),
        ),
    )


def _warnings(short: int, pairs: int, n_items: int) -> tuple[str, ...]:
    if not short:
        return ()
    fewer = f"{short} of {plural(pairs, 'pair')} compared on fewer than {plural(n_items, 'item')}"
    return (f"{fewer}, because a system has no usable verdict on the others",)
