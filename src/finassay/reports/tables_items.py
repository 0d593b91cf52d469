"""Tables about items and replies.  In: results about items.  Out: tables."""

from __future__ import annotations

from collections import Counter

from finassay.analyses.results import (
    Concordance,
    DocumentProvenance,
    ErrorCategories,
    ErrorOverlap,
    ItemCoverage,
    StratumCoverage,
    TruncationPiles,
)
from finassay.reports import numbers as num
from finassay.reports.table import Column, Gaps, Table, grouped, lefts, rights
from finassay.reports.tables_scores import policy_note

SHOWN_PAIRS = 20
SHOWN_DOCUMENTS = 20


def bands(result: ItemCoverage) -> Table:
    """Return the bands of D(k): how many items lie in each, and what evidence they carry."""
    gaps = Gaps()
    m = len(result.systems)

    def share(value: float | None) -> str:
        return gaps.dash("nothing to divide by") if value is None else num.percent(value, 1)

    rows = tuple(
        (
            num.clean(band.name).capitalize(),
            ", ".join(str(k) for k in band.ks) or gaps.dash("no such k"),
            num.count(band.items),
            share(band.share),
            num.count(band.d_mass),
            share(band.d_share),
        )
        for band in result.bands
    )
    mean = result.mean_disagreement
    return Table(
        key="bands",
        caption=f"What carries the evidence: items by k, the systems of {m} that are right",
        columns=(
            *lefts("Band"),
            *rights("k", "Items", "Items, %", "Pairs separated", "Share, %"),
        ),
        rows=rows,
        notes=gaps.notes(
            f"D(k) = k ({m} {num.MINUS} k) pairs of systems are separated by an item that k of "
            f"{m} get right; {num.plural(result.n_items, 'item')} under {result.rule}.",
            ""
            if mean is None
            else f"An item separates {num.percent(mean, 1000)}% of the pairs on average.",
            policy_note(result.policy),
            *result.warnings,
        ),
    )


def by_k(result: ItemCoverage) -> Table:
    """Return how many items exactly k systems get right, and the pairs these separate."""
    items = Counter(item.k for item in result.items)
    m = len(result.systems)
    rows = tuple(
        (str(k), num.count(items[k]), num.count(k * (m - k)), num.count(items[k] * k * (m - k)))
        for k in range(m + 1)
    )
    return Table(
        key="by-k",
        caption=f"Items by the number k of {m} systems that are right",
        columns=rights("k", "Items", "D(k)", "Pairs separated"),
        rows=rows,
    )


def strata(result: ItemCoverage) -> Table:
    """Return how the items of each family and difficulty separate the systems."""
    gaps = Gaps()

    def row(part: StratumCoverage) -> tuple[str, ...]:
        why = "no pair is separated"
        return (
            num.clean(part.stratum) or "(none)",
            num.count(part.items),
            num.share(part.zero_information, part.items),
            gaps.dash(why)
            if part.mean_disagreement is None
            else num.coefficient(part.mean_disagreement),
            gaps.dash(why) if part.d_share is None else num.percent(part.d_share, 1),
        )

    rows, breaks = grouped(
        [row(p) for p in result.by_family], [row(p) for p in result.by_difficulty]
    )
    return Table(
        key="strata",
        caption="Families and difficulties: how far their items separate the systems",
        columns=(
            *lefts("Stratum"),
            *rights("Items", "No information", "Mean disagreement", "Share of pairs, %"),
        ),
        rows=rows,
        breaks=breaks,
        notes=gaps.notes("Mean disagreement: D over all pairs of systems, in [0, 1]."),
    )


def overlap(result: ErrorOverlap, names: dict[str, str]) -> Table:
    """Return the pairs of systems that are wrong on the same items, most alike first."""
    gaps = Gaps()
    rows = tuple(
        (
            f"{names[pair.left]} × {names[pair.right]}",
            num.count(pair.both),
            num.count(pair.either),
            gaps.dash("both are never wrong")
            if pair.jaccard is None
            else num.coefficient(pair.jaccard),
            num.count(pair.n),
        )
        for pair in result.pairs[:SHOWN_PAIRS]
    )
    rest = len(result.pairs) - len(rows)
    return Table(
        key="overlap",
        caption="Pairs of systems that are wrong on the same items",
        columns=(
            *lefts("Pair"),
            *rights("Both wrong", "Either wrong", "Jaccard", "Shared items"),
        ),
        rows=rows,
        notes=gaps.notes(
            ""
            if result.median is None
            else f"Median over {num.plural(len(result.pairs), 'pair')}:"
            f" {num.coefficient(result.median)}.",
            f"{num.plural(rest, 'pair')} with less overlap not shown; the JSON report has them."
            if rest
            else "",
            *result.warnings,
        ),
    )


def concordance(result: Concordance) -> Table:
    """Return the mean rank of each object, with Kendall's W in the notes."""
    gaps = Gaps()
    why = "fewer than two raters or objects, or every rater ties everything"
    w = gaps.dash(why) if result.w is None else num.coefficient(result.w)
    test = ""
    if result.chi2 is not None and result.p is not None:
        test = (
            f", chi-squared {num.fixed(result.chi2, 1)} on {result.df} degrees of freedom, "
            f"p {num.p_value(result.p)}"
        )
    return Table(
        key="concordance",
        caption=f"{num.plural(len(result.raters), 'rater')} ({num.clean(result.raters_are)}) "
        f"put {num.clean(result.objects_are)} in order",
        columns=(*lefts(num.clean(result.objects_are).capitalize()), *rights("Mean rank")),
        rows=tuple((num.clean(name), num.fixed(value, 2)) for name, value in result.mean_ranks),
        notes=gaps.notes(f"Kendall's W {w}{test}.", result.method, *result.warnings),
    )


def documents(result: DocumentProvenance) -> Table:
    """Return the documents that most items rest on."""
    shown = result.per_document[:SHOWN_DOCUMENTS]
    rest = len(result.per_document) - len(shown)
    return Table(
        key="documents",
        caption=f"Documents with most items, of {num.count(len(result.per_document))}",
        columns=(*lefts("Document"), *rights("Items", "Share, %")),
        rows=tuple(
            (
                num.shortened(name),
                num.count(n),
                num.percent(n / result.n_items, result.n_items),
            )
            for name, n in shown
        ),
        notes=Gaps().notes(
            f"{num.plural(rest, 'document')} with fewer items not shown; the JSON report has them."
            if rest
            else "",
            f"{num.plural(result.n_without_document, 'item')} name no document."
            if result.n_without_document
            else "",
        ),
    )


def clusters(result: DocumentProvenance) -> Table:
    """Return how many clusters of connected documents there are of each size."""
    sizes = Counter(result.sizes)
    documents_of: dict[int, int] = {}
    for cluster, size in zip(result.clusters, result.sizes, strict=True):
        documents_of[size] = documents_of.get(size, 0) + len(cluster.documents)
    rows = tuple(
        (
            num.count(size),
            num.count(number),
            num.count(documents_of[size]),
            num.count(size * number),
        )
        for size, number in sorted(sizes.items(), reverse=True)
    )
    return Table(
        key="clusters",
        caption=f"{num.plural(len(result.sizes), 'cluster')} of documents joined by items that "
        "rest on two of them",
        columns=rights("Items in a cluster", "Clusters", "Documents", "Items in all"),
        rows=rows,
        notes=Gaps().notes(result.method, *result.warnings),
    )


def truncation(result: TruncationPiles, names: dict[str, str]) -> Table:
    """Return whether the replies of a system pile up at one longest length."""
    gaps = Gaps()
    rows = tuple(
        (
            names[pile.system],
            num.count(pile.n),
            gaps.dash("no replies") if pile.longest is None else num.count(pile.longest),
            num.count(pile.at_longest),
            gaps.dash("no replies") if pile.share is None else num.percent(pile.share, pile.n),
            gaps.dash("no replies") if pile.expected is None else num.fixed(pile.expected, 1),
            "suspected" if pile.is_suspected else "no",
        )
        for pile in result.rows
    )
    return Table(
        key="truncation",
        caption="Replies that stand at the longest length of their system",
        columns=(
            *lefts("System"),
            *rights("Replies", "Longest, characters", "At longest", "Share, %", "Expected"),
            *lefts("Cut by a cap"),
        ),
        rows=rows,
        notes=gaps.notes(result.method, *result.warnings),
    )


def categories(result: ErrorCategories, names: dict[str, str]) -> Table:
    """Return the wrong items of each system by category."""
    gaps = Gaps()
    rows = tuple(
        (
            names[row.system],
            num.clean(row.errors),
            *(
                num.count(dict(row.counts)[c]) if c in dict(row.counts) else gaps.dash("none")
                for c in result.categories
            ),
            num.count(row.total),
            num.count(row.n),
        )
        for row in sorted(result.rows, key=lambda row: row.errors != "strict")
    )
    strict = sum(row.errors == "strict" for row in result.rows)
    return Table(
        key="categories",
        caption="Wrong items by category",
        columns=(
            *lefts("System", "Errors"),
            *(Column(num.clean(name)) for name in result.categories),
            *rights("All wrong", "Items"),
        ),
        rows=rows,
        breaks=(strict,) if 0 < strict < len(rows) else (),
        notes=gaps.notes(
            f"Strict: wrong under {result.rule}."
            + (f" Residual: also wrong for {result.judge}." if result.judge else ""),
            result.method,
            *result.warnings,
        ),
    )
