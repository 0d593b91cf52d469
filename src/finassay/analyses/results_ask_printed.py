"""Frozen results about printed tables of ask metrics.  In: nothing.  Out: checks of digits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Printing = Literal["rounded", "cut", "either", "mixed", "neither", "unknown"]
"""How numbers were shortened, as far as they tell: all fit rounding, all fit cutting, all fit both,
each fits one or the other, some fit neither, or nothing is known of the exact values."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IdentityCheck:
    """One identity over the rows of a table.

    Attributes:
        identity: the identity in words.
        n: rows that print all of its metrics.
        n_within: rows that satisfy it within one unit of the last digit.
        worst: largest distance, as a fraction; None without rows.
        n_rounded: rows for which exact values exist that print so when rounded.
        n_cut: the same when cut.
        broken: rows that neither allows.
    """

    identity: str
    n: int
    n_within: int
    worst: float | None
    n_rounded: int
    n_cut: int
    broken: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnPrinting:
    """How one column of a table was shortened.

    Attributes:
        metric: the column.
        n: cells whose exact value the counts tell.
        n_rounded: cells that print so when rounded.
        n_cut: cells that print so when cut.
        printing: what fits the cells.
        apart: rows that do not follow most of the column, where it is mixed; else rows that fit
            neither.
    """

    metric: str
    n: int
    n_rounded: int
    n_cut: int
    printing: Printing
    apart: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedCheck:
    """What a table of printed metrics says about itself.

    Attributes:
        printing: how its numbers were shortened.
        unit: one unit of the last digit, as a fraction.
        n_ask: ask states, None where unknown.
        n_proceed: proceed states, None where unknown.
        counts_from: "given", "found" (the smallest sizes that all digits allow) or "unknown".
        columns: how each column was shortened; empty where the sizes are unknown.
        n_cra: rows of known counts that print CRA and ERA.
        n_cra_from_era: those whose CRA is the printed ERA over the exact ask recall, rounded.
        identities: one check for each identity.
    """

    printing: Printing
    unit: float
    n_ask: int | None
    n_proceed: int | None
    counts_from: Literal["given", "found", "unknown"]
    columns: tuple[ColumnPrinting, ...]
    n_cra: int
    n_cra_from_era: int
    identities: tuple[IdentityCheck, ...]
