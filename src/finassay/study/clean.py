"""Removal of leftovers.  In: a study.  Out: the files removed, none of which any version needs."""

from __future__ import annotations

import time
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path

from finassay.errors import UsageError
from finassay.study.nested import judging_study
from finassay.study.schemas import TABLES
from finassay.study.study import Study
from finassay.study.tables import referred_files

SECONDS_PER_HOUR = 3600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class CleanReport:
    """What was removed.

    Attributes:
        files: paths relative to the study, sorted.
        bytes: their sizes together.
    """

    files: tuple[str, ...]
    bytes: int


def clean(study: Study, *, older_than_hours: float = 24.0) -> CleanReport:
    """Remove what killed writers left behind and return what it was.

    These are files that no version of a table refers to, and files written aside.
    Older versions stay readable.  The study of what judges were asked is cleaned with it.  A file
    younger than `older_than_hours` stays, because a writer at work has files that no version refers
    to yet: give 0 only when nobody writes.

    Raises:
        UsageError: `older_than_hours` is negative.
    """
    if not older_than_hours >= 0:  # not a number is refused too
        raise UsageError(f"`older_than_hours` must be 0 or more, got {older_than_hours!r}")
    latest = time.time() - older_than_hours * SECONDS_PER_HOUR
    removed: list[str] = []
    size = 0
    for root in _roots(study):
        for path, length in _old_leftovers(root, latest):
            path.unlink()
            if path.parent.suffix == ".tmp" and not any(path.parent.iterdir()):
                path.parent.rmdir()
            removed.append(str(path.relative_to(study.root)))
            size += length
        for name in TABLES:
            _remove_empty_folders(root / name, latest)
    return CleanReport(files=tuple(sorted(removed)), bytes=size)


def find_leftovers(study: Study, *, older_than_hours: float = 24.0) -> CleanReport:
    """Return what `clean` would remove, and remove nothing."""
    latest = time.time() - older_than_hours * SECONDS_PER_HOUR
    found = [leftover for root in _roots(study) for leftover in _old_leftovers(root, latest)]
    names = sorted(str(path.relative_to(study.root)) for path, _ in found)
    return CleanReport(files=tuple(names), bytes=sum(size for _, size in found))


def _roots(study: Study) -> list[Path]:
    inner = judging_study(study)
    return [study.root, *([] if inner is None else [inner.root])]


def _old_leftovers(root: Path, latest: float) -> Iterator[tuple[Path, int]]:
    """Yield what no version refers to and nobody wrote since, with its size."""
    for path in sorted(_unreferred(root)):
        stat = path.stat()
        if stat.st_mtime <= latest:
            yield path, stat.st_size


def _unreferred(root: Path) -> Iterator[Path]:
    for path in root.glob("*.tmp"):
        # What was read by an import that was stopped stands in a folder.
        yield from (
            (file for file in path.rglob("*") if file.is_file()) if path.is_dir() else (path,)
        )
    for name in TABLES:
        yield from leftovers(root / name)


def leftovers(folder: Path, needed: AbstractSet[Path] | None = None) -> Iterator[Path]:
    """Return the files of a table that are neither its log nor needed.

    Args:
        folder: the table's.
        needed: data files to keep; by default those that any version refers to.
    """
    # Files are listed before the log is read: one committed in between is then referred to.
    found = [path for path in folder.rglob("*") if path.is_file()]
    keep = referred_files(folder) if needed is None else needed
    yield from (path for path in found if path not in keep and not _is_log(path))


def _is_log(path: Path) -> bool:
    """Whether a file belongs to a table's log, half-written ones aside."""
    if path.parent.name != "_delta_log":
        return False
    return path.name == "_last_checkpoint" or path.suffix in {".json", ".parquet", ".crc"}


def _remove_empty_folders(folder: Path, latest: float) -> None:
    for path in sorted(folder.rglob("*"), reverse=True):
        if not path.is_dir() or path.name == "_delta_log":
            continue
        if path.stat().st_mtime <= latest and not any(path.iterdir()):
            path.rmdir()
