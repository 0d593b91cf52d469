"""METEOR, with WordNet and without.  In: an item and a prediction.  Out: a value in [0, 1].

Two scorers, so that a machine without WordNet never gives other numbers under the same name.
WordNet is data that nltk looks for on its own path; nothing is downloaded.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Protocol

from finassay.errors import MissingExtraError
from finassay.scorers.extras import load_extra
from finassay.scorers.overlap import EXTRA, NO_REFERENCE, Overlap, OverlapRule, within_limit
from finassay.text.normalisers import normaliser
from finassay.text.tokens import tokens


class SynsetSource(Protocol):
    """What METEOR asks of a dictionary."""

    def synsets(self, word: str) -> list[object]:
        """Return the senses of a word."""


@dataclass(frozen=True, kw_only=True)
class MeteorRule(OverlapRule):
    """METEOR over some dictionary of synonyms.

    Attributes:
        threshold: None for the graded value; else right when it is reached.
        normaliser: name of a normaliser; tokens are words, and single characters of Chinese,
            Japanese and Korean.
    """

    normaliser: str = "words"

    def __post_init__(self) -> None:
        super().__post_init__()
        normaliser(self.normaliser)

    @abstractmethod
    def synonyms(self) -> SynsetSource:
        """Return the dictionary."""

    def overlap(self, reference: str, reply: str) -> Overlap:
        """Return METEOR of the reply against the reference."""
        form = normaliser(self.normaliser)
        left, right = tokens(form(reference)), tokens(form(reply))
        module = load_extra("nltk.translate.meteor_score", scorer=self.name, extra=EXTRA)
        dictionary = self.synonyms()
        if not left:
            return NO_REFERENCE
        too_long = within_limit(len(left), len(right), "METEOR")
        if too_long is not None:
            return too_long
        share = min(1.0, float(module.single_meteor_score(left, right, wordnet=dictionary)))
        return Overlap(share=share, reason=f"METEOR is {share:.3f}")


@dataclass(frozen=True, kw_only=True)
class Meteor(MeteorRule):
    """`meteor`: METEOR with exact, stemmed and WordNet synonym matches; needs WordNet for nltk.

    Source: Lavie and Agarwal (2007), through nltk.  One word that equals the reference gets 0.5:
    the penalty for fragments is largest for a single match.

    Attributes:
        threshold: None for the graded value; else right when it is reached.
        normaliser: name of a normaliser.
    """

    name: ClassVar[str] = "meteor"
    version: ClassVar[str] = "1"
    measure_name: ClassVar[str] = "meteor"

    def synonyms(self) -> SynsetSource:
        """Return WordNet as nltk finds it.

        Raises:
            MissingExtraError: it is not on nltk's data path.
        """
        return _wordnet()


@dataclass(frozen=True, kw_only=True)
class MeteorNoWordNet(MeteorRule):
    """`meteor-nowordnet`: METEOR with exact and stemmed matches only.

    Attributes:
        threshold: None for the graded value; else right when it is reached.
        normaliser: name of a normaliser.
    """

    name: ClassVar[str] = "meteor-nowordnet"
    version: ClassVar[str] = "1"
    measure_name: ClassVar[str] = "meteor_nowordnet"

    def synonyms(self) -> SynsetSource:
        """Return a dictionary without entries."""
        return _NO_SYNONYMS


class _NoSynonyms:
    def synsets(self, word: str) -> list[object]:  # noqa: ARG002 - WordNet's signature
        return []


_NO_SYNONYMS = _NoSynonyms()


@lru_cache(maxsize=1)
def _wordnet() -> SynsetSource:
    corpus = load_extra("nltk.corpus", scorer="meteor", extra=EXTRA)
    data = load_extra("nltk.data", scorer="meteor", extra=EXTRA)
    try:
        corpus.wordnet.ensure_loaded()
    except (LookupError, OSError) as error:
        raise MissingExtraError(
            f"the scorer 'meteor' needs WordNet, which nltk looks for as corpora/wordnet in "
            f"{', '.join(data.path) or 'no folder'}; install it with: python -m nltk.downloader "
            f"wordnet, or name a folder that holds it in NLTK_DATA; 'meteor-nowordnet' needs none"
        ) from error
    found: SynsetSource = corpus.wordnet
    return found
