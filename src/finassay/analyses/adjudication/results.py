"""Frozen results about labelling.  In: nothing.  Out: plans, progress and estimates as records.

Shares are fractions; counts are units of the draw unless they say otherwise.
"""

from __future__ import annotations

from dataclasses import dataclass

from finassay.analyses.results_few_labels import FewLabels, LabelAdvice, LabelBudget


@dataclass(frozen=True, slots=True, kw_only=True)
class StratumPlan:
    """One stratum of a plan.

    Attributes:
        name: what its units have in common.
        size: units in the population.
        take: units to be labelled.
        probability: chance of each to be drawn.
        is_disputed: whether the named scorers disagree on them.
        spread: standard deviation of the label that the plan assumes.
    """

    name: str
    size: int
    take: int
    probability: float
    is_disputed: bool
    spread: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemPlan:
    """What a plan brings for one system.

    Attributes:
        system: display name.
        size: its units in the population.
        take: its units in the sample.
        half_width: expected half width of the interval of its score from the labels alone; None
            where a stratum of it gets no label.
    """

    system: str
    size: int
    take: int
    half_width: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawPlan:
    """What would be drawn for labelling, and how precise that is.

    Attributes:
        task: labelling task.
        unit: what is labelled: prediction, pair or item.
        design: how labels are shared among strata.
        by: what strata are made of.
        scorers: judges and rules whose verdicts are frozen.
        seed: of the sample.
        protocol: whether people see the reference.
        population: units that could be drawn.
        labels: units to be labelled.
        disputed: units in the population on which the scorers disagree; of items, those that no
            system answers rightly.
        strata: one entry a stratum.
        systems: one entry a system; empty where items are labelled.
        half_width: expected half width of the interval over the whole population.
        level: confidence level.
        budget: how many labels separate two systems, where that was asked.
        draw: name under which the sample was frozen; None when nothing was kept.
        draw_id: content id of the sample.
        is_new: False when the very same draw was there already, or nothing was kept.
        method: formulas.
        warnings: what a reader must know.
    """

    task: str
    unit: str
    design: str
    by: tuple[str, ...]
    scorers: tuple[str, ...]
    seed: int
    protocol: str
    population: int
    labels: int
    disputed: int
    strata: tuple[StratumPlan, ...]
    systems: tuple[SystemPlan, ...]
    half_width: float | None
    level: float
    budget: LabelBudget | None
    draw: str | None
    draw_id: str
    is_new: bool
    method: str
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnotatorProgress:
    """How far one person is.

    Attributes:
        annotator: who.
        role: "label", or "resolution" for conflicts.
        assigned: units given to this person.
        answered: of these, answered.
        waiting: of these, not answered yet.
        unsure: answers "not sure".
        flagged: answers that say the reference is wrong.
        revised: answers that were changed at least once.
        last: when the last answer came, ISO 8601; None for none.
    """

    annotator: str
    role: str
    assigned: int
    answered: int
    waiting: int
    unsure: int
    flagged: int
    revised: int
    last: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelAgreement:
    """Agreement of those who labelled the same units.

    Attributes:
        name: coefficient.
        value: None when it is undefined.
        observed: share of agreement that was observed; None without ratings.
        expected: share that chance would give; None without ratings.
        n_units: units with two answers or more that count.
    """

    name: str
    value: float | None
    observed: float | None
    expected: float | None
    n_units: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PairAgreement:
    """Agreement of two people.

    Attributes:
        left: annotator.
        right: annotator.
        n_units: units that both labelled.
        observed: share of them with equal labels, in [0, 1]; None without units.
        kappa: Cohen's kappa, in [-1, 1]; None where undefined.
    """

    left: str
    right: str
    n_units: int
    observed: float | None
    kappa: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ConflictUnit:
    """A unit on which people differ.

    Attributes:
        unit_id: its code.
        item_id: its item.
        answers: annotator and label of each who labelled it.
    """

    unit_id: str
    item_id: str
    answers: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceReview:
    """A reference that people doubt.

    Attributes:
        item_id: item.
        reference: as the study has it now.
        flagged_by: people who call it wrong.
        cleared_by: people who were asked for it and call it right.
        corrections: (annotator, what they propose).
        notes: (annotator, what they wrote).
        is_corrected: whether the item has an erratum.
    """

    item_id: str
    reference: str
    flagged_by: tuple[str, ...]
    cleared_by: tuple[str, ...]
    corrections: tuple[tuple[str, str], ...]
    notes: tuple[tuple[str, str], ...]
    is_corrected: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawStatus:
    """How far a draw is, and how far its people agree.

    Attributes:
        draw: name.
        task: labelling task.
        units: units drawn.
        unanimous: units on which all who were asked agree, on a label.
        majority: units that a majority settles.
        single: units that one person was asked for and answered.
        resolved: units that a resolution settles.
        unsure: units settled as "not sure".
        open: units without enough answers.
        conflicts: units whose answers settle nothing.
        conflict_units: the conflicts.
        annotators: one entry a person and role.
        agreement: coefficients over all people.
        pairs: one entry a pair of people.
        references: references that people doubt.
        stale: units whose text or item changed since the draw.
        rule: how answers settle a unit.
        warnings: what a reader must know.
    """

    draw: str
    task: str
    units: int
    unanimous: int
    majority: int
    single: int
    resolved: int
    unsure: int
    open: int
    conflicts: int
    conflict_units: tuple[ConflictUnit, ...]
    annotators: tuple[AnnotatorProgress, ...]
    agreement: tuple[LabelAgreement, ...]
    pairs: tuple[PairAgreement, ...]
    references: tuple[ReferenceReview, ...]
    stale: int
    rule: str
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawsStatus:
    """All draws of a study.

    Attributes:
        draws: one entry a draw.
    """

    draws: tuple[DrawStatus, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SideShare:
    """Which of two judges people agree with, on units where the two differ.

    Attributes:
        left: scorer id.
        right: scorer id.
        people: an annotator, or "settled" for the labels that count.
        n: units where left and right differ and these people gave a label with a value.
        left_share: share on which people say what left says; None without units.
        right_share: the same for right.
        weighted_left: the same share, each unit weighted by 1 / its inclusion probability.
    """

    left: str
    right: str
    people: str
    n: int
    left_share: float | None
    right_share: float | None
    weighted_left: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedVerdicts:
    """Verdicts of one scorer that differ now from those frozen in the draw.

    Attributes:
        scorer_id: whose.
        changed: units of the population on which it says something else now.
        n: units compared.
        version_then: scorer version in the draw.
        version_now: newest version now.
    """

    scorer_id: str
    changed: int
    n: int
    version_then: str
    version_now: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawEstimate:
    """What the labels of a draw say of the whole population.

    Attributes:
        draw: name.
        task: labelling task.
        design: how the sample was drawn.
        population: units in the population.
        units: units drawn.
        labelled: units with a settled label that has a value.
        unsure: units settled as "not sure".
        unlabelled: units without a value for another reason (a label without one).
        conflicts: units whose answers settle nothing.
        open: units without enough answers.
        scores: one entry a judge: scores of the systems with and without its verdicts.
        sides: which judge people agree with.
        changed: verdicts that changed since the draw.
        rule: how answers settle a unit.
        level: confidence level.
        advice: where further labels help most, where that was asked.
        warnings: what a reader must know.
    """

    draw: str
    task: str
    design: str
    population: int
    units: int
    labelled: int
    unsure: int
    unlabelled: int
    conflicts: int
    open: int
    scores: tuple[FewLabels, ...]
    sides: tuple[SideShare, ...]
    changed: tuple[ChangedVerdicts, ...]
    rule: str
    level: float
    advice: LabelAdvice | None = None
    warnings: tuple[str, ...] = ()
