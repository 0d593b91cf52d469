"""What came of reading logs.  In: counts.  Out: frozen reports that print themselves."""

from __future__ import annotations

from dataclasses import dataclass

from finassay.runs.importers._rows import BadRow
from finassay.runs.importers.report import SystemReport, committed_line, counted_noun
from finassay.study import Commit


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceReport:
    """How one source was read.

    Attributes:
        tool: whose log it is.
        files: names of its files.
        samples: answers in it; several lines for one answer count each.
        bad: lines, entries or files that could not be used; the first 20 are listed.
    """

    tool: str
    what: str
    files: tuple[str, ...]
    samples: int
    tasks: tuple[str, ...] = ()
    bad: int = 0
    bad_rows: tuple[BadRow, ...] = ()
    notes: tuple[str, ...] = ()

    def to_lines(self) -> list[str]:
        """Return the report in plain lines."""
        more = f" and {len(self.files) - 1} more" if len(self.files) > 1 else ""
        tasks = f", {counted_noun(len(self.tasks), 'task')}" if len(self.tasks) > 1 else ""
        head = f"{self.files[0]}{more}: {self.tool} {self.what}"
        lines = [f"{head}, {counted_noun(self.samples, 'sample')}{tasks}"]
        if self.bad:
            noun = "entry" if self.bad == 1 else "entries"
            lines.append(f"  {self.bad} {noun} not imported:")
            lines.extend(f"    {row}" for row in self.bad_rows)
        lines.extend(f"  {note}" for note in self.notes)
        return lines


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolScore:
    """The score that a tool's verdicts give one system on one task, under both conventions.

    Attributes:
        n: verdicts of the tool.
        silent: answers for which the tool wrote no verdict at all, most often errors; they are in
            neither of the two scores.
        scored: verdicts with a value.
        excluded: mean over the scored verdicts; None without any.
        wrong: mean over all, where a verdict without a value counts as 0; None without any.
        reported: what the tool printed for it, in its own scale; None where it did not.
        why: (reason, verdicts) of those without a value, the most frequent first.
    """

    scorer: str
    system: str
    task: str
    n: int
    scored: int
    excluded: float | None
    wrong: float | None
    reported: float | None = None
    silent: int = 0
    why: tuple[tuple[str, int], ...] = ()

    @property
    def unscored(self) -> int:
        """Return how many verdicts have no value."""
        return self.n - self.scored

    def to_line(self) -> str:
        """Return the score in one line."""
        said = "" if self.reported is None else f", printed by the tool {self.reported:.4f}"
        said += f"; {self.silent} without a verdict" if self.silent else ""
        return (
            f"{self.system}, {self.task}, {self.scorer}: {self.scored} of {self.n} scored, "
            f"{_share(self.excluded)} excluding the unscored, {_share(self.wrong)} counting them "
            f"as wrong{said}"
        )


def _share(value: float | None) -> str:
    return "none" if value is None else f"{value:.4f}"


@dataclass(frozen=True, slots=True, kw_only=True)
class PassedOver:
    """A file that was not imported, and why."""

    file: str
    reason: str

    def __str__(self) -> str:
        return f"{self.file}: passed over, {self.reason}"


@dataclass(frozen=True, slots=True, kw_only=True)
class LogsReport:
    """What reading logs did: what each file was taken for, what came of it, what was committed.

    Attributes:
        systems: one for each run of a system.
        conventions: the tools' scores with unscored verdicts excluded, and counted as wrong.
        items: items that the study did not hold before.
    """

    sources: tuple[SourceReport, ...] = ()
    systems: tuple[SystemReport, ...] = ()
    conventions: tuple[ToolScore, ...] = ()
    items: int = 0
    reported: int = 0
    notes: tuple[str, ...] = ()
    commits: tuple[Commit, ...] = ()

    @property
    def is_changed(self) -> bool:
        """Whether the study holds anything else than before."""
        return any(commit.changed for commit in self.commits)

    @property
    def bad(self) -> int:
        """Entries that could not be used, over all sources."""
        return sum(source.bad for source in self.sources)

    def to_lines(self) -> list[str]:
        """Return the report in plain lines."""
        lines = [line for source in self.sources for line in source.to_lines()]
        lines += [line for system in self.systems for line in system.to_lines()]
        if self.conventions:
            lines.append("scores of the tools:")
            lines += [f"  {score.to_line()}" for score in self.conventions]
        if self.items:
            lines.append(f"items: {self.items}")
        if self.reported:
            lines.append(f"reported scores: {self.reported}")
        lines.extend(self.notes)
        lines.append(committed_line(self.commits))
        return lines
