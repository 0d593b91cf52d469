"""Tables of agreement while people label.  In: a live agreement.  Out: tables."""

from __future__ import annotations

from collections.abc import Sequence

from finassay.analyses.adjudication.live import AgreementRow, LiveAgreement
from finassay.reports import numbers as num
from finassay.reports.table import Gaps, Table, lefts, rights

_NO_UNITS = "no unit has two labels yet"
_UNDEFINED = "not defined: chance alone would always agree"
_TOO_FEW = "too few items for an interval"


def agreement_tables(found: LiveAgreement) -> tuple[Table, ...]:
    """Return agreement over all units and by stratum, and by pair where there are several."""
    rows = (found.whole, *found.strata) if len(found.strata) > 1 else (found.whole,)
    tables = [_table("agreement-strata", "Agreement by stratum", found, rows)]
    if len(found.pairs) > 1:
        tables.append(_table("agreement-pairs", "Agreement by pair of people", found, found.pairs))
    return tuple(tables)


def _table(key: str, caption: str, found: LiveAgreement, rows: Sequence[AgreementRow]) -> Table:
    gaps = Gaps()
    made = tuple(_row(one, gaps) for one in rows)
    return Table(
        key=key,
        caption=caption,
        columns=(
            *lefts("units"),
            *rights("with two labels or more", "equal labels (%)", found.coefficient),
            *rights(f"{found.level:.0%} interval"),
        ),
        rows=made,
        notes=gaps.notes(found.method, *found.warnings),
    )


def _row(one: AgreementRow, gaps: Gaps) -> tuple[str, ...]:
    if one.observed is None:
        dash = gaps.dash(_NO_UNITS)
        return (one.name, "0", dash, dash, dash)
    value = gaps.dash(_UNDEFINED) if one.value is None else num.coefficient(one.value)
    if one.low is None or one.high is None:
        interval = gaps.dash(_UNDEFINED if one.value is None else _TOO_FEW)
    else:
        interval = f"{num.coefficient(one.low)} to {num.coefficient(one.high)}"
    equal = num.percent(one.observed, one.n_units)
    return (one.name, num.count(one.n_units), equal, value, interval)
