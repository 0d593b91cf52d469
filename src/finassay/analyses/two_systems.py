"""Two systems item by item.  In: a view of a study.  Out: their test, and what each has right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.alignment import aligned, families, rankable
from finassay.analyses.clusters import clusters_of, document_clusters
from finassay.analyses.compare import CompareSettings, OneClusterError, compare
from finassay.analyses.estimates import points
from finassay.analyses.kernels.evidence import overlap_counts
from finassay.analyses.results_compare import Comparisons
from finassay.analyses.results_items import OverlapPair
from finassay.analyses.results_two import FamilySplit, TwoSystems
from finassay.errors import UnknownNameError
from finassay.marking.matrix import VerdictMatrix, is_right
from finassay.marking.regimes import REGIME_PREFIX
from finassay.marking.view import StudyView
from finassay.records import READS_KEY, Item

Bools = NDArray[np.bool_]


def two_systems(
    view: StudyView, *, left: str, right: str, rule: str, level: float = 0.95
) -> TwoSystems:
    """Return two systems of a study under one rule: the difference, its tests, who has what right.

    Clusters are documents where most items name one.  Unscored verdicts are treated by the
    study's default policy; under "bounds" the items are those of the worst case.

    Args:
        view: the study.
        left: display name of one.
        right: display name of the other.
        rule: a scorer id, or regime/NAME.
        level: level of the intervals.

    Raises:
        UnknownNameError: there are no verdicts of the rule, or none on one of the systems.
        UsageError: it is the same system twice, or they share no item.
    """
    matrix = aligned(rule_matrix(view, rule), view.items)
    clusters = document_clusters(view.items)
    found, warnings = _compared(matrix, view, (left, right), rule, level, clusters)
    pair = matrix.select(columns=(left, right))
    values, counted = points(pair, view.unscored)
    shared = np.asarray(counted.all(axis=1), dtype=np.bool_)
    hits = np.asarray(is_right(values) & counted, dtype=np.bool_)
    return TwoSystems(
        left=left,
        right=right,
        rule=rule,
        test=found.pairs[0],
        overlap=_overlap((left, right), hits, counted),
        clusters=found.clusters,
        n_clusters=len(clusters_of(view.items, found.clusters).sizes) if found.clusters else 0,
        won=_ids(view.items, shared & hits[:, 0] & ~hits[:, 1]),
        lost=_ids(view.items, shared & ~hits[:, 0] & hits[:, 1]),
        both=_ids(view.items, shared & hits.all(axis=1)),
        neither=_ids(view.items, shared & ~hits.any(axis=1)),
        by_family=tuple(_split(name, hits[shared & mask]) for name, mask in families(view.items)),
        n_left_out=int((~shared).sum()),
        policy=view.unscored,
        level=level,
        method=found.method,
        warnings=(*warnings, *found.warnings, *found.pairs[0].warnings),
    )


def rule_matrix(view: StudyView, rule: str) -> VerdictMatrix:
    """Return the verdicts of a rule or a regime.

    Raises:
        UnknownNameError: the study holds none.
    """
    rules = {**view.matrices, **{f"{REGIME_PREFIX}{k}": m for k, m in view.regimes.items()}}
    if rule not in rules:
        raise UnknownNameError(
            f"the study holds no verdicts of {rule!r}; there are: {', '.join(sorted(rules))}"
        )
    return rules[rule]


def leading_pair(view: StudyView, rule: str) -> tuple[str, str] | None:
    """Return the two systems with the highest scores under a rule; None with fewer than two.

    People, and controls that read the key, are no contestants.

    Raises:
        UnknownNameError: the study holds no verdicts of the rule.
    """
    matrix = aligned(rule_matrix(view, rule), view.items)
    contestants = {
        spec.name for spec in view.systems if spec.kind != "person" and spec.prompt_arm != READS_KEY
    }
    names = [name for name in rankable(matrix, view.unscored) if name in contestants]
    if len(names) < 2:
        return None
    table = matrix.select(columns=names)
    values, counted = points(table, view.unscored)
    scores = np.where(counted, values, 0.0).sum(axis=0) / np.maximum(counted.sum(axis=0), 1)
    order = np.lexsort((np.arange(len(names)), -scores)).tolist()
    return names[order[0]], names[order[1]]


def _compared(
    matrix: VerdictMatrix,
    view: StudyView,
    pair: tuple[str, str],
    rule: str,
    level: float,
    clusters: tuple[str, ...],
) -> tuple[Comparisons, tuple[str, ...]]:
    """Return the tests of a pair; without clusters where its items lie in one."""
    plain = CompareSettings(policy=view.unscored, level=level)
    if clusters:
        try:
            settings = replace(plain, clusters=clusters)
            return compare(matrix, view.items, rule=rule, settings=settings, pairs=[pair]), ()
        except OneClusterError:
            pass
    found = compare(matrix, view.items, rule=rule, settings=plain, pairs=[pair])
    return found, ("their shared items lie in one cluster: items are drawn alone",) * bool(clusters)


def _overlap(pair: tuple[str, str], hits: Bools, counted: Bools) -> OverlapPair:
    both, either, shared = overlap_counts(~hits & counted, counted)
    wrong = int(either[0, 1])
    return OverlapPair(
        left=pair[0],
        right=pair[1],
        both=int(both[0, 1]),
        either=wrong,
        jaccard=int(both[0, 1]) / wrong if wrong else None,
        n=int(shared[0, 1]),
    )


def _ids(items: Sequence[Item], inside: Bools) -> tuple[str, ...]:
    return tuple(sorted(items[at].item_id for at in np.flatnonzero(inside).tolist()))


def _split(family: str, hits: Bools) -> FamilySplit:
    left, right = hits[:, 0], hits[:, 1]
    return FamilySplit(
        family=family,
        both=int((left & right).sum()),
        left_only=int((left & ~right).sum()),
        right_only=int((~left & right).sum()),
        neither=int((~left & ~right).sum()),
    )
