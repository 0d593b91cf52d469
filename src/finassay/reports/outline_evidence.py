"""The rooms about pairs, ranks and items.  In: an audit.  Out: rooms and parts."""

from __future__ import annotations

from finassay.analyses.results import Audit
from finassay.reports import numbers as num
from finassay.reports.rooms import Part, Room
from finassay.reports.table import Table
from finassay.reports.tables_compare import ADJUSTMENT_NAMES

NOT_COMPARED = (
    "Not measured: fewer than two complete systems, or more than an audit compares; `finassay "
    "compare STUDY --all` has no such limit."
)


def _known(keys: tuple[str, ...], made: dict[str, Table]) -> tuple[str, ...]:
    return tuple(key for key in keys if key in made)


def significance(audit: Audit, made: dict[str, Table]) -> Room:
    """Return which differences survive, and which ranks stay open."""
    pairs = Part(
        anchor="significance-pairs",
        text=(NOT_COMPARED,),
    )
    found = audit.comparisons
    if found is not None:
        said = (
            f"Paired bootstrap tests of {num.plural(len(found.pairs), 'pair')} on shared items, "
            f"corrected by {ADJUSTMENT_NAMES[found.adjust]} for a family of "
            f"{num.count(found.family)} at level {found.alpha:g}."
        )
        pairs = Part(
            anchor="significance-pairs",
            text=(said,),
            figures=("fig-significance",),
            tables=_known(("significance-counts", "tie-groups"), made),
            folded=(("The tests, those nearest to the threshold first", "pairs"),),
        )
    ranks = Part(
        anchor="s-rank-sets",
        heading="Ranks that the items leave open",
        text=() if audit.rank_sets else ("Not measured: fewer than two complete systems.",),
        figures=("fig-rank-sets",),
        tables=_known(("rank-sets",), made),
        folded=(("How often one system scores above another", "superiority"),),
    )
    return Room(anchor="s-significance", heading="Significance", parts=(pairs, ranks))


def items(audit: Audit, made: dict[str, Table]) -> tuple[Part, ...]:
    """Return the parts on difficulty and discrimination, and on contested items."""
    found = audit.item_analysis
    heading = "Difficulty and discrimination"
    if found is None:
        text = ("Not measured: fewer than two complete systems.",)
        return (Part(anchor="s-discrimination", heading=heading, text=text),)
    smallest = () if found.subset is None else tuple(num.clean(i) for i in found.subset.items)
    described = Part(
        anchor="s-discrimination",
        heading=heading,
        figures=("fig-item-map",),
        tables=_known(("item-facts", "label-trends"), made),
        folded=(("Items that stronger systems get wrong more often", "suspects"),),
        lists=(("Fewest items that keep the ranking", smallest),) if smallest else (),
    )
    contested = _known(("contested",), made)
    if not contested:
        return (described,)
    heading = "Items on which rules disagree"
    return described, Part(anchor="items-contested", heading=heading, tables=contested)
