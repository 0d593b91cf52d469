"""Frozen results about pairwise judgments.  In: nothing.  Out: accuracy, order and re-derivation.

Left and right are the two answers of a pair, whatever the order in which a judge saw them.  Rates
are fractions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from finassay.analyses.results_overturns import CountRate

DecisionRule = Literal["sum", "both orders"]
"""Sum: of both orders, a decision counts +1 for the label, -1 for its flip and 0 for a tie or none,
and more than 0 is right.  Both orders: the pair is decided where both orders say the same, and is
a tie where they differ."""

Decisions = Literal["stored", "derived"]
"""Decisions as the file gives them, or as they follow from the judge's replies or scores."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairwiseAccuracy:
    """How often a judge picks the better answer, under one rule.

    Attributes:
        rule: how two orders make one decision.
        decisions: which decisions.
        source: where the pairs are from; "" for all.
        right: pairs decided for the label, of the pairs that have one.
        n_tied: pairs that are not decided.
        n_wrong: pairs decided for the other answer.
        n_unread: pairs without any decision, in no order; they are neither right nor wrong, and
            stand in the denominator.
    """

    rule: DecisionRule
    decisions: Decisions
    source: str
    right: CountRate
    n_tied: int
    n_wrong: int
    n_unread: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderEffect:
    """What the order of the answers does to a judge.

    Attributes:
        consistent: pairs on which both orders say the same, of those decided in both.
        n_same_answer: of the consistent, those that pick an answer; the others are ties twice.
        n_reversed: pairs on which the two orders pick different answers.
        n_half_tied: pairs on which one order picks an answer and the other a tie.
        n_one_sided: pairs left out, because one order or both have no decision.
        first: decisions for the answer shown first, of all decisions that are no tie; its interval
            takes decisions for independent, which two orders of one pair are not.
        n_lean_first: pairs on which the answer shown first was preferred more often.
        n_lean_second: pairs on which the answer shown second was.
        p: exact two-sided sign test of the two counts; 1 where no pair leans.
    """

    consistent: CountRate
    n_same_answer: int
    n_reversed: int
    n_half_tied: int
    n_one_sided: int
    first: CountRate
    n_lean_first: int
    n_lean_second: int
    p: float


@dataclass(frozen=True, slots=True, kw_only=True)
class DerivedDifference:
    """One judgment whose stored decision does not follow from what the judge said.

    Attributes:
        pair_id: the pair.
        order: which answer was shown first.
        stored: decision in the file; None for none.
        derived: decision read from the reply or the scores; None where none can be read.
        why: why none can be read, or "".
        tail: the end of the reply.
    """

    pair_id: str
    order: str
    stored: str | None
    derived: str | None
    why: str
    tail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Rederived:
    """Stored decisions beside those that follow from replies or scores.

    Attributes:
        read_from: "replies", "scores", or "" where the file stores neither.
        menu: the menu that replies were read with.
        n: judgments.
        n_same: the stored decision is the derived one, of a verdict that was read.
        n_no_verdict: no verdict can be read; what is stored was not taken from what the file holds.
        n_not_stored: a verdict can be read, and none is stored.
        n_equal: the two scores are equal, so that what is stored is a convention.
        n_differ: both are there and differ.
        differences: all but the same, in the order of the file.
    """

    read_from: str
    menu: str
    n: int
    n_same: int
    n_no_verdict: int
    n_not_stored: int
    n_equal: int
    n_differ: int
    differences: tuple[DerivedDifference, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairwiseJudge:
    """One judge of a file.

    Attributes:
        judge: its name.
        n_pairs: pairs it judged.
        n_labelled: of them, those with a label.
        n_decisions: judgments with a stored decision.
        n_missing: judgments without one.
        accuracy: by rule, decisions and source; all sources first.
        order: what the order does to it, by stored decisions.
        rederived: stored beside derived decisions.
        warnings: what a reader must know.
    """

    judge: str
    n_pairs: int
    n_labelled: int
    n_decisions: int
    n_missing: int
    accuracy: tuple[PairwiseAccuracy, ...]
    order: OrderEffect
    rederived: Rederived
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PairwiseReport:
    """What a file of pairwise judgments says of its judges.

    Attributes:
        file: its name.
        judges: in the order in which the file first names them.
        n_prompted: judgments with a reply.
        n_prompted_same: of them, those whose stored decision follows from the reply.
        level: confidence level of intervals.
        method: what was computed.
    """

    file: str
    judges: tuple[PairwiseJudge, ...]
    n_prompted: int
    n_prompted_same: int
    level: float
    method: str
