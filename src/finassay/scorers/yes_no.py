"""The yes/no rule.  In: an item whose reference is yes or no, and a prediction.  Out: a verdict."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar, Literal

from finassay.errors import SpecError
from finassay.records import Item, Prediction, Verdict
from finassay.scorers.base import Rule

YesOrNo = Literal["yes", "no"]

_WORD = re.compile(r"[^\W_]+")
# "Not" and "Note" are words of their own: only the whole words yes and no count.
_YES_NO_WORDS: dict[str, YesOrNo] = {"yes": "yes", "no": "no"}
_ANSWER_CUE = re.compile(
    r"^[\W_]*(?:(?:the|my)\s+)?(?:final\s+)?answer(?![^\W_])[\W_]*(?:\bis\b[\W_]*)?", re.IGNORECASE
)


@dataclass(frozen=True, slots=True, kw_only=True)
class YesNoReading:
    """The yes/no readings of a reference and a reply; None where there is none."""

    reference: YesOrNo | None
    reply: YesOrNo | None


@dataclass(frozen=True, kw_only=True)
class YesNo(Rule[YesNoReading]):
    """`yes_no`: right when reply and reference read as the same of yes and no.

    A reply in which neither word is found is unparsed, not wrong.

    Attributes:
        position: "leading" reads the first word of the reply, after marks and a cue such as
            "Answer:" or "The final answer is";
            "first" reads the first yes or no anywhere.
    """

    position: Literal["leading", "first"] = "leading"

    name: ClassVar[str] = "yes_no"
    version: ClassVar[str] = "1"
    measure_name: ClassVar[str] = "yes_no"

    def __post_init__(self) -> None:
        if self.position not in {"leading", "first"}:
            raise SpecError(
                f"`position` of YesNo must be 'leading' or 'first', got {self.position!r}"
            )

    def measure(self, *, reference: str, item: Item, prediction: Prediction) -> YesNoReading:  # noqa: ARG002
        """Return both readings."""
        return YesNoReading(
            reference=read_yes_no(reference, "leading"),
            reply=read_yes_no(prediction.text, self.position),
        )

    def decide(self, measured: YesNoReading) -> Verdict:
        """Return right when both readings exist and are equal."""
        if measured.reference is None:
            return Verdict(status="not_applicable", reason="the reference is neither yes nor no")
        if measured.reply is None:
            return Verdict(status="unparsed", reason=f"no yes or no ({self.position}) in the reply")
        is_right = measured.reply == measured.reference
        return Verdict(
            status="scored",
            value=float(is_right),
            label=measured.reply,
            extracted=measured.reply,
            reason=f"the reply reads {measured.reply}, the reference {measured.reference}",
        )


def read_yes_no(text: str, position: Literal["leading", "first"]) -> YesOrNo | None:
    """Return the yes/no reading of a text, or None."""
    words = (match[0].lower() for match in _WORD.finditer(_ANSWER_CUE.sub("", text, count=1)))
    if position == "leading":
        return _YES_NO_WORDS.get(next(words, ""))
    return next((_YES_NO_WORDS[word] for word in words if word in _YES_NO_WORDS), None)
