"""Which verdicts a task offers.  In: a task, a judge's reply.  Out: its menu, and the vote."""

from __future__ import annotations

from collections.abc import Mapping

from finassay.judges.identity import Task
from finassay.judges.votes import Vote
from finassay.records import Prediction
from finassay.scorers.judge_verdicts import (
    ALIGNMENT,
    CORRECTNESS,
    PAIRWISE,
    RATING_0_10,
    Menu,
    rating_menu,
    read_verdict,
)

RUBRIC = rating_menu(0, 1, steps=(0.0, 0.5, 1.0))
"""0, 0.5 or 1."""

_MENUS: Mapping[Task, Menu] = {
    "single": CORRECTNESS,
    "pairwise": PAIRWISE,
    "rubric": RUBRIC,
    "rating": RATING_0_10,
    "alignment": ALIGNMENT,
}


def menu_for(task: Task) -> Menu:
    """Return the verdicts that a judge chooses from in a task."""
    return _MENUS[task]


def read_vote(reply: Prediction, *, task: Task) -> Vote:
    """Return what a judge's reply says.

    Args:
        reply: the prediction of the judge's system to a derived item.
        task: what it was asked.
    """
    read = read_verdict(reply.text, menu=menu_for(task), finish=reply.finish)
    return Vote(
        status=read.status,
        label=read.label,
        value=read.value,
        reason=read.reason,
        evidence_id=reply.prediction_id,
    )
