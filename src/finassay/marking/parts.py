"""Verdict partitions written aside.  In: what they were made of.  Out: files to be committed.

The name of a file holds what it was made of and the digest of its bytes, so a process that goes on
after a kill finds what was finished and tells a whole file from a cut one.  The files stand beside
the tables under names that end in .tmp, where `finassay study clean` and a redaction remove them.
"""

from __future__ import annotations

import hashlib
import uuid
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from finassay import stopping

PREFIX = "marked"
DIGEST_DIGITS = 32
"""Hexadecimal digits of a file's digest in its name: 128 bits."""


@dataclass(frozen=True, slots=True)
class PartFile:
    """A part of a partition on disk.

    Attributes:
        name: file in the study's directory.
        made: verdicts in it that were made, not kept.
    """

    name: str
    made: int


def write_part(root: Path, inputs: str, rows: pl.DataFrame, *, made: int) -> PartFile:
    """Write verdicts beside the tables, whole or not at all, and return where.

    Args:
        root: directory of the study.
        inputs: digest of all that the rows follow from.
        rows: with the columns of the verdict table.
        made: how many of them were made.
    """
    aside = root / f"{PREFIX}-{uuid.uuid4().hex}.tmp"
    rows.write_parquet(aside)
    part = PartFile(f"{PREFIX}-{inputs}-{made}-{_digest(aside)}.tmp", made)
    stopping.checkpoint()
    aside.replace(root / part.name)
    return part


def find_part(root: Path, inputs: str) -> PartFile | None:
    """Return the part that was made of these inputs, if it is there and its digest holds."""
    for path in sorted(root.glob(f"{PREFIX}-{inputs}-*.tmp")):
        _, _, made, digest = path.stem.split("-")
        if digest == _digest(path):
            return PartFile(path.name, int(made))
    return None


def _digest(path: Path) -> str:
    with path.open("rb") as held:
        return hashlib.file_digest(held, "sha256").hexdigest()[:DIGEST_DIGITS]
