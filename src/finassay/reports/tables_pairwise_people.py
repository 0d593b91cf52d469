"""Tables about pairwise judges beside people.  In: a result.  Out: tables."""

from __future__ import annotations

from finassay.analyses.judges.results_compare import Given
from finassay.analyses.pairwise.results_people import PairAgreement, PairVoice, PairwisePeople
from finassay.reports import numbers as num
from finassay.reports.table import Gaps, Table, grouped, lefts, rights
from finassay.reports.tables_judges import figure, gap, judge_name, own_answers

NO_PAIRS = "no such pairs"

TREATED = {
    "category": "a category of its own",
    "wrong": "for the answer that people reject",
    "half": "half for either answer",
    "dropped": "dropped",
}
"""What becomes of a pair that is not decided."""

GIVEN: dict[Given, str] = {"": "all", "right": "answered right", "wrong": "answered wrong"}


def tables(result: PairwisePeople) -> list[Table]:
    """Return all tables that have rows; agreement first."""
    made = (agreement(result), treatments(result), order(result), conditional(result))
    return [table for table in (*made, comparisons(result)) if table.rows]


def agreement(result: PairwisePeople) -> Table:
    """Return agreement with people of judges and baselines, and by part."""
    gaps = Gaps()
    groups = [
        tuple(_agreement_row(voice, part, gaps) for part in _parts(voice))
        for voice in result.voices
    ]
    rows, breaks = grouped(*groups)
    return Table(
        key="pairwise-people",
        caption=(
            f"Judges and baselines on {num.plural(result.n_pairs, 'pair')} of a correct and an "
            f"incorrect answer to {num.plural(result.n_items, 'item')}"
        ),
        columns=(
            *lefts("Judge or baseline", "Part"),
            *rights("Pairs", "As people", "Other", "Tied", "Unread"),
            *rights(f"Kappa ({num.level(result.level)})", f"F1 ({num.level(result.level)})"),
        ),
        rows=rows,
        breaks=breaks if result.voices and any(v.strata for v in result.voices) else (),
        notes=gaps.notes(
            f"Correct and incorrect as {num.listed(num.clean(n) for n in result.against)} say: "
            f"{result.consensus}.",
            f"Two orders make one decision by the rule {result.rule!r}. A pair that is not decided "
            f"counts here as {TREATED[result.primary]}.",
            f"{num.count(result.draws)} resamples of {result.resampled}, seed {result.seed}.",
            result.method,
            *result.warnings,
            *_left_out(result),
        ),
    )


def _parts(voice: PairVoice) -> tuple[PairAgreement, ...]:
    return () if voice.agreement is None else (voice.agreement, *voice.strata)


def _left_out(result: PairwisePeople) -> list[str]:
    out = []
    for voice in result.voices:
        name = num.clean(voice.scorer_id)
        if voice.n_missing:
            out.append(f"{name}: {num.plural(voice.n_missing, 'pair')} without a verdict of it")
        if voice.n_own:
            out.append(f"{name}: {num.plural(voice.n_own, 'pair')} with an answer of its own")
        if voice.n_stale:
            out.append(
                f"{name}: {num.plural(voice.n_stale, 'comparison')} of other replies left out"
            )
    return out


def _agreement_row(voice: PairVoice, part: PairAgreement, gaps: Gaps) -> tuple[str, ...]:
    return (
        judge_name(voice.scorer_id),
        num.clean(f"{part.by}: {part.stratum}") if part.by else "all",
        num.count(part.n),
        num.count(part.n_same),
        num.count(part.n_other),
        num.count(part.n_tied),
        num.count(part.n_unread),
        figure(part.primary.kappa, gaps),
        figure(part.primary.f1, gaps),
    )


def treatments(result: PairwisePeople) -> Table:
    """Return kappa, F1 and accuracy under every treatment of pairs without a decision."""
    gaps = Gaps()
    groups = [
        tuple(
            (
                judge_name(voice.scorer_id),
                TREATED[one.treatment],
                num.count(one.n),
                figure(one.kappa, gaps),
                figure(one.f1, gaps),
                figure(one.accuracy, gaps),
            )
            for one in voice.agreement.treated
        )
        for voice in result.voices
        if voice.agreement is not None and voice.agreement.n_tied + voice.agreement.n_unread
    ]
    rows, breaks = grouped(*groups)
    return Table(
        key="pairwise-treatments",
        caption="The same with undecided pairs counted otherwise",
        columns=(
            *lefts("Judge or baseline", "Undecided pairs"),
            *rights("Pairs", "Kappa", "F1", "Accuracy"),
        ),
        rows=rows,
        breaks=breaks,
        notes=gaps.notes("Undecided: ties, orders that differ, and verdicts that cannot be read."),
    )


def order(result: PairwisePeople) -> Table:
    """Return what the order of the answers does to each judge."""
    gaps = Gaps()
    rows = []
    for voice in result.voices:
        found = voice.order
        if found is None or not found.consistent.n:
            continue
        rate, first = found.consistent, found.first.rate
        rows.append(
            (
                judge_name(voice.scorer_id),
                num.share(rate.k, rate.n),
                gaps.dash(NO_PAIRS) if rate.rate is None else num.percent(rate.rate, rate.n),
                gaps.dash(NO_PAIRS)
                if rate.low is None or rate.high is None
                else num.span(rate.low, rate.high, rate.n),
                num.count(found.n_reversed),
                num.count(found.n_half_tied),
                gaps.dash(NO_PAIRS) if first is None else num.percent(first, found.first.n),
                num.p_value(found.p),
            )
        )
    return Table(
        key="pairwise-people-order",
        caption="What the order of the answers does, on the same pairs",
        columns=(
            *lefts("Judge"),
            *rights("Same", "Same, %", f"{num.level(result.level)} interval"),
            *rights("Reversed", "Half tied", "First, %", "p"),
        ),
        rows=tuple(rows),
        notes=gaps.notes(
            "Same: both orders say the same. First: decisions for the answer shown first; p of an "
            "exact sign test on pairs that prefer one position more often.",
        ),
    )


def conditional(result: PairwisePeople) -> Table:
    """Return agreement where the judge, as a candidate, answered right, and wrong."""
    gaps = Gaps()
    rows = tuple(
        (
            judge_name(one.scorer_id),
            own_answers(one),
            num.count(one.n_right),
            figure(one.right, gaps),
            num.count(one.n_wrong),
            figure(one.wrong, gaps),
            *gap(one.difference, gaps),
        )
        for one in result.conditional
    )
    sources = dict.fromkeys(num.clean(one.source_id) for one in result.conditional)
    return Table(
        key="pairwise-conditional",
        caption="Kappa where the judge could answer the question itself, and where it could not",
        columns=(
            *lefts("Judge", "Own answers"),
            *rights("Pairs", "Answered right", "Pairs", "Answered wrong", "Difference", "p"),
        ),
        rows=rows,
        notes=gaps.notes(
            f"Whether it answered right: {num.listed(sources)}. The two parts share no item; p by "
            f"Holm over judges.",
        ),
    )


def comparisons(result: PairwisePeople) -> Table:
    """Return variants of one judge on their common pairs."""
    gaps = Gaps()
    rows = tuple(
        (
            judge_name(one.left),
            judge_name(one.right),
            GIVEN[one.given],
            num.count(one.n),
            num.count(one.n_flipped),
            figure(one.left_kappa, gaps),
            figure(one.right_kappa, gaps),
            *gap(one.difference, gaps),
        )
        for one in result.comparisons
    )
    return Table(
        key="pairwise-comparisons",
        caption="Two variants of a judge on the pairs that both were asked about",
        columns=(
            *lefts("First", "Second", "Pairs that it"),
            *rights("Pairs", "Flipped", "Kappa, first", "Kappa, second", "Difference", "p"),
        ),
        rows=rows,
        notes=gaps.notes(
            *(
                f"{one.name}: {num.plural(one.size, 'test')}, {one.method}"
                for one in result.families
            )
        ),
    )
