"""One item with everything that was said of it.  In: snapshots, an index.  Out: a frozen record."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

import polars as pl

from finassay.errors import UnknownNameError, UsageError
from finassay.marking.browsing.highlights import marked_reply, marked_text
from finassay.marking.browsing.index import OUTCOMES, ItemIndex, build_index, kind_of
from finassay.marking.browsing.records import (
    MOST_REPLIES,
    ItemShown,
    JudgeReply,
    Mark,
    Outcome,
    Reply,
    ScorerKind,
)
from finassay.marking.browsing.shelf import VerdictShelf
from finassay.marking.consensus import CONSENSUS
from finassay.records import Item, Prediction, Status
from finassay.study.label_records import person_scorer
from finassay.study.nested import judging_study
from finassay.study.rows import items_from, predictions_from
from finassay.study.snapshot import Snapshot
from finassay.study.study import Study

_BEST_FIRST: tuple[Outcome, ...] = ("right", "wrong", "unscored", "absent")
_KINDS: tuple[ScorerKind, ...] = ("rule", "judge", "person", "regime")


@dataclass(frozen=True, slots=True, kw_only=True)
class Shelves:
    """Where the parts of an item are read from.

    Attributes:
        snapshot: the study.
        index: of it, in the trial that is shown.
        verdicts: its verdicts by item.
        judging: the study of what judges were asked; None where there is none.
    """

    snapshot: Snapshot
    index: ItemIndex
    verdicts: VerdictShelf
    judging: Snapshot | None = None


def open_shelves(
    snapshot: Snapshot, study: Study, verdicts: VerdictShelf, *, trial: int = 0
) -> Shelves:
    """Return what items of a study are read from in one trial.

    Args:
        snapshot: pinned tables of the study.
        study: the study, for what its judges were asked.
        verdicts: where copies of verdicts are kept.
        trial: which trial of every system.

    Raises:
        UnknownNameError: no system has a reply in this trial.
    """
    index = build_index(snapshot, trial=trial)
    if trial and trial not in index.trials:
        raise UnknownNameError(
            f"there is no trial {trial!r}; there are {', '.join(map(str, index.trials))}"
        )
    inner = judging_study(study)
    return Shelves(
        snapshot=snapshot,
        index=index,
        verdicts=verdicts,
        judging=None if inner is None else inner.snapshot(),
    )


def show_item(
    shelves: Shelves, item_id: str, *, rule: str = "", start: int = 0, size: int = MOST_REPLIES
) -> ItemShown:
    """Return an item with a page of the replies to it and every verdict on them.

    Args:
        shelves: where its parts are read from.
        item_id: the item.
        rule: scorer that replies are sorted by; the index' primary rule by default.
        start: replies to pass over.
        size: replies on the page, at most `MOST_REPLIES`.

    Raises:
        UnknownNameError: there is no such item or scorer.
        UsageError: the size is no number of replies that a page may hold.
    """
    if not 1 <= size <= MOST_REPLIES:
        raise UsageError(f"`size` must be from 1 to {MOST_REPLIES}, got {size!r}")
    index = shelves.index
    sorted_by = index.rule(rule)
    item, item_digest = held_item(shelves.snapshot, item_id)
    outcomes = _outcomes(index, item_id, sorted_by)
    shown = [system for system, _ in outcomes][max(0, start) :][:size]
    replies = replies_of(shelves, item, item_digest, shown)
    scorers = dict.fromkeys(mark.scorer for reply in replies for mark in reply.marks)
    return ItemShown(
        item=item,
        item_digest=item_digest,
        reference=() if item.reference is None else marked_text(item.reference),
        replies=replies,
        start=max(0, start),
        size=size,
        total=len(outcomes),
        trial=index.trial,
        trials=index.trials,
        outcomes=outcomes,
        rule=sorted_by,
        scorers=tuple(sorted(scorers, key=lambda one: (_KINDS.index(kind_of(one)), one))),
        conflicts=tuple(reply.system for reply in replies if reply.labels_conflict),
    )


def held_item(snapshot: Snapshot, item_id: str) -> tuple[Item, str]:
    """Return an item and its digest.

    Raises:
        UnknownNameError: there is no such item.
    """
    rows = snapshot.frame("items", item_id=item_id)
    if not rows.height:
        raise UnknownNameError(f"the study holds no item {item_id!r}; look for it among the items")
    return items_from(rows)[0], str(rows["item_digest"][0])


def _outcomes(index: ItemIndex, item_id: str, rule: str | None) -> tuple[tuple[str, Outcome], ...]:
    """Return (system, outcome) of every system with a reply, right ones first, then by name."""
    row = index.items.index(item_id)
    said = index.said(rule)[row].tolist()
    pairs = [
        (system, OUTCOMES[code])
        for system, code, replied in zip(index.systems, said, index.replied[row], strict=True)
        if replied
    ]
    return tuple(sorted(pairs, key=lambda pair: (_BEST_FIRST.index(pair[1]), pair[0])))


def replies_of(
    shelves: Shelves, item: Item, item_digest: str, systems: Sequence[str]
) -> tuple[Reply, ...]:
    """Return the replies of these systems to an item with every verdict on them, in order.

    Args:
        shelves: where the parts are read from.
        item: the item.
        item_digest: its digest.
        systems: display names.
    """
    index = shelves.index
    ids = {index.system_ids[index.systems.index(name)]: name for name in systems}
    rows = shelves.snapshot.frame(
        "predictions", item_id=item.item_id, system_id=list(ids), trial=index.trial
    )
    verdicts = shelves.verdicts.verdicts(shelves.snapshot, item.item_id, index.trial)
    verdicts = verdicts.filter(pl.col("system_id").is_in(list(ids)))
    said = _judges_said(shelves.judging, verdicts["evidence_id"].drop_nulls().to_list())
    digests = dict(zip(rows["system_id"], rows["text_digest"], strict=True))
    marks: dict[str, list[Mark]] = {system_id: [] for system_id in ids}
    for row in verdicts.iter_rows(named=True):
        now = (cast("str", digests.get(row["system_id"])), item_digest)
        marks[row["system_id"]].append(_mark(row, now, said))
    place = {name: at for at, name in enumerate(systems)}
    found = [
        _reply(item, prediction, prediction_id, ids[prediction.system_id], marks)
        for prediction, prediction_id in zip(
            predictions_from(rows), rows["prediction_id"], strict=True
        )
    ]
    return tuple(sorted(found, key=lambda reply: place[reply.system]))


def _reply(
    item: Item,
    prediction: Prediction,
    prediction_id: str,
    system: str,
    marks: Mapping[str, Sequence[Mark]],
) -> Reply:
    own = sorted(
        marks[prediction.system_id],
        key=lambda mark: (_KINDS.index(mark.kind), mark.scorer, mark.repeat),
    )
    return Reply(
        system=system,
        system_id=prediction.system_id,
        trial=prediction.trial,
        prediction_id=prediction_id,
        text=prediction.text,
        segments=marked_reply(item, prediction),
        reasoning=prediction.reasoning,
        finish=prediction.finish,
        flags=prediction.flags,
        tokens_out=prediction.tokens_out,
        latency_s=prediction.latency_s,
        cost_usd=prediction.cost_usd,
        marks=tuple(own),
        labels_conflict=_people_differ(own),
    )


def _people_differ(marks: Iterable[Mark]) -> bool:
    """Return whether two people give a reply different values."""
    said = {
        mark.value
        for mark in marks
        if mark.scorer.startswith(person_scorer("")) and mark.scorer != CONSENSUS
    }
    return len(said - {None}) > 1


def _mark(row: Mapping[str, object], now: tuple[str, str], said: Mapping[str, JudgeReply]) -> Mark:
    then = (row["text_digest"], row["item_digest"])
    evidence = cast("str | None", row["evidence_id"])
    scorer = cast("str", row["scorer_id"])
    return Mark(
        scorer=scorer,
        version=cast("str", row["scorer_version"]),
        kind=kind_of(scorer),
        repeat=cast("int", row["repeat"]),
        status=cast("Status", row["status"]),
        value=cast("float | None", row["value"]),
        label=cast("str | None", row["label"]),
        extracted=cast("str | None", row["extracted"]),
        flags=tuple(cast("list[str]", row["flags"] or [])),
        reason=cast("str", row["reason"] or ""),
        # What does not say what it stands on is taken at its word.
        is_stale=any(old and old != new for old, new in zip(then, now, strict=True)),
        evidence_id=evidence,
        judge=said.get(evidence or ""),
    )


def _judges_said(judging: Snapshot | None, ids: Sequence[str]) -> dict[str, JudgeReply]:
    """Return what judges replied by the id of the reply; prompts are left out."""
    if judging is None or not ids:
        return {}
    names = {spec.system_id: spec.name for spec in judging.systems()}
    rows = (
        judging.scan("predictions")
        .filter(pl.col("prediction_id").is_in(list(ids)))
        .select("prediction_id", "system_id", "text", "finish")
        .collect()
    )
    return {
        key: JudgeReply(judge=names.get(system_id, system_id), prompt="", text=text, finish=finish)
        for key, system_id, text, finish in rows.iter_rows()
    }
