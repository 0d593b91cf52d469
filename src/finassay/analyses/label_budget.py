"""How many labels are needed, and where.  In: a sample or guesses.  Out: budgets and advice."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from finassay.analyses.few_labels import FewLabelSettings, estimate_few_labels
from finassay.analyses.kernels.designs import Allocation
from finassay.analyses.label_frame import Floats, Frame
from finassay.analyses.label_plan import GUESS, PILOT, LabelPlan, right_chances
from finassay.analyses.label_power import Aim, expected_difference
from finassay.analyses.label_sample import LabelSample
from finassay.analyses.results_few_labels import (
    LabelAdvice,
    LabelBudget,
    NextLabels,
)
from finassay.errors import UnknownNameError, UsageError

METHOD = (
    "the interval of the difference is computed from the counts that are expected in every cell of "
    "stratum and verdict, by the rules by which it will be made; power is the chance that it "
    "leaves 0 out, the estimate being normal"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetSettings:
    """What a budget is planned for.

    Attributes:
        alpha: level of the test.
        power: chance to find the difference.
        correlation: correlation of the judge's verdict with the label; None to take the judge's
            errors from the labels in the sample, or 0.6 where there are fewer than 10.
        difference: the difference to be found; None for the one that the labels show, or the
            judge's where there are fewer than 10.
        rule: how labels are shared among the strata of the sample.
        certain: strata that are labelled whole.
        counts: numbers of labels for the curve; empty for a set of ten.

    Raises:
        UsageError: a level, power, correlation or difference that cannot be.
    """

    alpha: float = 0.05
    power: float = 0.8
    correlation: float | None = None
    difference: float | None = None
    rule: Allocation = "proportional"
    certain: tuple[str, ...] = ()
    counts: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if not (0.0 < self.alpha < 1.0 and 0.0 < self.power < 1.0):
            raise UsageError(
                f"`alpha` and `power` must be in (0, 1), got {self.alpha!r} and {self.power!r}"
            )
        if self.correlation is not None and not 0.0 <= self.correlation < 1.0:
            raise UsageError(f"`correlation` must be in [0, 1), got {self.correlation!r}")
        if self.difference is not None and not 0.0 < abs(self.difference) <= 1.0:
            raise UsageError(f"`difference` must be in [-1, 1] and not 0, got {self.difference!r}")


def label_budget(
    sample: LabelSample, left: str, right: str, settings: BudgetSettings | None = None
) -> LabelBudget:
    """Return how many labels separate two systems, and what fewer or more would find.

    Labels are those on answers of the two systems; where items are drawn, each takes two.  The
    labels in the sample serve as a pilot; they are not counted as given.

    Raises:
        UnknownNameError: no system of that name.
        UsageError: the two systems do not differ, so that no number of labels separates them.
    """
    chosen = settings or BudgetSettings()
    frame = Frame.of(sample)
    codes = tuple(_code(frame, name) for name in (left, right))
    aim = _difference(sample, frame, codes, chosen)
    if aim == 0.0:
        raise UsageError(
            f"{left!r} and {right!r} show no difference, so no number of labels tells them apart; "
            f"name two others, or in Python the `difference` to be found"
        )
    rates = right_chances(frame, chosen.correlation)
    plan = LabelPlan.of(frame, codes, rates)
    aims = [
        Aim(
            plan=plan,
            expected=expected_difference(frame, codes, rates, plan.names, blind=blind),
            difference=aim,
            level=1.0 - chosen.alpha,
            rule=chosen.rule,
            certain=chosen.certain,
            step=2 if sample.unit == "item" else 1,
        )
        for blind in (False, True)
    ]
    most = sum(plan.sizes) * aims[0].step
    needed = aims[0].needed(chosen.power)
    given = chosen.counts or aims[0].around(needed)
    return LabelBudget(
        left=left,
        right=right,
        difference=aim,
        design=f"{chosen.rule} over {len(plan.names)} strata",
        unit=sample.unit,
        correlation=_correlation(frame, rates, codes),
        alpha=chosen.alpha,
        power=chosen.power,
        needed=needed,
        needed_without_judge=aims[1].needed(chosen.power),
        most=most,
        curve=tuple(aims[0].point(n) for n in given if n <= most),
        method=METHOD,
        warnings=_warnings(frame, chosen),
    )


def next_labels(sample: LabelSample, *, labels: int, pair: Sequence[str] = ()) -> LabelAdvice:
    """Return in which strata the next labels help most, for all scores or one difference.

    Of a batch of `labels`, each goes to the stratum in which it takes most off the variance, by
    what the labels so far say about the judge's errors there.

    Args:
        sample: the frame with the labels so far.
        labels: units to be labelled next.
        pair: two systems whose difference is to be known better; empty for all scores.

    Raises:
        UsageError: `labels` is less than 1, or a pair of other than two systems.
        UnknownNameError: no system of that name.
    """
    if labels < 1 or len(pair) not in {0, 2}:
        raise UsageError(
            f"`labels` must be 1 or more and `pair` two systems or none, got {labels!r} and "
            f"{tuple(pair)!r}"
        )
    frame = Frame.of(sample)
    codes = tuple(_code(frame, name) for name in pair) or tuple(range(len(sample.systems)))
    plan = LabelPlan.of(frame, codes, right_chances(frame, None), divide=1 if pair else len(codes))
    before, variance = plan.labelled, plan.variance(plan.labelled)
    after = plan.greedy(labels)
    rows = [
        NextLabels(
            stratum=plan.names[at],
            size=plan.sizes[at],
            labelled=before[at],
            spread=plan.spreads[at],
            share=plan.one(at, before[at]) / variance if variance > 0.0 else 0.0,
            gain=_gain(plan, at, before[at], variance),
            suggested=after[at] - before[at],
        )
        for at in range(len(plan.names))
    ]
    rows.sort(key=lambda row: (-row.suggested, -row.gain, row.stratum))
    target = f"{pair[0]} less {pair[1]}" if pair else "the scores of all systems"
    return LabelAdvice(
        target=target,
        labels=labels,
        strata=tuple(rows),
        error_before=math.sqrt(variance),
        error_after=math.sqrt(plan.variance(after)),
        warnings=_warnings(frame, BudgetSettings()),
    )


def _gain(plan: LabelPlan, at: int, has: int, variance: float) -> float:
    if variance <= 0.0 or has >= plan.sizes[at]:
        return 0.0
    return (plan.one(at, has) - plan.one(at, has + 1)) / variance


def _code(frame: Frame, name: str) -> int:
    if name not in frame.sample.systems:
        raise UnknownNameError(
            f"no system is called {name!r}; there are: {', '.join(frame.sample.systems)}"
        )
    return frame.sample.systems.index(name)


def _correlation(frame: Frame, rates: Floats, codes: Sequence[int]) -> float:
    """Return the correlation of verdict and label that these chances imply."""
    rows = np.isin(frame.systems, codes)
    spread = float(rates[rows].mean() * (1.0 - rates[rows].mean()))
    return math.sqrt(float(rates[rows].var()) / spread) if spread > 0.0 else 0.0


def _difference(
    sample: LabelSample, frame: Frame, codes: Sequence[int], settings: BudgetSettings
) -> float:
    if settings.difference is not None:
        return settings.difference
    left, right = (sample.systems[code] for code in codes)
    if int(frame.is_labelled.sum()) >= PILOT and not sample.is_convenience:
        found = estimate_few_labels(sample, FewLabelSettings(), pairs=[(left, right)])
        value = found.differences[-1].value
        if value is not None:
            return value
    means = [float(frame.says_right[frame.systems == code].mean()) for code in codes]
    return means[0] - means[1]


def _warnings(frame: Frame, settings: BudgetSettings) -> tuple[str, ...]:
    found = []
    labels = int(frame.is_labelled.sum())
    if settings.correlation is not None:
        found.append(f"the judge's errors are those of a correlation of {settings.correlation:g}")
    elif labels < PILOT:
        found.append(
            f"{labels} labels are too few to learn the judge's errors from; a correlation of "
            f"{GUESS:g} is assumed"
        )
    if not frame.is_binary:
        found.append("graded labels count by their value; the budget is for right and wrong ones")
    return tuple(found)
