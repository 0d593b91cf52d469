"""Documents from files.  In: paths.  Out: clean texts with what is known of them, and problems."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from finassay.retrieval.records import Loaded


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one file may cost; a file that needs more is a problem, not a crash.

    Attributes:
        bytes: largest file that is opened.
        characters: longest text of one document.
        pdf_seconds: longest time for one PDF.
        pdf_bytes: most memory for reading PDFs.
    """

    bytes: int = 64 * 2**20
    characters: int = 20_000_000
    pdf_seconds: float = 120.0
    pdf_bytes: int = 2 * 2**30


def load_documents(
    paths: Iterable[Path], *, metadata: Sequence[Path] = (), limits: Limits | None = None
) -> Loaded:
    """Return the documents in files and folders, and what was wrong with the others.

    Args:
        paths: files (.txt, .md, .html, .htm, .pdf) and folders, which are read with all below.
        metadata: side tables (CSV or JSON) that say what documents are.
        limits: what one file may cost.

    Raises:
        InputError: a path does not exist, or a side table cannot be read.
    """
    raise NotImplementedError
