"""The command that says how far judges can be relied on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from finassay.apps.cli import show
from finassay.apps.cli.audit import Policy, unscored_policy
from finassay.apps.cli.evidence import Cluster, Level, Seed
from finassay.apps.cli.lists import split_ids
from finassay.apps.cli.options import JsonTarget, StudyPath, optional_scorer_id, scorer_id
from finassay.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from finassay.analyses.kernels.judge_tables import Treatment
    from finassay.marking.consensus import Consensus

Humans = Annotated[
    str | None,
    typer.Option(
        "--human",
        metavar="ID,ID,...",
        help="People whose labels count (person/NAME); everybody who labelled by default.",
    ),
]
JudgeIds = Annotated[
    list[str] | None, typer.Option("--judge", metavar="ID", help="Only this judge; repeat.")
]
By = Annotated[
    list[str] | None,
    typer.Option(
        help="Also per family, task, difficulty, language, split, system or a stratum; repeat."
    ),
]
OwnAnswers = Annotated[
    str | None,
    typer.Option(
        metavar="ID",
        help="Scorer that decides which questions a judge answered right itself; by default "
        "people, and `financial` where they do not say.",
    ),
]
Rule = Annotated[
    str | None,
    typer.Option(
        metavar="ID", help="Rule that judges are compared with; by default that of the audit."
    ),
]
Candidates = Annotated[
    list[str] | None,
    typer.Option(
        "--candidate",
        metavar="JUDGE=SYSTEM",
        help="The judged system that a judge is itself, where the study does not say; repeat.",
    ),
]
ConsensusName = Annotated[
    str,
    typer.Option(help="When labels settle a reply: majority, unanimous or drop-not-sure."),
]
Least = Annotated[
    int | None,
    typer.Option(help="Fewest labels that settle a reply; 2 by default, 1 with a single person."),
]
Unreadable = Annotated[
    str,
    typer.Option(
        help="How unreadable verdicts of a judge are counted first: category, wrong, half, dropped."
    ),
]
Bound = Annotated[
    float, typer.Option(help="Kappa below which a judge fails calibration (whole interval).")
]
WithOwn = Annotated[
    bool,
    typer.Option("--with-own", help="Count a judge's verdicts on its own answers too."),
]
WriteConsensus = Annotated[
    bool,
    typer.Option(
        "--write-consensus",
        help="Also file what people agree on as verdicts of person/consensus.",
    ),
]


def judges(
    study: StudyPath,
    human: Humans = None,
    judge: JudgeIds = None,
    by: By = None,
    own_answers: OwnAnswers = None,
    rule: Rule = None,
    candidate: Candidates = None,
    consensus: ConsensusName = "majority",
    least: Least = None,
    unreadable: Unreadable = "category",
    bound: Bound = 0.4,
    with_own: WithOwn = False,
    write_consensus: WriteConsensus = False,
    unscored: Policy = None,
    cluster: Cluster = None,
    level: Level = 0.95,
    draws: Annotated[int, typer.Option(help="Number of resamples.")] = 4000,
    seed: Seed = 0,
    json: JsonTarget = None,
) -> None:
    """Show how far judges can be relied on.

    Agreement with people, also by whether the judge could answer the question itself, errors on
    its own answers, what another reference, wording or rounding clause changes, disputes between
    judges, and credit for silence.  A judge without people beside it is not calibrated.
    """
    from finassay.analyses.judges.from_study import judge_inputs
    from finassay.analyses.judges.inputs import JudgePlan
    from finassay.analyses.judges.reliability import judge_reliability
    from finassay.analyses.rank_sets import Resampling
    from finassay.marking.outside import write_consensus as file_consensus
    from finassay.marking.view import view_study
    from finassay.reports.outline_judges import judge_tables
    from finassay.reports.plain import joined_lines
    from finassay.study import Study

    settled = _consensus(consensus, least)
    opened = Study.open(study)
    snapshot = opened.snapshot()
    view = view_study(snapshot)
    people = [scorer_id(name) for name in split_ids(human or "")]
    if human is not None and not people:
        raise UsageError(f"--human takes ids of people, as person/a,person/b; got {human!r}")
    inputs = judge_inputs(
        snapshot,
        view,
        humans=people,
        judges=[scorer_id(name) for name in judge or ()],
        rule=optional_scorer_id(rule),
        own_answers=optional_scorer_id(own_answers),
        candidates=candidates_of(candidate or [], [one.name for one in view.systems]),
    )
    plan = JudgePlan(
        policy=unscored_policy(unscored) or view.unscored,
        resampling=Resampling(draws=draws, seed=seed, cluster=tuple(cluster or ())),
        level=level,
        by=tuple(by or ()),
        primary=_treatment(unreadable),
        consensus=settled,
        bound=bound,
        with_own=with_own,
    )
    found = judge_reliability(inputs, plan)
    show.result("judges", found, json, joined_lines(judge_tables(found).values()))
    if write_consensus:
        commits = file_consensus(opened, settled, people=people or None)
        rows = sum(commit.rows for commit in commits)
        changed = sum(commit.changed for commit in commits)
        show.lines(
            ["", f"person/consensus: {rows} verdicts on {len(commits)} systems, {changed} changed"],
            json,
        )


def candidates_of(pairs: Sequence[str], systems: Collection[str] = ()) -> dict[str, str]:
    """Return the judged system of each judge from texts such as "gpt-4o=gpt-4o (free)".

    Args:
        pairs: the texts.
        systems: names of judged systems: of several equals signs the one before such a name counts.

    Raises:
        UsageError: a text has no equals sign, or nothing beside it.
    """
    found = {}
    for text in pairs:
        cuts = [at for at, mark in enumerate(text) if mark == "="]
        at = next((at for at in cuts if text[at + 1 :].strip() in systems), cuts[0] if cuts else 0)
        name, system = text[:at].strip(), text[at + 1 :].strip()
        if not (name and system):
            raise UsageError(f"--candidate takes JUDGE=SYSTEM, as gpt-4o=gpt-4o-free; got {text!r}")
        found[name] = system
    return found


def _consensus(rule: str, least: int | None) -> Consensus:
    from finassay.marking.consensus import CONSENSUS_RULES, Consensus

    for known in CONSENSUS_RULES:
        if rule == known:
            return Consensus(rule=known, least=least)
    raise UsageError(f"--consensus must be one of {', '.join(CONSENSUS_RULES)}, got {rule!r}")


def _treatment(text: str) -> Treatment:
    from finassay.analyses.kernels.judge_tables import TREATMENTS

    for known in TREATMENTS:
        if text == known:
            return known
    raise UsageError(f"--unreadable must be one of {', '.join(TREATMENTS)}, got {text!r}")
