"""Scores from few labels.  In: a drawn, labelled sample and a judge.  Out: corrected scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from finassay.analyses.kernels.design_estimates import effective_size
from finassay.analyses.kernels.finite_shares import effective_interval
from finassay.analyses.label_differences import all_differences
from finassay.analyses.label_frame import Bools, Frame
from finassay.analyses.label_parts import Part, design_effect, without
from finassay.analyses.label_sample import LabelSample
from finassay.analyses.label_scores import all_estimates
from finassay.analyses.results_few_labels import (
    ESTIMATORS,
    POPULATIONS,
    FewLabels,
    JudgeErrors,
    JudgeRate,
    LabelEstimate,
    LabelledStratum,
    LabelledSystem,
    Population,
)
from finassay.analyses.wording import count, plural, some
from finassay.errors import UnknownNameError, UsageError

METHOD = (
    "human: the labels stratum by stratum; ppi++: the same in the cells that the judge's verdicts "
    "cut the strata into, which is prediction-powered inference with the best weight of the "
    "verdicts in each stratum; intervals: exact for each cell, added by squares, and never "
    "narrower than the exact binomial interval at the effective number of labels; "
    "horvitz-thompson and hajek: Korn and Graubard; rogan-gladen: inversion of a test; graded "
    "labels: jackknife, with the wider of Student's interval and the binomial one"
)

CONVENIENCE = (
    "the labels were not drawn by a known design (a convenience sample): the means below hold for "
    "the labelled answers alone and say nothing certain about the others"
)

UNKNOWN_DESIGN = "labels not drawn by a known design"


@dataclass(frozen=True, slots=True, kw_only=True)
class FewLabelSettings:
    """How scores are estimated from few labels.

    Attributes:
        level: confidence level in (0, 1).
        population: of what the scores are meant.
        accept_convenience: show numbers for labels that were not drawn by a known design, without
            intervals and marked as such, instead of refusing.

    Raises:
        UsageError: a level outside (0, 1), or a population that does not exist.
    """

    level: float = 0.95
    population: Population = "these items"
    accept_convenience: bool = False

    def __post_init__(self) -> None:
        if not 0.0 < self.level < 1.0:
            raise UsageError(f"`level` must be in (0, 1), got {self.level!r}; for 95% pass 0.95")
        if self.population not in POPULATIONS:
            raise UsageError(f"`population` must be one of {POPULATIONS}, got {self.population!r}")


def estimate_few_labels(
    sample: LabelSample,
    settings: FewLabelSettings | None = None,
    *,
    pairs: Sequence[tuple[str, str]] | None = None,
) -> FewLabels:
    """Return the score of every system by every estimator, and the differences of pairs.

    Args:
        sample: all answers, with the labels of those that were drawn.
        settings: level and population.
        pairs: (left, right) systems whose difference is wanted; all pairs if None.

    Raises:
        UsageError: the labels were not drawn by a known design and that was not accepted, or
            there is no label at all.
        UnknownNameError: a pair names a system that is not there.
    """
    chosen = settings or FewLabelSettings()
    frame = Frame.of(sample)
    _require(frame, chosen)
    codes = _pair_codes(frame, pairs)
    everything = np.ones(len(frame.items), dtype=bool)
    differences = (
        ()
        if sample.is_convenience
        else all_differences(frame, codes, level=chosen.level, population=chosen.population)
    )
    systems = tuple(_system(frame, code, chosen) for code in range(len(sample.systems)))
    overall = _errors(frame, everything, "all", chosen.level)
    return FewLabels(
        judge=sample.judge,
        unit=sample.unit,
        population=chosen.population,
        is_convenience=sample.is_convenience,
        n=len(frame.items),
        n_labels=int(frame.is_labelled.sum()),
        systems=systems,
        differences=differences,
        strata=_strata(frame, chosen.level),
        errors=overall,
        level=chosen.level,
        method=METHOD,
        warnings=_warnings(frame, systems, overall, chosen),
    )


def _require(frame: Frame, settings: FewLabelSettings) -> None:
    if not frame.is_labelled.any():
        raise UsageError("no answer is labelled yet; import labels first")
    if frame.sample.is_convenience and not settings.accept_convenience:
        raise UsageError(
            f"the {int(frame.is_labelled.sum())} labels were not drawn by a known design, so they "
            f"say nothing certain about the {len(frame.items)} answers; draw a sample "
            f"(`finassay adjudicate plan`), or accept a convenience sample without intervals"
        )


def _pair_codes(frame: Frame, pairs: Sequence[tuple[str, str]] | None) -> list[tuple[int, int]]:
    names = frame.sample.systems
    if pairs is None:
        return list(combinations(range(len(names)), 2))
    unknown = [name for pair in pairs for name in pair if name not in names]
    if unknown:
        raise UnknownNameError(f"no system is called {unknown[0]!r}; there are: {', '.join(names)}")
    return [(names.index(left), names.index(right)) for left, right in pairs]


def _system(frame: Frame, code: int, settings: FewLabelSettings) -> LabelledSystem:
    rows = frame.systems == code
    name = frame.sample.systems[code]
    return LabelledSystem(
        system=name,
        n=int(rows.sum()),
        n_drawn=int(rows.sum()) - frame.count("not drawn", rows),
        n_labels=int((rows & frame.is_labelled).sum()),
        n_unsure=frame.count("not sure", rows),
        n_unjudged=int((rows & ~frame.is_judged).sum()),
        estimates=_estimates(frame, rows, settings),
        errors=_errors(frame, rows, name, settings.level),
    )


def _estimates(frame: Frame, rows: Bools, settings: FewLabelSettings) -> tuple[LabelEstimate, ...]:
    everything = np.ones_like(rows)
    part, whole = (
        Part(
            frame=frame,
            rows=mask,
            level=settings.level,
            population=settings.population,
            design_effect=design_effect(frame, mask, frame.judged),
        )
        for mask in (rows, everything)
    )
    found = all_estimates(part, whole)
    return _plain(part, found[0]) if frame.sample.is_convenience else found


def _plain(part: Part, judge: LabelEstimate) -> tuple[LabelEstimate, ...]:
    """Return the judge's score and the mean of the labels, with nothing that needs a design."""
    labels = part.frame.labels[part.labelled]
    human = LabelEstimate(
        estimator="human",
        value=float(labels.mean()) if len(labels) else None,
        low=None,
        high=None,
        error=None,
        n_labels=len(labels),
        effective_size=None,
        reason=UNKNOWN_DESIGN,
    )
    barred = [without(name, UNKNOWN_DESIGN, len(labels)) for name in ESTIMATORS[2:]]
    return judge, human, *barred


def _errors(frame: Frame, rows: Bools, scope: str, level: float) -> JudgeErrors:
    labelled = rows & frame.is_labelled
    right, says = frame.labels >= 0.5, frame.says_right
    return JudgeErrors(
        scope=scope,
        sensitivity=_rate(frame, labelled & right, says, level),
        specificity=_rate(frame, labelled & ~right, ~says, level),
        agreement=_rate(frame, labelled, right == says, level),
    )


def _rate(frame: Frame, among: Bools, hits: Bools, level: float) -> JudgeRate:
    weights = frame.weights[among]
    n = len(weights)
    if not n:
        return JudgeRate(rate=None, low=None, high=None, n=0)
    rate = float((weights * hits[among]).sum() / weights.sum())
    if frame.sample.is_convenience:
        return JudgeRate(rate=float(hits[among].mean()), low=None, high=None, n=n)
    low, high = effective_interval(rate, effective_size(1.0 / weights), level)
    return JudgeRate(rate=rate, low=low, high=high, n=n)


def _strata(frame: Frame, level: float) -> tuple[LabelledStratum, ...]:
    out = []
    for stratum in frame.sample.strata:
        rows = frame.strata == frame.names.index(stratum.name)
        out.append(
            LabelledStratum(
                name=stratum.name,
                size=stratum.size,
                planned=stratum.take,
                n_labels=int((rows & frame.is_labelled).sum()),
                n_unsure=frame.count("not sure", rows),
                n_waiting=frame.count("waiting", rows),
                errors=_errors(frame, rows, stratum.name, level),
            )
        )
    return tuple(out)


def _warnings(
    frame: Frame,
    systems: Sequence[LabelledSystem],
    overall: JudgeErrors,
    settings: FewLabelSettings,
) -> tuple[str, ...]:
    found = [CONVENIENCE] if frame.sample.is_convenience else []
    waiting, unsure = frame.count("waiting"), frame.count("not sure")
    if waiting:
        found.append(
            f"{plural(waiting, 'drawn answer')} not labelled yet: until they are, the others of "
            f"their stratum stand for them"
        )
    if unsure:
        found.append(
            f"people were not sure of {plural(unsure, 'answer')}: these are left out, as if they "
            f"were like the others of their stratum"
        )
    unjudged = int((~frame.is_judged).sum())
    if unjudged:
        found.append(
            f"the judge gave no verdict on {plural(unjudged, 'answer')}: for rogan-gladen and ppi "
            f"it does not mark them right; ppi++ tells them apart"
        )
    lone = [one.name for one in frame.sample.strata if one.take == 1 < one.size]
    if lone:
        found.append(
            f"one unit was drawn from {some(lone)}: nothing is known of the spread there, so the "
            f"largest possible one is used"
        )
    differing = [one.system for one in systems if _differs(one.errors, overall)]
    if differing:
        found.append(
            f"the judge errs otherwise on {some(differing)} than overall: rogan-gladen pooled is "
            f"biased for them"
        )
    if frame.sample.clusters and settings.population == "these items":
        found.append(
            f"items come in {count(len(set(frame.sample.clusters.values())))} clusters: that does "
            f"not matter for the score on these items, but for items like these"
        )
    return tuple(found)


def _differs(own: JudgeErrors, overall: JudgeErrors) -> bool:
    """Whether the interval of one of a system's error rates leaves the overall rate out."""
    for mine, theirs in (
        (own.sensitivity, overall.sensitivity),
        (own.specificity, overall.specificity),
    ):
        if mine.low is None or mine.high is None or theirs.rate is None:
            continue
        if not mine.low <= theirs.rate <= mine.high:
            return True
    return False
