"""What is exported.  In: a snapshot.  Out: the answers of one system at a time, with verdicts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import polars as pl

from finassay.errors import MissingVerdictsError
from finassay.marking.columns import verdicts_of
from finassay.marking.table import newest_versions
from finassay.records import Item, Prediction, SystemSpec, Verdict
from finassay.scorers.registry import is_imported
from finassay.study import Snapshot
from finassay.study.rows import predictions_from


class Marked(NamedTuple):
    """The newest verdict of one scorer on an answer, and the scorer's version."""

    verdict: Verdict
    version: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One prediction with what is known of it.

    Attributes:
        item: the item; one that has nothing but an id where the study does not hold it.
        prediction: the reply.
        marks: verdict by scorer id, for the scorers that were asked for.
    """

    item: Item
    prediction: Prediction
    marks: Mapping[str, Marked]


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemAnswers:
    """All answers of one system, sorted by item and trial."""

    system: SystemSpec
    answers: tuple[Answer, ...]


def chosen_systems(snapshot: Snapshot, names: Sequence[str] | None) -> list[SystemSpec]:
    """Return the systems of these names, or all of them, sorted by display name.

    Raises:
        UnknownNameError: the study has no such system.
    """
    systems = snapshot.systems()
    if names is None:
        return systems
    ids = {snapshot.resolve_system(name) for name in names}
    return [spec for spec in systems if spec.system_id in ids]


def held_scorers(snapshot: Snapshot) -> tuple[str, ...]:
    """Return the ids of all scorers that the study holds verdicts of, sorted."""
    held = snapshot.scan("verdicts").select(pl.col("scorer_id").unique()).collect()
    return tuple(sorted(held.to_series().to_list()))


def chosen_scorers(snapshot: Snapshot, ids: Sequence[str] | None) -> tuple[str, ...]:
    """Return the scorers of these ids, or all that the study holds verdicts of.

    Raises:
        MissingVerdictsError: the study holds no verdicts of one of them.
    """
    held = held_scorers(snapshot)
    if ids is None:
        return held
    for scorer_id in ids:
        if scorer_id not in held:
            raise MissingVerdictsError(
                f"the study at {snapshot.root} holds no verdicts of {scorer_id!r}; there are: "
                f"{', '.join(held) or 'none'}; run `finassay score` first"
            )
    return tuple(dict.fromkeys(ids))


def answers_by_system(
    snapshot: Snapshot, systems: Sequence[SystemSpec], scorers: Sequence[str]
) -> Iterator[SystemAnswers]:
    """Yield the answers of one system after the other, so that one alone is in memory.

    Raises:
        MissingVerdictsError: verdicts stand on another text than the study holds now.
    """
    items = {item.item_id: item for item in snapshot.items()}
    for spec in systems:
        replies = predictions_from(snapshot.frame("predictions", system_id=spec.system_id))
        marks = _marks(snapshot, spec, scorers, replies)
        yield SystemAnswers(
            system=spec,
            answers=tuple(
                Answer(
                    item=items.get(reply.item_id, Item(item_id=reply.item_id)),
                    prediction=reply,
                    marks=marks.get((reply.item_id, reply.trial), {}),
                )
                for reply in replies
            ),
        )


def _marks(
    snapshot: Snapshot, spec: SystemSpec, scorers: Sequence[str], replies: Sequence[Prediction]
) -> dict[tuple[str, int], dict[str, Marked]]:
    if not scorers:
        return {}
    texts = {(reply.item_id, reply.trial): reply.text_digest for reply in replies}
    held = snapshot.frame("verdicts", system_id=spec.system_id, scorer_id=list(scorers))
    newest = newest_versions(held.filter(pl.col("repeat").eq(0)))
    marks: dict[tuple[str, int], dict[str, Marked]] = {}
    columns = ("item_id", "trial", "scorer_id", "scorer_version", "text_digest")
    rows = newest.select(columns).iter_rows()
    for row, verdict in zip(rows, verdicts_of(newest), strict=True):
        item_id, trial, scorer_id, version, digest = row
        key = item_id, trial
        if not is_imported(scorer_id) and digest not in (None, texts.get(key)):
            raise MissingVerdictsError(
                f"the verdict of {scorer_id!r} on {item_id!r} of {spec.name!r} stands on an older "
                f"text; run `finassay score {snapshot.root} --scorer {scorer_id!r}` first"
            )
        marks.setdefault(key, {})[scorer_id] = Marked(verdict, version)
    return marks
