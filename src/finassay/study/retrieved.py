"""Passages that open-book systems were asked with.  In: a study.  Out: these passages, by system.

One file of JSON Lines for each system, each line a passage for an item.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from finassay.errors import StudyError
from finassay.study.study import Study

RETRIEVED = "retrieved"
"""Folder of a study that holds what was found for the items of open-book runs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """One passage that an item was asked with.

    Attributes:
        item_id: the item.
        rank: its place, from 1.
        chunk_id: its document and span in that document's clean text.
        score: of the search.
        text: the passage.
        index: digest of the index.
    """

    item_id: str
    rank: int
    chunk_id: str
    score: float
    text: str
    index: str


def found_for(study: Study, system_id: str) -> Iterator[Found]:
    """Yield the passages that a system was asked with; none for a closed-book one.

    Raises:
        StudyError: the file is damaged.
    """
    yield from _read(_file(study, system_id))


def keep_found(study: Study, system_id: str, found: Iterable[Found]) -> Path:
    """Write passages behind those that are held for a system, and return the file.

    Raises:
        StudyError: the file is damaged, or cannot be written.
    """
    path = _file(study, system_id)
    _write(path, [*_read(path), *found])
    return path


def mask_found(
    study: Study, mask: Callable[[str], str], *, systems: Sequence[str] | None = None
) -> int:
    """Mask the words of passages for good, and return how many passages changed.

    A passage that is masked stays, so its item is not looked up again.

    Args:
        study: holds them.
        mask: makes the new text of the old one.
        systems: ids of the systems whose passages are masked; all by default.

    Raises:
        StudyError: a file is damaged, and none was changed; or one cannot be written.
    """
    folder = study.root / RETRIEVED
    paths = [
        path
        for path in sorted(folder.glob("*.jsonl"))
        if systems is None or path.stem in set(systems)
    ]
    held = {path: list(_read(path)) for path in paths}
    total = 0
    for path, before in held.items():
        after = [replace(one, text=mask(one.text)) for one in before]
        changed = sum(old != new for old, new in zip(before, after, strict=True))
        if changed:
            _write(path, after)
        total += changed
    for path in folder.glob(".*.tmp"):
        path.unlink()
    return total


def _file(study: Study, system_id: str) -> Path:
    return study.root / RETRIEVED / f"{system_id}.jsonl"


def _read(path: Path) -> Iterator[Found]:
    if not path.exists():
        return
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise _damaged(path, "UTF-8 text that can be read", error) from error
    for number, line in enumerate(lines, start=1):
        if not line:
            continue
        try:
            said = json.loads(line)
            found = Found(**said)
        except (TypeError, ValueError, RecursionError) as error:
            raise _damaged(path, "a passage as JSON", error, number) from error
        if not isinstance(said["text"], str):
            raise _damaged(path, "a passage as JSON", f"its text is {said['text']!r}", number)
        yield found


def _damaged(path: Path, expected: str, got: object, number: int | None = None) -> StudyError:
    line = "" if number is None else f", line {number}"
    return StudyError(
        f"{str(path)!r}{line}: expected {expected} ({got}); delete the file, and the next run of "
        f"the system writes it again"
    )


def _write(path: Path, found: Iterable[Found]) -> None:
    aside = path.with_name(f".{path.name}.{uuid.uuid4().hex}.tmp")
    text = "".join(f"{json.dumps(asdict(one), ensure_ascii=False)}\n" for one in found)
    try:
        path.parent.mkdir(exist_ok=True)
        aside.write_text(text, encoding="utf-8")
        aside.replace(path)
    except OSError as error:
        raise StudyError(
            f"{str(path)!r}: what was found cannot be written: {error.strerror}; make room or "
            f"allow writing, and run again"
        ) from error
