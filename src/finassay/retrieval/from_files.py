"""An index of files.  In: files and folders.  Out: the index, and what was wrong with files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from finassay.errors import InputError
from finassay.retrieval.building import rebuild_index, update_index
from finassay.retrieval.documents import load_documents
from finassay.retrieval.embedding import Progress
from finassay.retrieval.keeping import with_what_was_known
from finassay.retrieval.records import BuildReport, IndexSettings, Problem


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexBuilt:
    """What came of building an index of files.

    Attributes:
        path: directory of the index.
        settings: what it was built with; None for those that it had.
        build: what was done.
        problems: files that were not loaded, or not as they are, and what to do about each.
    """

    path: str
    settings: IndexSettings | None
    build: BuildReport
    problems: tuple[Problem, ...]

    @property
    def left_out(self) -> int:
        """Number of files that are not in the index."""
        return sum(not problem.is_loaded for problem in self.problems)

    def to_lines(self) -> list[str]:
        """Return what was done in plain lines, the problems last."""
        build = self.build
        done = [
            f"{len(names)} {word}"
            for names, word in (
                (build.added, "added"),
                (build.replaced, "replaced"),
                (build.removed, "removed"),
            )
            if names
        ]
        done += [f"{build.n_unchanged} unchanged"] if build.n_unchanged else []
        said = f" ({', '.join(done)})" if done else ""
        first = (
            f"{self.path}: {build.n_documents:,} documents{said}, {build.n_chunks:,} passages, "
            f"{build.n_embedded:,} texts embedded"
        )
        return [first, *(f"{problem}" for problem in self.problems)]


def build_index(
    path: Path,
    sources: Sequence[Path],
    *,
    metadata: Sequence[Path] = (),
    settings: IndexSettings | None = None,
    anew: bool = False,
    only: bool = False,
    progress: Progress | None = None,
) -> IndexBuilt:
    """Build or extend the index of files, and return what came of it.

    A file that cannot be read is a problem of that file; the others are loaded.  What an earlier
    build knew of a document stays where neither the file nor a side table says something else.

    Args:
        path: directory of the index.
        sources: files and folders.
        metadata: side tables that say what the documents are.
        settings: what the index is built with; None for those it has, or the default.
        anew: whether the index is built again from nothing, with these settings.
        only: whether documents that are no longer among the files are taken out.
        progress: told of every block of texts that was embedded.

    Raises:
        InputError: a path does not exist, no file could be loaded, or a side table is damaged.
        StaleIndexError: the index was built with other settings; nothing was changed.
        BusyIndexError: another process is building it.
    """
    loaded = with_what_was_known(path, load_documents(sources, metadata=metadata))
    if not loaded.documents:
        told = "".join(f"\n  {problem}" for problem in loaded.problems)
        named = ", ".join(repr(str(source)) for source in sources)
        raise InputError(
            f"no document could be loaded from {named}; expected .txt, .md, .html or .pdf files "
            f"with text{told}"
        )
    if anew:
        build = rebuild_index(path, loaded.documents, settings=settings, progress=progress)
    else:
        build = update_index(
            path, add=loaded.documents, settings=settings, only=only, progress=progress
        )
    return IndexBuilt(path=str(path), settings=settings, build=build, problems=loaded.problems)
