"""Files below paths.  In: files and folders.  Out: every regular file once, and problems."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from finassay.errors import InputError
from finassay.retrieval.embedding import WORK
from finassay.retrieval.holding import LOCK
from finassay.retrieval.records import Problem
from finassay.retrieval.storage import GENERATIONS


class Found(NamedTuple):
    """A file.

    Attributes:
        path: where it is.
        name: its path below the folder that was named, with "/" between the parts.
        is_named: whether it was named itself, and not found in a folder.
    """

    path: Path
    name: str
    is_named: bool


def files_below(paths: Iterable[Path]) -> Iterator[Found | Problem]:
    """Yield the files in order of names; hidden ones and indexes in folders are left out.

    Links are followed, but into no folder twice.

    Raises:
        InputError: a path does not exist.
    """
    for path in paths:
        try:
            mode = path.stat().st_mode
        except OSError as error:
            raise InputError(
                f"{path}: expected a file or folder with documents: {error.strerror}; name one "
                f"that exists"
            ) from error
        if stat.S_ISDIR(mode):
            yield from _in_folder(path, "", set())
        else:
            yield _file(path, shown(path.name), mode, is_named=True)


def shown(name: str) -> str:
    """Return a file name as text; bytes that are no text become replacement characters."""
    return os.fsencode(name).decode("utf-8", "replace")


def _in_folder(root: Path, below: str, seen: set[tuple[int, int]]) -> Iterator[Found | Problem]:
    folders = [(root, below)]
    while folders:
        folder, prefix = folders.pop()
        where = prefix or str(folder)
        try:
            told = folder.stat()
            entries = sorted(os.scandir(folder), key=lambda entry: os.fsencode(entry.name))
        except OSError as error:
            yield _unopened(where, error)
            continue
        if (told.st_dev, told.st_ino) in seen:
            yield Problem(
                where=where,
                what="a link leads back to a folder that was read",
                expected="a folder that was not read yet",
                got=str(folder.resolve()),
                advice="remove the link; its documents were read where it leads",
            )
            continue
        seen.add((told.st_dev, told.st_ino))
        # An index may lie among its documents; its files are none of them.
        names = {entry.name for entry in entries}
        if prefix and LOCK in names and not names.isdisjoint({GENERATIONS, WORK}):
            continue
        inner = []
        for entry in entries:
            if entry.name.startswith("."):
                continue
            name = f"{prefix}/{shown(entry.name)}".removeprefix("/")
            path = Path(entry.path)
            try:
                mode = path.stat().st_mode
            except OSError as error:
                yield _unopened(name, error)
                continue
            if stat.S_ISDIR(mode):
                inner.append((path, name))
            else:
                yield _file(path, name, mode, is_named=False)
        folders += reversed(inner)


def _file(path: Path, name: str, mode: int, *, is_named: bool) -> Found | Problem:
    if stat.S_ISREG(mode):
        return Found(path, name, is_named)
    return Problem(
        where=name,
        what="this is no regular file",
        expected="a file with a document",
        got="a pipe, socket or device",
        advice="save what it gives as a file",
    )


def _unopened(where: str, error: OSError) -> Problem:
    return Problem(
        where=where,
        what="it cannot be opened",
        expected="a file or folder that can be read",
        got=error.strerror or type(error).__name__,
        advice="check permissions and links",
    )
