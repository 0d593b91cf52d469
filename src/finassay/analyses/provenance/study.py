"""From a study to an audit of provenance.  In: a snapshot, tables, logs.  Out: Provenance."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from finassay.analyses.provenance.inputs import ProvenanceInputs
from finassay.analyses.provenance.results import Provenance
from finassay.analyses.provenance.trace import trace_provenance
from finassay.benchmarks.reported import PRINTED_NAMES
from finassay.errors import MissingVerdictsError, UnknownNameError
from finassay.marking.choice_replies import ChoiceReply, choice_replies
from finassay.marking.in_memory import candidate_matrices
from finassay.marking.matrix import VerdictMatrix
from finassay.marking.regimes import choose_judge
from finassay.marking.reply_matrix import reply_matrix
from finassay.marking.scoring import DEFAULT_SCORERS
from finassay.marking.view import StudyView, view_study
from finassay.records import STORED, Item, ReportedScore, SystemSpec
from finassay.runs.importers.label_logs import LabelLog, LoggedReply
from finassay.study.snapshot import Snapshot


@dataclass(frozen=True, slots=True, kw_only=True)
class ProvenanceOptions:
    """What an audit of provenance takes beside the study.

    Attributes:
        scorers: candidate rules, by id.
        judge: scorer id of the judge that boards are compared with; the first by name if None.
        tables: printed scores that the study does not hold.
        sizes: printed column -> items, where the printed scores do not say.
        printed_names: label of a printed row -> system, beside those of public benchmarks.
        logs: label logs to look into.
    """

    scorers: tuple[str, ...] = DEFAULT_SCORERS
    judge: str | None = None
    tables: tuple[ReportedScore, ...] = ()
    sizes: Mapping[str, int] = field(default_factory=dict)
    printed_names: Mapping[str, str] = field(default_factory=dict)
    logs: tuple[LabelLog, ...] = ()


def study_provenance(
    snapshot: Snapshot,
    options: ProvenanceOptions | None = None,
    *,
    view: StudyView | None = None,
) -> Provenance:
    """Return where the numbers of a study come from; nothing in the study is changed.

    Args:
        snapshot: pinned tables.
        options: what is looked at; everything by default.
        view: what analyses read of the snapshot, where that is known already.

    Raises:
        UnknownNameError: a candidate rule, system or printed column does not exist.
        MissingVerdictsError: the judge holds no verdicts.
        UsageError: the verdicts of a candidate are imported, not computed.
    """
    asked = options or ProvenanceOptions()
    return trace_provenance(provenance_inputs(snapshot, asked, view=view), sizes=asked.sizes)


def provenance_inputs(
    snapshot: Snapshot, options: ProvenanceOptions, *, view: StudyView | None = None
) -> ProvenanceInputs:
    """Return what an audit of provenance reads of a study; candidates are marked in memory."""
    view = view or view_study(snapshot, needs_verdicts=False)
    ids = [item.item_id for item in view.items]
    replies = reply_matrix(snapshot, ids)
    stored = view.matrices.get(STORED)
    _require(options, view)
    return ProvenanceInputs(
        study=view.name,
        items=view.items,
        matrices=view.matrices,
        candidates=candidate_matrices(
            snapshot, items=ids, scorers=options.scorers, known=view.matrices
        ),
        replies=replies if replies.systems else None,
        kinds={spec.name: spec.kind for spec in view.systems},
        reported=(*view.reported, *options.tables),
        printed_names={**PRINTED_NAMES, **options.printed_names},
        judge=options.judge or choose_judge(view.matrices),
        logs=(
            *_logs(view.items, view.systems, choice_replies(snapshot), stored),
            *options.logs,
        ),
        versions=view.versions,
    )


def _require(options: ProvenanceOptions, view: StudyView) -> None:
    """Raise where a name that is asked for is not there: nothing would be looked into."""
    judge = options.judge
    if judge is not None and judge not in view.matrices:
        raise MissingVerdictsError(
            f"the judge {judge!r} holds no verdicts in the study {view.name!r}; there are those "
            f"of: {', '.join(sorted(view.matrices)) or 'none'}"
        )
    systems = [spec.name for spec in view.systems]
    reported = (*view.reported, *options.tables)
    columns = sorted({score.column for score in reported})
    for row, name in options.printed_names.items():
        if name not in systems:
            raise UnknownNameError(
                f"the printed row {row!r} is said to be the system {name!r}, which the study does "
                f"not hold; there are: {', '.join(systems) or 'none'}"
            )
    for column in options.sizes:
        if column not in columns:
            raise UnknownNameError(
                f"a number of items is given for the printed column {column!r}, which no table "
                f"holds; there are: {', '.join(columns) or 'none'}"
            )


def _logs(
    items: Sequence[Item],
    systems: Sequence[SystemSpec],
    replies: Sequence[ChoiceReply],
    stored: VerdictMatrix | None,
) -> Iterator[LabelLog]:
    """Yield the replies to items with choices as logs, one a task and system, with their marks."""
    by_id = {item.item_id: item for item in items}
    names = {spec.system_id: spec.name for spec in systems}
    marks = _marks(stored)
    logs: dict[tuple[str, str], list[LoggedReply]] = {}
    for reply in replies:
        item, system = by_id[reply.item_id], names[reply.system_id]
        if item.reference is not None:
            logged = LoggedReply(
                row=item.item_id,
                reply=reply.text,
                gold=item.reference,
                choices=item.choices,
                is_right=marks.get((item.item_id, system)),
            )
            logs.setdefault((item.task or item.family, system), []).append(logged)
    for (task, system), rows in logs.items():
        # A card order is one for a task: items with their own choices have none to find.
        if len({row.choices for row in rows}) == 1:
            yield LabelLog(source=f"{task} / {system}", rows=tuple(rows))


def _marks(stored: VerdictMatrix | None) -> dict[tuple[str, str], bool]:
    if stored is None:
        return {}
    scored, right = stored.scored, stored.right
    return {
        (row[0], system): bool(right[i, j])
        for i, row in enumerate(stored.rows)
        for j, system in enumerate(stored.columns)
        if scored[i, j]
    }
