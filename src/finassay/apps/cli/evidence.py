"""Commands about the evidence in a study: its items, its ranks, its raters."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from finassay.apps.cli import show
from finassay.apps.cli.audit import Policy, unscored_policy
from finassay.apps.cli.completions import complete_scorer, complete_study
from finassay.apps.cli.lists import split_ids
from finassay.apps.cli.options import (
    Encoding,
    JsonTarget,
    StudyPath,
    optional_scorer_id,
    scorer_id,
)
from finassay.errors import UnknownNameError, UsageError

if TYPE_CHECKING:
    from finassay.analyses.estimates import Settings
    from finassay.analyses.kernels.agreement import Scale
    from finassay.analyses.rank_sets import Resampling
    from finassay.marking.matrix import VerdictMatrix
    from finassay.marking.view import StudyView

ScorerOption = Annotated[
    str | None,
    typer.Option(
        metavar="ID",
        help="Rule to look at; by default the stored verdicts.",
        autocompletion=complete_scorer,
    ),
]
Level = Annotated[float, typer.Option(help="Confidence level of intervals and sets.")]
Draws = Annotated[int, typer.Option(help="Number of resamples.")]
Seed = Annotated[int, typer.Option(help="Seed of the resamples.")]
Cluster = Annotated[
    list[str] | None,
    typer.Option(metavar="COLUMN", help="Draw clusters of items that share this; repeat."),
]
OptionalStudy = Annotated[
    Path | None,
    typer.Argument(
        metavar="[STUDY]", help="Directory of the study.", autocompletion=complete_study
    ),
]
PairwiseFile = Annotated[
    Path | None,
    typer.Option(
        "--pairwise",
        metavar="FILE",
        help="File of pairwise judgments in both orders; no study is needed.",
    ),
]
PairwiseAgainst = Annotated[
    str | None,
    typer.Option(
        metavar="ID,ID,...",
        help="People (or person/consensus) whose labels say which answers are correct.",
    ),
]
PairwiseJudges = Annotated[
    list[str] | None,
    typer.Option("--judge", metavar="ID", help="With --pairwise-against: only this judge; repeat."),
]
PairwiseBaselines = Annotated[
    list[str] | None,
    typer.Option(
        "--baseline",
        metavar="ID",
        help="With --pairwise-against: graded scorer of which the higher value wins, as rouge; "
        "repeat.  By default those that the study holds.",
    ),
]
PairwiseCandidates = Annotated[
    list[str] | None,
    typer.Option(
        "--candidate",
        metavar="JUDGE=SYSTEM",
        help="With --pairwise-against: the judged system that a judge is itself, where the study "
        "does not say; repeat.",
    ),
]
PairwiseDecision = Annotated[
    str,
    typer.Option(
        help="With --pairwise-against: how two orders make one decision, both (must agree) or sum."
    ),
]
PairwiseUndecided = Annotated[
    str,
    typer.Option(
        help="With --pairwise-against: how undecided pairs are counted first: category, wrong, "
        "half or dropped."
    ),
]
PairwiseOwn = Annotated[
    bool,
    typer.Option(
        "--with-own",
        help="With --pairwise-against: count pairs with a judge's own answer too.",
    ),
]


def items(
    study: StudyPath,
    scorer: ScorerOption = None,
    unscored: Policy = None,
    level: Level = 0.95,
    json: JsonTarget = None,
) -> None:
    """Show which items carry the ranking.

    Difficulty, discrimination, a response model, difficulty labels against accuracy, the fewest
    items that keep the ranking, and the items on which rules disagree.
    """
    from finassay.analyses.item_analysis import item_analysis
    from finassay.reports import tables_evidence as made
    from finassay.reports.plain import joined_lines

    view, rule = _view(study, scorer)
    found = item_analysis(
        view.matrices[rule],
        items=view.items,
        rule=rule,
        settings=_settings(view, unscored, level),
        systems=_complete(view, rule),
        others={name: matrix for name, matrix in view.matrices.items() if name != rule},
    )
    names = {name: name for name in found.systems}
    tables = [made.item_facts(found)]
    if found.labels is not None:
        tables.append(made.labels(found.labels, names))
    tables += [table for table in (made.contested(found), made.suspects(found)) if table]
    show.result("items", found, json, joined_lines(tables))


def ranks(
    study: StudyPath,
    scorer: ScorerOption = None,
    unscored: Policy = None,
    cluster: Cluster = None,
    level: Level = 0.95,
    draws: Draws = 10_000,
    seed: Seed = 0,
    json: JsonTarget = None,
) -> None:
    """Show which ranks the items leave open.

    Rank confidence sets for each system alone and for all together, and how often each system
    scores above each other one, all from the same resamples.
    """
    from finassay.analyses.rank_sets import rank_confidence
    from finassay.reports import tables_evidence as made
    from finassay.reports.plain import joined_lines

    view, rule = _view(study, scorer)
    found = rank_confidence(
        view.matrices[rule],
        items=view.items,
        rule=rule,
        settings=_settings(view, unscored, level),
        resampling=_resampling(draws, seed, cluster),
        systems=_complete(view, rule),
    )
    names = {row.system: row.system for row in found.rows}
    tables = [made.rank_sets(found, names), made.superiority(found, names)]
    show.result("ranks", found, json, joined_lines(tables))


def agree(
    study: OptionalStudy = None,
    raters: Annotated[
        str | None, typer.Option(metavar="ID,ID,...", help="Scorer ids: rules, judges, people.")
    ] = None,
    pairwise: PairwiseFile = None,
    pairwise_against: PairwiseAgainst = None,
    judge: PairwiseJudges = None,
    baseline: PairwiseBaselines = None,
    candidate: PairwiseCandidates = None,
    by: Annotated[
        list[str] | None,
        typer.Option(help="Also per family, task, difficulty, language, split or system; repeat."),
    ] = None,
    given: Annotated[
        list[str] | None,
        typer.Option(metavar="ID", help="Also where this third scorer says right, and wrong."),
    ] = None,
    scale: Annotated[
        str, typer.Option(help="Distance for Krippendorff's alpha: nominal, ordinal or interval.")
    ] = "nominal",
    decision: PairwiseDecision = "both",
    undecided: PairwiseUndecided = "category",
    with_own: PairwiseOwn = False,
    unscored: Policy = None,
    cluster: Cluster = None,
    level: Level = 0.95,
    draws: Draws = 4000,
    seed: Seed = 0,
    encoding: Encoding = "utf-8",
    json: JsonTarget = None,
) -> None:
    """Show how far raters agree, or how well judges pick the better of two answers.

    A rater is a scorer: a rule, a judge or a person who marks (`--raters`).  Compared are the
    verdicts on the same predictions; items are drawn, or clusters of items.  With `--pairwise FILE`
    no study is needed: accuracy, order effect and re-derived decisions of pairwise judgments.  With
    `--pairwise-against` the study's comparisons, and graded scorers of which the higher value wins,
    stand beside the answers that people call correct and incorrect.
    """
    from finassay.apps.cli.pairwise import (
        agree_beside_people,
        agree_in_file,
        pair_plan,
        refuse_idle,
    )

    modes = [study is not None and raters, pairwise, study is not None and pairwise_against]
    if sum(bool(mode) for mode in modes) != 1 or (pairwise and study is not None):
        raise UsageError(
            "`agree` takes STUDY --raters ID,ID or STUDY --pairwise-against ID, or --pairwise FILE "
            "without a study; give one of the three"
        )
    against = {"--judge": judge, "--baseline": baseline, "--candidate": candidate}
    refuse_idle(
        "--pairwise" if pairwise else "--raters" if raters else "--pairwise-against",
        {**against, "--with-own": with_own, "--by": by, "--cluster": cluster, "--given": given},
    )
    if pairwise is not None:
        agree_in_file(pairwise, encoding=encoding, level=level, json=json)
    elif study is not None and pairwise_against:
        plan = pair_plan(
            rule=decision,
            undecided=undecided,
            resampling=_resampling(draws, seed, cluster),
            level=level,
            by=by or (),
            with_own=with_own,
        )
        agree_beside_people(
            study,
            pairwise_against,
            judges=judge or (),
            baselines=baseline or (),
            candidates=candidate or (),
            plan=plan,
            json=json,
        )
    elif study is not None and raters:
        settings = _RaterOptions(raters, tuple(by or ()), tuple(given or ()), scale)
        _agree_raters(study, settings, unscored, level, _resampling(draws, seed, cluster), json)


class _RaterOptions(NamedTuple):
    raters: str
    by: tuple[str, ...]
    given: tuple[str, ...]
    scale: str


def _agree_raters(
    study: Path,
    asked: _RaterOptions,
    unscored: str | None,
    level: float,
    resampling: Resampling,
    json: str | None,
) -> None:
    from finassay.analyses.raters import Plan
    from finassay.analyses.raters import agree as agreement_of
    from finassay.reports import tables_evidence as made
    from finassay.reports.plain import joined_lines

    view, _ = _view(study, None)
    found = agreement_of(
        _matrices(view, [scorer_id(name) for name in split_ids(asked.raters)]),
        items=view.items,
        plan=Plan(
            settings=_settings(view, unscored, level),
            resampling=resampling,
            scale=_scale(asked.scale),
            by=asked.by,
            given=_matrices(view, [scorer_id(name) for name in asked.given]),
        ),
    )
    show.result("agree", found, json, joined_lines([made.agreement(found), made.prevalence(found)]))


def _view(study: StudyPath, scorer: str | None) -> tuple[StudyView, str]:
    from finassay.analyses.from_study import choose_primary
    from finassay.marking.view import view_study
    from finassay.study import Study

    view = view_study(Study.open(study).snapshot())
    rule = optional_scorer_id(scorer) or choose_primary(view.matrices)
    if rule not in view.matrices:
        raise UnknownNameError(
            f"no verdicts of {rule!r} in this study; there are: {', '.join(sorted(view.matrices))}"
        )
    return view, rule


def _matrices(view: StudyView, names: list[str]) -> dict[str, VerdictMatrix]:
    """Return the verdicts of some scorers, regimes among them.

    Raises:
        UnknownNameError: one of them holds no verdicts.
    """
    from finassay.marking.regimes import REGIME_PREFIX

    regimes = {f"{REGIME_PREFIX}{name}": matrix for name, matrix in view.regimes.items()}
    known = {**view.matrices, **regimes}
    for name in names:
        if name not in known:
            raise UnknownNameError(
                f"no verdicts of {name!r} in this study; there are: {', '.join(sorted(known))}"
            )
    # An id twice would be a rater that agrees with itself; the count of raters then says so.
    return {name: known[name] for name in names}


def _complete(view: StudyView, rule: str) -> tuple[str, ...]:
    """Return the systems that are no people and have a verdict on every item."""
    from finassay.analyses.alignment import aligned, complete_columns

    people = {spec.name for spec in view.systems if spec.kind == "person"}
    whole = complete_columns(aligned(view.matrices[rule], view.items))
    return tuple(name for name in whole if name not in people)


def _settings(view: StudyView, unscored: str | None, level: float) -> Settings:
    from finassay.analyses.estimates import Settings

    return Settings(policy=unscored_policy(unscored) or view.unscored, level=level)


def _resampling(draws: int, seed: int, cluster: list[str] | None) -> Resampling:
    from finassay.analyses.rank_sets import Resampling

    return Resampling(draws=draws, seed=seed, cluster=tuple(cluster or ()))


def _scale(text: str) -> Scale:
    scales: tuple[Scale, ...] = ("nominal", "ordinal", "interval")
    for scale in scales:
        if text == scale:
            return scale
    raise UsageError(f"--scale must be one of {', '.join(scales)}, got {text!r}")
