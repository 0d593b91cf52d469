"""Refused writes and damaged files.  In: errors of libraries.  Out: errors of ours.

The libraries that read and write tables tell a full disk, a missing right and a damaged file in
errors of their own, each in its own words.  Here they become errors that say what to do.
"""

from __future__ import annotations

import errno
import os
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from deltalake.exceptions import CommitFailedError, DeltaError
from polars.exceptions import PolarsError

from finassay.errors import DiskError, FinassayError, StudyError

LIBRARY_ERRORS: tuple[type[Exception], ...] = (DeltaError, PolarsError)
"""What the libraries of tables raise for files that they cannot read or write."""

_FREE = "free some space and run it again"
_RIGHTS = "give this user the right to write there, or work on a copy elsewhere"
_ADVICE: Mapping[int, str] = {
    errno.ENOSPC: _FREE,
    errno.EDQUOT: _FREE,
    errno.EFBIG: "let the process write longer files (`ulimit -f unlimited`) and run it again",
    errno.EROFS: "make it writable, or work on a copy elsewhere",
    errno.EACCES: _RIGHTS,
    errno.EPERM: _RIGHTS,
    errno.EMFILE: "let the process open more files (`ulimit -n 1024`) and run it again",
    errno.ENFILE: "close other programs and run it again",
    errno.EIO: "the disk is failing: copy what can be read to another",
}
_NUMBER = re.compile(r"\(os error (\d+)\)")
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_OF_A_FILE = re.compile(r"parquet|out-of-spec|ARROW:schema|snappy|thrift", re.IGNORECASE)
LEAST_ROOM = 64 * 1024
"""Bytes that a disk must have left before anything is written to a table."""

_PANIC = "PanicException"
"""What a library of compiled code raises where it gives up; it is no `Exception`."""

_LONGEST = 200


def advice(number: int | None) -> str:
    """Return what to do about an error of the system, by its number."""
    return _ADVICE.get(number or 0, "mend that and run it again")


def system_error(error: BaseException) -> int | None:
    """Return the number of the system's error that another error rests on, or None."""
    if isinstance(error, OSError) and error.errno is not None:
        return error.errno
    found = _NUMBER.search(str(error))
    return int(found[1]) if found else None


def in_one_line(error: BaseException) -> str:
    """Return what an error says, in one short line without colours."""
    said = " ".join(_COLOUR.sub("", str(error)).split())
    return said if len(said) <= _LONGEST else said[: _LONGEST - 4] + " ..."


def in_our_words(error: Exception, what: str = "a table of the study") -> FinassayError | None:
    """Return the error that an error of a library stands for; None for a fault of the program.

    Args:
        error: of the system or of a library.
        what: what was read or written.
    """
    number = system_error(error)
    if number is not None:
        return DiskError(f"{what}: {os.strerror(number)}; {advice(number)}")
    if isinstance(error, PolarsError) and not _OF_A_FILE.search(str(error)):
        return None
    return StudyError(
        f"{what} cannot be read: {in_one_line(error)}; a file is damaged: `finassay study check` "
        f"says which; restore the study from a copy"
    )


def require_room(folder: Path) -> None:
    """Return if a folder and its disk take writes at all.

    The storage library finds out as well, but its threads print their own cries before it says so.

    Raises:
        OSError: the disk is read-only or full, or the user has no right to write to the folder.
    """
    if not os.access(folder, os.W_OK):
        number = errno.EACCES
        if hasattr(os, "statvfs") and os.statvfs(folder).f_flag & os.ST_RDONLY:
            number = errno.EROFS
        raise OSError(number, os.strerror(number))
    if not hasattr(os, "statvfs"):
        return
    found = os.statvfs(folder)
    # Some file systems over a network do not say how large they are.
    if found.f_blocks and found.f_bfree * found.f_frsize < LEAST_ROOM:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def from_library(error: BaseException) -> FinassayError | None:
    """Return the error that an error of a library of tables stands for; None for any other."""
    if isinstance(error, LIBRARY_ERRORS):
        return in_our_words(error)
    stores = sys.modules.get("sqlalchemy.exc")
    if stores is not None and isinstance(error, stores.DBAPIError):
        return StudyError(
            f"the label store cannot be read: {in_one_line(error.orig or error)}; if it is "
            f"damaged, move it away and bring back a copy with `finassay study restore-labels`"
        )
    if type(error).__name__ == _PANIC:
        return StudyError(
            f"a file of tables cannot be read: {in_one_line(error)}; `finassay study check` says "
            f"whether one is damaged; restore the study from a copy"
        )
    return None


@contextmanager
def writing(what: str) -> Iterator[None]:
    """Let a refused write end as a `DiskError`, and another writer's commit as it is.

    Args:
        what: what is written, as a message begins.

    Raises:
        DiskError: the disk is full, is read-only or refuses for another reason.
        StudyError: the storage library gives up for a reason of its own.
    """
    try:
        yield
    except (OSError, DeltaError, PolarsError) as error:
        number = system_error(error)
        if isinstance(error, CommitFailedError) and number is None:
            raise
        if number is not None:
            raise DiskError(
                f"{what} cannot be written: {os.strerror(number)}; what was committed before is "
                f"kept, nothing else was changed; {advice(number)}"
            ) from error
        ours = None if isinstance(error, OSError) else in_our_words(error, what)
        if ours is None:
            raise
        raise ours from error
