"""Figures of the bundled operations, computed again from what the items show."""

from __future__ import annotations

import re
from datetime import date
from fractions import Fraction

import pytest

from finassay.benchmarks.operations import bundled_shelf

ITEMS = {entry.item.item_id: entry.item for entry in bundled_shelf().entries}

# One line an item: the formula that its text states, on the figures that its text shows.
QUANTITIES = {
    "QR-EN-01": Fraction(63, 18),
    "QR-EN-02": 100
    * (
        (Fraction(500) * Fraction(120, 100) - Fraction(300) * Fraction(105, 100))
        / Fraction(500 - 300)
        - 1
    ),
    "QR-EN-03": Fraction(92500) * Fraction(80, 100) - Fraction(92500) * Fraction(15, 1000),
    "QR-EN-04": 100 * Fraction(31, 620),
    "QR-EN-05": Fraction(4_000_000)
    * Fraction(12, 1000)
    * Fraction((date(2025, 7, 29) - date(2025, 3, 1)).days, 360),
    "QR-EN-06": Fraction(200) * Fraction(5, 1000)
    + Fraction(30) * Fraction(4, 100)
    + Fraction(10) * Fraction(40, 100)
    - Fraction(49, 10),
    "QR-EN-07": (Fraction(10904, 10000) - Fraction(10850, 10000)) / Fraction(1, 10000),
    "QR-EN-08": 100 * Fraction(209_000, 214_600),
    "QR-EN-09": Fraction(240_000) * Fraction(1_500_000, 2_000_000) - 20_000,
    "QR-EN-10": 100 * Fraction(1050 - 42, 8400),
    "QR-ZH-01": Fraction(920) * Fraction(80, 100) - Fraction(920) * Fraction(15, 1000),
    "QR-ZH-02": 100 * Fraction(31, 620),
    "QR-ZH-03": Fraction(4_000_000)
    * Fraction(12, 1000)
    * Fraction((date(2025, 7, 29) - date(2025, 3, 1)).days, 360),
    "QR-ZH-04": 100 * (Fraction(105) - Fraction(42, 10)) / 840,
}


def test_every_quantity_is_computed_again():
    assert set(QUANTITIES) == {name for name in ITEMS if name.startswith("QR-")}


@pytest.mark.parametrize("item_id", QUANTITIES)
def test_the_reference_is_what_the_formula_gives_at_the_decimals_asked_for(item_id: str):
    item = ITEMS[item_id]
    found = re.search(r"\d[\d,]*(?:\.(\d+))?", item.reference or "")
    assert found is not None
    decimals = len(found[1] or "")
    assert decimals == (item.contract.decimals or 0)
    said = Fraction(found[0].replace(",", ""))
    assert abs(QUANTITIES[item_id] - said) <= Fraction(1, 2 * 10**decimals)


def test_sums_of_rubrics_follow_from_their_records():
    # An agent's loss of 600,000 - 150,000, of which 480,000 - 150,000 could have been avoided.
    reference = ITEMS["LJ-EN-06"].reference or ""
    loss, avoidable = 600_000 - 150_000, 480_000 - 150_000
    for sum_ in (loss, avoidable, loss - avoidable):
        assert f"{sum_:,}" in reference
    assert f"{92_500 - 4_500:,}" in (ITEMS["LJ-EN-04"].reference or "")
    assert "50%" in (ITEMS["LJ-EN-02"].reference or "")
    assert Fraction(400_000, 800_000) == Fraction(50, 100)


SIGNALS = {
    # cash or prepaid cards, listed jurisdiction, ownership, age of the account; then a hit
    "RC-EN-01": (0, 0, 0, 0, 0),
    "RC-EN-02": (1, 0, 0, 0, 0),
    "RC-EN-03": (1, 0, 0, 1, 0),
    "RC-EN-04": (0, 1, 1, 0, 0),
    "RC-EN-05": (0, 0, 0, 0, 0),
    "RC-EN-06": (0, 0, 0, 0, 1),
    "RC-EN-07": (0, 1, 1, 1, 0),
    "RC-EN-08": (1, 0, 0, 0, 0),
    "RC-EN-09": (0, 0, 0, 0, 0),
    "RC-EN-10": (1, 0, 0, 1, 0),
    "RC-ZH-01": (0, 0, 0, 0, 0),
    "RC-ZH-02": (1, 0, 0, 1, 0),
    "RC-ZH-03": (0, 0, 0, 0, 0),
    "RC-ZH-04": (0, 0, 0, 0, 1),
}


@pytest.mark.parametrize("item_id", SIGNALS)
def test_the_grade_is_one_and_the_signals_and_four_for_a_hit(item_id: str):
    *signals, hit = SIGNALS[item_id]
    item = ITEMS[item_id]
    assert item.reference == item.choices[3 if hit else min(3, sum(signals))]
