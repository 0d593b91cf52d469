"""How far a draw is.  In: a draw, assignments, answers.  Out: progress, agreement, conflicts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.adjudication.results import (
    AnnotatorProgress,
    ConflictUnit,
    DrawStatus,
    LabelAgreement,
    PairAgreement,
    ReferenceReview,
)
from finassay.analyses.adjudication.settling import RULE, SettledUnit, settle_units
from finassay.analyses.kernels.agreement import (
    MISSING,
    Coefficient,
    Scale,
    cohen,
    fleiss,
    gwet,
    krippendorff,
)
from finassay.records import Item
from finassay.study.adjudication.draws import Draw
from finassay.study.adjudication.ledger import AnswerRevision, Role, UnitAnswer
from finassay.study.adjudication.tasks import RIGHT_REFERENCE, WRONG_REFERENCE, task_named
from finassay.study.label_records import NOT_SURE

Assigned = Mapping[tuple[str, Role], Sequence[str]]

FEW_UNITS = 30


def draw_status(
    draw: Draw,
    *,
    assigned: Assigned,
    history: Sequence[AnswerRevision],
    items: Mapping[str, Item],
    stale: int = 0,
) -> DrawStatus:
    """Return progress, agreement, conflicts and doubted references of a draw.

    Args:
        draw: the draw.
        assigned: units of each (annotator, role).
        history: every revision of its answers.
        items: items of the study by id, for the references.
        stale: units whose text or item changed since the draw.
    """
    current = latest(history)
    settled = settle_units(draw.by_unit, current, assigned)
    kinds = Counter(unit.kind for unit in settled.values())
    codes, people = label_codes(draw, current)
    conflicts = [one for one in settled.values() if one.kind == "conflict"]
    return DrawStatus(
        draw=draw.name,
        task=draw.task,
        units=len(draw.units),
        unanimous=kinds["unanimous"],
        majority=kinds["majority"],
        single=kinds["single"],
        resolved=kinds["resolved"],
        unsure=kinds["unsure"],
        open=kinds["open"],
        conflicts=kinds["conflict"],
        conflict_units=tuple(_conflict(draw, unit) for unit in conflicts),
        annotators=_progress(assigned, history, current),
        agreement=_agreement(codes, draw),
        pairs=_pairs(codes, people),
        references=_references(draw, current, items),
        stale=stale,
        rule=RULE,
        warnings=_warnings(codes, stale, len(draw.units)),
    )


def draw_progress(
    assigned: Assigned, history: Sequence[AnswerRevision]
) -> tuple[AnnotatorProgress, ...]:
    """Return how far each person of a draw is, by name and role.

    Args:
        assigned: units of each (annotator, role).
        history: every revision of its answers.
    """
    return _progress(assigned, history, latest(history))


def latest(history: Iterable[AnswerRevision]) -> list[AnswerRevision]:
    """Return the latest revision of each answer, in the order of their first."""
    found: dict[tuple[str, str, str], AnswerRevision] = {}
    for one in history:
        found[one.answer.unit_id, one.answer.annotator, one.answer.role] = one
    return list(found.values())


def conflicts_of(
    draw: Draw, current: Sequence[AnswerRevision], assigned: Assigned
) -> tuple[str, ...]:
    """Return the units whose answers settle nothing, or end in "not sure", in queue order."""
    settled = settle_units(draw.by_unit, current, assigned)
    return tuple(unit for unit in draw.by_unit if settled[unit].kind in {"conflict", "unsure"})


def label_codes(
    draw: Draw, current: Iterable[AnswerRevision]
) -> tuple[NDArray[np.int64], tuple[str, ...]]:
    """Return (U, R) codes of labels by unit and person, MISSING for none and "not sure"."""
    labels = [one.answer for one in current if one.answer.role == "label"]
    people = tuple(sorted({answer.annotator for answer in labels}))
    names = {label: code for code, label in enumerate(_categories(draw, labels))}
    row = {unit: at for at, unit in enumerate(draw.by_unit)}
    column = {name: at for at, name in enumerate(people)}
    codes = np.full((len(row), len(people)), MISSING, dtype=np.int64)
    for answer in labels:
        if answer.label != NOT_SURE:
            codes[row[answer.unit_id], column[answer.annotator]] = names[answer.label]
    return codes, people


def _categories(draw: Draw, labels: Iterable[UnitAnswer]) -> list[str]:
    known = [option.label for option in task_named(draw.task).options]
    said = {answer.label for answer in labels}
    return [*known, *sorted(said - set(known))]


def _conflict(draw: Draw, unit: SettledUnit) -> ConflictUnit:
    return ConflictUnit(
        unit_id=unit.unit_id,
        item_id=draw.by_unit[unit.unit_id].key.item_id,
        answers=tuple((answer.annotator, answer.label) for answer in unit.answers),
    )


def _progress(
    assigned: Assigned, history: Sequence[AnswerRevision], current: Sequence[AnswerRevision]
) -> tuple[AnnotatorProgress, ...]:
    own: dict[tuple[str, Role], list[AnswerRevision]] = {who: [] for who in assigned}
    for one in current:
        own.setdefault((one.answer.annotator, one.answer.role), []).append(one)
    times: dict[tuple[str, Role], str] = {}
    for one in history:
        who = (one.answer.annotator, one.answer.role)
        times[who] = max(times.get(who, ""), one.at)
    return tuple(
        _one_progress(who, set(assigned.get(who, ())), theirs, times.get(who))
        for who, theirs in sorted(own.items())
    )


def _one_progress(
    who: tuple[str, Role], units: set[str], theirs: Sequence[AnswerRevision], last: str | None
) -> AnnotatorProgress:
    answered = {one.answer.unit_id for one in theirs}
    return AnnotatorProgress(
        annotator=who[0],
        role=who[1],
        assigned=len(units),
        answered=len(answered),
        waiting=len(units - answered),
        unsure=sum(one.answer.label == NOT_SURE for one in theirs),
        flagged=sum(one.answer.reference_wrong for one in theirs),
        revised=sum(one.revision > 0 for one in theirs),
        last=last,
    )


def _agreement(codes: NDArray[np.int64], draw: Draw) -> tuple[LabelAgreement, ...]:
    if codes.shape[1] < 2:
        return ()
    size = max(int(codes.max()) + 1, 2)
    values = np.arange(size, dtype=np.float64)
    options = task_named(draw.task).options
    is_graded = all(option.value is not None for option in options if option.label != NOT_SURE)
    scale: Scale = "ordinal" if is_graded and size > 2 else "nominal"
    first = cohen(codes, size) if codes.shape[1] == 2 else fleiss(codes, size)
    made = (first, krippendorff(codes, values, scale), gwet(codes, size))
    return tuple(_coefficient(one) for one in made)


def _coefficient(made: Coefficient) -> LabelAgreement:
    whole = made.features.sum(axis=0, keepdims=True)
    (value,), (is_defined,) = made.values(whole)
    observed, expected = (float(part[0]) for part in made.summary(whole))
    is_rated = bool(np.isfinite(observed) and np.isfinite(expected))
    return LabelAgreement(
        name=made.name,
        value=float(value) if is_defined else None,
        observed=observed if is_rated else None,
        expected=expected if is_rated else None,
        n_units=int(made.used.sum()),
    )


def _pairs(codes: NDArray[np.int64], people: Sequence[str]) -> tuple[PairAgreement, ...]:
    size = max(int(codes.max()) + 1, 2) if codes.size else 2
    out = []
    for i, j in combinations(range(len(people)), 2):
        found = _coefficient(cohen(codes[:, [i, j]], size))
        out.append(
            PairAgreement(
                left=people[i],
                right=people[j],
                n_units=found.n_units,
                observed=found.observed,
                kappa=found.value,
            )
        )
    return tuple(out)


def _references(
    draw: Draw, current: Iterable[AnswerRevision], items: Mapping[str, Item]
) -> tuple[ReferenceReview, ...]:
    """Return references that at least one person calls wrong, most doubted first."""
    asked = draw.task == "reference"
    by_item: dict[str, list[UnitAnswer]] = {}
    for one in current:
        item_id = draw.by_unit[one.answer.unit_id].key.item_id
        by_item.setdefault(item_id, []).append(one.answer)
    found = [
        _review(item_id, answers, items.get(item_id), asked=asked)
        for item_id, answers in by_item.items()
    ]
    doubted = [one for one in found if one.flagged_by]
    return tuple(sorted(doubted, key=lambda one: (-len(one.flagged_by), one.item_id)))


def _review(
    item_id: str, answers: Sequence[UnitAnswer], item: Item | None, *, asked: bool
) -> ReferenceReview:
    doubts = [a for a in answers if a.reference_wrong or (asked and a.label == WRONG_REFERENCE)]
    cleared = {a.annotator for a in answers if asked and a.label == RIGHT_REFERENCE}
    flagged = {a.annotator for a in doubts}
    return ReferenceReview(
        item_id=item_id,
        reference="" if item is None or item.reference is None else item.reference,
        flagged_by=tuple(sorted(flagged)),
        cleared_by=tuple(sorted(cleared - flagged)),
        corrections=tuple(sorted({(a.annotator, a.correction) for a in doubts if a.correction})),
        notes=tuple(sorted({(a.annotator, a.note) for a in doubts if a.note})),
        is_corrected=item is not None and item.erratum is not None,
    )


def _warnings(codes: NDArray[np.int64], stale: int, units: int) -> tuple[str, ...]:
    out = []
    doubly = int(((codes != MISSING).sum(axis=1) > 1).sum()) if codes.size else 0
    if codes.shape[1] > 1 and doubly < FEW_UNITS:
        out.append(f"only {doubly} units have two labels or more: agreement is a first impression")
    if stale:
        out.append(
            f"{stale} of {units} units have another text or item than when the draw was made; "
            f"their labels are of the old one"
        )
    return tuple(out)
