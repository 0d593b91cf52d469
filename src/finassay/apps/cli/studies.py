"""Commands that keep a study: check, clean, redact; and what describes the tool itself."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from finassay.apps.cli import show
from finassay.apps.cli.completions import complete_schema, complete_system
from finassay.apps.cli.options import JsonTarget, LabelsUrl, StudyPath

app = typer.Typer(help="Look after a study on disk.", no_args_is_help=True)


@app.command("create")
def create(
    study: StudyPath,
    name: Annotated[
        str | None, typer.Option(help="Display name; the directory's by default.")
    ] = None,
    unscored: Annotated[
        str, typer.Option(help="Default policy for verdicts without a value.")
    ] = "bounds",
) -> None:
    """Make an empty study."""
    from finassay.apps.cli.audit import unscored_policy
    from finassay.study import Study

    made = Study.create(study, name=name, unscored=unscored_policy(unscored) or "bounds")
    show.lines([f"made {made.config.name} at {study}"])


@app.command("migrate")
def migrate(study: StudyPath) -> None:
    """Bring a study to the layout of this version."""
    from finassay.study.migrations import migrate as migrate_study

    done = migrate_study(study)
    show.lines([f"migrated: {', '.join(done)}" if done else "nothing to migrate"])


@app.command("info")
def info(study: StudyPath, json: JsonTarget = None) -> None:
    """Show tables, rows, versions and digests."""
    from finassay.study import Study
    from finassay.study.nested import judging_study
    from finassay.study.summary import summarise

    opened = Study.open(study)
    inner = judging_study(opened)
    summary = summarise(opened.snapshot(), None if inner is None else inner.snapshot())
    show.result("study-info", summary, json, summary.to_lines())


@app.command("check")
def check(study: StudyPath, json: JsonTarget = None) -> None:
    """Verify schemas, keys, digests and references.

    The exit code is 4 when something is corrupt.
    """
    from finassay.study import Study
    from finassay.study.check import check as check_study

    report = check_study(Study.open(study))
    show.result("study-check", report, json, report.to_lines())
    if not report.is_clean:
        raise typer.Exit(4)


@app.command("clean")
def clean(
    study: StudyPath,
    older_than_hours: Annotated[
        float, typer.Option(help="Leave files younger than this: a writer may be at work.")
    ] = 24.0,
    json: JsonTarget = None,
) -> None:
    """Remove files that no version refers to.

    Killed processes leave them.
    """
    from finassay.analyses.wording import plural
    from finassay.study import Study
    from finassay.study.clean import clean as clean_study

    report = clean_study(Study.open(study), older_than_hours=older_than_hours)
    show.result(
        "study-clean",
        report,
        json,
        [f"removed {plural(len(report.files), 'file')}, {report.bytes} bytes"],
    )


@app.command("redact")
def redact(
    study: StudyPath,
    pattern: Annotated[
        str | None, typer.Option(help="Regular expression; what it matches is masked.")
    ] = None,
    system: Annotated[
        list[str] | None,
        typer.Option(help="Mask all texts of this system; repeat.", autocompletion=complete_system),
    ] = None,
    mask: Annotated[str, typer.Option(help="What is put in place of a match.")] = "[redacted]",
    labels_url: LabelsUrl = None,
    yes: Annotated[
        bool, typer.Option("--yes", help="Do not ask: older versions are removed for good.")
    ] = False,
    json: JsonTarget = None,
) -> None:
    """Mask texts for good, and keep the verdicts.

    Older versions are removed, so that the texts are gone.
    """
    from finassay.study import Study
    from finassay.study.redact import redact as redact_study

    if not yes:
        typer.confirm("Older versions of the tables will be removed for good.  Go on?", abort=True)
    report = redact_study(
        Study.open(study), pattern=pattern, systems=system, mask=mask, labels_url=labels_url
    )
    show.result("study-redact", report, json, report.to_lines())


@app.command("backup-labels")
def backup_labels(
    study: StudyPath,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="File to copy to.")],
    labels_url: LabelsUrl = None,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace a file that is there.")
    ] = False,
) -> None:
    """Copy labels, draws' answers and people into one SQLite file.

    The copy is of one moment; people may go on labelling.  Sessions are left out.
    """
    from finassay.study import Study
    from finassay.study.label_backup import backup_labels as backup
    from finassay.study.labels import LabelStore

    with LabelStore.of(Study.open(study), url=labels_url) as store:
        made = backup(store, file, overwrite=overwrite)
    show.lines([*made.to_lines(), f"wrote {file}"])


@app.command("restore-labels")
def restore_labels(
    study: StudyPath,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What backup-labels wrote.")],
    labels_url: LabelsUrl = None,
) -> None:
    """Bring a copy of labels and people into an empty label store.

    Tokens are good again as they were when the copy was made: revoke those that must not be.
    """
    from finassay.study import Study
    from finassay.study.label_backup import restore_labels as restore
    from finassay.study.labels import LabelStore
    from finassay.study.people import study_name

    opened = Study.open(study)
    with LabelStore.of(opened, url=labels_url) as store:
        made = restore(store, file, study=study_name(opened))
    show.lines([*made.to_lines(), f"restored from {file}"])


def schema(
    name: Annotated[
        str | None,
        typer.Argument(help="Name of a result; all by default.", autocompletion=complete_schema),
    ] = None,
) -> None:
    """Print the JSON Schema of a result, or the names of all."""
    from finassay.reports.schemas import schema_names, schema_text

    show.lines([schema_text(name)] if name else schema_names())


def version() -> None:
    """Print the version."""
    from finassay import __version__

    show.lines([__version__])
