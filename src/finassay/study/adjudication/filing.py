"""Answers as verdicts and comparisons.  In: the ledgers of draws.  Out: partitions of the study.

Correctness goes through the label store under `person/NAME`, pairs into `comparisons` under the
same id, and other tasks under `imported/person/NAME/TASK`, since `person/NAME` says correct or
incorrect and nothing else.  Doing it twice changes nothing.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

import polars as pl

from finassay._version import __version__
from finassay.errors import StudyError, UsageError
from finassay.records import IMPORTED_PREFIX, Erratum, Verdict
from finassay.study.adjudication.draw_files import draw_names, read_draw
from finassay.study.adjudication.draws import Draw, DrawUnit, UnitKey
from finassay.study.adjudication.ledger import AnswerRevision, Ledger, UnitAnswer
from finassay.study.adjudication.tasks import CORRECTNESS, PAIRWISE, task_named
from finassay.study.label_records import NOT_SURE, Label, person_scorer
from finassay.study.labels import LabelStore
from finassay.study.materialise import PERSON_VERSION
from finassay.study.rows import items_frame, items_from, verdict_row
from finassay.study.schemas import COMPARISONS, VERDICTS, TableSchema
from finassay.study.study import Commit, Study


def label_of(draw: Draw, answer: UnitAnswer) -> Label | None:
    """Return the label that goes to the label store with an answer: correctness alone has one."""
    if draw.task != CORRECTNESS.name:
        return None
    unit = draw.by_unit[answer.unit_id]
    return Label(
        annotator=answer.annotator,
        item_id=unit.key.item_id,
        system_id=unit.key.system_id,
        trial=unit.key.trial,
        label=answer.label,
        value=answer.value,
        note=answer.note,
        text_digest=unit.digests[0],
        item_digest=unit.item_digest,
    )


def task_scorer(annotator: str, task: str) -> str:
    """Return the scorer id under which a person's answers to a task are filed."""
    scorer_id = person_scorer(annotator)
    kept = (CORRECTNESS.name, PAIRWISE.name)
    return scorer_id if task in kept else f"{IMPORTED_PREFIX}{scorer_id}/{task}"


def file_answers(study: Study, draw: Draw, store: LabelStore) -> list[Commit]:
    """Write the current answers to the task of a draw, of all draws with this task.

    Reference review has no verdicts: what it says of items is shown in `status`, and becomes an
    erratum when somebody accepts it.

    Raises:
        ConflictError: other writers kept committing to the same partition first.
    """
    if draw.task == CORRECTNESS.name:
        return store.materialise(study)
    unit = task_named(draw.task).unit
    if unit == "item":
        return []
    said = _latest(study, draw.task, store)
    by_person: dict[str, list[_Said]] = defaultdict(list)
    for one in said:
        by_person[one.stored.answer.annotator].append(one)
    commits = []
    for annotator, theirs in sorted(by_person.items()):
        scorer_id = task_scorer(annotator, draw.task)
        spec = {"scorer": "person", "annotator": annotator, "task": draw.task}
        study.add_scorer(
            scorer_id,
            PERSON_VERSION,
            name=annotator,
            spec=json.dumps(spec, ensure_ascii=False),
            package_version=__version__,
        )
        if unit == "pair":
            commits.append(_file_pairs(study, scorer_id, theirs))
        else:
            commits += _file_verdicts(study, scorer_id, theirs)
    return commits


@dataclass(frozen=True, slots=True)
class _Said:
    """An answer and the unit that it is of."""

    unit: DrawUnit
    stored: AnswerRevision


def _latest(study: Study, task: str, store: LabelStore) -> list[_Said]:
    """Return the latest answer of each person on each unit, over all draws of a task."""
    found: dict[tuple[str, UnitKey], _Said] = {}
    for name in draw_names(study):
        draw = read_draw(study, name)
        if draw.task != task:
            continue
        for stored in Ledger(store, draw.draw_id).current():
            one = _Said(draw.by_unit[stored.answer.unit_id], stored)
            key = stored.answer.annotator, one.unit.key
            if key not in found or found[key].stored.order <= stored.order:
                found[key] = one
    return list(found.values())


def _file_verdicts(study: Study, scorer_id: str, said: Sequence[_Said]) -> list[Commit]:
    by_system: dict[str, list[_Said]] = defaultdict(list)
    for one in said:
        by_system[one.unit.key.system_id].append(one)
    commits = []
    for system_id, theirs in sorted(by_system.items()):
        partition = {
            "scorer_id": scorer_id,
            "scorer_version": PERSON_VERSION,
            "system_id": system_id,
        }
        rows = [_verdict_row(one) | partition for one in theirs]
        commits.append(_merge(study, VERDICTS, partition, rows))
    return commits


def _verdict_row(one: _Said) -> dict[str, object]:
    answer, key = one.stored.answer, one.unit.key
    reason = answer.note
    if answer.value is None and not reason:
        reason = f"the annotator answered {answer.label!r}"
    verdict = Verdict(
        status="unparsed" if answer.value is None else "scored",
        value=answer.value,
        label=answer.label,
        reason=reason,
    )
    return verdict_row(
        verdict,
        item_id=key.item_id,
        trial=key.trial,
        text_digest=one.unit.digests[0],
        item_digest=one.unit.item_digest,
        revision=one.stored.revision,
    )


def _file_pairs(study: Study, scorer_id: str, said: Sequence[_Said]) -> Commit:
    partition = {"scorer_id": scorer_id, "scorer_version": PERSON_VERSION}
    rows = [_pair_row(one) | partition for one in said]
    return _merge(study, COMPARISONS, partition, rows)


def _pair_row(one: _Said) -> dict[str, object]:
    answer, key = one.stored.answer, one.unit.key
    is_sure = answer.label != NOT_SURE
    return {
        "item_id": key.item_id,
        "left_system_id": key.system_id,
        "left_trial": key.trial,
        "right_system_id": key.other_system_id,
        "right_trial": key.other_trial,
        "order": "right_first" if answer.swapped else "left_first",
        "repeat": 0,
        "winner": answer.label if is_sure else None,
        "status": "scored" if is_sure else "unparsed",
        "flags": [],
        "reason": answer.note if is_sure else answer.note or f"answered {answer.label!r}",
        "evidence_id": None,
        "left_text_digest": one.unit.digests[0],
        "right_text_digest": one.unit.digests[1],
        "item_digest": one.unit.item_digest,
    }


def _merge(
    study: Study, schema: TableSchema, partition: dict[str, str], rows: list[dict[str, object]]
) -> Commit:
    """Put rows in place of those with the same key; others of the partition stay."""
    mine = pl.DataFrame(rows, schema=schema.polars_schema)

    def change(held: pl.DataFrame) -> pl.DataFrame:
        others = held.join(mine, on=list(schema.key), how="anti")
        return pl.concat([others.select(mine.columns), mine])

    return study.rewrite(schema.name, partition, change)


def correct_reference(
    study: Study, item_id: str, reference: str, *, by: str, reason: str
) -> Commit:
    """Give an item another reference, and keep the old one with who changed it and why.

    Verdicts on the item are stale afterwards: mark the study again.

    Raises:
        UsageError: no reference, name or reason is given, or the reference is the same.
        StudyError: the study holds no such item.
    """
    if not (reference.strip() and by.strip() and reason.strip()):
        raise UsageError(
            f"a correction needs the new reference, who makes it and why, got {reference!r}, "
            f"{by!r} and {reason!r}"
        )
    rows = study.snapshot().frame("items", item_id=item_id)
    if not rows.height:
        raise StudyError(
            f"the study at {study.root} holds no item {item_id!r}; `finassay adjudicate status` "
            f"lists the references that people doubt"
        )
    old = items_from(rows)[0].reference or ""
    if old == reference:
        raise UsageError(
            f"item {item_id!r} has the reference {reference!r} already; nothing is to be corrected"
        )

    def change(held: pl.DataFrame) -> pl.DataFrame:
        # Other rows stay as they are: the digests of redacted ones no longer follow from them.
        (item,) = items_from(held.filter(pl.col("item_id").eq(item_id)))
        erratum = Erratum(old_reference=old, by=by, reason=reason)
        row = items_frame([replace(item, reference=reference, erratum=erratum)])
        return pl.concat([held.filter(pl.col("item_id").ne(item_id)), row.select(held.columns)])

    return study.rewrite("items", {"benchmark": str(rows["benchmark"][0])}, change)
