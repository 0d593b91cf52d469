"""A site on disk.  In: files, one by one.  Out: a directory that is whole or not there.

The files are written to a directory beside, which takes the place of the old one at the end.  A
directory that holds anything but an earlier site is left alone.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from finassay.errors import InputError, UsageError

MANIFEST = "site.json"
"""File that lists what a site holds, by which an earlier one is known."""

MADE_BY = "finassay export-site"


@dataclass(slots=True)
class SiteFolder:
    """A site that is being written.

    Attributes:
        root: the directory beside, in which the files stand until the site is whole.
        files: SHA-256 of each file by its relative path.
    """

    root: Path
    files: dict[str, str] = field(default_factory=dict)

    def write(self, name: str, content: bytes) -> None:
        """Write one file.

        Args:
            name: relative path with "/" between its parts.
            content: what it holds.

        Raises:
            UsageError: the name leads out of the site, or is that of another file.
        """
        path = self.root / name
        parts = name.split("/")
        if not name or name in self.files or {"", ".", ".."} & set(parts) or "\\" in name:
            raise UsageError(f"a file of a site has a relative name of its own, got {name!r}")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        self.files[name] = hashlib.sha256(content).hexdigest()


@contextmanager
def site_folder(
    directory: str | os.PathLike[str], told: Mapping[str, object]
) -> Iterator[SiteFolder]:
    """Yield a site to write to, which takes the place of `directory` when the block ends well.

    Args:
        directory: where the site will stand; it may hold an earlier one, and nothing else.
        told: what the manifest says beside the files.

    Raises:
        UsageError: `directory` is a file, holds something else, or cannot be written.
    """
    target = Path(os.path.realpath(directory))
    require_replaceable(target)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        aside = Path(tempfile.mkdtemp(dir=target.parent, prefix=f".{target.name}.", suffix=".part"))
    except OSError as error:
        raise UsageError(
            f"cannot write a site to {str(target)!r}: {error.strerror}; name another directory"
        ) from error
    try:
        folder = SiteFolder(aside)
        yield folder
        manifest = {"made_by": MADE_BY, **told, "files": dict(sorted(folder.files.items()))}
        text = json.dumps(manifest, ensure_ascii=False, indent=1) + "\n"
        (aside / MANIFEST).write_text(text, encoding="utf-8", newline="\n")
        aside.chmod(0o755)
        # Once more: somebody may have put something there while the site was written.
        require_replaceable(target)
        _swap(aside, target)
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def require_replaceable(target: Path) -> None:
    """Return if nothing stands at `target` but, at most, an earlier site.

    Raises:
        UsageError: it is a file, or holds a file that no site put there.
    """
    if not target.exists():
        return
    if not target.is_dir():
        raise UsageError(
            f"a site is written to a directory, got the file {str(target)!r}"
            "; name a directory with --out"
        )
    there = {path.relative_to(target).as_posix() for path in target.rglob("*") if _counts(path)}
    foreign = sorted(there - _listed(target))
    if foreign:
        named = ", ".join(repr(name) for name in foreign[:3])
        more = f" and {len(foreign) - 3} more" if len(foreign) > 3 else ""
        raise UsageError(
            f"{str(target)!r} holds what no site put there: {named}{more}; name a new or empty "
            f"directory, or that of an earlier site, and copy the site from there"
        )


def _counts(path: Path) -> bool:
    """Return whether a path is more than a directory on the way to others."""
    return path.is_symlink() or not path.is_dir() or not any(path.iterdir())


def _listed(target: Path) -> set[str]:
    """Return the files that the manifest of an earlier site lists, itself included."""
    path = target / MANIFEST
    if not path.is_file():
        return set()
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(
            f"{str(path)!r} cannot be read: {error}; name another directory for the site"
        ) from error
    if not isinstance(manifest, dict) or manifest.get("made_by") != MADE_BY:
        return set()
    files = manifest.get("files")
    return {MANIFEST, *files} if isinstance(files, dict) else {MANIFEST}


def _swap(new: Path, target: Path) -> None:
    """Put a directory in the place of another, which comes back if that fails."""
    if not target.exists():
        new.rename(target)
        return
    old = Path(tempfile.mkdtemp(dir=target.parent, prefix=f".{target.name}.", suffix=".old"))
    target.rename(old)
    try:
        new.rename(target)
    except OSError:
        old.rename(target)
        raise
    shutil.rmtree(old)
