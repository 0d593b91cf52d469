"""From a study to which system does which operation.  In: a snapshot.  Out: one result."""

from __future__ import annotations

from collections.abc import Sequence

from finassay.analyses.operations.from_study import StudyRequest, operations_of_study
from finassay.analyses.operations.printed import TablesRequest, operations_of_tables
from finassay.analyses.operations.results import OperationsResult
from finassay.analyses.operations.selection import SelectionSettings
from finassay.errors import MissingVerdictsError
from finassay.marking.view import StudyView, view_study
from finassay.records import READS_KEY
from finassay.study.snapshot import Snapshot


def operations_in(
    snapshot: Snapshot,
    *,
    knowledge: Sequence[str] = (),
    settings: SelectionSettings | None = None,
    view: StudyView | None = None,
) -> OperationsResult:
    """Return selection by operation: from verdicts where a study has them, else as printed in it.

    Controls, which read the accepted answers and so would lead everywhere, are left out.

    Args:
        snapshot: pinned tables.
        knowledge: families that are knowledge, beside those that say so.
        settings: how; the usual ones if None.
        view: what analyses read of the snapshot, where that is known already.

    Raises:
        UsageError: no family is knowledge, or an operation has fewer than two systems.
        MissingVerdictsError: the study holds neither verdicts nor printed scores.
    """
    how = settings or SelectionSettings()
    if snapshot.scorer_ids():
        view = view or view_study(snapshot)
        known = {spec.name for spec in view.systems}
        controls = tuple(name for name in controls_in(snapshot) if name in known)
        request = StudyRequest(knowledge=tuple(knowledge), leave_out=controls)
        return operations_of_study(view, request, how)
    view = view_study(snapshot, needs_verdicts=False)
    if not view.reported:
        raise MissingVerdictsError(
            "the study holds neither verdicts nor printed scores; run `finassay score STUDY` "
            "first, or import a table of scores"
        )
    tables = {
        name: tuple(score for score in view.reported if score.table == name)
        for name in dict.fromkeys(score.table for score in view.reported)
    }
    return operations_of_tables(tables, TablesRequest(), how, source=view.name)


def controls_in(snapshot: Snapshot) -> tuple[str, ...]:
    """Return the systems that read the accepted answers, by display name."""
    return tuple(spec.name for spec in snapshot.systems() if spec.prompt_arm == READS_KEY)


def families_in(snapshot: Snapshot) -> tuple[str, ...]:
    """Return the families of a study's items, sorted."""
    return tuple(sorted({item.family for item in snapshot.items() if item.family}))
