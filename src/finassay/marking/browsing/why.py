"""Why a reply got its marks.  In: a reply.  Out: the steps of rules, the words of judges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import polars as pl

from finassay.marking.browsing.item import Shelves, held_item, replies_of
from finassay.marking.browsing.records import JudgeReply, Mark, Reply
from finassay.marking.explain import PredictionExplained, explain_prediction
from finassay.records import Item
from finassay.study.snapshot import Snapshot


@dataclass(frozen=True, slots=True, kw_only=True)
class Why:
    """A reply with what led to each verdict on it.

    Attributes:
        item: the item.
        reply: the reply with its verdicts.
        explained: the steps of each rule.
        judges: what each judge was asked and said, by scorer id.
    """

    item: Item
    reply: Reply
    explained: PredictionExplained
    judges: tuple[tuple[str, JudgeReply], ...]

    @property
    def steps(self) -> dict[str, tuple[tuple[str, str], ...]]:
        """(what, value) by scorer id, in the order in which the rule looked at them."""
        return {mark.scorer: mark.steps for mark in self.explained.marks}


def why_marked(shelves: Shelves, item_id: str, system: str) -> Why:
    """Return the steps and the judges' words behind the verdicts on one reply.

    Args:
        shelves: where the parts are read from.
        item_id: the item.
        system: display name of the system.

    Raises:
        UnknownNameError: there is no such item, system or reply.
    """
    item, item_digest = held_item(shelves.snapshot, item_id)
    system_id = shelves.index.system_ids[shelves.index.system_at(system)]
    trial = shelves.index.trial
    explained = explain_prediction(shelves.snapshot, item_id=item_id, system=system_id, trial=trial)
    reply = replies_of(shelves, item, item_digest, [system])[0]
    return Why(
        item=item,
        reply=reply,
        explained=explained,
        judges=_asked(shelves.judging, reply.marks),
    )


def _asked(judging: Snapshot | None, marks: Sequence[Mark]) -> tuple[tuple[str, JudgeReply], ...]:
    """Return (scorer, what its judge was asked and said) where both are held."""
    said = {mark.evidence_id: mark for mark in marks if mark.judge is not None}
    if judging is None or not said:
        return ()
    rows = (
        judging.scan("predictions")
        .filter(pl.col("prediction_id").is_in(list(said)))
        .select("prediction_id", "item_id")
        .join(judging.scan("items").select("item_id", "context", "question"), on="item_id")
        .collect()
    )
    prompts = {
        evidence: "\n\n".join(part for part in (context, question) if part)
        for evidence, context, question in rows.select(
            "prediction_id", "context", "question"
        ).iter_rows()
    }
    return tuple(
        (mark.scorer, replace(mark.judge, prompt=prompts.get(evidence or "", "")))
        for evidence, mark in said.items()
        if mark.judge is not None
    )
