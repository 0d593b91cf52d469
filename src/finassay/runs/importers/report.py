"""What an import did.  In: counts.  Out: frozen reports that print themselves in plain lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar
from zlib import crc32

from finassay.runs.importers._redacted import KEPT
from finassay.runs.importers.mapping import ColumnMap, Kind
from finassay.runs.importers.sources import BadRow, Reading
from finassay.study import Commit

Counted = TypeVar("Counted", int, str)

SHOWN = 20
"""Bad rows and ids that a report lists; all of them are counted."""

MIN_CAP_LENGTH = 32
"""Shortest length taken for a cap: short answers such as Yes, B or 2018 pile up by themselves."""

MIN_CAP_ROWS = 5
MIN_CAP_SHARE = 0.01


@dataclass(frozen=True, slots=True)
class Listed:
    """How many there are, with the first few."""

    count: int = 0
    shown: tuple[str, ...] = ()

    @classmethod
    def of(cls, values: Iterable[str]) -> Listed:
        """Return the count of the values and the first 20 of them."""
        everything = list(values)
        return cls(len(everything), tuple(everything[:SHOWN]))

    def __str__(self) -> str:
        more = ", …" if self.count > len(self.shown) else ""
        listed = ", ".join(self.shown)
        return f"{self.count} ({listed}{more})" if listed else str(self.count)


@dataclass(frozen=True, slots=True, kw_only=True)
class LengthCap:
    """A length in characters at which texts pile up: the log may have cut them there.

    Attributes:
        length: characters of the longest texts.
        rows: texts of exactly this length.
        n: texts in all.
    """

    length: int
    rows: int
    n: int

    def __str__(self) -> str:
        return f"{self.rows} of {self.n} are exactly {self.length} characters long, the longest"


class LengthWatch:
    """Watches lengths go by, and says whether the longest look like a cap.

    This is a warning at the time of import, from counts alone, while the file streams past; it
    asks for different texts, so that one reply given again and again is no cap.  The audit's
    `truncation_piles` sees all lengths and asks whether those just below leave so many at the
    longest to chance, which is stricter: the import may warn where the audit suspects nothing.
    """

    def __init__(self) -> None:
        self._n = 0
        self._longest = 0
        self._rows = 0
        self._texts: set[int] = set()

    def state(self) -> list[int]:
        """Return what was seen so far, for `restored`."""
        return [self._n, self._longest, self._rows, *sorted(self._texts)]

    @classmethod
    def restored(cls, state: Sequence[int]) -> LengthWatch:
        """Return the watch that was in a state."""
        made = cls()
        made._n, made._longest, made._rows, *texts = state
        made._texts = set(texts)
        return made

    def add(self, text: str) -> None:
        """Count one text."""
        self._n += 1
        length = len(text)
        if length > self._longest:
            self._longest, self._rows = length, 0
            self._texts.clear()
        if length == self._longest:
            self._rows += 1
            if len(self._texts) < MIN_CAP_ROWS:
                self._texts.add(crc32(text.encode("utf-8", "surrogatepass")))

    @property
    def cap(self) -> LengthCap | None:
        """The cap, or None: at least 5 different texts and 1% of all share the greatest length."""
        if (
            self._longest < MIN_CAP_LENGTH
            or len(self._texts) < MIN_CAP_ROWS
            or self._rows < MIN_CAP_SHARE * self._n
        ):
            return None
        return LengthCap(length=self._longest, rows=self._rows, n=self._n)


@dataclass(frozen=True, slots=True, kw_only=True)
class FileReport:
    """How one file was read.

    Attributes:
        rows_read: records in the file, bad ones included.
        bad: records that could not be used; the first 20 are listed.
    """

    file: str
    kind: Kind
    mapping: ColumnMap
    columns: tuple[str, ...]
    reading: Reading
    rows_read: int
    bad: int = 0
    bad_rows: tuple[BadRow, ...] = ()

    def to_lines(self) -> list[str]:
        """Return the report in plain lines."""
        how = f"{self.reading.format}"
        if self.reading.delimiter:
            how += f", delimiter {self.reading.delimiter!r}"
        if self.reading.encoding:
            how += f", {self.reading.encoding}"
        lines = [
            f"{self.file} ({how}): {counted_noun(self.rows_read, 'row')} read as {self.kind}",
            f"  {self.mapping.describe(self.columns)}",
        ]
        if self.bad:
            lines.append(f"  {counted_noun(self.bad, 'bad row')}, not imported:")
            lines.extend(f"    {row}" for row in self.bad_rows)
        return lines


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemReport:
    """What came of one system's rows in one file.

    Attributes:
        scorer: in a verdict table, the scorer whose verdicts these are.
        rows_read: its rows, bad ones left out.
        imported: predictions (or verdicts) now in the study from them.
        duplicates: rows that said the same as an earlier one.
        redacted: rows that the study holds redacted; those stay in place of the file's.
        missing: items of the benchmark for which the file has no row.
        extra: ids that are not in the study; their rows are not imported.
        verdicts: verdicts of the source that came in with them.
        blank_verdicts: predictions for which the source wrote down no verdict.
        finishes: what became of the replies.
        unknown_finishes: (word, rows) of the log's words for the end of a reply that are not
            known; such a reply counts as not logged, unless its text says more.
        cut_references: (length, rows) where the row's reference is the beginning of the item's.
        other_references: rows whose reference is another than the item's; never used for marking.
        cut_questions: the same as `cut_references` for questions.
        other_questions: the same as `other_references` for questions.
        cap: length at which the predictions pile up.
        other_models: model names of later rows that differ from the first.
    """

    system: str
    system_id: str
    rows_read: int
    imported: int
    scorer: str = ""
    duplicates: int = 0
    missing: Listed = Listed()
    extra: Listed = Listed()
    verdicts: int = 0
    blank_verdicts: int = 0
    finishes: tuple[tuple[str, int], ...] = ()
    unknown_finishes: tuple[tuple[str, int], ...] = ()
    cut_references: tuple[tuple[int, int], ...] = ()
    other_references: int = 0
    cut_questions: tuple[tuple[int, int], ...] = ()
    other_questions: int = 0
    cap: LengthCap | None = None
    other_models: tuple[str, ...] = ()
    redacted: int = 0

    def to_lines(self) -> list[str]:
        """Return the report in plain lines; what is nothing is not said."""
        head = f"{self.system}, {self.scorer}" if self.scorer else self.system
        lines = [f"{head}: {self.imported} of {counted_noun(self.rows_read, 'row')} imported"]
        said = {
            "same rows collapsed": self.duplicates,
            KEPT: self.redacted,
            "items without a row": self.missing if self.missing.count else 0,
            "ids not in the study, not imported": self.extra if self.extra.count else 0,
            "verdicts of the source": 0 if self.scorer else self.verdicts,
            "predictions without a verdict of the source": self.blank_verdicts,
            "references cut at": _lengths(self.cut_references),
            "references other than the item's": self.other_references,
            "questions cut at": _lengths(self.cut_questions),
            "questions other than the item's": self.other_questions,
            "predictions may be cut": self.cap,
            "other model names": ", ".join(self.other_models),
            "finish": ", ".join(f"{name} {count}" for name, count in self.finishes),
            "words for the finish that are not known": _words(self.unknown_finishes),
        }
        lines.extend(f"  {label}: {what}" for label, what in said.items() if what)
        return lines


def committed_line(commits: Iterable[Commit]) -> str:
    """Return what the commits wrote, in one line: tables with the number of their commits."""
    tables = Counter(commit.table for commit in commits if commit.changed)
    written = ", ".join(f"{table} {count}" for table, count in sorted(tables.items()))
    return f"committed: {written}" if written else "nothing new: no commit was made"


def counted_noun(count: int, noun: str) -> str:
    """Return a count with its noun, in the plural unless it is one: "1 row", "3 rows"."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _lengths(pairs: tuple[tuple[int, int], ...]) -> str:
    return ", ".join(f"{length} characters ({counted_noun(rows, 'row')})" for length, rows in pairs)


def _words(pairs: tuple[tuple[str, int], ...]) -> str:
    more = ", …" if len(pairs) > SHOWN else ""
    return ", ".join(f"{word!r} {rows}" for word, rows in pairs[:SHOWN]) + more


def counted(counter: Mapping[Counted, int]) -> tuple[tuple[Counted, int], ...]:
    """Return (length or word, rows) pairs, the most frequent first."""
    return tuple(sorted(counter.items(), key=lambda pair: (-pair[1], pair[0])))


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportReport:
    """What an import did: what was read, what came of it, and what was committed.

    Attributes:
        reported: aggregate rows that were kept as reported scores.
    """

    files: tuple[FileReport, ...] = ()
    systems: tuple[SystemReport, ...] = ()
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
        """Rows that could not be used, over all files."""
        return sum(file.bad for file in self.files)

    def system(self, name: str) -> SystemReport:
        """Return the report on one system (its first, where several files held it).

        Raises:
            KeyError: no rows of that system were read.
        """
        for report in self.systems:
            if report.system == name:
                return report
        raise KeyError(name)

    def to_lines(self) -> list[str]:
        """Return the report in plain lines."""
        lines = [line for file in self.files for line in file.to_lines()]
        lines += [line for system in self.systems for line in system.to_lines()]
        if self.items:
            lines.append(f"items: {self.items}")
        if self.reported:
            lines.append(f"reported scores: {self.reported}")
        lines.extend(self.notes)
        lines.append(committed_line(self.commits))
        return lines


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchReport:
    """What building a benchmark's study from its directory did, file by file."""

    benchmark: str
    directory: str
    items: int
    imports: tuple[ImportReport, ...]

    @property
    def systems(self) -> tuple[SystemReport, ...]:
        """The reports on every system, in the order of import."""
        return tuple(system for report in self.imports for system in report.systems)

    @property
    def is_changed(self) -> bool:
        """Whether the study holds anything else than before."""
        return any(report.is_changed for report in self.imports)

    def to_lines(self) -> list[str]:
        """Return the report in plain lines."""
        head = f"{self.benchmark} from {self.directory}: {self.items} items"
        return [head, *(line for report in self.imports for line in report.to_lines())]
