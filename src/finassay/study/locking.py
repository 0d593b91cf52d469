"""Locks on open files.  In: a handle.  Out: whether this process holds it now.

The lock ends with the process, however it ends, so a kill leaves nothing to be cleaned up.
"""

from __future__ import annotations

import sys


def lock_at_once(handle: int) -> bool:
    """Return whether the lock on an open file was free, and is now held; never waits."""
    if sys.platform == "win32":
        import msvcrt  # noqa: PLC0415 - only there

        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
    import fcntl  # noqa: PLC0415 - not everywhere

    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
