"""Wrong references.  In: a board.  Out: how often judges overrule what they were shown."""

from __future__ import annotations

from collections.abc import Sequence

from finassay.analyses.estimates import count_rate
from finassay.analyses.judges.board import Board
from finassay.analyses.judges.inputs import JudgePlan
from finassay.analyses.judges.results import JudgeIdentity
from finassay.analyses.judges.results_compare import OverruledReply, WrongReference
from finassay.analyses.kernels.judge_tables import CORRECT, INCORRECT, NO_VERDICT

LISTED = 200
"""Most predictions that a result lists one by one."""


def wrong_references(
    board: Board, judges: Sequence[JudgeIdentity], plan: JudgePlan
) -> tuple[WrongReference, ...]:
    """Return what judges of the arm `wrong` mark CORRECT, by what people say.

    A reply that people call CORRECT differs from a wrong reference, so marking it CORRECT overrules
    the reference.  Own answers are counted too.
    """
    return tuple(_wrong(board, one.scorer_id, plan.level) for one in judges if one.arm == "wrong")


def _wrong(board: Board, judge: str, level: float) -> WrongReference:
    said = board.said(judge)
    scored = (said == CORRECT) | (said == INCORRECT)
    marked = said == CORRECT
    right, wrong = board.truth == CORRECT, board.truth == INCORRECT
    overruled = board.pairs(right & marked)
    return WrongReference(
        scorer_id=judge,
        correct=count_rate(len(overruled), int((right & scored).sum()), level=level),
        incorrect=count_rate(int((wrong & marked).sum()), int((wrong & scored).sum()), level=level),
        overruled=tuple(
            OverruledReply(item_id=item, system=name) for item, name in overruled[:LISTED]
        ),
        n_unscored=int(((right | wrong) & (said == NO_VERDICT)).sum()),
    )
