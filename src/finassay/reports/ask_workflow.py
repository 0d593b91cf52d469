"""From states, or a printed table, to a report in one call.  In: a path.  Out: a report."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from pathlib import Path

from finassay.analyses.ask.report import AskSettings, report_of_states, report_of_table
from finassay.analyses.results_ask import AskReport, AskStates
from finassay.benchmarks.ask.bundled import ASK_BENCHMARK, load_ask_benchmark
from finassay.benchmarks.ask.prompts import Protocol, item_of
from finassay.benchmarks.ask.reading import read_states
from finassay.benchmarks.ask.retention import retain
from finassay.benchmarks.ask.states import ASK
from finassay.benchmarks.reported import load_reported
from finassay.errors import InputError
from finassay.integrations.ask_baselines import ASK_BASELINES
from finassay.integrations.baselines import run_baselines
from finassay.marking.ask_outcomes import (
    ACTION_SCORER,
    ALIGNMENT_BASELINE,
    AskOutcomes,
    ask_outcomes,
)
from finassay.marking.scoring import Progress, score_study
from finassay.records import ReportedScore
from finassay.runs.importers.ask_tables import AskTable, AskTableRow, is_ask_table, read_ask_table
from finassay.scorers.registry import is_imported
from finassay.study import Snapshot, Study

PUBLISHED = "finrisk-ask"
"""Name of the published table whose evaluator is known."""

_EVALUATED = "evaluator of the requests"


@dataclass(frozen=True, slots=True, kw_only=True)
class AskRequest:
    """What is asked of a report.

    Attributes:
        alignment: scorer id of the alignment of requests.
        action: scorer id of the action, `ask/action` with its parameters.
        settings: how the report is made.
    """

    alignment: str = ALIGNMENT_BASELINE
    action: str = ACTION_SCORER
    settings: AskSettings = field(default_factory=AskSettings)


def ask_study(
    study: Study, request: AskRequest, *, progress: Progress | None = None
) -> tuple[AskReport, AskOutcomes]:
    """Mark the states of a study, and return the report and the outcomes behind it.

    Verdicts that stand are kept; imported alignments are only read.

    Raises:
        MissingVerdictsError: the study holds no states, or no verdicts of the alignment.
        MarkingError: an alignment verdict is not 0, 0.5 or 1.
        UnknownNameError: the alignment is no scorer, or an evaluator no system.
    """
    rules = [request.action]
    if not is_imported(request.alignment):
        rules.append(request.alignment)
    score_study(study, scorers=rules, progress=progress)
    return ask_report_of(study.snapshot(), request)


def ask_report_of(snapshot: Snapshot, request: AskRequest) -> tuple[AskReport, AskOutcomes]:
    """Return the report on the verdicts that a study holds, and the outcomes behind it.

    Raises:
        MissingVerdictsError: the study holds no states, or no verdicts of the action or alignment.
        MarkingError: an alignment verdict is not 0, 0.5 or 1.
        UnknownNameError: an evaluator is no system.
    """
    found = ask_outcomes(snapshot, alignment=request.alignment, action=request.action)
    return report_of_states(found, request.settings), found


def alignments_in(snapshot: Snapshot) -> tuple[str, ...]:
    """Return the scorers of requests that a study holds verdicts of, sorted."""
    return tuple(name for name in snapshot.scorer_ids() if "alignment" in name)


def ask_table_report(path: str | os.PathLike[str], settings: AskSettings) -> AskReport:
    """Return the report on a table of printed metrics, or on the one in a directory.

    Where every row is printed alike in a published table whose evaluator is known, that evaluator
    is left out of comparisons, unless the settings name another; a warning says so.

    Raises:
        InputError: the file cannot be read, or a directory holds none or several.
        MappingError: a column that is needed is missing.
        UnknownNameError: an evaluator is none of the rows.
    """
    table = read_ask_table(_table_in(Path(path)))
    known = () if settings.evaluators else known_evaluators(table)
    report = report_of_table(table, replace(settings, evaluators=settings.evaluators or known))
    if not known:
        return report
    told = (
        f"the rows are those of {_source()}, so {', '.join(known)}, which evaluated the requests "
        f"there, is compared with nobody"
    )
    return replace(report, warnings=(*report.warnings, told))


def _published() -> tuple[ReportedScore, ...]:
    scores = load_reported(PUBLISHED)
    return tuple(score for score in scores if score.table == scores[0].table)


def _source() -> str:
    first = _published()[0]
    return f"{first.source}, {first.table}"


def _table_in(path: Path) -> Path:
    if not path.is_dir():
        return path
    found = [one for one in sorted(path.glob("*.csv")) if is_ask_table(one)]
    if len(found) != 1:
        raise InputError(
            f"{str(path)!r}: expected a study, or a folder with one CSV table of ask-or-proceed "
            f"metrics, found {len(found)}: {', '.join(one.name for one in found) or 'none'}"
        )
    return found[0]


def published_table() -> AskTable:
    """Return the published table of FinRisk-Ask, its evaluator marked, policies as rows."""
    by_row: dict[str, list[ReportedScore]] = {}
    for score in _published():
        by_row.setdefault(score.row, []).append(score)
    return AskTable(
        name=_source(),
        rows=tuple(
            AskTableRow(
                system=name,
                cells={score.column: score.printed for score in row},
                is_evaluator=any(score.note == _EVALUATED for score in row),
            )
            for name, row in by_row.items()
        ),
    )


def known_evaluators(table: AskTable) -> tuple[str, ...]:
    """Return the evaluator of a published table that holds every cell of a table, else nothing."""
    published = published_table()
    printed = {(row.system, key): text for row in published.rows for key, text in row.cells.items()}
    cells = {
        (row.system, metric): text
        for row in table.rows
        for metric, text in row.cells.items()
        if text is not None
    }
    if not cells or any(printed.get(key) != text for key, text in cells.items()):
        return ()
    there = {row.system for row in table.rows}
    return tuple(r.system for r in published.rows if r.is_evaluator and r.system in there)


def file_states(
    path: str | os.PathLike[str], study: str | Path | None, protocol: Protocol
) -> AskStates:
    """Read a file of states, keep those that the retention rules allow, and file them in a study.

    Args:
        path: JSON Lines or YAML.
        study: directory of the study, made if it is not there; None to file them nowhere.
        protocol: how replies are to name their action.

    Raises:
        InputError: the file cannot be read.
        UsageError: there is no such protocol.
    """
    file = Path(path)
    read = read_states(file)
    kept = retain(read)
    items = [item_of(state, benchmark=file.stem, protocol=protocol) for state in kept.states]
    if study is not None:
        name = Path(study).name
        Study.open_or_create(study, name=name, unscored="wrong").add_items(
            items, benchmark=file.stem
        )
    n_ask = sum(state.action == ASK for state in kept.states)
    return AskStates(
        file=file.name,
        n_read=len(read),
        n_ask=n_ask,
        n_proceed=len(kept.states) - n_ask,
        n_trajectories=len({state.trajectory_id for state in kept.states}),
        dropped=tuple((str(reason), n) for reason, n in kept.counts),
        states_dropped=tuple((one.state_id, one.reason, one.detail) for one in kept.dropped),
        study="" if study is None else str(study),
    )


def ask_demo_study(path: str | Path) -> Study:
    """Return a study of the bundled states, answered by the ask baselines.

    Args:
        path: directory of the study; made if it is not there, else brought up to date.
    """
    study = Study.open_or_create(path, name="Finassay ask or proceed", unscored="wrong")
    items = load_ask_benchmark()
    study.add_items(items, benchmark=ASK_BENCHMARK)
    run_baselines(study, items, ASK_BASELINES)
    return study
