"""What a shorter cap would do.  In: verdicts on cut replies.  Out: accuracy by length."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from finassay.analyses.estimates import count_rate, points
from finassay.analyses.results_configuration import BudgetCurve, BudgetPoint
from finassay.marking.matrix import VerdictMatrix, is_right
from finassay.marking.reply_facts import ReplyFacts
from finassay.records import Unscored

METHOD = (
    "the same replies cut to a number of characters and marked again; a model that knew its budget "
    "would have answered otherwise"
)


def cut_curves(
    cut: Mapping[int, VerdictMatrix],
    replies: ReplyFacts,
    *,
    rule: str,
    systems: Sequence[str],
    policy: Unscored,
) -> tuple[BudgetCurve, ...]:
    """Return accuracy by the length that replies are cut to, one curve a system.

    Args:
        cut: characters -> items x systems verdicts on replies cut to them.
        replies: lengths of the whole replies.
        rule: scorer id.
        systems: systems to show.
        policy: what is done with verdicts without a value.
    """
    shown = [name for name in systems if all(name in matrix.columns for matrix in cut.values())]
    if not cut:
        return ()
    return tuple(
        BudgetCurve(
            name=name,
            rule=rule,
            is_cut=True,
            points=tuple(
                _point(name, length, cut[length], replies, policy) for length in sorted(cut)
            ),
            method=METHOD,
        )
        for name in shown
    )


def _point(
    name: str, length: int, matrix: VerdictMatrix, replies: ReplyFacts, policy: Unscored
) -> BudgetPoint:
    values, counted = points(matrix.select(columns=[name]), policy)
    at = replies.column(name)
    longer = replies.present[:, at] & (replies.lengths[:, at] > length)
    return BudgetPoint(
        budget=f"{length} characters",
        system=name,
        score=count_rate(int((is_right(values) & counted).sum()), int(counted.sum())),
        at_cap=count_rate(int(longer.sum()), int(replies.present[:, at].sum())),
    )
