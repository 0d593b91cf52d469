"""Rules on regular expressions and bare letters.  In: a reply.  Out: a label, or none."""

from __future__ import annotations

import re
import string
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Literal

from finassay.errors import SpecError
from finassay.scorers.base import require_flag, require_one_of, require_texts
from finassay.scorers.labels.base import Extraction, LabelRule, SelectThen
from finassay.text.labels import label_index

LETTERS = tuple(string.ascii_uppercase)
_WITHOUT_PUNCTUATION = str.maketrans("", "", string.punctuation)

Take = Literal["first", "last"]


@dataclass(frozen=True, kw_only=True)
class RegexFirst(LabelRule):
    """`labels/lm-regex`: the first match of a case-sensitive pattern.

    Source: the filter `regex` with `take_first` of lm-evaluation-harness.  Where several
    alternatives start at one place, the pattern's order decides.

    Attributes:
        pattern: the pattern; "" stands for the choices as written, in card order.  With groups,
            the first group that matched is the answer.
    """

    pattern: str = ""

    name: ClassVar[str] = "labels/lm-regex"
    version: ClassVar[str] = "1"
    measure_name: ClassVar[str] = "labels/lm-regex"

    def __post_init__(self) -> None:
        compiled(self.pattern)

    def extract(self, reply: str, choices: tuple[str, ...], *, key: str = "") -> Extraction:  # noqa: ARG002
        """Return the choice that the first match is equal to; a match may be no choice at all."""
        pattern = compiled(self.pattern or alternation(choices))
        found = matched(pattern, reply, "first")
        if found is None:
            return Extraction()
        return Extraction(index=label_index(found, choices), origin="pattern", evidence=found)


@dataclass(frozen=True, kw_only=True)
class Cascade(LabelRule):
    """`labels/lm-cascade`: a pattern, else the choices as written, else a bare letter.

    Source: `MultiChoiceRegexFilter` of lm-evaluation-harness.

    Attributes:
        pattern: the first step; "" leaves it out.  Its match must be a choice, or the letter of
            one, with or without parentheses; another match is no label.
        take: which match of a step counts.
        ignore_case: the second step compares in lower case.
        ignore_punctuation: the second step compares without ASCII punctuation.
        ignore: patterns removed from reply and choices before the second step.
        anchor: text before the letter in the third step.
    """

    pattern: str = ""
    take: Take = "first"
    ignore_case: bool = False
    ignore_punctuation: bool = False
    ignore: tuple[str, ...] = ()
    anchor: str = ":"

    name: ClassVar[str] = "labels/lm-cascade"
    version: ClassVar[str] = "1"
    measure_name: ClassVar[str] = "labels/lm-cascade"

    def __post_init__(self) -> None:
        require_one_of(self, "take", self.take, ("first", "last"))
        require_flag(self, "ignore_case", self.ignore_case)
        require_flag(self, "ignore_punctuation", self.ignore_punctuation)
        require_texts(self, "ignore", self.ignore)
        object.__setattr__(self, "ignore", tuple(self.ignore))
        for pattern in (self.pattern, *self.ignore):
            compiled(pattern)

    def extract(self, reply: str, choices: tuple[str, ...], *, key: str = "") -> Extraction:  # noqa: ARG002
        """Return what the first step that matches reads."""
        if self.pattern:
            found = matched(compiled(self.pattern), reply, self.take)
            if found is not None:
                index = _choice_or_letter(found, choices)
                return Extraction(index=index, origin="pattern", evidence=found)
        kept = tuple(self._kept(choice) for choice in choices)
        found = matched(compiled(alternation(kept)), self._kept(reply), self.take)
        if found is not None:
            return Extraction(index=kept.index(found), origin="label", evidence=found)
        return read_letter(reply, LETTERS[: len(choices)], anchor=self.anchor, take=self.take)

    def _kept(self, text: str) -> str:
        for pattern in self.ignore:
            text = compiled(pattern).sub("", text)
        if self.ignore_case:
            text = text.lower()
        return text.translate(_WITHOUT_PUNCTUATION) if self.ignore_punctuation else text


@dataclass(frozen=True, kw_only=True)
class LetterFallback(SelectThen):
    """`labels/letter-fallback`: a selected label, or the choice of a bare letter.

    Letters name the choices in card order, so ": A11" reads as the first one.  Source: the last
    step of `MultiChoiceRegexFilter` of lm-evaluation-harness, after FLARE's card order.

    Attributes:
        letters: the letter of each choice; () stands for A, B, C, ...
        anchor: text that must stand before the letter, with white space between; "" for none.
        boundary: the letter must stand alone: no word character beside it.
    """

    letters: tuple[str, ...] = ()
    anchor: str = ":"
    boundary: bool = False

    name: ClassVar[str] = "labels/letter-fallback"
    version: ClassVar[str] = "1"
    measure_name: ClassVar[str] = "labels/letter-fallback"

    def __post_init__(self) -> None:
        super().__post_init__()
        require_texts(self, "letters", self.letters)
        require_flag(self, "boundary", self.boundary)
        object.__setattr__(self, "letters", tuple(self.letters))
        if not all(self.letters) or len(set(self.letters)) < len(self.letters):
            raise SpecError(
                f"`letters` of LetterFallback must be distinct and not empty, got {self.letters!r}"
            )

    def otherwise(self, reply: str, choices: tuple[str, ...], key: str) -> Extraction:  # noqa: ARG002
        """Return the choice of the first letter found, or nothing."""
        letters = (self.letters or LETTERS)[: len(choices)]
        return read_letter(reply, letters, anchor=self.anchor, boundary=self.boundary)


def read_letter(
    reply: str,
    letters: Sequence[str],
    *,
    anchor: str,
    boundary: bool = False,
    take: Take = "first",
) -> Extraction:
    """Return the choice whose letter follows the anchor, case-sensitively."""
    before = r"(?<!\w)" if boundary and not anchor else ""
    after = r"(?!\w)" if boundary else ""
    lead = rf"{re.escape(anchor)}\s*" if anchor else ""
    found = matched(compiled(f"{before}{lead}({alternation(letters)}){after}"), reply, take)
    if found is None:
        return Extraction()
    return Extraction(index=list(letters).index(found), origin="letter", evidence=found)


def alternation(words: Sequence[str]) -> str:
    """Return the pattern of any of these texts, in the order given."""
    return "|".join(re.escape(word) for word in words)


def matched(pattern: re.Pattern[str], text: str, take: Take) -> str | None:
    """Return the first or last match: the first group that matched, or else the whole."""
    last = None
    for match in pattern.finditer(text):
        last = match
        if take == "first":
            break
    if last is None:
        return None
    return next((group for group in last.groups() if group), last[0])


@lru_cache(maxsize=4096)
def compiled(pattern: str) -> re.Pattern[str]:
    """Return a compiled pattern.

    Raises:
        SpecError: the pattern cannot be read.
    """
    try:
        return re.compile(pattern)
    except re.error as error:
        raise SpecError(
            f"the pattern {pattern!r} cannot be read: {error}; write a regular expression of Python"
        ) from error


def _choice_or_letter(found: str, choices: tuple[str, ...]) -> int | None:
    index = label_index(found, choices)
    letter = found.strip("() ")
    if index is None and letter in LETTERS[: len(choices)]:
        return LETTERS.index(letter)
    return index
