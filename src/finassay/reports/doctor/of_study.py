"""A study.  In: a path.  Out: whether it opens, its files are whole, and its labels reachable."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from finassay.errors import FinassayError, NoStudyError, StudyError, UsageError
from finassay.reports.doctor.machine import CLOCK_SLACK_S, MIB, examine_folder
from finassay.reports.doctor.results import STUDY_AREA, Finding, State
from finassay.study.check import check_files
from finassay.study.clean import find_leftovers
from finassay.study.label_look import look_at_labels
from finassay.study.schemas import SCHEMA_VERSION
from finassay.study.study import Study


def examine_study(path: Path, labels_url: str | None = None) -> Iterator[Finding]:
    """Yield findings on a study: what keeps it from being opened, or the state of its parts.

    Args:
        path: directory of the study.
        labels_url: database of its labels; by default its own SQLite file.
    """
    try:
        study = Study.open(path)
    except NoStudyError as error:
        yield _finding("directory", "problem", str(error))
        return
    except (StudyError, UsageError, OSError) as error:
        yield _finding("opening", "problem", str(error))
        return
    said = f"{study.config.name}, schema version {SCHEMA_VERSION}, which is this version's"
    yield _finding("layout", "ok", said)
    yield from _created(study.config.created)
    yield from examine_folder("directory", study.root, area=STUDY_AREA, must=False)
    yield from _files(study)
    yield _labels(study, labels_url)


def _finding(name: str, state: State, said: str, advice: str = "") -> Finding:
    return Finding(area=STUDY_AREA, name=name, state=state, said=said, advice=advice)


def _created(text: str) -> Iterator[Finding]:
    try:
        made = datetime.fromisoformat(text).timestamp()
    except ValueError:
        said = f"study.toml says {text!r}, which is no time; expected ISO 8601"
        yield _finding("created", "note", said, "correct it by hand")
        return
    if made > time.time() + CLOCK_SLACK_S:
        said = f"made at {text}, which is later than this machine's clock"
        advice = "set the clock: leftovers and sessions are told by their age"
        yield _finding("created", "problem", said, advice)


def _files(study: Study) -> Iterator[Finding]:
    """Yield what is wrong with the files of tables; `study check` looks at the rows too."""
    try:
        problems = check_files(study)
        left = find_leftovers(study)
    except (FinassayError, OSError) as error:
        yield _finding("tables", "problem", str(error), "restore the study from a copy")
        return
    for problem in problems:
        yield _finding("tables", "problem", problem.message)
    if not problems:
        said = f"every file can be read; rows: `finassay study check {study.root}`"
        yield _finding("tables", "ok", said)
    if left.files:
        said = f"{len(left.files)} files of killed writers, {left.bytes / MIB:,.1f} MiB"
        yield _finding("leftovers", "note", said, f"finassay study clean {study.root}")


def _labels(study: Study, url: str | None) -> Finding:
    try:
        seen = look_at_labels(study, url=url)
    except FinassayError as error:
        return _finding("labels", "problem", str(error))
    if seen.layout is None:
        return _finding("labels", "ok", f"{seen.kind}, nothing in it yet")
    if seen.layout > seen.expected:
        said = f"{seen.kind}, layout {seen.layout}; expected {seen.expected} or older"
        return _finding("labels", "problem", said, "install a newer Finassay")
    if seen.layout < seen.expected:
        said = f"{seen.kind}, layout {seen.layout}; it is brought to {seen.expected} when opened"
        advice = f"copy it first: finassay study backup-labels {study.root} FILE"
        return _finding("labels", "note", said, advice)
    return _finding("labels", "ok", f"{seen.kind} can be read, layout {seen.layout}")
