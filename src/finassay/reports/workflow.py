"""From a study to a report in one call.  In: a study.  Out: an audit, and files on disk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from finassay.analyses.adjudication.from_study import newest_scores
from finassay.analyses.audit import build_audit
from finassay.analyses.from_study import inputs_from
from finassay.analyses.judges.audited import judge_evidence, with_judges
from finassay.analyses.multiverse.audited import with_multiverse
from finassay.analyses.multiverse.from_study import MultiverseRequest, multiverse_of_study
from finassay.analyses.results_audit import Audit
from finassay.analyses.results_scores import RankConvention
from finassay.benchmarks.bundled import AUDITED, load_bundled
from finassay.integrations.baselines import run_baselines
from finassay.marking.choice_replies import choice_replies
from finassay.marking.regime_scoring import score_regimes
from finassay.marking.scoring import DEFAULT_SCORERS, MarkingReport, Progress, score_study
from finassay.marking.view import StudyView, view_study
from finassay.records import Item, Unscored
from finassay.reports.write import write_report
from finassay.scorers.base import Scorer
from finassay.study import Study
from finassay.study.snapshot import Snapshot


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditSettings:
    """How a study is audited.

    Attributes:
        scorers: what it is marked with, before the regimes; partitions that stand are kept.
        primary: scorer id of the primary rule; by default what the source stored, else the strict
            rule.
        judge: scorer id of the judge of the regimes and of the overturns; the first by name by
            default.
        policy: what is done with verdicts without a value; the study's default if None.
        rank_convention: the convention shown first.
        commands: commands that regenerate the report.
        multiverse: whether the study is also marked under every rule of a grid.
    """

    scorers: tuple[str | Scorer, ...] = DEFAULT_SCORERS
    primary: str | None = None
    judge: str | None = None
    policy: Unscored | None = None
    rank_convention: RankConvention = "competition"
    commands: tuple[str, ...] = ()
    multiverse: bool = False


def audit_study(
    study: Study, settings: AuditSettings, *, progress: Progress | None = None
) -> tuple[MarkingReport, Audit]:
    """Mark a study with every scorer and regime, and return what was done and the audit.

    What was done says how many predictions the marking left out, and why.

    Raises:
        MissingVerdictsError: the study holds no predictions and no verdicts.
        UnknownNameError: a scorer is unknown, or the primary rule holds no verdicts.
        MissingVerdictsError: the judge holds no verdicts.
    """
    marked = score_study(study, scorers=settings.scorers, progress=progress)
    regimes = score_regimes(study, judge=settings.judge)
    audit = audit_marked(study, study.snapshot(), settings, progress=progress)
    return MarkingReport(marking=marked, regimes=regimes), audit


def audit_marked(
    study: Study,
    snapshot: Snapshot,
    settings: AuditSettings,
    *,
    view: StudyView | None = None,
    progress: Progress | None = None,
) -> Audit:
    """Return the audit of a study as it stands marked in a snapshot; nothing is written.

    Args:
        study: the study.
        snapshot: its pinned tables.
        settings: how it is audited.
        view: what analyses read of the snapshot, where that is known already.
        progress: called after each step.

    Raises:
        MissingVerdictsError: the study holds no verdicts, or the judge holds none.
        UnknownNameError: the primary rule holds no verdicts.
    """
    view = view or view_study(snapshot)
    inputs = inputs_from(
        view,
        policy=settings.policy,
        primary=settings.primary,
        rank_convention=settings.rank_convention,
        commands=settings.commands,
        choice_replies=choice_replies(snapshot),
    )
    if settings.judge is not None:
        inputs = replace(inputs, judge=settings.judge)
    drawn = newest_scores(study, inputs.judge)
    evidence = judge_evidence(snapshot, view, inputs, scores=drawn)
    audit = with_judges(build_audit(inputs), evidence)
    if settings.multiverse:
        asked = MultiverseRequest(judge=settings.judge)
        audit = with_multiverse(audit, multiverse_of_study(snapshot, asked, progress=progress))
    return audit


def demo_study(path: str | Path, *, names: Sequence[str] | None = None) -> Study:
    """Return a study of the bundled benchmarks, answered by the baseline systems.

    Args:
        path: directory of the study; made if it is not there, else brought up to date.
        names: bundled benchmarks; by default `AUDITED`.

    Raises:
        UnknownNameError: there is no bundled benchmark of one of the names.
    """
    # All are loaded first, so that a wrong name leaves no study behind.
    benchmarks = {name: load_bundled(name) for name in names or AUDITED}
    study = Study.open_or_create(path, name="Finassay demonstration", unscored="bounds")
    items: list[Item] = []
    for name, loaded in benchmarks.items():
        study.add_items(loaded, benchmark=name)
        items.extend(loaded)
    run_baselines(study, items)
    return study


def write_audit(audit: Audit, directory: str | Path, *, no_text: bool = False) -> tuple[Path, ...]:
    """Write report.html, report.md, report.json and LaTeX tables, and return their paths."""
    return write_report(audit, Path(directory), no_text=no_text)
