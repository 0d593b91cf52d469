"""Indexes on disk.  In: documents to add and remove.  Out: the next generation of an index."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from finassay.errors import RetrievalError, StaleIndexError, UnknownNameError, UsageError
from finassay.retrieval.contents import (
    Contents,
    contents_digest,
    contents_of,
    empty_contents,
    fingerprint,
    in_order,
)
from finassay.retrieval.embedders import Embedder, embedder_named
from finassay.retrieval.embedding import WORK, Embedding, Progress, forget_blocks
from finassay.retrieval.holding import LOCK, held
from finassay.retrieval.merging import merged
from finassay.retrieval.records import BuildReport, Document, IndexSettings
from finassay.retrieval.settings import described, settings_from
from finassay.retrieval.storage import (
    GENERATIONS,
    MANIFEST,
    read_contents,
    read_manifest,
    write_generation,
)

_OURS = {MANIFEST, f"{MANIFEST}.part", GENERATIONS, WORK, LOCK}


def update_index(
    path: Path,
    *,
    add: Iterable[Document] = (),
    remove: Collection[str] = (),
    settings: IndexSettings | None = None,
    only: bool = False,
    embedder: Embedder | None = None,
    progress: Progress | None = None,
) -> BuildReport:
    """Add, replace and remove documents of an index, which is made where there is none.

    Documents that are there with the same text and description cost nothing.  What was embedded
    before a build was stopped is not embedded again.

    Args:
        path: directory of the index.
        add: documents that are new, or take the place of one with the same id.
        remove: ids of documents to take out.
        settings: what the index is built with; None for those it has (or the default).
        only: whether documents that are not added are taken out.
        embedder: used instead of the one that the settings name.
        progress: told of every block of texts that was embedded.

    Returns:
        What was done.

    Raises:
        UsageError: two documents have one id, or the directory holds something else.
        UnknownNameError: a document to remove is not there.
        StaleIndexError: the index was built with other settings; nothing was changed.
        DamagedIndexError: a file of it is missing or was changed.
        BusyIndexError: another process is building it.
        RetrievalError: it cannot be written; it is as it was.
    """
    _make(path)
    with held(path):
        old = _old(path, settings, embedder)
        plan = _planned(old.contents, in_order(add), remove, only=only)
        return _carried_out(path, old, plan, progress)


def rebuild_index(
    path: Path,
    documents: Iterable[Document],
    *,
    settings: IndexSettings | None = None,
    embedder: Embedder | None = None,
    progress: Progress | None = None,
) -> BuildReport:
    """Build an index anew, whatever is there; it is searched as it was until this is done.

    Args:
        path: directory of the index.
        documents: all that the index is to hold.
        settings: what it is built with.
        embedder: used instead of the one that the settings name.
        progress: told of every block of texts that was embedded.

    Raises:
        UsageError: two documents have one id, or the directory holds something else.
        BusyIndexError: another process is building it.
        RetrievalError: it cannot be written; it is as it was.
    """
    _make(path)
    with held(path):
        old = _nothing(settings or IndexSettings(), embedder)
        plan = _planned(old.contents, in_order(documents), (), only=False)
        return _carried_out(path, old, plan, progress)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Old:
    """What an index holds before it is built, and what it is built with."""

    contents: Contents
    settings: IndexSettings
    embedder: Embedder | None
    exists: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plan:
    """What becomes of every document."""

    fresh: tuple[Document, ...]
    added: tuple[str, ...]
    replaced: tuple[str, ...]
    removed: tuple[str, ...]
    n_unchanged: int


def _make(path: Path) -> None:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except FileExistsError as error:
        raise UsageError(f"{path} is a file; an index is a directory: name another path") from error
    except OSError as error:
        raise _unwritten(path, error) from error
    others = sorted(one.name for one in path.iterdir() if one.name not in _OURS)
    if others:
        raise UsageError(
            f"{path} holds {others[0]!r} and is no index; an index needs a directory of its own: "
            f"name another path, or one that does not exist yet"
        )


def _unwritten(path: Path, error: OSError) -> RetrievalError:
    return RetrievalError(
        f"{path}: the index cannot be written ({error}); what is there is as it was: make room or "
        f"permit writing, and build again"
    )


def _old(path: Path, settings: IndexSettings | None, embedder: Embedder | None) -> _Old:
    if not (path / MANIFEST).exists():
        return _nothing(settings or IndexSettings(), embedder)
    manifest = read_manifest(path)
    known = settings or settings_from(manifest.settings, path)
    model = embedder or embedder_named(known.embedder)
    refuse_stale(path, manifest.description, described(known, model))
    contents = read_contents(path, manifest)
    return _Old(contents=contents, settings=known, embedder=model, exists=True)


def _nothing(settings: IndexSettings, embedder: Embedder | None) -> _Old:
    model = embedder or embedder_named(settings.embedder)
    dimensions = None if model is None else model.dimensions
    contents = empty_contents(dimensions=dimensions)
    return _Old(contents=contents, settings=settings, embedder=model, exists=False)


def refuse_stale(path: Path, built: Mapping[str, object], asked: Mapping[str, object]) -> None:
    """Refuse an index that was built with other settings, models or versions.

    Raises:
        StaleIndexError: it was.
    """
    changed = [
        key for key in sorted(built.keys() | asked.keys()) if built.get(key) != asked.get(key)
    ]
    if changed:
        told = "; ".join(f"{key} {built.get(key)!r}, not {asked.get(key)!r}" for key in changed)
        raise StaleIndexError(
            f"the index at {path} was built with {told}; searching or adding would mix what cannot "
            f"be compared: rebuild it with the new settings (`--anew`), use those it has, or build "
            f"another in a directory of its own"
        )


def _planned(
    old: Contents, documents: Iterable[Document], remove: Collection[str], *, only: bool
) -> _Plan:
    known = dict(old.documents.select("document_id", "fingerprint").iter_rows())
    wanted = {document.document_id: document for document in documents}
    missing = sorted(set(remove) - known.keys())
    if missing:
        raise UnknownNameError(
            f"the index has no document {missing[0]!r} to remove"
            + (f" ({len(missing)} ids are unknown)" if len(missing) > 1 else "")
            + "; name documents by the ids that a search shows"
        )
    gone = {name for name in known if only or name in remove} - wanted.keys()
    fresh = tuple(one for name, one in wanted.items() if known.get(name) != fingerprint(one))
    names = [one.document_id for one in fresh]
    return _Plan(
        fresh=fresh,
        added=tuple(name for name in names if name not in known),
        replaced=tuple(name for name in names if name in known),
        removed=tuple(sorted(gone)),
        n_unchanged=len(known) - len(gone) - sum(name in known for name in names),
    )


def _carried_out(path: Path, old: _Old, plan: _Plan, progress: Progress | None) -> BuildReport:
    embed = None
    if old.embedder is not None:
        embed = Embedding(old.embedder, progress=progress, folder=path / WORK, old=old.contents)
    dropped = frozenset((*plan.replaced, *plan.removed))
    contents = merged(old.contents, dropped, contents_of(plan.fresh, old.settings, embed))
    description = described(old.settings, old.embedder)
    digest = contents_digest(contents, description)
    if plan.fresh or plan.removed or not old.exists:
        told = {"settings": asdict(old.settings), "description": description, "digest": digest}
        try:
            write_generation(path, contents, told)
        except OSError as error:
            raise _unwritten(path, error) from error
    forget_blocks(path / WORK)
    return BuildReport(
        n_documents=contents.documents.height,
        n_chunks=contents.chunks.height,
        added=plan.added,
        replaced=plan.replaced,
        removed=plan.removed,
        n_unchanged=plan.n_unchanged,
        n_embedded=0 if embed is None else embed.n_embedded,
        digest=digest,
    )
