"""What an index knew of its documents.  In: documents read anew.  Out: the same, nothing forgotten.

A side table is named when an index is built, and easily left out when it is built again.  So a
document that no side table names this time keeps what the index knew of it and the file itself
does not say; and it is told.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from finassay.errors import NoIndexError, RetrievalError
from finassay.retrieval.records import Document, Loaded, Problem
from finassay.retrieval.storage import known_documents, read_manifest

SAID = ("title", "regulator", "regulation", "date", "in_force_from", "in_force_until")
"""What a side table says of a document, beside its address."""


def with_what_was_known(path: Path, loaded: Loaded) -> Loaded:
    """Return loaded documents with what the index in a directory knew of them; and say so.

    Args:
        path: directory of the index, which need not exist or be readable.
        loaded: what was read from files.
    """
    try:
        known = {one.document_id: one for one in known_documents(path, read_manifest(path))}
    except NoIndexError:
        return loaded
    except RetrievalError as error:
        return replace(loaded, problems=(*loaded.problems, _unreadable(path, error)))
    kept: Counter[str] = Counter()
    lost: Counter[str] = Counter()
    documents = []
    for read in loaded.documents:
        before = None if read.document_id in loaded.described else known.get(read.document_id)
        documents.append(read if before is None else _remembering(read, before, kept, lost))
    notes = (*_note(kept, _KEPT), *_note(lost, _LOST))
    return replace(loaded, documents=tuple(documents), problems=(*loaded.problems, *notes))


def _remembering(
    read: Document, before: Document, kept: Counter[str], lost: Counter[str]
) -> Document:
    """Return a document with what was known of it, and count what is kept and what is not."""
    for name in SAID:
        was, says = getattr(before, name), getattr(read, name)
        kept[name] += bool(was) and not says
        lost[name] += bool(was) and bool(says) and was != says
    has_address = _is_address(before.source) and not _is_address(read.source)
    kept["address"] += has_address
    return replace(
        read,
        title=read.title or before.title,
        regulator=read.regulator or before.regulator,
        regulation=read.regulation or before.regulation,
        date=read.date or before.date,
        in_force_from=read.in_force_from or before.in_force_from,
        in_force_until=read.in_force_until or before.in_force_until,
        source=before.source if has_address else read.source,
    )


def _is_address(source: str) -> bool:
    return "://" in source


_KEPT = (
    "no side table names documents of which the index knows more than their files say",
    "--metadata, as in the earlier build",
    "kept as it was",
    "name the table again where it has changed",
)
_LOST = (
    "files say something else of documents than the index did",
    "what the earlier build said",
    "taken from the files",
    "name the side table with --metadata if it is to count",
)


def _note(counts: Mapping[str, int], words: tuple[str, str, str, str]) -> tuple[Problem, ...]:
    told = ", ".join(
        f"{name.replace('_', ' ')} of {count:,}" for name, count in counts.items() if count
    )
    if not told:
        return ()
    what, expected, done, advice = words
    note = Problem(
        where="the index",
        what=what,
        expected=expected,
        got=f"{done}: {told}",
        advice=advice,
        is_loaded=True,
    )
    return (note,)


def _unreadable(path: Path, error: RetrievalError) -> Problem:
    return Problem(
        where=str(path),
        what="what the earlier build knew of documents cannot be read",
        expected="an index that this version reads",
        got=str(error),
        advice="name the side tables with --metadata again",
        is_loaded=True,
    )
