"""Claims about the place of one system under one rule.  In: a standing.  Out: whether it holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from finassay.analyses.claims.checks import Check, require_positive, require_share
from finassay.analyses.claims.standings import Standing
from finassay.analyses.wording import fixed, plural
from finassay.errors import UsageError


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
        require_positive("k", self.k)

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
        require_positive("rank", self.rank)

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
        require_positive("count", self.count)

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
