"""Rules of other packages, as they are.  In: an item and a prediction.  Out: 0 or 1.

The packages' own functions decide; what is added is the gate for silence, and that what cannot be
read is unparsed and never equals what cannot be read.  The packages come with the extras `math`
and `run` and are imported when a rule first measures.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Coroutine
from dataclasses import dataclass
from functools import lru_cache
from types import ModuleType, SimpleNamespace
from typing import ClassVar, Literal, Protocol, get_args

from finassay.errors import MarkingError
from finassay.records import Item, Prediction, Status, Verdict
from finassay.scorers.base import (
    Rule,
    require_count,
    require_flag,
    require_one_of,
    right_or_wrong,
)
from finassay.scorers.extras import load_extra

LONGEST = 20_000
"""Characters of a reply that Math-Verify reads; longer ones are `failed`."""

# Sympy works a power out whatever it takes, and the package's own time limit is a signal that
# kills workers outside the main thread, so what could run for ever is not read.
_ENDLESS = re.compile(
    r"\^\s?\{?\s?[-+(]?\s?\d{4,}|\^[^+\-=,*/\s$^]{0,24}\^"
    r"|(?<=[\w)])\*\*\s?\(?-?\d{4,}|(?<=[\w)])\*\*[\w().]{1,24}\*\*(?=[\w(])"
    r"|\d{4,}\s?!|\\(?:binom|choose|sum|prod|int|lim)(?![a-z])"
)

Location = Literal["begin", "end", "any", "exact"]


@dataclass(frozen=True, slots=True, kw_only=True)
class OutsideMeasure:
    """What another package says.

    Attributes:
        is_right: its answer, or None where `status` says why there is none.
        extracted: what it read in the reply, where it says so.
        reason: in words.
        status: "scored" exactly when there is an answer.
    """

    is_right: bool | None
    extracted: str | None
    reason: str
    status: Status = "scored"


@dataclass(frozen=True, kw_only=True)
class OutsideRule(Rule[OutsideMeasure]):
    """A rule whose decision is another package's."""

    def decide(self, measured: OutsideMeasure) -> Verdict:
        """Return what the package said."""
        if measured.is_right is None:
            return Verdict(status=measured.status, reason=measured.reason)
        return right_or_wrong(
            is_right=measured.is_right, reason=measured.reason, extracted=measured.extracted
        )


@dataclass(frozen=True, kw_only=True)
class MathVerify(OutsideRule):
    """`math_verify`: right when Math-Verify calls the last expression of the reply equal.

    Source: the package math-verify.  It reads "1,23,456" as 1.23 and takes 50% for 0.5 and for 50:
    a comparer of mathematics, not of amounts.

    Attributes:
        float_rounding: decimals to which numbers are compared.
    """

    float_rounding: int = 6

    name: ClassVar[str] = "math_verify"
    version: ClassVar[str] = "1"
    measure_name: ClassVar[str] = "math_verify"

    def __post_init__(self) -> None:
        require_count(self, "float_rounding", self.float_rounding, least=0, most=15)

    def measure(self, *, reference: str, item: Item, prediction: Prediction) -> OutsideMeasure:  # noqa: ARG002
        """Return what Math-Verify says of the two texts."""
        package = _math_verify()
        for text in (reference, prediction.text):
            if len(text) > LONGEST or _ENDLESS.search(text):
                reason = "the text is too long, or holds a power or series that may take for ever"
                return OutsideMeasure(is_right=None, extracted=None, reason=reason, status="failed")
        gold = package.parse(reference, parsing_timeout=None)
        if not gold:
            return OutsideMeasure(
                is_right=None,
                extracted=None,
                reason="no expression in the reference",
                status="not_applicable",
            )
        said = package.parse(prediction.text, parsing_timeout=None)
        if not said:
            return OutsideMeasure(
                is_right=None,
                extracted=None,
                reason="no expression in the reply",
                status="unparsed",
            )
        is_right = bool(
            package.verify(gold, said, float_rounding=self.float_rounding, timeout_seconds=None)
        )
        return OutsideMeasure(
            is_right=is_right,
            extracted=str(said[-1]),
            reason=f"Math-Verify calls {said[-1]} {'equal' if is_right else 'not equal'} "
            f"to {gold[-1]}",
        )


@lru_cache(maxsize=1)
def _math_verify() -> ModuleType:
    package = load_extra("math_verify", scorer="math_verify", extra="math")
    for part in ("math_verify.parser", "math_verify.grader"):
        module = load_extra(part, scorer="math_verify", extra="math")
        # It warns once that it runs without a time limit, which is what `_ENDLESS` is for.
        vars(module)["TIMEOUT_WARNING_SHOWN"] = True
    return package


class _Score(Protocol):
    value: object
    answer: str | None


class _InspectScorer(Protocol):
    def __call__(
        self, state: SimpleNamespace, target: object
    ) -> Coroutine[object, None, _Score]: ...


@dataclass(frozen=True, kw_only=True)
class InspectRule(OutsideRule):
    """A scorer of Inspect, run on one reply.

    Attributes:
        ignore_case: case does not matter.
    """

    ignore_case: bool = True

    def __post_init__(self) -> None:
        require_flag(self, "ignore_case", self.ignore_case)

    @abstractmethod
    def inspect_scorer(self) -> _InspectScorer:
        """Return Inspect's scorer with these parameters."""

    def measure(self, *, reference: str, item: Item, prediction: Prediction) -> OutsideMeasure:  # noqa: ARG002
        """Return what Inspect says of the two texts."""
        found = _run(self.inspect_scorer(), reference, prediction.text)
        is_right = found.value == "C"
        return OutsideMeasure(
            is_right=is_right,
            extracted=found.answer,
            reason=f"Inspect calls the reply {'correct' if is_right else 'incorrect'}",
        )


@dataclass(frozen=True, kw_only=True)
class InspectMatch(InspectRule):
    """`peer/inspect-match`: right when Inspect's `match` is.

    Attributes:
        ignore_case: case does not matter.
        location: where in the reply the reference must stand.
        numeric: compare numbers where the reference is one.
    """

    location: Location = "end"
    numeric: bool = False

    name: ClassVar[str] = "peer/inspect-match"
    version: ClassVar[str] = "1"
    measure_name: ClassVar[str] = "inspect_match"

    def __post_init__(self) -> None:
        super().__post_init__()
        require_one_of(self, "location", self.location, get_args(Location))
        require_flag(self, "numeric", self.numeric)

    def inspect_scorer(self) -> _InspectScorer:
        """Return Inspect's `match` with these parameters."""
        return _inspect_match(self.location, self.ignore_case, self.numeric)


@dataclass(frozen=True, kw_only=True)
class InspectIncludes(InspectRule):
    """`peer/inspect-includes`: right when Inspect's `includes` is.

    Attributes:
        ignore_case: case does not matter.
    """

    name: ClassVar[str] = "peer/inspect-includes"
    version: ClassVar[str] = "1"
    measure_name: ClassVar[str] = "inspect_includes"

    def inspect_scorer(self) -> _InspectScorer:
        """Return Inspect's `includes` with this parameter."""
        return _inspect_includes(self.ignore_case)


def _inspect(scorer: str) -> ModuleType:
    return load_extra("inspect_ai.scorer", scorer=scorer, extra="run")


@lru_cache(maxsize=16)
def _inspect_match(location: Location, ignore_case: bool, numeric: bool) -> _InspectScorer:  # noqa: FBT001 - a cache key
    package = _inspect(InspectMatch.name)
    made: _InspectScorer = package.match(location, ignore_case=ignore_case, numeric=numeric)
    return made


@lru_cache(maxsize=2)
def _inspect_includes(ignore_case: bool) -> _InspectScorer:  # noqa: FBT001 - a cache key
    made: _InspectScorer = _inspect(InspectIncludes.name).includes(ignore_case)
    return made


def _run(scorer: _InspectScorer, reference: str, reply: str) -> _Score:
    """Return the score of a reply; the scorer reads the completion alone and awaits nothing."""
    target = _inspect(InspectMatch.name).Target([reference])
    state = SimpleNamespace(output=SimpleNamespace(completion=reply))
    steps = scorer(state, target)
    try:
        steps.send(None)
    except StopIteration as finished:
        score: _Score = finished.value
        return score
    steps.close()
    raise MarkingError(
        "the installed Inspect waits for something inside its string scorer, expected a plain "
        "comparison; install the release that the extra `run` names"
    )
