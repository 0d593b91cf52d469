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
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return float(value)


def as_count(value: object) -> int | None:
    """Return a whole JSON number of 0 or more, None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        return None
    return value
