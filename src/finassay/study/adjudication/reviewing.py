"""Decisions on references that people call wrong.  In: a decision.  Out: an erratum, and a record.

What was decided, by whom and why is kept beside the labels; an accepted correction is an erratum
of the item as well.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

import polars as pl
from sqlalchemy import insert, select

from finassay.errors import ConflictError, StudyError, UsageError
from finassay.records import Item
from finassay.study.adjudication.filing import correct_reference
from finassay.study.adjudication.ledger_tables import DECISIONS
from finassay.study.adjudication.queue import require_text
from finassay.study.labels import LabelStore
from finassay.study.rows import items_from
from finassay.study.snapshot import Snapshot
from finassay.study.study import Study

DecisionKind = Literal["accepted", "rejected"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceDecision:
    """What was decided of a reference.

    Attributes:
        item_id: whose.
        item_digest: of the item when it was decided.
        decision: "accepted" where the reference was corrected, "rejected" where it stays.
        old_reference: as it was.
        reference: as it is since.
        proposed_by: who proposed it; "" where the reviewer wrote it.
        by: who decided.
        reason: why.
        at: when, ISO 8601 in UTC.
    """

    item_id: str
    item_digest: str
    decision: DecisionKind
    old_reference: str
    reference: str
    proposed_by: str
    by: str
    reason: str
    at: str


_FIELDS = tuple(ReferenceDecision.__dataclass_fields__)


def decisions(store: LabelStore) -> list[ReferenceDecision]:
    """Return all decisions, oldest first."""
    query = select(*[DECISIONS.c[name] for name in _FIELDS]).order_by(DECISIONS.c.decision_id)
    with store.reading() as connection:
        return [ReferenceDecision(**row._asdict()) for row in connection.execute(query)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """What a reviewer says of a doubted reference.

    Attributes:
        item_id: whose reference.
        seen: digest of the item that the reviewer saw.
        by: who decides.
        reason: why.
        proposed_by: who proposed the new reference, "" for the reviewer.
    """

    item_id: str
    seen: str
    by: str
    reason: str
    proposed_by: str = ""


def accept_correction(
    study: Study, store: LabelStore, review: Review, reference: str
) -> ReferenceDecision:
    """Give an item another reference and return the decision; the old one is its erratum.

    Raises:
        UsageError: the reference, the name or the reason is missing, or it is the same reference.
        ConflictError: the item is another one than the reviewer saw.
        StudyError: the study holds no such item.
    """
    reference = require_text("reference", reference)
    reason = require_text("reason", review.reason)
    item = _item_as_seen(study, review)
    correct_reference(study, review.item_id, reference, by=review.by, reason=reason)
    return _keep(store, item, review, "accepted", reference)


def reject_doubt(study: Study, store: LabelStore, review: Review) -> ReferenceDecision:
    """Let a reference stay as it is and return the decision.

    Raises:
        UsageError: no name or reason is given.
        ConflictError: the item is another one than the reviewer saw.
        StudyError: the study holds no such item.
    """
    if not (review.by.strip() and require_text("reason", review.reason)):
        raise UsageError(
            f"a decision needs who makes it and why, got {review.by!r} and {review.reason!r}; say "
            f"why the reference is right"
        )
    item = _item_as_seen(study, review)
    return _keep(store, item, review, "rejected", item.reference or "")


def _item_as_seen(study: Study, review: Review) -> Item:
    rows = study.snapshot().frame("items", item_id=review.item_id)
    if not rows.height:
        raise StudyError(
            f"the study at {study.root} holds no item {review.item_id!r}; load the page again"
        )
    if str(rows["item_digest"][0]) != review.seen:
        raise ConflictError(
            f"item {review.item_id!r} changed since this page was shown; nothing was decided; "
            f"look at it again"
        )
    return items_from(rows)[0]


def _keep(
    store: LabelStore, item: Item, review: Review, kind: DecisionKind, reference: str
) -> ReferenceDecision:
    made = ReferenceDecision(
        item_id=item.item_id,
        item_digest=review.seen,
        decision=kind,
        old_reference=item.reference or "",
        reference=reference,
        proposed_by=review.proposed_by,
        by=review.by,
        reason=require_text("reason", review.reason),
        at=datetime.now(UTC).isoformat(),
    )
    with store.writing() as connection:
        row = {name: getattr(made, name) for name in _FIELDS}
        connection.execute(insert(DECISIONS), [row])
    return made


def verdicts_on(snapshot: Snapshot, item_ids: list[str]) -> Mapping[str, tuple[str, ...]]:
    """Return the scorers that hold verdicts on each of these items, sorted.

    They are what a corrected reference makes stale.
    """
    wanted = pl.Series("item_id", item_ids, dtype=pl.String)
    rows = snapshot.scan("verdicts").filter(pl.col("item_id").is_in(wanted.implode()))
    found = rows.select("item_id", "scorer_id").unique().collect()
    out: dict[str, list[str]] = {}
    for item_id, scorer_id in found.sort("item_id", "scorer_id").iter_rows():
        out.setdefault(item_id, []).append(scorer_id)
    return {item_id: tuple(names) for item_id, names in out.items()}
