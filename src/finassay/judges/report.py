"""What came of judging.  In: counts.  Out: a frozen report, in lines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from finassay.runs.report import RunReport

SHOWN_FLIPS = 5
"""Flips of each direction that are shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Flip:
    """A verdict that is another one than before.

    Attributes:
        item_id: of which item.
        system: display name of the system judged; of a pair, both.
        before: what was said: a label, or the status where there was none.
        after: what is said now.
        changed: whether what is judged changed, its text or its item; without that only the
            judge's votes did.
    """

    item_id: str
    system: str
    before: str
    after: str
    changed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejudged:
    """What is new beside an earlier judging of the same kind.

    Attributes:
        held: verdicts that were there before, of what is judged now.
        changed: of these, on another text or item than now.
        flips: by "BEFORE -> AFTER", how many verdicts changed.
        examples: some of them.
        table: table that holds them.
        version: version of that table that still holds all that was there before.
    """

    held: int
    changed: int
    flips: Mapping[str, int]
    examples: tuple[Flip, ...]
    table: str
    version: int

    def to_lines(self) -> list[str]:
        """Return what changed in plain lines."""
        total = sum(self.flips.values())
        lines = [
            f"  {self.held} held before, {self.changed} of them on a text or item that changed "
            f"since; {total} verdicts flipped (before: version {self.version} of {self.table})"
        ]
        lines += [f"    {flip}: {count}" for flip, count in self.flips.items()]
        lines += [
            f"      {one.item_id}, {one.system}: {one.before} -> {one.after}"
            + ("" if one.changed else " (the same text, other votes)")
            for one in self.examples
        ]
        return lines


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """What one judge, or a jury, said under one protocol.

    Attributes:
        scorer_id: what the verdicts stand under.
        scorer_version: their version.
        judge: display name.
        model: as it was asked; of a jury, all of them.
        system_id: the judge's id in the study of what judges were asked; "" for a jury.
        family: family of models, as far as it can be told.
        is_candidate: whether the judge's model is among the systems judged.
        kin: display names of the systems judged that are of its family, itself aside.
        protocol_hash: of every choice and of all words of ours.
        votes: how often each prompt was asked.
        wanted: verdicts in scope, or pairs in each order.
        statuses: of these, by status.
        labels: verdicts with a value, by label; of pairs, by winner.
        unscored: verdicts without a value, by status and reason.
        left: of those wanted, how many have no verdict yet, because answers are still to come.
        left_out: what is not judged, by reason.
        redacted: how many were not judged, and keep what was said, because a text was masked.
        votes_unparsed: single votes that were not read, by reason.
        votes_failed: single votes that did not come, by reason.
        splits: how votes were divided, by split.
        flags: verdicts by what is flagged of them, splits aside.
        again: what changed since an earlier judging; None for the first.
    """

    scorer_id: str
    scorer_version: str
    judge: str
    model: str
    system_id: str
    family: str
    is_candidate: bool
    kin: tuple[str, ...]
    protocol_hash: str
    votes: int
    wanted: int
    statuses: Mapping[str, int]
    labels: Mapping[str, int]
    unscored: Mapping[str, int]
    left: int
    left_out: Mapping[str, int]
    redacted: int
    votes_unparsed: Mapping[str, int]
    votes_failed: Mapping[str, int]
    splits: Mapping[str, int]
    flags: Mapping[str, int]
    again: Rejudged | None

    def to_lines(self) -> list[str]:
        """Return the counts in plain lines."""
        later = f"; {self.left} not yet, run again" if self.left else ""
        lines = [
            f"{self.scorer_id} (version {self.scorer_version})",
            f"  {self.wanted} wanted: {_told(self.statuses)}{later}",
            f"  verdicts: {_told(self.labels)}",
        ]
        if self.unscored:
            lines += ["  without a value:", *_listed(self.unscored)]
        for what, counts in (
            ("votes not read", self.votes_unparsed),
            ("votes that did not come", self.votes_failed),
            ("not judged", self.left_out),
        ):
            if counts:
                lines += [f"  {what}: {sum(counts.values())}", *_listed(counts)]
        if self.redacted:
            lines.append(f"  not judged again, because a text was masked: {self.redacted}")
        if self.votes > 1 and self.splits:
            lines.append(f"  votes: {_told(self.splits)}")
        if self.flags:
            lines.append(f"  flagged: {_told(self.flags)}")
        return [*lines, *self._independence(), *(self.again.to_lines() if self.again else ())]

    def _independence(self) -> list[str]:
        family = self.family or "not known"
        lines = [f"  family of the judge: {family}"]
        if self.is_candidate:
            lines.append(
                "  the judge is among the systems judged: its verdicts on itself are flagged "
                "self_judged, and are no evidence in a comparison that it takes part in"
            )
        if self.kin:
            lines.append(f"  of its family: {', '.join(self.kin)}")
        return lines


def _told(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counts.items()) or "none"


def _listed(counts: Mapping[str, int]) -> list[str]:
    return [f"    {reason}: {count}" for reason, count in counts.items()]


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgingReport:
    """What judging came to, or would ask.

    Attributes:
        is_dry: whether nothing was asked.
        judged: what each judge said under each protocol, juries last.
        answers: what came of asking judges the questions themselves; None where none is shown its
            own answer.
        votes: what came of asking them for verdicts.
        findings: what to know before the verdicts are used.
    """

    is_dry: bool
    judged: tuple[Judged, ...]
    answers: RunReport | None
    votes: RunReport
    findings: tuple[str, ...] = ()

    @property
    def is_complete(self) -> bool:
        """Whether every verdict wanted is there."""
        return self.is_dry or not any(one.left for one in self.judged)

    def to_lines(self) -> list[str]:
        """Return the report in plain lines."""
        lines = []
        if self.answers is not None:
            lines += ["the judges' own answers", *self.answers.to_lines(), ""]
        lines += ["the judges' votes", *self.votes.to_lines()]
        for one in self.judged:
            lines += ["", *one.to_lines()]
        if self.findings:
            lines += ["", "findings", *(f"  {one}" for one in self.findings)]
        return lines
