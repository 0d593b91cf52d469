"""Tables about judges beside people.  In: results about judges.  Out: tables."""

from __future__ import annotations

from finassay.analyses.judges.results import (
    ConditionalAgreement,
    Difference,
    Figure,
    JudgeAgreement,
    JudgeStanding,
    SelfPreference,
    Standing,
)
from finassay.analyses.judges.results_compare import Judges
from finassay.analyses.kernels.judge_tables import Treatment
from finassay.analyses.results_overturns import CountRate
from finassay.reports import numbers as num
from finassay.reports.table import Gaps, Table, lefts, rights

STANDINGS: dict[Standing, str] = {
    "passes": "passes",
    "open": "open",
    "fails": "fails calibration",
    "undetermined": "undetermined",
    "not_calibrated": "not calibrated",
}

TREATMENT_WORDS: dict[Treatment, str] = {
    "category": "a category of its own",
    "wrong": "as INCORRECT",
    "half": "half CORRECT, half INCORRECT",
    "dropped": "dropped",
}

NO_VALUE = "undefined: too few replies, or nobody ever differs"
NO_REPLIES = "no such replies"


def figure(given: Figure, gaps: Gaps) -> str:
    """Return a coefficient with its interval, "0.71 (0.63 to 0.78)"."""
    if given.value is None:
        return gaps.dash(NO_VALUE)
    value = num.fixed(given.value, 2)
    if given.low is None or given.high is None:
        return value
    return f"{value} ({num.fixed(given.low, 2)} to {num.fixed(given.high, 2)})"


def gap(given: Difference, gaps: Gaps) -> tuple[str, str]:
    """Return a difference with its interval, and its corrected p."""
    found, p = given.figure, given.p_adjusted
    if found.value is None:
        return gaps.dash(NO_VALUE), gaps.dash(NO_VALUE)
    shown = num.signed(found.value, 2)
    if found.low is not None and found.high is not None:
        shown += f" ({num.signed(found.low, 2)} to {num.signed(found.high, 2)})"
    return shown, gaps.dash(NO_VALUE) if p is None else num.p_value(p)


def counted(given: CountRate, gaps: Gaps) -> str:
    """Return a rate in percent with its count, "12.5 (3/24)"."""
    if given.rate is None:
        return gaps.dash(NO_REPLIES)
    return f"{num.percent(given.rate, given.n)} ({num.share(given.k, given.n)})"


def share(value: float | None, n: int, gaps: Gaps) -> str:
    """Return a fraction in percent."""
    return gaps.dash(NO_REPLIES) if value is None else num.percent(value, max(n, 1))


def judge_name(scorer_id: str) -> str:
    """Return the shown id of a judge."""
    return num.shortened(scorer_id.removeprefix("judge/"))


def findings(result: Judges) -> Table | None:
    """Return what a reader must know, in words; None when nothing was found."""
    if not result.findings:
        return None
    return Table(
        key="judge-findings",
        caption="What a reader must know of the judges",
        columns=lefts("Weight", "Finding"),
        rows=tuple((one.severity, num.sentence(one.text)) for one in result.findings),
    )


def consensus(result: Judges) -> Table | None:
    """Return what people's labels come to, one line a fact; None without people."""
    found = result.consensus
    if found is None:
        return None

    def of_all(n: int) -> str:
        rate = f" ({num.percent(n / found.n_labelled, found.n_labelled)}%)"
        return f"{num.count(n)}{rate if found.n_labelled else ''}"

    rows = (
        ("People", num.listed(num.clean(name) for name in found.people)),
        ("Replies with a label", num.count(found.n_labelled)),
        ("Unanimous", of_all(found.n_unanimous)),
        ("Settled against one dissent", of_all(found.n_one_dissent)),
        ("Settled against more", of_all(found.n_majority)),
        ("Excluded", of_all(found.n_excluded)),
        ("… too few labels", of_all(found.n_too_few)),
        ("… agreed on “not sure”", of_all(found.n_not_sure)),
        ("Settled CORRECT", num.count(found.n_correct)),
        ("Settled INCORRECT", num.count(found.n_incorrect)),
        ("Items with a settled reply", num.count(found.n_items)),
    )
    return Table(
        key="judge-consensus",
        caption="What people agree on",
        columns=(*lefts("Fact"), *rights("Value")),
        rows=rows,
        notes=Gaps().notes(f"Settled: {found.rule_text}.", *found.warnings),
    )


_AGREEMENT = rights(
    "Replies",
    "Kappa",
    "F1 CORRECT",
    "F1 INCORRECT",
    "Agreement, %",
    "False positives, %",
    "False negatives, %",
    "CORRECT by people, %",
)
"""Columns of agreement with people."""


def standings(result: Judges) -> Table:
    """Return each judge's agreement with people, and what calibration says of it."""
    gaps = Gaps()
    rows = tuple(_standing(one, gaps) for one in result.judges)
    return Table(
        key="judges",
        caption=f"Judges beside people, {num.level(result.level)} intervals",
        columns=(
            *lefts("Judge"),
            *_AGREEMENT,
            *lefts("Calibration"),
        ),
        rows=rows,
        notes=gaps.notes(
            f"Verdicts that could not be read count here {TREATMENT_WORDS[result.primary]}; the "
            f"other treatments stand in a table of their own. Rates of errors are over verdicts "
            f"that could be read.",
            result.calibration.text,
            *(
                f"{judge_name(one.identity.scorer_id)}: {text}"
                for one in result.judges
                if one.agreement is not None
                for text in one.agreement.warnings
            ),
            f"{num.count(result.draws)} resamples of {result.resampled}, seed {result.seed}.",
            result.method,
        ),
    )


def _standing(one: JudgeStanding, gaps: Gaps) -> tuple[str, ...]:
    name, words = judge_name(one.identity.scorer_id), STANDINGS[one.standing]
    found = one.agreement
    if one.identity.is_control:
        words = f"control ({words})"
    if found is None:
        why = "people settled no reply that it judged"
        return (name, "0", *(gaps.dash(why) for _ in range(7)), words)
    return (name, *agreement_cells(found, gaps), words)


def agreement_cells(found: JudgeAgreement, gaps: Gaps) -> tuple[str, ...]:
    """Return replies, kappa, F1 of both classes, agreement, errors and prevalence."""
    shown = found.primary
    return (
        num.count(found.n),
        figure(shown.kappa, gaps),
        figure(shown.f1_correct, gaps),
        figure(shown.f1_incorrect, gaps),
        share(shown.accuracy.value, shown.n, gaps),
        counted(found.false_positive, gaps),
        counted(found.false_negative, gaps),
        share(found.prevalence, found.n, gaps),
    )


def strata(result: Judges) -> Table | None:
    """Return agreement by stratum; None where nothing was cut."""
    gaps = Gaps()
    rows = tuple(
        (
            judge_name(one.identity.scorer_id) if at == 0 else "",
            num.clean(f"{part.by}: {part.stratum}"),
            *agreement_cells(part, gaps),
        )
        for one in result.judges
        for at, part in enumerate(one.strata)
    )
    if not rows:
        return None
    starts = [at for at, row in enumerate(rows) if row[0] and at]
    return Table(
        key="judge-strata",
        caption="Judges beside people, by stratum",
        columns=(
            *lefts("Judge", "Stratum"),
            *_AGREEMENT,
        ),
        rows=rows,
        breaks=tuple(starts),
        notes=gaps.notes(),
    )


def treatments(result: Judges) -> Table | None:
    """Return agreement under each treatment of unreadable verdicts; None where all were read."""
    gaps = Gaps()
    rows = tuple(
        (
            judge_name(one.identity.scorer_id) if at == 0 else "",
            TREATMENT_WORDS[made.treatment],
            num.count(made.n),
            figure(made.kappa, gaps),
            figure(made.f1_correct, gaps),
            figure(made.f1_incorrect, gaps),
            share(made.accuracy.value, made.n, gaps),
        )
        for one in result.judges
        if one.agreement is not None and one.agreement.n_unscored
        for at, made in enumerate(one.agreement.treated)
    )
    if not rows:
        return None
    return Table(
        key="judge-treatments",
        caption="What becomes of agreement by how verdicts that could not be read are counted",
        columns=(
            *lefts("Judge", "Counted"),
            *rights("Replies", "Kappa", "F1 CORRECT", "F1 INCORRECT", "Agreement, %"),
        ),
        rows=rows,
        breaks=tuple(range(4, len(rows), 4)),
        notes=gaps.notes(
            "As a category of its own such a verdict agrees with nobody. The first line of each "
            "judge is the declared one."
        ),
    )


def counts(result: Judges) -> Table:
    """Return what became of the replies that each judge was asked about."""
    gaps = Gaps()
    return Table(
        key="judge-counts",
        caption="What became of the replies that each judge was asked about",
        columns=(
            *lefts("Judge"),
            *rights(
                "Replies",
                "With a verdict",
                "Unreadable",
                "Nothing to judge",
                "Failed",
                "Labelled, not judged",
                "CORRECT, %, of verdicts",
                "CORRECT, %, rest as wrong",
                "Own answers",
            ),
        ),
        rows=tuple(
            (
                judge_name(one.identity.scorer_id),
                num.count(one.counts.n),
                num.count(one.counts.n_scored),
                num.count(one.counts.n_unparsed),
                num.count(one.counts.n_no_answer),
                num.count(one.counts.n_failed),
                num.count(one.counts.n_missing),
                counted(one.counts.excluded, gaps),
                counted(one.counts.wrong, gaps),
                num.count(one.n_self_judged),
            )
            for one in result.judges
        ),
        notes=gaps.notes("Failed and inapplicable verdicts count in neither share."),
    )


def conditional(result: Judges) -> Table | None:
    """Return agreement by whether the judge answered the question right; None without any."""
    if not result.conditional:
        return None
    gaps = Gaps()
    return Table(
        key="judge-conditional",
        caption="Kappa with people on questions that the judge itself answered right, and wrong",
        columns=(
            *lefts("Judge"),
            *rights(
                "Answered right", "n", "Answered wrong", "n", "Difference", "Corrected p", "Unknown"
            ),
            *lefts("Own answers", "Decided by"),
        ),
        rows=tuple(_conditional(one, gaps) for one in result.conditional),
        notes=gaps.notes(
            "The columns n count replies judged. Unknown: replies to questions of which nothing "
            "says whether the judge could answer them. Own answers: of the judged system that is "
            "the judge, or what the judge said when it was asked the questions. The two groups of "
            "questions are disjoint, so the test is unpaired."
        ),
    )


def _conditional(one: ConditionalAgreement, gaps: Gaps) -> tuple[str, ...]:
    return (
        judge_name(one.scorer_id),
        figure(one.right, gaps),
        num.count(one.n_right),
        figure(one.wrong, gaps),
        num.count(one.n_wrong),
        *gap(one.difference, gaps),
        num.count(one.n_unknown),
        own_answers(one),
        "people" if one.source == "people" else num.clean(one.source_id),
    )


def own_answers(one: ConditionalAgreement) -> str:
    """Return which answers of a judge show what it knows."""
    return num.clean(one.candidate) if one.answers == "candidate" else "asked as a judge"


def self_preference(result: Judges) -> Table | None:
    """Return errors on own answers and on others'; None where no judge is a candidate."""
    if not result.self_preference:
        return None
    gaps = Gaps()
    return Table(
        key="judge-self-preference",
        caption="Errors of judges on their own answers and on those of others",
        columns=(
            *lefts("Judge", "Error"),
            *rights("Own, %", "Others, %", "Own minus others", "Corrected p"),
        ),
        rows=tuple(row for one in result.self_preference for row in _preference(one, gaps)),
        breaks=tuple(range(2, 2 * len(result.self_preference), 2)),
        notes=gaps.notes(
            "False positive: a wrong answer marked CORRECT. A judge that prefers itself has more "
            "false positives and fewer false negatives on its own answers. Differences are "
            "fractions."
        ),
    )


def _preference(one: SelfPreference, gaps: Gaps) -> list[tuple[str, ...]]:
    several = f"{num.plural(one.n_judges, 'judge')}, {one.arm or 'unknown'} references"
    positive, negative = one.false_positive_gap, one.false_negative_gap
    return [
        (
            judge_name(one.scorer_id) if one.scorer_id else several,
            "false positives",
            counted(one.own_false_positive, gaps),
            counted(one.other_false_positive, gaps),
            *gap(positive, gaps),
        ),
        (
            "",
            "false negatives",
            counted(one.own_false_negative, gaps),
            counted(one.other_false_negative, gaps),
            *gap(negative, gaps),
        ),
    ]
