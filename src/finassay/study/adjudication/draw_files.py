"""Draws on disk.  In: a draw.  Out: one file of the study for each, written once.

The files stand in the directory `adjudication` of a study, one JSON document each.
"""

from __future__ import annotations

import os
import re
import uuid
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import msgspec

from finassay.errors import StudyError, UnknownNameError, UsageError
from finassay.records import content_digest
from finassay.study.adjudication.draws import Draw, json_text
from finassay.study.study import Study

DRAWS_FOLDER = "adjudication"
DRAW_VERSION = 1

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


@dataclass(frozen=True, kw_only=True)
class _Filed:
    """What a file of a draw holds."""

    finassay_draw: int
    digest: str
    draw: Draw


def require_draw_name(name: str) -> str:
    """Return a name that a file can have on every system.

    Raises:
        UsageError: it cannot be one.
    """
    if not _NAME.fullmatch(name):
        raise UsageError(
            f"a draw's name must be of letters, digits, dots, hyphens and underscores, at most "
            f"100 of them, and begin with a letter or digit, got {name!r}; choose another"
        )
    return name


def draw_names(study: Study) -> tuple[str, ...]:
    """Return the names of all draws of a study, sorted."""
    found = (study.root / DRAWS_FOLDER).glob("*.json")
    return tuple(sorted(path.stem for path in found if _NAME.fullmatch(path.stem)))


def units_of(study: Study, systems: Iterable[str]) -> set[str]:
    """Return the units of all draws that are of answers of these systems, by id."""
    wanted = set(systems)
    return {
        unit.unit_id
        for name in draw_names(study)
        for unit in read_draw(study, name).units
        if wanted & {unit.key.system_id, unit.key.other_system_id}
    }


def write_draw(study: Study, draw: Draw) -> bool:
    """File a draw in a study; return False where the very same draw is there already.

    Raises:
        UsageError: the name cannot be used, or another draw has it.
    """
    path = _path(study, draw.name)
    if path.exists():
        return _refuse_other(study, draw)
    path.parent.mkdir(exist_ok=True)
    filed = _Filed(finassay_draw=DRAW_VERSION, digest=_digest(draw), draw=draw)
    aside = path.with_name(f"{path.name}.{uuid.uuid4().hex}.tmp")
    try:
        with aside.open("w", encoding="utf-8") as out:
            out.write(json_text(filed) + "\n")
            out.flush()
            os.fsync(out.fileno())
        # A link, unlike a renaming, never replaces what another process wrote meanwhile.
        os.link(aside, path)
    except FileExistsError:
        return _refuse_other(study, draw)
    finally:
        with suppress(FileNotFoundError):
            aside.unlink()
    return True


def _refuse_other(study: Study, draw: Draw) -> bool:
    held = read_draw(study, draw.name)
    if held.draw_id != draw.draw_id:
        raise UsageError(
            f"the study has another draw named {draw.name!r}, of {held.created} with "
            f"{len(held.units)} units; a draw is never changed; choose another name"
        )
    return False


def read_draw(study: Study, name: str) -> Draw:
    """Return a draw of a study by name.

    Raises:
        UnknownNameError: there is none of that name.
        StudyError: its file was changed or damaged, or its layout is newer.
    """
    path = _path(study, name)
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        known = ", ".join(draw_names(study)) or "none"
        raise UnknownNameError(
            f"the study at {study.root} has no draw {name!r}; there are: {known}; make one with "
            f"`finassay adjudicate plan {study.root} --draw {name}`"
        ) from None
    try:
        filed = msgspec.json.decode(raw, type=_Filed)
    except msgspec.MsgspecError as error:
        raise _damaged(path, str(error)) from error
    if filed.finassay_draw != DRAW_VERSION:
        raise StudyError(
            f"{path} has layout {filed.finassay_draw!r}, expected {DRAW_VERSION}; install the "
            f"version of Finassay that wrote it"
        )
    if _digest(filed.draw) != filed.digest or filed.draw.name != name:
        raise _damaged(path, "its digest does not follow from its content")
    return filed.draw


def _damaged(path: Path, cause: str) -> StudyError:
    return StudyError(
        f"{path} was damaged or changed by hand: {cause}; expected what `finassay adjudicate plan "
        f"--draw` wrote; restore the file from a copy"
    )


def _digest(draw: Draw) -> str:
    return content_digest(json_text(draw))


def _path(study: Study, name: str) -> Path:
    return study.root / DRAWS_FOLDER / f"{require_draw_name(name)}.json"
