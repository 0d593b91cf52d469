"""What every scorer is.  In: an item and a prediction.  Out: a verdict.

A scorer is a frozen dataclass whose fields are its parameters.  It works in two steps: `measure`
is expensive and continuous (a similarity, sets of numbers), `decide` is cheap (a threshold), so
rules that differ in thresholds share one measure.  Statuses come from the `gate`, which looks at
the fate of the reply before any text is compared.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import ClassVar, Generic, Protocol, TypeVar, runtime_checkable

from finassay.errors import SpecError
from finassay.records import Finish, Item, Prediction, Verdict

MeasureT = TypeVar("MeasureT")
MeasureKey = tuple[str, tuple[tuple[str, object], ...]]

FAILED_FINISHES = frozenset({"blocked", "error"})


@runtime_checkable
class Scorer(Protocol):
    """Anything that marks one prediction."""

    @property
    def name(self) -> str:
        """Name under which the scorer is registered."""
        ...

    @property
    def version(self) -> str:
        """Version; it changes whenever a verdict could change."""
        ...

    def score(self, *, item: Item, prediction: Prediction) -> Verdict:
        """Return the verdict of this scorer on the prediction."""
        ...


@runtime_checkable
class Traced(Protocol):
    """A scorer that can say how it came to a verdict."""

    def trace(self, *, item: Item, prediction: Prediction) -> tuple[tuple[str, str], ...]:
        """Return the steps that led to the verdict as (what, value), for people to read."""
        ...


@dataclass(frozen=True, kw_only=True)
class Rule(ABC, Generic[MeasureT]):
    """A deterministic scorer made of a measure and a decision.

    Class attributes:
        name: registered name.
        version: changes whenever a verdict could change.
        published: True for reproductions of published rules, which keep their own treatment of
            silence (an empty reply is marked, usually as wrong) and know no alternatives.
        decision_fields: parameters read by `decide` only; rules that are equal in all others
            share a measure.
        measure_name: rules with the same measure_name and parameters share a measure.
    """

    name: ClassVar[str]
    version: ClassVar[str]
    published: ClassVar[bool] = False
    decision_fields: ClassVar[frozenset[str]] = frozenset()
    measure_name: ClassVar[str]

    @abstractmethod
    def measure(self, *, reference: str, item: Item, prediction: Prediction) -> MeasureT:
        """Return what the decision needs to know of one reference and one reply."""

    @abstractmethod
    def decide(self, measured: MeasureT) -> Verdict:
        """Return the verdict that follows from a measure."""

    @property
    def measure_key(self) -> MeasureKey:
        """Key under which the measure may be shared with other rules."""
        shared = tuple(
            (f.name, getattr(self, f.name))
            for f in fields(self)
            if f.name not in self.decision_fields
        )
        return self.measure_name, shared

    def score(self, *, item: Item, prediction: Prediction) -> Verdict:
        """Return the verdict: the gate first, then the best over all accepted references."""
        stopped = self.stopped(item=item, prediction=prediction)
        if stopped is not None:
            return stopped
        return self.settle(self.measure_all(item=item, prediction=prediction), prediction.finish)

    def stopped(self, *, item: Item, prediction: Prediction) -> Verdict | None:
        """Return the verdict that the fate of the reply settles, or None if the text must be read.

        Whether a rule applies to an item does not depend on the reply, so silence on an item that
        it does not apply to is not applicable too: else a silent system would have more items.
        """
        found = gate(item=item, prediction=prediction, published=self.published)
        if found is None or found.status != "no_answer":
            return found
        read = self.settle(self.measure_all(item=item, prediction=prediction), prediction.finish)
        return read if read.status == "not_applicable" else found

    def measure_all(self, *, item: Item, prediction: Prediction) -> tuple[MeasureT, ...]:
        """Return one measure for each accepted reference; published rules know only the first."""
        accepted = (item.reference or "", *(() if self.published else item.alternatives))
        return tuple(
            self.measure(reference=reference, item=item, prediction=prediction)
            for reference in accepted
        )

    def settle(self, measures: Sequence[MeasureT], finish: Finish) -> Verdict:
        """Return the best verdict over the measures, flagged where a policy decided."""
        best = self.decide(measures[0])
        for measured in measures[1:]:
            found = self.decide(measured)
            if _merit(found) > _merit(best):
                best = replace(found, flags=(*found.flags, "alternative"))
        if finish == "truncated" and not self.published:
            best = replace(best, flags=(*best.flags, "truncated"))
        return best

    def trace(self, *, item: Item, prediction: Prediction) -> tuple[tuple[str, str], ...]:
        """Return the steps that led to the verdict as (what, value), for people to read."""
        measures = self.measure_all(item=item, prediction=prediction)
        merits = [_merit(self.decide(measured)) for measured in measures]
        best = merits.index(max(merits))
        measured = measures[best]
        decided = (("accepted alternative", item.alternatives[best - 1]),) if best else ()
        if not is_dataclass(measured):
            return (*decided, (self.measure_name, _shown(measured)))
        return *decided, *(
            (f.name.replace("_", " "), _shown(getattr(measured, f.name))) for f in fields(measured)
        )


def _shown(value: object) -> str:
    """Return a measured value as people read it."""
    if value is None:
        return "none"
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, frozenset):
        return ", ".join(sorted(map(str, value))) or "none"
    if isinstance(value, tuple):
        return ", ".join(map(_shown, value)) or "none"
    return str(value)


def gate(*, item: Item, prediction: Prediction, published: bool) -> Verdict | None:
    """Return the verdict that the fate of the reply settles, or None if the text must be read.

    Follows the table of statuses in docs/explanation/scoring-rules.md.
    """
    if item.reference is None or (not published and not item.reference.strip()):
        return Verdict(status="not_applicable", reason="the item has no reference")
    if prediction.finish in FAILED_FINISHES:
        return Verdict(status="failed", reason=f"no reply was obtained ({prediction.finish})")
    if published:
        return None
    if not prediction.text.strip():
        return Verdict(status="no_answer", reason="the reply is empty")
    if prediction.finish == "refused" and prediction.text.strip() != item.reference.strip():
        return Verdict(status="no_answer", reason="the reply refuses to answer")
    return None


def _merit(verdict: Verdict) -> tuple[bool, bool, float]:
    # A reference that the rule can read must count against a reply too, or only right replies to
    # such an item would be scored.
    return verdict.is_scored, verdict.status != "not_applicable", verdict.value or 0.0


def right_or_wrong(*, is_right: bool, reason: str, extracted: str | None = None) -> Verdict:
    """Return a scored verdict of 1 or 0."""
    return Verdict(
        status="scored", value=1.0 if is_right else 0.0, reason=reason, extracted=extracted
    )


def require_share(owner: object, field: str, value: object) -> None:
    """Check that a parameter is a share.

    Raises:
        SpecError: the value is no number, or outside [0, 1]; percents are the usual cause.
    """
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0.0 <= value <= 1.0:
        raise SpecError(
            f"`{field}` of {type(owner).__name__} must be in [0, 1], got {value!r}; "
            f"for 72% pass 0.72"
        )


def require_flag(owner: object, field: str, value: object) -> None:
    """Check that a parameter is a truth value.

    Raises:
        SpecError: it is not; 0 and 1 are not taken for one, since they would give another id.
    """
    if not isinstance(value, bool):
        raise SpecError(f"`{field}` of {type(owner).__name__} must be true or false, got {value!r}")


def require_count(
    owner: object, field: str, value: object, *, least: int, most: int | None = None
) -> None:
    """Check that a parameter is a whole number.

    Raises:
        SpecError: it is not, or outside the range that makes sense.
    """
    whole = value if isinstance(value, int) and not isinstance(value, bool) else None
    if whole is None or whole < least or (most is not None and whole > most):
        span = f"{least} or more" if most is None else f"from {least} to {most}"
        raise SpecError(
            f"`{field}` of {type(owner).__name__} must be a whole number, {span}, got {value!r}"
        )


def require_one_of(owner: object, field: str, value: object, allowed: Iterable[str]) -> None:
    """Check that a parameter is one of a few names.

    Raises:
        SpecError: it is not.
    """
    names = tuple(allowed)
    if value not in names:
        raise SpecError(
            f"`{field}` of {type(owner).__name__} must be one of {names}, got {value!r}"
        )


def require_texts(owner: object, field: str, values: Iterable[object]) -> None:
    """Check that a parameter is a sequence of strings.

    Raises:
        SpecError: it is a bare string, or holds something else.
    """
    if isinstance(values, str) or not all(isinstance(value, str) for value in values):
        raise SpecError(
            f"`{field}` of {type(owner).__name__} must be a list of strings, got {values!r}"
        )
