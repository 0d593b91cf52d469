"""The file study.toml.  In: a study directory.  Out: its name, versions and default policy."""

from __future__ import annotations

import json
import os
import re
import tomllib
import uuid
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from finassay import stopping
from finassay.errors import NoStudyError, StudyError, UsageError
from finassay.records import UNSCORED_POLICIES, Unscored
from finassay.study.disk import writing

CONFIG_NAME = "study.toml"


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyConfig:
    """What study.toml says.

    Attributes:
        name: the study's display name.
        schema_version: layout of the tables; see `migrations`.
        created: time of creation, ISO 8601 in UTC.
        unscored: how estimates treat verdicts without a value unless a command says otherwise.
    """

    name: str
    schema_version: int
    created: str
    unscored: Unscored = "bounds"


UNSTORABLE = frozenset("[]%^|\\=") | {chr(code) for code in range(32)}
"""Characters of a path that the storage format cannot hold, or would read as something else."""


def require_storable(root: Path) -> None:
    """Check that a study can stand at a path.

    Raises:
        UsageError: a part of the whole path holds a character that the storage cannot take.
    """
    where = str(root.resolve())
    found = sorted(UNSTORABLE & set(where))
    if found:
        raise UsageError(
            f"a study cannot stand at {where!r}: the path holds {found[0]!r}, which the storage "
            f"format cannot take; choose a directory without any of [ ] % ^ | = and backslashes"
        )


# A Path turns s3://bucket into s3:/bucket; one letter is a drive.
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:/")


def require_local(root: Path) -> None:
    """Check that a study's path is one of a file system.

    Raises:
        UsageError: it is the address of an object store or of a server.
    """
    if _URL.match(root.as_posix()):
        raise UsageError(
            f"a study is a directory of a file system, got the address {str(root)!r}: study.toml, "
            f"labels and locks need one; expected a local or a shared directory; copy the study "
            f"here or mount the store (docs/how-to/score-on-many-machines.md)"
        )


def write_aside(path: Path, text: str) -> None:
    """Write a text file whole or not at all: to a .tmp beside it, then renamed over it.

    Raises:
        DiskError: the disk is full or cannot be written to; nothing is left behind.
    """
    stopping.checkpoint()
    aside = path.with_name(f"{path.name}.{uuid.uuid4().hex}.tmp")
    try:
        with writing(f"the file {path}"):
            with aside.open("w", encoding="utf-8") as out:
                out.write(text)
                out.flush()
                os.fsync(out.fileno())
            aside.replace(path)
    finally:
        with suppress(OSError):
            aside.unlink(missing_ok=True)


def _toml_text(value: str) -> str:
    # JSON strings are TOML basic strings but for DEL, which JSON leaves bare.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def write_config(root: Path, config: StudyConfig) -> None:
    """Write study.toml in a study directory, whole or not at all."""
    lines = (
        f"name = {_toml_text(config.name)}",
        f"schema_version = {config.schema_version}",
        f"created = {_toml_text(config.created)}",
        f"unscored = {_toml_text(config.unscored)}",
    )
    write_aside(root / CONFIG_NAME, "\n".join(lines) + "\n")


def read_config(root: Path) -> StudyConfig:
    """Return what study.toml of a study directory says.

    Raises:
        NoStudyError: there is no study.toml there.
        StudyError: it cannot be read as TOML, or lacks a field or has one of another type.
    """
    path = root / CONFIG_NAME
    try:
        raw = path.read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError):
        raise NoStudyError(
            f"there is no study at {str(root)!r} (no {CONFIG_NAME} in it); give the directory of "
            f"a study, or make one with `finassay study create {root}` or by importing a log"
        ) from None
    except UnicodeDecodeError as error:
        raise StudyError(f"{path} is not UTF-8: {error}; restore the file from a copy") from error
    try:
        found = tomllib.loads(raw)
    except tomllib.TOMLDecodeError as error:
        raise StudyError(f"{path} is not TOML: {error}; restore the file from a copy") from error
    return StudyConfig(
        name=_text(found, "name", path),
        schema_version=_number(found, "schema_version", path),
        created=_text(found, "created", path),
        unscored=_policy(found, path),
    )


def _text(found: dict[str, object], field: str, path: Path) -> str:
    value = found.get(field)
    if not isinstance(value, str):
        raise StudyError(f"{path}: `{field}` must be text, got {value!r}; correct it by hand")
    return value


def _number(found: dict[str, object], field: str, path: Path) -> int:
    value = found.get(field)
    if not isinstance(value, int) or isinstance(value, bool):
        raise StudyError(f"{path}: `{field}` must be a number, got {value!r}; correct it by hand")
    return value


def _policy(found: dict[str, object], path: Path) -> Unscored:
    value = found.get("unscored")
    if value not in UNSCORED_POLICIES:
        raise StudyError(
            f"{path}: `unscored` must be one of {UNSCORED_POLICIES}, got {value!r}; "
            f"correct it by hand"
        )
    return value
