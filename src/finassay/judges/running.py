"""Judging.  In: a study, a request.  Out: votes in the study inside it, verdicts in the study.

The judges' own answers come first where an arm shows them, then the votes and verdicts, judge by
judge.  Whatever stops the process, the same call goes on where it was: every reply is kept as it
comes, and a prompt that was answered is not asked again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from finassay.errors import UsageError
from finassay.judges.field import field_of
from finassay.judges.fit import check_fit, prompt_tokens
from finassay.judges.identity import JURY_PREFIX
from finassay.judges.juries import jury_outcomes
from finassay.judges.jury import jury_id
from finassay.judges.landing import Desk, land, version_of
from finassay.judges.prompting import DerivedItem
from finassay.judges.protocol import Protocol
from finassay.judges.replies import replies_of
from finassay.judges.report import (
    Judged,
    JudgeShown,
    JudgingReport,
    PromptSizes,
    ProtocolShown,
    Rejudged,
)
from finassay.judges.request import JudgeRequest
from finassay.judges.seats import Court, Docket, Seat
from finassay.judges.summing_up import (
    counted,
    desk_of,
    family_of,
    findings_of,
    jury_desk,
    ranked,
    shown_judge,
    shown_jury,
    shown_protocol,
    with_standing,
)
from finassay.judges.voting import Outcome, Tally, decide
from finassay.records import Item
from finassay.runs.limits import Limits
from finassay.runs.plan import Scope
from finassay.runs.report import RunReport
from finassay.runs.requests import Asking
from finassay.runs.running import Progress, RunRequest, plan_run, run_models
from finassay.study import Snapshot, Study
from finassay.study.nested import JUDGING, add_prompts, judging_study, open_judging
from finassay.study.schemas import SCORERS
from finassay.study.validate import check_partition


def plan_judging(study: Study, request: JudgeRequest) -> JudgingReport:
    """Return what judging would ask, without asking anything.

    Where an arm shows a judge's own answer and there is none yet, the prompt is reckoned with the
    item's reference in its place.

    Args:
        study: what it holds is judged.
        request: what is to be judged, by whom, and how.

    Raises:
        UsageError: the request cannot be carried out, or a prompt may not fit.
        MissingVerdictsError: an arm needs people's labels, and the study holds none.
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
        UsageError: the request cannot be carried out, a model cannot be used, or a prompt may not
            fit.
        MissingVerdictsError: an arm needs people's labels, and the study holds none.
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
        snapshot = study.snapshot()
        self.field = field_of(snapshot, request.systems)
        self._refuse_nothing()
        self.court = Court(snapshot, self.field, request)
        self._said: dict[Protocol, list[_Said]] = {}
        self._require_names()

    def _require_names(self) -> None:
        """Check that verdicts can be filed under their names, before any is paid for."""
        names = [self.request.system(model).name for model in self.request.judges]
        names += [] if self.request.jury is None else [f"{JURY_PREFIX}{self.request.jury}"]
        for name in names:
            if any(mark in "[]" or not mark.isprintable() for mark in name):
                raise UsageError(
                    f"the name of a judge or jury must hold no brackets, line ends or control "
                    f"characters, got {name!r}; give it another with --name or --jury"
                )
            for protocol in self.request.protocols:
                check_partition(SCORERS, {"scorer_id": str(protocol.judge_id(name))})

    def _refuse_nothing(self) -> None:
        if not any(self.field.candidates.values()):
            raise UsageError(
                f"there is nothing to judge in the study at {self.study.root}: it holds no answers "
                f"of the systems in scope; import answers or run models first"
            )
        if any(item.benchmark == JUDGING for item in self.field.items.values()):
            raise UsageError(
                f"the study at {self.study.root} holds a benchmark {JUDGING!r}: it seems to be the "
                f"study of what judges were asked; name the study around it"
            )

        if self._is_pairwise_alone():
            raise UsageError(
                f"the task 'pairwise' compares two systems' answers to one item, and no item has "
                f"two in scope; systems: {', '.join(map(repr, self._names()))}; name more with "
                f"--system, or choose the task 'single'"
            )

    def _is_pairwise_alone(self) -> bool:
        tasks = {protocol.task for protocol in self.request.protocols}
        answered = [
            {(one.item.item_id, one.prediction.trial) for one in listed}
            for listed in self.field.candidates.values()
        ]
        return tasks == {"pairwise"} and sum(map(len, answered)) == len(
            set[tuple[str, int]]().union(*answered)
        )

    def _names(self) -> list[str]:
        return [one.name for one in self.field.systems]

    def plan(self) -> JudgingReport:
        """Return what would be asked."""
        inner = judging_study(self.study)
        below = None if inner is None else inner.snapshot()
        answers = [plan_run(inner, one) for one in self._answer_runs()]
        seats = [
            self.court.seat(model, self.court.reckoned(self.court.own(model, below)))
            for model in self.request.judges
        ]
        sizes = self._sizes(seats)
        votes = [plan_run(inner, run) for seat in seats if (run := self._vote_run(seat))]
        judged = [self._planned(seat, docket, below) for seat in seats for docket in seat.dockets]
        return JudgingReport(
            is_dry=True,
            judged=tuple(judged),
            answers=_joined(answers, is_dry=True) if answers else None,
            votes=_joined(votes, is_dry=True),
            sizes=sizes,
        )

    def judge(self, progress: Progress | None) -> JudgingReport:
        """Ask what is left, file verdicts, and return what came."""
        inner = open_judging(self.study)
        add_prompts(inner, self.court.prompts_for_answers())
        answers = [self._ask(inner, one, progress) for one in self._answer_runs()]
        below = inner.snapshot()
        own = {model: self.court.own(model, below) for model in self.request.judges}
        seats = [self.court.seat(model, own[model]) for model in self.request.judges]
        sizes = self._sizes(seats)
        add_prompts(inner, (item for seat in seats for item in seat.prompts))
        votes: list[RunReport] = []
        judged: list[Judged] = []
        for seat in seats:
            run = self._vote_run(seat)
            votes += [] if run is None else [self._ask(inner, run, progress)]
            below = inner.snapshot()
            judged += [self._landed(seat, docket, below) for docket in seat.dockets]
        if self.request.jury is not None:
            judged += self._jury(self.request.jury, seats)
        return JudgingReport(
            is_dry=False,
            judged=tuple(judged),
            answers=_joined(answers, is_dry=False) if answers else None,
            votes=_joined(votes, is_dry=False),
            sizes=sizes,
            findings=findings_of(judged, self.field),
        )

    def _ask(self, inner: Study, run: RunRequest, progress: Progress | None) -> RunReport:
        return run_models(inner, run, progress=progress, limits=self.limits)

    def _answer_runs(self) -> list[RunRequest]:
        """Return the runs in which judges answer themselves: those that have not as systems."""
        prompts = self.court.prompts_for_answers()
        asked = [model for model in self.request.judges if self.court.answerer(model) is None]
        if not prompts:
            return []
        return [self._run(prompts, model, self.request.answering(model), 1) for model in asked]

    def _vote_run(self, seat: Seat) -> RunRequest | None:
        prompts = seat.prompts
        if not prompts:
            return None
        return self._run(
            prompts, seat.model, self.request.asking_of(seat.model), self.request.votes
        )

    def _run(self, items: Sequence[Item], model: str, asking: Asking, trials: int) -> RunRequest:
        return RunRequest(
            items=tuple(items),
            models=(model,),
            asking=asking,
            scope=Scope(trials=trials),
            effort=self.request.effort,
        )

    def _sizes(self, seats: Sequence[Seat]) -> PromptSizes:
        """Return how long the prompts are; one that may not fit is an error."""
        prompts = {
            case.prompt.item.item_id: case.prompt
            for seat in seats
            for docket in seat.dockets
            for case in docket.cases
            if case.prompt is not None
        }
        return _sizes(prompts.values(), self.request)

    def _tally(self, seat: Seat, docket: Docket, below: Snapshot | None) -> Tally:
        replies = replies_of(below, seat.spec.system_id, trials=self.request.votes)
        tally = decide(docket.cases, replies, task=docket.protocol.task, votes=self.request.votes)
        tally.left += docket.waiting
        tally.outcomes = with_standing(tally.outcomes, seat.standing)
        return tally

    def _planned(self, seat: Seat, docket: Docket, below: Snapshot | None) -> Judged:
        """Return what a judge said so far, without filing it."""
        desk = desk_of(seat, docket.protocol)
        version = version_of(self.study.snapshot(), desk)
        return _judged(
            self._tally(seat, docket, below), (desk, version, None), self._shown(seat, docket)
        )

    def _landed(self, seat: Seat, docket: Docket, below: Snapshot) -> Judged:
        """File what a judge said, and return it."""
        tally = self._tally(seat, docket, below)
        desk = desk_of(seat, docket.protocol)
        version, again = land(self.study, desk, tally.outcomes, self.field.names)
        self._said.setdefault(docket.protocol, []).append(_Said(desk, version, tally.outcomes))
        return _judged(tally, (desk, version, again), self._shown(seat, docket))

    def _shown(self, seat: Seat, docket: Docket) -> _Shown:
        return shown_judge(seat, self.field.names), shown_protocol(docket.protocol)

    def _jury(self, name: str, seats: Sequence[Seat]) -> list[Judged]:
        """File what all judges come to together, and return it."""
        found: list[Judged] = []
        for protocol, said in self._said.items():
            ids = [protocol.judge_id(seat.spec.name) for seat in seats]
            families = [family_of(seat.standing) for seat in seats]
            jurors = [(one.desk.scorer_id, one.version) for one in said]
            desk = jury_desk(jury_id(name, ids), protocol, jurors, families)
            outcomes, left = jury_outcomes(
                {one.desk.scorer_id: one.outcomes for one in said}, protocol
            )
            version, again = land(self.study, desk, outcomes, self.field.names)
            who = shown_jury(name, seats)
            tally = Tally(outcomes=outcomes, left=left)
            found.append(_judged(tally, (desk, version, again), (who, shown_protocol(protocol))))
        return found


_Shown = tuple[JudgeShown, ProtocolShown]


@dataclass(frozen=True, slots=True)
class _Said:
    """What one judge said under one protocol."""

    desk: Desk
    version: str
    outcomes: Sequence[Outcome]


def _judged(tally: Tally, landed: tuple[Desk, str, Rejudged | None], shown: _Shown) -> Judged:
    desk, version, again = landed
    return Judged(
        scorer_id=desk.scorer_id,
        scorer_version=version,
        judge=shown[0],
        protocol=shown[1],
        counts=counted(tally.outcomes, left=tally.left, redacted=tally.redacted),
        votes_unparsed=ranked(tally.unparsed.elements()),
        votes_failed=ranked(tally.failed.elements()),
        again=again,
    )


def _sizes(prompts: Iterable[DerivedItem], request: JudgeRequest) -> PromptSizes:
    budget, window = request.asking.decoding.budget, request.context_window
    listed = list(prompts)
    if window is not None:
        for prompt in listed:
            check_fit(prompt, budget, window)
    return PromptSizes(
        prompts=len(listed),
        most_tokens=max((prompt_tokens(one.turns) for one in listed), default=0),
        budget=budget,
        context_window=window,
    )


def _joined(reports: Sequence[RunReport], *, is_dry: bool) -> RunReport:
    """Return the reports of several runs as one."""
    return RunReport(
        is_dry=is_dry,
        items=sum(one.items for one in reports),
        plans=tuple(plan for one in reports for plan in one.plans),
        examples=next((one.examples for one in reports if one.examples), ()),
        systems=tuple(system for one in reports for system in one.systems),
        findings=tuple(found for one in reports for found in one.findings),
    )
