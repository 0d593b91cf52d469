"""Kinds of claims about one rule.  In: a standing of systems.  Out: whether it holds, and by what.

A kind is a frozen dataclass: its fields are the keys of the claim in the file, `check` decides it
under one rule and `statement` says it in words.  Claims that compare rules are in `between`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from finassay.analyses.claims.standings import Standing
from finassay.analyses.wording import fixed, plural
from finassay.errors import UsageError


class Check(NamedTuple):
    """Whether a claim holds, what was found, and by how much (positive: it holds)."""

    holds: bool
    found: str
    margin: float


def require_share(name: str, value: float) -> None:
    """Check that a number is a fraction.

    Raises:
        UsageError: it is not in [0, 1].
    """
    if not 0.0 <= value <= 1.0:
        raise UsageError(
            f"`{name}` must be a fraction in [0, 1], got {value!r}; for 75% write 0.75"
        )


def _require_positive(name: str, value: int) -> None:
    if value < 1:
        raise UsageError(f"`{name}` must be at least 1, got {value!r}")


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
        _require_positive("family", self.family)

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Leads:
    """One system has the highest score; `outright` asks that nobody shares it."""

    kind: ClassVar[str] = "leads"
    system: str
    outright: bool = False

    @property
    def systems(self) -> tuple[str, ...]:
        """Return the systems that the claim names."""
        return (self.system,)

    def statement(self) -> str:
        """Return the claim in words."""
        return f"{self.system} leads{' alone' if self.outright else ''}"

    def check(self, standing: Standing) -> Check:
        """Return whether it holds under a rule; the margin is to the best of the others."""
        return _extreme(standing, self.system, outright=self.outright, sign=1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Trails:
    """One system has the lowest score; `outright` asks that nobody shares it."""

    kind: ClassVar[str] = "trails"
    system: str
    outright: bool = False

    @property
    def systems(self) -> tuple[str, ...]:
        """Return the systems that the claim names."""
        return (self.system,)

    def statement(self) -> str:
        """Return the claim in words."""
        return f"{self.system} is last{' alone' if self.outright else ''}"

    def check(self, standing: Standing) -> Check:
        """Return whether it holds under a rule; the margin is to the lowest of the others."""
        return _extreme(standing, self.system, outright=self.outright, sign=-1.0)


def _extreme(standing: Standing, system: str, *, outright: bool, sign: float) -> Check:
    others = [name for name in standing.systems if name != system]
    if not others:
        return Check(not outright, f"{standing.said(system)}, alone", 0.0)
    rival = max(others, key=lambda name: sign * standing.score(name))
    apart = sign * (standing.score(system) - standing.score(rival))
    holds = apart > 0.0 if outright else apart >= 0.0
    return Check(holds, f"{standing.said(system)}, {standing.said(rival)}", apart)


@dataclass(frozen=True, slots=True, kw_only=True)
class InTop:
    """One system's rank is at most k."""

    kind: ClassVar[str] = "in-top"
    system: str
    k: int

    def __post_init__(self) -> None:
        _require_positive("k", self.k)

    @property
    def systems(self) -> tuple[str, ...]:
        """Return the systems that the claim names."""
        return (self.system,)

    def statement(self) -> str:
        """Return the claim in words."""
        return f"{self.system} is among the first {self.k}"

    def check(self, standing: Standing) -> Check:
        """Return whether it holds under a rule; the margin is in ranks."""
        rank = standing.rank(self.system)
        found = f"{standing.said(self.system)}, rank {rank:g} of {len(standing.systems)}"
        return Check(rank <= self.k, found, self.k - rank)


@dataclass(frozen=True, slots=True, kw_only=True)
class HasRank:
    """One system has a rank."""

    kind: ClassVar[str] = "has-rank"
    system: str
    rank: int

    def __post_init__(self) -> None:
        _require_positive("rank", self.rank)

    @property
    def systems(self) -> tuple[str, ...]:
        """Return the systems that the claim names."""
        return (self.system,)

    def statement(self) -> str:
        """Return the claim in words."""
        return f"{self.system} has rank {self.rank}"

    def check(self, standing: Standing) -> Check:
        """Return whether it holds under a rule; the margin is minus the ranks that it is off."""
        rank = standing.rank(self.system)
        found = f"{standing.said(self.system)}, rank {rank:g} of {len(standing.systems)}"
        return Check(rank == self.rank, found, -abs(rank - self.rank))


@dataclass(frozen=True, slots=True, kw_only=True)
class LeadersTie:
    """A number of systems share the highest score."""

    kind: ClassVar[str] = "leaders"
    count: int

    def __post_init__(self) -> None:
        _require_positive("count", self.count)

    @property
    def systems(self) -> tuple[str, ...]:
        """Return the systems that the claim names: none."""
        return ()

    def statement(self) -> str:
        """Return the claim in words."""
        if self.count == 1:
            return "one system leads alone"
        return f"{plural(self.count, 'system')} share the first place"

    def check(self, standing: Standing) -> Check:
        """Return whether it holds under a rule; the margin is minus the systems that it is off."""
        best = standing.scores.max()
        names = [name for name in standing.systems if standing.score(name) == best]
        found = f"{plural(len(names), 'leader')}: {', '.join(standing.said(n) for n in names)}"
        return Check(len(names) == self.count, found, -float(abs(len(names) - self.count)))


@dataclass(frozen=True, slots=True, kw_only=True)
class AccuracyAtLeast:
    """The accuracy of a system is at least a value."""

    kind: ClassVar[str] = "accuracy-at-least"
    system: str
    value: float

    def __post_init__(self) -> None:
        require_share("value", self.value)

    @property
    def systems(self) -> tuple[str, ...]:
        """Return the systems that the claim names."""
        return (self.system,)

    def statement(self) -> str:
        """Return the claim in words."""
        return f"the accuracy of {self.system} is at least {fixed(100 * self.value, 2)}%"

    def check(self, standing: Standing) -> Check:
        """Return whether it holds under a rule."""
        apart = standing.score(self.system) - self.value
        return Check(apart >= 0.0, standing.said(self.system), apart)


@dataclass(frozen=True, slots=True, kw_only=True)
class AccuracyIs:
    """The accuracy of a system is a printed value: it rounds to it, half a last digit either way.

    `value` is the printed percent, in quotes, so that its digits are known: "70.0".
    """

    kind: ClassVar[str] = "accuracy-is"
    system: str
    value: str

    def __post_init__(self) -> None:
        whole, _, digits = self.value.partition(".")
        if not (whole + (digits or "0")).isdecimal():
            raise UsageError(
                f'`value` must be a printed percent in quotes such as "70.0", got {self.value!r}'
            )
        require_share("value", float(self.value) / 100.0)

    @property
    def systems(self) -> tuple[str, ...]:
        """Return the systems that the claim names."""
        return (self.system,)

    def statement(self) -> str:
        """Return the claim in words."""
        return f"the accuracy of {self.system} is {self.value}%"

    def check(self, standing: Standing) -> Check:
        """Return whether it holds under a rule; the margin is in points as a fraction."""
        half = 0.5 * 10.0 ** -len(self.value.partition(".")[2])
        off = abs(100.0 * standing.score(self.system) - float(self.value))
        # A score halfway between two printed values rounds to either, by the printer's habit.
        spare = half - off + 1e-9
        return Check(spare >= 0.0, standing.said(self.system), spare / 100.0)


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
