"""A rule against a judge.  In: two matrices.  Out: overturn and rejection rates by system."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.alignment import aligned
from finassay.analyses.estimates import count_rate, silent
from finassay.analyses.results_rules import CountRate, OverturnRow, OverturnTable
from finassay.errors import MissingVerdictsError
from finassay.marking.matrix import ABSENT, VerdictMatrix
from finassay.records import Item

METHOD = (
    "right means value >= 0.5; overturn = rule-wrong that the judge marks right, rejection = "
    "rule-right that the judge marks wrong, both over items that the two scored; judge-only keeps "
    "the rule where the judge was not asked; Wilson intervals"
)


def overturn_table(
    rule: VerdictMatrix,
    judge: VerdictMatrix,
    *,
    items: Sequence[Item],
    names: tuple[str, str],
    level: float = 0.95,
) -> OverturnTable:
    """Return where a judge and a rule disagree, in both directions, for the systems they share.

    Verdicts without a value never count as right or wrong here: they are left out of every rate
    and counted in `n_unscored`.

    Args:
        rule: items x systems verdicts of the rule.
        judge: items x systems verdicts of the judge; items it was not asked about are absent.
        items: every item.
        names: scorer ids of the rule and of the judge.
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
        policy="exclude",
        warnings=_warnings(rows),
    )


def _row(name: str, rule: VerdictMatrix, judge: VerdictMatrix, level: float) -> OverturnRow:
    asked = judge.status != ABSENT
    rule_right, judge_right = rule.values >= 0.5, judge.values >= 0.5
    both = rule.scored & judge.scored
    settled = rule.scored & (judge.scored | ~asked)
    final = np.where(asked, judge_right, rule_right)
    open_cells = silent(rule.status) | (asked & silent(judge.status))

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
        n_unscored=int(open_cells.sum()),
    )


def _warnings(rows: Sequence[OverturnRow]) -> tuple[str, ...]:
    open_rows = [f"{row.system} {row.n_unscored}" for row in rows if row.n_unscored]
    if not open_rows:
        return ()
    return (f"left out of the rates, because a verdict has no value: {', '.join(open_rows)}",)
