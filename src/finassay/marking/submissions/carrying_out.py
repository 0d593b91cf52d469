"""From a confirmed file to marks.  In: a queued submission.  Out: predictions and verdicts.

Every step can be done again: a submission that was stopped half-way, by a kill too, is taken up
from the beginning, and what stands already costs nothing and is not doubled.
"""

from __future__ import annotations

import tempfile
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from finassay.errors import BadRowsError, FinassayError, SpecError, UnknownNameError, UsageError
from finassay.marking.regime_scoring import score_regimes
from finassay.marking.regimes import REGIME_PREFIX
from finassay.marking.scoring import DEFAULT_SCORERS, score_study
from finassay.marking.single import as_scorer
from finassay.marking.submissions.ledger import Ledger
from finassay.marking.submissions.receiving import check_submission, options_of
from finassay.marking.submissions.records import Submission
from finassay.runs.importers.checking import CheckLimits, readable_table
from finassay.runs.importers.predictions import import_predictions
from finassay.scorers.composites import computable
from finassay.scorers.registry import is_imported
from finassay.study import Snapshot, Study

STEPS = 3
"""Steps of a submission: its replies are filed, marked under rules, and under regimes."""


def carry_out(
    study: Study, ledger: Ledger, submission_id: str, *, limits: CheckLimits | None = None
) -> Submission:
    """File the predictions of a submission, mark them, and return it: done, or failed.

    They are marked under every rule that the study holds verdicts of and that can be computed, or
    the usual ones where it holds none, and then under its regimes.

    Raises:
        UnknownNameError: there is no such submission.
        StudyError: the record cannot be kept.
    """
    with ledger.lock("work"):
        held = ledger.get(submission_id)
        if not held.is_on_its_way:
            return held
        bounds = limits or CheckLimits()
        try:
            held = _filed(study, ledger, held, bounds)
            held = _marked(study, ledger, held)
        except FinassayError as error:
            return ledger.write(replace(held, state="failed", problem=_masked(str(error), ledger)))
        ledger.discard_files(submission_id)
        return ledger.write(
            replace(
                held,
                state="done",
                step="",
                steps_done=held.steps,
                finished=datetime.now(UTC).isoformat(timespec="seconds"),
            )
        )


def unfinished(ledger: Ledger) -> list[str]:
    """Return the submissions that were on their way when a server was stopped, oldest first."""
    return [one.submission_id for one in reversed(ledger.all()) if one.is_on_its_way]


def _masked(said: str, ledger: Ledger) -> str:
    return said.replace(str(ledger.folder), "").replace(str(ledger.folder.parent), "the study")


def _filed(study: Study, ledger: Ledger, held: Submission, limits: CheckLimits) -> Submission:
    """Import the file, after a second look: the study may hold other items than it did."""
    path = next(iter(ledger.files(held.submission_id)), None)
    if path is None:
        raise UsageError("the file that was handed in is gone; hand it in again")
    held = ledger.write(
        replace(held, state="importing", step="filing the replies", steps_done=0, steps=STEPS)
    )
    check = check_submission(study, held, path, limits)
    if not check.is_clean:
        first = "" if not check.errors else f", the first: {check.errors[0].reason}"
        raise BadRowsError(
            f"{held.file}: the study has changed since the file was checked, and "
            f"{check.n_errors} rows cannot be used any more{first}; hand it in again"
        )
    with tempfile.TemporaryDirectory(prefix="finassay-submission-") as folder:
        table, _ = readable_table(path, Path(folder), file=held.file, limits=limits)
        report = import_predictions(study, table, options=options_of(held))
    return ledger.write(replace(held, check=check, system_id=report.systems[0].system_id))


def _marked(study: Study, ledger: Ledger, held: Submission) -> Submission:
    """Mark one system under the rules of the study in one commit, then under its regimes.

    Readers compute again whenever a table moves, so it moves as seldom as can be.
    """
    rules = study_rules(study.snapshot())
    held = replace(held, state="marking")
    held = ledger.advance(held, f"marking under {len(rules)} rules", 1, STEPS)
    report = score_study(study, scorers=rules, systems=[held.request.system])
    held = replace(held, verdicts=report.marked + report.up_to_date)
    held = ledger.advance(held, "marking under regimes", 2, STEPS)
    score_regimes(study)
    return ledger.advance(held, "", STEPS, STEPS)


def study_rules(snapshot: Snapshot) -> list[str]:
    """Return the rules that a study is marked under and that can be computed here, by id.

    What judges, people and other tools said cannot be, nor rules whose package is not installed.
    """
    held = [name for name in snapshot.scorer_ids() if not name.startswith(REGIME_PREFIX)]
    found = [name for name in held if not is_imported(name) and _is_computable(name)]
    return found or list(DEFAULT_SCORERS)


def _is_computable(name: str) -> bool:
    try:
        computable(as_scorer(name))
    except (UnknownNameError, SpecError, UsageError):
        return False
    return True
