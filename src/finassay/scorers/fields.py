"""The field rule.  In: an item whose reference is a record of fields.  Out: a share in [0, 1]."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

from finassay.records import Item, Prediction, Verdict
from finassay.scorers.base import Rule, require_flag, require_one_of, require_share
from finassay.text.records_in_text import Fields as Record
from finassay.text.records_in_text import key_form, loose_form, read_fields
from finassay.text.values import are_equal, value_of

Several = Literal["reject", "first", "last"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldsMeasure:
    """What decides a verdict on a record.

    Attributes:
        expected: names of the reference's fields.
        agreeing: for each record in the reply, the names of the fields that agree.
        missing: for each record in the reply, the names that it lacks.
        loose: for each record, the names that agree when what stands in brackets is left out.
        extra: for each record, how many other fields it has.
        conflict: several records in the reply differ.
    """

    expected: tuple[str, ...]
    agreeing: tuple[tuple[str, ...], ...] = ()
    missing: tuple[tuple[str, ...], ...] = ()
    loose: tuple[tuple[str, ...], ...] = ()
    extra: tuple[int, ...] = ()
    conflict: bool = False


@dataclass(frozen=True, kw_only=True)
class Fields(Rule[FieldsMeasure]):
    """`fields`: share of the reference's fields that the reply gives with the same value.

    Records are JSON objects, lines "key: value", or tuples, whose order counts.  Each value is
    compared by type: amounts, dates, provisions, truth values, else words.

    Attributes:
        threshold: None for the graded share; else right when it is reached (1 asks for all).
        several: what is done with a reply that holds several records that differ: "reject"
            leaves it unparsed, "first" and "last" take one.
        loose_names: a name counts without what stands in brackets ("Amount (INR)" is "amount").
    """

    threshold: float | None = None
    several: Several = "reject"
    loose_names: bool = False

    name: ClassVar[str] = "fields"
    version: ClassVar[str] = "2"
    measure_name: ClassVar[str] = "fields"
    decision_fields: ClassVar[frozenset[str]] = frozenset({"threshold", "several", "loose_names"})

    def __post_init__(self) -> None:
        if self.threshold is not None:
            require_share(self, "threshold", self.threshold)
        require_one_of(self, "several", self.several, get_args(Several))
        require_flag(self, "loose_names", self.loose_names)

    def measure(self, *, reference: str, item: Item, prediction: Prediction) -> FieldsMeasure:  # noqa: ARG002
        """Return how each record of the reply compares with the reference."""
        wanted = read_fields(reference)
        if not wanted:
            return FieldsMeasure(expected=())
        expected = wanted[0]
        read = read_fields(prediction.text, "tuple" if expected.form == "tuple" else "object")
        pairs = [_compared(expected, one) for one in read]
        return FieldsMeasure(
            expected=tuple(name for name, _ in expected.values),
            agreeing=tuple(pair.agreeing for pair in pairs),
            missing=tuple(pair.missing for pair in pairs),
            loose=tuple(pair.loose for pair in pairs),
            extra=tuple(pair.extra for pair in pairs),
            conflict=len({_key(one) for one in read}) > 1,
        )

    def decide(self, measured: FieldsMeasure) -> Verdict:
        """Return the share of fields that agree, or 0/1 when there is a threshold."""
        if not measured.expected:
            return Verdict(status="not_applicable", reason="the reference is no record of fields")
        if not measured.agreeing:
            return Verdict(status="unparsed", reason="no record of fields in the reply")
        flags: tuple[str, ...] = ("several-records",) if measured.conflict else ()
        if measured.conflict and self.several == "reject":
            reason = f"the reply holds {len(measured.agreeing)} records that differ"
            return Verdict(status="unparsed", reason=reason, flags=flags)
        at = -1 if self.several == "last" else 0
        loose = tuple(name for name in measured.loose[at] if name not in measured.agreeing[at])
        right = (*measured.agreeing[at], *(loose if self.loose_names else ()))
        flags += ("loose-name",) if loose else ()
        flags += ("extra-fields",) if measured.extra[at] else ()
        share = len(right) / len(measured.expected)
        wrong = [name for name in measured.expected if name not in right]
        return Verdict(
            status="scored",
            value=share if self.threshold is None else float(0 < share >= self.threshold),
            extracted="; ".join(right),
            flags=flags,
            reason=f"{len(right)} of {len(measured.expected)} fields agree"
            + (f"; {', '.join(map(repr, wrong[:5]))} missing or other" if wrong else ""),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pair:
    agreeing: tuple[str, ...]
    missing: tuple[str, ...]
    loose: tuple[str, ...]
    extra: int


def _compared(expected: Record, read: Record) -> _Pair:
    exact = {key_form(name): value for name, value in reversed(read.values)}
    loose = {loose_form(name): value for name, value in reversed(read.values)}
    agreeing, missing, loosely = [], [], []
    for name, value in expected.values:
        said = exact.get(key_form(name))
        if said is None:
            missing.append(name)
            near = loose.get(loose_form(name))
            if near is not None and _same(value, near):
                loosely.append(name)
        elif _same(value, said):
            agreeing.append(name)
    known = {key_form(name) for name, _ in expected.values}
    return _Pair(
        agreeing=tuple(agreeing),
        missing=tuple(missing),
        loose=tuple(loosely),
        extra=len(set(exact) - known),
    )


def _same(left: str, right: str) -> bool:
    # A field that both leave empty (null), or fill with the same mark, agrees.
    return left == right or are_equal(value_of(left), value_of(right))


def _key(read: Record) -> tuple[tuple[str, object], ...]:
    return tuple(sorted((key_form(name), value_of(value).parts) for name, value in read.values))
