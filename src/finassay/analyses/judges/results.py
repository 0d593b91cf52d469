"""Frozen results about judges beside people.  In: nothing.  Out: agreement, errors and standing.

A judge is a scorer whose id begins with `judge/`; one with another reference arm, prompt or
tolerance is another judge here.  What is right is what people agreed on.  Rates are fractions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from finassay.analyses.kernels.judge_tables import Treatment
from finassay.analyses.results_overturns import CountRate

Standing = Literal["passes", "open", "fails", "undetermined", "not_calibrated"]
"""What calibration says of a judge: see `CalibrationRule`."""

CandidateSource = Literal["spec", "declared", "name", ""]
"""Where it is known from which judged system is the judge itself."""

TruthSource = Literal["people", "scorer"]

AnswersFrom = Literal["candidate", "asked"]
"""Which answers show what a judge knows: those of a judged system that is the judge itself, or
those that it gave when it was asked the questions as a judge."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A figure with its bootstrap interval.

    Attributes:
        value: the figure; None where it is undefined, such as kappa when nobody ever differs.
        low: low end of the interval; None when it cannot be made.
        high: high end.
        n_undefined: resamples in which the figure has no value, left out.
    """

    value: float | None
    low: float | None
    high: float | None
    n_undefined: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A difference of two figures with a test.

    Attributes:
        figure: first minus second, with interval.
        p: two-sided bootstrap p, centred on the difference; None where none can be made.
        p_adjusted: p corrected for its family.
        differs: whether the corrected p is below 1 - level.
    """

    figure: Figure
    p: float | None
    p_adjusted: float | None
    differs: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """Tests that are corrected together.

    Attributes:
        name: what is tested.
        size: tests in it.
        method: "holm".
    """

    name: str
    size: int
    method: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsensusCounts:
    """What people's labels come to.

    Attributes:
        scorer_id: `person/consensus`.
        people: scorer ids of those who labelled.
        rule: the declared rule, by name.
        rule_text: the rule in words.
        least: fewest labels that a prediction needs.
        n_labelled: predictions with at least one label.
        n_unanimous: all labels are the same, and not "not sure".
        n_one_dissent: all labels but one are the same, the rule settles it.
        n_majority: settled against more than one dissent.
        n_excluded: not settled.
        n_too_few: of the excluded, those with fewer labels than needed.
        n_not_sure: of the excluded, those where the people agree on "not sure".
        n_correct: settled as CORRECT.
        n_incorrect: settled as INCORRECT.
        n_items: items with a settled prediction.
        warnings: what a reader must know.
    """

    scorer_id: str
    people: tuple[str, ...]
    rule: str
    rule_text: str
    least: int
    n_labelled: int
    n_unanimous: int
    n_one_dissent: int
    n_majority: int
    n_excluded: int
    n_too_few: int
    n_not_sure: int
    n_correct: int
    n_incorrect: int
    n_items: int
    warnings: tuple[str, ...] = ()

    @property
    def n_settled(self) -> int:
        """Predictions that the rule settles."""
        return self.n_correct + self.n_incorrect


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeIdentity:
    """What a judge is.

    Attributes:
        scorer_id: its id.
        name: display name of the judge.
        task: single, rubric or alignment; "" where the id does not say.
        arm: which reference it was shown: none, self, human, verified, wrong or random; "" unknown.
        prompt: A or B; "" unknown.
        tolerance: exact, 0.1% or 1%; "" without a rounding clause.
        model: model behind it; "" unknown.
        model_family: family of that model; "" unknown.
        votes: inferences a verdict is the majority of; None unknown.
        candidate: judged system that is the judge itself; None where none is known.
        candidate_from: where that is known from.
        same_model: further judged systems of the same model, its own answers too.
        relatives: judged systems of the judge's model family, but of other models.
    """

    scorer_id: str
    name: str
    task: str
    arm: str
    prompt: str
    tolerance: str
    model: str = ""
    model_family: str = ""
    votes: int | None = None
    candidate: str | None = None
    candidate_from: CandidateSource = ""
    same_model: tuple[str, ...] = ()
    relatives: tuple[str, ...] = ()

    @property
    def own(self) -> tuple[str, ...]:
        """Judged systems whose answers are the judge's own."""
        return (() if self.candidate is None else (self.candidate,)) + self.same_model

    @property
    def is_control(self) -> bool:
        """Whether its references are wrong or random on purpose: a probe, not an instrument."""
        return self.arm in {"wrong", "random"}


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictCounts:
    """What became of the predictions that a judge was asked about.

    Attributes:
        n: predictions with a verdict of the judge, of any status.
        n_scored: with a value.
        n_unparsed: the judge's reply could not be read.
        n_no_answer: there was no answer to judge.
        n_failed: no reply of the judge was obtained.
        n_not_applicable: the judge does not apply.
        n_missing: predictions with a settled label of people and no verdict of the judge.
        excluded: share marked CORRECT of the scored ("exclude").
        wrong: the same with unparsed and unanswered ones as INCORRECT ("wrong").
    """

    n: int
    n_scored: int
    n_unparsed: int
    n_no_answer: int
    n_failed: int
    n_not_applicable: int
    n_missing: int
    excluded: CountRate
    wrong: CountRate


@dataclass(frozen=True, slots=True, kw_only=True)
class TreatedAgreement:
    """Agreement with people under one treatment of verdicts without a value.

    Attributes:
        treatment: the treatment.
        n: predictions that count.
        kappa: Cohen's kappa with the consensus of people.
        f1_correct: F1 of the class CORRECT.
        f1_incorrect: F1 of the class INCORRECT.
        f1_macro: mean of the two.
        accuracy: share of agreement.
    """

    treatment: Treatment
    n: int
    kappa: Figure
    f1_correct: Figure
    f1_incorrect: Figure
    f1_macro: Figure
    accuracy: Figure


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeAgreement:
    """A judge beside people, over one part of the predictions.

    Attributes:
        scorer_id: the judge.
        by: what the part is cut by; "" for all.
        stratum: the part.
        n: predictions that people settled and the judge has a verdict on, failed ones left out.
        n_items: items among them, or clusters of items.
        n_unscored: of them, those on which the judge has no value.
        table: (what people say, what the judge says, predictions); the judge may say "no verdict".
        prevalence: share that people call CORRECT.
        judge_prevalence: share of the scored that the judge calls CORRECT.
        treated: one entry a treatment, the declared primary one first.
        false_positive: INCORRECT by people that the judge marks CORRECT, of the scored.
        false_negative: CORRECT by people that the judge marks INCORRECT, of the scored.
        warnings: what a reader must know.
    """

    scorer_id: str
    by: str
    stratum: str
    n: int
    n_items: int
    n_unscored: int
    table: tuple[tuple[str, str, int], ...]
    prevalence: float | None
    judge_prevalence: float | None
    treated: tuple[TreatedAgreement, ...]
    false_positive: CountRate
    false_negative: CountRate
    warnings: tuple[str, ...] = ()

    @property
    def primary(self) -> TreatedAgreement:
        """Agreement under the declared treatment."""
        return self.treated[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class ConditionalAgreement:
    """Agreement on questions that the judge answered right itself, and wrong.

    Attributes:
        scorer_id: the judge.
        candidate: judged system that is the judge itself; "" where none of them is looked at.
        answers: which answers of the judge are looked at.
        answered_as: system that gave them: the candidate, or the judge as it was asked.
        source: what says whether its own answer is right: people, or a scorer.
        source_id: scorer id of that.
        right: kappa on predictions to questions it answered right.
        wrong: kappa on predictions to questions it answered wrong.
        f1_right: F1 (CORRECT) on the former.
        f1_wrong: F1 (CORRECT) on the latter.
        n_right: predictions to questions it answered right.
        n_wrong: predictions to questions it answered wrong.
        n_items_right: questions it answered right.
        n_items_wrong: questions it answered wrong.
        n_unknown: predictions left out, because nothing says how it answered.
        difference: kappa right minus kappa wrong, unpaired.
    """

    scorer_id: str
    candidate: str
    answers: AnswersFrom
    answered_as: str
    source: TruthSource
    source_id: str
    right: Figure
    wrong: Figure
    f1_right: Figure
    f1_wrong: Figure
    n_right: int
    n_wrong: int
    n_items_right: int
    n_items_wrong: int
    n_unknown: int
    difference: Difference


@dataclass(frozen=True, slots=True, kw_only=True)
class SelfPreference:
    """A judge's errors on its own answers and on those of others.

    Attributes:
        scorer_id: the judge; "" for all judges of one arm, prompt and tolerance together.
        arm: which reference they were shown.
        n_judges: judges in it.
        candidate: judged system that is the judge itself; "" for several judges.
        own_false_positive: INCORRECT answers of its own that it marks CORRECT.
        other_false_positive: the same of others.
        own_false_negative: CORRECT answers of its own that it marks INCORRECT.
        other_false_negative: the same of others.
        false_positive_gap: own minus others; above 0 it lets its own mistakes pass.
        false_negative_gap: own minus others; below 0 it rejects its own right answers less.
        n_unscored: predictions without a value, left out.
    """

    scorer_id: str
    arm: str
    n_judges: int
    candidate: str
    own_false_positive: CountRate
    other_false_positive: CountRate
    own_false_negative: CountRate
    other_false_negative: CountRate
    false_positive_gap: Difference
    false_negative_gap: Difference
    n_unscored: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationRule:
    """When a judge passes, by its interval of kappa with people.

    A judge fails when the interval reaches down to 0 (agreement as chance would give) or ends
    below the bound; it passes when the interval begins at or above the bound; else it stays open.
    Without an interval it is undetermined; without labels of people it is not calibrated.

    Attributes:
        bound: least kappa that is asked for.
        text: the rule in words.
    """

    bound: float
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeStanding:
    """What can be said of one judge.

    Attributes:
        identity: what it is.
        counts: what became of the predictions it was asked about.
        standing: what calibration says.
        reason: why, in words.
        agreement: all predictions; None where people settled none that it judged.
        strata: one entry a part of `by`.
        n_self_judged: verdicts on its own answers, which are left out of `agreement`.
    """

    identity: JudgeIdentity
    counts: VerdictCounts
    standing: Standing
    reason: str
    agreement: JudgeAgreement | None
    strata: tuple[JudgeAgreement, ...]
    n_self_judged: int
