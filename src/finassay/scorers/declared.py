"""A rule whose every choice is a field.  In: an item and a prediction.  Out: right or wrong.

The published rules differ in many things at once.  Here each of these things is a parameter of its
own, so that a grid can change one and keep the rest; with the defaults the rule gives the verdicts
of `strict/numbers-first`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

from finassay.errors import SpecError
from finassay.records import Item, Prediction, Verdict
from finassay.scorers import declared_parts as parts
from finassay.scorers.base import (
    Rule,
    gate,
    require_share,
    require_texts,
    right_or_wrong,
)
from finassay.scorers.strict import (
    CONTRADICTION_TASKS,
    is_silent,
    numbers_with_stops,
    yes_no_prefix,
)
from finassay.scorers.strings import NOTHING_LEFT
from finassay.scorers.yes_no import read_yes_no
from finassay.text.normalisers import normaliser

Stages = Literal["either", "numbers-first", "both"]
"""How numbers and text work together: either may accept; numbers decide where both sides hold
some, else the text; the text must pass, and the numbers of the reference must agree."""

YesNoRule = Literal["text", "prefix", "leading", "anywhere"]
"""How yes/no items are marked: as any other; by the letters that the texts start with; by the
first word; by the first whole word yes or no."""

Silence = Literal["text", "wrong", "no_answer"]
"""What a reply that declines to answer is: a text like any other; wrong, where it is empty or
holds one of the phrases of `strict/numbers-first`; no answer, where it is empty or declines."""

BLANK = "the reply is empty or declines to answer"
BOUNDS_CLASH = "reference and reply state different bounds"


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclaredMeasure:
    """What the stages of a declared rule see.

    Attributes:
        problem: why the rule does not apply; "" where it does.
        silence: "wrong" or "no_answer" where the reply is taken for none.
        yes_no: whether yes/no agrees; None where the item is not marked by it.
        is_unread: the item is marked by yes/no, and the reply holds neither.
        similarity: of the texts, in [0, 1].
        reference_has_numbers: whether the reference holds numbers.
        reply_has_numbers: whether the reply does.
        numbers_agree: whether they agree.
        bounds_clash: whether both state bounds and share none.
    """

    problem: str = ""
    silence: Silence = "text"
    yes_no: bool | None = None
    is_unread: bool = False
    similarity: float = 0.0
    reference_has_numbers: bool = False
    reply_has_numbers: bool = False
    numbers_agree: bool = False
    bounds_clash: bool = False


@dataclass(frozen=True, kw_only=True)
class DeclaredRule(Rule[DeclaredMeasure]):
    """`rule`: every choice of a string rule as a parameter of its own.

    Attributes:
        passage: which part of the reply is read: "whole", "first-sentence" or "final".
        normaliser: name of a normaliser, for the texts that the matcher compares.
        matcher: "exact", "includes", "token_f1", "token_set", "token_sort" or "partial".
        threshold: least similarity that passes, in [0, 1].
        numbers: "ignore", "written", "equal", "subset" or "last".
        tolerance: relative difference within which numbers are equal, in [0, 1]; not for
            "written".
        percent: "as-written", "bare" or "fraction"; not for "written".
        stages: "either", "numbers-first" or "both".
        bounds: "ignore", or "respect": "at least" against "at most" is wrong.
        yes_no: "text", "prefix", "leading" or "anywhere".
        yes_no_tasks: names of `Item.task` (case-blind) that are marked by yes/no.
        silence: "text", "wrong" or "no_answer".
    """

    passage: parts.Passage = "whole"
    normaliser: str = "words-percent-stop"
    matcher: parts.Matcher = "token_set"
    threshold: float = 0.72
    numbers: parts.Numbers = "written"
    tolerance: float = 0.0
    percent: parts.Percent = "as-written"
    stages: Stages = "either"
    bounds: Literal["ignore", "respect"] = "ignore"
    yes_no: YesNoRule = "prefix"
    yes_no_tasks: tuple[str, ...] = CONTRADICTION_TASKS
    silence: Silence = "wrong"

    name: ClassVar[str] = "rule"
    version: ClassVar[str] = "1"
    measure_name: ClassVar[str] = "rule"
    decision_fields: ClassVar[frozenset[str]] = frozenset({"threshold", "stages"})

    def __post_init__(self) -> None:
        normaliser(self.normaliser)
        require_share(self, "threshold", self.threshold)
        require_share(self, "tolerance", self.tolerance)
        require_texts(self, "yes_no_tasks", self.yes_no_tasks)
        object.__setattr__(self, "yes_no_tasks", tuple(self.yes_no_tasks))
        for field, allowed in ALLOWED.items():
            if getattr(self, field) not in allowed:
                raise SpecError(
                    f"`{field}` of DeclaredRule must be one of {allowed}, got "
                    f"{getattr(self, field)!r}"
                )

    def stopped(self, *, item: Item, prediction: Prediction) -> Verdict | None:
        """Return the verdict that the fate of the reply settles; silence is the rule's own."""
        return gate(item=item, prediction=prediction, published=True)

    def measure(self, *, reference: str, item: Item, prediction: Prediction) -> DeclaredMeasure:
        """Return what the stages see; nothing is read that the rule does not ask for."""
        form = normaliser(self.normaliser)
        left = form(reference)
        if not left:
            return DeclaredMeasure(problem=NOTHING_LEFT)
        if self._is_silent(reference, prediction):
            return DeclaredMeasure(silence=self.silence)
        read = parts.passage(prediction.text, self.passage)
        right = form(read)
        answered = self._yes_no(item, (reference, read), (left, right))
        if answered is not None:
            return answered
        in_reference, in_reply, agree = self._numbers((reference, read), (left, right))
        return DeclaredMeasure(
            similarity=parts.MATCHERS[self.matcher](left, right) if right else 0.0,
            reference_has_numbers=in_reference,
            reply_has_numbers=in_reply,
            numbers_agree=agree,
            bounds_clash=self.bounds == "respect" and parts.bounds_clash(reference, read),
        )

    def _is_silent(self, reference: str, prediction: Prediction) -> bool:
        if self.silence == "wrong":
            return is_silent(prediction.text)
        if self.silence == "no_answer":
            refuses = prediction.finish == "refused" or parts.declines(prediction.text)
            return refuses and not parts.declines(reference)
        return False

    def is_yes_no(self, task: str) -> bool:
        """Whether items of this task are marked by yes/no."""
        if self.yes_no == "text":
            return False
        return task.casefold() in {name.casefold() for name in self.yes_no_tasks}

    def _yes_no(
        self, item: Item, texts: tuple[str, str], forms: tuple[str, str]
    ) -> DeclaredMeasure | None:
        if not self.is_yes_no(item.task):
            return None
        if self.yes_no == "prefix":
            return DeclaredMeasure(yes_no=yes_no_prefix(forms[0]) == yes_no_prefix(forms[1]))
        expected = read_yes_no(texts[0], "leading")
        if expected is None:
            return None
        said = read_yes_no(texts[1], "leading" if self.yes_no == "leading" else "first")
        return DeclaredMeasure(yes_no=said == expected, is_unread=said is None)

    def _numbers(self, texts: tuple[str, str], forms: tuple[str, str]) -> tuple[bool, bool, bool]:
        if self.numbers == "ignore":
            return False, False, False
        if self.numbers == "written":
            left, right = map(numbers_with_stops, forms)
            return bool(left), bool(right), bool(left) and left == right
        a, b = (parts.values_of(text, self.percent) for text in texts)
        return bool(a), bool(b), parts.values_agree(a, b, self.numbers, self.tolerance)

    def decide(self, measured: DeclaredMeasure) -> Verdict:
        """Return the verdict of the first stage that settles it."""
        if measured.problem:
            return Verdict(status="not_applicable", reason=measured.problem)
        if measured.silence == "no_answer":
            return Verdict(status="no_answer", reason=BLANK)
        if measured.is_unread:
            return Verdict(status="unparsed", reason=f"no yes or no ({self.yes_no}) in the reply")
        return self._scored(measured)

    def _scored(self, measured: DeclaredMeasure) -> Verdict:
        if measured.silence == "wrong":
            return right_or_wrong(is_right=False, reason=BLANK)
        if measured.yes_no is not None:
            said = "yes/no agrees" if measured.yes_no else "yes/no differs"
            return right_or_wrong(is_right=measured.yes_no, reason=said)
        if measured.bounds_clash:
            return right_or_wrong(is_right=False, reason=BOUNDS_CLASH)
        return self._by_stages(measured)

    def _by_stages(self, m: DeclaredMeasure) -> Verdict:
        # A ratio of 0 never passes, whatever the threshold: two texts without a common token.
        text = m.similarity >= self.threshold and m.similarity > 0
        by_numbers = m.reference_has_numbers and m.reply_has_numbers
        if self.stages == "numbers-first" and by_numbers:
            said = "the numbers agree" if m.numbers_agree else "the numbers differ"
            return right_or_wrong(is_right=m.numbers_agree, reason=said)
        if self.stages == "both" and m.reference_has_numbers and not m.numbers_agree:
            return right_or_wrong(is_right=False, reason="the numbers differ")
        if self.stages == "either" and m.numbers_agree:
            return right_or_wrong(is_right=True, reason="the numbers agree")
        verb = "reaches" if text else "is below"
        return right_or_wrong(
            is_right=text, reason=f"{self.matcher} {verb} the threshold ({m.similarity:.4g})"
        )


ALLOWED = {
    "passage": get_args(parts.Passage),
    "matcher": get_args(parts.Matcher),
    "numbers": get_args(parts.Numbers),
    "percent": get_args(parts.Percent),
    "stages": get_args(Stages),
    "bounds": ("ignore", "respect"),
    "yes_no": get_args(YesNoRule),
    "silence": get_args(Silence),
}
