"""Trivial rules to compare with.  In: an item and a prediction.  Out: 0 or 1.

They stand in tables beside rules that read answers: a rule that does not beat them has not shown
that it reads anything.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from decimal import Decimal
from typing import ClassVar, Literal

from finassay.records import Item, Prediction, Verdict
from finassay.scorers.base import (
    Rule,
    require_count,
    require_flag,
    require_one_of,
    require_share,
    right_or_wrong,
)
from finassay.scorers.numbers import numbers_in
from finassay.text.refusals import read_refusals, says_refusal


@dataclass(frozen=True, slots=True, kw_only=True)
class NearestNumbers:
    """How near the reply's numbers come to those of the reference.

    Attributes:
        errors: for each number of the reference, the smallest relative error of a number in the
            reply; infinite where the reference is 0 and no number is.
        nearest: the reply's numbers that come nearest, in the order of the reference's.
        has_numbers: whether the reply holds a number.
    """

    errors: tuple[float, ...]
    nearest: tuple[str, ...]
    has_numbers: bool


@dataclass(frozen=True, kw_only=True)
class AnyNumber(Rule[NearestNumbers]):
    """`peer/any-number`: right when each number of the reference is near some number of the reply.

    Digits only: signs, units and scales are not read, and where the number stands does not matter.

    Attributes:
        tolerance: largest relative error that passes, in [0, 1].
        fractions: a number of the reference times 100 counts too ("39.7%" for 0.397).
    """

    tolerance: float = 0.01
    fractions: bool = True

    name: ClassVar[str] = "peer/any-number"
    version: ClassVar[str] = "1"
    measure_name: ClassVar[str] = "nearest_numbers"
    decision_fields: ClassVar[frozenset[str]] = frozenset({"tolerance"})

    def __post_init__(self) -> None:
        require_share(self, "tolerance", self.tolerance)
        require_flag(self, "fractions", self.fractions)

    def numbers_of(self, reply: str) -> tuple[Decimal, ...]:
        """Return the numbers of the reply that count."""
        return numbers_in(reply)

    def measure(self, *, reference: str, item: Item, prediction: Prediction) -> NearestNumbers:  # noqa: ARG002
        """Return the smallest relative error for each number of the reference."""
        said = tuple(sorted(set(self.numbers_of(prediction.text))))
        factors = (1, 100) if self.fractions else (1,)
        found = [_nearest(number, said, factors) for number in numbers_in(reference)]
        return NearestNumbers(
            errors=tuple(error for error, _ in found),
            nearest=tuple(number for _, number in found),
            has_numbers=bool(said),
        )

    def decide(self, measured: NearestNumbers) -> Verdict:
        """Return right when every error is within the tolerance."""
        if not measured.errors:
            return Verdict(status="not_applicable", reason="no number in the reference")
        if not measured.has_numbers:
            return Verdict(status="unparsed", reason="no number in the reply")
        is_right = max(measured.errors) <= self.tolerance
        what = "come" if is_right else "do not come"
        return right_or_wrong(
            is_right=is_right,
            extracted=" ".join(measured.nearest),
            reason=f"numbers of the reply {what} within {self.tolerance:.6g} of the reference's",
        )


@dataclass(frozen=True, kw_only=True)
class LastNumbers(AnyNumber):
    """`peer/last-numbers`: `peer/any-number` on the last numbers of the reply.

    Attributes:
        tolerance: largest relative error that passes, in [0, 1].
        fractions: a number of the reference times 100 counts too.
        last: how many numbers are looked at, from the end.
    """

    last: int = 3

    name: ClassVar[str] = "peer/last-numbers"
    version: ClassVar[str] = "1"
    measure_name: ClassVar[str] = "nearest_last_numbers"

    def __post_init__(self) -> None:
        super().__post_init__()
        require_count(self, "last", self.last, least=1)

    def numbers_of(self, reply: str) -> tuple[Decimal, ...]:
        """Return the last numbers of the reply."""
        return numbers_in(reply)[-self.last :]


@dataclass(frozen=True, kw_only=True)
class Answered(Rule[bool]):
    """`peer/answered`: right whenever the reply holds a letter or digit and does not refuse.

    Attributes:
        phrases: "declining" counts as a refusal what no answer needs ("I cannot"), "any" also what
            may stand beside an answer ("is not stated").
    """

    phrases: Literal["declining", "any"] = "declining"

    name: ClassVar[str] = "peer/answered"
    version: ClassVar[str] = "1"
    measure_name: ClassVar[str] = "answered"

    def __post_init__(self) -> None:
        require_one_of(self, "phrases", self.phrases, ("declining", "any"))

    def measure(self, *, reference: str, item: Item, prediction: Prediction) -> bool:  # noqa: ARG002
        """Return whether the reply answers."""
        says_something = re.search(r"[^\W_]", prediction.text) is not None
        refuses = says_refusal if self.phrases == "declining" else read_refusals
        return says_something and not refuses(prediction.text)

    def decide(self, measured: bool) -> Verdict:  # noqa: FBT001 - the measure is one truth value
        """Return right for an answer, whatever it says."""
        reason = "the reply answers" if measured else "the reply does not answer"
        return right_or_wrong(is_right=measured, reason=reason)


def _nearest(
    number: Decimal, said: tuple[Decimal, ...], factors: tuple[int, ...]
) -> tuple[float, str]:
    """Return the smallest relative error and the number said, of those in order, that has it."""
    pairs = []
    for target in (factor * number for factor in factors):
        at = bisect_left(said, target)
        pairs += [(_error(one, target), one) for one in said[max(0, at - 1) : at + 1]]
    error, best = min(pairs, default=(float("inf"), None))
    return error, "" if best is None else f"{best:f}"


def _error(said: Decimal, number: Decimal) -> float:
    if said == number:
        return 0.0
    return float(abs(said - number) / number) if number else float("inf")
