"""Files of an index.  In: contents.  Out: a generation on disk, and contents again.

A directory holds `manifest.json`, which names one generation, and the generations, of which the
last two are kept: who opened the one before can go on reading it.  A generation is written aside
and renamed, and the manifest is replaced last, so an index is always one generation, whole.
Nothing is ever unpickled.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import polars as pl

from finassay import stopping
from finassay._version import __version__
from finassay.errors import DamagedIndexError, NoIndexError, StaleIndexError
from finassay.retrieval.contents import CHUNKS, DOCUMENTS, Contents, described_document
from finassay.retrieval.dense import APPROXIMATE_FROM, graph_of
from finassay.retrieval.lexical import Postings
from finassay.retrieval.records import Document

FORMAT = 1
MANIFEST = "manifest.json"
GENERATIONS = "generations"
GRAPH = "vectors.usearch"

DOCUMENTS_FILE = "documents.parquet"
_TABLES = {DOCUMENTS_FILE: DOCUMENTS, "chunks.parquet": CHUNKS}
_VOCABULARY = "vocabulary.parquet"
_ARRAYS: Mapping[str, str] = {
    "text.npy": "uint8",
    "posting_starts.npy": "int64",
    "posting_chunks.npy": "int32",
    "posting_counts.npy": "int32",
    "lengths.npy": "int32",
}
_VECTORS = "vectors.npy"


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """What `manifest.json` says.

    Attributes:
        generation: folder of the files.
        settings: what the index was built with, in full.
        description: names and versions of all that made it.
        digest: digest of the index.
        files: SHA-256 and bytes of every file.
    """

    generation: str
    settings: Mapping[str, Any]
    description: Mapping[str, Any]
    digest: str
    files: Mapping[str, tuple[str, int]]

    @property
    def size_bytes(self) -> int:
        """Bytes of all files."""
        return sum(size for _, size in self.files.values())


def read_manifest(path: Path) -> Manifest:
    """Return the manifest of the index in a directory.

    Raises:
        NoIndexError: there is no index.
        StaleIndexError: it has another format.
        DamagedIndexError: it cannot be read.
    """
    file = path / MANIFEST
    try:
        read = json.loads(file.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError) as error:
        raise NoIndexError(
            f"there is no index at {path} (no {MANIFEST}); build one, or name its directory"
        ) from error
    except OSError as error:
        raise DamagedIndexError(_damage(file, f"it cannot be opened: {error.strerror}")) from error
    except ValueError as error:
        raise DamagedIndexError(_damage(file, f"it is not JSON: {error}")) from error
    found = read.get("format") if isinstance(read, dict) else None
    if found != FORMAT:
        raise StaleIndexError(
            f"{file}: this version reads format {FORMAT} of an index, the file has {found!r}; "
            f"build the index again from its documents"
        )
    try:
        return Manifest(
            generation=str(read["generation"]),
            settings=dict(read["settings"]),
            description=dict(read["description"]),
            digest=str(read["digest"]),
            files={
                name: (str(one["sha256"]), int(one["bytes"])) for name, one in read["files"].items()
            },
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise DamagedIndexError(_damage(file, f"a field is missing or wrong: {error!r}")) from error


def read_contents(path: Path, manifest: Manifest, *, verify: bool = True) -> Contents:
    """Return the contents that a manifest names; arrays are read as they are needed.

    Raises:
        DamagedIndexError: a file is missing, or not as it was written.
    """
    folder = path / GENERATIONS / manifest.generation
    for name, (sha256, size) in manifest.files.items():
        _check(folder / name, sha256 if verify else None, size)
    try:
        tables = [pl.read_parquet(folder / name) for name in _TABLES]
        vocabulary = pl.read_parquet(folder / _VOCABULARY)["token"].to_list()
        arrays = {name: _array(folder / name) for name in _ARRAYS}
        vectors = _array(folder / _VECTORS) if _VECTORS in manifest.files else None
    except (OSError, ValueError, EOFError, pl.exceptions.PolarsError) as error:
        raise DamagedIndexError(_damage(folder, f"a file cannot be read: {error}")) from error
    for table, schema in zip(tables, _TABLES.values(), strict=True):
        if table.schema != schema:
            raise DamagedIndexError(_damage(folder, f"a table has the columns {table.schema}"))
    return Contents(
        documents=tables[0],
        chunks=tables[1],
        text=arrays["text.npy"],
        postings=Postings(
            vocabulary=vocabulary,
            starts=arrays["posting_starts.npy"],
            passages=arrays["posting_chunks.npy"],
            counts=arrays["posting_counts.npy"],
            lengths=arrays["lengths.npy"],
        ),
        vectors=vectors,
    )


def known_documents(path: Path, manifest: Manifest) -> list[Document]:
    """Return what an index knows of its documents, without their texts.

    Raises:
        DamagedIndexError: the table of documents is missing, or not as it was written.
    """
    file = path / GENERATIONS / manifest.generation / DOCUMENTS_FILE
    sha256, size = manifest.files.get(DOCUMENTS_FILE, ("", 0))
    _check(file, sha256, size)
    try:
        table = pl.read_parquet(file)
    except (OSError, ValueError, pl.exceptions.PolarsError) as error:
        raise DamagedIndexError(_damage(file, f"it cannot be read: {error}")) from error
    if table.schema != DOCUMENTS:
        raise DamagedIndexError(_damage(file, f"it has the columns {table.schema}"))
    return [described_document(row) for row in table.iter_rows(named=True)]


def _array(path: Path) -> np.ndarray[Any, Any]:
    array: np.ndarray[Any, Any] = np.load(path, allow_pickle=False, mmap_mode="r")
    # An array without elements cannot be mapped on every system, and takes nothing.
    return array if array.size else np.zeros(array.shape, dtype=array.dtype)


def _check(path: Path, sha256: str | None, size: int) -> None:
    try:
        found = path.stat().st_size
        digest = None if sha256 is None or found != size else _sha256(path)
    except OSError as error:
        raise DamagedIndexError(_damage(path, f"it cannot be opened: {error}")) from error
    if found != size:
        raise DamagedIndexError(_damage(path, f"it should have {size} bytes and has {found}"))
    if digest != sha256:
        raise DamagedIndexError(_damage(path, "its SHA-256 is not that of the manifest"))


def _sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _damage(path: Path, what: str) -> str:
    return f"{path}: the index is damaged ({what}); build it again from its documents"


def write_generation(path: Path, contents: Contents, told: Mapping[str, object]) -> None:
    """Write contents as the next generation of an index, and make it the one that is read.

    Only the process that holds the index may call this.

    Args:
        path: directory of the index.
        contents: what to write.
        told: what the manifest says beside the files.
    """
    folder = path / GENERATIONS
    folder.mkdir(parents=True, exist_ok=True)
    name = f"{_last(folder) + 1:06}"
    aside = folder / f"{name}.part"
    shutil.rmtree(aside, ignore_errors=True)
    aside.mkdir()
    files = {file: _write(aside / file, save) for file, save in _files(contents).items()}
    if contents.vectors is not None and len(contents.vectors) > APPROXIMATE_FROM:
        graph = graph_of(contents.vectors)
        if graph is not None:
            graph.save(str(aside / GRAPH))
            files[GRAPH] = {
                "sha256": _sha256(aside / GRAPH),
                "bytes": (aside / GRAPH).stat().st_size,
            }
    _sync(aside)
    stopping.checkpoint()
    aside.rename(folder / name)
    head = {"format": FORMAT, "written_by": f"finassay {__version__}", "generation": name}
    manifest = json.dumps({**head, **told, "files": files}, indent=1)
    _write(path / f"{MANIFEST}.part", _bytes(manifest.encode()))
    (path / f"{MANIFEST}.part").replace(path / MANIFEST)
    _sync(path)
    _drop_old(folder, keep=2)


def _last(folder: Path) -> int:
    numbers = [int(one.name) for one in folder.iterdir() if one.name.isdecimal()]
    return max(numbers, default=0)


def _drop_old(folder: Path, *, keep: int) -> None:
    names = sorted(one.name for one in folder.iterdir())
    whole = [name for name in names if name.isdecimal()]
    for name in names:
        if name not in whole[-keep:]:
            shutil.rmtree(folder / name, ignore_errors=True)


Save = Callable[[BinaryIO], None]


def _files(contents: Contents) -> dict[str, Save]:
    postings = contents.postings
    arrays: dict[str, np.ndarray[Any, Any]] = {
        "text.npy": contents.text,
        "posting_starts.npy": postings.starts,
        "posting_chunks.npy": postings.passages,
        "posting_counts.npy": postings.counts,
        "lengths.npy": postings.lengths,
    }
    if contents.vectors is not None:
        arrays[_VECTORS] = contents.vectors
    vocabulary = pl.DataFrame({"token": postings.vocabulary}, schema={"token": pl.String})
    frames = {
        "documents.parquet": contents.documents,
        "chunks.parquet": contents.chunks,
        _VOCABULARY: vocabulary,
    }
    return {
        **{name: _frame(frame) for name, frame in frames.items()},
        **{name: _saved(array) for name, array in arrays.items()},
    }


def _frame(frame: pl.DataFrame) -> Save:
    def save(stream: BinaryIO) -> None:
        buffer = io.BytesIO()
        frame.write_parquet(buffer, compression="zstd", statistics=False)
        stream.write(buffer.getbuffer())

    return save


def _saved(array: np.ndarray[Any, Any]) -> Save:
    def save(stream: BinaryIO) -> None:
        np.save(stream, array, allow_pickle=False)

    return save


def _bytes(content: bytes) -> Save:
    def save(stream: BinaryIO) -> None:
        stream.write(content)

    return save


def _write(path: Path, save: Save) -> Mapping[str, object]:
    with path.open("wb") as stream:
        save(stream)
        stream.flush()
        os.fsync(stream.fileno())
    return _told(path)


def _told(path: Path) -> Mapping[str, object]:
    return {"sha256": _sha256(path), "bytes": path.stat().st_size}


def _sync(folder: Path) -> None:
    """Force the names in a folder to the disk, where the system can."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
