"""Logs into a study.  In: paths.  Out: what each was taken for, and what came of it."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from finassay.errors import InputError
from finassay.runs.importers._rows import Progress
from finassay.runs.importers.logs._ahead import blocks_of, no_collections
from finassay.runs.importers.logs.base import (
    MALFORMED,
    ReadOptions,
    Source,
    Unreadable,
    bad_entry,
    described,
)
from finassay.runs.importers.logs.candidates import Candidate, find_candidates
from finassay.runs.importers.logs.landing import Landing, LandingOptions
from finassay.runs.importers.logs.registry import READERS, reader_named
from finassay.runs.importers.logs.report import LogsReport
from finassay.study import Study


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What files are.

    Attributes:
        sources: logs, each with the files that belong to it.
        others: files that no reader of logs knows.
    """

    sources: tuple[Source, ...]
    others: tuple[Candidate, ...] = ()


def find_logs(paths: Sequence[Path], *, tool: str | None = None) -> Found:
    """Return the logs among files and folders, told by their content.

    Args:
        paths: files and folders; folders are walked.
        tool: name of the reader that all files are for, whatever they look like.

    Raises:
        UnknownNameError: there is no reader of that name.
    """
    left = find_candidates(paths)
    sources: list[Source] = []
    for reader in READERS if tool is None else (reader_named(tool),):
        claimed = reader.claim(left, forced=tool is not None)
        taken = {path for source in claimed for path in source.paths}
        left = [one for one in left if one.path not in taken]
        sources.extend(claimed)
    return Found(sources=tuple(sources), others=tuple(left))


def import_logs(
    study: Study,
    sources: Sequence[Source],
    *,
    options: LandingOptions | None = None,
    reading: ReadOptions | None = None,
    progress: Progress | None = None,
) -> LogsReport:
    """Return what came of importing logs; see `find_logs` for the sources.

    Importing a log again changes nothing.  A sample, line or file that cannot be used is listed,
    and never ends the import.

    Args:
        study: where items, predictions and the tools' verdicts go.
        sources: logs.
        options: what samples become.
        reading: how logs are read.
        progress: called with bytes done and bytes in all, over all sources.

    Raises:
        BadRowsError: something cannot be used and `options.strict` is set.
    """
    chosen = reading or ReadOptions()
    sizes = [sum(_size(path) for path in source.paths) for source in sources]
    with tempfile.TemporaryDirectory(prefix="finassay-logs-") as folder, no_collections():
        landing = Landing(study, options or LandingOptions(), Path(folder))
        for index, source in enumerate(sources):
            landing.begin(source)
            before = sum(sizes[:index])
            try:
                for block in blocks_of(source, chosen):
                    landing.add(block)
                    if progress is not None and not isinstance(block, Unreadable):
                        progress(before + int(block.done * sizes[index]), sum(sizes))
            except (InputError, OSError, *MALFORMED) as error:
                # A log may have any shape: no such file may keep the others out of the study.
                row = bad_entry(source.paths[0], 0, described(error))
                landing.add(Unreadable(bad=(row,)))
            if progress is not None:
                progress(before + sizes[index], sum(sizes))
        return landing.finish()


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
