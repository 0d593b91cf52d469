"""The command that compares systems pair by pair."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from finassay.apps.cli import show
from finassay.apps.cli.audit import Policy, unscored_policy
from finassay.apps.cli.completions import complete_scorer, complete_system
from finassay.apps.cli.options import (
    Address,
    EngineName,
    JsonTarget,
    StudyPath,
    Workers,
    optional_scorer_id,
)
from finassay.errors import UsageError

if TYPE_CHECKING:
    from finassay.analyses.kernels.families import Adjustment


def compare(
    study: StudyPath,
    systems: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[A B]", help="Two systems, by name.", autocompletion=complete_system
        ),
    ] = None,
    all_: Annotated[bool, typer.Option("--all", help="Every pair of complete systems.")] = False,
    scorer: Annotated[
        str | None,
        typer.Option(
            metavar="ID",
            help="Scorer, or regime/NAME; the primary rule by default.",
            autocompletion=complete_scorer,
        ),
    ] = None,
    cluster: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMN", help="Item column that makes clusters, as documents; repeat."
        ),
    ] = None,
    adjust: Annotated[str, typer.Option(help="none, bonferroni, holm, bh or by.")] = "bonferroni",
    family: Annotated[
        int | None, typer.Option(help="Tests in the family; by default the tests made.")
    ] = None,
    alpha: Annotated[float, typer.Option(help="Level at which a claim is made.")] = 0.05,
    person_scorer: Annotated[
        str | None,
        typer.Option(
            metavar="ID", help="Scorer of people's answers; that of --scorer, else strict."
        ),
    ] = None,
    unscored: Policy = None,
    draws: Annotated[int, typer.Option(help="Resamples where a test cannot be exact.")] = 100_000,
    seed: Annotated[int, typer.Option(help="Seed of what is drawn.")] = 0,
    engine: EngineName = "local",
    workers: Workers = None,
    address: Address = None,
    json: JsonTarget = None,
) -> None:
    """Test differences between systems: exact, paired, clustered, adjusted.

    Give two systems, or --all.  People are tested against every system with --all.
    """
    from finassay.analyses.compare import CompareSettings
    from finassay.analyses.compare_study import compare_study
    from finassay.analyses.from_study import choose_primary
    from finassay.marking.engines import open_engine
    from finassay.marking.view import view_study
    from finassay.reports.terminal_compare import comparison_lines
    from finassay.study import Study

    pairs = _pairs(systems or [], every=all_)
    view = view_study(Study.open(study).snapshot())
    with open_engine(engine, workers=workers, address=address) as runs:
        found = compare_study(
            view,
            rule=optional_scorer_id(scorer) or choose_primary(view.matrices),
            settings=CompareSettings(
                policy=unscored_policy(unscored) or view.unscored,
                clusters=tuple(name for part in cluster or [] for name in part.split(",")),
                adjust=_adjustment(adjust),
                family=family,
                alpha=alpha,
                draws=draws,
                seed=seed,
                engine=runs,
            ),
            pairs=pairs,
            person_rule=optional_scorer_id(person_scorer),
        )
    show.result("compare", found, json, comparison_lines(found))


def _pairs(systems: list[str], *, every: bool) -> list[tuple[str, str]] | None:
    if every and not systems:
        return None
    if len(systems) == 2 and not every:
        return [(systems[0], systems[1])]
    raise UsageError(
        f"name two systems, or ask for --all; got {len(systems)} names"
        f"{' and --all' if every else ''}"
    )


def _adjustment(text: str) -> Adjustment:
    from finassay.analyses.kernels.families import ADJUSTMENTS

    for method in ADJUSTMENTS:
        if text == method:
            return method
    raise UsageError(f"--adjust must be one of {', '.join(ADJUSTMENTS)}, got {text!r}")
