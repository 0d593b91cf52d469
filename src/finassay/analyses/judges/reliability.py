"""How far judges can be relied on.  In: verdicts of judges and people.  Out: one frozen result."""

from __future__ import annotations

from collections.abc import Sequence

from finassay.analyses.estimates import Settings
from finassay.analyses.judges.agreement import agreements, verdict_counts
from finassay.analyses.judges.beside import human_leaderboard, judge_regimes, overturns
from finassay.analyses.judges.board import Board, board_of, cuts
from finassay.analyses.judges.conditional import conditional
from finassay.analyses.judges.disputes import judge_pairs, people_pairs
from finassay.analyses.judges.findings import Found, findings
from finassay.analyses.judges.identity import identities, is_pairwise
from finassay.analyses.judges.inputs import JudgeInputs, JudgePlan
from finassay.analyses.judges.own_answers import OwnAnswers, OwnSources, asked_warnings, own_answers
from finassay.analyses.judges.preference import self_preference
from finassay.analyses.judges.references import wrong_references
from finassay.analyses.judges.results import (
    ConsensusCounts,
    JudgeAgreement,
    JudgeIdentity,
    JudgeStanding,
)
from finassay.analyses.judges.results_compare import Judges
from finassay.analyses.judges.silence import silent_credits
from finassay.analyses.judges.standing import calibration_rule, standing_of
from finassay.analyses.judges.tolerance import tolerance_shifts
from finassay.analyses.judges.variants import comparisons
from finassay.analyses.kernels.judge_tables import CORRECT, INCORRECT, MISSING
from finassay.analyses.raters import Plan, agree
from finassay.analyses.results_raters import Agreement
from finassay.errors import MissingVerdictsError, UsageError
from finassay.marking.consensus import CONSENSUS, NO_LABEL

METHOD = (
    "what is right is the consensus of people; Cohen's kappa (1960) and F1 of the consensus with "
    "the judge, on replies that people settled and the judge was shown; replies that it was not "
    "shown (no answer) and failed calls count in no figure; BCa bootstrap (Efron, 1987) that draws "
    "whole questions or clusters, widened for few of them (Hesterberg, 2015), with the same draws "
    "for all that is compared; no interval and no test over fewer than 10 questions; where all "
    "agree the low ends are those at the Clopper-Pearson low end of agreement, counting questions; "
    "tests by the bootstrap centred on the difference, "
    "paired on common replies, unpaired between disjoint questions; gaps of error rates by score "
    "intervals (Newcombe, 1998) with effective numbers of questions; Holm within each family; "
    "Wilson intervals of rates"
)


def judge_reliability(inputs: JudgeInputs, plan: JudgePlan) -> Judges:
    """Return how far judges agree with people, with each other and with a rule.

    Judges that compare two replies are left out: pairwise verdicts have an analysis of their own.

    Args:
        inputs: verdicts of judges, people and rules.
        plan: resampling, level, strata and treatments.

    Raises:
        MissingVerdictsError: there is no judge.
        UsageError: an unknown stratum, or a consensus of more labels than there are people.
        UnknownNameError: a declared candidate is not there.
    """
    names = [name for name in inputs.judges if not is_pairwise(name)]
    if not names:
        raise MissingVerdictsError(
            "there are no verdicts of a judge (a scorer id that begins with judge/); import a "
            "table of judge verdicts first"
        )
    least, people = plan.consensus.least or 0, list(inputs.people)
    if people and least > len(people):
        raise UsageError(
            f"`least` must be at most {len(people)}, the number of people here "
            f"({', '.join(people)}), got {least!r}; no reply could ever be settled"
        )
    judges = identities(
        names, systems=inputs.systems, specs=inputs.specs, declared=inputs.candidates
    )
    board = board_of(inputs, plan, judges)
    sources = OwnSources(
        items=board.items,
        systems=board.systems,
        truth=board.truth,
        settled_by=CONSENSUS,
        rule=inputs.own_rule,
        rule_first=inputs.own_rule_first,
        asked=inputs.asked,
        consensus=plan.consensus,
    )
    own = {one.scorer_id: own_answers(sources, one) for one in judges}
    known = {name: found for name, found in own.items() if found is not None}
    return _result(inputs, plan, judges, board, known)


def _result(
    inputs: JudgeInputs,
    plan: JudgePlan,
    judges: Sequence[JudgeIdentity],
    board: Board,
    own: dict[str, OwnAnswers],
) -> Judges:
    settings = Settings(policy=plan.policy, level=plan.level)
    standings = _standings(board, judges, plan)
    by_answer, answer_family = conditional(board, own, plan)
    preferred, preference_family = self_preference(board, judges, plan)
    variants, variant_families = comparisons(board, judges, own, plan)
    wrong = wrong_references(board, judges, plan)
    silence = silent_credits(board, judges, inputs.silence, plan.level)
    shifts = tolerance_shifts(board, judges, inputs.rule, settings)
    counts = consensus_counts(board, plan)
    found = Found(
        standings=standings,
        consensus=counts,
        conditional=by_answer,
        preferred=preferred,
        variants=variants,
        shifts=shifts,
        wrong=wrong,
        silence=silence,
    )
    families = (answer_family, preference_family, *variant_families)
    return Judges(
        study=inputs.study,
        consensus=counts,
        people=_people(inputs, board, plan),
        people_pairs=people_pairs(board, plan.level),
        judges=standings,
        conditional=by_answer,
        self_preference=preferred,
        comparisons=variants,
        tolerances=shifts,
        wrong_references=wrong,
        pairs=judge_pairs(board, judges, plan),
        overturns=overturns(inputs, board, judges, plan),
        regimes=judge_regimes(inputs, board, judges, plan),
        human=human_leaderboard(inputs, board, plan),
        silence=silence,
        findings=findings(found),
        families=tuple(family for family in families if family.size),
        primary=plan.primary,
        calibration=calibration_rule(plan.bound),
        rule=None if inputs.rule is None else inputs.rule.scorer_id,
        by=plan.by,
        level=plan.level,
        draws=plan.resampling.draws,
        seed=plan.resampling.seed,
        resampled=board.units.name,
        method=METHOD,
        warnings=_warnings(inputs, judges, board, own),
    )


def _standings(
    board: Board, judges: Sequence[JudgeIdentity], plan: JudgePlan
) -> tuple[JudgeStanding, ...]:
    made: dict[str, tuple[JudgeAgreement, ...]] = {}
    if board.people:
        strata = cuts(board, plan.by)
        for name in dict.fromkeys(one.name for one in judges):
            own = [one.scorer_id for one in judges if one.name == name]
            made |= agreements(board, own, strata, plan)
    out = []
    for one in judges:
        found = made.get(one.scorer_id, ())
        whole = found[0] if found and found[0].n else None
        standing, reason = standing_of(whole, plan.bound)
        matrix = board.matrices[one.scorer_id]
        out.append(
            JudgeStanding(
                identity=one,
                counts=verdict_counts(one.scorer_id, matrix, board, plan.level),
                standing=standing,
                reason=reason,
                agreement=whole,
                strata=tuple(part for part in found[1:] if part.n),
                n_self_judged=int(((matrix.status != -1) & board.own[one.scorer_id]).sum()),
            )
        )
    return tuple(out)


def consensus_counts(board: Board, plan: JudgePlan) -> ConsensusCounts | None:
    """Return what the labels of people come to; None without people."""
    if not board.people:
        return None
    settled, people = board.settled, len(board.people)
    has_label = settled.given > 0
    is_settled = settled.label != NO_LABEL
    dissent = settled.dissent[is_settled]
    alone = is_settled & (settled.given == 1)
    return ConsensusCounts(
        scorer_id=CONSENSUS,
        people=board.people,
        rule=plan.consensus.rule,
        rule_text=plan.consensus.text(people),
        least=plan.consensus.needed(people),
        n_labelled=int(has_label.sum()),
        n_unanimous=int((dissent == 0).sum()),
        n_one_dissent=int((dissent == 1).sum()),
        n_majority=int((dissent > 1).sum()),
        n_excluded=int((has_label & ~is_settled).sum()),
        n_too_few=int(settled.too_few.sum()),
        n_not_sure=int(settled.agree_not_sure.sum()),
        n_correct=int((board.truth == CORRECT).sum()),
        n_incorrect=int((board.truth == INCORRECT).sum()),
        n_items=int((board.truth != MISSING).any(axis=1).sum()),
        warnings=(
            (f"{int(alone.sum())} replies are settled by the label of one person alone",)
            if alone.any()
            else ()
        ),
    )


def _people(inputs: JudgeInputs, board: Board, plan: JudgePlan) -> Agreement | None:
    if len(inputs.people) < 2 or not (board.settled.given > 1).any():
        return None
    return agree(
        inputs.people,
        items=inputs.items,
        plan=Plan(
            settings=Settings(policy="exclude", level=plan.level),
            resampling=plan.resampling,
            by=tuple(name for name in plan.by if name in ("family", "task", "difficulty")),
        ),
    )


def _warnings(
    inputs: JudgeInputs,
    judges: Sequence[JudgeIdentity],
    board: Board,
    own: dict[str, OwnAnswers],
) -> tuple[str, ...]:
    out = list(board.units.warnings()) if board.people else []
    for name, count in inputs.stale.items():
        out.append(
            f"{count} verdicts of {name} were left out: the reply or the item has changed since"
        )
    if inputs.n_trials > 1:
        out.append(f"only the first of up to {inputs.n_trials} replies to an item is looked at")
    for one in judges:
        if one.own and one.scorer_id not in own:
            out.append(
                f"nothing says which questions {one.candidate} answered right, so agreement of "
                f"{one.scorer_id} by its own answers is not measured: label them, mark the study "
                f"with `financial`, or name a scorer with --own-answers"
            )
        if len(one.own) > 1:
            out.append(
                f"{', '.join(one.own)} are all the model of {one.scorer_id}; its own answers are "
                f"those of {one.candidate} where one answer is needed"
            )
    for one in judges:
        out += asked_warnings(inputs.asked, one, own.get(one.scorer_id))
    skipped = [name for name in inputs.judges if is_pairwise(name)]
    if skipped:
        out.append(f"{len(skipped)} judges compare two replies and are left out here")
    return tuple(dict.fromkeys(out))
