"""The command that checks declared claims.  In: a study and a file.  Out: holds or depends."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from finassay.apps.cli import show
from finassay.apps.cli.audit import Policy, Ranks, rank_convention, unscored_policy
from finassay.apps.cli.options import JsonTarget, StudyPath

if TYPE_CHECKING:
    from finassay.analyses.claims.rules import Rule
    from finassay.marking.view import StudyView
    from finassay.study.snapshot import Snapshot

ClaimsPath = Annotated[
    Path, typer.Argument(metavar="CLAIMS.toml", help="File that declares the claims.")
]
Base = Annotated[
    str | None,
    typer.Option(
        metavar="ID",
        help="Rule from which counter-examples are measured, a scorer id or regime/NAME; by "
        "default the stored verdicts.",
    ),
]


WithGrid = Annotated[
    bool, typer.Option("--multiverse", help="Also check under every rule of a grid.")
]
GridPath = Annotated[
    Path | None,
    typer.Option(metavar="GRID.toml", help="Check under the rules of this grid as well."),
]
GridJudge = Annotated[
    str | None,
    typer.Option(metavar="ID", help="Judge of the grid, or none; by default the first by name."),
]


def claims(
    study: StudyPath,
    file: ClaimsPath,
    base: Base = None,
    unscored: Policy = None,
    ranks: Ranks = "competition",
    multiverse: WithGrid = False,
    grid: GridPath = None,
    judge: GridJudge = None,
    json: JsonTarget = None,
) -> None:
    """Check declared claims under every rule.

    Each claim holds under all rules of the study, fails under all, or depends on the rule; with
    the share, and the nearest rule that says otherwise.
    """
    from finassay.analyses.claims.declared import read_claims
    from finassay.analyses.claims.study_claims import study_claims
    from finassay.marking.reply_facts import reply_facts
    from finassay.marking.view import view_study
    from finassay.reports.terminal_claims import claim_lines
    from finassay.study import Study

    declared = read_claims(file)
    snapshot = Study.open(study).snapshot()
    view = view_study(snapshot)
    found = study_claims(
        view,
        declared,
        policy=unscored_policy(unscored),
        base=base,
        rank_convention=rank_convention(ranks),
        replies=reply_facts(snapshot, [item.item_id for item in view.items]),
        grid=_grid_rules(snapshot, view, grid, judge) if multiverse or grid is not None else (),
    )
    show.result("claims", found, json, claim_lines(found))


def _grid_rules(
    snapshot: Snapshot, view: StudyView, grid: Path | None, judge: str | None
) -> tuple[Rule, ...]:
    from finassay.analyses.claims.grid_rules import grid_rules
    from finassay.analyses.multiverse.from_study import MultiverseRequest, marked
    from finassay.marking.multiverse.grid_file import read_grid

    asked = MultiverseRequest(grid=None if grid is None else read_grid(grid), judge=judge)
    with show.steps("marking") as progress:
        return grid_rules(marked(snapshot, asked, progress=progress), view.items)
