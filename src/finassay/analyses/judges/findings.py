"""What a reader must know of judges.  In: results about them.  Out: findings in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from finassay.analyses.judges.agreement import FEW
from finassay.analyses.judges.results import (
    ConditionalAgreement,
    ConsensusCounts,
    Difference,
    JudgeStanding,
    SelfPreference,
)
from finassay.analyses.judges.results_compare import (
    FindingKind,
    JudgeComparison,
    JudgeFinding,
    SilentCredit,
    ToleranceShift,
    WrongReference,
)
from finassay.analyses.judges.standing import told_figure
from finassay.analyses.results_overturns import CountRate
from finassay.analyses.severity import SEVERITIES, Severity
from finassay.analyses.wording import listed, percent, plural, some

UNREADABLE = 0.05
"""Share of a judge's replies that cannot be read, from which on it is worth a finding."""

REPLIES = ("reply", "replies")


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What findings are made from; see `results_compare.Judges`."""

    standings: Sequence[JudgeStanding]
    consensus: ConsensusCounts | None
    conditional: Sequence[ConditionalAgreement]
    preferred: Sequence[SelfPreference]
    variants: Sequence[JudgeComparison]
    shifts: Sequence[ToleranceShift]
    wrong: Sequence[WrongReference]
    silence: Sequence[SilentCredit]


def findings(given: Found) -> tuple[JudgeFinding, ...]:
    """Return what a reader must know, what weighs most first."""
    standings = given.standings
    made = [
        *_of_people(standings, given.consensus),
        *_of_standings(standings, has_people=given.consensus is not None),
        *(found for one in given.conditional for found in _of_answers(one, standings)),
        *(found for one in given.preferred for found in _of_preference(one)),
        *(found for one in given.variants for found in _of_variants(one, standings)),
        *(found for one in given.shifts for found in _of_tolerance(one)),
        *(found for one in given.wrong for found in _of_wrong(one)),
        *(_of_silence(one) for one in given.silence),
        *(found for one in standings for found in _of_kinship(one)),
    ]
    return tuple(sorted(made, key=lambda one: SEVERITIES.index(one.severity)))


def _finding(kind: FindingKind, severity: Severity, judge: str, text: str) -> JudgeFinding:
    return JudgeFinding(kind=kind, severity=severity, scorer_id=judge, text=text)


def told_rate(rate: CountRate) -> str:
    """Return "k of n (p%)"."""
    if rate.rate is None:
        return f"{rate.k} of {rate.n}"
    return f"{rate.k} of {rate.n} ({percent(rate.rate, rate.n)}%)"


def _told_p(difference: Difference) -> str:
    p = difference.p_adjusted
    return "" if p is None else f", corrected p {'<0.001' if p < 0.001 else f'{p:.3f}'}"


def _of_people(
    standings: Sequence[JudgeStanding], consensus: ConsensusCounts | None
) -> Iterator[JudgeFinding]:
    if consensus is None:
        names = some(dict.fromkeys(one.identity.name for one in standings))
        text = (
            f"no judge is calibrated ({names}): the study holds no labels of people, so nothing "
            f"says whether what a judge marks CORRECT is correct"
        )
        yield _finding("not_calibrated", "high", "", text)
    elif consensus.n_settled < FEW:
        text = (
            f"people settled only {plural(consensus.n_settled, *REPLIES)}, which says little of "
            f"any judge"
        )
        yield _finding("few_labels", "medium", "", text)


def _of_standings(
    standings: Sequence[JudgeStanding], *, has_people: bool
) -> Iterator[JudgeFinding]:
    for one in standings:
        judge, counts = one.identity.scorer_id, one.counts
        if one.identity.is_control:
            continue
        if one.standing == "fails":
            text = f"{judge} fails calibration: {one.reason}"
            yield _finding("fails_calibration", "high", judge, text)
        elif one.standing == "undetermined":
            text = f"calibration of {judge} is undetermined: {one.reason}"
            yield _finding("undetermined", "medium", judge, text)
        elif one.standing == "not_calibrated" and has_people:
            text = f"{judge} is not calibrated: {one.reason}"
            yield _finding("not_calibrated", "high", judge, text)
        if counts.n and counts.n_unparsed / counts.n >= UNREADABLE:
            text = (
                f"{counts.n_unparsed} of {plural(counts.n, 'verdict')} of {judge} could not be "
                f"read: it marks {told_rate(counts.excluded)} CORRECT without them, "
                f"{told_rate(counts.wrong)} with them as wrong"
            )
            yield _finding("unreadable", "medium", judge, text)


def _of_answers(
    one: ConditionalAgreement, standings: Sequence[JudgeStanding]
) -> Iterator[JudgeFinding]:
    gap = one.difference.figure.value
    if not one.difference.differs or gap is None:
        return
    where = "answered right" if gap > 0 else "answered wrong"
    arms = {s.identity.scorer_id: s.identity.arm for s in standings}
    severity: Severity = "medium" if arms.get(one.scorer_id) in {"human", "verified"} else "high"
    chance = one.wrong.low is not None and one.wrong.low <= 0.0 and gap > 0
    told = "; on the latter chance is not ruled out" if chance else ""
    asked = " on what it answered when it was asked" if one.answers == "asked" else ""
    by = "people" if one.source == "people" else one.source_id
    text = (
        f"{one.scorer_id} agrees with people better on questions that it {where} itself: kappa "
        f"{told_figure(one.right)} where it answered right, {told_figure(one.wrong)} where it "
        f"answered wrong, by {by}{asked}{_told_p(one.difference)}{told}"
    )
    yield _finding("own_knowledge", severity, one.scorer_id, text)


def _of_preference(one: SelfPreference) -> Iterator[JudgeFinding]:
    who = one.scorer_id or f"{plural(one.n_judges, 'judge')} with {one.arm or 'unknown'} references"
    positive, negative = one.false_positive_gap, one.false_negative_gap
    gap = positive.figure.value
    if positive.differs and gap is not None:
        side = "lets more of its own mistakes pass" if gap > 0 else "lets fewer own mistakes pass"
        text = (
            f"{who} {side}: it marks {told_rate(one.own_false_positive)} of its own wrong answers "
            f"CORRECT, and {told_rate(one.other_false_positive)} of others'{_told_p(positive)}"
        )
        yield _finding("self_preference", "high" if gap > 0 else "low", one.scorer_id, text)
    gap = negative.figure.value
    if negative.differs and gap is not None:
        side = "rejects fewer of its own right answers" if gap < 0 else "is harder on its own"
        text = (
            f"{who} {side}: it marks {told_rate(one.own_false_negative)} of its own right answers "
            f"INCORRECT, and {told_rate(one.other_false_negative)} of others'{_told_p(negative)}"
        )
        yield _finding("self_preference", "medium" if gap < 0 else "low", one.scorer_id, text)


def _of_variants(
    one: JudgeComparison, standings: Sequence[JudgeStanding]
) -> Iterator[JudgeFinding]:
    if one.given:
        return
    controls = {s.identity.scorer_id for s in standings if s.identity.is_control}
    kinds: dict[str, FindingKind] = {
        "arm": "arm_effect",
        "prompt": "prompt_effect",
        "tolerance": "tolerance_effect",
    }
    told = (
        f"kappa {told_figure(one.left_kappa)} for {one.left}, {told_figure(one.right_kappa)} for "
        f"{one.right}, over {plural(one.n, 'common reply', 'common replies')}"
        f"{_told_p(one.difference)}"
    )
    if one.difference.differs and not controls & {one.left, one.right}:
        text = f"agreement depends on the {_FACTORS[one.factor]}: {told}"
        yield _finding(kinds[one.factor], "medium", one.left, text)
        return
    is_probe = one.right in controls and one.left not in controls and one.n >= FEW
    if is_probe and not one.difference.differs:
        text = f"no difference is shown between good references and a control: {told}"
        yield _finding("arm_effect", "medium", one.left, text)


_FACTORS = {"arm": "reference", "prompt": "wording", "tolerance": "rounding clause"}


def _of_tolerance(one: ToleranceShift) -> Iterator[JudgeFinding]:
    if not one.changed:
        return
    systems = len(one.comparison.systems)
    text = (
        f"{len(one.changed)} of {plural(systems * (systems - 1) // 2, 'order')} of two systems "
        f"depend on the rounding clause of {one.judge}: "
        f"{some(f'{c.better} over {c.worse}' for c in one.changed)}"
    )
    yield _finding("tolerance_effect", "medium", one.judge, text)


def _of_wrong(one: WrongReference) -> Iterator[JudgeFinding]:
    if not one.correct.n:
        return
    text = (
        f"{one.scorer_id} was shown wrong references: it marks {told_rate(one.correct)} of the "
        f"right answers CORRECT all the same, and {told_rate(one.incorrect)} of the wrong ones"
    )
    yield _finding("overrules_reference", "note", one.scorer_id, text)


def _of_silence(one: SilentCredit) -> JudgeFinding:
    text = (
        f"{one.scorer_id} marks {told_rate(one.marked)} of the replies that are "
        f"{_SILENCE[one.kind]} CORRECT: {some(f'{name} {k}' for name, k in one.by_system)}"
    )
    severity: Severity = "low" if one.kind == "truncated" else "medium"
    return _finding("credits_silence", severity, one.scorer_id, text)


_SILENCE = {
    "empty": "empty",
    "refused": "refusals",
    "truncated": "cut off",
    "failed call": "failed calls",
}


def _of_kinship(one: JudgeStanding) -> Iterator[JudgeFinding]:
    judge, identity = one.identity.scorer_id, one.identity
    if identity.own and one.n_self_judged:
        text = (
            f"{judge} judged {plural(one.n_self_judged, 'answer')} of its own "
            f"({listed(identity.own)}): they are left out of its comparison of systems"
        )
        yield _finding("self_judging", "note", judge, text)
    if identity.relatives:
        text = (
            f"{judge} is of the model family {identity.model_family}, as are the judged systems "
            f"{some(identity.relatives)}"
        )
        yield _finding("relatives", "note", judge, text)
