"""Commands about people's labels: what to draw, sheets, import, progress, estimates."""

from __future__ import annotations

import getpass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from finassay.apps.cli import show
from finassay.apps.cli.completions import complete_system
from finassay.apps.cli.lists import split_ids
from finassay.apps.cli.options import Encoding, JsonTarget, LabelsUrl, StudyPath
from finassay.errors import UsageError

if TYPE_CHECKING:
    from finassay.reports.sheets.write import SheetFormat

DrawName = Annotated[str, typer.Argument(metavar="DRAW", help="Name of the draw.")]
Level = Annotated[float, typer.Option(help="Confidence level of intervals.")]
By = Annotated[
    str | None, typer.Option("--by", metavar="NAME", help="Who does this; the user by default.")
]

app = typer.Typer(
    help="Spend few labels of people well: draw, write sheets, import them, estimate.",
    no_args_is_help=True,
)


@app.command("plan")
def plan(
    study: StudyPath,
    task: Annotated[
        str,
        typer.Option(help="correctness, pairwise, rubric, reference, alignment or reading."),
    ] = "correctness",
    between: Annotated[
        str | None,
        typer.Option(
            metavar="ID,ID,...",
            help="Judges and rules whose disputes count; by default the study's judges.",
        ),
    ] = None,
    design: Annotated[
        str, typer.Option(help="disputes, simple, equal, proportional or optimal.")
    ] = "disputes",
    labels: Annotated[
        int | None, typer.Option(help="Units to label; else all disputes and the control sample.")
    ] = None,
    control: Annotated[int, typer.Option(help="Control sample of each undisputed stratum.")] = 20,
    strata: Annotated[
        str,
        typer.Option(
            metavar="TAG,TAG,...",
            help="Of disagreement, family, task, difficulty, language, split, system, length, "
            "truncation.",
        ),
    ] = "disagreement",
    system: Annotated[
        list[str] | None,
        typer.Option(help="Only answers of this system; repeat.", autocompletion=complete_system),
    ] = None,
    separate: Annotated[
        str | None,
        typer.Option(metavar="A,B", help="Also: how many labels tell these two systems apart."),
    ] = None,
    pilot: Annotated[
        str | None, typer.Option(metavar="DRAW", help="Labelled draw that shows the spread.")
    ] = None,
    hide_reference: Annotated[
        bool, typer.Option("--hide-reference", help="People do not see the reference.")
    ] = False,
    draw: Annotated[
        str | None, typer.Option(metavar="NAME", help="Freeze the sample under this name.")
    ] = None,
    note: Annotated[str, typer.Option(help="What the sample is for.")] = "",
    by: By = None,
    seed: Annotated[int, typer.Option(help="Another seed is another sample.")] = 0,
    level: Level = 0.95,
    labels_url: LabelsUrl = None,
    json: JsonTarget = None,
) -> None:
    """Show which answers people should label, and how precise that makes the scores.

    By default all answers on which judges differ, and a control sample of the others: without it
    nobody knows how often judges agree and are wrong.
    """
    from finassay.analyses.adjudication.from_study import PlanRequest, plan_in_study
    from finassay.analyses.adjudication.plan import PlanSettings, parse_design
    from finassay.reports.plain import joined_lines
    from finassay.reports.tables_adjudication import plan_tables
    from finassay.study import Study
    from finassay.study.adjudication.tasks import task_named

    settings = PlanSettings(
        task=task_named(task),
        design=parse_design(design),
        by=tuple(split_ids(strata)),
        labels=labels,
        control=control,
        seed=seed,
        protocol="hidden" if hide_reference else "shown",
        level=level,
    )
    request = PlanRequest(
        settings=settings,
        scorers=tuple(split_ids(between)) if between else (),
        systems=tuple(system or ()),
        separate=tuple(split_ids(separate)) if separate else (),
        name=draw,
        created_by=_user(by),
        note=note,
        pilot=pilot,
        labels_url=labels_url,
    )
    found = plan_in_study(Study.open(study), request)
    show.result("adjudicate-plan", found, json, joined_lines(plan_tables(found)))


@app.command("sheet")
def sheet(
    study: StudyPath,
    draw: DrawName,
    annotator: Annotated[list[str], typer.Option(help="Who labels; repeat for each person.")],
    out: Annotated[Path, typer.Option(metavar="DIR", help="Directory for the sheets.")],
    format_: Annotated[
        list[str] | None, typer.Option("--format", help="csv or xlsx; repeat for both.")
    ] = None,
    overlap: Annotated[
        float, typer.Option(help="Share of the units that everybody labels; the rest is shared.")
    ] = 1.0,
    conflicts: Annotated[
        bool, typer.Option("--conflicts", help="Only units on which others differ, to settle them.")
    ] = False,
    remaining: Annotated[
        bool, typer.Option("--remaining", help="Only what this person has not answered yet.")
    ] = False,
    labels_url: LabelsUrl = None,
    json: JsonTarget = None,
) -> None:
    """Write a blind sheet for each person who labels.

    Systems and judges are hidden, rows are in another order for each person, and texts that look
    like formulas stay texts.
    """
    from finassay.reports.sheets.write import SheetOptions, write_sheets
    from finassay.reports.tables_adjudication import written_lines
    from finassay.study import Study
    from finassay.study.adjudication.draw_files import read_draw

    opened = Study.open(study)
    options = SheetOptions(
        formats=_formats(format_ or ["csv"]),
        overlap=overlap,
        conflicts=conflicts,
        remaining=remaining,
        labels_url=labels_url,
    )
    found = write_sheets(opened, read_draw(opened, draw), annotator, out, options)
    show.result("adjudicate-sheet", found, json, written_lines(found))


@app.command("import")
def import_(
    study: StudyPath,
    draw: DrawName,
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Filled-in sheets.")],
    by: By = None,
    encoding: Encoding = "utf-8",
    labels_url: LabelsUrl = None,
    json: JsonTarget = None,
) -> None:
    """Record the labels of filled-in sheets.

    All rows are checked first; with one that cannot be used nothing is recorded.  The same sheet
    again changes nothing, and a changed label becomes a revision.
    """
    from finassay.reports.tables_adjudication import imported_lines
    from finassay.runs.importers.sheets.importing import import_sheets
    from finassay.study import Study
    from finassay.study.adjudication.draw_files import read_draw

    opened = Study.open(study)
    found = import_sheets(
        opened,
        read_draw(opened, draw),
        files,
        recorded_by=_user(by),
        encoding=encoding,
        labels_url=labels_url,
    )
    show.result("adjudicate-import", found, json, imported_lines(found))


@app.command("status")
def status(
    study: StudyPath,
    draw: Annotated[
        str | None, typer.Argument(metavar="[DRAW]", help="Name of the draw; all by default.")
    ] = None,
    labels_url: LabelsUrl = None,
    json: JsonTarget = None,
) -> None:
    """Show how far the labels of a draw are, and how far people agree.

    Conflicts and references that people doubt are listed.
    """
    from finassay.analyses.adjudication.from_study import all_statuses, status_in_study
    from finassay.analyses.adjudication.results import DrawsStatus
    from finassay.reports.plain import joined_lines
    from finassay.reports.tables_adjudication import draws_table, status_tables
    from finassay.study import Study

    opened = Study.open(study)
    if draw is None:
        every = all_statuses(opened, labels_url=labels_url)
        show.result("adjudicate-status", every, json, joined_lines([draws_table(every)]))
        return
    one = status_in_study(opened, draw, labels_url=labels_url)
    found = DrawsStatus(draws=(one,))
    show.result("adjudicate-status", found, json, joined_lines(status_tables(one)))


@app.command("estimate")
def estimate(
    study: StudyPath,
    draw: DrawName,
    judge: Annotated[
        list[str] | None,
        typer.Option(metavar="ID", help="Scorer of the draw whose verdicts are used; repeat."),
    ] = None,
    next_: Annotated[
        int | None,
        typer.Option("--next", metavar="N", help="Also: where N further labels help most."),
    ] = None,
    like: Annotated[
        bool, typer.Option("--like", help="Scores on items like these, not on these items alone.")
    ] = False,
    level: Level = 0.95,
    labels_url: LabelsUrl = None,
    json: JsonTarget = None,
) -> None:
    """Show the scores that people would give to all answers, from the labels of a draw.

    From labels alone, and with the verdicts of a judge corrected by them; the judge's errors by
    stratum; and which of two judges people agree with.
    """
    from finassay.analyses.adjudication.from_study import estimate_in_study
    from finassay.analyses.few_labels import FewLabelSettings
    from finassay.reports.tables_adjudication import estimate_lines
    from finassay.study import Study

    found = estimate_in_study(
        Study.open(study),
        draw,
        judges=judge or (),
        next_batch=next_,
        settings=FewLabelSettings(
            level=level, population="items like these" if like else "these items"
        ),
        labels_url=labels_url,
    )
    show.result("adjudicate-estimate", found, json, estimate_lines(found))


@app.command("correct")
def correct(
    study: StudyPath,
    item: Annotated[str, typer.Argument(metavar="ITEM", help="Id of the item.")],
    reference: Annotated[str, typer.Option(help="The reference that it should have.")],
    why: Annotated[str, typer.Option(help="Why the old one is wrong.")],
    by: By = None,
) -> None:
    """Accept a corrected reference, and keep the old one with who changed it and why."""
    from finassay.study import Study
    from finassay.study.adjudication.filing import correct_reference

    correct_reference(Study.open(study), item, reference, by=_user(by), reason=why)
    show.lines(
        [
            f"item {item} has another reference now; the old one is kept as its erratum",
            f"verdicts on it are stale: run `finassay score {study}` again",
        ]
    )


@app.command("open")
def open_(
    study: StudyPath,
    draw: DrawName,
    people: Annotated[int, typer.Option(help="For how many people the draw is.")],
    overlap: Annotated[
        float, typer.Option(help="Share of the units that everybody labels; the rest is shared.")
    ] = 1.0,
    by: By = None,
    labels_url: LabelsUrl = None,
) -> None:
    """Say for how many people a draw is, and what share of it all of them label.

    It holds for those who join in the browser from now on.  Unless this is said, everybody who
    joins labels all units.
    """
    from finassay.reports.tables_adjudication import opened_lines
    from finassay.study import Study
    from finassay.study.adjudication.labelling import Labelling
    from finassay.study.labels import LabelStore

    opened = Study.open(study)
    with LabelStore.of(opened, url=labels_url) as store:
        made = Labelling(opened, store).open(draw, people, overlap, by=_user(by))
    show.lines(opened_lines(draw, made))


@app.command("withdraw")
def withdraw(
    study: StudyPath,
    draw: DrawName,
    annotator: Annotated[str, typer.Option(help="Who leaves.")],
    why: Annotated[str, typer.Option(help="Why, for the record.")] = "",
    by: By = None,
    labels_url: LabelsUrl = None,
) -> None:
    """Take a person off a draw: their open units go to the others, their answers stay."""
    from finassay.reports.tables_adjudication import withdrawn_lines
    from finassay.study import Study
    from finassay.study.adjudication.labelling import Labelling
    from finassay.study.labels import LabelStore

    opened = Study.open(study)
    with LabelStore.of(opened, url=labels_url) as store:
        left = Labelling(opened, store).withdraw(draw, annotator, by=_user(by), reason=why)
    show.lines(withdrawn_lines(left))


def _user(name: str | None) -> str:
    if name is not None:
        return name
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return ""


def _formats(names: list[str]) -> tuple[SheetFormat, ...]:
    known: tuple[SheetFormat, ...] = ("csv", "xlsx")
    found = [kind for name in names for kind in known if name == kind]
    if len(found) != len(names):
        raise UsageError(f"--format must be csv or xlsx, got {', '.join(names)!r}")
    return tuple(found)
