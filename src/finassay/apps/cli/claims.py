"""The command that checks declared claims.  In: a study and a file.  Out: holds or depends."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from finassay.apps.cli import show
from finassay.apps.cli.audit import Policy, Ranks, rank_convention, unscored_policy
from finassay.apps.cli.options import JsonTarget, StudyPath

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


def claims(
    study: StudyPath,
    file: ClaimsPath,
    base: Base = None,
    unscored: Policy = None,
    ranks: Ranks = "competition",
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
    )
    show.result("claims", found, json, claim_lines(found))
