"""Documents from files.  In: paths.  Out: clean texts with what is known of them, and problems.

A file that cannot be used never stops the others: it becomes a problem that says what, where, what
was expected, what was found and what to do.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from finassay.errors import EncodingError, InputError
from finassay.retrieval.cleaning import clean, joined_pages
from finassay.retrieval.encodings import GUESSED, declared_in_html, decoded
from finassay.retrieval.metadata import (
    DATES,
    NOTHING,
    Details,
    front_matter,
    merged_details,
    read_side_tables,
)
from finassay.retrieval.pdf import pages_of_pdf
from finassay.retrieval.records import Document, Limits, Loaded, Problem
from finassay.retrieval.walking import Found, files_below, shown
from finassay.retrieval.web_pages import text_of_html

_ARCHIVES = {
    b"PK\x03\x04": "a ZIP archive or an office document",
    b"PK\x05\x06": "an empty ZIP archive",
    b"\x1f\x8b": "a gzip archive",
    b"BZh": "a bzip2 archive",
    b"\xfd7zXZ\x00": "an xz archive",
    b"7z\xbc\xaf\x27\x1c": "a 7z archive",
    b"Rar!": "a RAR archive",
    b"\x28\xb5\x2f\xfd": "a Zstandard archive",
    b"\xd0\xcf\x11\xe0": "an old office document",
}
_HEAD = 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class _Read:
    """What was read from one file."""

    text: str
    starts: tuple[int, ...] = ()
    said: Details = NOTHING
    notes: tuple[Problem, ...] = ()


def load_documents(
    paths: Iterable[Path], *, metadata: Sequence[Path] = (), limits: Limits | None = None
) -> Loaded:
    """Return the documents in files and folders, and what was wrong with the others.

    The id of a document is its path below the folder that was named.  Of files with the same text
    the first is loaded.

    Args:
        paths: files (.txt, .md, .html, .htm, .pdf) and folders, which are read with all below.
        metadata: side tables (CSV or JSON) that say what documents are.
        limits: what one file may cost.

    Raises:
        InputError: a path does not exist, or a side table cannot be read.
        MissingExtraError: a file needs a package that is not installed.
    """
    limits = limits or Limits()
    table = read_side_tables(metadata)
    tables = {path.resolve() for path in metadata}
    documents: dict[str, Document] = {}
    by_text: dict[str, str] = {}
    problems: list[Problem] = []
    for found in files_below(paths):
        if isinstance(found, Problem):
            problems.append(found)
        elif found.path.resolve() not in tables:
            document, wrong = _loaded(found, table.of(found.name), limits)
            problems += wrong
            if document is not None:
                clash = _clash(document, documents, by_text)
                if clash is None:
                    documents[document.document_id] = document
                else:
                    problems.append(clash)
    ordered = sorted(documents.values(), key=lambda one: one.document_id)
    described = frozenset(name for name in documents if table.of(name) is not NOTHING)
    return Loaded(documents=tuple(ordered), problems=tuple(problems), described=described)


def _clash(
    document: Document, known: Mapping[str, Document], by_text: dict[str, str]
) -> Problem | None:
    """Return why a document cannot stand beside those before it, or take it in."""
    name = document.document_id
    if name in known:
        return Problem(
            where=document.source,
            what="another document has this id",
            expected="one file for each id",
            got=f"{name!r} from {known[name].source}",
            advice="name one folder above both, or rename one",
        )
    digest = hashlib.sha256(document.text.encode()).hexdigest()
    first = by_text.setdefault(digest, name)
    if first == name:
        return None
    return Problem(
        where=name,
        what="another document has the same text",
        expected="each text once",
        got=f"that of {first!r}",
        advice="remove one of the two",
    )


def _loaded(
    found: Found, said: Details, limits: Limits
) -> tuple[Document | None, Sequence[Problem]]:
    """Return the document in a file, or None, and what is wrong with it."""
    read = _read(found, said, limits)
    if isinstance(read, Problem):
        return None, [read]
    if not read.text:
        return None, [*read.notes, _empty(found.name, "a text of white space")]
    if len(read.text) > limits.characters:
        return None, [_large(found.name, "characters", limits.characters, len(read.text))]
    details = merged_details(said, read.said)
    days = {}
    problems = list(read.notes)
    for name in DATES:
        days[name], wrong = details.day(name)
        problems += [wrong] if wrong else []
    document = Document(
        document_id=found.name,
        text=read.text,
        title=details.text("title"),
        regulator=details.text("regulator"),
        regulation=details.text("regulation"),
        date=days["date"],
        in_force_from=days["in_force_from"],
        in_force_until=days["in_force_until"],
        pages=read.starts,
        source=details.text("url") or shown(str(found.path)),
    )
    return document, problems


def _read(found: Found, said: Details, limits: Limits) -> _Read | Problem:
    reader = _READERS.get(found.path.suffix.lower())
    try:
        size = found.path.stat().st_size
        with found.path.open("rb") as stream:
            head = stream.read(_HEAD)
    except OSError as error:
        return Problem(
            where=found.name,
            what="the file cannot be opened",
            expected="a file that can be read",
            got=error.strerror or type(error).__name__,
            advice="check its permissions",
        )
    refused = _refused(found.name, head, size, limits)
    if refused is not None:
        return refused
    if reader is None:
        return _unknown(found)
    try:
        return reader(found, said, limits)
    except EncodingError as error:
        return _from_error("the text cannot be decoded", found, error)
    except InputError as error:
        return _from_error("the file cannot be read", found, error)


def _refused(name: str, head: bytes, size: int, limits: Limits) -> Problem | None:
    """Return why a file is not opened, or None."""
    if not size:
        return _empty(name, "0 bytes")
    for magic, kind in _ARCHIVES.items():
        if head.startswith(magic):
            return Problem(
                where=name,
                what="archives and office files are not opened",
                expected="text, Markdown, HTML or PDF",
                got=kind,
                advice="unpack it, or save it as text, HTML or PDF",
            )
    if size > limits.file_bytes:
        return _large(name, "bytes", limits.file_bytes, size)
    return None


def _unknown(found: Found) -> Problem:
    return Problem(
        where=found.name,
        what="this kind of file is not read",
        expected=f"a file that ends in {', '.join(_READERS)}",
        got=found.path.suffix or "no ending",
        advice="convert it, or rename it if it is one of these",
    )


def _empty(name: str, got: str) -> Problem:
    return Problem(
        where=name,
        what="the file is empty",
        expected="a document",
        got=got,
        advice="fetch it again, or remove it",
    )


def _large(name: str, unit: str, most: int, got: int) -> Problem:
    return Problem(
        where=name,
        what="the file is too large",
        expected=f"at most {most:,} {unit}",
        got=f"{got:,}",
        advice="split the document, or raise the limit",
    )


def _from_error(what: str, found: Found, error: InputError) -> Problem:
    told = str(error).removeprefix(f"{found.name}: expected ").removeprefix(f"{found.name}: ")
    expected, _, rest = told.partition(", got ")
    got, _, advice = rest.partition("; ")
    return Problem(where=found.name, what=what, expected=expected, got=got, advice=advice)


def _text(found: Found, said: Details, declared: str = "") -> tuple[str, tuple[Problem, ...]]:
    """Return the text of a file as it is written, with a note where its encoding was guessed."""
    asked = said.text("encoding") or declared
    text, encoding = decoded(found.path.read_bytes(), where=found.name, declared=asked)
    if asked or encoding != GUESSED:
        return text, ()
    note = Problem(
        where=found.name,
        what="the encoding was guessed",
        expected="UTF-8, or an encoding that is declared",
        got=f"bytes that were read as {GUESSED}",
        advice="look at its letters beyond ASCII; declare the encoding in the side table",
        is_loaded=True,
    )
    return text, (note,)


def _read_text(found: Found, said: Details, limits: Limits) -> _Read:  # noqa: ARG001 - one shape
    text, notes = _text(found, said)
    front, rest = front_matter(text, where=found.name)
    if "\x0c" in rest:
        joined, starts = joined_pages(rest.split("\x0c"))
        return _Read(text=joined, starts=starts, said=front, notes=notes)
    return _Read(text=clean(rest), said=front, notes=notes)


def _read_html(found: Found, said: Details, limits: Limits) -> _Read:  # noqa: ARG001 - as above
    content = found.path.read_bytes()
    page, notes = _text(found, said, declared_in_html(content))
    text, title = text_of_html(page, where=found.name)
    return _Read(text=text, said=Details(where=found.name, fields={"title": title}), notes=notes)


def _read_pdf(found: Found, said: Details, limits: Limits) -> _Read | Problem:  # noqa: ARG001
    pages = pages_of_pdf(found.path, where=found.name, limits=limits)
    if isinstance(pages, Problem):
        return pages
    notes: tuple[Problem, ...] = ()
    if pages.n_blank:
        notes = (
            Problem(
                where=found.name,
                what="pages hold no text",
                expected="text on every page",
                got=f"none on {pages.n_blank} of {len(pages.starts)}",
                advice="run character recognition over them if they are scanned",
                is_loaded=True,
            ),
        )
    title = Details(where=found.name, fields={"title": clean(pages.title)})
    return _Read(text=pages.text, starts=pages.starts, said=title, notes=notes)


_READERS: Mapping[str, Callable[[Found, Details, Limits], _Read | Problem]] = {
    ".txt": _read_text,
    ".md": _read_text,
    ".html": _read_html,
    ".htm": _read_html,
    ".pdf": _read_pdf,
}
