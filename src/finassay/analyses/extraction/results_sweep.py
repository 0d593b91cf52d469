"""Results of many cells side by side.  In: nothing.  Out: frozen dataclasses."""

from __future__ import annotations

from dataclasses import dataclass

from finassay.analyses.extraction.floors import Outcome, Undetermined

BY_INTERVAL = "interval"
"""Name under which the verdicts of the reachable interval are counted, beside those of rules."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleOutcome:
    """One rule on one cell.

    Attributes:
        rule: scorer id.
        right: right items.
        accuracy: right / n, a reply without a label counting as wrong.
        outcome: on which side of the floor the score lies.
        is_member: whether the rule took a label that occurs wherever one does, and none elsewhere.
        filled: items whose label the rule filled in.
        refused: items whose reply refuses to answer, or that were logged as refused.
    """

    rule: str
    right: int
    accuracy: float
    outcome: Outcome
    is_member: bool
    filled: int
    refused: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepRow:
    """One cell: a task, a system, a prompt arm and a generation budget.

    Attributes:
        arm: prompt arm; "" is undeclared.
        budget: generation budget; "" is undeclared.
        answers: "free", or "exact" for the arm that asks for the label alone.
        n: items.
        k: labels offered.
        covered: items whose reply names a label.
        ambiguous: items whose reply names several (M = ambiguous / n).
        contested: those among them that name the accepted one (M* = contested / n).
        low: fewest right items under rules that select a label that occurs.
        high: most right items.
        text_low: fewest right items under rules that read the reply alone.
        text_high: most right items.
        floor: right items of the best constant answer, in every stratum where strata are declared.
        is_stratified: whether they are.
        outcome: on which side of the floor the interval lies.
        sub_state: how an undetermined interval touches the floor.
        rules: every rule that was asked.
        changes_side: whether rules of the selecting family lie on different sides of the floor.
        certificate: what is certified for the selecting family; () without a certificate.
        digest: digest of what the counts depend on.
    """

    task: str
    system: str
    arm: str
    budget: str
    split: str
    answers: str
    n: int
    k: int
    covered: int
    ambiguous: int
    contested: int
    low: int
    high: int
    text_low: int
    text_high: int
    floor: int
    is_stratified: bool
    outcome: Outcome
    sub_state: Undetermined | None
    rules: tuple[RuleOutcome, ...]
    changes_side: bool
    certificate: tuple[str, ...]
    digest: str

    @property
    def title(self) -> str:
        """The cell in one line."""
        named = (self.task, self.system, self.arm, self.budget, self.split)
        return " / ".join(part for part in named if part) or "cell"


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeTally:
    """How many cells lie on each side of their floor.

    Attributes:
        by: scorer id of the rule, or "interval" for the reachable interval.
        cells: which cells, "all" or "binary" (two labels).
        n: cells counted.
    """

    by: str
    cells: str
    n: int
    clears: int
    ties: int
    below: int
    undetermined: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmPair:
    """One task and system under a prompt that leaves the answer free, and one that does not.

    Attributes:
        same_items: whether both arms answered the same items; if not, they do not compare.
        free: title of the free arm's cell.
        exact: title of the exact-answer arm's cell.
        free_outcome: verdict of the free arm's interval, with its sub-state.
        exact_outcome: the same for the exact-answer arm.
        free_contested: M* of the free arm.
        exact_contested: M* of the exact-answer arm.
        free_coverage: share of items whose reply names a label.
        exact_coverage: the same.
        survives: whether the free arm's conclusion stands; None where it has none or the items
            differ.
    """

    task: str
    system: str
    free: str
    exact: str
    same_items: bool
    free_outcome: str
    exact_outcome: str
    free_contested: float
    exact_contested: float
    free_coverage: float
    exact_coverage: float
    survives: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class HumanAgreement:
    """How often a rule reads what a person reads.

    Attributes:
        rule: scorer id.
        n: replies that a person read.
        same: replies for which the rule names the label that the person names, or both none.
        share: same / n; None without readings.
        filled_against: replies in which the person reads no label and the rule names one.
        missed: replies in which the person reads a label and the rule names none.
    """

    rule: str
    n: int
    same: int
    share: float | None
    filled_against: int
    missed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelSweep:
    """Many cells in one table.

    Attributes:
        matcher: what counts as an occurrence of a label.
        rows: in the order given.
        tallies: sides of the floor, by the interval and by every rule, over all and binary cells.
        changing: titles of the cells in which selecting rules lie on different sides.
        arms: pairs of a free and an exact-answer arm.
        human: agreement of every rule with people, over all cells where one read the replies.
        warnings: what a reader must know.
    """

    matcher: str
    rows: tuple[SweepRow, ...]
    tallies: tuple[OutcomeTally, ...]
    changing: tuple[str, ...]
    arms: tuple[ArmPair, ...]
    human: tuple[HumanAgreement, ...] = ()
    warnings: tuple[str, ...] = ()
