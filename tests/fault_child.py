"""One command in a process of its own, under straits that are laid on it before it begins."""

from __future__ import annotations

import os
import resource
import sys
from dataclasses import dataclass
from multiprocessing.connection import Connection

import finassay.analyses.audit
import finassay.marking.scoring
import finassay.reports.workflow
import finassay.runs.importers.mixed
import finassay.study.check
import finassay.study.clean
import finassay.study.labels  # noqa: F401 - loaded once, before children are forked
from finassay.apps.cli import main


@dataclass(frozen=True, kw_only=True)
class Straits:
    """What a command must do with.

    Attributes:
        file_bytes: longest file that it may write (RLIMIT_FSIZE).
        open_files: most files that it may hold open (RLIMIT_NOFILE).
        uid: user whose rights it has.
        tmpdir: value of TMPDIR; "" takes the variable away.
    """

    file_bytes: int | None = None
    open_files: int | None = None
    uid: int | None = None
    tmpdir: str | None = None

    def lay_on(self) -> None:
        """Lay the straits on this process."""
        if self.tmpdir is not None:
            os.environ["TMPDIR"] = self.tmpdir
            if not self.tmpdir:
                del os.environ["TMPDIR"]
        if self.file_bytes is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (self.file_bytes, resource.RLIM_INFINITY))
        if self.open_files is not None:
            resource.setrlimit(resource.RLIMIT_NOFILE, (self.open_files, self.open_files))
        if self.uid is not None:
            os.setgroups([])
            os.setresgid(self.uid, self.uid, self.uid)
            os.setresuid(self.uid, self.uid, self.uid)


def work(
    words: tuple[str, ...], straits: Straits, shown: tuple[str, str], parent: Connection
) -> None:
    """Say "ready", wait for the word, run the command, and end with its exit code."""
    for path, stream in zip(shown, (1, 2), strict=True):
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        os.dup2(handle, stream)
        os.close(handle)
    sys.stdout, sys.stderr = (os.fdopen(stream, "w", 1, closefd=False) for stream in (1, 2))
    sys.argv = ["finassay", *words]
    parent.send("ready")
    parent.recv()
    straits.lay_on()
    main()
