"""Frozen results about few labels.  In: nothing.  Out: corrected scores, differences, budgets.

Scores and differences are fractions; a difference is left minus right.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

Estimator = Literal[
    "judge",
    "human",
    "horvitz-thompson",
    "hajek",
    "rogan-gladen",
    "rogan-gladen pooled",
    "ppi",
    "ppi++",
]
"""What is made of the labels and the judge's verdicts; "judge" takes the verdicts as they are, and
"human", "horvitz-thompson" and "hajek" the labels alone."""

ESTIMATORS: tuple[Estimator, ...] = get_args(Estimator)

Population = Literal["these items", "items like these"]
"""Of what a score is meant: what people would say of all these answers, or of further items too."""

POPULATIONS: tuple[Population, ...] = get_args(Population)

LabelUnit = Literal["prediction", "item"]
"""What was drawn: answers one by one, or items with the answers of all systems."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelEstimate:
    """A score by one estimator.

    Attributes:
        estimator: see `Estimator`.
        value: in [0, 1]; None where there is none, and `reason` says why.
        low: low end of the interval; None where it cannot be trusted, and `reason` says why.
        high: high end.
        error: standard error by the textbook formula; None where it cannot be estimated.
        n_labels: labels that entered.
        effective_size: labels of a simple random sample whose interval would be as wide; None
            without an interval.
        clipped: whether the formula gave a number outside [0, 1].
        tuning: weight that the verdicts got, 0 to 1; None where the estimator has none.
        reason: why a number is missing; "" where none is.
    """

    estimator: Estimator
    value: float | None
    low: float | None
    high: float | None
    error: float | None
    n_labels: int
    effective_size: float | None
    clipped: bool = False
    tuning: float | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeRate:
    """How often a judge is right about answers of one kind, estimated for all of them.

    Attributes:
        rate: in [0, 1]; None without a label of that kind.
        low: low end of its interval; None without one.
        high: high end.
        n: labels of that kind.
    """

    rate: float | None
    low: float | None
    high: float | None
    n: int


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeErrors:
    """The judge against the labels, over a system, a stratum or everything.

    Attributes:
        scope: "all", or the name of the system or stratum.
        sensitivity: share of the answers that people mark right which the judge marks right.
        specificity: share of the answers that people mark wrong which the judge marks wrong.
        agreement: share of the answers on which both say the same.
    """

    scope: str
    sensitivity: JudgeRate
    specificity: JudgeRate
    agreement: JudgeRate


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledSystem:
    """One system.

    Attributes:
        system: display name.
        n: answers it gave, which are what the score is over.
        n_drawn: of these, drawn for labelling.
        n_labels: labelled right or wrong.
        n_unsure: people were not sure.
        n_unjudged: answers without a verdict of the judge.
        estimates: one an estimator, in the order of `ESTIMATORS`.
        errors: the judge on this system's answers.
    """

    system: str
    n: int
    n_drawn: int
    n_labels: int
    n_unsure: int
    n_unjudged: int
    estimates: tuple[LabelEstimate, ...]
    errors: JudgeErrors

    def by(self, estimator: Estimator) -> LabelEstimate:
        """Return the score by one estimator.

        Raises:
            KeyError: it was not asked for.
        """
        found = {one.estimator: one for one in self.estimates}
        return found[estimator]


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelDifference:
    """The difference of two systems by one estimator.

    Attributes:
        left: display name.
        right: display name.
        estimator: see `Estimator`.
        value: left minus right, in [-1, 1]; None where there is none.
        low: low end of the interval of this difference alone.
        high: high end.
        family_low: low end when all differences shown are to hold at once (Bonferroni).
        family_high: high end.
        n_common: items on which both systems' answers are labelled.
        paired: whether the labels were drawn by item, so that differences within an item count.
        reason: why a number is missing; "" where none is.
    """

    left: str
    right: str
    estimator: Estimator
    value: float | None
    low: float | None
    high: float | None
    family_low: float | None
    family_high: float | None
    n_common: int
    paired: bool
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledStratum:
    """One stratum of the design.

    Attributes:
        name: stratum.
        size: units in it.
        planned: units drawn.
        n_labels: answers labelled right or wrong in it.
        n_unsure: answers of which people were not sure.
        n_waiting: answers that were drawn and not labelled yet.
        errors: the judge on the answers of this stratum.
    """

    name: str
    size: int
    planned: int
    n_labels: int
    n_unsure: int
    n_waiting: int
    errors: JudgeErrors


@dataclass(frozen=True, slots=True, kw_only=True)
class FewLabels:
    """Scores that people would give, from few labels and the verdicts of a judge.

    Attributes:
        judge: scorer id.
        unit: what was drawn.
        population: of what the scores are meant.
        is_convenience: the labels were not drawn by a known design: nothing here is an estimate of
            the whole, and no interval is given.
        n: answers in the frame.
        n_labels: labels that count.
        systems: one entry a system, in the order of the frame.
        differences: one entry a pair and estimator.
        strata: one entry a stratum.
        errors: the judge over everything.
        level: confidence level.
        method: formulas and intervals.
        warnings: what a reader must know.
    """

    judge: str
    unit: LabelUnit
    population: Population
    is_convenience: bool
    n: int
    n_labels: int
    systems: tuple[LabelledSystem, ...]
    differences: tuple[LabelDifference, ...]
    strata: tuple[LabelledStratum, ...]
    errors: JudgeErrors
    level: float
    method: str
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetPoint:
    """What so many labels would find.

    Attributes:
        labels: labels in all.
        power: chance that the interval of the difference leaves 0 out.
        half_width: half the width that the interval of the difference will have.
    """

    labels: int
    power: float
    half_width: float


@dataclass(frozen=True, slots=True, kw_only=True)
class NextLabels:
    """What further labels in one stratum would bring.

    Attributes:
        stratum: stratum.
        size: units in it.
        labelled: labels that it has.
        spread: standard deviation of what is left unknown in it.
        share: part of the variance of the estimate that comes from it, in [0, 1].
        gain: part of the variance that one more label there would take away.
        suggested: of the next batch, how many belong here.
    """

    stratum: str
    size: int
    labelled: int
    spread: float
    share: float
    gain: float
    suggested: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelBudget:
    """How many labels separate two systems.

    Attributes:
        left: display name.
        right: display name.
        difference: the difference that is to be found.
        design: how labels are drawn.
        unit: what is drawn: with "item" one unit takes two labels.
        correlation: correlation of the judge's verdict with the label that was assumed.
        alpha: level of the test.
        power: chance that was asked for.
        needed: fewest labels with that chance.
        needed_without_judge: the same, when the judge's verdicts are not used.
        most: labels that can be given at all.
        curve: power by number of labels.
        method: formulas.
        warnings: what a reader must know.
    """

    left: str
    right: str
    difference: float
    design: str
    unit: LabelUnit
    correlation: float
    alpha: float
    power: float
    needed: int
    needed_without_judge: int
    most: int
    curve: tuple[BudgetPoint, ...]
    method: str
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelAdvice:
    """Where the next labels help most.

    Attributes:
        target: what is to be estimated better.
        labels: labels in the next batch.
        strata: one entry a stratum, those that gain most first.
        error_before: standard error now.
        error_after: standard error that is expected after the batch.
        warnings: what a reader must know.
    """

    target: str
    labels: int
    strata: tuple[NextLabels, ...]
    error_before: float
    error_after: float
    warnings: tuple[str, ...] = ()
