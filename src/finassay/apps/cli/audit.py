"""Commands that audit: a study, raw files, or the bundled demonstration."""

from __future__ import annotations

import os
import shlex
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from finassay.apps.cli import show
from finassay.apps.cli.completions import complete_scorer
from finassay.apps.cli.options import (
    BenchmarkName,
    Encoding,
    ItemsFile,
    JsonTarget,
    KindName,
    Mapped,
    NoText,
    Strict,
    StudyPath,
    SystemName,
    optional_scorer_id,
    scorer_or_spec,
)
from finassay.apps.cli.tables import read_tables, scorer_columns, system_kind
from finassay.errors import UsageError
from finassay.records import (
    IMPORTED_PREFIX,
    JUDGE_PREFIX,
    PERSON_PREFIX,
    STORED,
    UNSCORED_POLICIES,
    Unscored,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from finassay.analyses.results_scores import RankConvention
    from finassay.reports.workflow import AuditSettings
    from finassay.scorers.base import Scorer
    from finassay.study import Study

OUTSIDE_PREFIXES = (JUDGE_PREFIX, PERSON_PREFIX, IMPORTED_PREFIX)
REGIMES = "regime/"

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
RawTables = Annotated[
    list[str] | None, typer.Argument(metavar="PATH", help="Raw tables to import first.")
]
ScorerColumns = Annotated[
    list[str] | None,
    typer.Option(metavar="COLUMN=ID", help="Scorer id of a column of verdicts in the raw tables."),
]
Scorers = Annotated[
    list[str] | None,
    typer.Option(
        metavar="ID|@FILE", help="Mark with this scorer; repeat.", autocompletion=complete_scorer
    ),
]
Primary = Annotated[
    str | None,
    typer.Option(
        metavar="ID",
        help="Rule of the first leaderboard; by default `stored` where the study holds it, "
        "else `strict/numbers-first`.",
        autocompletion=complete_scorer,
    ),
]
Multiverse = Annotated[
    bool,
    typer.Option(
        help="Also mark under every rule of the grid that ships (some seconds more); "
        "`finassay multiverse` has all the options.",
    ),
]
Judge = Annotated[
    str | None,
    typer.Option(
        metavar="ID", help="Judge of the report and its regimes; by default the first by name."
    ),
]


def audit(
    study: StudyPath,
    paths: RawTables = None,
    items: ItemsFile = None,
    scorer_column: ScorerColumns = None,
    map_: Mapped = None,
    system: SystemName = None,
    kind: KindName = "model",
    benchmark: BenchmarkName = None,
    out: OutDirectory = Path("report"),
    scorer: Scorers = None,
    primary: Primary = None,
    judge: Judge = None,
    unscored: Policy = None,
    ranks: Ranks = "competition",
    multiverse: Multiverse = False,
    encoding: Encoding = "utf-8",
    strict: Strict = False,
    no_text: NoText = False,
    json: JsonTarget = None,
) -> None:
    """Mark a study under every rule; report what changes.

    With PATH... the tables are imported first, so one command leads from raw files to report.html.
    """
    from finassay.study import Study

    settings = replace(
        audit_settings(scorer, primary, unscored, ranks, judge), multiverse=multiverse
    )
    require_directory(out)
    if paths or items:
        from finassay.runs.importers.auto import Request
        from finassay.runs.importers.mapping import read_map
        from finassay.runs.importers.options import ImportOptions

        request = Request(
            paths=tuple(paths or ()),
            items=items,
            benchmark=benchmark or (items.stem if items else "benchmark"),
            scorers=scorer_columns(scorer_column or []),
            options=ImportOptions(
                name=system,
                kind=system_kind(kind),
                mapping=read_map(map_ or []),
                encoding=encoding,
                strict=strict,
            ),
        )
        show.lines(read_tables(study, request).to_lines(), json)
    else:
        _refuse_unused(
            {
                "--map": map_,
                "--system": system,
                "--scorer-column": scorer_column,
                "--benchmark": benchmark,
                "--kind": kind != "model",
                "--encoding": encoding != "utf-8",
                "--strict": strict,
            }
        )
    report_study(Study.open(study), settings, out=out, no_text=no_text, json=json)


def _refuse_unused(given: Mapping[str, object]) -> None:
    """Refuse options that say how raw tables are read where there are none."""
    unused = [option for option, value in given.items() if value]
    if unused:
        raise UsageError(
            f"{', '.join(unused)}: for reading raw tables, and none was named; expected "
            f"`finassay audit STUDY PATH...`"
        )


def audit_settings(
    scorers: list[str] | None,
    primary: str | None,
    unscored: str | None,
    ranks: str,
    judge: str | None,
) -> AuditSettings:
    """Return the settings of an audit, once every rule in them is known to exist.

    Raises:
        UnknownNameError: there is no such scorer.
        UsageError: another setting cannot be used.
    """
    from finassay.reports.workflow import AuditSettings

    rules = tuple(scorer_or_spec(name) for name in scorers or ())
    for rule in rules:
        _require_rule(rule)
    if primary is not None and not primary.startswith((STORED, *OUTSIDE_PREFIXES, REGIMES)):
        _require_rule(scorer_or_spec(primary))
    if judge is not None and not judge.startswith(JUDGE_PREFIX):
        raise UsageError(f"--judge takes a scorer id that begins with judge/, got {judge!r}")
    settings = AuditSettings(
        primary=optional_scorer_id(primary),
        policy=unscored_policy(unscored),
        rank_convention=rank_convention(ranks),
        judge=judge,
        commands=(shlex.join(["finassay", *sys.argv[1:]]),),
    )
    return replace(settings, scorers=rules) if rules else settings


def _require_rule(rule: str | Scorer) -> None:
    from finassay.marking.single import as_scorer
    from finassay.scorers.composites import computable

    computable(as_scorer(rule))


def require_directory(path: Path) -> None:
    """Raise if no directory can stand at a path, so that a bad one is refused before the work.

    Raises:
        UsageError: it, or what it would stand in, is no directory or cannot be written to.
    """
    place = next(where for where in (path, *path.absolute().parents) if where.exists())
    if not (place.is_dir() and os.access(place, os.W_OK)):
        raise UsageError(
            f"--out must be a directory that can be written to, got {str(path)!r}; name another"
        )


def unscored_policy(text: str | None) -> Unscored | None:
    """Return the policy of that name, or None for None."""
    for policy in UNSCORED_POLICIES:
        if text == policy:
            return policy
    if text is None:
        return None
    raise UsageError(f"--unscored must be one of {', '.join(UNSCORED_POLICIES)}, got {text!r}")


def rank_convention(text: str) -> RankConvention:
    """Return the rank convention of that name."""
    conventions: tuple[RankConvention, ...] = ("competition", "dense", "average", "ordinal")
    for convention in conventions:
        if text == convention:
            return convention
    raise UsageError(f"--ranks must be one of {', '.join(conventions)}, got {text!r}")


def report_study(
    study: Study, settings: AuditSettings, *, out: Path, no_text: bool, json: str | None
) -> None:
    """Audit a study, write the report and print its summary."""
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
