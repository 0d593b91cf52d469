"""Files of pairwise judgments.  In: a file.  Out: what each judge said of each pair, in each order.

Two layouts are read.  One line a pair and judge with a list `judgments` (JudgeBench): the first saw
the answers as they are labelled, the second saw them swapped.  Or one line a decision, with the
columns of `DECISION_COLUMNS`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, get_args

from finassay.errors import BadRowsError, MappingError
from finassay.runs.importers.sources import Batch, Row, read_records

Order = Literal["left_first", "right_first"]
Winner = Literal["left", "right", "tie"]

BOTH_ORDERS: tuple[Order, ...] = get_args(Order)
"""The order in which the answers are labelled, and the swapped one."""

DECISION_COLUMNS: tuple[tuple[str, str], ...] = (
    ("pair_id", "the pair; left and right are its two answers"),
    ("judge", "who decided"),
    ("order", "left_first or right_first: which answer was shown first"),
    ("winner", "left, right or tie; or by position: first, second, A, B; empty for no decision"),
    ("label", "left or right: the better answer, where it is known (A and B mean left and right)"),
    ("source", "where the pair is from, to cut by"),
    ("reply", "the judge's reply, to derive the decision from"),
    ("score_first", "score of the answer shown first, where the judge is a reward model"),
    ("score_second", "score of the answer shown second"),
)
"""Columns of a file with one line a decision; the first four are needed."""

_NEEDED = 4
_SIDES: Mapping[str, Winner] = {"left": "left", "right": "right", "tie": "tie"}
_POSITIONS: Mapping[str, str] = {
    **dict.fromkeys(("first", "a", "a>b", "a>>b", "1"), "first"),
    **dict.fromkeys(("second", "b", "b>a", "b>>a", "2"), "second"),
    **dict.fromkeys(("a=b", "b=a", "draw", "tied", "c", "0"), "tie"),
}
_ORDERS: Mapping[str, Order] = {
    **dict.fromkeys(("left_first", "1", "ab", "original"), "left_first"),
    **dict.fromkeys(("right_first", "2", "ba", "swapped"), "right_first"),
}
_LABELS: Mapping[str, Winner] = {
    **dict.fromkeys(("left", "a", "a>b", "a>>b"), "left"),
    **dict.fromkeys(("right", "b", "b>a", "b>>a"), "right"),
}
_NO_DECISION = frozenset({"", "none", "null", "nan", "error"})
_MOST_ORDERS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class OneOrder:
    """What a judge said of a pair in one order.

    Attributes:
        order: which answer was shown first.
        winner: the stored decision, in terms of the pair and not of the position; None for none.
        reply: the judge's reply, or the end of it; None where it is not stored.
        scores: scores of the left and the right answer, of a reward model.
    """

    order: Order
    winner: Winner | None
    reply: str | None = None
    scores: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedPair:
    """What a judge said of a pair.

    Attributes:
        pair_id: the pair.
        judge: who judged.
        label: the better answer; None where it is not known.
        source: where the pair is from.
        orders: one or two orders, of which each stands once.
        where: file and line.
    """

    pair_id: str
    judge: str
    label: Winner | None
    source: str
    orders: tuple[OneOrder, ...]
    where: str = ""


def read_pairs(path: Path, *, encoding: str = "utf-8") -> tuple[JudgedPair, ...]:
    """Return what a file of pairwise judgments holds, by judge and in the order of the file.

    Raises:
        InputError: the file cannot be read.
        MappingError: it has neither of the two layouts.
        BadRowsError: a row that cannot be used, or an order that stands twice.
    """
    rows = [row for batch in read_records(path, encoding=encoding) for row in _usable(batch)]
    named = set().union(*(row.values for row in rows[:1]))
    if "judgments" in named:
        return _named(list(_of_judgments(rows)))
    missing = [name for name, _ in DECISION_COLUMNS[:_NEEDED] if name not in named]
    if missing:
        raise MappingError(
            f"{path}: expected a list `judgments` in each line, or the columns "
            f"{', '.join(name for name, _ in DECISION_COLUMNS[:_NEEDED])}; missing: "
            f"{', '.join(missing)}, found: {', '.join(sorted(named))}"
        )
    return tuple(_of_decisions(rows))


def _usable(batch: Batch) -> tuple[Row, ...]:
    if batch.bad:
        raise BadRowsError(f"{batch.bad[0]}; correct the line, or leave it out")
    return batch.rows


def _bad(row: Row, what: str, got: object, expected: str) -> BadRowsError:
    return BadRowsError(f"{row.file}:{row.line}: {what} must be {expected}, got {got!r}")


def _text(row: Row, name: str) -> str:
    value = row.values.get(name)
    return value if isinstance(value, str) else ""


def _of_judgments(rows: Iterable[Row]) -> Iterator[tuple[JudgedPair, str]]:
    """Yield pairs of the layout with lists, each with the name of the way in which it was judged.

    The second judgment saw the answers swapped, so its positions are the other way round.
    """
    for row in rows:
        listed = _judgments(row)
        orders = [
            _judgment(row, one, order) for one, order in zip(listed, BOTH_ORDERS, strict=False)
        ]
        pair = JudgedPair(
            pair_id=_text(row, "pair_id"),
            judge=_text(row, "judge_model") or _text(row, "judge") or _text(row, "judge_name"),
            label=_label(row, _text(row, "label")),
            source=_text(row, "source"),
            orders=tuple(orders),
            where=f"{row.file}:{row.line}",
        )
        if not (pair.pair_id and pair.judge):
            raise _bad(row, "`pair_id` and `judge_model`", row.values.get("pair_id"), "given")
        yield pair, _text(row, "judge_name")


def _judgments(row: Row) -> list[Mapping[str, object]]:
    text = _text(row, "judgments")
    try:
        read: object = json.loads(text or "null")
    except (ValueError, RecursionError) as error:
        raise _bad(row, "`judgments`", text[:80], "a list of objects") from error
    listed = read if isinstance(read, list) else []
    if not 1 <= len(listed) <= _MOST_ORDERS or not all(isinstance(one, dict) for one in listed):
        expected = "a list of one or two objects, the second with the answers swapped"
        raise _bad(row, "`judgments`", text[:80], expected)
    return listed


def _judgment(row: Row, one: Mapping[str, object], order: Order) -> OneOrder:
    inner = one.get("judgment")
    told = {**inner, **one} if isinstance(inner, dict) else one
    reply = next((told[key] for key in ("response", "response_tail") if told.get(key)), None)
    scores = told.get("scores")
    decision = told.get("decision")
    return OneOrder(
        order=order,
        winner=_winner(row, decision if isinstance(decision, str) else "", order),
        reply=reply if isinstance(reply, str) else None,
        scores=None if scores is None else _scores(row, scores, order),
    )


def _scores(row: Row, given: object, order: Order) -> tuple[float, float]:
    numbers = [
        float(one)
        for one in (given if isinstance(given, list) else [])
        if isinstance(one, (int, float)) and not isinstance(one, bool)
    ]
    if len(numbers) != _MOST_ORDERS or not all(math.isfinite(one) for one in numbers):
        raise _bad(row, "`scores`", given, "two numbers, of the answer shown first and the second")
    first, second = numbers
    return (first, second) if order == "left_first" else (second, first)


def _winner(row: Row, text: str, order: Order) -> Winner | None:
    """Return a decision in terms of the pair: positions are turned round where they must be."""
    plain = text.strip().strip("[]").strip().casefold()
    if plain in _NO_DECISION:
        return None
    if plain in _SIDES:
        return _SIDES[plain]
    position = _POSITIONS.get(plain)
    if position is None:
        expected = "left, right, tie, first, second, A, B, A>B, A=B, B>A or empty"
        raise _bad(row, "a decision", text, expected)
    if position == "tie":
        return "tie"
    return "left" if (position == "first") == (order == "left_first") else "right"


def _label(row: Row, text: str) -> Winner | None:
    plain = text.strip().casefold()
    if plain in _NO_DECISION:
        return None
    if plain not in _LABELS:
        raise _bad(row, "`label`", text, "left or right (A>B, B>A) or empty")
    return _LABELS[plain]


def _named(found: list[tuple[JudgedPair, str]]) -> tuple[JudgedPair, ...]:
    """Return pairs whose judge is named by its model, and by the way of judging where it has two.

    Raises:
        BadRowsError: one judge judged a pair twice.
    """
    ways: dict[str, set[str]] = {}
    for pair, way in found:
        ways.setdefault(pair.judge, set()).add(way)
    out = [
        pair if len(ways[pair.judge]) == 1 else replace(pair, judge=f"{pair.judge} ({way})")
        for pair, way in found
    ]
    seen: dict[tuple[str, str], str] = {}
    for pair in out:
        first = seen.setdefault((pair.judge, pair.pair_id), pair.where)
        if first != pair.where:
            raise BadRowsError(
                f"{pair.where}: {pair.judge!r} judges the pair {pair.pair_id!r} again, first at "
                f"{first}; keep one of the two lines"
            )
    return tuple(out)


def _of_decisions(rows: Iterable[Row]) -> Iterator[JudgedPair]:
    """Yield pairs of the layout with one line a decision, both orders of a judge together."""
    made: dict[tuple[str, str], JudgedPair] = {}
    for row in rows:
        one = _decision(row)
        key = one.judge, one.pair_id
        held = made.get(key)
        if held is None:
            made[key] = one
            continue
        if held.orders[0].order == one.orders[0].order or len(held.orders) == _MOST_ORDERS:
            raise BadRowsError(
                f"{one.where}: {one.judge!r} judges the pair {one.pair_id!r} in this order again, "
                f"first at {held.where}; keep one of the two lines"
            )
        if held.label != one.label:
            raise BadRowsError(
                f"{one.where}: the pair {one.pair_id!r} has the label {one.label!r}, and "
                f"{held.label!r} at {held.where}; a pair has one label"
            )
        made[key] = replace(held, orders=(*held.orders, *one.orders))
    yield from made.values()


def _decision(row: Row) -> JudgedPair:
    order = _ORDERS.get(_text(row, "order").strip().casefold())
    if order is None:
        raise _bad(row, "`order`", row.values.get("order"), "left_first or right_first")
    if not (_text(row, "pair_id") and _text(row, "judge")):
        raise _bad(row, "`pair_id` and `judge`", row.values.get("pair_id"), "given")
    told = [_text(row, "score_first").strip(), _text(row, "score_second").strip()]
    try:
        scores = _scores(row, [float(one) for one in told], order) if any(told) else None
    except ValueError as error:
        raise _bad(row, "`score_first` and `score_second`", told, "two numbers") from error
    return JudgedPair(
        pair_id=_text(row, "pair_id"),
        judge=_text(row, "judge"),
        label=_label(row, _text(row, "label")),
        source=_text(row, "source"),
        orders=(
            OneOrder(
                order=order,
                winner=_winner(row, _text(row, "winner"), order),
                reply=_text(row, "reply") or None,
                scores=scores,
            ),
        ),
        where=f"{row.file}:{row.line}",
    )
