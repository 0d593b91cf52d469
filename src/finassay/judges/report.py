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

    def to_line(self) -> str:
        """Return the flip in one line."""
        same = "" if self.changed else " (the same texts, other votes)"
        return f"{self.item_id}, {self.system}: {self.before} -> {self.after}{same}"


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
        before = f"before: version {self.version} of {self.table}"
        held = f"  {self.held} held before, {self.changed} of them on texts that changed since"
        lines = [f"{held}; {total} verdicts flipped ({before})"]
        lines += [f"    {flip}: {count}" for flip, count in self.flips.items()]
        lines += [f"      {one.to_line()}" for one in self.examples]
        return lines


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeShown:
    """Who judged.

    Attributes:
        name: display name.
        model: as it was asked; of a jury, the names of its judges.
        system_id: its id in the study of what judges were asked; "" for a jury.
        family: families of its model, as far as they can be told.
        is_candidate: whether its model is among the systems judged.
        own: display names of the systems judged that are its model.
        kin: display names of the other systems judged that are of its family.
        unknown: how many of the systems judged are of no family that can be told.
    """

    name: str
    model: str
    system_id: str
    family: str
    is_candidate: bool
    own: tuple[str, ...]
    kin: tuple[str, ...]
    unknown: int

    def to_lines(self) -> list[str]:
        """Return what it has in common with what it judged in plain lines."""
        lines = [f"  family of the judge: {self.family or 'not known'}"]
        if self.is_candidate:
            lines.append(
                f"  the judge is among the systems judged ({', '.join(self.own)}): its verdicts on "
                f"itself are flagged self_judged, and count in no comparison that it takes part in"
            )
        if self.kin:
            lines.append(f"  of its family: {', '.join(self.kin)}")
        return lines


@dataclass(frozen=True, slots=True, kw_only=True)
class ProtocolShown:
    """How it was asked.

    Attributes:
        task: what it was asked.
        arm: which reference it was shown.
        prompt: which wording.
        tolerance: the rounding clause, None for none.
        votes: how often each prompt was asked.
        temperature: of the votes.
        content_hash: of every choice and of all our words.
    """

    task: str
    arm: str
    prompt: str
    tolerance: str | None
    votes: int
    temperature: float
    content_hash: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """Verdicts, counted.

    Attributes:
        wanted: verdicts in scope; of pairs, one for each order.
        left: of these, how many have none yet, because replies are still to come.
        redacted: of these, how many keep what was said, because a reply was masked since.
        statuses: the rest, by status.
        labels: verdicts with a value, by label; of pairs, by winner.
        unscored: verdicts that were wanted and have no value, by status and reason.
        not_applicable: answers that are not judged, by reason.
        splits: how votes were divided, by split: for the winner, for others, not read.
        flags: verdicts by what is flagged of them, splits aside.
    """

    wanted: int
    left: int
    redacted: int
    statuses: Mapping[str, int]
    labels: Mapping[str, int]
    unscored: Mapping[str, int]
    not_applicable: Mapping[str, int]
    splits: Mapping[str, int]
    flags: Mapping[str, int]

    def to_lines(self) -> list[str]:
        """Return the counts in plain lines."""
        later = f"; {self.left} not yet" if self.left else ""
        lines = [f"  {self.wanted} wanted: {_told(self.statuses)}{later}"]
        if self.labels:
            lines.append(f"  verdicts: {_told(self.labels)}")
        for what, counts in (
            ("without a value", self.unscored),
            ("not judged", self.not_applicable),
        ):
            if counts:
                lines += [f"  {what}: {sum(counts.values())}", *listed(counts)]
        if self.redacted:
            lines.append(f"  not decided anew, because a reply was masked: {self.redacted}")
        if len(self.splits) > 1:
            lines.append(f"  votes: {_told(self.splits)}")
        if self.flags:
            lines.append(f"  flagged: {_told(self.flags)}")
        return lines


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """What one judge, or a jury, said under one protocol.

    Attributes:
        scorer_id: what the verdicts stand under.
        scorer_version: their version.
        judge: who it is.
        protocol: how it was asked.
        counts: its verdicts.
        votes_unparsed: single votes that were not read, by reason.
        votes_failed: single votes that did not come, by reason.
        again: what changed since an earlier judging; None where nothing did, or it is the first.
    """

    scorer_id: str
    scorer_version: str
    judge: JudgeShown
    protocol: ProtocolShown
    counts: Counts
    votes_unparsed: Mapping[str, int]
    votes_failed: Mapping[str, int]
    again: Rejudged | None

    def to_lines(self) -> list[str]:
        """Return all of it in plain lines."""
        lines = [f"{self.scorer_id} (version {self.scorer_version})", *self.counts.to_lines()]
        for what, counts in (
            ("votes not read", self.votes_unparsed),
            ("votes that did not come", self.votes_failed),
        ):
            if counts:
                lines += [f"  {what}: {sum(counts.values())}", *listed(counts)]
        again = [] if self.again is None else self.again.to_lines()
        return [*lines, *self.judge.to_lines(), *again]


def _told(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counts.items()) or "none"


def listed(counts: Mapping[str, int]) -> list[str]:
    """Return counts as indented lines."""
    return [f"    {reason}: {count}" for reason, count in counts.items()]


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptSizes:
    """How long the prompts are.

    Attributes:
        prompts: how many different ones.
        most_tokens: tokens of the longest, at most; 0 without prompts.
        budget: tokens kept for the reply.
        context_window: tokens that a judge can hold; None where that was not said.
    """

    prompts: int
    most_tokens: int
    budget: int
    context_window: int | None

    def to_lines(self) -> list[str]:
        """Return the sizes in one line."""
        room = f"up to {self.most_tokens} tokens and {self.budget} for the reply"
        held = (
            "whether that fits is not checked without --context-window"
            if self.context_window is None
            else f"a window of {self.context_window} holds every one"
        )
        return [f"{self.prompts} different prompts, {room}; {held}"]


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgingReport:
    """What judging came to, or would ask.

    Attributes:
        is_dry: whether nothing was asked.
        judged: what each judge said under each protocol, juries last.
        answers: what came of asking judges the questions themselves; None where none was to be.
        votes: what came of asking them for verdicts.
        sizes: how long the prompts are.
        findings: what to know before the verdicts are used.
    """

    is_dry: bool
    judged: tuple[Judged, ...]
    answers: RunReport | None
    votes: RunReport
    sizes: PromptSizes
    findings: tuple[str, ...] = ()

    @property
    def is_complete(self) -> bool:
        """Whether every verdict wanted is there, and every reply it rests on."""
        if self.is_dry:
            return True
        runs = (self.votes, *([] if self.answers is None else [self.answers]))
        return all(run.is_complete for run in runs) and not any(
            one.counts.left for one in self.judged
        )

    def to_lines(self) -> list[str]:
        """Return the report in plain lines."""
        lines = []
        if self.answers is not None:
            lines += ["the judges' own answers", *self.answers.to_lines(), ""]
        lines += ["the judges' votes", *self.sizes.to_lines(), *self.votes.to_lines()]
        for one in self.judged:
            lines += ["", *one.to_lines()]
        if self.findings:
            lines += ["", "findings", *(f"  {one}" for one in self.findings)]
        return lines
