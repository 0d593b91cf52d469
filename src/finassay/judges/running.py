"""Judging.  In: a study, a request.  Out: votes in the study inside it, verdicts in the study.

The judges' own answers come first where an arm shows them, then the votes, judge by judge, then
the verdicts.  Whatever stops the process, the same call goes on where it was: every reply is kept
as it comes, and a prompt that was answered is not asked again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from finassay.errors import MissingVerdictsError, UsageError
from finassay.judges.arms import ArmBook, verified_answers
from finassay.judges.candidates import earlier_items
from finassay.judges.cases import Case
from finassay.judges.docket import Source, cases_of, items_judged, prompts_of
from finassay.judges.field import Field, field_of
from finassay.judges.fit import check_fit, prompt_tokens
from finassay.judges.independence import Independence, independence
from finassay.judges.own_answers import (
    OwnAnswers,
    answers_given,
    answers_in_study,
    question_of,
    stand_ins,
)
from finassay.judges.protocol import Protocol
from finassay.judges.replies import replies_of
from finassay.judges.report import JudgingReport
from finassay.judges.request import JudgeRequest
from finassay.judges.summing_up import Bench, Seat, judged, jury_judged, findings_of
from finassay.records import Item, SystemSpec
from finassay.runs.limits import Limits
from finassay.runs.plan import Scope
from finassay.runs.report import RunReport
from finassay.runs.requests import Asking
from finassay.runs.running import Progress, RunRequest, plan_run, run_models
from finassay.study import Snapshot, Study
from finassay.study.nested import JUDGING, add_prompts, judging_study, open_judging


def plan_judging(study: Study, request: JudgeRequest) -> JudgingReport:
    """Return what judging would ask, without asking anything.

    Where an arm shows a judge's own answer and there is none yet, the prompt is reckoned with the
    item's reference in its place.

    Args:
        study: what it holds is judged.
        request: what is to be judged, by whom, and how.

    Raises:
        UsageError: the request cannot be carried out, or a prompt does not fit.
    """
    return _Session(study, request).plan()


def judge_study(
    study: Study, request: JudgeRequest, *, progress: Progress | None = None
) -> JudgingReport:
    """Ask judges what they have not been asked yet, file their verdicts, and return what came.

    Args:
        study: what it holds is judged; verdicts go into it.
        request: what is to be judged, by whom, and how.
        progress: called after every reply.

    Raises:
        MissingExtraError: Inspect is not installed.
        UsageError: the request cannot be carried out, a model cannot be used, or a prompt does not
            fit.
        ConflictError: another process is asking one of these judges, or kept committing first.
        RunError: Inspect ended with an error of its own.
    """
    return _Session(study, request).judge(progress)


class _Session:
    """One request over one study."""

    def __init__(self, study: Study, request: JudgeRequest) -> None:
        self.study, self.request = study, request
        self.limits = Limits(request.effort)
        self.limits.require_prices(request.judges)
        self.field = field_of(study.snapshot(), request.systems)
        if not any(self.field.candidates.values()):
            raise UsageError(
                f"there is nothing to judge in the study at {study.root}: it holds no answers of "
                f"the systems in scope; import or run some first"
            )
        self.in_scope = {
            protocol: items_judged(self.field, protocol, request.limit)
            for protocol in request.protocols
        }
        self._sources: dict[Protocol, Source] = {}
        self._cases: dict[Protocol, tuple[Case, ...]] = {}

    def plan(self) -> JudgingReport:
        inner = judging_study(self.study)
        snapshot = None if inner is None else inner.snapshot()
        own = {model: self._own(model, snapshot, dry=True) for model in self.request.judges}
        answers = [
            plan_run(inner, self._run(self._questions(model), (model,), answering=True))
            for model in self._answerers()
        ]
        seats = [self._seat(model, own[model]) for model in self.request.judges]
        votes = [
            plan_run(inner, self._run(seat.prompts, (seat.model,)))
            for seat in seats
            if seat.prompts
        ]
        ...
