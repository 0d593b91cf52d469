"""Whether a judge could answer itself.  In: a board.  Out: right, wrong or unknown, by question."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.judges.board import Board, judge_codes, widened
from finassay.analyses.judges.inputs import JudgeInputs
from finassay.analyses.judges.results import JudgeIdentity, TruthSource
from finassay.analyses.kernels.judge_tables import MISSING, NO_VERDICT
from finassay.marking.consensus import CONSENSUS
from finassay.marking.matrix import STATUS_CODES

Codes = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OwnAnswers:
    """How a judge answered as a candidate.

    Attributes:
        candidate: judged system that is the judge itself.
        source: what says so.
        source_id: scorer id of that.
        right: (I,) CORRECT, INCORRECT or MISSING.
    """

    candidate: str
    source: TruthSource
    source_id: str
    right: Codes


def own_answers(inputs: JudgeInputs, board: Board, judge: JudgeIdentity) -> OwnAnswers | None:
    """Return which questions a judge answered right, or None where nothing says so.

    People decide where they settled any of its own answers, unless a scorer was put before them;
    a single source decides for all questions, so that the two groups are told apart alike.
    """
    name = judge.candidate
    if name is None:
        return None
    if name in board.systems and not inputs.own_rule_first:
        right = board.truth[:, board.systems.index(name)]
        if (right != MISSING).any():
            return OwnAnswers(candidate=name, source="people", source_id=CONSENSUS, right=right)
    if inputs.own_rule is None or name not in inputs.own_rule.matrix.columns:
        return None
    column = widened(inputs.own_rule.matrix.select(columns=[name]), board.items, [name])
    right = judge_codes(column)[:, 0]
    # To a rule, silence is no right answer; what it cannot read is unknown.
    silent = column.status[:, 0] == STATUS_CODES["no_answer"]
    right = np.where(silent, 0, np.where(right == NO_VERDICT, MISSING, right))
    if not (right != MISSING).any():
        return None
    return OwnAnswers(
        candidate=name, source="scorer", source_id=inputs.own_rule.scorer_id, right=right
    )
