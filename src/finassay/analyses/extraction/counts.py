"""What candidate sets add up to.  In: references and candidate sets.  Out: five whole numbers.

Source: Cao, Gang and Veluri, audit of FLARE (coverage, ambiguity M, contested M*), with the items
that no rule can win split into forced-wrong, dead and uncovered, so that all five add up to n.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from finassay.analyses.extraction.candidates import CandidateTable


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """A count over a number of items; `value` is their quotient, in [0, 1]."""

    count: int
    n: int
    value: float

    @property
    def fraction(self) -> Fraction:
        """The exact quotient."""
        return Fraction(self.count, self.n)


def share(count: int, n: int) -> Share:
    """Return a count as a share of n.

    Raises:
        ValueError: n is 0.
    """
    if n < 1:
        raise ValueError(f"a share needs at least one item, got {count} of {n}")
    return Share(count=count, n=n, value=count / n)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractionCounts:
    """The five kinds of items under one matcher; they add up to n.

    Attributes:
        n: items.
        forced_correct: the reference is the only label that occurs (F).
        forced_wrong: another label is the only one that occurs (W).
        contested: several labels occur, the reference among them (A*).
        dead: several labels occur, the reference not among them (D).
        uncovered: no label occurs (U).

    Raises:
        ValueError: the five do not add up to n, or one is negative.
    """

    n: int
    forced_correct: int
    forced_wrong: int
    contested: int
    dead: int
    uncovered: int

    def __post_init__(self) -> None:
        kinds = (
            self.forced_correct,
            self.forced_wrong,
            self.contested,
            self.dead,
            self.uncovered,
        )
        if min(kinds) < 0 or sum(kinds) != self.n:
            raise ValueError(f"F + W + A* + D + U must be n = {self.n}, got {kinds}")

    def __add__(self, other: ExtractionCounts) -> ExtractionCounts:
        return ExtractionCounts(
            n=self.n + other.n,
            forced_correct=self.forced_correct + other.forced_correct,
            forced_wrong=self.forced_wrong + other.forced_wrong,
            contested=self.contested + other.contested,
            dead=self.dead + other.dead,
            uncovered=self.uncovered + other.uncovered,
        )

    @property
    def covered(self) -> int:
        """Items in which some label occurs (K)."""
        return self.n - self.uncovered

    @property
    def ambiguous(self) -> int:
        """Items in which several labels occur (A)."""
        return self.contested + self.dead

    @property
    def coverage(self) -> Share:
        """K / n."""
        return share(self.covered, self.n)

    @property
    def ambiguity(self) -> Share:
        """M = A / n: the most by which two selecting rules can differ in accuracy."""
        return share(self.ambiguous, self.n)

    @property
    def contested_rate(self) -> Share:
        """M* = A* / n: the width of the reachable interval."""
        return share(self.contested, self.n)


def tally(golds: Iterable[int], sets: Iterable[Sequence[int]]) -> ExtractionCounts:
    """Return the counts of references and candidate sets, both as places among the labels.

    Counts of parts of a cell add up (`+`), so a stream can be counted piece by piece.

    Raises:
        ValueError: one of the two is longer.
    """
    seen = {"F": 0, "W": 0, "A*": 0, "D": 0, "U": 0}
    for gold, present in zip(golds, sets, strict=True):
        seen[_kind(gold, present)] += 1
    return ExtractionCounts(
        n=sum(seen.values()),
        forced_correct=seen["F"],
        forced_wrong=seen["W"],
        contested=seen["A*"],
        dead=seen["D"],
        uncovered=seen["U"],
    )


def _kind(gold: int, present: Sequence[int]) -> str:
    if not present:
        return "U"
    if len(present) == 1:
        return "F" if gold in present else "W"
    return "A*" if gold in present else "D"


def count(table: CandidateTable) -> ExtractionCounts:
    """Return the counts of a cell under one matcher."""
    return tally(table.golds, table.sets)
