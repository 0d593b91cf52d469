"""Rules that compare strings.  In: an item and a prediction.  Out: a verdict.

No text is changed silently: each rule names its normaliser as a field.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import ClassVar

from finassay.records import Item, Prediction, Verdict
from finassay.scorers.base import Rule, require_flag, require_share, right_or_wrong
from finassay.text.normalisers import normaliser
from finassay.text.tokens import tokens

NOTHING_LEFT = "nothing is left of the reference after normalisation"


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Outcome of comparing two normalised texts; `share` is None when there was nothing to compare.

    Attributes:
        share: degree of agreement in [0, 1], or None.
        reason: what the degree means.
    """

    share: float | None
    reason: str


def _verdict(compared: Comparison) -> Verdict:
    if compared.share is None:
        return Verdict(status="not_applicable", reason=compared.reason)
    return Verdict(status="scored", value=compared.share, reason=compared.reason)


@dataclass(frozen=True, kw_only=True)
class Exact(Rule[Comparison]):
    """`exact`: right when the normalised texts are equal.

    Attributes:
        normaliser: name of a normaliser (see docs/reference/scorers.md); "none" compares as is.
    """

    normaliser: str = "none"

    name: ClassVar[str] = "exact"
    version: ClassVar[str] = "1"
    measure_name: ClassVar[str] = "exact"

    def __post_init__(self) -> None:
        normaliser(self.normaliser)

    def measure(self, *, reference: str, item: Item, prediction: Prediction) -> Comparison:  # noqa: ARG002
        """Return whether the normalised texts are equal; two empty ones never are."""
        form = normaliser(self.normaliser)
        left = form(reference)
        if not left:
            return Comparison(share=None, reason=NOTHING_LEFT)
        is_equal = left == form(prediction.text)
        return Comparison(
            share=float(is_equal), reason="the texts are equal" if is_equal else "the texts differ"
        )

    def decide(self, measured: Comparison) -> Verdict:
        """Return the verdict of the comparison."""
        return _verdict(measured)


@dataclass(frozen=True, kw_only=True)
class QuasiExact(Exact):
    """`quasi_exact`: right when the texts are equal but for case, marks, articles and spaces.

    Source: the quasi-exact match of HELM (Liang et al., 2022), which compares SQuAD normal forms.
    Marks go from numbers too, so "3.14" equals "314": a peer to compare with, not a rule for
    numbers.

    Attributes:
        normaliser: name of a normaliser.
    """

    normaliser: str = "squad"

    name: ClassVar[str] = "quasi_exact"
    version: ClassVar[str] = "1"


@dataclass(frozen=True, kw_only=True)
class Includes(Rule[Comparison]):
    """`includes`: right when the reply contains the reference.

    Attributes:
        normaliser: name of a normaliser.
        whole_words: the reference must not begin or end inside a word of the reply ("5" in "25").
    """

    normaliser: str = "casefold"
    whole_words: bool = False

    name: ClassVar[str] = "includes"
    version: ClassVar[str] = "1"
    measure_name: ClassVar[str] = "includes"

    def __post_init__(self) -> None:
        normaliser(self.normaliser)
        require_flag(self, "whole_words", self.whole_words)

    def measure(self, *, reference: str, item: Item, prediction: Prediction) -> Comparison:  # noqa: ARG002
        """Return whether the normalised reply contains the normalised reference."""
        form = normaliser(self.normaliser)
        left, right = form(reference), form(prediction.text)
        if not left:
            return Comparison(share=None, reason=NOTHING_LEFT)
        if self.whole_words:
            found = re.search(rf"(?<!\w){re.escape(left)}(?!\w)", right) is not None
        else:
            found = left in right
        what = "contains" if found else "does not contain"
        return Comparison(share=float(found), reason=f"the reply {what} the reference")

    def decide(self, measured: Comparison) -> Verdict:
        """Return the verdict of the comparison."""
        return _verdict(measured)


@dataclass(frozen=True, kw_only=True)
class TokenF1(Rule[Comparison]):
    """`token_f1`: harmonic mean of token precision and recall over bags of tokens.

    Source: Rajpurkar et al. (2016), the F1 of SQuAD.  Tokens are words between white space, and
    single characters in Chinese, Japanese and Korean text.

    Attributes:
        normaliser: name of a normaliser.
        threshold: None for the graded value in [0, 1]; else right when F1 reaches it.
    """

    normaliser: str = "squad"
    threshold: float | None = None

    name: ClassVar[str] = "token_f1"
    version: ClassVar[str] = "1"
    measure_name: ClassVar[str] = "token_f1"
    decision_fields: ClassVar[frozenset[str]] = frozenset({"threshold"})

    def __post_init__(self) -> None:
        normaliser(self.normaliser)
        if self.threshold is not None:
            require_share(self, "threshold", self.threshold)

    def measure(self, *, reference: str, item: Item, prediction: Prediction) -> Comparison:  # noqa: ARG002
        """Return the F1 of the two bags of tokens."""
        form = normaliser(self.normaliser)
        left, right = tokens(form(reference)), tokens(form(prediction.text))
        if not left:
            return Comparison(share=None, reason=NOTHING_LEFT)
        shared = sum((Counter(left) & Counter(right)).values())
        f1 = 2 * shared / (len(left) + len(right))
        return Comparison(
            share=f1, reason=f"{shared} shared tokens of {len(left)} and {len(right)}"
        )

    def decide(self, measured: Comparison) -> Verdict:
        """Return the graded verdict, or 0/1 when there is a threshold."""
        if self.threshold is None or measured.share is None:
            return _verdict(measured)
        is_right = measured.share >= self.threshold and measured.share > 0
        return right_or_wrong(is_right=is_right, reason=measured.reason)
