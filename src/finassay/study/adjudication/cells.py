"""Texts in the cells of sheets and back.  In: any text.  Out: cells that spreadsheets leave alone.

A reply that begins with "=" is data, and must neither run as a formula nor come back as another
text.  In CSV files a text that a spreadsheet would change gets an apostrophe before it, as does one
that begins with an apostrophe; in XLSX files the cell's type says that it is text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

CELL_CHARACTERS = 32_000
"""Most characters of a cell; spreadsheets cut at 32,767."""

_FORMULA = frozenset("=+-@|%\t\r\n＝＋－＠")
"""What a formula may begin with; full-width forms work in some locales."""

_LONGEST_CONVERTED = 40
"""Texts of more characters are neither numbers nor dates to any spreadsheet."""

_PROSE_WORDS = 3
"""Texts of so many words are neither; a long date has two (Monday, March)."""

_WORD = re.compile(r"[^\W\d_]{2,}")

_LOGICAL = frozenset({"true", "false", "wahr", "falsch", "vrai", "faux", "verdadero", "falso"})

_NOT_IN_XML = re.compile("[\x00-\x08\x0b-\x1f\ufffe\uffff\ud800-\udfff]")
_ESCAPE_LIKE = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")


def guarded(text: str) -> str:
    """Return a text as a CSV cell that no spreadsheet runs or converts; see `unguarded`."""
    return f"'{text}" if _is_at_risk(text) else text


def unguarded(cell: str) -> str:
    """Return the text of a cell that `guarded` wrote."""
    return cell.removeprefix("'")


def _is_at_risk(text: str) -> bool:
    bare = text.strip()
    if text.startswith("'") or bare[:1] in _FORMULA or text[:1] in _FORMULA:
        return bool(text)
    if len(bare) > _LONGEST_CONVERTED or len(_WORD.findall(bare)) >= _PROSE_WORDS:
        return False
    return bare.casefold() in _LOGICAL or any(character.isdigit() for character in bare)


def xml_escaped(text: str) -> str:
    """Return a text with what XML cannot hold as _xHHHH_, as spreadsheets write it.

    The carriage return is escaped too, since XML readers turn it into a new line.
    """
    shielded = _ESCAPE_LIKE.sub("_x005F_", text)
    return _NOT_IN_XML.sub(lambda found: f"_x{ord(found[0]):04X}_", shielded)


def xml_unescaped(text: str) -> str:
    """Return the text of a cell that `xml_escaped` wrote."""
    return _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text)


def chunks(text: str) -> Sequence[str]:
    """Return a text in pieces that fit a cell; one piece at least."""
    pieces = [text[at : at + CELL_CHARACTERS] for at in range(0, len(text), CELL_CHARACTERS)]
    return pieces or [""]


def continued(title: str) -> Iterator[str]:
    """Yield the titles of the columns of a text: "answer", "answer (2)", "answer (3)", ..."""
    yield title
    number = 2
    while True:
        yield f"{title} ({number})"
        number += 1


def compared(text: str, *, codec: str | None = None) -> str:
    """Return the form in which the text of a cell is compared with what was written.

    White space, case and an apostrophe at the beginning may change in a spreadsheet, and a
    character that the file's encoding lacks becomes a question mark.

    Args:
        text: of a cell, or of the study.
        codec: encoding of the file where it is not Unicode.
    """
    if codec is not None:
        text = text.encode(codec, "replace").decode(codec)
    kept = _NOT_IN_XML.sub(" ", text)
    return " ".join(kept.removeprefix("'").split()).casefold()
