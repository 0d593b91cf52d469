"""Arithmetic written in free text.  In: any text.  Out: chains of sides with exact values."""

from finassay.text.arithmetic.chains import Chain, Side, assigned, chains_in, defined
from finassay.text.arithmetic.nodes import (
    Known,
    Node,
    UnknownValueError,
    Value,
    calls_of,
    evaluate,
    exact,
    has_operation,
    holds_percent,
    holds_scale,
    names_of,
    only_adds,
)
from finassay.text.arithmetic.parsing import lone_number

__all__ = [
    "Chain",
    "Known",
    "Node",
    "Side",
    "UnknownValueError",
    "Value",
    "assigned",
    "calls_of",
    "chains_in",
    "defined",
    "evaluate",
    "exact",
    "has_operation",
    "holds_percent",
    "holds_scale",
    "lone_number",
    "names_of",
    "only_adds",
]
