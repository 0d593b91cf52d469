"""What is tried of the financial scorer when people's labels choose.  In: nothing.  Out: values."""

from __future__ import annotations

from collections.abc import Mapping

FINANCIAL_GRID: Mapping[str, tuple[float | str, ...]] = {
    "coverage": (0.2, 0.24, 0.28, 0.32, 0.36, 0.4, 0.48),
    "rel_number": (0.0, 0.0015, 0.005),
    "rel_percent": (0.0, 0.0015, 0.005),
    "coarsest_reply": (0.005, 0.01, 0.02),
    "percent_as_fraction": ("auto", "forbid"),
}
"""Fields and values of the default grid.

Guards, the choice of the final answer, signs and currencies are left out: ordinary replies seldom
test them, so labels of such replies would switch them off for nothing.
"""
