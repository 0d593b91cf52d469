"""Labelling in a study.  In: a study and the name of a draw.  Out: plans, status, estimates.

What the command line and pages call; nothing here knows of either.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from finassay.analyses.adjudication.estimate import NO_JUDGE, estimate_draw, sample_of
from finassay.analyses.adjudication.plan import RULES, DrawNote, PlanSettings, plan_draw
from finassay.analyses.adjudication.results import DrawEstimate, DrawPlan, DrawsStatus, DrawStatus
from finassay.analyses.adjudication.settling import SettledUnit, settle_units
from finassay.analyses.adjudication.status import draw_status
from finassay.analyses.few_labels import FewLabelSettings
from finassay.analyses.label_budget import BudgetSettings, label_budget
from finassay.analyses.results_few_labels import FewLabels, LabelBudget
from finassay.errors import MissingVerdictsError, UnknownNameError, UsageError
from finassay.marking.drawing.population import population_of
from finassay.marking.drawing.units import PopulationUnit
from finassay.records import JUDGE_PREFIX
from finassay.study import Study
from finassay.study.adjudication.draw_files import draw_names, read_draw, write_draw
from finassay.study.adjudication.draws import Draw
from finassay.study.adjudication.ledger import Ledger
from finassay.study.adjudication.showing import Showing
from finassay.study.adjudication.tasks import CORRECTNESS, task_named
from finassay.study.labels import LabelStore
from finassay.study.snapshot import Snapshot


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanRequest:
    """What is to be planned, and whether to keep it.

    Attributes:
        settings: how the sample is drawn.
        scorers: judges and rules whose verdicts are frozen; by default every judge that the study
            holds, and the verdicts of its primary rule where there are fewer than two.
        systems: display names; every model by default.
        separate: two systems whose difference is to be found, or ().
        name: freeze the sample under this name.
        created_by: who plans it.
        note: what it is for.
        pilot: name of a labelled draw whose labels show the spread in each stratum.
        labels_url: database of people's labels, for the pilot.
    """

    settings: PlanSettings
    scorers: tuple[str, ...] = ()
    systems: tuple[str, ...] = ()
    separate: tuple[str, ...] = ()
    name: str | None = None
    created_by: str = ""
    note: str = ""
    pilot: str | None = None
    labels_url: str | None = None


def plan_in_study(study: Study, request: PlanRequest) -> DrawPlan:
    """Return what would be drawn from a study, and freeze it where a name is given.

    Raises:
        UsageError: the plan cannot be met, or another draw has the name.
        MissingVerdictsError: a named scorer holds no verdicts.
        UnknownNameError: there is no such system.
    """
    snapshot = study.snapshot()
    task = request.settings.task
    population = population_of(
        snapshot,
        task,
        scorers=request.scorers or default_scorers(snapshot, pairs=task.unit == "pair"),
        systems=request.systems,
    )
    noted = DrawNote(
        name=request.name or "",
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        created_by=request.created_by,
        note=request.note,
    )
    settings = request.settings
    if request.pilot is not None:
        settings = replace(settings, pilot=_pilot(study, request.pilot, request.labels_url))
    plan, draw = plan_draw(population, settings, noted)
    if request.separate:
        plan = replace(plan, budget=_budget(draw, request, snapshot))
    if request.name is None:
        return plan
    is_new = write_draw(study, draw)
    return replace(plan, draw=draw.name, is_new=is_new)


def default_scorers(snapshot: Snapshot, *, pairs: bool = False) -> tuple[str, ...]:
    """Return the judges of a study, with what it stored or marked first where they are too few."""
    table = "comparisons" if pairs else "verdicts"
    known = snapshot.scorer_ids(table)
    judges = [name for name in known if name.startswith(JUDGE_PREFIX)]
    if len(judges) >= 2 or pairs:
        return tuple(judges)
    rules = [name for name in _RULES if name in known]
    return (*judges, *rules[: 2 - len(judges)])


_RULES = ("stored", "financial", "strict/numbers-first", "exact", "quasi_exact", "includes")
"""Rules that stand in for a second judge, in this order."""


def _pilot(study: Study, name: str, url: str | None) -> dict[str, tuple[float, int]]:
    """Return (sum of label values, labels) by stratum of a labelled draw."""
    draw, settled = settled_in_study(study, name, labels_url=url)
    found: dict[str, tuple[float, int]] = {}
    for unit in draw.units:
        value = settled[unit.unit_id].value
        if value is not None:
            total, n = found.get(unit.stratum, (0.0, 0))
            found[unit.stratum] = (total + value, n + 1)
    return found


def settled_in_study(
    study: Study, name: str, *, labels_url: str | None = None
) -> tuple[Draw, dict[str, SettledUnit]]:
    """Return a draw of a study, and what the answers on each of its units come to.

    Raises:
        UnknownNameError: there is no such draw.
    """
    draw = read_draw(study, name)
    with LabelStore.of(study, url=labels_url) as store:
        ledger = Ledger(store, draw.draw_id)
        return draw, settle_units(draw.by_unit, ledger.current(), ledger.assignments())


def _budget(draw: Draw, request: PlanRequest, snapshot: Snapshot) -> LabelBudget:
    if len(request.separate) != 2 or task_named(draw.task).unit != "prediction":
        raise UsageError(
            f"two systems can be separated by labels on their answers, got {request.separate!r} "
            f"for the task {draw.task!r}"
            "; leave --separate out, or draw for the task correctness"
        )
    names = {spec.system_id: spec.name for spec in snapshot.systems()}
    left, right = (names[snapshot.resolve_system(name)] for name in request.separate)
    judge = draw.scorers[0] if draw.scorers else NO_JUDGE
    certain = tuple(one.name for one in draw.strata if one.is_disputed)
    design = request.settings.design
    settings = BudgetSettings(
        alpha=1.0 - request.settings.level,
        rule="proportional" if RULES[design] == "neyman" else RULES[design],
        certain=certain if design == "disputes" else (),
    )
    return label_budget(sample_of(draw, {}, judge), left, right, settings)


def status_in_study(study: Study, name: str, *, labels_url: str | None = None) -> DrawStatus:
    """Return how far a draw of a study is.

    Raises:
        UnknownNameError: there is no such draw.
    """
    draw = read_draw(study, name)
    snapshot = study.snapshot()
    showing = Showing(snapshot, draw)
    with LabelStore.of(study, url=labels_url) as store:
        ledger = Ledger(store, draw.draw_id)
        assigned, history = ledger.assignments(), ledger.history()
    shown = (showing.shown(unit, "") for unit in draw.units)
    return draw_status(
        draw,
        assigned=assigned,
        history=history,
        items={item.item_id: item for item in snapshot.items()},
        stale=sum(one.is_stale for one in shown),
    )


def all_statuses(study: Study, *, labels_url: str | None = None) -> DrawsStatus:
    """Return how far every draw of a study is, by name."""
    names = draw_names(study)
    return DrawsStatus(
        draws=tuple(status_in_study(study, name, labels_url=labels_url) for name in names)
    )


def estimate_in_study(
    study: Study,
    name: str,
    *,
    judges: Sequence[str] = (),
    next_batch: int | None = None,
    settings: FewLabelSettings | None = None,
    labels_url: str | None = None,
) -> DrawEstimate:
    """Return what the labels of a draw say of the whole population.

    Raises:
        UnknownNameError: there is no such draw, or it froze no verdicts of a judge.
        UsageError: there is no label with a value yet.
    """
    draw, settled = settled_in_study(study, name, labels_url=labels_url)
    if not any(unit.value is not None for unit in settled.values()):
        raise UsageError(
            f"draw {name!r} has no settled label with a value yet; import filled-in sheets with "
            f"`finassay adjudicate import {study.root} {name} FILE`"
        )
    now = _population_now(study.snapshot(), draw)
    return estimate_draw(
        draw, settled, judges=judges, now=now, next_batch=next_batch, settings=settings
    )


def newest_scores(study: Study, judge: str | None) -> FewLabels | None:
    """Return the scores from the newest draw of correctness that has labels; None without one.

    Args:
        study: its label store is the one beside its tables.
        judge: whose verdicts are corrected; the first that the draw froze if None.
    """
    draws = sorted((read_draw(study, name) for name in draw_names(study)), key=_newest_first)
    for draw in draws:
        if draw.task != CORRECTNESS.name or (judge is not None and judge not in draw.scorers):
            continue
        settled = settled_in_study(study, draw.name)[1]
        if any(unit.value is not None for unit in settled.values()):
            asked = () if judge is None else (judge,)
            return estimate_draw(draw, settled, judges=asked).scores[0]
    return None


def _newest_first(draw: Draw) -> tuple[float, str]:
    made = datetime.fromisoformat(draw.created).timestamp() if draw.created else 0.0
    return -made, draw.name


def _population_now(snapshot: Snapshot, draw: Draw) -> Sequence[PopulationUnit] | None:
    trials = {unit.key.trial for unit in draw.units}
    try:
        return population_of(
            snapshot,
            task_named(draw.task),
            scorers=draw.scorers,
            systems=[system_id for system_id, _ in draw.systems],
            trial=min(trials, default=0),
        ).units
    except (MissingVerdictsError, UnknownNameError, UsageError):
        return None
