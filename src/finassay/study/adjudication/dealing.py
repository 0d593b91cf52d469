"""Who labels what, and in which order.  In: a draw and people.  Out: a queue for each.

Order and shares follow from the seed, so that the same call deals the same hands.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence

from finassay.errors import UsageError
from finassay.records import content_digest
from finassay.study.adjudication.draws import Draw
from finassay.study.adjudication.ledger import Role

MOST_PEOPLE = 1000


def deal(
    draw: Draw,
    annotators: Sequence[str],
    *,
    overlap: float = 1.0,
    assigned: Mapping[tuple[str, Role], Iterable[str]] | None = None,
) -> dict[str, tuple[str, ...]]:
    """Return the units that each person is to label, in an order of their own.

    A share of the units goes to everybody; of the rest, what nobody has yet is dealt out evenly.

    Args:
        draw: the draw.
        annotators: names, all different.
        overlap: share of the units that everybody labels, in [0, 1].
        assigned: what people have already.

    Raises:
        UsageError: no names, a name twice or empty, or a share outside [0, 1].
    """
    require_annotators(annotators)
    require_opening(1, overlap)
    ranked = sorted(draw.by_unit, key=lambda unit: _hash(draw, "overlap", unit))
    shared = ranked[: math.ceil(overlap * len(ranked))]
    held = {
        unit for (_, role), theirs in (assigned or {}).items() if role == "label" for unit in theirs
    }
    hands: dict[str, list[str]] = {name: list(shared) for name in annotators}
    free = [unit for unit in ranked[len(shared) :] if unit not in held]
    for at, unit in enumerate(free):
        hands[annotators[at % len(annotators)]].append(unit)
    return {name: in_order(draw, name, units) for name, units in hands.items()}


def seat_hand(
    draw: Draw,
    annotator: str,
    *,
    seat: int,
    people: int,
    overlap: float = 1.0,
    held: Collection[str] = (),
) -> tuple[str, ...]:
    """Return the units of somebody who joins a draw by themselves, in an order of their own.

    The first `people` who join have the hands that `deal` gives to as many at once.  Whoever comes
    later gets the shared units, and the rest that nobody has.

    Args:
        draw: the draw.
        annotator: who joins.
        seat: how many joined before.
        people: for how many the draw was opened.
        overlap: share of the units that everybody labels, in [0, 1].
        held: units that somebody has.

    Raises:
        UsageError: no people, or a share outside [0, 1].
    """
    require_opening(people, overlap)
    ranked = sorted(draw.by_unit, key=lambda unit: _hash(draw, "overlap", unit))
    n_shared = math.ceil(overlap * len(ranked))
    rest = ranked[n_shared:]
    own = rest[seat::people] if seat < people else rest
    free = [unit for unit in own if unit not in held]
    return in_order(draw, annotator, (*ranked[:n_shared], *free))


def require_opening(people: int, overlap: float) -> None:
    """Check for how many people a draw is opened, and with what share for all.

    Raises:
        UsageError: fewer than one person or more than 1,000, or a share outside [0, 1].
    """
    if not 1 <= people <= MOST_PEOPLE:
        raise UsageError(f"a draw is for 1 to {MOST_PEOPLE} people, got {people!r}")
    if not 0.0 <= overlap <= 1.0:
        raise UsageError(f"`overlap` must be in [0, 1], got {overlap!r}; for a half pass 0.5")


def in_order(draw: Draw, annotator: str, units: Iterable[str]) -> tuple[str, ...]:
    """Return units shuffled for one person, by the seed."""
    return tuple(sorted(units, key=lambda unit: _hash(draw, f"order {annotator}", unit)))


def require_annotators(annotators: Sequence[str]) -> None:
    """Check that people have names that can be told apart.

    Raises:
        UsageError: there are none, one stands twice, or one cannot be a name.
    """
    if not annotators:
        raise UsageError("somebody must label, got no annotator; name at least one")
    for name in annotators:
        is_told = name.isprintable() and not any(mark in "/[]" for mark in name)
        if not name.strip() or name != name.strip() or not is_told:
            raise UsageError(
                f"an annotator's name must be printable, without slashes or brackets and without "
                f"spaces at its ends, got {name!r}; choose another"
            )
    if len(set(annotators)) != len(annotators):
        raise UsageError(f"annotators must have different names, got {tuple(annotators)!r}")


def _hash(draw: Draw, what: str, unit: str) -> str:
    return content_digest(what, str(draw.seed), draw.name, unit)
