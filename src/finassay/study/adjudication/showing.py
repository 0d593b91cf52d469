"""What people see of a unit.  In: a draw and the study's texts.  Out: titled texts and the menu.

Systems, judges and verdicts are never shown.  Of a pair, which answer stands as A is a matter of
the seed, the person and the unit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from finassay.records import Item, content_digest
from finassay.study.adjudication.draws import Draw, DrawUnit
from finassay.study.adjudication.tasks import LabellingTask, Option, task_named
from finassay.study.rows import items_from
from finassay.study.snapshot import Snapshot

_Prediction = tuple[str, str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """One unit as a person sees it.

    Attributes:
        unit_id: its code.
        texts: (title, text), in the order of the columns.
        menu: what can be answered.
        swapped: whether answer A is the right one of the pair.
        is_stale: whether a text differs from that when the draw was made.
    """

    unit_id: str
    texts: tuple[tuple[str, str], ...]
    menu: tuple[Option, ...]
    swapped: bool = False
    is_stale: bool = False


class Showing:
    """The units of a draw as people see them, read from one snapshot.

    Args:
        snapshot: of the study that holds the draw.
        draw: the draw.
    """

    def __init__(self, snapshot: Snapshot, draw: Draw) -> None:
        self.draw = draw
        self.task: LabellingTask = task_named(draw.task)
        self._items, self._digests = items_of(snapshot, {unit.key.item_id for unit in draw.units})
        self._texts = _texts(snapshot, draw.units) if self.task.unit != "item" else {}
        self._stale = frozenset(unit.unit_id for unit in draw.units if self._has_changed(unit))

    def item(self, unit: DrawUnit) -> Item | None:
        """Return the item of a unit; None where the study does not hold it any more."""
        return self._items.get(unit.key.item_id)

    @property
    def stale(self) -> frozenset[str]:
        """Units of which a text or the item differs from that when the draw was made."""
        return self._stale

    def is_stale(self, unit_id: str) -> bool:
        """Return whether a text of a unit, or its item, is not what was drawn."""
        return unit_id in self._stale

    def _has_changed(self, unit: DrawUnit) -> bool:
        digests = tuple(digest for _, digest in self._answers(unit))
        return digests != unit.digests or self._digests.get(unit.key.item_id) != unit.item_digest

    def shown(self, unit: DrawUnit, annotator: str) -> Shown:
        """Return a unit as this person sees it; what the study lost is an empty text."""
        item = self._items.get(unit.key.item_id, Item(item_id=unit.key.item_id))
        swapped = self.task.unit == "pair" and is_swapped(self.draw, unit.unit_id, annotator)
        answers = [text for text, _ in self._answers(unit)]
        return Shown(
            unit_id=unit.unit_id,
            texts=(
                *_question(item),
                *self._references(item),
                *_answers(self.task, item, answers, swapped=swapped),
            ),
            menu=self.task.menu(item.choices, item.reference),
            swapped=swapped,
            is_stale=self.is_stale(unit.unit_id),
        )

    def _references(self, item: Item) -> Iterator[tuple[str, str]]:
        if self.draw.protocol == "shown" or self.task.unit == "item":
            also = "".join(f"\nalso accepted: {text}" for text in item.alternatives)
            yield "reference", (item.reference or "") + also

    def _answers(self, unit: DrawUnit) -> list[tuple[str, str]]:
        key = unit.key
        wanted = [(key.item_id, key.system_id, key.trial)] if key.system_id else []
        if key.other_system_id:
            wanted.append((key.item_id, key.other_system_id, key.other_trial))
        return [self._texts.get(one, ("", "")) for one in wanted]


def is_swapped(draw: Draw, unit_id: str, annotator: str) -> bool:
    """Return whether answer A of a pair is the right one for this person."""
    hashed = content_digest("side", str(draw.seed), draw.name, annotator, unit_id)
    return int(hashed[:8], 16) % 2 == 1


def _question(item: Item) -> Iterator[tuple[str, str]]:
    context = "\n\n".join(text for text in (item.context, *item.contexts) if text)
    yield "context", context
    yield "question", item.question


def _answers(
    task: LabellingTask, item: Item, answers: Sequence[str], *, swapped: bool
) -> Iterator[tuple[str, str]]:
    if task.own_menu:
        yield "labels", "\n".join(item.choices)
    if task.unit == "prediction":
        yield "answer", answers[0]
    elif task.unit == "pair":
        first, second = reversed(answers) if swapped else answers
        yield "answer A", first
        yield "answer B", second


def items_of(
    snapshot: Snapshot, wanted: Iterable[str]
) -> tuple[Mapping[str, Item], Mapping[str, str]]:
    """Return items and their digests by id, as stored: those of redacted items no longer follow."""
    ids = pl.Series("item_id", sorted(wanted), dtype=pl.String)
    frame = snapshot.scan("items").filter(pl.col("item_id").is_in(ids.implode())).collect()
    digests = dict(frame.select("item_id", "item_digest").iter_rows())
    return {item.item_id: item for item in items_from(frame)}, digests


def _texts(snapshot: Snapshot, units: Iterable[DrawUnit]) -> dict[_Prediction, tuple[str, str]]:
    keys = {(u.key.item_id, u.key.system_id, u.key.trial) for u in units}
    keys |= {
        (u.key.item_id, u.key.other_system_id, u.key.other_trial)
        for u in units
        if u.key.other_system_id
    }
    names = ["item_id", "system_id", "trial"]
    wanted = pl.LazyFrame(
        sorted(keys),
        schema={"item_id": pl.String, "system_id": pl.String, "trial": pl.Int64},
        orient="row",
    )
    rows = snapshot.scan("predictions").join(wanted, on=names, how="semi")
    found = rows.select(*names, "text", "text_digest").collect()
    return {
        (item, system, trial): (text, digest) for item, system, trial, text, digest in found.rows()
    }
