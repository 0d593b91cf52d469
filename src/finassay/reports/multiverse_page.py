"""A multiverse as a page of its own.  In: a result and a directory.  Out: HTML and Markdown."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from finassay.analyses.results_multiverse import MultiverseResult
from finassay.reports import numbers as num
from finassay.reports.html import page
from finassay.reports.markdown import pages
from finassay.reports.outline import Link, Report
from finassay.reports.outline_multiverse import (
    multiverse_claims,
    multiverse_facts,
    multiverse_figures,
    multiverse_rooms,
)
from finassay.reports.tables_multiverse import multiverse_tables
from finassay.reports.write import write_texts


def multiverse_report(found: MultiverseResult, commands: Sequence[str] = ()) -> Report:
    """Return the report of a multiverse in reading order."""
    names = num.short_names(found.systems)
    made = multiverse_tables(found, names)
    return Report(
        title=f"{num.shortened(found.study or 'A study')} under {num.count(found.n_rules)} rules",
        facts=multiverse_facts(found),
        strip=tuple(
            Link(text=text, anchor=anchor, label=label)
            for text, anchor, label in multiverse_claims(found)
        ),
        rooms=multiverse_rooms(found, made),
        tables=made,
        commands=tuple(num.clean(command) for command in commands),
        warnings=tuple(num.clean(warning) for warning in found.warnings),
    )


def write_multiverse(
    found: MultiverseResult, directory: str | os.PathLike[str], commands: Sequence[str] = ()
) -> tuple[Path, ...]:
    """Return the paths of the files written: multiverse.html and multiverse.md.

    Everything is rendered before the first file is written, and each file is written aside and
    renamed.

    Args:
        found: the multiverse.
        directory: made when it does not exist.
        commands: that regenerate the page.

    Raises:
        UsageError: `directory` is a file.
    """
    report = multiverse_report(found, commands)
    drawn = multiverse_figures(found, num.short_names(found.systems))
    texts = {"multiverse.html": page(report, drawn), "multiverse.md": pages(report, drawn)}
    return write_texts(texts, directory)
