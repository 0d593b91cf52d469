"""From a study to an audit.  In: a view of a study.  Out: the inputs of an audit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version

from finassay._version import __version__
from finassay.analyses.audit_inputs import AuditInputs, PrintedRanks
from finassay.analyses.estimates import Settings
from finassay.analyses.extraction.study_cells import cells_of_study
from finassay.analyses.results_scores import RankConvention
from finassay.errors import UnknownNameError
from finassay.marking.choice_replies import ChoiceReply
from finassay.marking.matrix import VerdictMatrix
from finassay.marking.regimes import BASE_CHOICES, choose_judge
from finassay.marking.view import StudyView
from finassay.records import ReportedScore, Unscored
from finassay.scorers.registry import is_imported, load_scorer
from finassay.scorers.strict import StrictRule

PACKAGES = ("deltalake", "numpy", "polars", "rapidfuzz", "scipy")
"""Packages whose version can move a figure; results print them."""

RANK_SUFFIX = " rank"
"""A reported column "X rank" holds the printed ranks of the column "X"."""

CLAIMED = "claimed convention: "
"""Beginning of the note that says which rank convention a source claims."""


def inputs_from(
    view: StudyView,
    *,
    policy: Unscored | None = None,
    primary: str | None = None,
    rank_convention: RankConvention = "competition",
    commands: Sequence[str] = (),
    choice_replies: Sequence[ChoiceReply] = (),
) -> AuditInputs:
    """Return the inputs of an audit of a study.

    Args:
        view: the study.
        policy: what is done with verdicts without a value; the study's default if None.
        primary: scorer id of the primary rule; the stored verdicts, else `strict/numbers-first`,
            else the first scorer.
        rank_convention: the convention shown first.
        commands: commands that regenerate the audit.
        choice_replies: replies to items that offer choices, to audit how labels are read.

    Raises:
        UnknownNameError: the primary rule holds no verdicts.
    """
    rule = primary or choose_primary(view.matrices)
    base, thresholds = _thresholds(view.matrices)
    return AuditInputs(
        study=view.name,
        items=view.items,
        systems=view.systems,
        matrices=view.matrices,
        primary=rule,
        settings=Settings(policy=policy or view.unscored),
        rank_convention=rank_convention,
        versions=view.versions,
        digests=view.digests,
        packages=_packages(),
        commands=tuple(commands),
        regimes=view.regimes,
        decided_by=view.decided_by,
        thresholds=thresholds,
        base_threshold=base,
        lengths=view.lengths,
        cut_references=view.cut_references,
        empty_replies=view.empty_replies,
        error_replies=view.error_replies,
        trials=view.trials,
        n_predictions=sum(len(lengths) for lengths in view.lengths.values()),
        reported=view.reported,
        printed_ranks=printed_ranks(view.reported),
        stored=BASE_CHOICES[0] if BASE_CHOICES[0] in view.matrices else None,
        judge=choose_judge(view.matrices),
        label_cells=cells_of_study(view.items, view.systems, choice_replies),
    )


def choose_primary(matrices: Mapping[str, VerdictMatrix]) -> str:
    """Return the primary rule: what the source stored, else the strict rule, else any.

    Raises:
        UnknownNameError: there are no verdicts at all.
    """
    for choice in (*BASE_CHOICES, *sorted(matrices)):
        if choice in matrices:
            return choice
    raise UnknownNameError("no scorer holds verdicts; run `finassay score STUDY` first")


def _thresholds(
    matrices: Mapping[str, VerdictMatrix],
) -> tuple[float | None, dict[float, VerdictMatrix]]:
    """Return the default threshold of the strict rule and the matrices of all its thresholds."""
    base = BASE_CHOICES[1]
    found = {}
    for scorer_id, matrix in matrices.items():
        if scorer_id == base or scorer_id.startswith(f"{base}[threshold="):
            scorer = None if is_imported(scorer_id) else load_scorer(scorer_id)
            if isinstance(scorer, StrictRule):
                found[scorer.threshold] = matrix
    default = load_scorer(base)
    least = default.threshold if isinstance(default, StrictRule) else None
    return (least if least in found else None), dict(sorted(found.items()))


def printed_ranks(reported: Sequence[ReportedScore]) -> tuple[PrintedRanks, ...]:
    """Return the printed columns that come with printed ranks ("X" beside "X rank")."""
    tables = dict.fromkeys((score.source, score.table) for score in reported)
    found = []
    for source, table in tables:
        inside = [s for s in reported if (s.source, s.table) == (source, table)]
        for column in dict.fromkeys(score.column for score in inside):
            ranks = {s.row: s for s in inside if s.column == f"{column}{RANK_SUFFIX}"}
            values = {s.row: s.printed or repr(s.value) for s in inside if s.column == column}
            rows = tuple((row, values[row], ranks[row].value) for row in ranks if row in values)
            if len(rows) > 1:
                claimed = _claimed([score.note for score in ranks.values()])
                found.append(
                    PrintedRanks(
                        source=f"{source}, {table}", column=column, rows=rows, claimed=claimed
                    )
                )
    return tuple(found)


def _claimed(notes: Sequence[str]) -> RankConvention | None:
    conventions: tuple[RankConvention, ...] = ("competition", "dense", "average", "ordinal")
    for convention in conventions:
        if any(f"{CLAIMED}{convention}" in note for note in notes):
            return convention
    return None


def _packages() -> tuple[tuple[str, str], ...]:
    found = [("finassay", __version__)]
    for name in PACKAGES:
        try:
            found.append((name, version(name)))
        except PackageNotFoundError:
            continue
    return tuple(found)
