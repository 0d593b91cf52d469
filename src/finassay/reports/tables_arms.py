"""Tables about printed arms.  In: an arms report.  Out: tables."""

from __future__ import annotations

from finassay.analyses.results_arms import ArmsReport
from finassay.reports import numbers as num
from finassay.reports.table import Column, Gaps, Table, lefts, rights

SHOWN_CLAIMS = 30


def tables(found: ArmsReport) -> list[Table]:
    """Return the tables of a printed table's arms."""
    return [arms(found), rows(found), moves(found), claims(found)]


def arms(found: ArmsReport) -> Table:
    """Return each arm's range, leader and correlation with the base."""
    gaps = Gaps()
    none = "a column is constant, or there are fewer than two rows"
    return Table(
        key="arms",
        caption=f"Arms of {num.clean(found.table)} against {num.clean(found.base)}",
        columns=(
            *lefts("Arm"),
            *rights(
                "Rows", "Lowest, %", "Highest, %", "Spread, points", "Spearman", "p", "Kendall"
            ),
            *lefts("First", "Printed ranks are"),
        ),
        rows=tuple(
            (
                num.clean(arm.arm),
                num.count(arm.n),
                num.fixed(100 * arm.low, 2),
                num.fixed(100 * arm.high, 2),
                num.fixed(100 * arm.spread, 2),
                gaps.dash(none)
                if arm.with_base.spearman is None
                else num.coefficient(arm.with_base.spearman),
                gaps.dash(none)
                if arm.with_base.spearman_p is None
                else num.p_value(arm.with_base.spearman_p),
                gaps.dash(none)
                if arm.with_base.kendall is None
                else num.coefficient(arm.with_base.kendall),
                num.listed([num.shortened(name) for name in arm.leaders]),
                _printed(arm.has_printed_ranks, arm.printed_ranks),
            )
            for arm in found.arms
        ),
        notes=gaps.notes(f"as reported in {found.source}", found.method, *found.warnings),
    )


def _printed(given: bool, conventions: tuple[str, ...]) -> str:  # noqa: FBT001 - a cell's two facts
    if not given:
        return "not printed"
    return num.listed(list(conventions)) if conventions else "of no known convention"


def rows(found: ArmsReport) -> Table:
    """Return each system's score and rank under every arm."""
    heads = [head for arm in found.arms for head in (f"{num.clean(arm.arm)}, %", "Rank")]
    return Table(
        key="arm-ranks",
        caption=f"Scores and {found.rank_convention} ranks by arm",
        columns=(*lefts("System"), *rights("Base, %", *heads, "Move")),
        rows=tuple(
            (
                num.shortened(row.system),
                num.EM_DASH if row.base is None else num.fixed(100 * row.base, 2),
                *(
                    cell
                    for score, rank in zip(row.scores, row.ranks, strict=True)
                    for cell in (num.fixed(100 * score, 2), num.rank(rank))
                ),
                num.rank(row.move),
            )
            for row in found.rows
        ),
        notes=("Move: largest minus smallest rank among the arms.",),
    )


def moves(found: ArmsReport) -> Table:
    """Return how many systems move so many ranks, by convention."""
    every = [one for one in found.moves if len(one.regimes) == len(found.arms)]
    conventions = [name for name, _ in every[0].counts] if every else []
    return Table(
        key="arm-moves",
        caption="Systems that move at least so many ranks among all arms, by convention for ties",
        columns=(Column("At least"), *rights(*(name.capitalize() for name in conventions))),
        rows=tuple(
            (num.count(one.at_least), *(f"{n} of {one.n}" for _, n in one.counts)) for one in every
        ),
    )


def claims(found: ArmsReport) -> Table:
    """Return what holds in which arms, that which depends on the arm first."""
    shown = found.claims[:SHOWN_CLAIMS]
    rest = len(found.claims) - len(shown)
    return Table(
        key="arm-claims",
        caption="What one may read off one arm, and where it holds",
        columns=lefts("Claim", "Holds under", "Fails under"),
        rows=tuple(
            (
                num.sentence(claim.text, claim.text.split()[:1]),
                num.listed(list(claim.holds)) or num.EM_DASH,
                num.listed(list(claim.fails)) or num.EM_DASH,
            )
            for claim in shown
        ),
        notes=(_pairs(found), *((f"{rest} more in the JSON.",) if rest > 0 else ())),
    )


def _pairs(found: ArmsReport) -> str:
    return (
        f"{found.n_held} of {found.n_pairs} pairs of systems stand in one order in every arm; "
        f"{found.n_turned} are turned over between arms, {found.n_tied} tie in some."
    )
