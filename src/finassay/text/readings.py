"""Everything that is read from a text at once.  In: any string.  Out: its readings, with spans."""

from __future__ import annotations

from finassay.text.dates import DateReading, dates_in
from finassay.text.dates import mapped as mapped_date
from finassay.text.financial_years import FinancialYear, financial_years_in
from finassay.text.financial_years import mapped as mapped_year
from finassay.text.folding import Folded, fold
from finassay.text.once import ReadOnce
from finassay.text.provisions import Provision, provisions_in
from finassay.text.provisions import mapped as mapped_provision
from finassay.text.quantities import Quantity, numerals_in, quantities_in


class Readings:
    """What stands in a text, each kind in order of its spans in the text as written.

    A kind is read when it is first asked for, and work that kinds share is done once.
    """

    def __init__(self, text: str) -> None:
        self._text = text

    @ReadOnce
    def folded(self) -> Folded:
        """The text in one plain spelling, with the way back."""
        return fold(self._text)

    @ReadOnce
    def _dates(self) -> list[DateReading]:
        return dates_in(self.folded)

    @ReadOnce
    def _years(self) -> list[FinancialYear]:
        return financial_years_in(self.folded)

    @ReadOnce
    def _provisions(self) -> list[Provision]:
        return provisions_in(self.folded)

    @ReadOnce
    def quantities(self) -> tuple[Quantity, ...]:
        """Figures with sign, currency, scale and unit."""
        numerals = numerals_in(self.folded)
        if not numerals:
            return ()
        taken = [(date.start, date.end) for date in self._dates]
        taken += [(year.start, year.end) for year in self._years]
        taken += [(provision.start, provision.end) for provision in self._provisions]
        return quantities_in(self.folded, numerals, taken)

    @ReadOnce
    def dates(self) -> tuple[DateReading, ...]:
        """Days, months and years written as dates."""
        return tuple(mapped_date(self.folded, reading) for reading in self._dates)

    @ReadOnce
    def financial_years(self) -> tuple[FinancialYear, ...]:
        """Financial years and quarters."""
        return tuple(mapped_year(self.folded, reading) for reading in self._years)

    @ReadOnce
    def provisions(self) -> tuple[Provision, ...]:
        """References to provisions of law."""
        return tuple(mapped_provision(self.folded, found) for found in self._provisions)


def read_all(text: str) -> Readings:
    """Return all readings of a text; each is read when it is first asked for."""
    return Readings(text)
