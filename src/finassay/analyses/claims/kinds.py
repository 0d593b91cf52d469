"""Kinds of claims about one rule.  In: a standing of systems.  Out: whether it holds, and by what.

A kind is a frozen dataclass: its fields are the keys of the claim in the file, `check` decides it
under one rule and `statement` says it in words.  Claims that compare rules are in `between`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from finassay.analyses.claims.checks import Check, require_positive, require_share
from finassay.analyses.claims.places import (
    AccuracyAtLeast,
    AccuracyIs,
    HasRank,
    InTop,
    LeadersTie,
    Leads,
    Trails,
)
from finassay.analyses.claims.standings import Standing
from finassay.analyses.wording import fixed
from finassay.errors import UsageError


def _require_two(a: str, b: str) -> None:
    if a == b:
        raise UsageError(f"`a` and `b` must be two systems, got {a!r} twice")


@dataclass(frozen=True, slots=True, kw_only=True)
class Above:
    """One system scores above another by more than a margin."""

    kind: ClassVar[str] = "above"
    a: str
    b: str
    margin: float = 0.0

    def __post_init__(self) -> None:
        _require_two(self.a, self.b)
        require_share("margin", self.margin)

    @property
    def systems(self) -> tuple[str, ...]:
        """Return the systems that the claim names."""
        return self.a, self.b

    def statement(self) -> str:
        """Return the claim in words."""
        by = f" by more than {fixed(100 * self.margin, 1)} points" if self.margin else ""
        return f"{self.a} scores above {self.b}{by}"

    def check(self, standing: Standing) -> Check:
        """Return whether it holds under a rule."""
        apart = standing.score(self.a) - standing.score(self.b) - self.margin
        return Check(apart > 0.0, f"{standing.said(self.a)}, {standing.said(self.b)}", apart)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tied:
    """Two systems have the same score, or scores at most `within` apart."""

    kind: ClassVar[str] = "tied"
    a: str
    b: str
    within: float = 0.0

    def __post_init__(self) -> None:
        _require_two(self.a, self.b)
        require_share("within", self.within)

    @property
    def systems(self) -> tuple[str, ...]:
        """Return the systems that the claim names."""
        return self.a, self.b

    def statement(self) -> str:
        """Return the claim in words."""
        if not self.within:
            return f"{self.a} and {self.b} have the same score"
        return f"{self.a} and {self.b} are at most {fixed(100 * self.within, 1)} points apart"

    def check(self, standing: Standing) -> Check:
        """Return whether it holds under a rule."""
        spare = self.within - abs(standing.score(self.a) - standing.score(self.b))
        return Check(spare >= 0.0, f"{standing.said(self.a)}, {standing.said(self.b)}", spare)


@dataclass(frozen=True, slots=True, kw_only=True)
class SignificantlyAbove:
    """One system scores above another, and a paired bootstrap test says that it is no chance.

    `family` is the number of tests that the pair was picked from (Bonferroni); p is inclusive.
    """

    kind: ClassVar[str] = "significantly-above"
    a: str
    b: str
    alpha: float = 0.05
    family: int = 1
    clustered: bool = False

    def __post_init__(self) -> None:
        _require_two(self.a, self.b)
        _require_level(self.alpha)
        require_positive("family", self.family)

    @property
    def systems(self) -> tuple[str, ...]:
        """Return the systems that the claim names."""
        return self.a, self.b

    def statement(self) -> str:
        """Return the claim in words."""
        tested = _tested(self.alpha, self.family, clustered=self.clustered)
        return f"{self.a} scores significantly above {self.b} ({tested})"

    def check(self, standing: Standing) -> Check:
        """Return whether it holds under a rule; the margin is the threshold minus p."""
        p = standing.test(self.a, self.b, clustered=self.clustered).inclusive
        spare = self.alpha / self.family - p
        is_above = standing.score(self.a) > standing.score(self.b)
        said = f"{standing.said(self.a)}, {standing.said(self.b)}, p {p:.4g}"
        return Check(is_above and spare > 0.0, said, spare if is_above else -1.0 - p)


@dataclass(frozen=True, slots=True, kw_only=True)
class Indistinguishable:
    """A paired bootstrap test does not tell two systems apart: p is at least alpha.

    That a test does not find a difference is no proof that there is none.
    """

    kind: ClassVar[str] = "indistinguishable"
    a: str
    b: str
    alpha: float = 0.05
    clustered: bool = False

    def __post_init__(self) -> None:
        _require_two(self.a, self.b)
        _require_level(self.alpha)

    @property
    def systems(self) -> tuple[str, ...]:
        """Return the systems that the claim names."""
        return self.a, self.b

    def statement(self) -> str:
        """Return the claim in words."""
        tested = _tested(self.alpha, 1, clustered=self.clustered)
        return f"a test does not tell {self.a} and {self.b} apart ({tested})"

    def check(self, standing: Standing) -> Check:
        """Return whether it holds under a rule; the margin is p minus alpha."""
        p = standing.test(self.a, self.b, clustered=self.clustered).inclusive
        said = f"{standing.said(self.a)}, {standing.said(self.b)}, p {p:.4g}"
        return Check(p >= self.alpha, said, p - self.alpha)


def _require_level(alpha: float) -> None:
    if not 0.0 < alpha < 1.0:
        raise UsageError(f"`alpha` must be in (0, 1), got {alpha!r}")


def _tested(alpha: float, family: int, *, clustered: bool) -> str:
    units = "clusters" if clustered else "items"
    level = f"{alpha:g}" if family == 1 else f"{alpha:g}/{family}"
    return f"paired bootstrap over {units}, level {level}"


RuleClaim = (
    Above
    | Tied
    | SignificantlyAbove
    | Indistinguishable
    | Leads
    | Trails
    | InTop
    | HasRank
    | LeadersTie
    | AccuracyAtLeast
    | AccuracyIs
)
"""A claim that one rule decides."""

RULE_CLAIMS: tuple[type[RuleClaim], ...] = (
    Above,
    Tied,
    SignificantlyAbove,
    Indistinguishable,
    Leads,
    Trails,
    InTop,
    HasRank,
    LeadersTie,
    AccuracyAtLeast,
    AccuracyIs,
)
