"""Vectors of many texts.  In: texts by digest.  Out: vectors by digest, none made twice.

Texts are embedded in blocks, and a block that is done is kept in a folder until the index that
needs it is written: a build that was killed goes on where it stopped.
"""

from __future__ import annotations

import hashlib
import shutil
import zipfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from finassay.retrieval.contents import Contents
from finassay.retrieval.embedders import Embedder

Progress = Callable[[int, int], None]
"""Called with how many texts are embedded, and of how many."""

BLOCK = 64
"""Texts that are embedded, and kept, at a time."""

WORK = "work"

Found = dict[str, NDArray[np.float32]]


class Embedding:
    """Makes vectors of texts, and remembers those that were made before."""

    def __init__(
        self,
        embedder: Embedder,
        *,
        progress: Progress | None = None,
        folder: Path | None = None,
        old: Contents | None = None,
    ) -> None:
        """Keep where vectors come from.

        Args:
            embedder: makes those that are not known.
            progress: told of every block.
            folder: where blocks are kept; None to keep none.
            old: contents of an index with vectors of the same embedder.
        """
        self._embedder = embedder
        self._progress = progress
        self._folder = None if folder is None else folder / _name_of(embedder)
        self._old = old
        self.n_embedded = 0

    def __call__(self, texts: Mapping[str, str]) -> Mapping[str, NDArray[np.float32]]:
        """Return the vectors of texts, under the same keys."""
        found = self._known(texts)
        missing = sorted(texts.keys() - found.keys(), key=lambda key: (len(texts[key]), key))
        for at in range(0, len(missing), BLOCK):
            block = missing[at : at + BLOCK]
            vectors = self._embedder.passages([texts[key] for key in block])
            self._keep(block, vectors)
            found.update(zip(block, vectors, strict=True))
            self.n_embedded += len(block)
            if self._progress is not None:
                self._progress(self.n_embedded, len(missing))
        return found

    def _known(self, texts: Mapping[str, str]) -> Found:
        found: Found = {}
        if self._old is not None and self._old.vectors is not None:
            for row, key in enumerate(self._old.chunks["embedded"]):
                if key in texts:
                    found[key] = self._old.vectors[row]
        if self._folder is not None and self._folder.is_dir():
            for file in sorted(self._folder.glob("*.npz")):
                found.update((key, one) for key, one in _block(file) if key in texts)
        return found

    def _keep(self, keys: list[str], vectors: NDArray[np.float32]) -> None:
        if self._folder is None:
            return
        self._folder.mkdir(parents=True, exist_ok=True)
        name = hashlib.sha256("".join(keys).encode()).hexdigest()[:32]
        aside = self._folder / f"{name}.part"
        with aside.open("wb") as stream:
            np.savez(stream, keys=np.array(keys, dtype="S32"), vectors=vectors)
        aside.replace(self._folder / f"{name}.npz")


def forget_blocks(folder: Path) -> None:
    """Remove the blocks of builds that ended."""
    shutil.rmtree(folder, ignore_errors=True)


def _block(file: Path) -> Iterator[tuple[str, NDArray[np.float32]]]:
    """Yield what a block holds; one that cannot be read holds nothing, and is made again."""
    try:
        with file.open("rb") as stream, np.load(stream, allow_pickle=False) as read:
            keys, vectors = read["keys"].tolist(), read["vectors"]
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        file.unlink(missing_ok=True)
        return
    yield from zip((key.decode() for key in keys), vectors, strict=False)


def _name_of(embedder: Embedder) -> str:
    told = f"{embedder.embedder_id}|{embedder.weights}"
    return hashlib.sha256(told.encode()).hexdigest()[:32]
