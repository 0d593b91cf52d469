"""Tables of printed metrics.  In: digits as printed.  Out: rounded or cut, sizes, identities.

A number printed with d decimals stands for an interval: within half a unit when it was rounded,
from itself up to one unit when it was cut.  Each hypothesis is tried over the whole table; all
arithmetic is on fractions.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from finassay.analyses.ask.metrics import METRICS, Exact, Metric, Tally, metrics
from finassay.analyses.results_ask_printed import (
    ColumnPrinting,
    IdentityCheck,
    PrintedCheck,
    Printing,
)

MOST_STATES = 5000
"""Largest number of states that is tried as the size behind a table."""

LEAST_CELLS = 8
"""Printed shares below which no size is looked for: a few fit many sizes."""

Combine = Callable[[Fraction, Fraction], Fraction]
How = Literal["rounded", "cut"]
HOWS: tuple[How, How] = ("rounded", "cut")


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedRow:
    """A row of a table: exact values of its digits, and one unit of the last digit.

    Attributes:
        system: name of the row.
        values: printed values as fractions in [0, 1]; None for a dash.
        unit: one unit of the last printed digit, as a fraction in [0, 1].
    """

    system: str
    values: Exact
    unit: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """Ask and proceed states behind a table, and how they are known."""

    n_ask: int | None
    n_proceed: int | None
    source: Literal["given", "found", "unknown"]


def check_printed(
    rows: Sequence[PrintedRow], *, sizes: tuple[int, int] | None = None
) -> PrintedCheck:
    """Return whether a table was rounded or cut, the sizes behind it, and its identities.

    Args:
        rows: the table without reference policies.
        sizes: ask and proceed states, where the source states them.
    """
    known = table_sizes(rows)
    if sizes is not None:
        known = Sizes(n_ask=sizes[0], n_proceed=sizes[1], source="given")
    exact = _exact_rows(rows, known)
    columns = column_printing(rows, exact)
    n_cra, n_cra_from_era = _cra_from_era(rows, exact)
    return PrintedCheck(
        printing=_overall([column.printing for column in columns]),
        unit=float(max((row.unit for row in rows), default=Fraction(0))),
        n_ask=known.n_ask,
        n_proceed=known.n_proceed,
        counts_from=known.source,
        columns=columns,
        n_cra=n_cra,
        n_cra_from_era=n_cra_from_era,
        identities=tuple(_identities(rows, known)),
    )


def _overall(columns: Sequence[Printing]) -> Printing:
    telling = {printing for printing in columns if printing not in {"either", "unknown"}}
    if "neither" in telling:
        return "neither"
    if len(telling) > 1:
        return "mixed"
    return telling.pop() if telling else ("either" if "either" in columns else "unknown")


def table_sizes(rows: Sequence[PrintedRow]) -> Sizes:
    """Return the smallest sizes, up to `MOST_STATES`, of which every printed share is a share.

    A share may be rounded or cut.  Multiples of a size allow the same digits.  Unknown where a
    table prints too few shares, or where only a size as fine as the digits fits.
    """
    n_ask = _size(rows, ("AskR", "DEH", "REH"))
    n_proceed = _size(rows, ("ProceedR",))
    if n_ask is None or n_proceed is None:
        return Sizes(n_ask=None, n_proceed=None, source="unknown")
    return Sizes(n_ask=n_ask, n_proceed=n_proceed, source="found")


def _size(rows: Sequence[PrintedRow], columns: Sequence[Metric]) -> int | None:
    cells = {
        (value, row.unit)
        for row in rows
        for metric in columns
        if (value := row.values[metric]) is not None
    }
    inside = [(value, unit) for value, unit in cells if 0 < value < 1]
    if len(inside) < LEAST_CELLS:
        return None
    # A size of which some share falls into nearly every span fits any table and says nothing.
    finest = min(MOST_STATES, int(1 / (3 * max(unit for _, unit in inside))))
    scaled = [(int(2 * value / unit), int(1 / unit)) for value, unit in inside]
    for n in range(2, finest + 1):
        if all(_has_share(twice, per, n) for twice, per in scaled):
            return n
    return None


def _has_share(twice: int, per: int, n: int) -> bool:
    """Whether some k / n lies in [v - u / 2, v + u), with v = twice / (2 per) and u = 1 / per."""
    k = -(-(twice - 1) * n // (2 * per))
    return 2 * per * k < (twice + 2) * n


def exact_metrics(row: PrintedRow, n_ask: int, n_proceed: int) -> Exact | None:
    """Return the metrics of the only counts that a printed row allows, None without such.

    The counts of asks, of steps that went on, and of direct and relevant requests are read from
    AskR, ProceedR, DEH and REH, rounded or cut; ERA, CRA, BAcc and RAA follow from them.
    """
    sized: tuple[tuple[Metric, int], ...] = (
        ("AskR", n_ask),
        ("ProceedR", n_proceed),
        ("DEH", n_ask),
        ("REH", n_ask),
    )
    counts = [_only_count(row.values[metric], row.unit, n) for metric, n in sized]
    asked, went_on, direct, relevant = counts
    if asked is None or went_on is None or direct is None or relevant is None:
        return None
    nil = Fraction(0)
    return metrics(
        Tally(
            ask=n_ask + nil,
            proceed=n_proceed + nil,
            asked=asked + nil,
            went_on=went_on + nil,
            aligned=Fraction(direct + relevant, 2),
            direct=direct + nil,
            relevant=relevant + nil,
        )
    )


def _only_count(value: Fraction | None, unit: Fraction, n: int) -> int | None:
    if value is None:
        return None
    first = math.ceil((value - unit / 2) * n)
    fit = [k for k in (first, first + 1) if value - unit / 2 <= Fraction(k, n) < value + unit]
    return fit[0] if len(fit) == 1 else None


def _exact_rows(rows: Sequence[PrintedRow], known: Sizes) -> dict[str, Exact]:
    if known.n_ask is None or known.n_proceed is None:
        return {}
    found = {row.system: exact_metrics(row, known.n_ask, known.n_proceed) for row in rows}
    return {name: one for name, one in found.items() if one is not None}


def _cra_from_era(rows: Sequence[PrintedRow], exact: Mapping[str, Exact]) -> tuple[int, int]:
    """Return the rows with CRA, and those in which it follows from the ERA as printed."""
    n = fits = 0
    for row in rows:
        era, cra = row.values["ERA"], row.values["CRA"]
        recall = exact[row.system]["AskR"] if row.system in exact else None
        if era is not None and cra is not None and recall:
            n += 1
            fits += abs(era / recall - cra) <= row.unit / 2
    return n, fits


def column_printing(
    rows: Sequence[PrintedRow], exact: Mapping[str, Exact]
) -> tuple[ColumnPrinting, ...]:
    """Return how each column was shortened, told from the exact values behind its cells."""
    return tuple(_column(metric, rows, exact) for metric in METRICS) if exact else ()


def _column(
    metric: Metric, rows: Sequence[PrintedRow], exact: Mapping[str, Exact]
) -> ColumnPrinting:
    fits: dict[str, tuple[bool, bool]] = {}
    for row in rows:
        printed = row.values[metric]
        value = exact[row.system][metric] if row.system in exact else None
        if printed is not None and value is not None:
            fits[row.system] = (
                abs(value - printed) <= row.unit / 2,
                printed <= value < printed + row.unit,
            )
    n_rounded = sum(rounded for rounded, _ in fits.values())
    n_cut = sum(cut for _, cut in fits.values())
    printing = _printing(list(fits.values()))
    usual = 0 if n_rounded >= n_cut else 1
    follows = {name: fit[usual] if printing == "mixed" else any(fit) for name, fit in fits.items()}
    return ColumnPrinting(
        metric=metric,
        n=len(fits),
        n_rounded=n_rounded,
        n_cut=n_cut,
        printing=printing,
        apart=tuple(name for name, does in follows.items() if not does),
    )


def _printing(fits: Sequence[tuple[bool, bool]]) -> Printing:
    if not fits:
        return "unknown"
    if not all(any(fit) for fit in fits):
        return "neither"
    rounded, cut = all(fit[0] for fit in fits), all(fit[1] for fit in fits)
    if rounded and cut:
        return "either"
    return "rounded" if rounded else "cut" if cut else "mixed"


def _identities(rows: Sequence[PrintedRow], known: Sizes) -> list[IdentityCheck]:
    half = _mixture(Fraction(1, 2))
    found = [
        _check(rows, "ERA = AskR x CRA", ("ERA", "AskR", "CRA"), _product),
        _check(rows, "ERA = (DEH + REH) / 2", ("ERA", "DEH", "REH"), half),
        _check(rows, "BAcc = (AskR + ProceedR) / 2", ("BAcc", "AskR", "ProceedR"), half),
    ]
    if known.n_ask is not None and known.n_proceed is not None:
        n = known.n_ask + known.n_proceed
        told = f"RAA = ({known.n_ask} AskR + {known.n_proceed} ProceedR) / {n}"
        mixed = _mixture(Fraction(known.n_ask, n))
        found.append(_check(rows, told, ("RAA", "AskR", "ProceedR"), mixed))
    return found


def _product(first: Fraction, second: Fraction) -> Fraction:
    return max(first, Fraction(0)) * max(second, Fraction(0))


def _mixture(weight: Fraction) -> Combine:
    def combine(first: Fraction, second: Fraction) -> Fraction:
        return weight * first + (1 - weight) * second

    return combine


def _check(
    rows: Sequence[PrintedRow],
    identity: str,
    terms: tuple[Metric, Metric, Metric],
    combine: Combine,
) -> IdentityCheck:
    """Return one identity, left = combine(first, second), over the rows that print all three."""
    distances: list[Fraction] = []
    allowed: dict[How, int] = dict.fromkeys(HOWS, 0)
    broken: list[str] = []
    n_within = 0
    for row in rows:
        left, first, second = (row.values[metric] for metric in terms)
        if left is None or first is None or second is None:
            continue
        distances.append(abs(left - combine(first, second)))
        n_within += distances[-1] <= row.unit
        fits = {how: _allows((left, first, second), row.unit, combine, how) for how in HOWS}
        for how in HOWS:
            allowed[how] += fits[how]
        if not any(fits.values()):
            broken.append(row.system)
    return IdentityCheck(
        identity=identity,
        n=len(distances),
        n_within=n_within,
        worst=float(max(distances)) if distances else None,
        n_rounded=allowed["rounded"],
        n_cut=allowed["cut"],
        broken=tuple(broken),
    )


def _allows(
    printed: tuple[Fraction, Fraction, Fraction], unit: Fraction, combine: Combine, how: How
) -> bool:
    """Whether exact values exist that satisfy the identity and print so; it rises in both parts."""
    below, above = (unit / 2, unit / 2) if how == "rounded" else (Fraction(0), unit)
    left, first, second = printed
    low = combine(first - below, second - below)
    high = combine(first + above, second + above)
    if how == "cut":
        # What is cut never reaches the next number.
        return low < left + above and left - below < high
    return low <= left + above and left - below <= high
