"""Commands about the condition of runs and about kinds of error."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from finassay.apps.cli import show
from finassay.apps.cli.audit import Policy, unscored_policy
from finassay.apps.cli.evidence import Cluster, Level, ScorerOption
from finassay.apps.cli.lists import split_ids
from finassay.apps.cli.options import JsonTarget, StudyPath
from finassay.errors import UnknownNameError, UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from finassay.analyses.configuration.study_configuration import Asked
    from finassay.marking.view import StudyView

NO_CAP = "none"

JudgeOption = Annotated[
    str | None, typer.Option(metavar="ID", help="Judge; by default the first by name.")
]
CapOptions = Annotated[
    list[str] | None,
    typer.Option(
        "--cap",
        metavar="SYSTEM=N",
        help="Characters at which its replies were cut, or none; by default where they pile up.",
    ),
]
FamilyOptions = Annotated[
    list[str] | None,
    typer.Option("--family", metavar="NAME", help="Look at items of this family only; repeat."),
]
LeftOut = Annotated[
    list[str] | None,
    typer.Option("--leave-out", metavar="SYSTEM", help="Leave a system out of all; repeat."),
]
Uncounted = Annotated[
    list[str] | None,
    typer.Option(metavar="SYSTEM", help="Leave a system out of the correlations; repeat."),
]
Pairs = Annotated[
    list[str] | None,
    typer.Option("--pair", metavar="LEFT=RIGHT", help="Compare these two runs as well; repeat."),
]
Changes = Annotated[
    list[str] | None,
    typer.Option(
        "--change",
        metavar="BEFORE,AFTER",
        help="Set at-cap rates against the change between two rules, regimes or printed columns.",
    ),
]
Cuts = Annotated[
    str | None, typer.Option("--cut", metavar="N,N,...", help="Also mark replies cut to N.")
]


def configuration(
    study: StudyPath,
    scorer: ScorerOption = None,
    judge: JudgeOption = None,
    cap: CapOptions = None,
    family: FamilyOptions = None,
    leave_out: LeftOut = None,
    pair: Pairs = None,
    change: Changes = None,
    uncounted: Uncounted = None,
    cut: Cuts = None,
    cluster: Cluster = None,
    unscored: Policy = None,
    json: JsonTarget = None,
) -> None:
    """Show what the condition of the runs does to the scores.

    Replies at a cap, the items where nobody is, two runs of one model, prompt arms, completion
    budgets, and whether longer replies are the ones that a judge turns.
    """
    from finassay.analyses.configuration.study_configuration import (
        Asked,
        Sources,
        study_configuration,
    )
    from finassay.analyses.from_study import choose_primary
    from finassay.marking.cut_replies import computed_rule, marked_when_cut
    from finassay.marking.reply_facts import reply_digests, reply_facts
    from finassay.marking.view import view_study
    from finassay.reports.plain import joined_lines
    from finassay.reports.tables_configuration import configuration_tables
    from finassay.study import Study
    from finassay.study.rows import runs_from

    asked = Asked(
        rule=scorer,
        judge=judge,
        policy=unscored_policy(unscored),
        families=tuple(family or ()),
        caps=_caps(cap or []),
        leave_out=tuple(leave_out or ()),
        pairs=_pairs(pair or []),
        changes=tuple(_change(text) for text in change or []),
        uncounted=tuple(uncounted or ()),
        clusters=tuple(cluster or ()),
    )
    lengths = _lengths(cut)
    snapshot = Study.open(study).snapshot()
    view = view_study(snapshot)
    rule = computed_rule(scorer or choose_primary(view.matrices))
    answering = [spec.name for spec in view.systems if spec.kind != "person"]
    sources = Sources(
        view=view,
        replies=reply_facts(snapshot, [item.item_id for item in view.items]),
        runs=tuple(runs_from(snapshot.frame("runs"))),
        digests=reply_digests(snapshot),
        cut=marked_when_cut(snapshot, rule, lengths, systems=answering) if lengths else {},
        cut_rule=rule,
    )
    found = study_configuration(sources, _named(asked, view))
    show.result("configuration", found, json, joined_lines(configuration_tables(found)))


def _named(asked: Asked, view: StudyView) -> Asked:
    """Return what is asked with the names under which printed tables list the systems."""
    from dataclasses import replace

    from finassay.benchmarks.reported import PRINTED_NAMES

    held = {spec.name for spec in view.systems}
    return replace(asked, names={k: name for k, name in PRINTED_NAMES.items() if name in held})


def attribution(
    study: StudyPath,
    scorer: ScorerOption = None,
    judge: JudgeOption = None,
    unscored: Policy = None,
    level: Level = 0.95,
    json: JsonTarget = None,
) -> None:
    """Show errors by category, before and after a judge.

    The categories restate the family and difficulty of the items; what the judge clears does not.
    """
    from finassay.analyses.attribution import attribution as attribute
    from finassay.analyses.estimates import Settings
    from finassay.analyses.from_study import choose_primary
    from finassay.marking.regimes import choose_judge
    from finassay.marking.view import view_study
    from finassay.reports.plain import joined_lines
    from finassay.reports.tables_attribution import attribution_tables
    from finassay.study import Study

    view = view_study(Study.open(study).snapshot())
    rule = scorer or choose_primary(view.matrices)
    named = judge or choose_judge(view.matrices)
    for name in (rule, named):
        if name is not None and name not in view.matrices:
            raise UnknownNameError(
                f"no verdicts of {name!r} in this study; there are: "
                f"{', '.join(sorted(view.matrices))}"
            )
    people = {spec.name for spec in view.systems if spec.kind == "person"}
    matrix = view.matrices[rule]
    found = attribute(
        matrix.select(columns=[name for name in matrix.columns if name not in people]),
        study=view.name,
        items=view.items,
        names=(rule, named),
        settings=Settings(policy=unscored_policy(unscored) or view.unscored, level=level),
        judge=view.matrices[named] if named is not None else None,
    )
    show.result("attribution", found, json, joined_lines(attribution_tables(found)))


def _sides(text: str, option: str, form: str) -> tuple[str, str]:
    left, mark, right = text.partition("=")
    if not (mark and left.strip() and right.strip()):
        raise UsageError(f"{option} takes {form}, got {text!r}")
    if option == "--pair" and left.strip() == right.strip():
        raise UsageError(f"--pair takes two different runs, got {text!r}")
    return left.strip(), right.strip()


def _pairs(texts: list[str]) -> tuple[tuple[str, str], ...]:
    return tuple(_sides(text, "--pair", "LEFT=RIGHT") for text in texts)


def _caps(texts: list[str]) -> Mapping[str, int | None]:
    found: dict[str, int | None] = {}
    for text in texts:
        name, said = _sides(text, "--cap", "SYSTEM=N")
        if said != NO_CAP and not (said.isdecimal() and int(said) > 0):
            raise UsageError(f"--cap takes SYSTEM=N with N from 1 on, or {NO_CAP}, got {text!r}")
        if name in found:
            raise UsageError(f"--cap says twice what the cap of {name!r} is; say it once")
        found[name] = None if said == NO_CAP else int(said)
    return found


def _change(text: str) -> tuple[str, str]:
    parts = split_ids(text)
    if len(parts) != 2:
        raise UsageError(f"--change takes BEFORE,AFTER, got {text!r}")
    return parts[0], parts[1]


def _lengths(text: str | None) -> tuple[int, ...]:
    if text is None:
        return ()
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isdecimal() and int(part) > 0 for part in parts):
        raise UsageError(f"--cut takes whole numbers from 1 on, got {text!r}")
    return tuple(sorted({int(part) for part in parts}))
