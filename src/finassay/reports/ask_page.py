"""Asking or going on as a page of its own.  In: a report and a directory.  Out: HTML files."""

from __future__ import annotations

import os
from pathlib import Path

from finassay.analyses.results_ask import AskReport
from finassay.marking.ask_outcomes import AskOutcomes


def write_ask(
    report: AskReport, directory: str | os.PathLike[str], cases: AskOutcomes | None = None
) -> tuple[Path, ...]:
    """Return the paths of the files written."""
    return ()
