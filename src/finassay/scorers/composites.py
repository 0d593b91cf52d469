"""Composites of scorers.  In: parts.  Out: one verdict made from the parts' verdicts.

Combination is three-valued: a verdict without a value is unknown, never silently wrong.  `any_of`
is right as soon as one part is, wrong only if all are; in between it carries the status of the
part that could not be scored.  Parts that are not applicable, or that hold no verdict on an item,
take no part.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from finassay.errors import SpecError, UsageError
from finassay.records import RIGHT, Item, Prediction, Verdict
from finassay.scorers.base import Scorer

IS_IMPORTED = (
    "verdicts of {!r} are imported, not computed; import a table that holds them (`finassay "
    "import`), choose a rule from `finassay scorers`, or use a regime to combine imported verdicts"
)

Part = tuple[str, Verdict]
"""Name of a part and its verdict."""


@dataclass(frozen=True, kw_only=True)
class Imported:
    """A scorer whose verdicts come from outside: a source's own, a judge's, a person's.

    Attributes:
        name: `stored`, `judge/...`, `person/...` or any other name under which they were imported.
    """

    name: str
    version: str = "1"

    def score(self, *, item: Item, prediction: Prediction) -> Verdict:  # noqa: ARG002
        """Raise: an imported verdict cannot be computed.

        Raises:
            UsageError: always.
        """
        raise UsageError(IS_IMPORTED.format(self.name))


@dataclass(frozen=True, kw_only=True)
class Composite(ABC):
    """A scorer made of parts.

    Attributes:
        parts: at least one scorer, in the order in which they are asked.
    """

    parts: tuple[Scorer, ...]

    name: ClassVar[str]
    version: ClassVar[str]

    def __post_init__(self) -> None:
        if not self.parts:
            raise SpecError(
                f"`parts` of {self.name} must list at least one scorer, got {self.parts!r}"
            )

    def score(self, *, item: Item, prediction: Prediction) -> Verdict:
        """Return the combination of the parts' verdicts."""
        return self.combine(
            [(part.name, part.score(item=item, prediction=prediction)) for part in self.parts]
        )

    @abstractmethod
    def combine(self, verdicts: Sequence[Part]) -> Verdict:
        """Return the verdict that follows from the parts'."""


def computable(scorer: Scorer) -> Scorer:
    """Return the scorer if it can be computed.

    Raises:
        UsageError: it, or a part of it at any depth, is imported.
    """
    if isinstance(scorer, Imported):
        raise UsageError(IS_IMPORTED.format(scorer.name))
    if isinstance(scorer, Composite):
        for part in scorer.parts:
            computable(part)
    return scorer


@dataclass(frozen=True, kw_only=True)
class AnyOf(Composite):
    """`any_of`: the best value of the parts (rule or judge: "judge-augmented")."""

    name: ClassVar[str] = "any_of"
    version: ClassVar[str] = "1"

    def combine(self, verdicts: Sequence[Part]) -> Verdict:
        """Return the largest value; unknown parts matter unless some part is fully right."""
        return _combine(verdicts, pick=max, settles=1.0)


@dataclass(frozen=True, kw_only=True)
class AllOf(Composite):
    """`all_of`: the worst value of the parts (rule and judge)."""

    name: ClassVar[str] = "all_of"
    version: ClassVar[str] = "1"

    def combine(self, verdicts: Sequence[Part]) -> Verdict:
        """Return the smallest value; unknown parts matter unless some part is fully wrong."""
        return _combine(verdicts, pick=min, settles=0.0)


@dataclass(frozen=True, kw_only=True)
class FirstScored(Composite):
    """`first_scored`: the verdict of the first part that has a value."""

    name: ClassVar[str] = "first_scored"
    version: ClassVar[str] = "1"

    def combine(self, verdicts: Sequence[Part]) -> Verdict:
        """Return the first scored verdict, or the first one with its status if none is."""
        applicable = _applicable(verdicts)
        if not applicable:
            return _nothing(verdicts)
        scored = [part for part in applicable if part[1].is_scored]
        return _credited(*(scored or applicable)[0])


@dataclass(frozen=True, kw_only=True)
class Majority(Composite):
    """`majority`: right when more than half of the parts that apply are right.

    A graded part is right from `records.RIGHT` on.  A tie is wrong.  Parts without a value matter
    as long as they could turn the outcome.
    """

    name: ClassVar[str] = "majority"
    version: ClassVar[str] = "1"

    def combine(self, verdicts: Sequence[Part]) -> Verdict:
        """Return right or wrong, or the first unknown part while the outcome is open."""
        applicable = _applicable(verdicts)
        if not applicable:
            return _nothing(verdicts)
        unknown = [part for part in applicable if part[1].value is None]
        right = [name for name, verdict in applicable if (verdict.value or 0.0) >= RIGHT]
        needed = len(applicable) // 2 + 1
        if len(right) < needed <= len(right) + len(unknown):
            return _credited(*unknown[0])
        return Verdict(
            status="scored",
            value=float(len(right) >= needed),
            flags=("tie",) if 2 * len(right) == len(applicable) else (),
            reason=f"{len(right)} of {len(applicable)} parts are right"
            + (f" ({', '.join(right)})" if right else ""),
        )


def _combine(verdicts: Sequence[Part], *, pick: Callable[..., Part], settles: float) -> Verdict:
    applicable = _applicable(verdicts)
    if not applicable:
        return _nothing(verdicts)
    scored = [part for part in applicable if part[1].value is not None]
    unknown = [part for part in applicable if part[1].value is None]
    if scored:
        best = pick(scored, key=lambda part: part[1].value)
        if not unknown or best[1].value == settles:
            return _credited(*best)
    return _credited(*unknown[0])


def _applicable(verdicts: Sequence[Part]) -> list[Part]:
    return [part for part in verdicts if part[1].status != "not_applicable"]


def _nothing(verdicts: Sequence[Part]) -> Verdict:
    names = ", ".join(name for name, _ in verdicts) or "none"
    return Verdict(status="not_applicable", reason=f"no part applies ({names})")


def _credited(name: str, verdict: Verdict) -> Verdict:
    return replace(verdict, label=verdict.label or name, reason=f"{name}: {verdict.reason}")
