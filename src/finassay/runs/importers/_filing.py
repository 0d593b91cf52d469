"""Putting verdicts where they belong.  In: verdicts by system and scorer.  Out: commits, counts."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import NamedTuple

import polars as pl

from finassay.errors import KeyClashError
from finassay.records import (
    JUDGE_PREFIX,
    PERSON_PREFIX,
    RIGHT,
    ReportedScore,
    Verdict,
    reported_column,
)
from finassay.runs.importers._known import Catalogue
from finassay.runs.importers._marks import (
    commit_verdicts,
    held_verdicts,
    partition_of,
    record_scorer,
    verdicts_frame,
)
from finassay.runs.importers._redacted import KEPT, keep_redacted
from finassay.runs.importers.report import Listed, SystemReport
from finassay.runs.importers.reported import commit_reported
from finassay.study import Commit, Snapshot, Study
from finassay.study.rows import verdict_row

ORPHANS_TABLE = "verdicts without predictions"
"""Name of the reported table for systems of which there are no predictions."""

Key = tuple[str, int]
"""Item id and trial."""


class Said(NamedTuple):
    """Who says right or wrong; with `given`, only where another scorer marks right or wrong."""

    scorer: str
    given: tuple[str, bool] | None = None


@dataclass(slots=True)
class Marks:
    """What one scorer says of one system."""

    verdicts: dict[Key, Verdict] = field(default_factory=dict)
    blank: int = 0
    duplicates: int = 0
    rows: int = 0

    def add(self, key: Key, verdict: Verdict | None) -> None:
        """Keep a verdict.

        Raises:
            ValueError: an earlier row says something else.
        """
        earlier = self.verdicts.get(key)
        if earlier is not None and verdict is not None and earlier != verdict:
            raise ValueError(
                f"another row for item {key[0]!r}, trial {key[1]} says something else; the first "
                f"is kept"
            )
        self.rows += 1
        if verdict is None:
            self.blank += 1
        elif earlier is not None:
            self.duplicates += 1
        else:
            self.verdicts[key] = verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class _Target:
    """What one scorer says of a system whose predictions the study holds."""

    system: str
    system_id: str
    scorer_id: str
    marks: Marks
    data: pl.DataFrame


class Filing:
    """Verdicts of one table on their way into the study."""

    def __init__(self, study: Study, snapshot: Snapshot, catalogue: Catalogue, source: str) -> None:
        self.study = study
        self.snapshot = snapshot
        self.catalogue = catalogue
        self.source = source
        self.targets: list[_Target] = []
        self.orphans: dict[tuple[str, Said], Marks] = {}
        self.systems: list[SystemReport] = []
        self.notes: list[str] = []
        self.commits: list[Commit] = []
        self.reported = 0
        self.replace_redacted = False

    def take(
        self, marks: Mapping[tuple[str, str], Marks], *, only_reported: frozenset[str]
    ) -> None:
        """Sort what each scorer says of each system by whether there are predictions."""
        ids = {spec.name: spec.system_id for spec in self.snapshot.systems()}
        texts = self._texts([ids[name] for name, _ in marks if name in ids])
        passed_over = 0
        for (name, scorer_id), found in marks.items():
            digests = texts.get(ids.get(name, ""))
            if digests is None:
                self.orphans[name, Said(scorer_id)] = found
            elif scorer_id in only_reported:
                passed_over += found.rows
            else:
                self._aim(name, ids[name], scorer_id, found, digests)
        if passed_over:
            self.notes.append(
                f"{passed_over} verdicts of {sorted(only_reported)!r} on systems with predictions "
                f"are passed over"
            )

    def _texts(self, system_ids: list[str]) -> dict[str, dict[Key, str]]:
        """Return the digest of every prediction's text, by system and key."""
        scan = self.snapshot.scan("predictions").filter(pl.col("system_id").is_in(system_ids))
        frame = scan.select("system_id", "item_id", "trial", "text_digest").collect()
        found: dict[str, dict[Key, str]] = {}
        for system_id, item_id, trial, digest in frame.iter_rows():
            found.setdefault(system_id, {})[item_id, trial] = digest
        return found

    def _aim(
        self,
        name: str,
        system_id: str,
        scorer_id: str,
        marks: Marks,
        digests: Mapping[Key, str],
    ) -> None:
        rows = [
            verdict_row(
                verdict,
                item_id=key[0],
                trial=key[1],
                text_digest=digests[key],
                item_digest=item.digest if (item := self.catalogue.find(key[0])) else "",
            )
            for key, verdict in marks.verdicts.items()
            if key in digests
        ]
        data = verdicts_frame(rows, scorer_id=scorer_id, system_id=system_id)
        self.targets.append(
            _Target(system=name, system_id=system_id, scorer_id=scorer_id, marks=marks, data=data)
        )
        self.systems.append(
            SystemReport(
                system=name,
                system_id=system_id,
                scorer=scorer_id,
                rows_read=marks.rows,
                imported=len(rows),
                duplicates=marks.duplicates,
                extra=Listed.of(key[0] for key in marks.verdicts if key not in digests),
                verdicts=len(rows),
                blank_verdicts=marks.blank,
            )
        )

    def keep_held(self) -> None:
        """Leave alone what the study holds more of than the table, if the two agree.

        A table often repeats a part of verdicts that came with the predictions.  Where it says the
        same on every answer, the study's are kept and the table's are passed over; where it does
        not, committing it would lose some, and nobody can tell which of the two is right.

        Raises:
            KeyClashError: names the scorer, the system, the first item and how many differ.
        """
        passed_over: dict[str, int] = {}
        wanted = []
        for at, target in enumerate(self.targets):
            if not self._only_repeats(target):
                wanted.append(target)
                continue
            count = target.data.height
            passed_over[target.scorer_id] = passed_over.get(target.scorer_id, 0) + count
            self.systems[at] = replace(self.systems[at], imported=0, verdicts=0)
        self.targets = wanted
        self.notes.extend(
            f"{count} verdicts of {scorer_id!r} are what the study holds already, beside others "
            f"that the table lacks; the study's are kept"
            for scorer_id, count in passed_over.items()
        )

    def _only_repeats(self, target: _Target) -> bool:
        """Whether the study holds all of these verdicts and more."""
        keys = ["item_id", "trial"]
        held = held_verdicts(
            self.snapshot, scorer_id=target.scorer_id, system_id=target.system_id
        ).collect()
        lost = held.join(target.data, on=keys, how="anti").sort(keys)
        if not (target.data.height and lost.height):
            return False
        said = target.data.join(held, on=keys, how="left", suffix="_held")
        same = [pl.col(name).eq_missing(pl.col(f"{name}_held")) for name in ("status", "value")]
        differ = said.filter(~pl.all_horizontal(same)).height
        if differ:
            raise KeyClashError(
                f"{self.source}: the study holds {lost.height} verdicts of {target.scorer_id!r} on "
                f"{target.system!r} for which the table has none, the first on item "
                f"{lost['item_id'][0]!r}, and {differ} of the table's own are not what the study "
                f"holds; give the column another scorer id, or replace all that the study holds "
                f"with `finassay import --replace`"
            )
        return True

    def commit(self) -> None:
        """Commit the verdicts, and the counts of those without predictions."""
        full = [target for target in self.targets if target.data.height]
        for scorer_id in dict.fromkeys(target.scorer_id for target in full):
            record_scorer(self.study, scorer_id)
        for target in full:
            ids = {"scorer_id": target.scorer_id, "system_id": target.system_id}
            data = target.data
            if not self.replace_redacted:
                kept = keep_redacted(self.snapshot, "verdicts", data, partition_of(**ids))
                data = kept.data.collect()
                if kept.keys.height:
                    self.notes.append(f"{target.system}, {KEPT}: {kept.keys.height}")
            self.commits.append(commit_verdicts(self.study, data, **ids))
        for name in dict.fromkeys(name for name, _ in self.orphans):
            self._join(name)
        scores = [score for key in self.orphans for score in self._reported(*key)]
        if scores:
            self.reported = len(scores)
            self.commits.append(
                commit_reported(self.study, scores, source=self.source, table=ORPHANS_TABLE)
            )

    def _join(self, name: str) -> None:
        """Add what pairs of scorers say together, which their separate counts cannot tell.

        "A or B" is the better of the two; "B given A wrong" is how often B overturns A, and "B
        given A right" one minus how often B rejects what A accepts, where graded verdicts are right
        from `RIGHT` on.  Judges and people come second, whatever the order of the columns.
        """
        own = [said.scorer for system, said in self.orphans if system == name]
        own.sort(key=lambda scorer_id: scorer_id.startswith((JUDGE_PREFIX, PERSON_PREFIX)))
        for a, b in itertools.combinations(own, 2):
            first, second = self.orphans[name, Said(a)], self.orphans[name, Said(b)]
            either = Marks()
            given = {is_right: Marks() for is_right in (False, True)}
            for key, one, other in _scored_by_both(first, second):
                best = max((one, other), key=lambda said: said.value or 0.0)
                either.add(key, best)
                turned = replace(other, value=float(_is_right(other)))
                given[_is_right(one)].add(key, turned)
            self.orphans[name, Said(f"{a} or {b}")] = either
            for is_right, marks in given.items():
                self.orphans[name, Said(b, (a, is_right))] = marks

    def _reported(self, name: str, said: Said) -> list[ReportedScore]:
        marks = self.orphans[name, said]
        self.notes.append(
            f"{name}: the study holds no predictions of it, so {len(marks.verdicts)} verdicts of "
            f"{reported_column(said.scorer, given=said.given)!r} are kept as reported scores by "
            f"family"
        )
        return [
            ReportedScore(
                source=self.source,
                table=ORPHANS_TABLE,
                row=name,
                column=reported_column(said.scorer, family, said.given),
                value=float(right / n),
                printed=f"{_digits(right)}/{n}",
                n=n,
                note="the study holds no predictions of this system",
            )
            for family, (right, n) in sorted(self._by_family(marks).items())
        ]

    def _by_family(self, marks: Marks) -> dict[str, tuple[Fraction, int]]:
        """Return the sum and number of the scored verdicts, by family of items."""
        counts: dict[str, tuple[Fraction, int]] = {}
        unknown = unscored = 0
        for (item_id, _), verdict in marks.verdicts.items():
            item = self.catalogue.find(item_id)
            if item is None:
                unknown += 1
            elif verdict.value is None:
                unscored += 1
            else:
                right, n = counts.get(item.family, (Fraction(0), 0))
                counts[item.family] = (right + Fraction(verdict.value), n + 1)
        if unknown or unscored:
            self.notes.append(
                f"  of these, {unknown} on ids that are not in the study and {unscored} without a "
                f"value are left out"
            )
        return counts


def _scored_by_both(first: Marks, second: Marks) -> Iterator[tuple[Key, Verdict, Verdict]]:
    for key, one in first.verdicts.items():
        other = second.verdicts.get(key)
        if other is not None and one.is_scored and other.is_scored:
            yield key, one, other


def _is_right(verdict: Verdict) -> bool:
    return verdict.value is not None and verdict.value >= RIGHT


def _digits(number: Fraction) -> str:
    return str(number.numerator) if number.denominator == 1 else f"{float(number):g}"
