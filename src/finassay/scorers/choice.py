"""The multiple-choice rule.  In: an item whose reference names options.  Out: 0 or 1."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from finassay.records import Item, Prediction, Verdict
from finassay.scorers.base import Rule, require_flag
from finassay.text.choices import (
    ChoiceReading,
    Options,
    final_choice,
    options_of,
    read_choices,
    read_reference,
)

UNANCHORED = frozenset({"opening", "verdict", "option text"})
"""Kinds of readings that stand beside no cue; `Choice.anchored` leaves them out."""

_WITHOUT_OPTIONS: dict[str, tuple[Literal["no_answer", "unparsed"], str]] = {
    "unclear": ("unparsed", "the reply names several options and chooses none"),
    "unknown": ("no_answer", "the reply says that it does not know"),
    "unread": ("unparsed", "the answer line names no option"),
}
_COMMITTED_TO_NONE = {
    "none": "the reply says that no option is right",
    "off menu": "the reply names an option that the item does not offer",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceMeasure:
    """What decides a verdict on an item with options.

    Attributes:
        expected: labels that the reference names, sorted; None when it names none.
        read: what the reply says, or None.
        shown: the part of the reply that says it.
        several: readings of one kind differ, and the last of them was taken.
        options: what the item offers.
    """

    expected: tuple[str, ...] | None
    read: ChoiceReading | None
    shown: str
    several: bool
    options: Options


@dataclass(frozen=True, kw_only=True)
class Choice(Rule[ChoiceMeasure]):
    """`choice`: right when the reply commits to the options that the reference names.

    Letters and option texts are read, several of them where the reference has several; order does
    not matter.  A reply that names options without choosing is unparsed.

    Attributes:
        anchored: True counts answer lines and phrases of commitment only; False takes the option
            that opens the reply, is called correct or is the only one mentioned, where no cue is.
    """

    anchored: bool = False

    name: ClassVar[str] = "choice"
    version: ClassVar[str] = "1"
    measure_name: ClassVar[str] = "choice"

    def __post_init__(self) -> None:
        require_flag(self, "anchored", self.anchored)

    def measure(self, *, reference: str, item: Item, prediction: Prediction) -> ChoiceMeasure:
        """Return what both sides name."""
        options = options_of(tuple(dict.fromkeys(item.choices)))
        readings = [
            reading
            for reading in read_choices(prediction.text, options)
            if not (self.anchored and reading.basis in UNANCHORED)
        ]
        read = final_choice(readings)
        peers = {r.labels for r in readings if read is not None and r.basis == read.basis}
        return ChoiceMeasure(
            expected=read_reference(reference, options),
            read=read,
            shown="" if read is None else prediction.text[read.start : read.end],
            several=len(peers) > 1,
            options=options,
        )

    def trace(self, *, item: Item, prediction: Prediction) -> tuple[tuple[str, str], ...]:
        """Return every place where the reply names options, and which one counts."""
        options = options_of(tuple(dict.fromkeys(item.choices)))
        readings = read_choices(prediction.text, options)
        counts = self.measure(reference=item.reference or "", item=item, prediction=prediction)
        return (
            *(("option", options.text_of(label)) for label in options.labels),
            *((f"read ({one.basis})", _said(one, prediction.text)) for one in readings),
            ("counts", "none" if counts.read is None else _said(counts.read, prediction.text)),
            ("reference", ", ".join(counts.expected or ()) or "none"),
        )

    def decide(self, measured: ChoiceMeasure) -> Verdict:
        """Return right when the labels are the same."""
        if measured.expected is None:
            return _unreadable_reference(measured.options)
        read = measured.read
        if read is None:
            return Verdict(status="unparsed", reason="the reply commits to no option")
        if read.outcome in _WITHOUT_OPTIONS:
            status, reason = _WITHOUT_OPTIONS[read.outcome]
            return Verdict(status=status, reason=reason, extracted=measured.shown or None)
        flags = ("last_of_several",) if measured.several else ()
        if read.outcome != "options":
            return Verdict(
                status="scored",
                value=0.0,
                extracted=measured.shown,
                flags=flags,
                reason=_COMMITTED_TO_NONE[read.outcome],
            )
        named = tuple(sorted(read.labels))
        return Verdict(
            status="scored",
            value=float(named == measured.expected),
            label=", ".join(named),
            extracted=measured.shown,
            flags=flags,
            reason=(
                f"the reply names {_listed(named, measured.options)} ({read.basis}), "
                f"the reference {_listed(measured.expected, measured.options)}"
            ),
        )


def _said(reading: ChoiceReading, text: str) -> str:
    named = ", ".join(reading.labels) or reading.outcome
    return f"{text[reading.start : reading.end]!r} at {reading.start} to {reading.end}: {named}"


def _unreadable_reference(options: Options) -> Verdict:
    if options.labels:
        reason = f"the reference is none of the options {', '.join(options.labels)}"
        return Verdict(status="failed", reason=reason)
    return Verdict(status="not_applicable", reason="the reference names no option")


def _listed(labels: tuple[str, ...], options: Options) -> str:
    return " and ".join(options.text_of(label) for label in labels)
