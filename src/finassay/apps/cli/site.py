"""The command that writes the pages of a study as files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from finassay.apps.cli import show
from finassay.apps.cli.options import NoText, StudyPath


def export_site(
    study: StudyPath,
    out: Annotated[
        Path,
        typer.Option(metavar="DIR", help="Directory of the site: new, empty or an earlier one."),
    ],
    no_text: NoText = False,
    max_items: Annotated[
        int | None, typer.Option(metavar="N", help="Pages of items; all by default.")
    ] = None,
    base_url: Annotated[
        str | None,
        typer.Option(
            metavar="URL", help="Address under which the site will stand, for its list of pages."
        ),
    ] = None,
) -> None:
    """Write the pages that only read as files, for GitHub or Hugging Face pages.

    Links are relative: the site works from any file server and under any path.  The same study
    gives the same files.
    """
    from finassay.retrieval.extra import load_extra

    load_extra("fastapi", what="a site", extra="web", instead="pass on the report of an audit")
    from finassay.apps.web.static_site import SiteOptions
    from finassay.apps.web.static_site import export_site as export

    options = SiteOptions(no_text=no_text, max_items=max_items, base_url=base_url)
    with show.steps("pages") as progress:
        report = export(study, out, options, progress)
    show.lines(report.to_lines())
