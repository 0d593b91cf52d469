"""FLARE `write_out` logs.  In: the fields of a row.  Out: what the log says of its own marking.

The PIXIU harness (`src/evaluator.py`, option `write_out`) writes a JSON array of objects:
`doc_id`, `prompt_0`, `logit_0` (the reply), `truth` (the accepted label), and the values of the
metrics as strings: `acc` and `missing` as numbers, `f1` and `mcc` as a printed pair (predicted,
accepted).  In `mcc` an unknown prediction stands as -1, so the predicted label is read off `f1`.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from finassay.runs.importers._rows import Value

FLARE_COLUMNS = ("doc_id", "logit_0", "truth")
"""Columns by which a FLARE log is known."""

MISSING_LABEL = "missing"
"""What FLARE logs as the predicted label of a reply in which it found none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FlareMarks:
    """What a row says of its marking, None where it does not.

    Attributes:
        label: the label that was extracted; `MISSING_LABEL` for none.
        is_missing: whether no label was found.
    """

    label: str | None
    is_missing: bool | None


def is_flare(columns: Sequence[str]) -> bool:
    """Return whether the columns are those of a FLARE log."""
    return set(FLARE_COLUMNS) <= set(columns)


def flare_marks(values: Mapping[str, Value]) -> FlareMarks:
    """Return the marks in the fields of a row."""
    return FlareMarks(label=_predicted(values.get("f1")), is_missing=_flag(values.get("missing")))


def _flag(value: Value) -> bool | None:
    """Return a metric printed as 0 or 1, None for anything else."""
    text = value.strip() if isinstance(value, str) else ""
    return {"0": False, "0.0": False, "1": True, "1.0": True}.get(text)


def _predicted(value: Value) -> str | None:
    """Return the first part of a printed pair such as ('yes', 'no')."""
    if not isinstance(value, str) or not value.startswith("("):
        return None
    try:
        pair = ast.literal_eval(value)
    except (ValueError, SyntaxError):
        return None
    if isinstance(pair, tuple) and len(pair) == 2 and isinstance(pair[0], str):
        return pair[0]
    return None
