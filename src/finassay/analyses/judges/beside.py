"""Leaderboards by rule, by judge and by people.  In: a board.  Out: overturns, ranks and scores."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from finassay.analyses.estimates import Settings, column_estimates
from finassay.analyses.judges.board import Board, widened
from finassay.analyses.judges.inputs import JudgeInputs, JudgePlan, NamedMatrix
from finassay.analyses.judges.results import JudgeIdentity
from finassay.analyses.judges.results_compare import HumanLeaderboard, HumanScore, JudgeRegimes
from finassay.analyses.judges.tolerance import compare_shared
from finassay.analyses.kernels.judge_tables import CORRECT, MISSING
from finassay.analyses.overturns import overturn_table
from finassay.analyses.results_overturns import OverturnTable
from finassay.analyses.results_scores import Estimate
from finassay.marking.matrix import ABSENT, SCORED, STATUS_CODES, VerdictMatrix
from finassay.marking.regimes import HUMAN_REGIME

JUDGE_ONLY, AUGMENTED = "judge-only", "judge-augmented"


def contestants(inputs: JudgeInputs, board: Board) -> tuple[str, ...]:
    """Return the systems of the board that are no people."""
    people = {system.name for system in inputs.systems if system.kind == "person"}
    return tuple(name for name in board.systems if name not in people)


def overturns(
    inputs: JudgeInputs, board: Board, judges: Sequence[JudgeIdentity], plan: JudgePlan
) -> tuple[OverturnTable, ...]:
    """Return each judge against the rule; a judge's own answers are left out."""
    if inputs.rule is None:
        return ()
    names = contestants(inputs, board)
    found = []
    for one in judges:
        said = inputs.judges[one.scorer_id]
        shared = [
            name
            for name in said.columns
            if name in names and name not in one.own and name in inputs.rule.matrix.columns
        ]
        if shared:
            found.append(
                overturn_table(
                    inputs.rule.matrix.select(columns=shared),
                    said.select(columns=shared),
                    items=inputs.items,
                    names=(inputs.rule.scorer_id, one.scorer_id),
                    level=plan.level,
                )
            )
    return tuple(found)


def judge_regimes(
    inputs: JudgeInputs, board: Board, judges: Sequence[JudgeIdentity], plan: JudgePlan
) -> tuple[JudgeRegimes, ...]:
    """Return the leaderboards by the rule, by each judge and by people.

    Judges that are shown wrong or random references on purpose are no regime, and a judge's own
    answers are left out of its comparison.
    """
    if inputs.rule is None:
        return ()
    settings = Settings(policy=plan.policy, level=plan.level)
    names = contestants(inputs, board)
    rule = widened(inputs.rule.matrix.select(columns=_held(inputs.rule, names)), board.items, names)
    people = consensus_matrix(board).select(columns=names)
    return tuple(
        JudgeRegimes(
            judge=one.scorer_id,
            candidate=one.candidate,
            comparison=compare_shared(
                board,
                {
                    inputs.rule.scorer_id: rule,
                    JUDGE_ONLY: judge_only(rule, said),
                    AUGMENTED: judge_augmented(rule, said),
                },
                settings,
                left_out=one.own,
            ),
            with_people=compare_shared(
                board,
                {inputs.rule.scorer_id: rule, one.scorer_id: said, HUMAN_REGIME: people},
                Settings(policy="exclude", level=plan.level),
                left_out=one.own,
            ),
        )
        for one in judges
        if not one.is_control
        for said in (board.matrices[one.scorer_id].select(columns=names),)
    )


def _held(rule: NamedMatrix, names: Sequence[str]) -> list[str]:
    return [name for name in names if name in rule.matrix.columns]


def judge_only(rule: VerdictMatrix, judge: VerdictMatrix) -> VerdictMatrix:
    """Return the judge where it was asked, and the rule elsewhere."""
    asked = judge.status != ABSENT
    return _like(
        rule,
        np.where(asked, judge.values, rule.values),
        np.where(asked, judge.status, rule.status),
    )


def judge_augmented(rule: VerdictMatrix, judge: VerdictMatrix) -> VerdictMatrix:
    """Return right where the rule or the judge says right.

    Where neither does, the prediction has a value only if both have one, or if the judge was not
    asked; else it takes the status of the one without a value.
    """
    asked = judge.status != ABSENT
    either = rule.right | judge.right
    both = rule.scored & (judge.scored | ~asked)
    status = np.where(rule.scored, judge.status, rule.status)
    status = np.where(either | both, SCORED, np.where(asked, status, rule.status))
    values = np.maximum(rule.values, judge.values)
    return _like(rule, np.where(status == SCORED, values, 0.0), status)


def _like(
    matrix: VerdictMatrix,
    values: np.typing.NDArray[np.float64],
    status: np.typing.NDArray[np.int8],
) -> VerdictMatrix:
    return VerdictMatrix(
        values=values,
        status=status.astype(np.int8),
        row_names=matrix.row_names,
        rows=matrix.rows,
        column_name=matrix.column_name,
        columns=matrix.columns,
    )


def consensus_matrix(board: Board) -> VerdictMatrix:
    """Return the consensus of people as verdicts; unparsed where labels settle nothing."""
    given = board.settled.given.reshape(board.truth.shape) > 0
    settled = board.truth != MISSING
    status = np.where(settled, SCORED, np.where(given, STATUS_CODES["unparsed"], ABSENT))
    return VerdictMatrix(
        values=np.where(board.truth == CORRECT, 1.0, 0.0),
        status=status.astype(np.int8),
        row_names=("item_id",),
        rows=tuple((item.item_id,) for item in board.items),
        column_name="system",
        columns=board.systems,
    )


def human_leaderboard(
    inputs: JudgeInputs, board: Board, plan: JudgePlan
) -> HumanLeaderboard | None:
    """Return the systems by the consensus of people, beside the rule on the same replies."""
    if not board.people:
        return None
    settings = Settings(policy="exclude", level=plan.level)
    names = contestants(inputs, board)
    people = consensus_matrix(board).select(columns=names)
    rows = _human_rows(inputs.rule, board, people, settings)
    compared = None
    if inputs.rule is not None:
        rule = inputs.rule.matrix.select(columns=_held(inputs.rule, names))
        compared = compare_shared(
            board,
            {HUMAN_REGIME: people, inputs.rule.scorer_id: widened(rule, board.items, names)},
            settings,
        )
    sizes = {row.people.n for row in rows}
    return HumanLeaderboard(
        rows=tuple(rows),
        comparison=compared,
        warnings=(
            ("systems are labelled on different numbers of replies: scores are no ranking",)
            if len(sizes) > 1 and compared is None
            else ()
        ),
    )


def _human_rows(
    rule: NamedMatrix | None, board: Board, people: VerdictMatrix, settings: Settings
) -> list[HumanScore]:
    estimates = column_estimates(people, settings)
    rows = []
    for name, given in zip(people.columns, estimates, strict=True):
        column = people.scored[:, people.columns.index(name)]
        beside: Estimate | None = None
        if rule is not None and name in rule.matrix.columns:
            own = widened(rule.matrix.select(columns=[name]), board.items, [name])
            beside = column_estimates(own, settings, rows=column)[0]
        if given.n or given.n_unscored:
            rows.append(HumanScore(system=name, people=given, rule=beside))
    return sorted(rows, key=lambda row: (-(row.people.value or 0.0), row.system))
