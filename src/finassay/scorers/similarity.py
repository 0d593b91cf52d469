"""Rules on RapidFuzz similarities.  In: an item and a prediction.  Out: 0 or 1 by a threshold.

A subset of tokens scores 100 under token_set_ratio by definition: a reply of one right word passes.
These rules are peers to compare with, not a way to decide what is correct.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from rapidfuzz import fuzz

from finassay.records import Item, Prediction, Verdict
from finassay.scorers.base import Rule, require_share, right_or_wrong
from finassay.scorers.strings import NOTHING_LEFT
from finassay.text.normalisers import normaliser, trim

REACHES = "{} reaches the threshold"
BELOW = "{} is below the threshold"


@dataclass(frozen=True, kw_only=True)
class Similarity(Rule[float | None]):
    """A RapidFuzz ratio with a threshold.

    Attributes:
        threshold: least ratio / 100 that passes, in [0, 1].
        normaliser: name of a normaliser.
    """

    threshold: float = 0.72
    normaliser: str = "words"

    decision_fields: ClassVar[frozenset[str]] = frozenset({"threshold"})

    def __post_init__(self) -> None:
        require_share(self, "threshold", self.threshold)
        normaliser(self.normaliser)

    def forms(self, reference: str, reply: str) -> tuple[str, str]:
        """Return both normalised texts, with every run of white space as one space.

        RapidFuzz splits at U+0085 and U+00A0 in some texts and not in others (it depends on the
        widest character), so white space is settled before it splits.
        """
        form = normaliser(self.normaliser)
        return trim(form(reference)), trim(form(reply))

    def decide(self, measured: float | None) -> Verdict:
        """Return right when the ratio (0 to 100) reaches the threshold."""
        if measured is None:
            return Verdict(status="not_applicable", reason=NOTHING_LEFT)
        is_right = measured / 100 >= self.threshold and measured > 0
        return right_or_wrong(
            is_right=is_right, reason=(REACHES if is_right else BELOW).format(self.measure_name)
        )


@dataclass(frozen=True, kw_only=True)
class TokenSet(Similarity):
    """`token_set`: right when token_set_ratio / 100 reaches the threshold."""

    name: ClassVar[str] = "token_set"
    version: ClassVar[str] = "1"
    measure_name: ClassVar[str] = "token_set_ratio"

    def measure(self, *, reference: str, item: Item, prediction: Prediction) -> float | None:  # noqa: ARG002
        """Return token_set_ratio in [0, 100], or None when nothing is left of the reference."""
        left, right = self.forms(reference, prediction.text)
        return fuzz.token_set_ratio(left, right) if left else None


@dataclass(frozen=True, kw_only=True)
class TokenSort(Similarity):
    """`token_sort`: right when token_sort_ratio / 100 reaches the threshold."""

    name: ClassVar[str] = "token_sort"
    version: ClassVar[str] = "1"
    measure_name: ClassVar[str] = "token_sort_ratio"

    def measure(self, *, reference: str, item: Item, prediction: Prediction) -> float | None:  # noqa: ARG002
        """Return token_sort_ratio in [0, 100], or None when nothing is left of the reference."""
        left, right = self.forms(reference, prediction.text)
        return fuzz.token_sort_ratio(left, right) if left else None


@dataclass(frozen=True, kw_only=True)
class Partial(Similarity):
    """`partial`: right when partial_ratio / 100 reaches the threshold.

    The shorter text is slid along the longer one and the best window counts, so a short reference
    is found inside longer words and numbers: "5 days" stands in "25 days".
    """

    name: ClassVar[str] = "partial"
    version: ClassVar[str] = "1"
    measure_name: ClassVar[str] = "partial_ratio"

    def measure(self, *, reference: str, item: Item, prediction: Prediction) -> float | None:  # noqa: ARG002
        """Return partial_ratio in [0, 100], or None when nothing is left of the reference."""
        left, right = self.forms(reference, prediction.text)
        return fuzz.partial_ratio(left, right) if left else None
