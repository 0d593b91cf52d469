"""Kinds of claims that compare rules.  In: standings under several.  Out: whether it holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.claims.checks import Check
from finassay.analyses.claims.standings import Standing
from finassay.analyses.kernels.correlation import kendall, spearman
from finassay.analyses.results_scores import RANK_CONVENTIONS, RankConvention
from finassay.analyses.wording import fixed, plural
from finassay.errors import UsageError

Measure = Literal["Spearman", "Kendall"]
MEASURES: tuple[Measure, ...] = ("Spearman", "Kendall")

CountKind = Literal["at-least", "exactly", "at-most"]

FEWEST_RULES = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class NoPositiveCorrespondence:
    """Two rules do not order the systems alike: their rank correlation is at most a value.

    `between` names two rules, or one that is compared with every other.  It is decided by
    Spearman's rho and by Kendall's tau-b, each by itself.
    """

    kind: ClassVar[str] = "no-positive-correspondence"
    between: tuple[str, ...]
    at_most: float = 0.0

    def __post_init__(self) -> None:
        require_rules(self.between, most=FEWEST_RULES)
        if not -1.0 <= self.at_most <= 1.0:
            raise UsageError(f"`at_most` must be a coefficient in [-1, 1], got {self.at_most!r}")

    @property
    def readings(self) -> tuple[str, ...]:
        """Return the ways in which the claim can be read, each decided by itself."""
        return MEASURES

    def statement(self) -> str:
        """Return the claim in words."""
        return (
            f"the rank correlation between {said_between(self.between)} is at most "
            f"{fixed(self.at_most, 2)}"
        )

    def check(self, standings: Sequence[Standing], reading: str) -> Check | None:
        """Return whether it holds between two standings of the same systems.

        It is None where there is no coefficient: fewer than two systems, or all scores equal.
        """
        x, y = (standing.scores for standing in standings)
        value, p, _ = spearman(x, y) if reading == MEASURES[0] else kendall(x, y)
        if value is None or p is None:
            return None
        found = f"{reading} {fixed(value, 3)} (p {p:.3g}, n {len(x)})"
        return Check(value <= self.at_most, found, self.at_most - value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Moves:
    """Ranks of a number of systems move by at least some places between rules.

    `between` names two rules or more, or one that is compared with every other; a move is the
    largest minus the smallest rank.  `count` says whether `systems` is the least, the exact or the
    largest number.  It is decided under every convention for ties, each by itself.
    """

    kind: ClassVar[str] = "moves"
    between: tuple[str, ...]
    ranks: int
    systems_moved: int
    count: CountKind = "at-least"

    def __post_init__(self) -> None:
        require_rules(self.between, most=None)
        if self.ranks < 1 or self.systems_moved < 0:
            raise UsageError(
                f"`ranks` must be at least 1 and `systems_moved` at least 0, got ranks "
                f"{self.ranks!r}, systems_moved {self.systems_moved!r}"
            )

    @property
    def readings(self) -> tuple[str, ...]:
        """Return the ways in which the claim can be read, each decided by itself."""
        return RANK_CONVENTIONS

    def statement(self) -> str:
        """Return the claim in words."""
        many = plural(self.systems_moved, "system")
        verb = "moves" if self.systems_moved == 1 else "move"
        far = plural(self.ranks, "rank")
        return (
            f"{self.count.replace('-', ' ')} {many} {verb} {far} or more between "
            f"{said_between(self.between)}"
        )

    def check(self, standings: Sequence[Standing], reading: str) -> Check | None:
        """Return whether it holds between standings of the same systems; the margin is systems."""
        moves = furthest(standings, _convention(reading))
        found = int((moves >= self.ranks).sum())
        signed = {
            "at-least": found - self.systems_moved,
            "at-most": self.systems_moved - found,
            "exactly": -abs(found - self.systems_moved),
        }
        margin = signed[self.count]
        said = f"{found} of {len(moves)} systems under {reading} ranks"
        return Check(margin >= 0, said, float(margin))


def furthest(standings: Sequence[Standing], convention: RankConvention) -> NDArray[np.float64]:
    """Return (C,) the largest minus the smallest rank of each system among the standings."""
    table = np.vstack([standing.ranks(convention) for standing in standings])
    return np.asarray(table.max(axis=0) - table.min(axis=0))


def _convention(reading: str) -> RankConvention:
    return next(convention for convention in RANK_CONVENTIONS if convention == reading)


def require_rules(names: Sequence[str], *, most: int | None) -> None:
    """Check the rules that a claim compares.

    Raises:
        UsageError: none, one of them twice, or more than `most`.
    """
    if not names or len(set(names)) != len(names) or (most is not None and len(names) > most):
        wanted = "one or two different rules" if most == FEWEST_RULES else "different rules"
        raise UsageError(f"`between` must name {wanted}, got {list(names)!r}")


def said_between(names: Sequence[str]) -> str:
    """Return the rules of a comparison in words."""
    if len(names) == 1:
        return f"{names[0]} and each other rule"
    return f"{', '.join(names[:-1])} and {names[-1]}"


BetweenClaim = NoPositiveCorrespondence | Moves
"""A claim that two or more rules decide together."""

BETWEEN_CLAIMS: tuple[type[BetweenClaim], ...] = (NoPositiveCorrespondence, Moves)
