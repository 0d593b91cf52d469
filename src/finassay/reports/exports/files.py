"""Files of an export.  In: names and lines.  Out: files, each whole or not there."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from finassay import stopping
from finassay.errors import UsageError

_UNSAFE = re.compile(r"[^\w.=+@-]+")
_LONGEST = 120


def file_stem(name: str) -> str:
    """Return a display name as the stem of a file: letters, digits and a few marks.

    Example:
        >>> file_stem("openai/gpt-4o [512 tokens]")
        'openai_gpt-4o_512_tokens'
    """
    return _UNSAFE.sub("_", name).strip("._")[:_LONGEST] or "unnamed"


class Folder:
    """A directory whose files appear together: written aside, and renamed at the end.

    Attributes:
        path: the directory; it is made where it does not exist.
        written: (name, rows) of every file, in order.
    """

    def __init__(self, path: str | os.PathLike[str], *, force: bool) -> None:
        self.path = Path(path)
        self.written: list[tuple[str, int]] = []
        self._force = force
        self._aside: list[tuple[Path, Path]] = []

    def __enter__(self) -> Self:
        if self.path.exists() and not self.path.is_dir():
            raise UsageError(f"expected a directory to write to, got the file {str(self.path)!r}")
        self.path.mkdir(parents=True, exist_ok=True)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        for aside, target in self._aside:
            if kind is None:
                aside.replace(target)
            else:
                with suppress(OSError):
                    aside.unlink(missing_ok=True)

    def write(self, name: str, lines: Iterable[str]) -> None:
        """Write a file of lines, each with its own end; it appears when the folder is left.

        Raises:
            UsageError: a file of that name is there and may not be replaced.
        """
        target = self._free(name)
        aside = target.with_name(f".{name}.{os.getpid()}.tmp")
        self._aside.append((aside, target))
        rows = 0
        with aside.open("w", encoding="utf-8", newline="") as stream:
            for line in lines:
                stream.write(line)
                rows += 1
        self.written.append((name, rows))
        stopping.checkpoint()

    def _free(self, name: str) -> Path:
        target = self.path / name
        if target.exists() and not self._force:
            raise UsageError(
                f"{str(target)!r} is there already; pass --force to replace it, or name another "
                f"directory"
            )
        if any(target == other for _, other in self._aside):
            raise UsageError(
                f"two exports would both be written to {str(target)!r}"
                "; export them into two directories"
            )
        return target
