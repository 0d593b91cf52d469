"""Files that may be logs.  In: paths of files and folders.  Out: candidates, told by content.

A candidate is looked into once: its first bytes, the shape of its JSON, and the names at the top
of it, which may be read off a file that ends in the middle.
"""

from __future__ import annotations

import gzip
import json
import re
import zlib
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from typing import Literal

HEAD_BYTES = 1 << 15
"""Bytes at the beginning of a file that tell what it is."""

Shape = Literal["zip", "parquet", "object", "array", "lines", "text", "empty", "unreadable"]

_SKIPPED_FOLDERS = frozenset({"__pycache__", "node_modules", "_delta_log"})
_SPACE = re.compile(r"[ \t\r\n]*")
_MARK = re.compile(r'[{}\[\],"]')
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)


class Candidate:
    """A file that may be a log.

    Attributes:
        path: where it is.
        is_named: whether the caller named the file itself, and not a folder it is in.
    """

    def __init__(self, path: Path, *, is_named: bool = True) -> None:
        self.path = path
        self.is_named = is_named

    def __repr__(self) -> str:
        return f"Candidate({str(self.path)!r})"

    @cached_property
    def head(self) -> bytes:
        """The first bytes, uncompressed where gzip compressed them; none of what cannot be read."""
        try:
            with self.path.open("rb") as stream:
                raw = stream.read(HEAD_BYTES)
            if raw[:2] == b"\x1f\x8b":
                with gzip.open(self.path) as packed:
                    return packed.read(HEAD_BYTES)
        except (OSError, EOFError, zlib.error):
            return b""
        return raw

    @cached_property
    def text(self) -> str:
        """The first characters, without a byte-order mark."""
        return self.head.decode("utf-8", "replace").removeprefix("\ufeff")

    @cached_property
    def shape(self) -> Shape:
        """What the file is: a ZIP or Parquet file, one JSON value, or JSON lines."""
        if not self.head:
            return "unreadable" if not self.path.is_file() else "empty"
        if self.head.startswith(b"PK\x03\x04"):
            return "zip"
        if self.head.startswith(b"PAR1"):
            return "parquet"
        opening = self.text.lstrip()[:1]
        if opening == "[":
            return "array"
        if opening != "{":
            return "text" if self.text.strip() else "empty"
        return "lines" if self._is_lines() else "object"

    def _is_lines(self) -> bool:
        line = self.text.lstrip().split("\n", 1)[0].rstrip()
        if not line.endswith("}"):
            # A first line longer than what was read may be a whole document as well.
            return "\n" not in self.text.strip() and self._is_named_lines
        rest = self.text.lstrip()[len(line) :].strip()
        try:
            json.loads(line)
        except ValueError:
            return False
        return bool(rest) or self._is_named_lines

    @property
    def _is_named_lines(self) -> bool:
        return self.path.name.removesuffix(".gz").endswith((".jsonl", ".ndjson"))

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """Names at the top of the document, or of the first element or line, as far as read."""
        return tuple(self._members)

    @cached_property
    def _members(self) -> dict[str, int]:
        """Where the value of each name at the top begins, in `text`."""
        start = _SPACE.match(self.text)
        at = start.end() if start else 0
        if self.text[at : at + 1] == "[":
            inner = _SPACE.match(self.text, at + 1)
            at = inner.end() if inner else at + 1
        return _members(self.text, at)

    def value(self, name: str) -> object:
        """Return the value under a name at the top, or None where it is not whole in the head."""
        at = self._members.get(name)
        if at is None:
            return None
        value: object
        try:
            value, _ = json.JSONDecoder().raw_decode(self.text, at)
        except (ValueError, RecursionError):
            return None
        return value

    def begins(self, name: str) -> str:
        """Return the first characters of the value under a name at the top, "" if there is none."""
        at = self._members.get(name)
        return "" if at is None else self.text[at : at + 200]

    def has(self, *names: str) -> bool:
        """Return whether all these names stand at the top."""
        return all(name in self._members for name in names)


def _members(text: str, at: int) -> dict[str, int]:
    """Return name -> beginning of its value for the object that begins at a place."""
    found: dict[str, int] = {}
    if text[at : at + 1] != "{":
        return found
    at += 1
    while True:
        at = _skip(text, at, " \t\r\n,")
        name = _STRING.match(text, at)
        if name is None:
            return found
        at = _skip(text, name.end(), " \t\r\n:")
        if at >= len(text):
            return found
        try:
            found.setdefault(json.loads(name.group(), strict=False), at)
        except ValueError:
            return found
        end = _value_end(text, at)
        if end is None:
            return found
        at = end


def _skip(text: str, at: int, characters: str) -> int:
    while at < len(text) and text[at] in characters:
        at += 1
    return at


def _value_end(text: str, at: int) -> int | None:
    """Return where a value ends, or None where the text ends first."""
    depth = 0
    while (found := _MARK.search(text, at)) is not None:
        mark, at = found.group(), found.start()
        if mark == '"':
            string = _STRING.match(text, at)
            if string is None:
                return None
            at = string.end()
        elif depth == 0 and mark in ",}]":
            return at
        else:
            depth += {"{": 1, "[": 1, ",": 0}.get(mark, -1)
            at += 1
        if depth == 0:
            return at
    return None


def find_candidates(paths: Iterable[Path]) -> list[Candidate]:
    """Return the files that are named, and those in the folders that are, in sorted order.

    Hidden files and folders are passed over, and so are the tables of a study.
    """
    found: dict[Path, Candidate] = {}
    for path in paths:
        if path.is_dir():
            for inner in _files(path):
                found.setdefault(inner, Candidate(inner, is_named=False))
        else:
            found[path] = Candidate(path)
    return list(found.values())


def _files(folder: Path) -> list[Path]:
    found: list[Path] = []
    for entry in sorted(folder.iterdir()):
        if entry.name.startswith(".") or entry.name in _SKIPPED_FOLDERS:
            continue
        if entry.is_dir():
            if not (entry / "study.toml").exists():
                found.extend(_files(entry))
        elif entry.is_file():
            found.append(entry)
    return found
