"""Row digests in order, in bounded memory.  In: 32-byte strings.  Out: the SHA-256 of all, sorted.

Up to `MOST_HELD` of them are sorted where they are; more are sorted part by part into a temporary
file, which is read back in slices by their first byte.
"""

from __future__ import annotations

import hashlib
import tempfile
from types import TracebackType
from typing import IO, Self

import numpy as np
from numpy.typing import NDArray

WIDTH = 32
"""Bytes of the digest of a row."""

ROW_DIGEST = f"S{WIDTH}"
"""The digest of a row as an element of an array; sorted byte by byte."""

MOST_HELD = 4_000_000
"""Row digests that are held in memory (128 MB)."""

_SLICES = 256


class SortedRows:
    """Collects the digests of rows; a context manager, for its temporary file."""

    def __init__(self, most_held: int = MOST_HELD) -> None:
        self._most = most_held
        self._held = bytearray()
        self._file: IO[bytes] | None = None
        self._starts: list[NDArray[np.int64]] = []
        self._written = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._file is not None:
            self._file.close()

    def add(self, rows: bytes) -> None:
        """Add the digests of some rows, one after the other."""
        self._held += rows
        if len(self._held) >= self._most * WIDTH:
            self._set_aside()

    def hexdigest(self) -> str:
        """Return the SHA-256 of all digests in order: 64 hexadecimal digits."""
        if self._file is None:
            _sort(self._held)
            return hashlib.sha256(self._held).hexdigest()
        self._set_aside()
        hashed = hashlib.sha256()
        for first in range(_SLICES):
            some = bytearray().join(self._slice(starts, first) for starts in self._starts)
            _sort(some)
            hashed.update(some)
        return hashed.hexdigest()

    def _set_aside(self) -> None:
        """Write what is held to the file in order, and note where each first byte begins."""
        if not self._held:
            return
        if self._file is None:
            self._file = tempfile.TemporaryFile(prefix="finassay-digest-")  # noqa: SIM115 - closed
        _sort(self._held)
        firsts = np.frombuffer(self._held, dtype=np.uint8)[::WIDTH]
        starts = np.searchsorted(firsts, np.arange(_SLICES + 1)).astype(np.int64)
        self._starts.append(self._written + starts * WIDTH)
        self._file.seek(self._written)
        self._file.write(self._held)
        self._written += len(self._held)
        self._held = bytearray()

    def _slice(self, starts: NDArray[np.int64], first: int) -> bytes:
        begin, end = int(starts[first]), int(starts[first + 1])
        if self._file is None or begin == end:
            return b""
        self._file.seek(begin)
        return self._file.read(end - begin)


def _sort(held: bytearray) -> None:
    np.frombuffer(held, dtype=ROW_DIGEST).sort()
