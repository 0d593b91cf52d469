"""Overlap of texts through well-kept libraries.  In: an item and a prediction.  Out: [0, 1].

Graded, or 0 and 1 with a threshold.  Overlap does not see a negation, a bound or a unit: these are
peers to compare with.  The packages come with the extra `overlap` and are imported when a rule
first measures.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Literal, Protocol, get_args

from finassay.records import Item, Prediction, Status, Verdict
from finassay.scorers.base import (
    Rule,
    require_count,
    require_flag,
    require_one_of,
    require_share,
    right_or_wrong,
)
from finassay.scorers.extras import load_extra
from finassay.scorers.strings import NOTHING_LEFT
from finassay.text.normalisers import words
from finassay.text.tokens import tokens as cjk_tokens

EXTRA = "overlap"

MOST_PAIRS = 4_000_000
"""Pairs of tokens that a rule of quadratic cost compares; longer texts are `failed`."""

RougeKind = Literal["rouge1", "rouge2", "rougeL"]
RougePart = Literal["f1", "precision", "recall"]
RougeTokens = Literal["rouge", "cjk"]
BleuTokens = Literal["13a", "intl", "zh", "char", "none"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Overlap:
    """Degree to which two texts overlap; `share` is None where `status` says why.

    Attributes:
        share: in [0, 1], or None.
        reason: what the degree means, or why there is none.
        status: "scored" exactly when there is a share.
    """

    share: float | None
    reason: str
    status: Status = "scored"


NO_REFERENCE = Overlap(share=None, reason=NOTHING_LEFT, status="not_applicable")


@dataclass(frozen=True, kw_only=True)
class OverlapRule(Rule[Overlap]):
    """A graded rule with an optional threshold.

    Attributes:
        threshold: None for the graded value in [0, 1]; else right when it is reached.
    """

    threshold: float | None = None

    decision_fields: ClassVar[frozenset[str]] = frozenset({"threshold"})

    def __post_init__(self) -> None:
        if self.threshold is not None:
            require_share(self, "threshold", self.threshold)

    @abstractmethod
    def overlap(self, reference: str, reply: str) -> Overlap:
        """Return how far two texts overlap."""

    def measure(self, *, reference: str, item: Item, prediction: Prediction) -> Overlap:  # noqa: ARG002
        """Return how far reference and reply overlap."""
        return self.overlap(reference, prediction.text)

    def decide(self, measured: Overlap) -> Verdict:
        """Return the graded verdict, or 0/1 when there is a threshold."""
        if measured.share is None:
            return Verdict(status=measured.status, reason=measured.reason)
        if self.threshold is None:
            return Verdict(status="scored", value=measured.share, reason=measured.reason)
        is_right = measured.share >= self.threshold and measured.share > 0
        return right_or_wrong(is_right=is_right, reason=measured.reason)


def within_limit(left: int, right: int, rule: str) -> Overlap | None:
    """Return the failed measure of texts that are too long to compare token by token, or None."""
    if left * right <= MOST_PAIRS:
        return None
    reason = f"{left} and {right} tokens are too many for {rule} (at most {MOST_PAIRS} pairs)"
    return Overlap(share=None, reason=reason, status="failed")


@dataclass(frozen=True, kw_only=True)
class Rouge(OverlapRule):
    """`rouge`: ROUGE-1, ROUGE-2 or ROUGE-L of the reply against the reference.

    Source: Lin (2004), through the package rouge-score.

    Attributes:
        threshold: None for the graded value; else right when it is reached.
        kind: "rouge1" and "rouge2" count n-grams, "rougeL" the longest common subsequence.
        part: "f1", "precision" or "recall".
        tokens: "rouge" keeps the letters a to z and digits, as the package does, so nothing is
            left of other scripts; "cjk" keeps all words, and single characters of Chinese,
            Japanese and Korean.
        stemmed: English words of more than three letters are stemmed ("rouge" tokens only).
    """

    kind: RougeKind = "rougeL"
    part: RougePart = "f1"
    tokens: RougeTokens = "rouge"
    stemmed: bool = False

    name: ClassVar[str] = "rouge"
    version: ClassVar[str] = "1"
    measure_name: ClassVar[str] = "rouge"

    def __post_init__(self) -> None:
        super().__post_init__()
        require_one_of(self, "kind", self.kind, get_args(RougeKind))
        require_one_of(self, "part", self.part, get_args(RougePart))
        require_one_of(self, "tokens", self.tokens, get_args(RougeTokens))
        require_flag(self, "stemmed", self.stemmed)

    def overlap(self, reference: str, reply: str) -> Overlap:
        """Return the chosen part of the chosen ROUGE."""
        tokenizer = _rouge_tokenizer(self.tokens, self.stemmed)
        left, right = len(tokenizer.tokenize(reference)), len(tokenizer.tokenize(reply))
        if not left:
            return NO_REFERENCE
        if self.kind == "rouge2" and left == 1:
            return Overlap(share=None, reason="one word has no bigram", status="not_applicable")
        if self.kind == "rougeL" and (too_long := within_limit(left, right, self.kind)):
            return too_long
        found = _rouge(self.kind, self.tokens, self.stemmed).score(reference, reply)[self.kind]
        shares = {"f1": found.fmeasure, "precision": found.precision, "recall": found.recall}
        share = float(shares[self.part])
        return Overlap(share=share, reason=f"{self.kind} {self.part} is {share:.3f}")


@dataclass(frozen=True, kw_only=True)
class Bleu(OverlapRule):
    """`bleu`: sentence BLEU of the reply against the reference, as a share.

    Source: Papineni et al. (2002) with exponential smoothing over the orders that the reply has,
    through the package sacrebleu.

    Attributes:
        threshold: None for the graded value; else right when it is reached.
        tokens: tokeniser of sacrebleu; "zh" splits Chinese into characters, "char" all text.
        lowercase: case is ignored.
    """

    tokens: BleuTokens = "13a"
    lowercase: bool = False

    name: ClassVar[str] = "bleu"
    version: ClassVar[str] = "1"
    measure_name: ClassVar[str] = "bleu"

    def __post_init__(self) -> None:
        super().__post_init__()
        require_one_of(self, "tokens", self.tokens, get_args(BleuTokens))
        require_flag(self, "lowercase", self.lowercase)

    def overlap(self, reference: str, reply: str) -> Overlap:
        """Return sentence BLEU / 100."""
        found = _bleu(self.tokens, self.lowercase).sentence_score(reply, [reference])
        share = min(1.0, max(0.0, float(found.score) / 100))
        return Overlap(share=share, reason=f"BLEU is {100 * share:.1f} of 100")


@dataclass(frozen=True, kw_only=True)
class Chrf(OverlapRule):
    """`chrf`: F-score of character n-grams, as a share; white space does not count.

    Source: Popović (2015, 2017), through the package sacrebleu.  It needs no words, so it serves
    scripts without spaces.

    Attributes:
        threshold: None for the graded value; else right when it is reached.
        word_order: 0 for chrF, 2 for chrF++.
        lowercase: case is ignored.
    """

    word_order: int = 0
    lowercase: bool = False

    name: ClassVar[str] = "chrf"
    version: ClassVar[str] = "1"
    measure_name: ClassVar[str] = "chrf"

    def __post_init__(self) -> None:
        super().__post_init__()
        require_count(self, "word_order", self.word_order, least=0, most=2)
        require_flag(self, "lowercase", self.lowercase)

    def overlap(self, reference: str, reply: str) -> Overlap:
        """Return chrF / 100."""
        found = _chrf(self.word_order, self.lowercase).sentence_score(reply, [reference])
        share = min(1.0, max(0.0, float(found.score) / 100))
        return Overlap(share=share, reason=f"chrF is {100 * share:.1f} of 100")


class _Tokenizer(Protocol):
    def tokenize(self, text: str) -> list[str]: ...


class _CjkTokenizer:
    """Words in lower case, and single characters of scripts without spaces."""

    def tokenize(self, text: str) -> list[str]:
        return cjk_tokens(words(text))


class _RougeScore(Protocol):
    precision: float
    recall: float
    fmeasure: float


class _RougeScorer(Protocol):
    def score(self, target: str, prediction: str) -> dict[str, _RougeScore]: ...


class _Scored(Protocol):
    score: float


class _SentenceMetric(Protocol):
    def sentence_score(self, hypothesis: str, references: list[str]) -> _Scored: ...


@lru_cache(maxsize=8)
def _rouge_tokenizer(tokens: RougeTokens, stemmed: bool) -> _Tokenizer:  # noqa: FBT001 - a cache key
    if tokens == "cjk":
        return _CjkTokenizer()
    module = load_extra("rouge_score.tokenizers", scorer="rouge", extra=EXTRA)
    tokenizer: _Tokenizer = module.DefaultTokenizer(use_stemmer=stemmed)
    return tokenizer


@lru_cache(maxsize=16)
def _rouge(kind: RougeKind, tokens: RougeTokens, stemmed: bool) -> _RougeScorer:  # noqa: FBT001
    module = load_extra("rouge_score.rouge_scorer", scorer="rouge", extra=EXTRA)
    scorer: _RougeScorer = module.RougeScorer([kind], tokenizer=_rouge_tokenizer(tokens, stemmed))
    return scorer


@lru_cache(maxsize=16)
def _bleu(tokens: BleuTokens, lowercase: bool) -> _SentenceMetric:  # noqa: FBT001
    module = load_extra("sacrebleu.metrics.bleu", scorer="bleu", extra=EXTRA)
    metric: _SentenceMetric = module.BLEU(
        tokenize=tokens, lowercase=lowercase, effective_order=True
    )
    return metric


@lru_cache(maxsize=16)
def _chrf(word_order: int, lowercase: bool) -> _SentenceMetric:  # noqa: FBT001
    module = load_extra("sacrebleu.metrics.chrf", scorer="chrf", extra=EXTRA)
    metric: _SentenceMetric = module.CHRF(word_order=word_order, lowercase=lowercase)
    return metric
