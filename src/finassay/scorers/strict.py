"""The four-stage strict rule in its three versions.  In: an item and a prediction.  Out: 0 or 1.

The paper (arXiv 2604.19298, section 4.3) states one rule; two different implementations of it
stand in its public material, and a leaderboard that mixes them ranks rules, not systems.  All
three are reproduced here with their weaknesses: those are part of what they are.  How they differ
is told in docs/explanation/strict-rules.md.

Python's `re` is the reference for what a word character, a digit or white space is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from rapidfuzz import fuzz

from finassay.records import Item, Prediction, Verdict
from finassay.scorers.base import Rule, require_share, require_texts, right_or_wrong
from finassay.text import normalisers

CONTRADICTION_TASKS = ("contradiction_detection", "contradiction", "con")
SILENCES = ("fail:", "cannot be determined")

NUMBERS_AGREE = "the sets of numbers are equal"
TOKENS_AGREE = "token_set_ratio reaches the threshold"
NOTHING_AGREES = "numbers differ or are missing, and token_set_ratio is below the threshold"
TEXTS_EQUAL = "the texts are equal"
YES_NO_AGREES = "yes/no agrees"
YES_NO_DIFFERS = "yes/no differs"
SILENT = "the reply is empty, or holds 'fail:' or 'cannot be determined'"
EMPTY = "the reply is empty"

_DIGITS_COMMAS_STOP = re.compile(r"\d[\d,]*\.?\d*")
_DECIMAL = re.compile(r"\d+(?:\.\d+)?")
_GROUPING_COMMA = re.compile(r"(?<=\d),(?=\d)")
_FIRST_YES_NO = re.compile(r"\b(yes|no)\b")
_LEADING_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True, kw_only=True)
class StrictMeasure:
    """What the stages of a strict rule see.

    Attributes:
        is_silent: the reply is empty (or refuses, where the rule looks for that).
        is_yes_no: the item is a contradiction item.
        is_equal: the normalised texts are equal.
        ratio: token_set_ratio in [0, 100].
        has_equal_numbers: both texts hold numbers and the sets are equal.
        has_equal_yes_no: the yes/no readings are equal.
    """

    is_silent: bool = False
    is_yes_no: bool = False
    is_equal: bool = False
    ratio: float = 0.0
    has_equal_numbers: bool = False
    has_equal_yes_no: bool = False


@dataclass(frozen=True, kw_only=True)
class StrictRule(Rule[StrictMeasure]):
    """The parameters that the three versions share.

    Attributes:
        threshold: least token_set_ratio / 100 that passes, in [0, 1].
        yes_no_tasks: names of `Item.task` (case-blind) that are marked by yes/no.
    """

    threshold: float = 0.72
    yes_no_tasks: tuple[str, ...] = CONTRADICTION_TASKS

    published: ClassVar[bool] = True
    decision_fields: ClassVar[frozenset[str]] = frozenset({"threshold"})

    def __post_init__(self) -> None:
        require_share(self, "threshold", self.threshold)
        require_texts(self, "yes_no_tasks", self.yes_no_tasks)
        object.__setattr__(self, "yes_no_tasks", tuple(self.yes_no_tasks))

    def is_yes_no(self, task: str) -> bool:
        """Whether items of this task are marked by yes/no."""
        return task.casefold() in {name.casefold() for name in self.yes_no_tasks}


@dataclass(frozen=True, kw_only=True)
class NumbersFirst(StrictRule):
    """`strict/numbers-first`: numbers, then token_set_ratio; yes/no by prefix.

    Source: `score_answer` of the public evaluation script of IndiaFinBench.
    """

    name: ClassVar[str] = "strict/numbers-first"
    version: ClassVar[str] = "1"
    measure_name: ClassVar[str] = "strict/numbers-first"

    def measure(self, *, reference: str, item: Item, prediction: Prediction) -> StrictMeasure:
        """Return what the stages see; contradiction items are compared by yes/no alone."""
        if is_silent(prediction.text):
            return StrictMeasure(is_silent=True)
        left = normalisers.words_percent_stop(reference)
        right = normalisers.words_percent_stop(prediction.text)
        if self.is_yes_no(item.task):
            agrees = yes_no_prefix(left) == yes_no_prefix(right)
            return StrictMeasure(is_yes_no=True, has_equal_yes_no=agrees)
        return StrictMeasure(
            ratio=fuzz.token_set_ratio(left, right),
            has_equal_numbers=_share_all(numbers_with_stops(left), numbers_with_stops(right)),
        )

    def decide(self, measured: StrictMeasure) -> Verdict:
        """Return the verdict of the first stage that settles it."""
        if measured.is_silent:
            return right_or_wrong(is_right=False, reason=SILENT)
        if measured.is_yes_no:
            return _by_yes_no(measured)
        if measured.has_equal_numbers:
            return right_or_wrong(is_right=True, reason=NUMBERS_AGREE)
        if measured.ratio / 100 >= self.threshold:
            return right_or_wrong(is_right=True, reason=TOKENS_AGREE)
        return right_or_wrong(is_right=False, reason=NOTHING_AGREES)

    def trace(self, *, item: Item, prediction: Prediction) -> tuple[tuple[str, str], ...]:
        """Return the texts and numbers that the stages compare."""
        left = normalisers.words_percent_stop(item.reference or "")
        right = normalisers.words_percent_stop(prediction.text)
        if self.is_yes_no(item.task):
            readings = (("reference reads", yes_no_prefix(left)), ("reply", yes_no_prefix(right)))
            return (("silence", str(is_silent(prediction.text))), *readings)
        return (
            ("silence", str(is_silent(prediction.text))),
            *_number_steps(numbers_with_stops(left), numbers_with_stops(right)),
            *_ratio_steps(left, right, self.threshold),
        )


@dataclass(frozen=True, kw_only=True)
class FuzzyFirst(StrictRule):
    """`strict/fuzzy-first`: equality, token_set_ratio, numbers; yes/no by first whole word.

    Texts go to RapidFuzz as they are, and it takes U+0085 and U+00A0 for white space only where a
    text holds a character beyond U+00FF (the rupee sign, say).

    Source: the second scoring script of the same public release (used for one system's file).
    """

    name: ClassVar[str] = "strict/fuzzy-first"
    version: ClassVar[str] = "1"
    measure_name: ClassVar[str] = "strict/fuzzy-first"

    def measure(self, *, reference: str, item: Item, prediction: Prediction) -> StrictMeasure:
        """Return what the stages see."""
        if not prediction.text:
            return StrictMeasure(is_silent=True)
        left = normalisers.lower_strip(reference)
        right = normalisers.lower_strip(prediction.text)
        yes_no = first_yes_no(left)
        return StrictMeasure(
            is_yes_no=self.is_yes_no(item.task),
            is_equal=left == right,
            ratio=fuzz.token_set_ratio(left, right),
            has_equal_numbers=_share_all(
                numbers_without_commas(left), numbers_without_commas(right)
            ),
            has_equal_yes_no=yes_no is not None and yes_no == first_yes_no(right),
        )

    def decide(self, measured: StrictMeasure) -> Verdict:
        """Return the verdict of the first stage that settles it."""
        if measured.is_silent:
            return right_or_wrong(is_right=False, reason=EMPTY)
        return _by_stages(measured, least_ratio=round(self.threshold * 100, 9))

    def trace(self, *, item: Item, prediction: Prediction) -> tuple[tuple[str, str], ...]:
        """Return the texts and numbers that the stages compare."""
        left = normalisers.lower_strip(item.reference or "")
        right = normalisers.lower_strip(prediction.text)
        return (
            ("equal", str(left == right)),
            *_ratio_steps(left, right, self.threshold),
            *_number_steps(numbers_without_commas(left), numbers_without_commas(right)),
            ("first yes/no", f"{first_yes_no(left)} | {first_yes_no(right)}"),
        )


@dataclass(frozen=True, kw_only=True)
class AsStated(StrictRule):
    """`strict/as-stated`: the four stages in the words and the order of the paper.

    (1) equal after case and punctuation; (2) token_set_ratio; (3) equal sets of numbers, with
    currency signs, grouping commas and units ignored; (4) the leading word, for contradiction
    items.  A stage that does not pass hands over to the next.

    Source: arXiv 2604.19298, section 4.3.
    """

    name: ClassVar[str] = "strict/as-stated"
    version: ClassVar[str] = "1"
    measure_name: ClassVar[str] = "strict/as-stated"

    def measure(self, *, reference: str, item: Item, prediction: Prediction) -> StrictMeasure:
        """Return what the stages see."""
        left = normalisers.words(reference)
        right = normalisers.words(prediction.text)
        if not right:
            return StrictMeasure(is_silent=True)
        yes_no = leading_yes_no(left)
        return StrictMeasure(
            is_yes_no=self.is_yes_no(item.task),
            is_equal=left == right,
            ratio=fuzz.token_set_ratio(left, right),
            has_equal_numbers=_share_all(plain_numbers(reference), plain_numbers(prediction.text)),
            has_equal_yes_no=yes_no is not None and yes_no == leading_yes_no(right),
        )

    def decide(self, measured: StrictMeasure) -> Verdict:
        """Return the verdict of the first stage that settles it."""
        if measured.is_silent:
            return right_or_wrong(is_right=False, reason=EMPTY)
        return _by_stages(measured, least_ratio=round(self.threshold * 100, 9))

    def trace(self, *, item: Item, prediction: Prediction) -> tuple[tuple[str, str], ...]:
        """Return the texts and numbers that the stages compare."""
        left = normalisers.words(item.reference or "")
        right = normalisers.words(prediction.text)
        return (
            ("equal", str(left == right)),
            *_ratio_steps(left, right, self.threshold),
            *_number_steps(plain_numbers(item.reference or ""), plain_numbers(prediction.text)),
            ("leading yes/no", f"{leading_yes_no(left)} | {leading_yes_no(right)}"),
        )


def is_silent(text: str) -> bool:
    """Whether `strict/numbers-first` takes the reply for none: empty, or one of two phrases."""
    lowered = text.lower()
    return not text or any(phrase in lowered for phrase in SILENCES)


def yes_no_prefix(normalised: str) -> str:
    """Return "yes" or "no" if the text starts with those letters ("Note" does), else the text."""
    if normalised.startswith("yes"):
        return "yes"
    return "no" if normalised.startswith("no") else normalised


def first_yes_no(text: str) -> str | None:
    """Return the first whole word yes or no anywhere in a lower-case text."""
    found = _FIRST_YES_NO.search(text)
    return found[1] if found else None


def leading_yes_no(normalised: str) -> str | None:
    """Return the leading word if it is yes or no."""
    found = _LEADING_WORD.match(normalised)
    return found[0] if found and found[0] in {"yes", "no"} else None


def numbers_with_stops(normalised: str) -> frozenset[str]:
    """Return digit runs with a decimal point; "30." keeps its full stop and differs from "30"."""
    return frozenset(_DIGITS_COMMAS_STOP.findall(normalised))


def numbers_without_commas(text: str) -> frozenset[str]:
    """Return unsigned decimals once commas and rupee signs are removed."""
    return frozenset(_DECIMAL.findall(text.replace(",", "").replace("₹", "")))


def plain_numbers(text: str) -> frozenset[str]:
    """Return unsigned decimals once commas between digits are removed; "2.50" equals "2.5"."""
    found = _DECIMAL.findall(_GROUPING_COMMA.sub("", text))
    return frozenset(_plain(number) for number in found)


def _plain(number: str) -> str:
    whole, _, decimals = number.partition(".")
    decimals = decimals.rstrip("0")
    whole = whole.lstrip("0") or "0"
    return f"{whole}.{decimals}" if decimals else whole


def _share_all(left: frozenset[str], right: frozenset[str]) -> bool:
    return bool(left) and left == right


def _by_yes_no(measured: StrictMeasure) -> Verdict:
    agrees = measured.has_equal_yes_no
    return right_or_wrong(is_right=agrees, reason=YES_NO_AGREES if agrees else YES_NO_DIFFERS)


def _by_stages(measured: StrictMeasure, *, least_ratio: float) -> Verdict:
    if measured.is_equal:
        return right_or_wrong(is_right=True, reason=TEXTS_EQUAL)
    if measured.ratio >= least_ratio:
        return right_or_wrong(is_right=True, reason=TOKENS_AGREE)
    if measured.has_equal_numbers:
        return right_or_wrong(is_right=True, reason=NUMBERS_AGREE)
    if measured.is_yes_no:
        return _by_yes_no(measured)
    return right_or_wrong(is_right=False, reason=NOTHING_AGREES)


def _number_steps(left: frozenset[str], right: frozenset[str]) -> tuple[tuple[str, str], ...]:
    return (
        ("numbers in reference", ", ".join(sorted(left)) or "none"),
        ("numbers in reply", ", ".join(sorted(right)) or "none"),
    )


def _ratio_steps(left: str, right: str, threshold: float) -> tuple[tuple[str, str], ...]:
    ratio = fuzz.token_set_ratio(left, right) / 100
    return (
        ("normalised reference", left),
        ("normalised reply", right),
        ("token_set_ratio", f"{ratio:.4f}, threshold {threshold:g}"),
    )
