"""Which items a reader asked for.  In: an index and a query.  Out: pages of items, and places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
import polars as pl
from numpy.typing import NDArray

from finassay.errors import UnknownNameError, UsageError
from finassay.marking.browsing.index import (
    IS_RIGHT,
    OUTCOMES,
    UNSCORED,
    WRONG,
    Codes,
    ItemIndex,
    difficulty_key,
)
from finassay.marking.browsing.records import (
    MOST_ROWS,
    ItemList,
    ItemQuery,
    ItemRow,
    Place,
    Side,
)
from finassay.study.snapshot import Snapshot

Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Tally:
    """Counts of each item.

    Attributes:
        k: (I,) systems that are right under the rule.
        n: (I,) systems with a value under the rule.
        n_unscored: (I,) systems with a verdict that has none.
        flips: (I,) systems on whose reply rules differ.
        differing: (I,) pairs of rules that differ, over all systems.
        pairs: (I,) pairs of rules with two values, over all systems.
    """

    k: Ints
    n: Ints
    n_unscored: Ints
    flips: Ints
    differing: Ints
    pairs: Ints


def tally(index: ItemIndex, rule: str | None) -> Tally:
    """Return the counts of all items under a rule; flips are between all of `index.rules`."""
    own = index.said(rule)
    right, seen = _calls(index, index.rules)
    return Tally(
        k=(own == IS_RIGHT).sum(axis=1),
        n=(own >= WRONG).sum(axis=1),
        n_unscored=(own == UNSCORED).sum(axis=1),
        flips=((right > 0) & (right < seen)).sum(axis=1),
        differing=(right * (seen - right)).sum(axis=1),
        pairs=(seen * (seen - 1) // 2).sum(axis=1),
    )


def _calls(index: ItemIndex, rules: Sequence[str]) -> tuple[Ints, Ints]:
    """Return (I, S) rules that call a reply right, and rules with a value on it."""
    right = np.zeros(index.codes.shape[1:], dtype=np.int64)
    seen = np.zeros(right.shape, dtype=np.int64)
    for rule in rules:
        codes = index.said(rule)
        right += codes == IS_RIGHT
        seen += codes >= WRONG
    return right, seen


def matching(snapshot: Snapshot, index: ItemIndex, query: ItemQuery) -> tuple[str, ...]:
    """Return the ids of the items that were asked for, in the order that was asked for.

    Raises:
        UnknownNameError: there is no such scorer or system.
    """
    return tuple(index.items[at] for at in _positions(snapshot, index, query).tolist())


def list_items(
    snapshot: Snapshot, index: ItemIndex, query: ItemQuery, *, start: int = 0, size: int = 50
) -> ItemList:
    """Return a page of the items that were asked for; texts of this page alone are read.

    Args:
        snapshot: the tables that the index was made of.
        index: of the study.
        query: which items, in which order.
        start: items to pass over.
        size: items on the page, at most `MOST_ROWS`.

    Raises:
        UnknownNameError: there is no such scorer or system.
        UsageError: the size is no number of items that a page may hold.
    """
    found = _positions(snapshot, index, query)
    return _page(snapshot, index, query, found, start=start, size=size)


def list_these(
    snapshot: Snapshot,
    index: ItemIndex,
    ids: Sequence[str],
    *,
    rule: str = "",
    start: int = 0,
    size: int = 50,
) -> ItemList:
    """Return a page of named items, in the order given; names of no item are passed over.

    Args:
        snapshot: the tables that the index was made of.
        index: of the study.
        ids: the items.
        rule: scorer that says who is right; the index' primary rule by default.
        start: items to pass over.
        size: items on the page, at most `MOST_ROWS`.

    Raises:
        UnknownNameError: there is no such scorer.
        UsageError: the size is no number of items that a page may hold.
    """
    places = {item_id: at for at, item_id in enumerate(index.items)}
    found = np.array([places[one] for one in ids if one in places], dtype=np.int64)
    return _page(snapshot, index, ItemQuery(rule=rule), found, start=start, size=size)


def _page(
    snapshot: Snapshot, index: ItemIndex, query: ItemQuery, found: Ints, *, start: int, size: int
) -> ItemList:
    if not 1 <= size <= MOST_ROWS:
        raise UsageError(f"`size` must be from 1 to {MOST_ROWS}, got {size!r}")
    rule = index.rule(query.rule)
    shown = found[max(0, start) :][:size].tolist()
    counts = tally(index, rule)
    texts = _texts(snapshot, [index.items[at] for at in shown])
    return ItemList(
        rows=tuple(_row(index, counts, at, texts) for at in shown),
        start=max(0, start),
        size=size,
        total=len(found),
        n_items=len(index.items),
        rule=rule,
        rules=index.rules,
        query=query,
    )


def draw_item(
    snapshot: Snapshot, index: ItemIndex, query: ItemQuery, *, seed: int | None = None
) -> str:
    """Return the id of one of the items that were asked for, drawn at random.

    Args:
        snapshot: the tables that the index was made of.
        index: of the study.
        query: among which items.
        seed: the same seed draws the same item of the same items; None draws another every time.

    Raises:
        UnknownNameError: there is no such item.
    """
    ids = matching(snapshot, index, query)
    if not ids:
        raise UnknownNameError(
            f"none of {len(index.items)} items is as asked for; leave a filter out"
        )
    return ids[np.random.default_rng(seed).integers(len(ids))]


def place_of(ids: Sequence[str], item_id: str) -> Place:
    """Return where an item stands among items in order, with its neighbours."""
    if item_id not in ids:
        return Place(number=None, total=len(ids), previous=None, following=None)
    at = ids.index(item_id)
    return Place(
        number=at + 1,
        total=len(ids),
        previous=ids[at - 1] if at else None,
        following=ids[at + 1] if at + 1 < len(ids) else None,
    )


def _row(
    index: ItemIndex, counts: Tally, at: int, texts: dict[str, tuple[str, str | None]]
) -> ItemRow:
    item_id = index.items[at]
    question, reference = texts.get(item_id, ("", None))
    pairs = int(counts.pairs[at])
    return ItemRow(
        item_id=item_id,
        benchmark=index.benchmarks[at],
        family=index.families[at],
        task=index.tasks[at],
        difficulty=index.difficulties[at],
        question=question,
        reference=reference,
        k=int(counts.k[at]),
        n=int(counts.n[at]),
        n_unscored=int(counts.n_unscored[at]),
        flips=int(counts.flips[at]),
        disagreement=int(counts.differing[at]) / pairs if pairs else None,
    )


def _texts(snapshot: Snapshot, ids: Sequence[str]) -> dict[str, tuple[str, str | None]]:
    rows = (
        snapshot.scan("items")
        .filter(pl.col("item_id").is_in(list(ids)))
        .select("item_id", "question", "reference")
        .collect()
    )
    return {item_id: (question or "", reference) for item_id, question, reference in rows.rows()}


def _positions(snapshot: Snapshot, index: ItemIndex, query: ItemQuery) -> Ints:
    keep = _in_columns(index, query) & _under_rules(index, query)
    if query.text.strip() and keep.any():
        told = _holding(snapshot, query.text.strip(), query.where, index.trial)
        keep &= np.fromiter((one in told for one in index.items), np.bool_, len(index.items))
    return _ordered(index, query, np.flatnonzero(keep))


def _in_columns(index: ItemIndex, query: ItemQuery) -> Bools:
    keep = np.ones(len(index.items), dtype=np.bool_)
    asked = (
        (index.benchmarks, query.benchmark),
        (index.families, query.family),
        (index.tasks, query.task),
        (index.difficulties, query.difficulty),
    )
    for column, wanted in asked:
        if wanted:
            keep &= np.fromiter((value == wanted for value in column), np.bool_, len(column))
    return keep


def _under_rules(index: ItemIndex, query: ItemQuery) -> Bools:
    codes = index.said(index.rule(query.rule))
    keep = np.ones(len(index.items), dtype=np.bool_)
    k = (codes == IS_RIGHT).sum(axis=1)
    if query.k_least is not None:
        keep &= k >= query.k_least
    if query.k_most is not None:
        keep &= k <= query.k_most
    if query.system:
        own = codes[:, index.system_at(query.system)]
        if query.outcome is not None:
            keep &= own == OUTCOMES.index(query.outcome)
    if query.against:
        keep &= _differ(codes, index.said(index.rule(query.against))).any(axis=1)
    if query.is_disputed:
        right, seen = _calls(index, index.rules)
        keep &= ((right > 0) & (right < seen)).any(axis=1)
    return keep


def _differ(left: Codes, right: Codes) -> Bools:
    """Return (I, S) where both have a value and one is right and the other wrong."""
    return np.asarray((left >= WRONG) & (right >= WRONG) & (left != right), dtype=np.bool_)


def _holding(snapshot: Snapshot, text: str, where: Side, trial: int) -> frozenset[str]:
    """Return the ids of the items whose texts, or whose replies, hold the words."""
    wanted = f"(?i){pl.escape_regex(text)}"
    if where == "replies":
        rows = snapshot.scan("predictions").filter(pl.col("trial").eq(trial))
        rows = rows.filter(pl.col("text").str.contains(wanted))
    else:
        every = pl.col("contexts").list.join("\n")
        texts = [
            pl.col("question"),
            pl.col("context"),
            every,
            pl.col("reference"),
            pl.col("item_id"),
        ]
        holds = [one.fill_null("").str.contains(wanted) for one in texts]
        rows = snapshot.scan("items").filter(pl.any_horizontal(holds))
    found = rows.select(pl.col("item_id").unique()).collect()["item_id"]
    return frozenset(cast("list[str]", found.to_list()))


def _ordered(index: ItemIndex, query: ItemQuery, found: Ints) -> Ints:
    """Return the positions in the order asked for.

    Ties stand by id, and items without a key last, whichever way round.
    """
    keys = _keys(index, query)
    if keys is None:
        return found[::-1] if query.is_reversed else found
    own = -keys[found] if query.is_reversed else keys[found]
    return found[np.lexsort((own, np.isnan(own)))]


def _keys(index: ItemIndex, query: ItemQuery) -> Floats | None:
    """Return (I,) what items are sorted by, smallest first, NaN for none; None for their ids."""
    if query.order == "id":
        return None
    if query.order == "family":
        return _ranked(index.families, sorted(set(index.families)))
    if query.order == "difficulty":
        return _ranked(index.difficulties, sorted(set(index.difficulties), key=difficulty_key))
    counts = tally(index, index.rule(query.rule))
    if query.order == "flips":
        return -counts.flips.astype(np.float64)
    top, bottom = (counts.k, counts.n) if query.order == "k" else (-counts.differing, counts.pairs)
    share = np.full(len(index.items), np.nan)
    np.divide(top, bottom, out=share, where=bottom > 0)
    return share


def _ranked(names: Sequence[str], order: Sequence[str]) -> Floats:
    places = {name: at for at, name in enumerate(order)}
    return np.array([places[name] if name else np.nan for name in names], dtype=np.float64)
