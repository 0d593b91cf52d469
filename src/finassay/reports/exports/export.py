"""Exporting a study.  In: a snapshot and a format.  Out: files, and what was written."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from finassay.errors import UsageError
from finassay.integrations.score_values import Policy
from finassay.records import STORED
from finassay.reports.exports.aggregates import aggregates
from finassay.reports.exports.answers import (
    Answer,
    SystemAnswers,
    answers_by_system,
    chosen_scorers,
    chosen_systems,
    held_scorers,
)
from finassay.reports.exports.files import Folder, file_stem
from finassay.reports.exports.inspect_scores import match_log, score_lines
from finassay.reports.exports.instances import instance_lines, score_under
from finassay.reports.exports.tables import table_lines
from finassay.study import Snapshot

Format = Literal["csv", "eee", "inspect-scores"]
FORMATS: tuple[Format, ...] = get_args(Format)

_WHAT = {"csv": "prediction", "eee": "record", "inspect-scores": "score"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportOptions:
    """What is exported and how.

    Attributes:
        unscored: how a reply without an answer counts where a format wants one number.
        systems: display names or ids; None for all.
        scorers: scorer ids; None for all (`csv`: the source's own verdicts, where there are any).
        log: the log of Inspect that scores are written for.
        no_text: leave out questions, references and replies, and what quotes them.
        force: replace files that are there.
    """

    unscored: Policy
    systems: Sequence[str] | None = None
    scorers: Sequence[str] | None = None
    log: Path | None = None
    no_text: bool = False
    force: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportedFile:
    """One file of an export.

    Attributes:
        name: its name in the directory.
        rows: predictions, records, scores or, in an aggregate (`.json`), results in it.
        system: display name of the system.
        scorer: scorer whose verdicts it holds; None for several or none.
    """

    name: str
    rows: int
    system: str
    scorer: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportReport:
    """What was written.

    Attributes:
        format: csv, eee or inspect-scores.
        directory: where.
        files: in the order of writing.
        unscored: the policy for replies without an answer.
        left_out: verdicts without a score under the policy (`eee`), or samples of the log that the
            study does not hold (`inspect-scores`).
        versions: (table, pinned version) of what was read.
    """

    format: Format
    directory: str
    files: tuple[ExportedFile, ...]
    unscored: Policy
    left_out: int
    versions: tuple[tuple[str, int], ...]

    def to_lines(self) -> list[str]:
        """Return the report in plain lines."""
        what = _WHAT[self.format]
        lines = [f"{self.directory}/{file.name}: {_counted(file, what)}" for file in self.files]
        if self.left_out and self.format == "eee":
            lines.append(f"left out: {self.left_out} verdicts without a score")
        if self.left_out and self.format == "inspect-scores":
            lines.append(f"left out: {self.left_out} samples whose reply the study does not hold")
        return lines


def _counted(file: ExportedFile, what: str) -> str:
    shown = "result" if file.name.endswith(".json") else what
    return f"{file.rows} {shown}{'' if file.rows == 1 else 's'}"


def export_study(
    snapshot: Snapshot,
    directory: str | os.PathLike[str],
    *,
    format: Format,  # noqa: A002 - the word of the command
    options: ExportOptions,
) -> ExportReport:
    """Write a study in another tool's format, and return what was written.

    Every file is written aside, and all are renamed when the last one is whole.

    Args:
        snapshot: pinned tables.
        directory: where; made when it does not exist.
        format: "csv", "eee" or "inspect-scores".
        options: what and how.

    Raises:
        UsageError: the format is unknown, options do not go together, a file is there already, or
            the study holds no predictions.
        UnknownNameError: the study has no such system.
        MissingVerdictsError: it has no verdicts of a scorer, or they stand on older texts.
        InputError: the log cannot be read, or no system of the study holds its replies.
    """
    if format not in FORMATS:
        raise UsageError(f"`format` must be one of {', '.join(FORMATS)}, got {format!r}")
    if (options.log is None) == (format == "inspect-scores"):
        raise UsageError("--log LOG goes with --format inspect-scores, which needs it")
    if not snapshot.scan("predictions").select("item_id").head(1).collect().height:
        raise UsageError("the study holds no predictions; `import` or `run` brings some in")
    with Folder(directory, force=options.force) as folder:
        files, left_out = _WRITERS[format](snapshot, folder, options)
    return ExportReport(
        format=format,
        directory=str(folder.path),
        files=tuple(files),
        unscored=options.unscored,
        left_out=left_out,
        versions=tuple(sorted(snapshot.versions.items())),
    )


Written = tuple[list[ExportedFile], int]


def _held(
    snapshot: Snapshot, options: ExportOptions, scorers: Sequence[str]
) -> Iterator[SystemAnswers]:
    return answers_by_system(snapshot, chosen_systems(snapshot, options.systems), scorers)


def _file(
    folder: Folder, name: str, lines: Iterable[str], of: tuple[str, str | None]
) -> ExportedFile:
    folder.write(name, lines)
    system, scorer = of
    return ExportedFile(name=name, rows=folder.written[-1][1], system=system, scorer=scorer)


def _tables(snapshot: Snapshot, folder: Folder, options: ExportOptions) -> Written:
    stored = [STORED] if STORED in held_scorers(snapshot) else []
    scorers = chosen_scorers(snapshot, stored if options.scorers is None else options.scorers)
    if len(scorers) > 1:
        raise UsageError(
            f"a table has one column of verdicts, got the scorers {', '.join(scorers)}; name one "
            f"with --scorer"
        )
    scorer = scorers[0] if scorers else None
    files = []
    for held in _held(snapshot, options, scorers):
        lines = table_lines(held, scorer=scorer, no_text=options.no_text)
        name = f"{file_stem(held.system.name)}.csv"
        folder.write(name, lines)
        rows = len(held.answers)
        files.append(ExportedFile(name=name, rows=rows, system=held.system.name, scorer=scorer))
    return files, 0


def _instances(snapshot: Snapshot, folder: Folder, options: ExportOptions) -> Written:
    files, left_out = [], 0
    for held in _held(snapshot, options, chosen_scorers(snapshot, options.scorers)):
        lines = instance_lines(held, unscored=options.unscored, no_text=options.no_text)
        name = f"{file_stem(held.system.name)}.jsonl"
        files.append(_file(folder, name, lines, (held.system.name, None)))
        files.extend(_aggregates(folder, held, options))
        left_out += sum(_unscored(answer, options.unscored) for answer in held.answers)
    return files, left_out


def _aggregates(
    folder: Folder, held: SystemAnswers, options: ExportOptions
) -> Iterator[ExportedFile]:
    made = aggregates(held, unscored=options.unscored, retrieved=int(time.time()))
    for benchmark, document in made.items():
        name = f"{file_stem(held.system.name)}.{file_stem(benchmark)}.json"
        text = json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False) + "\n"
        folder.write(name, [text])
        results = document["evaluation_results"]
        rows = len(results) if isinstance(results, list) else 0
        yield ExportedFile(name=name, rows=rows, system=held.system.name, scorer=None)


def _unscored(answer: Answer, policy: Policy) -> int:
    return sum(score_under(mark.verdict, policy) is None for mark in answer.marks.values())


def _scores(snapshot: Snapshot, folder: Folder, options: ExportOptions) -> Written:
    log = options.log or Path()
    scorers = chosen_scorers(snapshot, options.scorers)
    match = match_log(log, _held(snapshot, options, scorers))
    files = []
    for scorer in scorers:
        lines = score_lines(match, scorer, unscored=options.unscored, no_text=options.no_text)
        name = f"{file_stem(log.stem)}.{file_stem(scorer)}.jsonl"
        files.append(_file(folder, name, lines, (match.system, scorer)))
    return files, match.n_samples - len(match.pairs)


_WRITERS: dict[Format, Callable[[Snapshot, Folder, ExportOptions], Written]] = {
    "csv": _tables,
    "eee": _instances,
    "inspect-scores": _scores,
}
