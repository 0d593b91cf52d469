"""Opening files.  In: a path.  Out: bytes or text, whose errors name the file and the byte."""

from __future__ import annotations

import codecs
import gzip
import io
import stat
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, TextIO, cast

from finassay.errors import EncodingError, InputError, UsageError

_BOMS: tuple[tuple[bytes, str], ...] = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_NOT_OF_FILES = frozenset({"idna", "punycode", "undefined", "unicode-escape", "raw-unicode-escape"})
"""Codecs of text that encode something else than the text of a file."""

_CHUNK = 1 << 20
_SHOWN_BYTES = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenFile:
    """A file that is being read: its bytes, and how far reading has come on disk."""

    path: Path
    stream: BinaryIO
    raw: BinaryIO
    bytes_total: int

    @property
    def bytes_done(self) -> int:
        """Return the bytes read from disk so far (compressed bytes for a .gz file)."""
        return min(self.raw.tell(), self.bytes_total)


def is_gzipped(path: Path) -> bool:
    """Return whether the name says that the file is compressed by gzip."""
    return path.suffix.lower() == ".gz"


@contextmanager
def open_bytes(path: Path) -> Iterator[OpenFile]:
    """Yield the open file, uncompressed where its name ends in .gz.

    Raises:
        InputError: there is no such file, it is none that can be read to its end and again, it
            cannot be opened, or its compression is damaged.
    """
    try:
        _require_regular(path)
        raw = path.open("rb")
    except FileNotFoundError as error:
        raise InputError(f"{path}: there is no such file; check the path") from error
    except OSError as error:
        raise InputError(
            f"{path}: cannot be opened as a file: {error.strerror}; check the path and the rights"
        ) from error
    with raw:
        stream = cast("BinaryIO", gzip.GzipFile(fileobj=raw)) if is_gzipped(path) else raw
        try:
            yield OpenFile(path=path, stream=stream, raw=raw, bytes_total=path.stat().st_size)
        except (gzip.BadGzipFile, EOFError, zlib.error) as error:
            raise InputError(
                f"{path}: the gzip compression is damaged ({error}); fetch the file again"
            ) from error


def _require_regular(path: Path) -> None:
    # A pipe waits for its writer and a device may never end; a table is also read more than once.
    mode = path.stat().st_mode
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        raise InputError(
            f"{path}: expected a regular file, got a pipe, a socket or a device; write what it "
            f"gives to a file first, and name that"
        )


def effective_encoding(path: Path, encoding: str) -> str:
    """Return the codec to read with: a byte-order mark wins over the default UTF-8.

    Raises:
        UsageError: Python knows no such encoding of text.
    """
    try:
        declared = codecs.lookup(encoding).name
        # Only the text layer says whether a codec gives text: rot13 and base64 do not.
        io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    except (LookupError, ValueError) as error:
        raise _encoding_refused(encoding) from error
    if declared.replace("_", "-") in _NOT_OF_FILES:
        raise _encoding_refused(encoding)
    if declared != "utf-8":
        return declared
    with open_bytes(path) as opened:
        head = opened.stream.read(4)
    return next((name for mark, name in _BOMS if head.startswith(mark)), declared)


def _encoding_refused(encoding: str) -> UsageError:
    return UsageError(
        f"`encoding` must be an encoding of text that Python knows, for instance utf-8 or cp1252, "
        f"got {encoding!r}"
    )


@contextmanager
def open_text(opened: OpenFile, encoding: str) -> Iterator[TextIO]:
    r"""Yield the text with line ends untouched; lines end at \n, \r and \r\n only.

    Raises:
        EncodingError: bytes are not text in this encoding; says which, and where.
    """
    text = io.TextIOWrapper(opened.stream, encoding=encoding, errors="strict", newline="")
    try:
        yield text
    except UnicodeError as error:
        raise encoding_error(opened.path, encoding, error) from error
    finally:
        text.detach()


def encoding_error(path: Path, encoding: str, cause: UnicodeError) -> EncodingError:
    """Return the error that names the first byte of a file that is not text in an encoding."""
    # The text layer reports positions inside its own buffer, so the file is walked once more.
    offset, offending = _first_undecodable(path, encoding)
    where = f"byte {offset}" if offset is not None else "an unknown byte"
    shown = offending.hex(" ") if offending else str(cause)
    tries = [name for name in ("cp1252", "utf-16") if name != encoding.lower()]
    return EncodingError(
        f"{path}: {where} ({shown}) is not text in {encoding}; if the file comes from Windows or "
        f"Excel, try `--encoding {tries[0]}`{' (or utf-16)' if len(tries) > 1 else ''}"
    )


def _first_undecodable(path: Path, encoding: str) -> tuple[int | None, bytes]:
    decoder = codecs.getincrementaldecoder(encoding)(errors="strict")
    with open_bytes(path) as opened:
        base = 0
        while True:
            chunk = opened.stream.read(_CHUNK)
            pending = len(decoder.getstate()[0])
            try:
                decoder.decode(chunk, final=not chunk)
            except UnicodeDecodeError as error:
                begin = base - pending + error.start
                return begin, bytes(error.object[error.start : error.end][:_SHOWN_BYTES])
            except UnicodeError:
                return None, b""
            if not chunk:
                return None, b""
            base += len(chunk)
