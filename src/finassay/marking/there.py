"""A pinned study in another process.  In: a path and versions.  Out: a snapshot."""

from __future__ import annotations

import socket
from collections.abc import Sequence

from finassay.errors import MarkingError, NoStudyError
from finassay.study.snapshot import Snapshot
from finassay.study.study import Study

Versions = tuple[tuple[str, int], ...]
"""Version of each table of a study."""


def place_of(snapshot: Snapshot) -> tuple[str, Versions]:
    """Return where a snapshot's study stands, and its versions, as another process needs them."""
    return str(snapshot.root.resolve()), tuple(snapshot.versions.items())


def snapshot_there(root: str, versions: Sequence[tuple[str, int]]) -> Snapshot:
    """Return the snapshot of a study as a worker sees it.

    Raises:
        MarkingError: the worker's machine does not see the study.
    """
    try:
        return Study.open(root).snapshot(dict(versions))
    except NoStudyError as error:
        raise MarkingError(
            f"the worker on {socket.gethostname()!r} sees no study at {root!r}; expected every "
            f"machine to see it under that path; put the study on a file system that they share"
        ) from error
