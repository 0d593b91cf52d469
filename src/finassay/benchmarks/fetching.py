"""Fetching a public benchmark.  In: a manifest and a directory.  Out: verified files in it.

IndiaFinBench comes from its public repository (Rajveer-code/IndiaFinBench, CC BY 4.0), each file
at a pinned commit.  What is pinned by its bytes and what by derived rows stands in the manifest
(`load_manifest("indiafinbench").notes`) and in `data/indiafinbench.md`.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from finassay import stopping
from finassay.benchmarks.derived import derive
from finassay.benchmarks.download import Patience, download, require_http
from finassay.benchmarks.manifests import (
    DerivedTable,
    Location,
    Manifest,
    Pin,
    SourceFile,
    digest,
    load_manifest,
    plain_text,
)
from finassay.errors import FetchError

Progress = Callable[[int, int | None], None]
"""Called with the bytes done and the bytes in all."""

_SLACK = 4
"""A part of a derived table may grow this much before it is refused."""


def fetch_indiafinbench(
    directory: str | Path, *, base_url: str | None = None, progress: Progress | None = None
) -> Path:
    """Return the directory with IndiaFinBench in it, as `import_indiafinbench` reads it.

    Files that are there already with the right content are kept, so a broken run goes on where it
    stopped; files with another content are replaced.

    Args:
        directory: where the files go; made if need be.
        base_url: another home (a mirror) under which COMMIT/PATH is found.
        progress: called with bytes done and bytes in all.

    Raises:
        FetchError: a file could not be had, or is not the pinned one.
        UsageError: the address is not http or https.
    """
    root = Path(directory)
    fetch_files(load_manifest("indiafinbench"), root, base_url=base_url, progress=progress)
    return root


def fetch_files(
    manifest: Manifest,
    directory: str | Path,
    *,
    base_url: str | None = None,
    progress: Progress | None = None,
    retries: int = 3,
    timeout_s: float = 30.0,
) -> tuple[Path, ...]:
    """Return the paths of a manifest's files, after fetching those that are not there yet.

    Each file is verified before it appears under its name, so nothing half-written or wrong is
    ever found there.

    Args:
        manifest: what to fetch.
        directory: where the files go; made if need be.
        base_url: another home (a mirror) under which COMMIT/PATH is found.
        progress: called with bytes done and bytes in all.
        retries: further tries after the first, for failures that may pass.
        timeout_s: seconds without a byte after which a connection counts as lost.

    Raises:
        FetchError: a file could not be had, is not the pinned one, or cannot be written.
        UsageError: the address is not http or https, or a number is out of range.
    """
    base = (base_url or manifest.home).rstrip("/")
    require_http(base)
    home = _Home(base=base, patience=Patience(retries=retries, timeout_s=timeout_s))
    root = Path(directory)
    total, done = sum(_planned(entry) for entry in manifest.entries), 0
    paths = []
    for entry in manifest.entries:
        path = root / entry.pin.target
        if not _is_there(path, entry.pin):
            _write(path, _content(entry, home))
        paths.append(path)
        done += _planned(entry)
        if progress:
            progress(done, total)
    return tuple(paths)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Home:
    """Where files are read from, and how patiently."""

    base: str
    patience: Patience

    def address(self, location: Location) -> str:
        """Return the address of a file."""
        return f"{self.base}/{location.commit}/{quote(location.path)}"

    def read(self, location: Location, limit: int) -> bytes:
        """Return the bytes of a file."""
        return download(self.address(location), limit=limit, patience=self.patience)


def _planned(entry: SourceFile | DerivedTable) -> int:
    """Return the bytes to download, roughly: the sizes of parts are not pinned."""
    if isinstance(entry, SourceFile):
        return entry.pin.size
    return sum(part.about for part in entry.parts)


def _content(entry: SourceFile | DerivedTable, home: _Home) -> bytes:
    if isinstance(entry, SourceFile):
        # With CRLF line ends a text at most doubles.
        content = plain_text(home.read(entry.location, 2 * entry.pin.size + 4096))
        return _verified(content, entry.pin, [home.address(entry.location)])
    parts = [home.read(part.location, _SLACK * part.about) for part in entry.parts]
    addresses = [home.address(part.location) for part in entry.parts]
    return _verified(derive(entry, parts), entry.pin, addresses)


def _verified(content: bytes, pin: Pin, addresses: Sequence[str]) -> bytes:
    if pin.matches(content):
        return content
    more = f" and {len(addresses) - 1} more" if len(addresses) > 1 else ""
    raise FetchError(
        f"{pin.target}: the content from {addresses[0]}{more} is not the pinned one: expected "
        f"{pin.size} bytes with SHA-256 {pin.sha256}, got {len(content)} bytes with "
        f"{digest(content)}; the public copy has changed: use your own copy with `--from DIR`, or "
        f"a newer release"
    )


def _is_there(path: Path, pin: Pin) -> bool:
    try:
        return path.stat().st_size == pin.size and pin.matches(path.read_bytes())
    except FileNotFoundError:
        return False
    except OSError as error:
        raise _unusable(path, error) from error


def _write(path: Path, content: bytes) -> None:
    """Write aside, then rename, so that a kill leaves nothing half-written under the name."""
    aside = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with aside.open("xb") as stream:
                stream.write(content)
                stream.flush()
                os.fsync(stream.fileno())
            stopping.checkpoint()
            aside.replace(path)
        finally:
            aside.unlink(missing_ok=True)
    except OSError as error:
        raise _unusable(path, error) from error


def _unusable(path: Path, error: OSError) -> FetchError:
    return FetchError(
        f"{path}: cannot be read or written ({error.strerror or error}); check the directory, its "
        f"permissions and the space left, and run it again"
    )
