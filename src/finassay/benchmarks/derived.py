"""Tables made from the rows of other files.  In: the files' bytes.  Out: the table's bytes."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Sequence

from finassay.benchmarks.manifests import DerivedTable, Part
from finassay.errors import FetchError


def derive(table: DerivedTable, contents: Sequence[bytes]) -> bytes:
    """Return a derived table in the form whose digest is pinned.

    CSV: a header, then the sorted rows, LF line ends.  JSON: the objects with the chosen keys, in
    the order of `columns`, indented by two.

    Args:
        table: what to make.
        contents: bytes of each of its parts, in their order.

    Raises:
        FetchError: a part is not text, lacks a column, or is not a list of objects.
    """
    texts = [_text(part, content) for part, content in zip(table.parts, contents, strict=True)]
    return _csv(table, texts) if table.form == "csv" else _json(table, texts)


def _csv(table: DerivedTable, texts: Sequence[str]) -> bytes:
    rows = [
        row
        for part, text in zip(table.parts, texts, strict=True)
        for row in _rows(table, part, text)
    ]
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow([*(name for name, _ in table.columns), *([table.label] * bool(table.label))])
    writer.writerows(sorted(rows))
    return stream.getvalue().encode("utf-8")


def _rows(table: DerivedTable, part: Part, text: str) -> Iterator[tuple[str, ...]]:
    wanted = [source for _, source in table.columns]
    reader = csv.DictReader(io.StringIO(text, newline=""), restval="", strict=True)
    label = (part.label,) if table.label else ()
    try:
        missing = [name for name in wanted if name not in (reader.fieldnames or ())]
        if missing:
            raise FetchError(
                f"{part.location.path}: expected the columns {wanted}, missing {missing}, got "
                f"{list(reader.fieldnames or ())}; the public copy has changed: use your own copy "
                f"with `--from DIR`, or a newer release"
            )
        for row in reader:
            yield (*(row[name] for name in wanted), *label)
    except csv.Error as error:
        raise FetchError(
            f"{part.location.path}: not CSV after line {reader.line_num} ({error}); the public "
            f"copy has changed: use your own copy with `--from DIR`, or a newer release"
        ) from error


def _json(table: DerivedTable, texts: Sequence[str]) -> bytes:
    objects = [
        {name: one[source] for name, source in table.columns if source in one}
        for part, text in zip(table.parts, texts, strict=True)
        for one in _objects(part, text)
    ]
    return json.dumps(objects, indent=2, ensure_ascii=False).encode("utf-8")


def _objects(part: Part, text: str) -> Sequence[dict[str, object]]:
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        raise _not_objects(part, str(error)) from error
    if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
        raise _not_objects(part, type(value).__name__)
    return value


def _not_objects(part: Part, found: str) -> FetchError:
    return FetchError(
        f"{part.location.path}: expected a JSON list of objects, got {found}; the public copy has "
        f"changed: use your own copy with `--from DIR`, or a newer release"
    )


def _text(part: Part, content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FetchError(
            f"{part.location.path}: expected UTF-8 text ({error}); check the address "
            f"(`--base-url`), or use your own copy with `--from DIR`"
        ) from error
