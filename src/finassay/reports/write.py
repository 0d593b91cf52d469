"""Reports on disk.  In: an audit and a directory.  Out: files, each whole or not there."""

from __future__ import annotations

import glob
import os
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Literal, get_args

from finassay import stopping
from finassay.analyses.results import Audit
from finassay.errors import UsageError
from finassay.reports.html import html
from finassay.reports.json import audit_json
from finassay.reports.latex import latex_tables
from finassay.reports.markdown import markdown
from finassay.study.disk import writing

Format = Literal["html", "md", "json", "tex"]
TABLE_HEAD = "% Needs \\usepackage{booktabs"
"""How the first line of every table begins, by which a table of an earlier report is known."""

PART = ".part"
"""How a file that is being written ends."""

ABANDONED_S = 3600.0
"""Seconds after which a file written aside counts as left by a process that was killed."""

FORMATS: tuple[Format, ...] = get_args(Format)


def rendered(audit: Audit, formats: Sequence[str], *, no_text: bool = False) -> dict[str, str]:
    """Return the text of every file of a report by relative path.

    The same audit gives the same text, byte for byte: nothing in it depends on the clock, the
    machine or the order of sets.

    Raises:
        UsageError: a format is not one of html, md, json and tex, or none is asked for.
    """
    unknown = [name for name in formats if name not in FORMATS]
    if unknown or not formats:
        raise UsageError(
            f"`formats` must name at least one of {', '.join(FORMATS)}, got {tuple(formats)!r}"
        )
    texts: dict[str, str] = {}
    if "html" in formats:
        texts["report.html"] = html(audit, no_text=no_text)
    if "md" in formats:
        texts["report.md"] = markdown(audit, no_text=no_text)
    if "json" in formats:
        texts["report.json"] = audit_json(audit, no_text=no_text)
    if "tex" in formats:
        made = latex_tables(audit, no_text=no_text)
        texts |= {f"tables/{key}.tex": text for key, text in made.items()}
    return texts


def write_report(
    audit: Audit,
    directory: str | os.PathLike[str],
    *,
    formats: Sequence[str] = FORMATS,
    no_text: bool = False,
) -> tuple[Path, ...]:
    """Return the paths of the files written: report.html, .md, .json and tables/*.tex.

    Everything is rendered before the first file is written, and each file is written aside and
    renamed, so that a reader never meets half a file.  Tables of an earlier report that this one
    does not have are removed, so that no figure of theirs is taken for one of this audit.

    Args:
        audit: what was measured.
        directory: made when it does not exist; files in it that no report wrote are left alone.
        formats: any of html, md, json and tex.
        no_text: leave out free text that came with the inputs.

    Raises:
        UsageError: a format is unknown, or `directory` is a file.
    """
    paths = write_texts(rendered(audit, formats, no_text=no_text), directory)
    if "tex" in formats:
        _remove_stale(Path(directory) / "tables", set(paths))
    return paths


def write_texts(texts: Mapping[str, str], directory: str | os.PathLike[str]) -> tuple[Path, ...]:
    """Return the paths of the files written, each aside and renamed.

    Args:
        texts: text of each file by relative path.
        directory: made when it does not exist.

    Raises:
        UsageError: `directory` is a file.
    """
    root = Path(directory)
    if root.exists() and not root.is_dir():
        raise UsageError(
            f"a report is written to a directory, got the file {str(root)!r}"
            "; name a directory with --out"
        )
    stopping.checkpoint()
    paths = []
    for name, text in texts.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        write_file(path, text)
        paths.append(path)
    return tuple(paths)


def _remove_stale(folder: Path, written: set[Path]) -> None:
    for path in sorted(folder.glob("*.tex")):
        if path in written or not path.is_file():
            continue
        with path.open(encoding="utf-8", errors="replace") as file:
            is_ours = file.readline().startswith(TABLE_HEAD)
        if is_ours:
            path.unlink()


def write_file(path: Path, text: str) -> None:
    """Write a text aside and rename it, so that a reader never meets half a file.

    Raises:
        DiskError: the disk is full or cannot be written to; nothing is left aside.
    """
    _remove_abandoned(path)
    with writing(f"the file {path}"):
        handle, aside = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=PART)
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            Path(aside).chmod(0o644)
            stopping.checkpoint()
            Path(aside).replace(path)
        finally:
            Path(aside).unlink(missing_ok=True)


def _remove_abandoned(path: Path) -> None:
    """Remove what a killed process wrote aside for this file; younger ones may be at work."""
    for aside in path.parent.glob(f".{glob.escape(path.name)}.*{PART}"):
        with suppress(OSError):
            if aside.stat().st_mtime < time.time() - ABANDONED_S:
                aside.unlink()
