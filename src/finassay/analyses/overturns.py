"""A rule against a judge.  In: two matrices.  Out: overturn and rejection rates by system."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.alignment import aligned
from finassay.analyses.estimates import count_rate
from finassay.analyses.results_overturns import (
    CountRate,
    OverturnRow,
    OverturnTable,
    ReportedOverturn,
)
from finassay.errors import MissingVerdictsError
from finassay.marking.matrix import ABSENT, RIGHT, STATUS_CODES, VerdictMatrix, is_right
from finassay.records import Item, ReportedScore, Status

METHOD = (
    f"right means value >= {RIGHT:g}; overturn = rule-wrong that the judge marks right, rejection "
    "= rule-right that the judge marks wrong, both over items that the two scored; judge-only "
    "keeps the rule where the judge was not asked; Wilson intervals"
)


def overturn_table(
    rule: VerdictMatrix,
    judge: VerdictMatrix,
    *,
    items: Sequence[Item],
    names: tuple[str, str],
    reported: Sequence[ReportedScore] = (),
    level: float = 0.95,
) -> OverturnTable:
    """Return where a judge and a rule disagree, in both directions, for the systems they share.

    Verdicts without a value never count as right or wrong here: their items are left out of every
    rate and counted by the reason in `n_unscored`, `n_failed` and `n_not_applicable`.

    Args:
        rule: items x systems verdicts of the rule.
        judge: items x systems verdicts of the judge; items it was not asked about are absent.
        items: every item.
        names: scorer ids of the rule and of the judge.
        reported: printed scores, for systems of which only counts are known.
        level: confidence level.

    Raises:
        MissingVerdictsError: the rule and the judge share no system.
    """
    shared = [name for name in rule.columns if name in judge.columns]
    if not shared:
        raise MissingVerdictsError(
            f"{names[0]!r} and {names[1]!r} share no system: the rule has {rule.columns!r}, the "
            f"judge {judge.columns!r}; mark the same systems with both"
        )
    left = aligned(rule.select(columns=shared), items)
    right = aligned(judge.select(columns=shared), items)
    rows = tuple(
        _row(name, left.select(columns=[name]), right.select(columns=[name]), level)
        for name in shared
    )
    return OverturnTable(
        rule=names[0],
        judge=names[1],
        rows=rows,
        pooled=_row("pooled", left, right, level),
        method=METHOD,
        level=level,
        policy="exclude",
        warnings=_warnings(rows),
        reported=reported_overturns(reported, names=names, measured=shared, level=level),
    )


def reported_overturns(
    reported: Iterable[ReportedScore],
    *,
    names: tuple[str, str],
    measured: Sequence[str] = (),
    level: float = 0.95,
) -> tuple[ReportedOverturn, ...]:
    """Return the overturns of systems of which only counts by family are known.

    They are read from columns "JUDGE given RULE wrong:FAMILY" and "JUDGE given RULE right:FAMILY",
    whose value is the share that the judge marks right; a system needs both, each with its n.

    Args:
        reported: printed scores.
        names: scorer ids of the rule and of the judge.
        measured: systems with verdicts of their own, which are never shown as reported.
        level: confidence level.
    """
    rule, judge = names
    columns = f"{judge} given {rule} wrong", f"{judge} given {rule} right"
    counts: dict[str, dict[str, list[ReportedScore]]] = {}
    for score in reported:
        column = score.column.rpartition(":")[0]
        if column in columns and score.n and score.row not in measured:
            counts.setdefault(score.row, {}).setdefault(column, []).append(score)
    return tuple(
        _as_reported(system, found[columns[0]], found[columns[1]], level)
        for system, found in sorted(counts.items())
        if all(column in found for column in columns)
    )


def _as_reported(
    system: str, wrong: Sequence[ReportedScore], right: Sequence[ReportedScore], level: float
) -> ReportedOverturn:
    turned, n_wrong = _sum(wrong)
    kept, n_right = _sum(right)
    return ReportedOverturn(
        system=system,
        source="; ".join(dict.fromkeys(score.source for score in (*wrong, *right))),
        overturned=count_rate(turned, n_wrong, level=level),
        rejected=count_rate(n_right - kept, n_right, level=level),
        note="as reported: sums of counts by family, never pooled with measured rows",
    )


def _sum(scores: Sequence[ReportedScore]) -> tuple[int, int]:
    """Return how many the judge marks right, and of how many."""
    right = sum(round(score.value * (score.n or 0)) for score in scores)
    return right, sum(score.n or 0 for score in scores)


def _row(name: str, rule: VerdictMatrix, judge: VerdictMatrix, level: float) -> OverturnRow:
    asked = judge.status != ABSENT
    rule_right, judge_right = is_right(rule.values), is_right(judge.values)
    both = rule.scored & judge.scored
    settled = rule.scored & (judge.scored | ~asked)
    final = np.where(asked, judge_right, rule_right)
    left_out = (rule.status != ABSENT) & ~settled
    failed = left_out & _either(rule, judge, "failed")
    inapplicable = left_out & _either(rule, judge, "not_applicable") & ~failed

    def rate(hit: NDArray[np.bool_], among: NDArray[np.bool_]) -> CountRate:
        return count_rate(int((hit & among).sum()), int(among.sum()), level=level)

    return OverturnRow(
        system=name,
        n_shared=int(both.sum()),
        overturned=rate(judge_right, both & ~rule_right),
        rejected=rate(~judge_right, both & rule_right),
        rule=rate(rule_right, settled),
        judge_only=rate(final, settled),
        augmented=rate(rule_right | final, settled),
        n_items=int(settled.sum()),
        n_unscored=int((left_out & ~failed & ~inapplicable).sum()),
        n_failed=int(failed.sum()),
        n_not_applicable=int(inapplicable.sum()),
    )


def _either(rule: VerdictMatrix, judge: VerdictMatrix, status: Status) -> NDArray[np.bool_]:
    code = STATUS_CODES[status]
    return np.asarray((rule.status == code) | (judge.status == code))


def _warnings(rows: Sequence[OverturnRow]) -> tuple[str, ...]:
    kinds = {
        "there is no readable answer": {row.system: row.n_unscored for row in rows},
        "marking failed": {row.system: row.n_failed for row in rows},
        "the rule or the judge does not apply": {row.system: row.n_not_applicable for row in rows},
    }
    found = {
        why: [f"{name} {count}" for name, count in counts.items() if count]
        for why, counts in kinds.items()
    }
    return tuple(
        f"items left out of the rates, because {why}: {', '.join(counts)}"
        for why, counts in found.items()
        if counts
    )
