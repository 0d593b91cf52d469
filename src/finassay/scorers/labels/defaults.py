"""Rules that fill in a label.  In: a reply.  Out: a label, which the reply need not hold.

A score under one of these mixes what the model said with what the rule supplied: the number of
items filled in belongs beside it.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import ClassVar

from finassay.errors import SpecError, UsageError
from finassay.records import content_digest
from finassay.scorers.base import require_flag, require_texts
from finassay.scorers.labels.base import (
    Extraction,
    LabelRule,
    SelectThen,
    read_by_order,
    require_label,
)
from finassay.text.labels import Matcher, finder, label_index

FLARE_SYNONYMS = (
    ("rise", "yes", "positive"),
    ("good", "yes", "positive"),
    ("fall", "no", "negative", "neutral"),
    ("bad", "no", "negative", "neutral"),
)
"""(label, terms that count for it) in FLARE's stock-movement and credit tasks."""

FLARE_DEFAULTS = ("fall", "good")
"""What FLARE's stock-movement and credit tasks fill in: `StockMovement.DEFAULT`,
`German.DEFAULT`, `Australian.DEFAULT`."""


@dataclass(frozen=True, kw_only=True)
class Override(LabelRule):
    """`labels/override`: card order with synonyms as substrings, and a default.

    Synonyms go with their label, so those of the first choice beat the second choice itself; and
    they are substrings, so "no" occurs in "cannot".  Source: `StockMovement`, `German` and
    `Australian` of FLARE (PIXIU, src/tasks/flare.py).

    Attributes:
        synonyms: (label, term, ...), compared in lower case; labels that are no choice of the
            item are passed over.
        default: the label to fill in when nothing occurs; of several, the first that is a choice.
    """

    synonyms: tuple[tuple[str, ...], ...] = FLARE_SYNONYMS
    default: str | tuple[str, ...] = FLARE_DEFAULTS

    name: ClassVar[str] = "labels/override"
    version: ClassVar[str] = "1"
    measure_name: ClassVar[str] = "labels/override"

    def __post_init__(self) -> None:
        require_texts(self, "default", self._defaults)
        for row in self.synonyms:
            require_texts(self, "synonyms", row)
        object.__setattr__(self, "synonyms", tuple(tuple(row) for row in self.synonyms))

    @property
    def _defaults(self) -> tuple[str, ...]:
        return (self.default,) if isinstance(self.default, str) else tuple(self.default)

    def extract(self, reply: str, choices: tuple[str, ...], *, key: str = "") -> Extraction:  # noqa: ARG002
        """Return the first choice that occurs, itself or by a synonym, or else the default."""
        matcher = Matcher(kind="synonym", synonyms=self.synonyms)
        found = finder(matcher, choices)
        reading = read_by_order(found, reply, "card")
        if reading.index is None:
            return Extraction(index=self._default(choices), origin="default")
        if found.forms[reading.index] in found.form(reply):
            return reading
        return Extraction(
            index=reading.index,
            origin="synonym",
            evidence=reading.evidence,
            is_ambiguous=reading.is_ambiguous,
        )

    def _default(self, choices: tuple[str, ...]) -> int:
        known = (label_index(label, choices) for label in self._defaults)
        index = next((i for i in known if i is not None), None)
        if index is None:
            raise UsageError(
                f"{self.name} has no default among the choices {choices!r}: `default` is "
                f"{self.default!r}; set it to one of them"
            )
        return index


@dataclass(frozen=True, kw_only=True)
class DefaultFill(SelectThen):
    """`labels/default-fill`: a selected label, or a fixed one when none occurs.

    Attributes:
        default: the label to fill in.
    """

    default: str

    name: ClassVar[str] = "labels/default-fill"
    version: ClassVar[str] = "1"
    measure_name: ClassVar[str] = "labels/default-fill"

    def otherwise(self, reply: str, choices: tuple[str, ...], key: str) -> Extraction:  # noqa: ARG002
        """Return the default."""
        index = require_label(self.default, choices, self.name, self.norm)
        return Extraction(index=index, origin="default")


@dataclass(frozen=True, kw_only=True)
class ExactDefault(LabelRule):
    """`labels/exact-default`: one label if the reply is exactly its word, else the other.

    Source: `Headlines` of FLARE: "Yes" is Yes; "Yes.", "yes" and silence are No.

    Attributes:
        exact: the text that counts, which is also a choice.
        default: the label of every other reply.
        strip: outer white space of the reply is ignored.
    """

    exact: str = "Yes"
    default: str = "No"
    strip: bool = True

    name: ClassVar[str] = "labels/exact-default"
    version: ClassVar[str] = "1"
    measure_name: ClassVar[str] = "labels/exact-default"

    def __post_init__(self) -> None:
        require_flag(self, "strip", self.strip)

    def extract(self, reply: str, choices: tuple[str, ...], *, key: str = "") -> Extraction:  # noqa: ARG002
        """Return the exact label or the default."""
        named = require_label(self.exact, choices, self.name)
        other = require_label(self.default, choices, self.name)
        text = reply.strip() if self.strip else reply
        if text == self.exact:
            return Extraction(index=named, origin="label", evidence=text)
        if text == self.default:
            return Extraction(index=other, origin="label", evidence=text)
        return Extraction(index=other, origin="default")


@dataclass(frozen=True, kw_only=True)
class Priority(LabelRule):
    """`labels/priority`: labels tested in a fixed order, and a default.

    A label occurs as written in lower case or with a capital; other spellings ("NEGATIVE") are
    not seen.  Source: `change_target` of FinGPT's sentiment benchmarks.

    Attributes:
        priority: labels in the order in which they are tested.
        default: the label when none of them occurs.
        lower_first: lower-case the reply before it is searched.
    """

    priority: tuple[str, ...] = ("positive", "negative")
    default: str = "neutral"
    lower_first: bool = False

    name: ClassVar[str] = "labels/priority"
    version: ClassVar[str] = "1"
    measure_name: ClassVar[str] = "labels/priority"

    def __post_init__(self) -> None:
        require_texts(self, "priority", self.priority)
        require_flag(self, "lower_first", self.lower_first)
        object.__setattr__(self, "priority", tuple(self.priority))
        if not self.priority:
            raise SpecError("`priority` of Priority must name at least one label, got ()")

    def extract(self, reply: str, choices: tuple[str, ...], *, key: str = "") -> Extraction:  # noqa: ARG002
        """Return the first label of the priority that occurs, or the default."""
        text = reply.lower() if self.lower_first else reply
        # The default is the answer either way; its own word in the reply makes it a reading.
        for label in (*self.priority, self.default):
            index = require_label(label, choices, self.name)
            lower = label.lower()
            seen = next((form for form in (lower, lower.capitalize()) if form in text), None)
            if seen is not None:
                return Extraction(index=index, origin="label", evidence=seen)
        return Extraction(index=index, origin="default")


@dataclass(frozen=True, kw_only=True)
class DropUnparsed(SelectThen):
    """`labels/drop-unparsed`: a selected label; a reply without one leaves the denominator.

    Source: `get_precision` of CALM, which removes such items from every metric.
    """

    name: ClassVar[str] = "labels/drop-unparsed"
    version: ClassVar[str] = "1"
    measure_name: ClassVar[str] = "labels/drop-unparsed"

    def otherwise(self, reply: str, choices: tuple[str, ...], key: str) -> Extraction:  # noqa: ARG002
        """Return nothing, dropped."""
        return Extraction(is_dropped=True)


@dataclass(frozen=True, kw_only=True)
class RandomFill(SelectThen):
    """`labels/random-fill`: a selected label, or one drawn evenly when none occurs.

    The draw depends on the seed, the choices, the reply and the item, and on nothing else, so a
    study marked twice gets the same verdicts.

    Attributes:
        seed: seed of the draws.
    """

    seed: int = 0

    name: ClassVar[str] = "labels/random-fill"
    version: ClassVar[str] = "1"
    measure_name: ClassVar[str] = "labels/random-fill"
    reads_key: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if isinstance(self.seed, bool) or not isinstance(self.seed, int):
            raise SpecError(f"`seed` of RandomFill must be a whole number, got {self.seed!r}")

    def otherwise(self, reply: str, choices: tuple[str, ...], key: str) -> Extraction:
        """Return a label drawn with equal chances."""
        seed = content_digest(str(self.seed), key, reply, *choices)
        drawn = Random(seed).randrange(len(choices))  # noqa: S311 - a declared, repeatable draw
        return Extraction(index=drawn, origin="random")
