"""Slow textbook twin of the canonical table digest: plain Python over plain rows."""

import hashlib
import struct


def written_cell(value: object) -> str:
    """One cell as the definition in finassay.study.digests writes it."""
    if value is None:
        return "~"
    return WRITERS[type(value)](value)


WRITERS = {
    str: lambda text: f"s{len(text.encode('utf-8'))}:{text}",
    bool: lambda truth: "b1" if truth else "b0",
    int: lambda number: f"i{number};",
    float: lambda real: f"f{int.from_bytes(struct.pack('>d', real), 'big')};",
    list: lambda cells: f"l{len(cells)}:" + "".join(map(written_cell, cells)),
    dict: lambda fields: "r" + "".join(map(written_cell, fields.values())),
}


def digest_of_rows(rows: list[list[object]]) -> str:
    """SHA-256 over the sorted SHA-256 of the rows, each a list of cells without volatile ones."""
    digests = [hashlib.sha256("".join(map(written_cell, row)).encode()).digest() for row in rows]
    return hashlib.sha256(b"".join(sorted(digests))).hexdigest()
