"""Units that could be drawn.  In: items, replies and verdicts of a snapshot.  Out: their parts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import quantiles

import polars as pl

from finassay.errors import MissingVerdictsError
from finassay.records import RIGHT, SystemSpec
from finassay.study.adjudication.draws import FrozenVerdict, UnitKey
from finassay.study.adjudication.tasks import LabellingTask
from finassay.study.snapshot import Snapshot

DISPUTED, AGREE_RIGHT, AGREE_WRONG = "disputed", "agree: right", "agree: wrong"
PART, SILENT = "some give no verdict", "no verdict"
SUSPECT = "no system is right"
"""Items that no system answers rightly: the reference may be at fault."""

CERTAIN = frozenset({DISPUTED, SUSPECT})
"""Classes that are labelled whole where disputes are."""

TAGS = (
    *("disagreement", "family", "task", "difficulty", "language", "split"),
    *("system", "length", "truncation"),
)
"""What strata can be made of."""

_ITEM_TAGS = ("family", "task", "difficulty", "language", "split")

Row = dict[str, object]
"""A row of a frame."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PopulationUnit:
    """One unit that could be drawn.

    Attributes:
        unit_id: its code on sheets.
        key: what it is.
        digests: of the texts.
        item_digest: of the item.
        verdicts: one entry a named scorer, in their order.
        tags: tag -> class.
    """

    unit_id: str
    key: UnitKey
    digests: tuple[str, ...]
    item_digest: str
    verdicts: tuple[FrozenVerdict, ...]
    tags: Mapping[str, str]


def items_of(snapshot: Snapshot, task: LabellingTask) -> dict[str, Row]:
    """Return the items that a task can be asked of, by id, sorted: their tags and digests."""
    columns = ("item_id", *_ITEM_TAGS, "item_digest")
    rows = snapshot.scan("items")
    if task.own_menu:
        rows = rows.filter(pl.col("choices").list.len() > 0)
    if task.unit == "item":
        rows = rows.filter(pl.col("reference").is_not_null())
    frame = rows.select(columns).collect().sort("item_id")
    return {str(row["item_id"]): row for row in frame.iter_rows(named=True)}


def replies_of(
    snapshot: Snapshot, items: Mapping[str, Row], systems: Sequence[SystemSpec], trial: int
) -> list[Row]:
    """Return the replies of systems to items in one trial, sorted by item and system.

    Columns: item_id, system_id, finish, text_digest and length, in characters.
    """
    ids = [spec.system_id for spec in systems]
    frame = (
        snapshot.scan("predictions")
        .filter(pl.col("system_id").is_in(ids), pl.col("trial").eq(trial))
        .select(
            *("item_id", "system_id", "finish", "text_digest"),
            length=pl.col("text").str.len_chars(),
        )
        .collect()
        .sort("item_id", "system_id")
    )
    return [row for row in frame.iter_rows(named=True) if row["item_id"] in items]


def length_cuts(lengths: Sequence[int]) -> tuple[int, ...]:
    """Return the two lengths that cut texts into three classes of one size; none for one text."""
    if len(lengths) < 2:
        return ()
    return tuple(int(cut) for cut in quantiles(lengths, n=3, method="inclusive"))


def length_class(length: int, cuts: Sequence[int]) -> str:
    """Return short, middle or long."""
    return ("short", "middle", "long")[sum(length > cut for cut in cuts)]


def tags_of(item: Row, verdicts: Sequence[FrozenVerdict]) -> dict[str, str]:
    """Return the tags that an item gives its units, and the class of the verdicts."""
    tags = {name: str(item[name] or "") for name in _ITEM_TAGS}
    return tags | {"disagreement": disagreement([verdict.value for verdict in verdicts])}


def disagreement(values: Sequence[float | None]) -> str:
    """Return what the named scorers make of a unit together: one class of five.

    Right is a value of one half or more.
    """
    sides = {value >= RIGHT for value in values if value is not None}
    if len(sides) == 2:
        return DISPUTED
    if not sides:
        return SILENT
    if None in values:
        return PART
    return AGREE_RIGHT if sides == {True} else AGREE_WRONG


def require_known(
    snapshot: Snapshot, scorers: Sequence[str], rows: pl.DataFrame, table: str
) -> None:
    """Check that every scorer has rows.

    Raises:
        MissingVerdictsError: one has none in this table.
    """
    known = set(rows["scorer_id"].unique().to_list())
    for name in scorers:
        if name not in known:
            held = snapshot.scan(table).select("scorer_id").unique().collect()["scorer_id"].sort()
            raise MissingVerdictsError(
                f"the study at {snapshot.root} holds no {table} of {name!r}; there are: "
                f"{', '.join(held) or 'none'}"
            )
