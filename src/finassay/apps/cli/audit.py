"""Commands that audit: a study, raw files, or the bundled demonstration."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from finassay.apps.cli import show
from finassay.apps.cli.options import Encoding, JsonTarget, NoText, Strict, StudyPath
from finassay.errors import UsageError
from finassay.records import UNSCORED_POLICIES, Unscored

if TYPE_CHECKING:
    from finassay.analyses.results_scores import RankConvention
    from finassay.reports.workflow import AuditSettings
    from finassay.study import Study

OutDirectory = Annotated[Path, typer.Option("--out", help="Directory of the report.")]
Policy = Annotated[
    str | None,
    typer.Option(
        "--unscored",
        help="Verdicts without a value: bounds (best and worst case), wrong, or exclude; "
        "by default as the study says.",
    ),
]
Ranks = Annotated[
    str, typer.Option(help="Rank convention shown first: competition, dense, average, ordinal.")
]


def audit(
    study: StudyPath,
    paths: Annotated[
        list[str] | None,
        typer.Argument(metavar="PATH", help="Raw tables to import first."),
    ] = None,
    items: Annotated[Path | None, typer.Option(help="File of items, with raw tables.")] = None,
    scorer_column: Annotated[
        list[str] | None,
        typer.Option(metavar="COLUMN=ID", help="Scorer id of a column of verdicts."),
    ] = None,
    out: OutDirectory = Path("report"),
    scorer: Annotated[
        list[str] | None, typer.Option(metavar="ID", help="Mark with this scorer; repeat.")
    ] = None,
    primary: Annotated[
        str | None, typer.Option(metavar="ID", help="Rule of the first leaderboard.")
    ] = None,
    unscored: Policy = None,
    ranks: Ranks = "competition",
    encoding: Encoding = "utf-8",
    strict: Strict = False,
    no_text: NoText = False,
    json: JsonTarget = None,
) -> None:
    """Mark a study under every rule; report what changes.

    With PATH... the tables are imported first, so one command leads from raw files to report.html.
    """
    from finassay.study import Study

    settings = _settings(scorer, primary, unscored, ranks)
    if paths or items:
        from finassay.apps.cli.tables import read_tables, scorer_columns
        from finassay.runs.importers.auto import Request
        from finassay.runs.importers.options import ImportOptions

        request = Request(
            paths=tuple(paths or ()),
            items=items,
            benchmark=items.stem if items else "benchmark",
            scorers=scorer_columns(scorer_column or []),
            options=ImportOptions(encoding=encoding, strict=strict),
        )
        show.lines(read_tables(study, request).to_lines(), json)
    _report(Study.open(study), settings, out=out, no_text=no_text, json=json)


def demo(
    study: Annotated[Path, typer.Option(help="Directory of the study to build.")] = Path(
        "demo-study"
    ),
    out: OutDirectory = Path("demo-report"),
    json: JsonTarget = None,
) -> None:
    """Audit the bundled benchmark: no network, no model.

    The items are answered by baseline systems that ship with Finassay; the report says what
    they are.
    """
    from finassay.reports.workflow import demo_study

    built = demo_study(study)
    _report(built, _settings(None, None, None, "competition"), out=out, no_text=False, json=json)


def _settings(
    scorers: list[str] | None, primary: str | None, unscored: str | None, ranks: str
) -> AuditSettings:
    from finassay.reports.workflow import AuditSettings

    fields = {"scorers": tuple(scorers)} if scorers else {}
    return AuditSettings(
        primary=primary,
        policy=unscored_policy(unscored),
        rank_convention=_convention(ranks),
        commands=(shlex.join(["finassay", *sys.argv[1:]]),),
        **fields,
    )


def unscored_policy(text: str | None) -> Unscored | None:
    """Return the policy of that name, or None for None."""
    for policy in UNSCORED_POLICIES:
        if text == policy:
            return policy
    if text is None:
        return None
    raise UsageError(f"--unscored must be one of {', '.join(UNSCORED_POLICIES)}, got {text!r}")


def _convention(text: str) -> RankConvention:
    conventions: tuple[RankConvention, ...] = ("competition", "dense", "average", "ordinal")
    for convention in conventions:
        if text == convention:
            return convention
    raise UsageError(f"--ranks must be one of {', '.join(conventions)}, got {text!r}")


def _report(
    study: Study, settings: AuditSettings, *, out: Path, no_text: bool, json: str | None
) -> None:
    from finassay.apps.cli.marking import left_out
    from finassay.reports.json import audit_object
    from finassay.reports.terminal import terminal
    from finassay.reports.workflow import audit_study, write_audit

    with show.steps("marking") as progress:
        marked, found = audit_study(study, settings, progress=progress)
    written = write_audit(found, out, no_text=no_text)
    done = [*left_out(marked.marking), f"written: {written[0]} and {len(written) - 1} more"]
    texts = [terminal(found), "", *done]
    show.lines(texts, json)
    if json is not None:
        show.write_json(audit_object(found, no_text=no_text), json)
