"""Whether a judge could answer itself.  In: a board.  Out: right, wrong or unknown, by question.

A judge that is one of the judged systems has its row among them.  Any judge may have been asked
the questions before it judged.  Where both say something the row counts: people label it, and it
is what the judge itself was shown under the arm `self`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.judges.board import Board, judge_codes, label_codes, widened
from finassay.analyses.judges.inputs import JudgeInputs, JudgePlan
from finassay.analyses.judges.results import AnswersFrom, JudgeIdentity, TruthSource
from finassay.analyses.kernels.judge_tables import MISSING, NO_VERDICT
from finassay.analyses.wording import plural
from finassay.marking.asked_answers import AskedCounts
from finassay.marking.consensus import CONSENSUS, settle
from finassay.marking.matrix import STATUS_CODES, VerdictMatrix
from finassay.records import SystemSpec

Codes = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OwnAnswers:
    """How a judge answered the questions itself.

    Attributes:
        name: system that answered: a judged one that is the judge, or the judge as it was asked.
        answers: which of the two.
        source: what says whether an answer is right.
        source_id: scorer id of that.
        right: (I,) CORRECT, INCORRECT or MISSING.
    """

    name: str
    answers: AnswersFrom
    source: TruthSource
    source_id: str
    right: Codes


def own_answers(
    inputs: JudgeInputs, board: Board, judge: JudgeIdentity, plan: JudgePlan
) -> OwnAnswers | None:
    """Return which questions a judge answered right, or None where nothing says so.

    People decide where they settled any of its own answers, unless a scorer was put before them;
    one set of answers and one source decide for all questions, so that the two groups are told
    apart alike.
    """
    for found in (*_as_candidate(inputs, board, judge), *_as_asked(inputs, board, judge, plan)):
        if (found.right != MISSING).any():
            return found
    return None


def answering(inputs: JudgeInputs, judge: JudgeIdentity) -> SystemSpec | None:
    """Return a judge as it was asked for its own answers; None where it was not.

    Of several ways in which a model was asked, the one with most answers counts.
    """
    counts = inputs.asked.counts
    same = [one for one in inputs.asked.systems if judge.model and one.model == judge.model]
    return max(same, key=lambda one: (counts[one.name].n, one.name), default=None)


def _as_candidate(inputs: JudgeInputs, board: Board, judge: JudgeIdentity) -> Iterator[OwnAnswers]:
    name, rule = judge.candidate, inputs.own_rule
    if name is None:
        return
    if name in board.systems and not inputs.own_rule_first:
        right = board.truth[:, board.systems.index(name)]
        yield _by_people(name, "candidate", right)
    if rule is not None and name in rule.matrix.columns:
        yield _by_scorer(inputs, name, "candidate", (rule.scorer_id, rule.matrix))


def _as_asked(
    inputs: JudgeInputs, board: Board, judge: JudgeIdentity, plan: JudgePlan
) -> Iterator[OwnAnswers]:
    spec, asked = answering(inputs, judge), inputs.asked
    if spec is None:
        return
    if asked.people and not inputs.own_rule_first:
        columns = [
            label_codes(widened(one.select(columns=[spec.name]), board.items, [spec.name]))
            for one in asked.people.values()
        ]
        settled = settle(np.concatenate(columns, axis=1), plan.consensus)
        yield _by_people(spec.name, "asked", settled.label.astype(np.int64))
    if asked.rule is not None:
        yield _by_scorer(inputs, spec.name, "asked", (asked.scorer_id, asked.rule))


def _by_people(name: str, answers: AnswersFrom, right: Codes) -> OwnAnswers:
    return OwnAnswers(name=name, answers=answers, source="people", source_id=CONSENSUS, right=right)


def _by_scorer(
    inputs: JudgeInputs, name: str, answers: AnswersFrom, rule: tuple[str, VerdictMatrix]
) -> OwnAnswers:
    column = widened(rule[1].select(columns=[name]), inputs.items, [name])
    right = judge_codes(column)[:, 0]
    # To a rule, silence is no right answer; what it cannot read is unknown.
    silent = column.status[:, 0] == STATUS_CODES["no_answer"]
    right = np.where(silent, 0, np.where(right == NO_VERDICT, MISSING, right))
    return OwnAnswers(name=name, answers=answers, source="scorer", source_id=rule[0], right=right)


def asked_warnings(
    inputs: JudgeInputs, judge: JudgeIdentity, own: Mapping[str, OwnAnswers]
) -> Iterator[str]:
    """Yield what must be known of the answers that a judge gave when it was asked."""
    spec, found = answering(inputs, judge), own.get(judge.scorer_id)
    if spec is None:
        return
    name, asked = spec.name, inputs.asked
    if found is None:
        why = (
            asked.why_not
            or f"people labelled none of its answers, and {asked.scorer_id} reads none"
        )
        yield (
            f"nothing says which questions {name!r} answered right, so agreement of "
            f"{judge.scorer_id} by its own answers is not measured: {why}"
        )
    elif found.answers == "candidate":
        yield (
            f"the model of {judge.scorer_id} answered as the judged system {found.name!r} and when "
            f"it was asked as a judge; the former shows which questions it could answer"
        )
    if found is None or found.name == name:
        yield from _left_out(name, asked.counts[name])


def _left_out(name: str, counts: AskedCounts) -> Iterator[str]:
    if counts.stale:
        yield (
            f"{plural(counts.stale, 'answer')} of {name!r} left out: no item asks the question in "
            f"these words any more; judge with --arm self again"
        )
    if counts.further:
        yield (
            f"{plural(counts.further, 'further answer')} of {name!r} to the same questions left "
            f"out: the first counts"
        )
    if counts.redacted:
        yield f"{plural(counts.redacted, 'masked answer')} of {name!r} left out"
