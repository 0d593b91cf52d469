"""The floor of a cell and what an interval says about it.  In: references.  Out: a verdict.

The floor is what always answering one label would score.  Sampling error is another axis and
never part of these verdicts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from finassay.errors import UsageError

FloorSource = Literal["scored", "train"]
Outcome = Literal["clears", "ties", "below", "undetermined"]
Undetermined = Literal["at_least_ties", "at_most_ties", "straddles"]


@dataclass(frozen=True, slots=True, kw_only=True)
class StratumFloor:
    """The floor inside one stratum; the labels are all that share the largest count."""

    name: str
    n: int
    count: int
    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Floor:
    """What the best constant answer scores, over all items or stratum by stratum.

    Attributes:
        count: right items of the constant answer (B).
        n: items.
        value: count / n.
        labels: the labels that reach it; several when they tie, none for a stratified floor.
        source: "scored" takes the label from the scored items, "train" from training references.
        strata: the parts of a stratified floor.
        warnings: what to be careful about.
    """

    count: int
    n: int
    value: float
    labels: tuple[str, ...]
    source: FloorSource
    strata: tuple[StratumFloor, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FloorVerdict:
    """On which side of the floor an interval of counts lies.

    Attributes:
        outcome: "clears" (low above it), "below" (high under it), "ties" (all on it), or
            "undetermined".
        sub_state: for undetermined: "at_least_ties" (low on the floor), "at_most_ties" (high on
            it), "straddles" (low under and high above); else None.
        low: fewest right items.
        high: most right items.
        floor: right items of the floor.
        band: items by which a score may differ from the floor and still count as a tie.
    """

    outcome: Outcome
    sub_state: Undetermined | None
    low: int
    high: int
    floor: int
    band: int = 0

    @property
    def text(self) -> str:
        """The outcome with its sub-state."""
        return f"{self.outcome}/{self.sub_state}" if self.sub_state else self.outcome


def floor(golds: Sequence[str], *, train: Sequence[str] | None = None) -> Floor:
    """Return the majority floor of references.

    Args:
        golds: references of the scored items, spelled alike.
        train: references from which the constant label is chosen instead; of labels that tie
            there, the one that does best on the scored items counts.

    Raises:
        UsageError: there are no references.
    """
    _require_items(golds, "references")
    counts = Counter(golds)
    if train is None:
        best, labels = _most(counts)
        return Floor(
            count=best, n=len(golds), value=best / len(golds), labels=labels, source="scored"
        )
    _require_items(train, "training references")
    _, labels = _most(Counter(train))
    best = max(counts[label] for label in labels)
    kept = tuple(label for label in labels if counts[label] == best)
    return Floor(count=best, n=len(golds), value=best / len(golds), labels=kept, source="train")


def stratified_floor(golds: Sequence[str], strata: Sequence[str]) -> Floor:
    """Return the floor of the best constant answer inside every declared stratum.

    It is never under the plain floor.  A stratum of one item has a floor of 1, which is warned of.

    Raises:
        UsageError: there are no references, or not one stratum for each.
    """
    _require_items(golds, "references")
    if len(strata) != len(golds):
        raise UsageError(
            f"a stratified floor needs one stratum for each of {len(golds)} references, "
            f"got {len(strata)}"
        )
    groups: dict[str, Counter[str]] = {}
    for gold, stratum in zip(golds, strata, strict=True):
        groups.setdefault(stratum, Counter())[gold] += 1
    parts = []
    for name in sorted(groups):
        best, labels = _most(groups[name])
        parts.append(StratumFloor(name=name, n=groups[name].total(), count=best, labels=labels))
    total = sum(part.count for part in parts)
    alone = [part.name for part in parts if part.n == 1]
    warning = f"strata of one item have a floor of 1: {', '.join(alone)}"
    return Floor(
        count=total,
        n=len(golds),
        value=total / len(golds),
        labels=(),
        source="scored",
        strata=tuple(parts),
        warnings=(warning,) if alone else (),
    )


def against_floor(low: int, high: int, floor_count: int, *, band: int = 0) -> FloorVerdict:
    """Return on which side of a floor an interval lies, all as counts of right items.

    A single score is an interval with equal ends.

    Raises:
        UsageError: the ends are crossed, or the band is negative.
    """
    if low > high or band < 0:
        raise UsageError(
            f"an interval needs low <= high and a band of at least 0, got {low}, {high}, {band}"
        )
    outcome, sub_state = _outcome(low, high, floor_count - band, floor_count + band)
    return FloorVerdict(
        outcome=outcome, sub_state=sub_state, low=low, high=high, floor=floor_count, band=band
    )


def _outcome(low: int, high: int, under: int, over: int) -> tuple[Outcome, Undetermined | None]:
    if low > over:
        return "clears", None
    if high < under:
        return "below", None
    if low >= under and high <= over:
        return "ties", None
    if low >= under:
        return "undetermined", "at_least_ties"
    return "undetermined", "at_most_ties" if high <= over else "straddles"


def _most(counts: Counter[str]) -> tuple[int, tuple[str, ...]]:
    best = max(counts.values())
    return best, tuple(sorted(label for label, number in counts.items() if number == best))


def _require_items(golds: Sequence[str], what: str) -> None:
    if not golds:
        raise UsageError(f"a floor needs {what}, got none")
