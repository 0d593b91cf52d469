"""One builder at a time.  In: the directory of an index.  Out: it is held, or an error."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from finassay.errors import BusyIndexError
from finassay.study.locking import lock_at_once

LOCK = "lock"


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Hold an index against other builders until the block ends; readers are not kept out.

    The hold goes when the process does, however it ends.

    Raises:
        BusyIndexError: another process holds it.
    """
    handle = os.open(path / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        if not lock_at_once(handle):
            raise BusyIndexError(
                f"another process is building the index at {path}; wait for it, or stop it and "
                f"build again: what it embedded is kept"
            )
        yield
    finally:
        os.close(handle)
