"""How many labels are needed, and where.  In: a sample or guesses.  Out: budgets and advice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from finassay.analyses.label_sample import LabelSample
from finassay.analyses.results_few_labels import LabelAdvice, LabelBudget


@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetSettings:
    """What a budget is planned for.

    Attributes:
        alpha: level of the test.
        power: chance to find the difference.
        correlation: correlation of the judge's verdict with the label; None to take it from the
            labels in the sample, or 0.6 where there are too few.
        difference: the difference to be found; None for the one that the judge shows.
        counts: numbers of labels for the curve; empty for a set of ten.
    """

    alpha: float = 0.05
    power: float = 0.8
    correlation: float | None = None
    difference: float | None = None
    counts: tuple[int, ...] = ()


def label_budget(
    sample: LabelSample, left: str, right: str, settings: BudgetSettings | None = None
) -> LabelBudget:
    """Return how many labels separate two systems, and what fewer or more would find."""
    raise NotImplementedError


def next_labels(sample: LabelSample, *, labels: int, pair: Sequence[str] = ()) -> LabelAdvice:
    """Return in which strata the next labels help most, for all scores or one difference."""
    raise NotImplementedError
