"""Quantities as people read them in a reason.  In: a quantity.  Out: a few words."""

from __future__ import annotations

from decimal import Decimal

from finassay.scorers.expectations import Expectation
from finassay.text.quantities import Quantity

_NAMES = {
    Decimal(10) ** 3: "thousand", Decimal(10) ** 5: "lakh", Decimal(10) ** 6: "million",
    Decimal(10) ** 7: "crore", Decimal(10) ** 9: "billion", Decimal(10) ** 12: "trillion",
}  # fmt: skip
LONGEST = 120


def shown_quantity(quantity: Quantity, text: str, wanted: Expectation) -> str:
    """Return the reference's number as it is meant: "8.7" in USD billions is "8.7 billion USD"."""
    written = text[quantity.start : quantity.end].strip()
    if quantity.kind != "plain" or quantity.scale != 1:
        return written
    scale = _NAMES.get(wanted.scale, "") if wanted.scale is not None else ""
    return " ".join(part for part in (written, scale, wanted.currency) if part)


def shortened(text: str) -> str:
    """Return a text on one line, cut with an ellipsis when it is long."""
    line = " ".join(text.split())
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 3]}..."
