"""Tables about pairs of systems.  In: comparisons.  Out: tables."""

from __future__ import annotations

from finassay.analyses.kernels.families import Adjustment
from finassay.analyses.results import Comparisons, PairTest
from finassay.analyses.results_compare import BootstrapTest, ConventionCounts
from finassay.reports import numbers as num
from finassay.reports.table import Gaps, Table, lefts, rights

SHOWN_PAIRS = 40

ADJUSTMENT_NAMES: dict[Adjustment, str] = {
    "none": "no adjustment",
    "bonferroni": "Bonferroni",
    "holm": "Holm",
    "bh": "Benjamini-Hochberg",
    "by": "Benjamini-Yekutieli",
}

NO_CLUSTERS = "no clusters were declared"


def counts(result: Comparisons) -> Table:
    """Return how many pairs survive under each threshold, unit and tie convention."""
    gaps = Gaps()

    def three(found: ConventionCounts | None) -> tuple[str, str, str]:
        if found is None:
            dash = gaps.dash(NO_CLUSTERS)
            return dash, dash, dash
        return num.count(found.inclusive), num.count(found.exclusive), num.count(found.mid)

    rows = tuple(
        (f"p < {num.clean(row.name)}", num.count(row.pairs), *three(row.item), *three(row.cluster))
        for row in result.counts
    )
    return Table(
        key="significance-counts",
        caption="Pairs that survive: what the tie convention and the clusters change",
        columns=(
            *lefts("Threshold"),
            *rights("Pairs", "Items, with ties", "without", "mid"),
            *rights("Clusters, with ties", "without", "mid"),
        ),
        rows=rows,
        notes=gaps.notes(
            "A resample that lies exactly as far out as the observed difference is a tie. With "
            "ties: it counts as farther out; without: it does not; mid: half of it does.",
            f"Correction: {ADJUSTMENT_NAMES[result.adjust]}, family of {num.count(result.family)}.",
            _units(result),
            result.method,
            *result.warnings,
        ),
    )


def _units(result: Comparisons) -> str:
    if not result.clusters:
        return "Items are drawn one by one, as if no two of them shared anything."
    largest = num.plural(result.cluster_sizes[0], "item")
    made = num.plural(len(result.cluster_sizes), "cluster")
    return f"{made} by {num.listed(result.clusters)}, the largest of {largest}."


def letters(result: Comparisons, names: dict[str, str]) -> Table | None:
    """Return the tie groups; None unless all pairs were tested."""
    if not result.letters:
        return None
    gaps = Gaps()
    return Table(
        key="tie-groups",
        caption="Tie groups: systems that share a letter do not differ at the adjusted level",
        columns=(*lefts("System"), *rights("Score, %"), *lefts("Items", "Clusters")),
        rows=tuple(
            (
                names[row.system],
                num.percent(row.score, result.n_items),
                row.item,
                gaps.dash(NO_CLUSTERS) if row.cluster is None else row.cluster,
            )
            for row in result.letters
        ),
        notes=gaps.notes(),
    )


def pairs(result: Comparisons, names: dict[str, str]) -> Table:
    """Return the tests of every pair, those nearest to the threshold first."""
    gaps = Gaps()
    # Distance to the threshold as a ratio: the pairs about which one can argue stand on top.
    order = sorted(result.pairs, key=lambda test: _near(test, result.alpha))
    rest = len(order) - SHOWN_PAIRS
    level = num.percent(result.level, 100).removesuffix(".0")
    return Table(
        key="pairs",
        caption="Paired tests, those nearest to the threshold first",
        columns=(
            *lefts("Pair"),
            *rights("Difference, points", f"{level}% interval", "Item p", "without ties"),
            *rights("Cluster p", "without ties", "Adjusted item p"),
        ),
        rows=tuple(_pair(test, names, gaps) for test in order[:SHOWN_PAIRS]),
        notes=gaps.notes(
            "Each p is two-sided, with ties at the threshold unless the heading says without.",
            f"{num.plural(rest, 'more pair')} in the JSON report." if rest > 0 else "",
            "Monte Carlo p are marked ~; all others are exact." if _sampled(result) else "",
        ),
    )


def _near(test: PairTest, alpha: float) -> float:
    p = max(test.item.adjusted.inclusive, 1e-300)
    return max(p / alpha, alpha / p)


def _sampled(result: Comparisons) -> bool:
    tests = [t for pair in result.pairs for t in (pair.item, pair.cluster) if t is not None]
    return any(test.p.method != "exact" for test in tests)


def _pair(test: PairTest, names: dict[str, str], gaps: Gaps) -> tuple[str, ...]:
    low, high = (num.signed(100 * end, 1) for end in (test.effect.low, test.effect.high))
    return (
        f"{names[test.left]} × {names[test.right]}",
        num.signed(100 * test.difference, 1),
        f"{low} to {high}",
        *_both(test.item, gaps),
        *_both(test.cluster, gaps),
        num.p_exact(test.item.adjusted.inclusive),
    )


def _both(test: BootstrapTest | None, gaps: Gaps) -> tuple[str, str]:
    if test is None:
        return gaps.dash(NO_CLUSTERS), gaps.dash(NO_CLUSTERS)
    mark = "" if test.p.method == "exact" else "~"
    return f"{mark}{num.p_exact(test.p.inclusive)}", f"{mark}{num.p_exact(test.p.exclusive)}"
