"""Tables about difficulty.  In: a Difficulty.  Out: tables."""

from __future__ import annotations

from collections.abc import Mapping

from finassay.analyses.results_gaps import Axis, Difficulty, StratumGap, SystemDifficulty
from finassay.reports import numbers as num
from finassay.reports.table import Gaps, Table, grouped, lefts, rights
from finassay.reports.tables_scores import policy_note

AXES: tuple[Axis, ...] = ("family", "difficulty label", "empirical difficulty")
AXIS_WORDS: Mapping[Axis, str] = {
    "family": "Family",
    "difficulty label": "Label",
    "empirical difficulty": "Systems right",
}


def bands(result: Difficulty) -> Table:
    """Return how many items there are in each band of empirical difficulty."""
    return Table(
        key="difficulty-bands",
        caption="Items by the share of systems that are right, hardest first",
        columns=(*lefts("Systems right"), *rights("Items", "Items, %")),
        rows=tuple(
            (
                band.name,
                num.count(band.items),
                num.percent(band.items / result.n_items, result.n_items) if result.n_items else "0",
            )
            for band in result.bands
        ),
        notes=Gaps().notes(policy_note(result.policy), *result.warnings),
    )


def gaps(found: SystemDifficulty) -> Table:
    """Return what one system scores in each stratum beside what is expected of it."""
    missing = Gaps()

    def row(one: StratumGap) -> tuple[str, ...]:
        return (
            f"{AXIS_WORDS[one.axis]}: {num.clean(one.stratum)}",
            num.count(one.n),
            num.percent(one.observed, one.n),
            num.percent(one.expected, one.n),
            num.points(one.difference, one.n),
            missing.dash("nothing can vary") if one.z is None else num.signed(one.z, 1),
        )

    rows, breaks = grouped(*([row(g) for g in found.strata if g.axis == axis] for axis in AXES))
    return Table(
        key="difficulty-gaps",
        caption="Where it loses and gains against what its average would have one expect",
        columns=(
            *lefts("Items"),
            *rights("n", "Observed, %", "Expected, %", "Difference, points", "z"),
        ),
        rows=rows,
        breaks=breaks,
        notes=missing.notes(
            "Expected: its overall score and the difficulty of each item, in an additive logit "
            "model; over all items the differences add up to zero.",
            "z takes items for independent; beyond 2 or below -2 is more than chance for one "
            "stratum, and about one in twenty strata is so by chance.",
        ),
    )
