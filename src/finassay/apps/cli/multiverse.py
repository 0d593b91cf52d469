"""The command that marks a study under every rule of a grid."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from finassay.apps.cli import show
from finassay.apps.cli.audit import require_directory
from finassay.apps.cli.options import Address, EngineName, JsonTarget, StudyPath, Workers
from finassay.errors import UsageError

if TYPE_CHECKING:
    from finassay.marking.multiverse.dimensions import Task


GridFile = Annotated[
    Path | None,
    typer.Option(metavar="GRID.toml", help="Rules to try; by default the grid that ships."),
]
TaskName = Annotated[
    str | None, typer.Option(help="qa or labels; by default what the items ask for.")
]
BaseRule = Annotated[
    str | None,
    typer.Option(
        metavar="RULE",
        help="Base rule: dimension=choice,... or a scorer id; by default the grid's.",
    ),
]
JudgeName = Annotated[
    str | None,
    typer.Option(metavar="ID", help="Judge, or none; by default the first by name."),
]
UseWeights = Annotated[bool, typer.Option(help="Use the plausibilities that the grid declares.")]
UnscoredReplies = Annotated[
    str | None,
    typer.Option(help="Replies without a value, under every rule: wrong or exclude."),
]
KappaFloor = Annotated[
    float | None, typer.Option(help="Also show what holds under rules that agree with people.")
]
PeopleSource = Annotated[
    str | None,
    typer.Option(metavar="ID|FILE.csv", help="Whose labels: person/NAME, or a table of them."),
]
Clusters = Annotated[
    list[str] | None,
    typer.Option(metavar="COLUMN", help="Draw clusters of items that share this; repeat."),
]
Level = Annotated[float, typer.Option(help="Confidence level of intervals.")]
Alpha = Annotated[float, typer.Option(help="Level of the paired tests.")]
Draws = Annotated[int, typer.Option(help="Number of resamples, from 100 on.")]
Seed = Annotated[int, typer.Option(help="Seed of the resamples.")]
PageDirectory = Annotated[
    Path | None, typer.Option(help="Also write a page with figures to this directory.")
]


def multiverse(
    study: StudyPath,
    grid: GridFile = None,
    task: TaskName = None,
    base: BaseRule = None,
    judge: JudgeName = None,
    weights: UseWeights = True,
    unscored: UnscoredReplies = None,
    kappa_floor: KappaFloor = None,
    people: PeopleSource = None,
    cluster: Clusters = None,
    level: Level = 0.95,
    alpha: Alpha = 0.05,
    draws: Draws = 1000,
    seed: Seed = 0,
    out: PageDirectory = None,
    engine: EngineName = "local",
    workers: Workers = None,
    address: Address = None,
    json: JsonTarget = None,
) -> None:
    """Mark under every rule of a grid; say what holds.

    Ranges of accuracy and rank by rule, by chance and by both; the order that holds under every
    rule; which choice moves the score; the nearest rule that turns a leader or a pair over.
    """
    from finassay.analyses.multiverse.analysis import MultiverseSettings
    from finassay.analyses.multiverse.from_study import MultiverseRequest, multiverse_of_study
    from finassay.marking.engines import open_engine
    from finassay.marking.multiverse.grid_file import read_grid
    from finassay.reports.terminal_multiverse import multiverse_lines
    from finassay.study import Study

    if (kappa_floor is None) != (people is None):
        raise UsageError("--kappa-floor and --people go together: a floor needs someone's labels")
    settings = MultiverseSettings(
        level=level,
        alpha=alpha,
        draws=draws,
        seed=seed,
        cluster=tuple(name for part in cluster or [] for name in part.split(",")),
        floor=kappa_floor,
    )
    request = MultiverseRequest(
        grid=None if grid is None else read_grid(grid),
        task=_task(task),
        judge=judge,
        base=base,
        unscored=unscored,
        weighted=weights,
        people=people,
    )
    if out is not None:
        require_directory(out)
    snapshot = Study.open(study).snapshot()
    with (
        open_engine(engine, workers=workers, address=address) as runs,
        show.steps("marking") as progress,
    ):
        found = multiverse_of_study(
            snapshot, request, settings=settings, engine=runs, progress=progress
        )
    show.result("multiverse", found, json, multiverse_lines(found))
    if out is not None:
        from finassay.reports.multiverse_page import write_multiverse

        written = write_multiverse(found, out, (shlex.join(["finassay", *sys.argv[1:]]),))
        show.lines([f"written: {', '.join(map(str, written))}"], json)


def _task(text: str | None) -> Task | None:
    tasks: tuple[Task, ...] = ("qa", "labels")
    for one in tasks:
        if text == one:
            return one
    if text is None:
        return None
    raise UsageError(f"--task must be one of {', '.join(tasks)}, got {text!r}")
