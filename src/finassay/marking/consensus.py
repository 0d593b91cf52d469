"""What people agree on.  In: labels of one prediction by several people.  Out: one label, or none.

Labels are CORRECT, INCORRECT or "not sure".  The rule is declared, so that it can be printed beside
every figure that stands on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from finassay.errors import UsageError
from finassay.records import PERSON_PREFIX, Verdict

ConsensusRule = Literal["majority", "unanimous", "drop-not-sure"]

CONSENSUS_RULES: tuple[ConsensusRule, ...] = get_args(ConsensusRule)

CONSENSUS = f"{PERSON_PREFIX}consensus"
"""Scorer id under which the label that people agree on is filed."""

CORRECT_LABEL, INCORRECT_LABEL = "CORRECT", "INCORRECT"

NO_LABEL = -1
INCORRECT, CORRECT, NOT_SURE = 0, 1, 2
"""Codes of labels; NO_LABEL where a person gave none."""

Codes = NDArray[np.int8]
Counts = NDArray[np.int64]

_TEXTS: dict[ConsensusRule, str] = {
    "majority": 'more than half of the labels given are the same, and not "not sure"',
    "unanimous": 'all labels given are the same, and not "not sure"',
    "drop-not-sure": '"not sure" is dropped first, then more than half of the rest are the same',
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Consensus:
    """When labels of several people settle a prediction.

    Attributes:
        rule: majority (of all labels given, "not sure" among them), unanimous, or majority once
            "not sure" is dropped.
        least: fewest labels that count; None for 2, or 1 where a single person labelled at all.

    Raises:
        UsageError: an unknown rule, or fewer than one label.
    """

    rule: ConsensusRule = "majority"
    least: int | None = None

    def __post_init__(self) -> None:
        if self.rule not in CONSENSUS_RULES:
            raise UsageError(f"`rule` must be one of {CONSENSUS_RULES}, got {self.rule!r}")
        if self.least is not None and self.least < 1:
            raise UsageError(f"`least` must be 1 or more labels, got {self.least!r}")

    def needed(self, people: int) -> int:
        """Return the fewest labels that a prediction needs where so many people labelled."""
        return min(2, people) if self.least is None else self.least

    def text(self, people: int) -> str:
        """Return the rule in words."""
        fewest = self.needed(people)
        return f"{_TEXTS[self.rule]}; at least {fewest} label{'' if fewest == 1 else 's'}"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Settled:
    """What a rule makes of the labels of U predictions.

    Attributes:
        label: (U,) INCORRECT, CORRECT, or NO_LABEL where the labels settle nothing.
        counts: (U, 3) labels given, by code.
        too_few: (U,) whether there are fewer labels than the rule needs, but some.
        agree_not_sure: (U,) whether "not sure" holds the majority.
    """

    label: Codes
    counts: Counts
    too_few: NDArray[np.bool_]
    agree_not_sure: NDArray[np.bool_]

    @property
    def given(self) -> Counts:
        """(U,) number of labels given."""
        return np.asarray(self.counts.sum(axis=1))

    @property
    def dissent(self) -> Counts:
        """(U,) labels that differ from the settled one; 0 where nothing is settled."""
        at = np.maximum(self.label, 0).astype(np.int64)
        with_it = self.counts[np.arange(len(at)), at]
        return np.where(self.label == NO_LABEL, 0, self.given - with_it)


def settle(labels: Codes, consensus: Consensus, *, people: int | None = None) -> Settled:
    """Return what (U, R) labels of R people come to under a rule.

    Args:
        labels: codes of labels, NO_LABEL where a person gave none.
        consensus: the rule.
        people: people who labelled at all; R by default.
    """
    counts = np.stack([(labels == code).sum(axis=1) for code in range(3)], axis=1)
    return settle_counts(counts, consensus, people=labels.shape[1] if people is None else people)


def settle_counts(counts: Counts, consensus: Consensus, *, people: int) -> Settled:
    """Return the same from (U, 3) counts of labels by code."""
    given = counts.sum(axis=1)
    base = given - counts[:, NOT_SURE] if consensus.rule == "drop-not-sure" else given
    enough = base >= consensus.needed(people)
    label = np.full(len(counts), NO_LABEL, dtype=np.int8)
    for code in (INCORRECT, CORRECT):
        votes = counts[:, code]
        wins = votes == base if consensus.rule == "unanimous" else 2 * votes > base
        label[enough & wins & (votes > 0)] = code
    return Settled(
        label=label,
        counts=counts,
        too_few=(given > 0) & ~enough,
        agree_not_sure=(given > 0) & enough & (2 * counts[:, NOT_SURE] > given),
    )


def consensus_verdict(counts: Sequence[int], consensus: Consensus, *, people: int) -> Verdict:
    """Return the verdict of `person/consensus` on one prediction.

    Args:
        counts: labels INCORRECT, CORRECT and "not sure", at least one in all.
        consensus: the rule.
        people: people who labelled at all.
    """
    found = settle_counts(np.array([counts], dtype=np.int64), consensus, people=people)
    wrong, right, unsure = counts
    said = f"{right} CORRECT, {wrong} INCORRECT, {unsure} not sure"
    if found.label[0] == NO_LABEL:
        why = "too few labels" if found.too_few[0] else "no consensus"
        return Verdict(status="unparsed", reason=f"{why}: {said}")
    is_correct = bool(found.label[0] == CORRECT)
    return Verdict(
        status="scored",
        value=float(is_correct),
        label=CORRECT_LABEL if is_correct else INCORRECT_LABEL,
        flags=(f"labels:{'-'.join(str(n) for n in sorted(counts, reverse=True) if n)}",),
        reason=said,
    )
