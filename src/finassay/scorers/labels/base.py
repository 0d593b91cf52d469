"""What every label rule is.  In: a reply and the choices.  Out: the label it names, and how.

A rule that *selects* returns a label that occurs in the reply and abstains only when none does.
Rules outside that family may name a label that the reply does not hold, and say where it came
from: a synonym, a letter, a default, a draw, a file.

Reproductions of published rules mark a reply without a label as wrong (value 0, flag
`no_label`), as the benchmarks do; `labels/drop-unparsed` alone leaves it without a value.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

from finassay.errors import UsageError
from finassay.records import Item, Prediction, Verdict, content_id
from finassay.scorers.base import Rule, require_one_of, right_or_wrong
from finassay.text.labels import LabelFinder, Matcher, Norm, Span, TermKind, finder, label_index

Origin = Literal["none", "label", "pattern", "synonym", "letter", "default", "random", "external"]
"""Where a label came from; "none" when the rule named none."""

Order = Literal["card", "text", "last", "longest"]
Tie = Literal["card", "longest"]

_FLAGS: dict[Origin, str] = {
    "synonym": "synonym",
    "letter": "letter_fallback",
    "default": "default_filled",
    "random": "random_filled",
    "external": "external",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """What a rule read out of one reply.

    Attributes:
        index: card index of the label, or None where the rule names none of the choices.
        origin: where the label came from.
        evidence: the text that decided, as the rule saw it; "" where none did.
        is_ambiguous: several labels occurred and the rule chose among them.
        is_dropped: the rule takes the item out of the denominator.
    """

    index: int | None = None
    origin: Origin = "none"
    evidence: str = ""
    is_ambiguous: bool = False
    is_dropped: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelMeasure:
    """What decides a verdict: the extraction, the reference's index, or a problem with the item."""

    extraction: Extraction = Extraction()
    label: str | None = None
    gold: int | None = None
    status: Literal["scored", "not_applicable", "failed"] = "scored"
    problem: str = ""


@dataclass(frozen=True, kw_only=True)
class LabelRule(Rule[LabelMeasure]):
    """A rule that names one of the item's choices, or none.

    Class attributes:
        family: "select" when the rule returns a label that occurs in the reply and abstains only
            when none does, "" when it need not.
        reads_key: the rule depends on which item it is, not on reply and choices alone.
    """

    published: ClassVar[bool] = True
    family: ClassVar[Literal["select", ""]] = ""
    reads_key: ClassVar[bool] = False

    @abstractmethod
    def extract(self, reply: str, choices: tuple[str, ...], *, key: str = "") -> Extraction:
        """Return what the rule reads.

        Args:
            reply: the reply, whole.
            choices: the labels in card order.
            key: identity of the item, for rules that draw or look up; its id where known.

        Raises:
            UsageError: the choices cannot be told apart, or lack a label that the rule needs.
        """

    @property
    def matcher(self) -> Matcher | None:
        """The matcher whose candidate sets the rule selects from; None outside the family."""
        return None

    @property
    def gold_norm(self) -> Norm:
        """Normal form under which the reference is looked up among the choices."""
        return "lower"

    def key_of(self, item: Item, prediction: Prediction) -> str:  # noqa: ARG002 - for subclasses
        """Return the identity of the item as `extract` takes it."""
        return content_id(item.question, item.context)

    def measure(self, *, reference: str, item: Item, prediction: Prediction) -> LabelMeasure:
        """Return what the rule reads beside the place of the reference among the choices."""
        if not item.choices:
            return LabelMeasure(status="not_applicable", problem="the item offers no choices")
        choices = tuple(dict.fromkeys(item.choices))
        gold = label_index(reference, choices, self.gold_norm)
        if gold is None:
            problem = f"the reference {reference!r} is none of the choices {choices!r}"
            return LabelMeasure(status="failed", problem=problem)
        try:
            found = self.extract(prediction.text, choices, key=self.key_of(item, prediction))
        except UsageError as error:
            return LabelMeasure(status="failed", problem=str(error))
        label = None if found.index is None else choices[found.index]
        return LabelMeasure(extraction=found, label=label, gold=gold)

    def decide(self, measured: LabelMeasure) -> Verdict:
        """Return right when the label named is the reference, by place among the choices."""
        if measured.status != "scored":
            return Verdict(status=measured.status, reason=measured.problem)
        found = measured.extraction
        if found.is_dropped:
            return Verdict(status="unparsed", reason="no label in the reply; the rule drops it")
        if found.index is None:
            reason = f"{found.evidence!r} is no choice" if found.evidence else "no label found"
            return Verdict(status="scored", value=0.0, flags=("no_label",), reason=reason)
        verdict = right_or_wrong(
            is_right=found.index == measured.gold,
            reason=f"the rule reads {measured.label!r} ({found.origin})",
            extracted=found.evidence or None,
        )
        flags: tuple[str, ...] = (_FLAGS[found.origin],) if found.origin in _FLAGS else ()
        flags += ("several_labels",) if found.is_ambiguous else ()
        return Verdict(
            status="scored",
            value=verdict.value,
            label=measured.label,
            extracted=verdict.extracted,
            flags=flags,
            reason=verdict.reason,
        )


def select(spans: Sequence[Span], order: Order, tie: Tie = "card") -> Span | None:
    """Return the span that a selecting rule takes, or None when there is none.

    Args:
        spans: occurrences of labels.
        order: "card" takes the label that stands first among the choices, "text" the occurrence
            that starts first, "last" the one that starts last; "longest" is "text" after spans
            inside longer ones were dropped.
        tie: among occurrences with one start, the label first on the card, or the longest one.
    """
    if not spans:
        return None
    if order == "card":
        return min(spans, key=lambda s: (s.label, s.start))
    sign = -1 if order == "last" else 1
    if tie == "longest":
        return min(spans, key=lambda s: (sign * s.start, -s.end, s.label))
    return min(spans, key=lambda s: (sign * s.start, s.label))


def read_by_order(found: LabelFinder, reply: str, order: Order, tie: Tie = "card") -> Extraction:
    """Return what a selecting rule reads under one matcher."""
    first_is_enough = order in {"card", "text"} and not found.matcher.longest
    spans = found.firsts(reply) if first_is_enough else found.spans(reply)
    taken = select(spans, order, tie)
    if taken is None:
        return Extraction()
    return Extraction(
        index=taken.label,
        origin="label",
        evidence=found.form(reply)[taken.start : taken.end],
        is_ambiguous=len({span.label for span in spans}) > 1,
    )


@dataclass(frozen=True, kw_only=True)
class SelectThen(LabelRule):
    """A selecting rule with something else for replies without a label.

    Attributes:
        order: which label is taken when several occur (see `select`).
        match: "substring" or "word".
        norm: normal form of reply and labels.
    """

    order: Order = "card"
    match: TermKind = "substring"
    norm: Norm = "lower"

    def __post_init__(self) -> None:
        require_one_of(self, "order", self.order, get_args(Order))
        require_one_of(self, "match", self.match, get_args(TermKind))
        require_one_of(self, "norm", self.norm, get_args(Norm))

    @property
    def gold_norm(self) -> Norm:
        """The rule's own normal form."""
        return self.norm

    def extract(self, reply: str, choices: tuple[str, ...], *, key: str = "") -> Extraction:
        """Return the label selected, or what the rule does without one."""
        matcher = Matcher(kind=self.match, norm=self.norm, longest=self.order == "longest")
        found = read_by_order(finder(matcher, choices), reply, self.order)
        return self.otherwise(reply, choices, key) if found.index is None else found

    @abstractmethod
    def otherwise(self, reply: str, choices: tuple[str, ...], key: str) -> Extraction:
        """Return what the rule makes of a reply in which no label occurs."""


def require_label(label: str, choices: Sequence[str], rule: str, norm: Norm = "lower") -> int:
    """Return the card index of a label that a rule needs.

    Raises:
        UsageError: it is none of the choices.
    """
    index = label_index(label, choices, norm)
    if index is None:
        raise UsageError(
            f"{rule} needs the label {label!r}, which is none of the choices {tuple(choices)!r}; "
            f"set the rule's parameter to one of them"
        )
    return index
