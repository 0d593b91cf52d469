"""The report on asking or going on.  In: outcomes of states, or a printed table.  Out: a report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from finassay.analyses.ask.comparisons import (
    ask_ranks,
    cost_curves,
    metric_correlations,
    near_pairs,
    recall_asymmetry,
)
from finassay.analyses.ask.findings import ask_findings
from finassay.analyses.ask.intervals import ask_intervals
from finassay.analyses.ask.metrics import (
    ALWAYS_ASK,
    ALWAYS_PROCEED,
    METRICS,
    Exact,
    Metric,
    Outcome,
    ask_metrics,
    policies,
    scores_of,
    trajectory_metrics,
)
from finassay.analyses.ask.printed import PrintedRow, check_printed
from finassay.analyses.kernels.printed import Printed, read_printed
from finassay.analyses.results_ask import AskCounts, AskReport, AskRow, CostCurves
from finassay.benchmarks.ask.prompts import TRAJECTORY
from finassay.benchmarks.ask.states import ASK, PROCEED
from finassay.errors import InputError, UnknownNameError
from finassay.marking.ask_outcomes import ALIGNMENT_BASELINE, AskOutcomes, StateOutcome
from finassay.records import JUDGE_PREFIX, Item
from finassay.runs.importers.ask_tables import AskTable

POLICIES = (ALWAYS_ASK, ALWAYS_PROCEED)
PRINTED = "printed"


@dataclass(frozen=True, slots=True, kw_only=True)
class AskSettings:
    """How a report is made.

    Attributes:
        evaluators: systems that judged requests; they are shown and compared with nobody.
        sizes: ask and proceed states behind a table, where its source states them.
        level: confidence level.
        draws: resamples of trajectories.
        seed: of the resamples.
    """

    evaluators: tuple[str, ...] = ()
    sizes: tuple[int, int] | None = None
    level: float = 0.95
    draws: int = 2000
    seed: int = 0


def report_of_states(found: AskOutcomes, settings: AskSettings) -> AskReport:
    """Return the report on a study of states.

    A system with the name, or the model, of the judge `judge/NAME` counts as the evaluator even
    where nobody says so.

    Raises:
        UnknownNameError: an evaluator is none of the systems.
    """
    evaluators = _evaluators(found, settings)
    n_ask = sum(item.reference == ASK for item in found.states)
    n_proceed = len(found.states) - n_ask
    outcomes = {name: _outcomes(found, name) for name in found.outcomes}
    exact: dict[str, Exact] = {name: ask_metrics(one) for name, one in outcomes.items()}
    rows = [
        replace(_system_row(found, name, outcomes[name], settings), is_evaluator=name in evaluators)
        for name in found.outcomes
    ]
    whole = [row.system for row in rows if row.counts is not None and not row.counts.missing]
    outside = evaluators | found.controls
    compared = {name: exact[name] for name in whole if name not in outside}
    reference = policies(n_ask, n_proceed)
    report = _assembled(
        (found.name, found.alignment),
        (rows, reference),
        (compared, (n_ask, n_proceed)),
        settings,
    )
    report = replace(report, warnings=_warnings_of_states(found, rows))
    return replace(report, findings=ask_findings(report))


def _evaluators(found: AskOutcomes, settings: AskSettings) -> frozenset[str]:
    _require_systems(settings.evaluators, found.outcomes)
    judge = found.alignment.removeprefix(JUDGE_PREFIX)
    own = {
        name
        for name in found.outcomes
        if judge != found.alignment and judge in {name, found.models.get(name)}
    }
    return frozenset(settings.evaluators) | own


def _require_systems(names: Sequence[str], systems: Mapping[str, object]) -> None:
    unknown = [name for name in names if name not in systems]
    if unknown:
        raise UnknownNameError(
            f"the evaluator {unknown[0]!r} is none of the systems: {', '.join(systems) or 'none'}"
        )


def _outcomes(found: AskOutcomes, system: str) -> list[Outcome]:
    """Return what a system did at the states with a reply."""
    states = {item.item_id: item for item in found.states}
    return [
        Outcome(
            trajectory=_trajectory(states[one.item_id]),
            recorded=states[one.item_id].reference or "",
            action=one.action,
            z=_credit(states[one.item_id], one),
        )
        for one in found.outcomes[system]
        if one.action is not None
    ]


def _trajectory(item: Item) -> str:
    return dict(item.strata).get(TRAJECTORY) or item.item_id


def _credit(item: Item, outcome: StateOutcome) -> Fraction:
    """Return z: the alignment of a usable request at an ask state, else 0 (equation 13)."""
    usable = outcome.action == ASK and not outcome.is_faulty and item.reference == ASK
    return outcome.alignment if usable and outcome.alignment is not None else Fraction(0)


def _system_row(
    found: AskOutcomes, system: str, outcomes: Sequence[Outcome], settings: AskSettings
) -> AskRow:
    counts = _counts(found, system, outcomes)
    scores = scores_of(ask_metrics(outcomes))
    at_best = None
    if scores.era is not None:
        at_best = scores.era + counts.unaligned / counts.n_ask
    return AskRow(
        system=system,
        is_policy=False,
        is_evaluator=False,
        scores=scores,
        by_trajectory=scores_of(trajectory_metrics(outcomes)),
        intervals=ask_intervals(
            outcomes, level=settings.level, draws=settings.draws, seed=settings.seed
        ),
        counts=counts,
        era_if_aligned=at_best,
    )


def _counts(found: AskOutcomes, system: str, outcomes: Sequence[Outcome]) -> AskCounts:
    recorded = {item.item_id: item.reference for item in found.states}
    told = found.outcomes[system]
    on_ask = [one for one in outcomes if one.recorded == ASK]
    usable = [one for one in told if one.action == ASK and not one.is_faulty]
    return AskCounts(
        n_ask=len(on_ask),
        n_proceed=len(outcomes) - len(on_ask),
        n_trajectories=len({one.trajectory for one in outcomes}),
        asked=sum(one.action == ASK for one in on_ask),
        went_on=sum(one.recorded == PROCEED == one.action for one in outcomes),
        direct=sum(one.z == 1 for one in on_ask),
        partial=sum(0 < one.z < 1 for one in on_ask),
        invalid=sum(one.action == "invalid" for one in outcomes),
        faulty=sum(one.is_faulty for one in told),
        unaligned=sum(recorded[one.item_id] == ASK and one.alignment is None for one in usable),
        failed=sum(one.action is None for one in told),
        missing=len(found.states) - len(told),
    )


def _warnings_of_states(found: AskOutcomes, rows: Sequence[AskRow]) -> tuple[str, ...]:
    warnings = []
    if found.alignment == ALIGNMENT_BASELINE:
        warnings.append(
            f"alignment is that of {ALIGNMENT_BASELINE}, which compares words with the hidden "
            f"needs; import verdicts of people or of a judge for a claim about requests"
        )
    controls = [row.system for row in rows if row.system in found.controls]
    if controls:
        warnings.append(
            f"shown as controls and compared with nobody, since they read the accepted answers: "
            f"{', '.join(controls)}"
        )
    partly = [row.system for row in rows if row.counts is not None and row.counts.missing]
    if partly:
        warnings.append(
            f"left out of comparisons, since some states have no prediction: {', '.join(partly)}"
        )
    bare = [row.system for row in rows if row.counts is not None and row.counts.unaligned]
    if bare:
        warnings.append(
            f"requests without a verdict of {found.alignment} count 0: {', '.join(bare)}"
        )
    return tuple(warnings)


def report_of_table(table: AskTable, settings: AskSettings) -> AskReport:
    """Return the report on a table of printed metrics.

    Rows marked as the evaluator, and those that the settings name, are shown and not compared.
    Rows named as the reference policies are taken for these.

    Raises:
        InputError: a cell is no number.
        UnknownNameError: an evaluator is none of the rows.
    """
    named = {row.system: row for row in table.rows}
    _require_systems(settings.evaluators, named)
    read = printed_rows(table)
    own = [row for row in read if row.system not in POLICIES]
    check = check_printed(own, sizes=settings.sizes)
    evaluators = {name for name, row in named.items() if row.is_evaluator}
    evaluators |= set(settings.evaluators)
    compared = {row.system: row.values for row in own if row.system not in evaluators}
    sizes = None
    if check.n_ask is not None and check.n_proceed is not None:
        sizes = check.n_ask, check.n_proceed
    reference: Mapping[str, Exact] = (
        policies(*sizes)
        if sizes is not None
        else {row.system: row.values for row in read if row.system in POLICIES}
    )
    rows = [_bare_row(row.system, row.values, is_evaluator=row.system in evaluators) for row in own]
    report = _assembled((table.name, PRINTED), (rows, reference), (compared, sizes), settings)
    report = replace(
        report,
        source="table",
        printed=check,
        draws=0,
        warnings=("printed metrics alone: no interval can be given, and no reply was read",),
    )
    return replace(report, findings=ask_findings(report))


def _bare_row(
    system: str, values: Exact, *, is_evaluator: bool = False, is_policy: bool = False
) -> AskRow:
    return AskRow(
        system=system,
        is_policy=is_policy,
        is_evaluator=is_evaluator,
        scores=scores_of(values),
        by_trajectory=None,
        intervals=(),
        counts=None,
        era_if_aligned=None,
    )


def printed_rows(table: AskTable) -> tuple[PrintedRow, ...]:
    """Return the rows of a table as exact fractions; percents where any number is above 1.

    Raises:
        InputError: a cell is neither a number nor a dash.
    """
    cells = {
        (row.system, metric): _read(text, f"{table.name}: {metric} of {row.system}")
        for row in table.rows
        for metric, text in row.cells.items()
        if text is not None
    }
    is_percent = any(cell.value > 1 for cell in cells.values())
    scale = 100 if is_percent else 1
    found = []
    for row in table.rows:
        own: dict[Metric, Fraction | None] = dict.fromkeys(METRICS)
        decimals = []
        for metric in METRICS:
            cell = cells.get((row.system, metric))
            if cell is not None:
                own[metric] = cell.value / scale
                decimals.append(cell.decimals)
        unit = Fraction(1, scale * 10 ** max(decimals, default=0))
        found.append(PrintedRow(system=row.system, values=own, unit=unit))
    return tuple(found)


def _read(text: str, where: str) -> Printed:
    found = read_printed(text)
    if found is None:
        raise InputError(f"{where}: expected a number or a dash, got {text!r}")
    return found


def _assembled(
    named: tuple[str, str],
    shown: tuple[Sequence[AskRow], Mapping[str, Exact]],
    compared: tuple[Mapping[str, Exact], tuple[int, int] | None],
    settings: AskSettings,
) -> AskReport:
    """Return a report of states, without findings and warnings.

    Args:
        named: name, and scorer id of the alignment.
        shown: rows of systems, and exact metrics of the reference policies.
        compared: exact metrics of the systems compared, and ask and proceed states.
        settings: how the report is made.
    """
    rows, reference = shown
    systems, sizes = compared
    by_era = sorted(rows, key=lambda row: (row.scores.era is None, -(row.scores.era or 0.0)))
    return AskReport(
        source="states",
        name=named[0],
        alignment=named[1],
        n_ask=None if sizes is None else sizes[0],
        n_proceed=None if sizes is None else sizes[1],
        level=settings.level,
        draws=settings.draws,
        seed=settings.seed,
        rows=(
            *by_era,
            *(_bare_row(name, one, is_policy=True) for name, one in reference.items()),
        ),
        compared=tuple(row.system for row in by_era if row.system in systems),
        near_pairs=near_pairs(systems),
        asymmetry=recall_asymmetry(systems),
        ranks=ask_ranks(systems),
        correlations=metric_correlations(systems),
        costs=_costs({**systems, **reference}, sizes),
        printed=None,
        findings=(),
        warnings=(),
    )


def _costs(systems: Mapping[str, Exact], sizes: tuple[int, int] | None) -> tuple[CostCurves, ...]:
    if sizes is None or not sum(sizes):
        return ()
    ask_share = Fraction(sizes[0], sum(sizes))
    return (
        cost_curves(systems, ask_share, "action"),
        cost_curves(systems, ask_share, "evidence"),
    )
