"""Pages of one PDF.  In: a path and limits, as arguments.  Out: JSON on standard output.

This file is run as a program of its own and imports nothing of the package: a PDF that needs more
memory than it may, or never ends, takes down this process alone.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from typing import Any

Piece = tuple[float, str]


def pages_of(path: str, most_characters: int) -> Mapping[str, object]:
    """Return the text of every page, tables row by row, or what is wrong with the file."""
    import pdfplumber  # noqa: PLC0415 - an optional package
    from pdfminer.pdfdocument import PDFPasswordIncorrect  # noqa: PLC0415 - as above
    from pdfplumber.utils.exceptions import PdfminerException  # noqa: PLC0415 - as above

    try:
        with pdfplumber.open(path) as pdf:
            return _read(pdf, most_characters)
    except PdfminerException as error:
        cause = error.args[0] if error.args else None
        if isinstance(cause, PDFPasswordIncorrect):
            return {"problem": "password"}
        if isinstance(cause, MemoryError):
            return {"problem": "memory"}
        return {"problem": "damaged", "got": f"{error}"[:200] or "an error without a message"}


def _read(pdf: Any, most_characters: int) -> Mapping[str, object]:  # noqa: ANN401 - no types
    pages: list[str] = []
    left = most_characters
    for page in pdf.pages:
        text = "\n".join(piece for _, piece in sorted(_pieces(page), key=lambda one: one[0]))
        pages.append(text)
        left -= len(text)
        if left < 0:
            return {"problem": "long", "got": f"more by page {len(pages)}"}
        page.close()
    title = (pdf.metadata or {}).get("Title", "")
    return {"pages": pages, "title": title if isinstance(title, str) else ""}


def _pieces(page: Any) -> Iterator[Piece]:  # noqa: ANN401 - no types
    """Yield the lines outside tables and the rows of tables, each with its distance from the top.

    A frame around text is a table of one column to the finder; its text is read as lines.
    """
    tables = [(table.bbox, table.extract()) for table in page.find_tables()]
    tables = [(box, rows) for box, rows in tables if max(map(len, rows), default=0) > 1]
    boxes = [box for box, _ in tables]

    def is_outside(thing: Mapping[str, float]) -> bool:
        down = (thing["top"] + thing["bottom"]) / 2
        along = (thing["x0"] + thing["x1"]) / 2
        return not any(x0 <= along <= x1 and top <= down <= low for x0, top, x1, low in boxes)

    outside = page.filter(is_outside) if boxes else page
    for line in outside.extract_text_lines(return_chars=False):
        yield float(line["top"]), line["text"]
    for (_, top, _, _), rows in tables:
        text = "\n".join(" | ".join(" ".join((cell or "").split()) for cell in row) for row in rows)
        yield float(top), f"\n{text}\n"


def _limit_memory(most_bytes: int) -> None:
    if sys.platform == "win32":
        return
    import resource  # noqa: PLC0415 - not everywhere

    resource.setrlimit(resource.RLIMIT_AS, (most_bytes, most_bytes))


def main() -> None:
    """Read the PDF that the arguments name, and write what was found."""
    path, most_bytes, most_characters = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    _limit_memory(most_bytes)
    found = pages_of(path, most_characters)
    sys.stdout.buffer.write(json.dumps(found, ensure_ascii=True).encode("ascii"))


if __name__ == "__main__":
    main()
