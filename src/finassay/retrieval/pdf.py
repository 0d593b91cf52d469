"""PDFs.  In: a file and its limits.  Out: the text of its pages, read in a process of its own."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from finassay.errors import MissingExtraError
from finassay.retrieval.cleaning import joined_pages
from finassay.retrieval.records import Limits, Problem

CHILD = Path(__file__).with_name("pdf_child.py")


@dataclass(frozen=True, slots=True, kw_only=True)
class Pages:
    """What was read from a PDF.

    Attributes:
        text: clean text of all pages.
        starts: offset at which each page begins.
        title: title in the file's own description, "" for none.
        n_blank: pages without text.
    """

    text: str
    starts: tuple[int, ...]
    title: str = ""
    n_blank: int = 0


def pages_of_pdf(path: Path, *, where: str, limits: Limits) -> Pages | Problem:
    """Return the pages of a PDF, or what is wrong with it.

    Raises:
        MissingExtraError: pdfplumber is not installed.
    """
    if importlib.util.find_spec("pdfplumber") is None:
        raise MissingExtraError(
            "reading PDFs needs the package 'pdfplumber', which is not installed; install it with: "
            "pip install 'finassay[documents]', or convert the files to text"
        )
    arguments = [sys.executable, "-P", str(CHILD), str(path.resolve())]
    limited = [*arguments, str(limits.pdf_memory), str(limits.characters)]
    try:
        ran = subprocess.run(  # noqa: S603 - our own program, and a path that is one argument
            limited, capture_output=True, check=False, timeout=limits.pdf_seconds
        )
    except subprocess.TimeoutExpired:
        return _costly(where, f"at most {limits.pdf_seconds:g} seconds", "more")
    if ran.returncode != 0:
        return _died(where, ran.stderr.decode("utf-8", "replace"), limits)
    found = json.loads(ran.stdout)
    if "problem" in found:
        return _refused(where, found["problem"], found.get("got", ""), limits)
    text, starts = joined_pages(found["pages"])
    n_blank = sum(not page.strip() for page in found["pages"])
    if not text:
        return Problem(
            where=where,
            what="the PDF holds no text",
            expected="pages with text",
            got=f"none on {len(starts)} pages, as a scanner makes them",
            advice="run character recognition over it first (for instance ocrmypdf)",
        )
    return Pages(text=text, starts=starts, title=found["title"], n_blank=n_blank)


def _died(where: str, errors: str, limits: Limits) -> Problem:
    last = errors.strip().splitlines()[-1:] or ["no message"]
    if "MemoryError" in last[0] or not errors.strip():
        return _costly(where, _memory(limits), last[0])
    return _damaged(where, last[0][:200])


def _memory(limits: Limits) -> str:
    return f"at most {limits.pdf_memory:,} bytes of memory"


def _costly(where: str, expected: str, got: str) -> Problem:
    return Problem(
        where=where,
        what="the PDF takes more than it may",
        expected=expected,
        got=got,
        advice="raise the limit if you trust the file, or split it",
    )


def _damaged(where: str, got: str) -> Problem:
    return Problem(
        where=where,
        what="the PDF cannot be read",
        expected="a whole PDF",
        got=got,
        advice="fetch it again, or print it to a new PDF",
    )


def _refused(where: str, problem: str, got: str, limits: Limits) -> Problem:
    if problem == "password":
        return Problem(
            where=where,
            what="the PDF is encrypted",
            expected="a PDF that opens without a password",
            got="one that asks for a password",
            advice="save a copy without the password",
        )
    if problem == "memory":
        return _costly(where, _memory(limits), "more")
    if problem == "long":
        return Problem(
            where=where,
            what="the text is too long",
            expected=f"at most {limits.characters:,} characters",
            got=got,
            advice="split the document, or raise the limit",
        )
    return _damaged(where, got)
