"""What a reader of items asks for and gets.  In: nothing.  Out: frozen records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from finassay.errors import UsageError
from finassay.marking.explain import HIDDEN
from finassay.marking.matrix import RIGHT
from finassay.records import Item, Status

ItemOrder = Literal["id", "k", "disagreement", "flips", "family", "difficulty"]
"""How items are listed: by id; by the share of systems that are right, hardest first; by how far
rules disagree, most first; by systems on which rules differ, most first; by a column."""

Outcome = Literal["right", "wrong", "unscored", "absent"]
"""What a rule says of one system's reply; absent where it says nothing."""

ScorerKind = Literal["rule", "judge", "person", "regime"]
"""What stands behind a verdict."""

Side = Literal["items", "replies"]
"""Where words are looked for: in questions, passages and references, or in what systems replied."""

MOST_ROWS = 200
"""Items that a page may hold."""

MOST_REPLIES = 25
"""Replies that a page of one item may hold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemQuery:
    """Which items, in which order; what is None or "" is not asked.

    Attributes:
        benchmark: items of this benchmark.
        family: items of this family.
        task: items of this task.
        difficulty: items with this difficulty label.
        text: words that must stand somewhere, whatever their case.
        where: where they must stand.
        rule: scorer that says who is right; the index' primary rule by default.
        k_least: at least so many systems are right.
        k_most: at most so many are.
        system: display name of a system that `outcome` is about.
        outcome: what the rule must say of that system's reply.
        against: another scorer, that must differ from the rule on some system's reply.
        is_disputed: only items on which rules differ about some system's reply.
        order: see `ItemOrder`.
        is_reversed: the other way round.

    Raises:
        UsageError: an outcome without a system, or a range that holds nothing.
    """

    benchmark: str = ""
    family: str = ""
    task: str = ""
    difficulty: str = ""
    text: str = ""
    where: Side = "items"
    rule: str = ""
    k_least: int | None = None
    k_most: int | None = None
    system: str = ""
    outcome: Outcome | None = None
    against: str = ""
    is_disputed: bool = False
    order: ItemOrder = "id"
    is_reversed: bool = False

    def __post_init__(self) -> None:
        if self.outcome is not None and not self.system:
            raise UsageError(
                f"`outcome` {self.outcome!r} needs a system that it is about, got none; name one"
            )
        least, most = self.k_least, self.k_most
        if least is not None and most is not None and least > most:
            raise UsageError(
                f"at least {least!r} and at most {most!r} systems right holds no item; swap them"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemRow:
    """One item in a list.

    Attributes:
        item_id: its id.
        benchmark: its benchmark.
        family: its family.
        task: its task.
        difficulty: its difficulty label.
        question: the question.
        reference: the accepted answer; None without one.
        k: systems that are right under the rule.
        n: systems with a value under the rule.
        n_unscored: systems with a verdict that has no value.
        flips: systems on whose reply rules differ.
        disagreement: share of pairs of rules that differ, over all systems, in [0, 1]; None
            where no reply has the verdicts of two rules.
    """

    item_id: str
    benchmark: str
    family: str
    task: str
    difficulty: str
    question: str
    reference: str | None
    k: int
    n: int
    n_unscored: int
    flips: int
    disagreement: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemList:
    """A page of items.

    Attributes:
        rows: the items of this page.
        start: number of items before it.
        size: items that a page holds.
        total: items that were asked for.
        n_items: items of the study.
        rule: scorer behind `k`.
        rules: scorers behind `flips` and `disagreement`.
        query: what was asked.
    """

    rows: tuple[ItemRow, ...]
    start: int
    size: int
    total: int
    n_items: int
    rule: str | None
    rules: tuple[str, ...]
    query: ItemQuery

    def without_text(self) -> ItemList:
        """Return the same without questions and references."""
        rows = (replace(row, question=HIDDEN, reference=None) for row in self.rows)
        return replace(self, rows=tuple(rows))


@dataclass(frozen=True, slots=True, kw_only=True)
class Facets:
    """What items can be filtered by: (value, items) by column, values that occur."""

    benchmarks: tuple[tuple[str, int], ...]
    families: tuple[tuple[str, int], ...]
    tasks: tuple[tuple[str, int], ...]
    difficulties: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where an item stands among those that were asked for.

    Attributes:
        number: its place, from 1; None where it is not among them.
        total: items that were asked for.
        previous: id of the item before it.
        following: id of the item after it.
    """

    number: int | None
    total: int
    previous: str | None
    following: str | None


Segment = tuple[str, str]
"""(mark, piece of a text); pieces joined are the text.

A mark is "answer" for what `financial` takes for the answer, "number" for another figure that was
read, or "".
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeReply:
    """What a judge said.

    Attributes:
        judge: display name of the judge's system.
        prompt: what it was asked, whole; "" where it is not held.
        text: its reply.
        finish: what became of the reply.
    """

    judge: str
    prompt: str
    text: str
    finish: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A verdict on one reply.

    Attributes:
        scorer: scorer id.
        version: of the scorer.
        kind: what the scorer is.
        repeat: which of several verdicts on one reply, from 0.
        status: what became of the marking.
        value: in [0, 1] exactly when the status is "scored".
        label: what the scorer said in its own word.
        extracted: what it took from the reply.
        flags: policies that decided, or could have.
        reason: why, in words.
        is_stale: whether it stands on an older reply or item than the study holds.
        evidence_id: id of what it rests on.
        judge: what the judge said, where it is held.
    """

    scorer: str
    version: str
    kind: ScorerKind
    repeat: int
    status: Status
    value: float | None
    label: str | None
    extracted: str | None
    flags: tuple[str, ...]
    reason: str
    is_stale: bool
    evidence_id: str | None
    judge: JudgeReply | None = None

    def without_text(self) -> Mark:
        """Return the same without words that may stand in a reply or a reference."""
        return replace(self, label=None, extracted=None, reason="", judge=None)

    @property
    def outcome(self) -> Outcome:
        """Whether the verdict is right, wrong or without a value."""
        if self.value is None:
            return "unscored"
        return "right" if self.value >= RIGHT else "wrong"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """A system's reply to an item.

    Attributes:
        system: display name.
        system_id: id of the system.
        trial: which trial.
        prediction_id: id of the prediction.
        text: the reply, whole.
        segments: the same in pieces, with the figures marked.
        reasoning: what the model thought, where it was logged.
        finish: what became of the reply.
        flags: what is known of the log it came from.
        tokens_out: tokens of the reply; None where not logged.
        latency_s: seconds it took; None where not logged.
        cost_usd: its price; None where not logged.
        marks: verdicts on it: rules, then judges, people and regimes.
        labels_conflict: whether two people say different things of it.
    """

    system: str
    system_id: str
    trial: int
    prediction_id: str
    text: str
    segments: tuple[Segment, ...]
    reasoning: str
    finish: str
    flags: tuple[str, ...]
    tokens_out: int | None
    latency_s: float | None
    cost_usd: float | None
    marks: tuple[Mark, ...]
    labels_conflict: bool

    def without_text(self) -> Reply:
        """Return the same without what the system said."""
        marks = tuple(mark.without_text() for mark in self.marks)
        return replace(self, text="", segments=(), reasoning="", marks=marks)

    def outcome(self, rule: str) -> Outcome:
        """Return what a rule says of it."""
        return next((mark.outcome for mark in self.marks if mark.scorer == rule), "absent")


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemShown:
    """One item with replies to it.

    Attributes:
        item: the item, whole.
        item_digest: digest of all that a scorer may read of it.
        reference: the reference in pieces, with its figures marked; () without one.
        replies: replies of this page, right ones under the rule first, then by name.
        start: number of replies before this page.
        size: replies that a page holds.
        total: replies to this item in this trial.
        trial: the trial shown.
        trials: trials that there are.
        outcomes: (system, outcome) under the rule, of every system with a reply, in page order.
        rule: scorer that replies are sorted by; None where the study holds no verdicts.
        scorers: scorers with a verdict on some reply of this page, in the order of `Reply.marks`.
        conflicts: systems of this page on whose reply people differ.
    """

    item: Item
    item_digest: str
    reference: tuple[Segment, ...]
    replies: tuple[Reply, ...]
    start: int
    size: int
    total: int
    trial: int
    trials: tuple[int, ...]
    outcomes: tuple[tuple[str, Outcome], ...]
    rule: str | None
    scorers: tuple[str, ...]
    conflicts: tuple[str, ...]

    def without_text(self) -> ItemShown:
        """Return the same without questions, passages, references, replies and their words."""
        bare = Item(
            item_id=self.item.item_id,
            benchmark=self.item.benchmark,
            family=self.item.family,
            task=self.item.task,
            difficulty=self.item.difficulty,
            language=self.item.language,
            split=self.item.split,
            question=HIDDEN,
            contract_id=self.item.contract_id,
            contract=self.item.contract,
            documents=self.item.documents,
        )
        replies = tuple(reply.without_text() for reply in self.replies)
        return replace(self, item=bare, reference=(), replies=replies)

    @property
    def counts(self) -> Mapping[Outcome, int]:
        """How many systems have each outcome under the rule."""
        said = [outcome for _, outcome in self.outcomes]
        kinds: tuple[Outcome, ...] = ("right", "wrong", "unscored", "absent")
        return {kind: said.count(kind) for kind in kinds}
