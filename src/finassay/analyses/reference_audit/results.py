"""Frozen results of a reference audit.  In: nothing.  Out: findings, sources and counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from finassay.analyses.results_audit import Severity

ReferenceKind = Literal[
    "arithmetic",
    "rounding",
    "scale",
    "sign",
    "substitution",
    "equation",
    "identity",
    "inequality",
    "congruence",
    "remainder",
    "sum",
    "stated",
    "conclusion",
    "turns",
    "empty",
    "disagreement",
    "unclear",
    "alternative",
    "erratum",
    "consensus",
]
"""What a finding says: see `KINDS`."""

KINDS: dict[ReferenceKind, str] = {
    "arithmetic": "a computation written in the reference has another result",
    "rounding": "a sum is off by no more than the rounding of its figures",
    "scale": "the two sides differ by a power of ten or a change of unit",
    "sign": "the two sides differ by their sign",
    "substitution": "with the values that it states itself, a computation has another result",
    "equation": "a stated solution does not satisfy an equation written down",
    "identity": "two sides that are said to be the same expression are not",
    "inequality": "a comparison of numbers is false",
    "congruence": "a congruence is false",
    "remainder": "a division leaves another quotient or remainder",
    "sum": "the entries of a list do not add up to the total below it",
    "stated": "a result stated in words (average, share, total) is another",
    "conclusion": "the conclusion gives another value than the computation for the same thing",
    "turns": "a later turn gives another value for the same thing than an earlier one",
    "empty": "there is no reference",
    "disagreement": "two references give different final answers",
    "unclear": "whether two references agree could not be told",
    "alternative": "an accepted alternative has another value than the reference",
    "erratum": "the reference was corrected, and the old one has another value",
    "consensus": "most systems give one and the same other answer",
}

ARITHMETIC_KINDS: frozenset[ReferenceKind] = frozenset(get_args(ReferenceKind)[:12])
"""Kinds that come of computing again what one text says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TextFinding:
    """Something in one text that does not hold.

    Attributes:
        kind: what.
        severity: high where the numbers leave no doubt, medium where the text may be read
            otherwise, low where it is a matter of rounding or scale.
        start: where it starts in the text.
        end: where it ends.
        said: the words or figures in question, as written.
        stated: the value as stated.
        found: the value found.
        reason: one clause.
    """

    kind: ReferenceKind
    severity: Severity
    start: int
    end: int
    said: str
    stated: str
    found: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceFinding:
    """Something about the reference of one source to one turn of one item.

    Attributes:
        item_id: the item.
        turn: 1 for the first.
        source: whose reference.
        against: the other source, or what else it was compared with; "" for the text itself.
        kind: what.
        severity: high, medium or low.
        start: where it starts in the reference; 0 where the whole is meant.
        end: where it ends.
        said: the words or figures in question, as written.
        stated: the value as stated.
        found: the value found.
        reason: one clause.
    """

    item_id: str
    turn: int
    source: str
    against: str
    kind: ReferenceKind
    severity: Severity
    start: int
    end: int
    said: str
    stated: str
    found: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceSummary:
    """One source of references.

    Attributes:
        source: its name.
        n: references, over all items and turns.
        n_empty: those without text.
        n_checked: relations between two sides that could be computed again, over all references.
        n_texts_checked: references with at least one such relation.
        n_suspected: references with a finding of severity high or medium.
    """

    source: str
    n: int
    n_empty: int
    n_checked: int
    n_texts_checked: int
    n_suspected: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PairSummary:
    """Two sources, compared by value.

    Attributes:
        left: a source.
        right: another.
        n: references that both have.
        n_same: of those, with the same final answer.
        n_different: with another final answer.
        n_unclear: where it could not be told.
    """

    left: str
    right: str
    n: int
    n_same: int
    n_different: int
    n_unclear: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceAudit:
    """What a reference audit found; no model was asked.

    Attributes:
        n_items: items.
        n_turns: items x turns.
        trusted: the source taken as right where others differ from it; "" for none.
        sources: one entry a source.
        pairs: one entry a pair of sources.
        kinds: (kind, findings), those that occur.
        findings: by item, turn and source.
        method: how values were read and compared.
        warnings: what a reader must know.
    """

    n_items: int
    n_turns: int
    trusted: str
    sources: tuple[SourceSummary, ...]
    pairs: tuple[PairSummary, ...]
    kinds: tuple[tuple[str, int], ...]
    findings: tuple[ReferenceFinding, ...]
    method: str
    warnings: tuple[str, ...] = ()
