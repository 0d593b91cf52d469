"""What scores a family of rules can reach.  In: candidate sets.  Out: an interval of counts.

A family is an assumption about the rule, not a theorem about every conceivable one:

- `select` returns a label that occurs and abstains only when none does: [F, F + A*].
- `select_or_abstain_when_ambiguous` may also abstain where several occur; a contested item could
  be lost already, so the interval is the same.
- `select_or_abstain` may abstain anywhere: [0, F + A*].
- `text_function` selects by normalised reply and card alone, as any real parser does, so items
  with the same reply get the same label: an interval inside that of `select`.
- `finite` is an explicit list of rules: from the lowest of their scores to the highest.

The ends of all but `finite` are attained by some member of the family.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, get_args

from finassay.analyses.extraction.candidates import CandidateTable
from finassay.analyses.extraction.counts import ExtractionCounts, count
from finassay.errors import UsageError

Family = Literal[
    "select", "select_or_abstain", "select_or_abstain_when_ambiguous", "text_function", "finite"
]
FAMILIES: tuple[Family, ...] = get_args(Family)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """The scores that the rules of a family can reach on one cell.

    Attributes:
        family: the family.
        low: fewest right items.
        high: most right items.
        n: items.
        low_value: low / n.
        high_value: high / n.
        rules: ids of the rules of a finite family.
    """

    family: Family
    low: int
    high: int
    n: int
    low_value: float
    high_value: float
    rules: tuple[str, ...] = ()

    @property
    def interval(self) -> tuple[Fraction, Fraction]:
        """Both ends as exact accuracies."""
        return Fraction(self.low, self.n), Fraction(self.high, self.n)

    @property
    def width(self) -> Fraction:
        """High minus low as an exact accuracy."""
        return Fraction(self.high - self.low, self.n)


def reach(table: CandidateTable, family: Family = "select") -> Reach:
    """Return what a family of rules can reach on a cell.

    Raises:
        UsageError: the family is unknown, or `finite`, which needs rules (see `finite_reach`).
    """
    if family == "text_function":
        low, high = _text_function(table)
        return made_reach("text_function", low, high, table.n)
    return reach_of_counts(count(table), family)


def reach_of_counts(counts: ExtractionCounts, family: Family = "select") -> Reach:
    """Return what a family can reach, from the counts alone (not for `text_function`).

    Raises:
        UsageError: the counts do not decide this family.
    """
    high = counts.forced_correct + counts.contested
    if family in {"select", "select_or_abstain_when_ambiguous"}:
        return made_reach(family, counts.forced_correct, high, counts.n)
    if family == "select_or_abstain":
        return made_reach(family, 0, high, counts.n)
    raise UsageError(
        f"the reach of the family {family!r} does not follow from counts; use reach() for "
        f"'text_function' and finite_reach() for 'finite'; known families: {', '.join(FAMILIES)}"
    )


def finite_reach(rights: Sequence[tuple[str, int]], n: int) -> Reach:
    """Return the reach of an explicit list of rules.

    Args:
        rights: (rule id, right items) of every rule.
        n: items.

    Raises:
        UsageError: there are no rules.
    """
    if not rights:
        raise UsageError("a finite family needs at least one rule, got none")
    scores = [right for _, right in rights]
    found = made_reach("finite", min(scores), max(scores), n)
    return Reach(
        family="finite",
        low=found.low,
        high=found.high,
        n=n,
        low_value=found.low_value,
        high_value=found.high_value,
        rules=tuple(rule for rule, _ in rights),
    )


def made_reach(family: Family, low: int, high: int, n: int) -> Reach:
    """Return a reach of these counts."""
    return Reach(family=family, low=low, high=high, n=n, low_value=low / n, high_value=high / n)


def _text_function(table: CandidateTable) -> tuple[int, int]:
    golds: defaultdict[int, Counter[int]] = defaultdict(Counter)
    present: dict[int, tuple[int, ...]] = {}
    for key, gold, labels in zip(table.keys, table.golds, table.sets, strict=True):
        golds[key][gold] += 1
        present[key] = labels
    low = high = 0
    for key, labels in present.items():
        won = [golds[key][label] for label in labels]
        low += min(won, default=0)
        high += max(won, default=0)
    return low, high
