"""What a log says of its own marking.  In: a log of replies.  Out: card order, contradictions.

Extraction in card order (PIXIU `src/tasks/flare.py`, `Classification.process_results`) strips and
lower-cases the reply and takes the first choice, in the order of the dataset card, that occurs in
it; where none does, the prediction is "missing" and wrong.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Literal, NamedTuple

from finassay.errors import UsageError
from finassay.runs.importers.flare import MISSING_LABEL
from finassay.runs.importers.label_logs import LabelLog, LoggedReply
from finassay.text.labels import Matcher, finder

ContradictionKind = Literal["right_and_missing", "right_with_another_label", "wrong_with_the_label"]
OrderState = Literal["identified", "partly", "not identifiable", "no order fits", "not searched"]

MOST_TOGETHER = 7
"""Most labels named together that are tried in every order (7! = 5,040 orders)."""


_REASONS: dict[OrderState, str] = {
    "identified": "one order gives every logged mark, and the first label in the text does not",
    "partly": "the logged marks settle the order of these pairs only",
    "not identifiable": "no mark depends on the order",
    "no order fits": "no order gives every logged mark: the log was marked by another rule",
    "not searched": f"more than {MOST_TOGETHER} labels are named together",
}
_TEXT_FITS = "taking the label that comes first in the text gives every logged mark as well"


@dataclass(frozen=True, slots=True, kw_only=True)
class Contradiction:
    """A row whose logged values cannot all be true."""

    row: str
    kind: ContradictionKind
    gold: str
    logged_label: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reproduction:
    """How far extraction in one card order gives the logged marks.

    Attributes:
        order: the labels in card order.
        n: rows with a logged mark.
        reproduced: rows whose mark comes out as logged.
        differing: names of the rows that come out otherwise.
        contradictory: those of `differing` whose logged values contradict themselves.
        logged_right: rows logged as right.
        right: rows that come out right.
    """

    order: tuple[str, ...]
    n: int
    reproduced: int
    differing: tuple[str, ...]
    contradictory: tuple[str, ...]
    logged_right: int
    right: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CardOrder:
    """The card order behind a log, so far as the log shows it.

    Attributes:
        state: `identified`, `partly` (some pairs of labels), `not identifiable`, `no order fits`
            (the log was marked by another rule), or `not searched` (too many labels together).
        order: the one order that gives every logged mark; None unless identified.
        pairs: (earlier, later) in every order that gives all the marks, where identified or partly.
        reason: why the state is what it is.
        n_deciding: rows whose mark depends on the order.
        best: how far the best order reproduces the log.
        worst: how far the worst one does.
        text_order_fits: whether taking the label that comes first in the text gives all the marks
            too, so that the log does not show that a card order was used.
    """

    state: OrderState
    order: tuple[str, ...] | None
    pairs: tuple[tuple[str, str], ...]
    reason: str
    n_deciding: int
    best: Reproduction | None
    worst: Reproduction | None
    text_order_fits: bool


def contradictions(log: LabelLog) -> tuple[Contradiction, ...]:
    """Return the rows of a log whose values contradict each other, in its order."""
    found = []
    for row in log.rows:
        kind = _contradiction(row)
        if kind is not None:
            found.append(
                Contradiction(row=row.row, kind=kind, gold=row.gold, logged_label=row.logged_label)
            )
    return tuple(found)


def reproduce_log(log: LabelLog, order: Sequence[str]) -> Reproduction:
    """Return how far extraction in this card order gives the marks of a log, row by row.

    Raises:
        UsageError: the log holds no marks, or no labels are given.
    """
    marked = [row for row in log.rows if row.is_right is not None]
    if not marked or not order:
        raise UsageError(
            f"{log.source}: nothing to reproduce: {len(marked)} rows hold a mark and the order is "
            f"{list(order)!r}; expected a log with a column of marks, and its labels"
        )
    lowered = [label.lower() for label in order]
    right = [_card_label(row.reply, lowered) == row.gold.lower() for row in marked]
    differing = [r.row for r, mine in zip(marked, right, strict=True) if r.is_right != mine]
    broken = {found.row for found in contradictions(log)}
    return Reproduction(
        order=tuple(order),
        n=len(marked),
        reproduced=len(marked) - len(differing),
        differing=tuple(differing),
        contradictory=tuple(row for row in differing if row in broken),
        logged_right=sum(bool(row.is_right) for row in marked),
        right=sum(right),
    )


def infer_card_order(log: LabelLog, choices: Sequence[str] = ()) -> CardOrder:
    """Return the card order that gives every logged mark, where the log shows one.

    Rows that contradict themselves are left out.  Only rows whose reply names several labels, the
    accepted one among them, tell anything; and where the rule that takes the first label in the
    text gives all the marks as well, the log does not show that a card order was used.

    Args:
        log: the log, with marks.
        choices: the labels; those that the log shows by default.

    Raises:
        UsageError: the log holds no marks, or labels that are empty or equal.
    """
    labels = tuple(choices) or log.choices()
    seen = _patterns(log, labels)
    deciding = [p for p in seen if len(p.named) > 1 and p.gold in p.named]
    together = sorted({j for pattern in deciding for j in pattern.named})
    fits = {order: _fit(order, seen) for order in _orders(together, len(labels))}
    ranked = sorted(fits, key=lambda order: -fits[order])
    fitting = [order for order in ranked if fits[order] == seen.total()]
    text_fits = all((p.first_in_text == p.gold) == p.is_right for p in seen)
    pairs = _common_pairs(fitting, together)
    state = _state(fits=len(fits), fitting=len(fitting), pairs=len(pairs), labels=len(labels))
    hidden = text_fits and state in {"identified", "partly"}
    state = "not identifiable" if hidden else state
    ends = [reproduce_log(log, [labels[j] for j in order]) for order in (*ranked[:1], *ranked[-1:])]
    return CardOrder(
        state=state,
        order=ends[0].order if state == "identified" else None,
        pairs=() if hidden else tuple((labels[a], labels[b]) for a, b in pairs),
        reason=_TEXT_FITS if hidden else _REASONS[state],
        n_deciding=sum(seen[pattern] for pattern in deciding),
        best=ends[0] if ends else None,
        worst=ends[-1] if ends else None,
        text_order_fits=text_fits,
    )


class _Pattern(NamedTuple):
    """What rows have in common: labels named, label first in the text, accepted label, mark."""

    named: tuple[int, ...]
    first_in_text: int | None
    gold: int | None
    is_right: bool


def _patterns(log: LabelLog, labels: tuple[str, ...]) -> Counter[_Pattern]:
    """Return the rows that may be used, by what they show."""
    found = finder(Matcher(), labels)
    seen = Counter[_Pattern]()
    broken = {contradiction.row for contradiction in contradictions(log)}
    for row in log.rows:
        if row.is_right is None or row.row in broken:
            continue
        spans = found.spans(row.reply)
        named = tuple(sorted({span.label for span in spans}))
        first = spans[0].label if spans else None
        seen[_Pattern(named, first, found.index_of(row.gold), row.is_right)] += 1
    if not seen:
        raise UsageError(
            f"{log.source}: no row holds a logged mark that can be used; a card order can be read "
            f"only off a log with marks (column `acc` or `correct`)"
            "; name such a log, or declare the order of the choices"
        )
    return seen


def _orders(together: Sequence[int], count: int) -> list[tuple[int, ...]]:
    """Return the orders to try: all of the labels that are named together, the rest behind."""
    if len(together) > MOST_TOGETHER:
        return []
    rest = [j for j in range(count) if j not in together]
    return [(*order, *rest) for order in permutations(together)]


def _fit(order: Sequence[int], seen: Counter[_Pattern]) -> int:
    """Return the rows whose mark this order gives."""
    rank = {label: place for place, label in enumerate(order)}
    return sum(
        count
        for pattern, count in seen.items()
        if (min(pattern.named, key=rank.__getitem__, default=None) == pattern.gold)
        == pattern.is_right
    )


def _common_pairs(
    fitting: Sequence[tuple[int, ...]], together: Sequence[int]
) -> list[tuple[int, int]]:
    """Return (earlier, later) of the labels named together that all fitting orders agree on."""
    found = []
    for a, b in combinations(together, 2):
        before = {order.index(a) < order.index(b) for order in fitting}
        if len(before) == 1:
            found.append((a, b) if before.pop() else (b, a))
    return found


def _state(*, fits: int, fitting: int, pairs: int, labels: int) -> OrderState:
    if not fits:
        return "not searched"
    if not fitting:
        return "no order fits"
    if not pairs:
        return "not identifiable"
    return "identified" if pairs == labels * (labels - 1) // 2 else "partly"


def _contradiction(row: LoggedReply) -> ContradictionKind | None:
    if row.is_right is None:
        return None
    if row.is_right and (row.is_missing or row.logged_label == MISSING_LABEL):
        return "right_and_missing"
    if row.logged_label is None:
        return None
    is_gold = row.logged_label.lower() == row.gold.lower()
    if row.is_right and not is_gold:
        return "right_with_another_label"
    return "wrong_with_the_label" if is_gold and not row.is_right else None


def _card_label(reply: str, lowered: Sequence[str]) -> str | None:
    """Return the first of the labels, in their order, that occurs in the reply."""
    text = reply.strip().lower()
    return next((label for label in lowered if label in text), None)
