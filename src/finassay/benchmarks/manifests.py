"""What a public benchmark consists of, pinned.  In: a manifest file.  Out: frozen records.

Two kinds of pin.  A `SourceFile` is kept as it comes, and its digest is that of its bytes (line
ends as LF, without a byte order mark).  A `DerivedTable` is made from files that are not kept:
chosen fields of their rows, written in one fixed form, and its digest is that of this form.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Literal, get_args

from finassay.benchmarks.reading import (
    Record,
    as_record,
    data_text,
    list_of,
    number_of,
    optional_text_of,
    record_from,
    require_keys,
    text_of,
    texts_of,
)
from finassay.errors import InputError, UnknownNameError, UsageError

Form = Literal["csv", "json"]

_FORMS: tuple[Form, ...] = get_args(Form)
_MANIFESTS = {"indiafinbench": "indiafinbench_manifest.json"}
_SHA256 = re.compile(r"[0-9a-f]{64}")
_COMMIT = re.compile(r"[0-9a-f]{40}")
_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pin:
    """Where a file belongs and what its content must be.

    Attributes:
        target: path in the directory of the benchmark, with slashes.
        sha256: digest of the content, 64 hexadecimal digits.
        size: bytes of the content.

    Raises:
        UsageError: the path leaves the directory, the digest is none, or the size is negative.
    """

    target: str
    sha256: str
    size: int

    def __post_init__(self) -> None:
        path = PurePosixPath(self.target)
        if not self.target or path.is_absolute() or ".." in path.parts or "\\" in self.target:
            raise UsageError(f"`target` must be a path inside the directory, got {self.target!r}")
        if not _SHA256.fullmatch(self.sha256):
            raise UsageError(
                f"{self.target}: `sha256` must be 64 hexadecimal digits, got {self.sha256!r}"
            )
        if self.size < 0:
            raise UsageError(f"{self.target}: `size` must be 0 or more bytes, got {self.size!r}")

    def matches(self, content: bytes) -> bool:
        """Return whether the content is the pinned one."""
        return len(content) == self.size and digest(content) == self.sha256


@dataclass(frozen=True, slots=True, kw_only=True)
class Location:
    """A file at its public home, at one commit.

    Attributes:
        path: path in the repository.
        commit: 40 hexadecimal digits; branch names move, so they are refused.

    Raises:
        UsageError: the commit is not a full one.
    """

    path: str
    commit: str

    def __post_init__(self) -> None:
        if not _COMMIT.fullmatch(self.commit):
            raise UsageError(
                f"{self.path}: `commit` must be 40 hexadecimal digits, got {self.commit!r}"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceFile:
    """A file that is kept as it comes."""

    pin: Pin
    location: Location


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A file from which rows of a derived table are taken.

    Attributes:
        location: where it is.
        about: bytes that it roughly has; four times as many are refused.
        label: what stands in the table's label column for its rows.
    """

    location: Location
    about: int
    label: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DerivedTable:
    """A table made from the rows of other files.

    Attributes:
        pin: where it belongs, and the digest of the form in which it is written.
        form: "csv" (sorted rows, LF) or "json" (a list of objects in the order of the source).
        columns: (name in the table, name in the source); for JSON both are the same, and an
            object keeps those of the names that it has.
        parts: the files that rows are taken from.
        label: name of a column that holds the label of the part, if any.
    """

    pin: Pin
    form: Form
    columns: tuple[tuple[str, str], ...]
    parts: tuple[Part, ...]
    label: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """The files of a public benchmark.

    Attributes:
        name: of the benchmark.
        home: address under which COMMIT/PATH is found.
        licence: of the data.
        notes: what is pinned how, and what could not be pinned, in sentences.
        files: kept as they come.
        derived: made from rows of others.

    Raises:
        UsageError: two files belong at one place.
    """

    name: str
    home: str
    licence: str = ""
    notes: tuple[str, ...] = ()
    files: tuple[SourceFile, ...] = ()
    derived: tuple[DerivedTable, ...] = ()

    def __post_init__(self) -> None:
        targets = self.targets
        if len(set(targets)) < len(targets):
            raise UsageError(f"{self.name}: two files belong at one place: {sorted(targets)}")

    @property
    def targets(self) -> tuple[str, ...]:
        """Return the paths of all files in the directory of the benchmark."""
        return tuple(entry.pin.target for entry in self.entries)

    @property
    def entries(self) -> tuple[SourceFile | DerivedTable, ...]:
        """Return all that there is to fetch."""
        return self.files + self.derived


def digest(content: bytes) -> str:
    """Return the SHA-256 of some bytes as 64 hexadecimal digits."""
    return hashlib.sha256(content).hexdigest()


def plain_text(content: bytes) -> bytes:
    """Return a text's bytes with LF line ends and without a byte order mark.

    Checkouts and mirrors differ in these two, and neither changes what a table says.
    """
    return content.removeprefix(_BOM).replace(b"\r\n", b"\n")


def load_manifest(name: str = "indiafinbench") -> Manifest:
    """Return the manifest of a public benchmark.

    Raises:
        UnknownNameError: there is no manifest of that name.
        InputError: the file cannot be read.
    """
    if name not in _MANIFESTS:
        raise UnknownNameError(f"no manifest {name!r}; expected one of {', '.join(_MANIFESTS)}")
    return manifest_from(data_text(_MANIFESTS[name]), where=_MANIFESTS[name])


def manifest_from(text: str, *, where: str) -> Manifest:
    """Return the manifest that a JSON text holds.

    Raises:
        InputError: a key is missing, unknown or of the wrong type.
        UsageError: a value is out of range.
    """
    record = record_from(text, where)
    require_keys(record, ("name", "home", "licence", "notes", "files", "derived"), where)
    return Manifest(
        name=text_of(record, "name", where),
        home=text_of(record, "home", where),
        licence=text_of(record, "licence", where),
        notes=texts_of(record, "notes", where),
        files=tuple(_source(one, place) for one, place in _each(record, "files", where)),
        derived=tuple(_derived(one, place) for one, place in _each(record, "derived", where)),
    )


def _each(record: Record, key: str, where: str) -> Sequence[tuple[Record, str]]:
    places = [(one, f"{where}: {key}[{i}]") for i, one in enumerate(list_of(record, key, where))]
    return [(as_record(one, place), place) for one, place in places]


def _source(record: Record, where: str) -> SourceFile:
    require_keys(record, ("target", "sha256", "size", "path", "commit"), where)
    return SourceFile(pin=_pin(record, where), location=_location(record, where))


def _derived(record: Record, where: str) -> DerivedTable:
    keys = ("target", "sha256", "size", "form", "columns", "label", "parts")
    require_keys(record, keys, where)
    columns = as_record(record["columns"], f"{where}: `columns`")
    return DerivedTable(
        pin=_pin(record, where),
        form=_form(text_of(record, "form", where), where),
        columns=tuple((name, text_of(columns, name, where)) for name in columns),
        parts=tuple(_part(one, place) for one, place in _each(record, "parts", where)),
        label=optional_text_of(record, "label", where),
    )


def _part(record: Record, where: str) -> Part:
    require_keys(record, ("path", "commit", "about", "label"), where)
    return Part(
        location=_location(record, where),
        about=number_of(record, "about", where),
        label=text_of(record, "label", where),
    )


def _pin(record: Record, where: str) -> Pin:
    return Pin(
        target=text_of(record, "target", where),
        sha256=text_of(record, "sha256", where),
        size=number_of(record, "size", where),
    )


def _location(record: Record, where: str) -> Location:
    return Location(path=text_of(record, "path", where), commit=text_of(record, "commit", where))


def _form(text: str, where: str) -> Form:
    for form in _FORMS:
        if text == form:
            return form
    raise InputError(f"{where}: `form` must be one of {', '.join(_FORMS)}, got {text!r}")
