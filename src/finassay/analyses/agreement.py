"""Which rule produced the stored verdicts.  In: matrices.  Out: distances and outliers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median

import numpy as np
from scipy import special

from finassay.analyses.alignment import require_items
from finassay.analyses.results_rules import RuleAgreement, RuleDistance, SystemRule
from finassay.marking.matrix import ABSENT, RIGHT, VerdictMatrix

ALPHA = 0.01
WITNESSES = 10
FIT = 0.1
FENCE = 1.5

METHOD = (
    f"a mismatch is an item on which right and wrong differ (right is value >= {RIGHT:g}), or on "
    "which only one of the two has a value; the closest rule has the smallest share of mismatches "
    "with the stored verdicts; the common rule has the lowest median share over the systems, at "
    f"most {FIT:.0%}; a system is an outlier when its closest rule is another one that fits within "
    f"{FIT:.0%}, a two-sided sign test of its mismatches with the two gives p < {ALPHA:g}, and the "
    "share of verdicts that the other rule explains better stands above Tukey's fence (third "
    f"quartile plus {FENCE:g} interquartile ranges) of the other systems' shares of mismatches "
    "with the common rule; with outliers in half of the systems or more there is no common rule"
)


def rule_distances(
    stored: VerdictMatrix, rules: Mapping[str, VerdictMatrix]
) -> tuple[RuleDistance, ...]:
    """Return how many verdicts of each rule differ from the stored ones, for every system.

    Items that both have a verdict for are compared.  A value on one side alone is a mismatch; where
    neither side has a value there is nothing to compare, and the item is counted in `n_unscored`.
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
            (matrix.right[rows, j], matrix.scored[rows, j], matrix.status[rows, j] != ABSENT)
        )
    (left, left_ok, left_there), (right, right_ok, right_there) = sides
    present = left_there & right_there
    one_sided = present & (left_ok != right_ok)
    compared = present & (left_ok | right_ok)
    differs = np.flatnonzero(compared & (one_sided | (left != right)))
    item_ids = stored[0].labels("item_id")
    return RuleDistance(
        system=stored[2],
        scorer=scorer,
        mismatches=len(differs),
        n=int(compared.sum()),
        n_one_sided=int(one_sided.sum()),
        n_unscored=int((present & ~compared).sum()),
        witnesses=tuple(item_ids[stored[1][i]] for i in differs[:WITNESSES]),
    )


def sign_test_p(a: int, b: int) -> float:
    """Return the two-sided p of a sign test with `a` signs of one kind and `b` of the other.

    2 P(X <= min(a, b)) for X binomial (a + b, 1/2), at most 1.
    """
    return min(1.0, 2.0 * float(special.bdtr(min(a, b), a + b, 0.5))) if a + b else 1.0


def fence(shares: Sequence[float]) -> float:
    """Return Tukey's upper fence: the third quartile plus 1.5 interquartile ranges; 0 for none.

    Quartiles interpolate linearly.  The fence is a level of noise that a few noisy systems do not
    move.  Source: Tukey, Exploratory Data Analysis (1977), section 2D.
    """
    if not shares:
        return 0.0
    first, third = np.quantile(np.asarray(shares), [0.25, 0.75])
    return float(third + FENCE * (third - first))


def rule_agreement(distances: Sequence[RuleDistance], *, stored: str) -> RuleAgreement:
    """Return which rule each system's stored verdicts follow, and which systems stand apart.

    A rule that gives no value cannot have produced a stored one, so such items count against it: a
    rule for one kind of item never fits a whole file.  A rule that scored no item that the stored
    verdicts scored is left aside.  The sign test of
    an outlier compares its mismatches with its own closest rule and with the common rule.  Items
    on which both rules miss the stored verdict enter both counts, which can only make the test
    more careful.  A difference that is significant but no larger than what the other systems'
    verdicts depart from the common rule anyway is noise of the source, not another rule.
    """
    by_system: dict[str, Counts] = {}
    for distance in distances:
        if distance.n > distance.n_one_sided:
            counts = by_system.setdefault(distance.system, {})
            counts[distance.scorer] = (distance.mismatches, distance.n)
    common = _common(by_system)
    systems = _systems(by_system, common)
    if 2 * sum(system.is_outlier for system in systems) >= len(systems):
        common = None
        systems = _systems(by_system, None)
    followed = [s.common_mismatches for s in systems if not s.is_outlier]
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
"""Scorer -> (mismatches, items compared)."""


def _best(counts: Counts) -> tuple[str, ...]:
    shares = {scorer: wrong / n for scorer, (wrong, n) in counts.items()}
    fewest = min(shares.values())
    return tuple(scorer for scorer, share in shares.items() if share == fewest)


def _common(by_system: Mapping[str, Counts]) -> str | None:
    """Return the rule with the lowest median share of mismatches, if it fits at all.

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


def _systems(by_system: Mapping[str, Counts], common: str | None) -> tuple[SystemRule, ...]:
    shares = {
        name: wrong / n
        for name, counts in by_system.items()
        for scorer, (wrong, n) in counts.items()
        if scorer == common
    }
    return tuple(
        _system(name, counts, common, fence([s for other, s in shares.items() if other != name]))
        for name, counts in by_system.items()
    )


def _system(name: str, counts: Counts, common: str | None, noise: float) -> SystemRule:
    best = _best(counts)
    fewest, n = counts[best[0]]
    rest = [wrong for scorer, (wrong, _) in counts.items() if scorer not in best]
    return SystemRule(
        system=name,
        best=best,
        mismatches=fewest,
        runner_up=min(rest) if rest else None,
        common_mismatches=counts[common][0] if common in counts else None,
        is_outlier=common in counts
        and common not in best
        and fewest / n <= FIT
        and _stands_apart((fewest, n), counts[common], noise),
    )


def _stands_apart(own: tuple[int, int], common: tuple[int, int], noise: float) -> bool:
    """Whether the rule that fits better does so beyond chance and beyond the source's noise."""
    settled = common[0] / common[1] - own[0] / own[1]
    return sign_test_p(own[0], common[0]) < ALPHA and settled > noise
