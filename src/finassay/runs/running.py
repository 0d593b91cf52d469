"""Running models.  In: items, models, a study.  Out: predictions in the study, and a report.

Each reply is in a journal on the disk as soon as it comes, and the tables are written from there
after every few hundred.  Whatever stops the process, the same call lands what had come and asks
for the rest.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import TYPE_CHECKING

from finassay.errors import UsageError
from finassay.records import Item, SystemSpec
from finassay.runs.asking import Desk, asker
from finassay.runs.extra import load_inspect
from finassay.runs.inspecting import evaluate, make_model
from finassay.runs.journal import Journal, Receipt, open_journal
from finassay.runs.landing import Landed, land
from finassay.runs.limits import Limits
from finassay.runs.pilots import project
from finassay.runs.plan import Job, Scope, SystemPlan, plan_system
from finassay.runs.report import RunReport, SystemRun, planned, ran
from finassay.runs.requests import Asking, Effort
from finassay.runs.task import asking_items, task_of
from finassay.study import Study

if TYPE_CHECKING:
    from inspect_ai.model import Model

LOADS_WEIGHTS = frozenset({"hf", "nnterp", "sglang", "transformer_lens", "vllm"})
"""Providers of Inspect that load a model, or start a server of it, as soon as it is named."""

Progress = Callable[[int, int, str], None]
"""Called with answers there, answers wanted, and the system's name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRequest:
    """What is to be run.

    Attributes:
        items: of one or more benchmarks; the study holds them, or is given them.
        models: as PROVIDER/MODEL, in the order in which they are asked.
        asking: how; enters the identity of the systems.
        scope: which items, how often.
        effort: how hard, and how far.
    """

    items: tuple[Item, ...]
    models: tuple[str, ...]
    asking: Asking = field(default_factory=Asking)
    scope: Scope = field(default_factory=Scope)
    effort: Effort = field(default_factory=Effort)

    def __post_init__(self) -> None:
        if not self.models:
            raise UsageError("a run needs a model, got none; name one with --model")
        twice = [model for model in self.models if self.models.count(model) > 1]
        if twice:
            raise UsageError(f"the model {twice[0]!r} is named twice; name it once")
        if self.asking.name is not None and len(self.models) > 1:
            raise UsageError(
                f"one display name ({self.asking.name!r}) cannot stand for {len(self.models)} "
                f"models; run them one by one, or leave the name out"
            )
        if not self.items:
            raise UsageError("there are no items to ask; name a benchmark that has some")

    @property
    def in_scope(self) -> tuple[Item, ...]:
        """The items that are asked."""
        return self.scope.of(self.items)

    def systems(self) -> tuple[SystemSpec, ...]:
        """Return the system that each model is when asked in this way."""
        return tuple(self.asking.system(model) for model in self.models)


def plan_run(study: Study | None, request: RunRequest) -> RunReport:
    """Return what a run would ask, without asking anything.

    Args:
        study: the study, None where it is not made yet.
        request: what is to be run.

    Raises:
        UsageError: the request cannot be carried out.
    """
    Limits(request.effort).require_prices(request.models)
    plans = [_plan(study, request, spec) for spec in request.systems()]
    return planned(plans, request.asking, request.effort, items=len(request.in_scope))


def require_runnable(request: RunRequest) -> None:
    """Check that a run can begin, so that one that cannot leaves no study behind.

    Models whose weights would be loaded for it are not checked: that takes too long to do twice.

    Raises:
        MissingExtraError: Inspect is not installed.
        UsageError: the request cannot be carried out, or a model cannot be used.
    """
    plan_run(None, request)
    load_inspect()
    for model in request.models:
        if model.partition("/")[0] not in LOADS_WEIGHTS:
            make_model(model, request.asking, request.effort)


def run_models(
    study: Study,
    request: RunRequest,
    *,
    progress: Progress | None = None,
    limits: Limits | None = None,
) -> RunReport:
    """Ask models what the study holds no answer to, and return what came of it.

    The study must hold the items.

    Args:
        study: where answers go.
        request: what is to be run.
        progress: called after every reply.
        limits: what earlier runs of the same command have used; by default this run is the first.

    Raises:
        MissingExtraError: Inspect is not installed.
        UsageError: the request cannot be carried out, or a model cannot be used.
        ConflictError: another process is asking one of these systems.
        RunError: Inspect ended with an error of its own.
    """
    limits = limits or Limits(request.effort)
    limits.require_prices(request.models)
    done: list[SystemRun] = []
    for spec in request.systems():
        limits.next_model()
        with open_journal(study.root, spec.system_id) as journal:
            one = _SystemRunner(study, request, spec, limits, journal)
            done.append(one.run(progress or (lambda *_: None)))
    report = ran(done, items=len(request.in_scope))
    if request.scope.pilot is None:
        return report
    snapshot, trials = study.snapshot(), request.scope.trials
    projections = (
        project(snapshot, request.items, spec, trials=trials) for spec in request.systems()
    )
    return replace(report, projections=tuple(projections))


def _plan(study: Study | None, request: RunRequest, spec: SystemSpec) -> SystemPlan:
    return plan_system(
        spec,
        request.in_scope,
        trials=request.scope.trials,
        asking=request.asking,
        snapshot=study.snapshot() if study else None,
    )


class _SystemRunner:
    """One system's part of a run."""

    def __init__(
        self,
        study: Study,
        request: RunRequest,
        spec: SystemSpec,
        limits: Limits,
        journal: Journal,
    ) -> None:
        self.study, self.request, self.spec = study, request, spec
        self.limits, self.journal = limits, journal

    def run(self, progress: Progress) -> SystemRun:
        """Ask what is left, and return what came of it."""
        recovered = self._land().answers
        plan = _plan(self.study, self.request, self.spec)
        total = plan.held + len(plan.jobs)
        state = {"done": plan.held}

        def tell(receipt: Receipt) -> None:
            state["done"] += receipt.finish != "error"
            progress(state["done"], total, self.spec.name)

        progress(plan.held, total, self.spec.name)
        desk = Desk(
            model=self.spec.model,
            asking=self.request.asking,
            limits=self.limits,
            journal=self.journal,
            on_receipt=tell,
        )
        if plan.jobs:
            load_inspect()
            model = make_model(self.spec.model, self.request.asking, self.request.effort)
            # Known to the study before the first request: a name that is taken must cost nothing;
            # and a model that cannot be used is no system.
            self.study.add_system(self.spec)
            self._ask(desk, model, plan.jobs)
        return SystemRun.of(
            plan,
            desk.came,
            said=desk.said,
            requests=desk.requests,
            recovered=recovered,
            stopped=self.limits.stopped,
        )

    def _ask(self, desk: Desk, model: Model, jobs: Sequence[Job]) -> None:
        desk.attach(model)
        seen = {item.item_id: item for item in self.request.items}
        seen |= {job.item.item_id: job.item for job in jobs}
        with asking_items(tuple(seen.values())):
            for block in blocks_of(jobs, self.request.effort.land_every):
                if self.limits.stopped:
                    return
                try:
                    self._ask_block(desk, model, block)
                finally:
                    self._land()

    def _ask_block(self, desk: Desk, model: Model, block: Sequence[Job]) -> None:
        by_key = {job.key: job for job in block}
        task = task_of(block, name=_task_name(block), solver=asker(desk, by_key))
        with _log_dir(self.request.effort.log_dir) as folder:
            evaluate(task, model, folder, self.request.effort)

    def _land(self) -> Landed:
        return land(self.study, self.spec, self.journal)


def blocks_of(jobs: Sequence[Job], size: int) -> Iterator[tuple[Job, ...]]:
    """Yield jobs in blocks of one trial, in order, so that no item stands twice in a block."""
    for _, group in groupby(jobs, key=lambda job: job.trial):
        members = tuple(group)
        for start in range(0, len(members), size):
            yield members[start : start + size]


def _task_name(block: Sequence[Job]) -> str:
    names = dict.fromkeys(job.item.benchmark or "items" for job in block)
    return "+".join(names)


@contextmanager
def _log_dir(asked: str | None) -> Iterator[str]:
    """Yield where Inspect writes its log: where it was asked for, else a place that goes away."""
    if asked is not None:
        yield asked
        return
    with tempfile.TemporaryDirectory(prefix="finassay-run-") as folder:
        yield folder
