"""Messages for readers of pages.  In: what the library says.  Out: the same, with what they can do.

The library's messages name options of the command line; whoever looks at a page has fields of a
form and parameters of an address instead.
"""

from __future__ import annotations

import re

_COLUMNS = {
    "item_id": "“Column of item ids” (`item_column`)",
    "prediction": "“Column of replies” (`prediction_column`)",
    "trial": "“Column of trials” (`trial_column`)",
}
"""Part of a table of predictions -> the field of the form that names its column."""


def _column(found: re.Match[str]) -> str:
    field = _COLUMNS.get(found["part"])
    return "rename the others" if field is None else f"name it in the field {field}"


_SAID: tuple[tuple[str, str], ...] = (
    (
        r"name families that are knowledge with --knowledge",
        "name families that are knowledge: `?knowledge=FAMILY`, once for each",
    ),
    (
        r"leave the operation out: name the others with --operation",
        "`finassay operations STUDY --operation NAME` compares the others",
    ),
    (
        r"try `--encoding (\S+)`(?: \(or (\S+)\))?",
        "choose another in the field “Encoding of the text” (`encoding`), or save it as UTF-8",
    ),
    (
        r"say which with `finassay import --delimiter`",
        "save it with commas as .csv, or with tabs as .tsv",
    ),
    (
        r"\(for one object a line, use `finassay import --format jsonl`\)",
        "(for one object a line, let the file's name end in .jsonl)",
    ),
    (
        r"say what (?:the file|it) is with `finassay import --format`(?: or `[^`]*`)?",
        "let the file's name end as what it is: .csv, .tsv, .json, .jsonl or .xlsx",
    ),
    (
        r"say what it is with `finassay import --table KIND --map PART=COLUMN`",
        "name the columns of item ids and of replies in the form",
    ),
)
"""Pattern -> what is said instead."""

_MAP = re.compile(
    r"say which with `finassay import --map '?(?P<part>\w+)=[^`]*` or in a mapping file"
)
_PATTERNS = tuple((re.compile(pattern), said) for pattern, said in _SAID)


def for_readers(text: str) -> str:
    """Return a message with fields and parameters in place of options of the command line."""
    for pattern, said in _PATTERNS:
        text = pattern.sub(said, text)
    return _MAP.sub(_column, text)
