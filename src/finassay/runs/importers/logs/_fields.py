"""Values of JSON whose type is not settled.  In: anything.  Out: the type asked for, or nothing."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import cast


def as_map(value: object) -> Mapping[str, object]:
    """Return a JSON object, an empty one for anything else."""
    return cast("Mapping[str, object]", value) if isinstance(value, dict) else {}


def as_list(value: object) -> Sequence[object]:
    """Return a JSON array, an empty one for anything else."""
    return value if isinstance(value, list) else ()


def as_str(value: object) -> str:
    """Return a JSON string, an empty one for anything else."""
    return value if isinstance(value, str) else ""


def as_number(value: object) -> float | None:
    """Return a finite JSON number, None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        return float(value) if math.isfinite(value) else None
    except OverflowError:
        # A whole number in JSON may have any number of digits.
        return None


def as_count(value: object) -> int | None:
    """Return a whole JSON number from 0 to 2^53, None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 1 << 53:
        return None
    return value
