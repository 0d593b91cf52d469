"""Small tables of labelled replies."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from finassay.runs.importers.labelled import LabelledColumns, LabelledReply, LabelledTable

COLUMNS = LabelledColumns(reference="gold", reply="reply", label="label", group="question")
WORDS = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa"]
OTHERS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]


def table_of(rows: Sequence[tuple[str, str, str, str]], source: str = "t.jsonl") -> LabelledTable:
    """Return the table of (group, reference, reply, label) rows."""
    made = [
        LabelledReply(
            row=number,
            reference=reference,
            is_number=reference.isdigit(),
            reply=reply,
            label=label,
            group=group,
        )
        for number, (group, reference, reply, label) in enumerate(rows, start=1)
    ]
    return LabelledTable(source=source, columns=COLUMNS, rows=tuple(made))


def planted(groups: int = 40, *, noise: float = 0.05, seed: int = 1) -> LabelledTable:
    """Return replies that people call right exactly when token F1 is 0.6 or more, with noise.

    Reference and reply have ten words each and share k, so token F1 is k / 10.
    """
    rng = np.random.default_rng(seed)
    rows = []
    for group in range(groups):
        for shared in rng.integers(0, 11, 6).tolist():
            reply = " ".join([*WORDS[:shared], *OTHERS[shared:]])
            says_yes = (shared >= 6) != (rng.random() < noise)
            rows.append((f"q{group}", " ".join(WORDS), reply, "right" if says_yes else "wrong"))
    return table_of(rows)


def write_jsonl(path: Path, table: LabelledTable) -> Path:
    lines = [
        json.dumps(
            {
                "question": row.group,
                "gold": int(row.reference) if row.is_number else row.reference,
                "reply": row.reply,
                "label": row.label,
            }
        )
        for row in table.rows
    ]
    path.write_text("\n".join([*lines, ""]), encoding="utf-8")
    return path
