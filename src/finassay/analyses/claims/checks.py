"""What a claim says under one rule, and the bounds of its keys.  In: numbers.  Out: checks."""

from __future__ import annotations

from typing import NamedTuple

from finassay.errors import UsageError


class Check(NamedTuple):
    """Whether a claim holds, what was found, and by how much (positive: it holds)."""

    holds: bool
    found: str
    margin: float


def require_share(name: str, value: float) -> None:
    """Check that a number is a fraction.

    Raises:
        UsageError: it is not in [0, 1].
    """
    if not 0.0 <= value <= 1.0:
        raise UsageError(
            f"`{name}` must be a fraction in [0, 1], got {value!r}; for 75% write 0.75"
        )


def require_positive(name: str, value: int) -> None:
    """Check that a number is at least 1.

    Raises:
        UsageError: it is not.
    """
    if value < 1:
        raise UsageError(f"`{name}` must be at least 1, got {value!r}")
