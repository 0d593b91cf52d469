"""Everything that is read from a text at once.  In: any string.  Out: its readings, with spans."""

from __future__ import annotations

from dataclasses import dataclass

from finassay.text.dates import DateReading, dates_in
from finassay.text.dates import mapped as mapped_date
from finassay.text.financial_years import FinancialYear, financial_years_in
from finassay.text.financial_years import mapped as mapped_year
from finassay.text.folding import fold
from finassay.text.provisions import Provision, provisions_in
from finassay.text.provisions import mapped as mapped_provision
from finassay.text.quantities import Quantity, quantities_in


@dataclass(frozen=True, slots=True, kw_only=True)
class Readings:
    """What stands in a text, each kind in order of its spans in the text as written.

    Attributes:
        quantities: figures with sign, currency, scale and unit.
        dates: days, months and years written as dates.
        financial_years: financial years and quarters.
        provisions: references to provisions of law.
    """

    quantities: tuple[Quantity, ...]
    dates: tuple[DateReading, ...]
    financial_years: tuple[FinancialYear, ...]
    provisions: tuple[Provision, ...]


def read_all(text: str) -> Readings:
    """Return all readings of a text; the work that they share is done once."""
    folded = fold(text)
    dates = dates_in(folded)
    years = financial_years_in(folded)
    provisions = provisions_in(folded)
    taken = [(date.start, date.end) for date in dates]
    taken += [(year.start, year.end) for year in years]
    taken += [(provision.start, provision.end) for provision in provisions]
    return Readings(
        quantities=quantities_in(folded, taken),
        dates=tuple(mapped_date(folded, reading) for reading in dates),
        financial_years=tuple(mapped_year(folded, reading) for reading in years),
        provisions=tuple(mapped_provision(folded, provision) for provision in provisions),
    )
