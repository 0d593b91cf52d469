"""Units of measure after a number.  In: a text and where a number ends.  Out: the unit, or None.

Tonnes, barrels, square feet: units that a quantity does not carry itself, yet that must not differ.
"""

from __future__ import annotations

import re

from finassay.scorers.replies import Reply

_MEASURES = {
    word: kind
    for kind, words in (
        ("tonne", "tonne tonnes ton tons t"), ("kilogram", "kilogram kilograms kg kgs"),
        ("gram", "gram grams"), ("ounce", "ounce ounces oz"), ("pound", "lb lbs"),
        ("barrel", "barrel barrels bbl"), ("litre", "litre litres liter liters"),
        ("gallon", "gallon gallons"), ("square foot", "feet foot ft sqft"),
        ("square metre", "metre metres meter meters sqm m2"), ("acre", "acre acres"),
        ("hectare", "hectare hectares"),
        ("kilometre", "kilometre kilometres kilometer kilometers km"),
        ("mile", "mile miles"), ("share", "share shares"), ("bond", "bond bonds"),
        ("megawatt", "megawatt megawatts mw"), ("gigawatt", "gigawatt gigawatts gw"),
        ("employee", "employee employees"), ("customer", "customer customers"),
    )
    for word in words.split()
}  # fmt: skip
_NEXT = re.compile(r"[a-z0-9]+")


def measure_after(side: Reply, end: int) -> str | None:
    """Return the unit of measure among the two words after a number, or None."""
    for word in _NEXT.findall(side.low[end : end + 24])[:2]:
        if word in _MEASURES:
            return _MEASURES[word]
    return None
