"""Files of Inspect logs.  In: a path.  Out: the header as JSON, and samples as bytes.

Two kinds: a ZIP (.eval) with one entry for each sample, packed by DEFLATE or, since April 2026, by
Zstandard (method 93, several frames in large entries); and one JSON document.  Sources: the tool's
`log/_recorders/eval.py`, `_util/zipfile.py` and `log/_recorders/chunked/format.py`.
"""

from __future__ import annotations

import gzip
import json
import mmap
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import BinaryIO, NamedTuple

from finassay.errors import InputError
from finassay.runs.importers.logs._json_arrays import Buffer, elements, top_values

MAX_ENTRY_BYTES = 512 << 20
"""Largest entry of an archive that is unpacked, in bytes."""

MAX_RATIO = 1_000
"""Largest ratio of unpacked to packed bytes that is believed, for entries beyond 16 MiB."""

ZSTANDARD = 93
_STORED, _DEFLATED = zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED
_LOCAL = struct.Struct("<4s5H3I2H")
_SAMPLE = re.compile(r"samples/(?P<name>.+_epoch_\d+)(?:\.json|/sample\.json)$")
_SIZES_FOLLOW = 1 << 3
_LEAST_SUSPECT = 16 << 20
_SMALL_BYTES = 16 << 20


class RawSample(NamedTuple):
    """A sample as it stands in the file, or why it cannot be read.

    Attributes:
        place: number of the sample in the file, from 1.
        name: name of its entry.
    """

    place: int
    name: str
    data: bytes
    problem: str = ""


class EvalArchive:
    """A ZIP that Inspect wrote, opened for reading."""

    def __init__(self, path: Path) -> None:
        """Read the directory of the archive, or find the entries of one that was cut.

        Raises:
            InputError: there is no entry that can be read.
        """
        self.path = path
        self.problem = ""
        try:
            with zipfile.ZipFile(path) as archive:
                listed = archive.infolist()
        except (zipfile.BadZipFile, OSError, ValueError, EOFError) as error:
            listed = whole_entries(path)
            self.problem = (
                f"the archive is cut or damaged ({error}): {len(listed)} whole entries were found "
                f"in it; copy the file again"
            )
            if not listed:
                raise InputError(f"{path.name}: {self.problem}") from error
        # A name that stands twice was written again by a resumed run: the last one counts.
        self.entries = {entry.filename: entry for entry in listed}

    def header(self) -> tuple[Mapping[str, object], list[str]]:
        """Return the log without its samples, and what people should know of it.

        Raises:
            InputError: there is no header, nor the journal that a crashed run leaves.
        """
        notes: list[str] = []
        with self.path.open("rb") as stream:
            for name in ("header.json", "_journal/start.json"):
                if name not in self.entries:
                    continue
                try:
                    found = json.loads(unpack(stream, self.entries[name]))
                except (ValueError, RecursionError, InputError) as error:
                    notes.append(f"{name} cannot be read: {error}")
                    continue
                if name != "header.json":
                    notes.append("the run did not end: there is no header, so no printed scores")
                if isinstance(found, dict):
                    return found, notes
        why = "; ".join(notes) or "expected header.json or _journal/start.json in it"
        raise InputError(f"{self.path.name}: the log has no header ({why}); copy the log again")

    def samples(self) -> Iterator[RawSample]:
        """Yield every sample in the order of the archive."""
        if self.problem:
            yield RawSample(0, "archive", b"", self.problem)
        wanted = [entry for name, entry in self.entries.items() if _SAMPLE.match(name)]
        with self.path.open("rb") as stream:
            for place, entry in enumerate(wanted, start=1):
                try:
                    yield RawSample(place, entry.filename, unpack(stream, entry))
                except InputError as error:
                    yield RawSample(place, entry.filename, b"", str(error))


def whole_entries(path: Path) -> list[zipfile.ZipInfo]:
    """Return the entries that stand whole at the front of an archive without its directory."""
    found: list[zipfile.ZipInfo] = []
    size = path.stat().st_size
    with path.open("rb") as stream:
        at = 0
        while True:
            stream.seek(at)
            local = stream.read(_LOCAL.size)
            if len(local) < _LOCAL.size or local[:4] != b"PK\x03\x04":
                return found
            parts = _LOCAL.unpack(local)
            _, _, flags, method, _, _, checksum, packed, unpacked, name_size, extra_size = parts
            end = at + _LOCAL.size + name_size + extra_size + packed
            # Sizes of nothing stand where the writer could not go back to fill them in.
            if end > size or (flags & _SIZES_FOLLOW and not packed):
                return found
            entry = zipfile.ZipInfo(stream.read(name_size).decode("utf-8", "replace"))
            entry.flag_bits, entry.compress_type, entry.CRC = flags, method, checksum
            entry.compress_size, entry.file_size, entry.header_offset = packed, unpacked, at
            found.append(entry)
            at = end


def unpack(stream: BinaryIO, entry: zipfile.ZipInfo) -> bytes:
    """Return the bytes of an entry.

    Raises:
        InputError: the entry is damaged, packed in a way that is not known, or unpacks to more
            than its directory says, or to more than any sample holds.
    """
    name = entry.filename
    if entry.file_size > MAX_ENTRY_BYTES or (
        entry.file_size > _LEAST_SUSPECT and entry.file_size > MAX_RATIO * entry.compress_size
    ):
        raise InputError(
            f"{name}: it would unpack to {entry.file_size} bytes from {entry.compress_size}, "
            f"which no sample has"
            "; copy the log again"
        )
    try:
        stream.seek(entry.header_offset)
    except (OSError, ValueError) as error:
        raise InputError(
            f"{name}: the directory is damaged ({error}); copy the log again"
        ) from error
    local = stream.read(_LOCAL.size)
    if len(local) < _LOCAL.size or local[:4] != b"PK\x03\x04":
        raise InputError(
            f"{name}: the entry is not where the directory says; the file is damaged"
            ": copy the log again"
        )
    stream.seek(sum(_LOCAL.unpack(local)[-2:]), 1)
    packed = stream.read(entry.compress_size)
    data = _inflate(packed, entry)
    if len(data) != entry.file_size or zlib.crc32(data) != entry.CRC:
        raise InputError(
            f"{name}: the entry is damaged ({len(data)} bytes, another checksum)"
            "; copy the log again"
        )
    return data


def _inflate(packed: bytes, entry: zipfile.ZipInfo) -> bytes:
    most = entry.file_size + 1
    if entry.flag_bits & 1:
        raise InputError(
            f"{entry.filename}: the entry is encrypted; write the log without a password"
        )
    if entry.compress_type == _STORED:
        return packed
    if entry.compress_type == _DEFLATED:
        try:
            return zlib.decompressobj(-zlib.MAX_WBITS).decompress(packed, most)
        except zlib.error as error:
            raise InputError(
                f"{entry.filename}: the entry is damaged ({error}); copy the log again"
            ) from error
    if entry.compress_type == ZSTANDARD:
        return _zstandard(packed, most, entry.filename)
    raise InputError(
        f"{entry.filename}: packed by method {entry.compress_type}; expected 0, 8 or 93"
    )


def _zstandard(packed: bytes, most: int, name: str) -> bytes:
    import zstandard  # noqa: PLC0415 - only for logs that need it

    reader = zstandard.ZstdDecompressor().stream_reader(packed, read_across_frames=True)
    try:
        return reader.read(most)
    except zstandard.ZstdError as error:
        raise InputError(f"{name}: the entry is damaged ({error}); copy the log again") from error


class EvalDocument:
    """A JSON document that Inspect wrote; samples are cut out of it one by one."""

    def __init__(self, path: Path) -> None:
        """Find the parts of the document.

        Raises:
            InputError: it holds nothing that can be read.
        """
        self.path = path
        small = path.stat().st_size < _SMALL_BYTES
        raw: Buffer = path.read_bytes() if small else _mapped(path)
        self._data: Buffer = gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw
        self._parts = top_values(self._data)
        if not self._parts:
            raise InputError(
                f"{path.name}: there is no JSON object in the file"
                "; expected a log of Inspect (.json or .eval)"
            )

    def header(self) -> tuple[Mapping[str, object], list[str]]:
        """Return the log without its samples, and what people should know of it."""
        found: dict[str, object] = {}
        notes: list[str] = []
        for name, (start, end) in self._parts.items():
            if name in ("samples", "reductions"):
                continue
            try:
                found[name] = json.loads(self._data[start:end])
            except (ValueError, RecursionError) as error:
                notes.append(f"`{name}` cannot be read: {error}")
        if "results" not in found:
            notes.append("the document is cut or the run did not end: there are no printed scores")
        return found, notes

    def samples(self) -> Iterator[RawSample]:
        """Yield every sample in the order of the document."""
        array = self._parts.get("samples")
        if array is None or self._data[array.start : array.start + 1] != b"[":
            return
        for place, (start, end) in enumerate(elements(self._data, array), start=1):
            yield RawSample(place, f"samples[{place - 1}]", self._data[start:end])


def _mapped(path: Path) -> mmap.mmap:
    with path.open("rb") as stream:
        return mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
