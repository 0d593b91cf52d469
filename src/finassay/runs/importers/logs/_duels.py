"""Comparisons of logs on their way into the study.  In: duels.  Out: rows of `comparisons`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import polars as pl

from finassay.runs.importers._redacted import keep_redacted
from finassay.runs.importers.logs.base import Duel
from finassay.runs.importers.options import IMPORTED_VERSION
from finassay.study import TABLES, Commit, Study

_SCHEMA = TABLES["comparisons"]
_ANSWER = ("item_id", "system_id", "trial")


class Side(NamedTuple):
    """The system that gave one of the two answers, and what is added to its trials."""

    system_id: str
    offset: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedDuel:
    """A comparison whose item and systems the study knows."""

    duel: Duel
    item_id: str
    item_digest: str
    left: Side
    right: Side

    def row(self) -> dict[str, object]:
        """Return the row, but for the digests of the two answers."""
        duel = self.duel
        return {
            "item_id": self.item_id,
            "left_system_id": self.left.system_id,
            "left_trial": duel.left_trial + self.left.offset,
            "right_system_id": self.right.system_id,
            "right_trial": duel.right_trial + self.right.offset,
            "scorer_id": duel.scorer_id,
            "scorer_version": IMPORTED_VERSION,
            "order": duel.order,
            "repeat": duel.repeat,
            "winner": duel.winner,
            "status": duel.status,
            "flags": [],
            "reason": duel.reason,
            "evidence_id": None,
            "item_digest": self.item_digest,
        }


class DuelReport(NamedTuple):
    """What came of the comparisons: commits by scorer, and what people should know."""

    commits: tuple[Commit, ...]
    notes: tuple[str, ...]


def commit_duels(
    study: Study, placed: Iterable[PlacedDuel], *, unplaced: Mapping[str, int], redacted: bool
) -> DuelReport:
    """Commit comparisons, scorer by scorer; those on other pairs of systems stay.

    Args:
        study: it must hold the answers by now.
        placed: comparisons whose item and systems are known.
        unplaced: scorer -> comparisons whose item or systems are not.
        redacted: whether rows that were redacted are replaced.
    """
    by_scorer: dict[str, list[dict[str, object]]] = {name: [] for name in unplaced}
    for one in placed:
        by_scorer.setdefault(one.duel.scorer_id, []).append(one.row())
    commits, notes = [], []
    for scorer_id, rows in by_scorer.items():
        made, dropped = _with_digests(study, rows)
        lost = dropped + unplaced.get(scorer_id, 0)
        distinct = made.unique(list(_SCHEMA.key), keep="first", maintain_order=True)
        again = made.unique(maintain_order=True).height - distinct.height
        notes.append(f"{scorer_id}: {distinct.height} comparisons")
        if lost:
            notes.append(f"  {lost} not imported: one of the two answers is not in the study")
        if again:
            notes.append(f"  {again} not imported: another comparison of the same pair differs")
        if distinct.height:
            commits.append(_commit(study, distinct, scorer_id, redacted=redacted))
    return DuelReport(tuple(commits), tuple(notes))


def _with_digests(study: Study, rows: list[dict[str, object]]) -> tuple[pl.DataFrame, int]:
    """Return the rows with the digests of both answers, and how many lack one of them."""
    names = [*_SCHEMA.columns]
    schema = {name: _SCHEMA.columns[name] for name in names if "text_digest" not in name}
    frame = pl.DataFrame(rows, schema=schema, orient="row")
    systems = {str(row[f"{side}_system_id"]) for row in rows for side in ("left", "right")}
    answers = study.snapshot().frame("predictions", system_id=sorted(systems))
    texts = answers.select(*_ANSWER, "text_digest")
    for side in ("left", "right"):
        frame = frame.join(
            texts.rename({"text_digest": f"{side}_text_digest"}),
            left_on=["item_id", f"{side}_system_id", f"{side}_trial"],
            right_on=list(_ANSWER),
            how="inner",
            maintain_order="left",
        )
    return frame.select(names), len(rows) - frame.height


def _commit(study: Study, data: pl.DataFrame, scorer_id: str, *, redacted: bool) -> Commit:
    partition = {"scorer_id": scorer_id, "scorer_version": IMPORTED_VERSION}
    snapshot = study.snapshot()
    held = snapshot.frame("comparisons", **partition)
    pair = ["left_system_id", "right_system_id"]
    others = held.join(data.select(pair).unique(), on=pair, how="anti")
    rows: pl.DataFrame | pl.LazyFrame = pl.concat([data, others.select(data.columns)])
    if not redacted:
        rows = keep_redacted(snapshot, "comparisons", rows, partition).data
    return study.commit("comparisons", rows, partition=partition)
