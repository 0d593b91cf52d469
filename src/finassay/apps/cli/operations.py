"""The command that says which system to take for which operation."""

from __future__ import annotations

import shlex
import sys
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from finassay.apps.cli import show
from finassay.apps.cli.audit import Policy, require_directory, unscored_policy
from finassay.apps.cli.evidence import Cluster, Draws, Level, ScorerOption, Seed
from finassay.apps.cli.options import JsonTarget
from finassay.errors import UsageError

if TYPE_CHECKING:
    from finassay.analyses.operations.printed import TablesRequest
    from finassay.analyses.operations.results import OperationsResult
    from finassay.analyses.operations.selection import SelectionSettings
    from finassay.study.snapshot import Snapshot

SourcePath = Annotated[
    Path,
    typer.Argument(
        metavar="PATH",
        help="A study, a table of scores, a folder of tables, or finriskatlas for printed ones.",
    ),
]
Knowledge = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME", help="Column of the knowledge score, or families of it; repeat."),
]
Operations = Annotated[
    list[str] | None,
    typer.Option("--operation", metavar="NAME", help="Look at this operation only; repeat."),
]
Judged = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME", help="Operation of a table that a system judged; repeat."),
]
Evaluators = Annotated[
    list[str] | None,
    typer.Option("--evaluator", metavar="SYSTEM", help="System that judged; repeat."),
]
LeftOut = Annotated[
    list[str] | None,
    typer.Option("--leave-out", metavar="SYSTEM", help="Leave a system out of all; repeat."),
]
Within = Annotated[
    str,
    typer.Option(metavar="POINTS", help="Keep systems so far below the cut of a shortlist too."),
]
Near = Annotated[
    str, typer.Option(metavar="POINTS", help="Difference in knowledge of systems called near.")
]
PageDirectory = Annotated[
    Path | None, typer.Option(help="Also write a page with figures to this directory.")
]


def operations(
    path: SourcePath,
    knowledge: Knowledge = None,
    operation: Operations = None,
    judged: Judged = None,
    evaluator: Evaluators = None,
    leave_out: LeftOut = None,
    within: Within = "0",
    near: Near = "0.5",
    scorer: ScorerOption = None,
    unscored: Policy = None,
    cluster: Cluster = None,
    level: Level = 0.95,
    draws: Draws = 2000,
    seed: Seed = 0,
    out: PageDirectory = None,
    json: JsonTarget = None,
) -> None:
    """Say which system to take for which operation.

    What a shortlist by a broad knowledge score would cost in each operation, how far operations
    rank systems alike, and how sure the items allow to be; from verdicts of a study under each of
    its rules, or from printed tables.
    """
    from finassay.analyses.operations.from_study import StudyRequest, operations_of_study
    from finassay.analyses.operations.printed import TablesRequest
    from finassay.marking.view import view_study
    from finassay.reports.terminal_operations import operation_lines

    settings = _settings(within, near, level, draws, seed)
    if out is not None:
        require_directory(out)
    snapshot = _study(path)
    if snapshot is not None and snapshot.frame("verdicts").height:
        if judged:
            raise UsageError(
                "--judged is for tables; in a study the rule says who judged"
                "; leave it out, or choose the rule with --scorer"
            )
        request = StudyRequest(
            rule=scorer,
            policy=unscored_policy(unscored),
            knowledge=tuple(knowledge or ()),
            operations=tuple(operation or ()),
            evaluators=tuple(evaluator or ()),
            leave_out=tuple(leave_out or ()),
            clusters=tuple(cluster or ()),
        )
        found = operations_of_study(view_study(snapshot), request, settings)
    else:
        _refuse_without_verdicts(path, scorer=scorer, unscored=unscored, cluster=cluster)
        asked = TablesRequest(
            knowledge=_one(knowledge),
            operations=tuple(operation or ()),
            judged=tuple(judged or ()),
            evaluators=tuple(evaluator or ()),
            leave_out=tuple(leave_out or ()),
        )
        found = _printed(path, snapshot, asked, settings)
    show.result("operations", found, json, operation_lines(found))
    if out is not None:
        _write_page(found, out, json)


def _settings(within: str, near: str, level: float, draws: int, seed: int) -> SelectionSettings:
    from finassay.analyses.operations.selection import SelectionSettings

    return SelectionSettings(
        within=_points("--within", within),
        near=_points("--near", near),
        level=level,
        draws=draws,
        seed=seed,
    )


def _refuse_without_verdicts(path: Path, **given: object) -> None:
    """Refuse options that say how verdicts are taken where only printed scores are."""
    for option, value in given.items():
        if value:
            raise UsageError(f"--{option} needs verdicts, and {str(path)!r} holds printed scores")


def _write_page(found: OperationsResult, out: Path, json: str | None) -> None:
    from finassay.reports.operations_page import write_operations

    written = write_operations(found, out, (shlex.join(["finassay", *sys.argv[1:]]),))
    show.lines([f"written: {', '.join(map(str, written))}"], json)


def _points(option: str, text: str) -> Decimal:
    try:
        return Decimal(text)
    except InvalidOperation as error:
        raise UsageError(f"{option} takes a number of points such as 0.5, got {text!r}") from error


def _one(names: list[str] | None) -> str | None:
    if names is not None and len(names) > 1:
        raise UsageError(
            f"--knowledge names one column of a table, got {len(names)} columns; name one"
        )
    return names[0] if names else None


def _study(path: Path) -> Snapshot | None:
    """Return the study at a path; None where there is none."""
    from finassay.study import Study
    from finassay.study.config import CONFIG_NAME

    return Study.open(path).snapshot() if (path / CONFIG_NAME).is_file() else None


def _printed(
    path: Path, snapshot: Snapshot | None, asked: TablesRequest, settings: SelectionSettings
) -> OperationsResult:
    """Return selection from the printed scores of a study, of files, or of the package."""
    from finassay.analyses.operations.printed import operations_of_tables
    from finassay.benchmarks.finriskatlas import FINRISKATLAS, SOURCE, load_finriskatlas
    from finassay.marking.view import view_study
    from finassay.runs.importers.score_tables import read_score_tables

    if snapshot is not None:
        view = view_study(snapshot, needs_verdicts=False)
        tables = {
            name: tuple(score for score in view.reported if score.table == name)
            for name in dict.fromkeys(score.table for score in view.reported)
        }
        return operations_of_tables(tables, asked, settings, source=view.name)
    if str(path) == FINRISKATLAS and not path.exists():
        return operations_of_tables(
            load_finriskatlas(), asked, settings, source=f"{SOURCE}, tables 8 to 11"
        )
    found, left = read_score_tables(path)
    return operations_of_tables(found, asked, settings, source=str(path), warnings=left)
