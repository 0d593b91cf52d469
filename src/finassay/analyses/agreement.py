"""Which rule produced the stored verdicts.  In: matrices.  Out: distances and outliers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median

import numpy as np
from scipy import special

from finassay.analyses.alignment import require_items
from finassay.analyses.results_rules import RuleAgreement, RuleDistance, SystemRule
from finassay.marking.matrix import ABSENT, VerdictMatrix

ALPHA = 0.01
WITNESSES = 10

FIT = 0.1

METHOD = (
    "fewest disagreements with the stored verdicts (right is value >= 0.5); the common rule has "
    f"the lowest median share of disagreements over the systems, at most {FIT:.0%}; a system is an "
    f"outlier when its closest rule is another one that fits within {FIT:.0%} and a two-sided sign "
    f"test of its disagreements with the two gives p < {ALPHA:g}; with outliers in half of the "
    "systems or more there is no common rule"
)


def rule_distances(
    stored: VerdictMatrix, rules: Mapping[str, VerdictMatrix]
) -> tuple[RuleDistance, ...]:
    """Return how many verdicts of each rule differ from the stored ones, for every system.

    Only items that both scored are compared; items that one of them has a verdict without a value
    for are counted in `n_unscored`.
    """
    require_items(stored)
    out = []
    for scorer, matrix in rules.items():
        require_items(matrix)
        at = {row: i for i, row in enumerate(matrix.rows)}
        mine = [i for i, row in enumerate(stored.rows) if row in at]
        theirs = [at[stored.rows[i]] for i in mine]
        for name in (column for column in stored.columns if column in matrix.columns):
            a, b = (stored, mine, name), (matrix, theirs, name)
            out.append(_distance(scorer, a, b))
    return tuple(out)


_Column = tuple[VerdictMatrix, list[int], str]


def _distance(scorer: str, stored: _Column, rule: _Column) -> RuleDistance:
    sides = []
    for matrix, rows, name in (stored, rule):
        j = matrix.columns.index(name)
        sides.append(
            (matrix.values[rows, j] >= 0.5, matrix.scored[rows, j], matrix.status[rows, j])
        )
    (left, left_ok, left_status), (right, right_ok, right_status) = sides
    both = left_ok & right_ok
    differs = np.flatnonzero(both & (left != right))
    present = (left_status != ABSENT) & (right_status != ABSENT)
    item_ids = stored[0].labels("item_id")
    return RuleDistance(
        system=stored[2],
        scorer=scorer,
        disagreements=len(differs),
        n=int(both.sum()),
        n_unscored=int((present & ~both).sum()),
        witnesses=tuple(item_ids[stored[1][i]] for i in differs[:WITNESSES]),
    )


def sign_test_p(a: int, b: int) -> float:
    """Return the two-sided p of a sign test with `a` signs of one kind and `b` of the other.

    2 P(X <= min(a, b)) for X binomial (a + b, 1/2), at most 1.
    """
    return min(1.0, 2.0 * float(special.bdtr(min(a, b), a + b, 0.5))) if a + b else 1.0


def rule_agreement(distances: Sequence[RuleDistance], *, stored: str) -> RuleAgreement:
    """Return which rule each system's stored verdicts follow, and which systems stand apart.

    The sign test of an outlier compares its disagreements with its own closest rule and with the
    common rule.  Items on which both rules disagree with the stored verdict enter both counts,
    which can only make the test more careful.
    """
    by_system: dict[str, Counts] = {}
    for distance in distances:
        if distance.n:
            counts = by_system.setdefault(distance.system, {})
            counts[distance.scorer] = (distance.disagreements, distance.n)
    common = _common(by_system)
    systems = tuple(_system(name, counts, common) for name, counts in by_system.items())
    if 2 * sum(system.is_outlier for system in systems) >= max(1, len(systems)):
        common = None
        systems = tuple(_system(name, counts, None) for name, counts in by_system.items())
    followed = [s.common_disagreements for s in systems if not s.is_outlier]
    known = [count for count in followed if count is not None]
    scorers = tuple(dict.fromkeys(d.scorer for d in distances))
    warnings = []
    if common is None and len(scorers) > 1:
        warnings.append(
            "no rule comes close to the stored verdicts of more than half of the systems"
        )
    return RuleAgreement(
        stored=stored,
        scorers=scorers,
        common_rule=common,
        common_range=(min(known), max(known)) if known else None,
        distances=tuple(distances),
        systems=systems,
        outliers=tuple(s.system for s in systems if s.is_outlier),
        method=METHOD,
        warnings=tuple(warnings),
    )


Counts = dict[str, tuple[int, int]]
"""Scorer -> (disagreements, items compared)."""


def _best(counts: Counts) -> tuple[str, ...]:
    shares = {scorer: wrong / n for scorer, (wrong, n) in counts.items()}
    fewest = min(shares.values())
    return tuple(scorer for scorer, share in shares.items() if share == fewest)


def _common(by_system: Mapping[str, Counts]) -> str | None:
    """Return the rule with the lowest median share of disagreements, if it fits at all.

    A median over systems is not moved by a few that follow another rule, and near-identical rules
    do not split a vote.
    """
    shares: dict[str, list[float]] = {}
    for counts in by_system.values():
        for scorer, (wrong, n) in counts.items():
            shares.setdefault(scorer, []).append(wrong / n)
    most = max((len(values) for values in shares.values()), default=0)
    fits = [(median(v), sum(v), scorer) for scorer, v in shares.items() if len(v) == most]
    middle, _, scorer = min(fits, default=(1.0, 1.0, ""))
    return scorer if middle <= FIT else None


def _system(name: str, counts: Counts, common: str | None) -> SystemRule:
    best = _best(counts)
    fewest, n = counts[best[0]]
    rest = [wrong for scorer, (wrong, _) in counts.items() if scorer not in best]
    shared = counts[common][0] if common in counts else None
    apart = shared is not None and common not in best and fewest / n <= FIT
    return SystemRule(
        system=name,
        best=best,
        disagreements=fewest,
        runner_up=min(rest) if rest else None,
        common_disagreements=shared,
        is_outlier=apart and shared is not None and sign_test_p(fewest, shared) < ALPHA,
    )
