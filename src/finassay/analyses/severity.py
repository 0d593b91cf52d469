"""How grave a finding is.  In: nothing.  Out: the names, from grave to light."""

from __future__ import annotations

from typing import Literal, get_args

Severity = Literal["high", "medium", "low", "note"]

SEVERITIES: tuple[Severity, ...] = get_args(Severity)
"""From what changes a conclusion to what is context."""
