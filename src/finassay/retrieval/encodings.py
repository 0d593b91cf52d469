"""Text from bytes.  In: the bytes of a file.  Out: its text, with the encoding that was read."""

from __future__ import annotations

import codecs
import re

from finassay.errors import EncodingError

_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_DECLARED = re.compile(
    rb"<(?:meta\b[^>]{0,300}?charset\s*=\s*[\"']?|\?xml\b[^>]{0,200}?encoding\s*=\s*[\"'])"
    rb"\s*([A-Za-z0-9_.:-]{2,40})",
    re.IGNORECASE,
)
_HEAD = 4096
_CONTROL = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_BEYOND_ASCII = re.compile(rb"[\x80-\xff]+")
_MOST_ODD = 0.3
GUESSED = "cp1252"


def decoded(content: bytes, *, where: str, declared: str = "") -> tuple[str, str]:
    """Return the text of bytes, and the encoding it was read in.

    A byte order mark decides, then what is declared, then UTF-8 and UTF-16 if the bytes are valid;
    what is left is Windows' Western European encoding (cp1252) where that gives text.

    Args:
        content: the bytes.
        where: the file, for messages.
        declared: the encoding that is said to be; "" where nothing is said.

    Raises:
        EncodingError: the bytes are not text in the encoding declared, or in none of the others.
    """
    for mark, encoding in _BOMS:
        if content.startswith(mark):
            return _strict(content, encoding, where, "its byte order mark says"), encoding
    if declared:
        return _strict(content, declared, where, "is declared"), declared.lower()
    wide = _utf16(content)
    if wide:
        return _strict(content, wide, where, "its bytes look like"), wide
    try:
        return _readable(content.decode("utf-8"), where), "utf-8"
    except UnicodeDecodeError as error:
        return _western(content, where, error), GUESSED


def declared_in_html(content: bytes) -> str:
    """Return the encoding that an HTML file declares near its start, or ""."""
    found = _DECLARED.search(content[:_HEAD])
    name = found[1].decode("ascii").lower() if found else ""
    # Browsers read these names so (WHATWG Encoding Standard).
    return {"iso-8859-1": GUESSED, "latin1": GUESSED, "us-ascii": GUESSED, "utf-16": "utf-8"}.get(
        name, name
    )


def _strict(content: bytes, encoding: str, where: str, why: str) -> str:
    try:
        return _readable(content.decode(encoding), where)
    except LookupError as error:
        raise EncodingError(
            f"{where}: {encoding!r} {why}, which is no encoding; declare one that Python knows, "
            f"such as 'utf-8' or 'cp1252'"
        ) from error
    except UnicodeDecodeError as error:
        raise EncodingError(
            f"{where}: expected text in {encoding!r}, which {why}, got byte "
            f"{content[error.start]:#04x} at offset {error.start}; convert the file, or declare "
            f"its encoding"
        ) from error


def _utf16(content: bytes) -> str:
    """Return UTF-16 in the order that zero bytes of mostly Latin text show, or ""."""
    head = content[:_HEAD]
    if len(head) < 4 or len(content) % 2:
        return ""
    even, odd = head[::2].count(0), head[1::2].count(0)
    if odd > 0.7 * len(head[1::2]) and even < 0.1 * len(head[::2]):
        return "utf-16-le"
    if even > 0.7 * len(head[::2]) and odd < 0.1 * len(head[1::2]):
        return "utf-16-be"
    return ""


def _western(content: bytes, where: str, error: UnicodeDecodeError) -> str:
    odd = sum(len(run) for run in _BEYOND_ASCII.findall(content))
    valid = content.decode("utf-8", "replace")
    broken = valid.count("\ufffd")
    # Many characters of UTF-8 and few that are broken: a damaged file, not another encoding.
    is_damaged = sum(ord(c) > 127 for c in valid) - broken > broken
    try:
        text = content.decode(GUESSED)
    except UnicodeDecodeError:
        text = ""
    if not text or is_damaged or odd > _MOST_ODD * len(content):
        raise EncodingError(
            f"{where}: expected text in UTF-8, got byte {content[error.start]:#04x} at offset "
            f"{error.start}; convert the file to UTF-8, or declare its encoding"
        ) from error
    return _readable(text, where)


def _readable(text: str, where: str) -> str:
    found = _CONTROL.search(text)
    if found and len(_CONTROL.findall(text)) > max(1, len(text) // 1000):
        raise EncodingError(
            f"{where}: expected text, got control character {ord(found[0]):#04x} at offset "
            f"{found.start()} and more of them: the file is binary, or in another encoding; "
            f"convert it to UTF-8 text"
        )
    return text
