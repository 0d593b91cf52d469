"""The command that chooses a scorer by its agreement with people."""

from __future__ import annotations

import json as json_text
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from finassay.apps.cli import show
from finassay.apps.cli.options import Encoding, JsonTarget, NoText, Strict, scorer_or_spec, writable
from finassay.errors import UsageError

if TYPE_CHECKING:
    from finassay.analyses.results_calibration import Calibration
    from finassay.marking.grids import Family
    from finassay.runs.importers.labelled import LabelledColumns, LabelledTable

DEFAULT = "financial"


TableFile = Annotated[
    Path, typer.Argument(metavar="TABLE", help="CSV, JSONL, JSON or Parquet file of replies.")
]
ReferenceColumn = Annotated[str, typer.Option(metavar="COL", help="Column of accepted answers.")]
ReplyColumn = Annotated[str, typer.Option(metavar="COL", help="Column of replies.")]
LabelColumn = Annotated[str, typer.Option(metavar="COL", help="Column of people's labels.")]
PositiveLabels = Annotated[
    list[str], typer.Option(metavar="LABEL", help="Label that means right; repeat for more.")
]
GroupColumn = Annotated[
    str,
    typer.Option(
        metavar="COL", help="Column whose rows hang together, as the question; one fold each."
    ),
]
QuestionColumn = Annotated[
    str | None, typer.Option(metavar="COL", help="Column of questions, for scorers that read.")
]
Strata = Annotated[
    list[str] | None,
    typer.Option(
        metavar="COL|COND",
        help="Also for each value of a column, or for rows that meet conditions, as "
        "reference-type=text,label!=Refusal; reference-type is number or text; repeat.",
    ),
]
Conditions = Annotated[
    list[str] | None,
    typer.Option(metavar="COND", help="Only rows that meet conditions, as in --stratum."),
]
Candidates = Annotated[
    list[str] | None,
    typer.Option(
        metavar="ID|@FILE",
        help=f"Scorer to calibrate over the values of its policies; {DEFAULT} by default.",
    ),
]
GridFile = Annotated[
    Path | None,
    typer.Option(metavar="FILE.toml", help="Values to try: scorer ids, fields, lists."),
]
UsualPeers = Annotated[
    bool, typer.Option("--peers", help="Put published rules and single features beside it.")
]
NamedPeers = Annotated[
    list[str] | None,
    typer.Option(metavar="ID", help="Put this scorer beside it too, as embedding; repeat."),
]
Folds = Annotated[int, typer.Option(help="Folds of the cross-validation.")]
Seed = Annotated[int, typer.Option(help="Seed of folds and resamples.")]
Resamples = Annotated[int, typer.Option(help="Resamples of the groups.")]
SpecTarget = Annotated[
    str | None,
    typer.Option(
        metavar="FILE", callback=writable, help="Write the chosen scorer, for --scorer @FILE."
    ),
]


def calibrate(
    table: TableFile,
    reference: ReferenceColumn,
    reply: ReplyColumn,
    label: LabelColumn,
    positive: PositiveLabels,
    group: GroupColumn,
    question: QuestionColumn = None,
    stratum: Strata = None,
    only: Conditions = None,
    scorer: Candidates = None,
    grid: GridFile = None,
    peers: UsualPeers = False,
    peer: NamedPeers = None,
    folds: Folds = 5,
    seed: Seed = 0,
    resamples: Resamples = 10_000,
    write_spec: SpecTarget = None,
    encoding: Encoding = "utf-8",
    strict: Strict = False,
    no_text: NoText = False,
    json: JsonTarget = None,
) -> None:
    """Choose a scorer by its agreement with people.

    Thresholds and policies are chosen by kappa in nested cross-validation over groups of rows;
    every figure is of rows that chose nothing.
    """
    from finassay.analyses import calibration_table
    from finassay.analyses.calibration import CalibrationSettings
    from finassay.runs.importers.labelled import LabelledColumns

    _require_own_files(table, write_spec, json)
    settings = CalibrationSettings(folds=folds, seed=seed, resamples=resamples)
    families = _families(scorer, grid)
    beside, absent = _peers(peer or [], families, usual=peers)
    known = {reference, label, group, question or label}
    columns = LabelledColumns(
        reference=reference,
        reply=reply,
        label=label,
        group=group,
        question=question or "",
        strata=_stratum_columns((*(stratum or ()), *(only or ())), known),
    )
    read = _read(table, columns, encoding, strict=strict)
    plan = calibration_table.CalibrationPlan(
        positive=tuple(positive),
        families=(*families, *beside),
        strata=tuple(stratum or ()),
        settings=settings,
        absent=absent,
        only=tuple(only or ()),
        no_text=no_text,
    )
    with show.steps("marking") as progress:
        found = calibration_table.calibrate(read, plan, progress=progress)
    if write_spec is not None:
        show.write_json(json_text.loads(found.spec), write_spec)
    show.result("calibrate", found, json, _lines(found, write_spec))


def _require_own_files(table: Path, write_spec: str | None, json: str | None) -> None:
    """Raise if one file is to be both read and written, or written twice."""
    taken = {table.resolve(): "TABLE"}
    for option, target in (("--write-spec", write_spec), ("--json", json)):
        if target is None:
            continue
        place = Path(target).resolve()
        if place in taken:
            raise UsageError(
                f"{option} must name a file of its own, got {target!r}, which is that of "
                f"{taken[place]} too; name another file"
            )
        taken[place] = option


def _families(scorers: list[str] | None, grid: Path | None) -> tuple[Family, ...]:
    """Return the candidates: those of the grid, and the scorers named over their own values."""
    from finassay.marking.grids import family_of, read_grid
    from finassay.marking.single import as_scorer

    declared = () if grid is None else read_grid(grid)
    named = scorers or ([] if declared else [DEFAULT])
    families = (
        *(family_of(scorer, options) for scorer, options in declared),
        *(family_of(as_scorer(scorer_or_spec(name))) for name in named),
    )
    names = [family.name for family in families]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise UsageError(
            f"the scorer {twice[0]!r} was asked for twice, by --scorer or --grid; ask for it once"
        )
    return families


def _peers(
    named: list[str], families: tuple[Family, ...], *, usual: bool
) -> tuple[tuple[Family, ...], tuple[tuple[str, str], ...]]:
    """Return the peers that are no candidates themselves, and why others are absent."""
    from finassay.marking.peers import PEERS, peer_families
    from finassay.marking.single import as_scorer

    for name in named:
        as_scorer(name)  # a name that was mistyped is an error, and no absent peer
    found, absent = peer_families((*(PEERS if usual else ()), *named))
    own = {family.name for family in families}
    return tuple(peer for peer in found if peer.name not in own), absent


def _stratum_columns(strata: tuple[str, ...], known: set[str]) -> tuple[str, ...]:
    """Return the columns that strata name, besides those that have another part already."""
    from finassay.analyses.calibration_table import stratum_columns
    from finassay.runs.importers.labelled import REFERENCE_TYPE

    named = [column for asked in strata for column in stratum_columns(asked)]
    return tuple(dict.fromkeys(c for c in named if c != REFERENCE_TYPE and c not in known))


def _read(table: Path, columns: LabelledColumns, encoding: str, *, strict: bool) -> LabelledTable:
    from finassay.runs.importers.labelled import read_labelled

    with show.transfer("reading") as progress:
        return read_labelled(table, columns, encoding=encoding, strict=strict, progress=progress)


def _lines(found: Calibration, written: str | None) -> list[str]:
    from finassay.reports.plain import table_lines
    from finassay.reports.tables_calibration import calibration_tables, notes

    lines: list[str] = []
    for table in calibration_tables(found):
        lines += [*table_lines(table), ""]
    lines += notes(found)
    return lines if written is None else [*lines, f"The chosen scorer is written to {written}"]
