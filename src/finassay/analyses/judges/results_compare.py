"""Frozen results about judges side by side.  In: nothing.  Out: arms, disputes, findings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from finassay.analyses.judges.results import (
    CalibrationRule,
    ConditionalAgreement,
    ConsensusCounts,
    Difference,
    Family,
    Figure,
    JudgeStanding,
    SelfPreference,
)
from finassay.analyses.kernels.judge_tables import Treatment
from finassay.analyses.results_overturns import CountRate, OverturnTable
from finassay.analyses.results_raters import Agreement
from finassay.analyses.results_rules import RegimeComparison
from finassay.analyses.results_scores import Estimate
from finassay.analyses.severity import Severity

Factor = Literal["arm", "prompt", "tolerance"]
"""What alone differs between two judges that are compared."""

Given = Literal["", "right", "wrong"]

SilenceKind = Literal["empty", "refused", "truncated", "failed call"]

FindingKind = Literal[
    "fails_calibration",
    "not_calibrated",
    "undetermined",
    "own_knowledge",
    "self_preference",
    "relatives",
    "self_judging",
    "arm_effect",
    "prompt_effect",
    "tolerance_effect",
    "overrules_reference",
    "credits_silence",
    "unreadable",
    "few_labels",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeComparison:
    """Two variants of one judge on the predictions that both have a verdict on.

    Attributes:
        factor: what alone differs.
        given: "" for all predictions; "right" or "wrong" for those to questions that the judge, as
            a candidate, answered so.
        left: scorer id.
        right: scorer id.
        n: common predictions that people settled.
        n_items: items, or clusters of items, among them.
        left_kappa: kappa of the left one on them.
        right_kappa: kappa of the right one.
        difference: left minus right, paired.
        n_flipped: of them, those on which the two verdicts differ.
    """

    factor: Factor
    given: Given
    left: str
    right: str
    n: int
    n_items: int
    left_kappa: Figure
    right_kappa: Figure
    difference: Difference
    n_flipped: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimChange:
    """An order of two systems that depends on the tolerance of the judge.

    Attributes:
        better: system that is ahead under `under`.
        worse: the other.
        under: scorer ids or regimes under which it is ahead.
        tied: those under which the two are level.
        reversed_under: those under which it is behind.
    """

    better: str
    worse: str
    under: tuple[str, ...]
    tied: tuple[str, ...]
    reversed_under: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToleranceShift:
    """How ranks change with the rounding clause of one judge.

    Attributes:
        judge: name, task, arm and prompt of the judge.
        rule: scorer id of the rule that stands beside.
        comparison: scores, ranks, correlations and shifts of the rule and of each tolerance.
        changed: orders of two systems that do not hold under all tolerances.
    """

    judge: str
    rule: str
    comparison: RegimeComparison
    changed: tuple[ClaimChange, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeRegimes:
    """The same predictions under the rule, under a judge and by people.

    Attributes:
        judge: scorer id.
        candidate: judged system that is the judge itself, left out of the comparison.
        comparison: the rule, judge-only and judge-augmented over all items; None with fewer than
            two systems.
        with_people: the rule, the judge and the people over the items that people labelled for
            every system; None where there are no such items for two systems.
    """

    judge: str
    candidate: str | None
    comparison: RegimeComparison | None
    with_people: RegimeComparison | None


@dataclass(frozen=True, slots=True, kw_only=True)
class HumanScore:
    """One system by the consensus of people.

    Attributes:
        system: display name.
        people: its score by people.
        rule: its score by the rule on the same replies; None without a rule.
    """

    system: str
    people: Estimate
    rule: Estimate | None


@dataclass(frozen=True, slots=True, kw_only=True)
class HumanLeaderboard:
    """The systems by the consensus of people, the regime "human-consensus".

    Attributes:
        rows: best first; each over the replies of its own that people settled.
        comparison: ranks beside the rule, over items labelled for every system compared; None
            where fewer than two systems are labelled on the same items.
        warnings: what a reader must know.
    """

    rows: tuple[HumanScore, ...]
    comparison: RegimeComparison | None
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class OverruledReply:
    """A reply that a judge marks CORRECT although the reference it was shown was wrong.

    Attributes:
        item_id: the item.
        system: display name of the system that replied.
    """

    item_id: str
    system: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WrongReference:
    """A judge that was shown wrong references.

    Attributes:
        scorer_id: the judge.
        correct: CORRECT by people that it marks CORRECT all the same: it overrules the reference.
        incorrect: INCORRECT by people that it marks CORRECT: it follows the wrong reference, or
            errs.
        overruled: the replies behind `correct`, sorted; at most `LISTED`.
        n_unscored: predictions without a value, left out.
    """

    scorer_id: str
    correct: CountRate
    incorrect: CountRate
    overruled: tuple[OverruledReply, ...]
    n_unscored: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Siding:
    """How often those who decide side with each of two judges, on what the two dispute.

    Attributes:
        by: "" for all disputes, or "task".
        stratum: the part.
        adjudicator: scorer id of a person, or `person/consensus`.
        left: disputes that it decides as the left judge does, of those that it decides.
        n_undecided: disputes without a decision of it.
    """

    by: str
    stratum: str
    adjudicator: str
    left: CountRate
    n_undecided: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Dispute:
    """A prediction that two judges mark differently, with the side that people take.

    Attributes:
        item_id: item.
        system: display name of the judged system.
        left_says: CORRECT or INCORRECT.
        people: CORRECT, INCORRECT or "" where people did not settle it.
    """

    item_id: str
    system: str
    left_says: str
    people: str


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgePair:
    """Two judges beside each other.

    Attributes:
        left: scorer id.
        right: scorer id.
        n: predictions that both scored.
        agreement: share of them on which they agree.
        kappa: Cohen's kappa of the two.
        n_disputed: predictions on which they differ.
        disputes: first of them, by item and system; at most `LISTED`.
        sides: who sides with whom.
    """

    left: str
    right: str
    n: int
    agreement: CountRate
    kappa: Figure
    n_disputed: int
    disputes: tuple[Dispute, ...]
    sides: tuple[Siding, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PeoplePair:
    """Two people who labelled the same predictions; "not sure" is left out, and counted.

    Attributes:
        left: scorer id.
        right: scorer id.
        n: predictions that both called CORRECT or INCORRECT.
        n_not_sure: predictions that both labelled, one of them at least "not sure".
        agreement: how often the two say the same.
        kappa: Cohen's kappa, in [-1, 1]; None where undefined.
    """

    left: str
    right: str
    n: int
    n_not_sure: int
    agreement: CountRate
    kappa: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SilentCredit:
    """Replies that hold no whole answer and that a judge marks CORRECT.

    Attributes:
        scorer_id: the judge.
        kind: what the replies are: empty, refused, truncated, or a failed call logged as a reply.
        marked: of the replies of this kind that it scored, those it marks CORRECT.
        by_system: (system, credited), most first.
        items: (system, item) of the credited, at most `LISTED`.
        n_people_correct: of the credited, those that people call CORRECT too.
    """

    scorer_id: str
    kind: SilenceKind
    marked: CountRate
    by_system: tuple[tuple[str, int], ...]
    items: tuple[tuple[str, str], ...]
    n_people_correct: int


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeFinding:
    """What a reader must know of a judge, in words.

    Attributes:
        kind: what was found.
        severity: how much it matters.
        scorer_id: the judge; "" where it is about all.
        text: one sentence or two.
    """

    kind: FindingKind
    severity: Severity
    scorer_id: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Judges:
    """How far judges can be relied on.

    Attributes:
        study: name of the study.
        consensus: what people's labels come to; None without people.
        people: how far people agree among each other; None with fewer than two.
        people_pairs: one entry a pair of people.
        judges: one entry a judge.
        conditional: agreement by whether the judge could answer itself.
        self_preference: errors on own answers and on others'.
        comparisons: arms, prompts and tolerances of one judge beside each other.
        tolerances: rank shifts by rounding clause.
        wrong_references: judges that were shown wrong references.
        pairs: judges beside each other.
        overturns: each judge against the rule.
        regimes: the rule, a judge and the people as leaderboards over the same items, one entry a
            judge.
        human: scores of the systems by the consensus of people; None without people.
        silence: credit for replies that hold no whole answer.
        findings: in order of weight.
        families: tests that were corrected together.
        primary: treatment of verdicts without a value that is shown first.
        calibration: when a judge passes.
        rule: scorer id of the rule that judges are compared with; None without one.
        by: what strata are cut by.
        level: confidence level.
        draws: resamples.
        seed: seed of the resamples.
        resampled: what is drawn.
        method: formulas and tests.
        warnings: what a reader must know.
    """

    study: str
    consensus: ConsensusCounts | None
    people: Agreement | None
    people_pairs: tuple[PeoplePair, ...]
    judges: tuple[JudgeStanding, ...]
    conditional: tuple[ConditionalAgreement, ...]
    self_preference: tuple[SelfPreference, ...]
    comparisons: tuple[JudgeComparison, ...]
    tolerances: tuple[ToleranceShift, ...]
    wrong_references: tuple[WrongReference, ...]
    pairs: tuple[JudgePair, ...]
    overturns: tuple[OverturnTable, ...]
    regimes: tuple[JudgeRegimes, ...]
    human: HumanLeaderboard | None
    silence: tuple[SilentCredit, ...]
    findings: tuple[JudgeFinding, ...]
    families: tuple[Family, ...]
    primary: Treatment
    calibration: CalibrationRule
    rule: str | None
    by: tuple[str, ...]
    level: float
    draws: int
    seed: int
    resampled: str
    method: str
    warnings: tuple[str, ...] = ()
