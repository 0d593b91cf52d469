"""Tables about two systems.  In: a TwoSystems.  Out: tables."""

from __future__ import annotations

from finassay.analyses.results_compare import BootstrapTest, PValue
from finassay.analyses.results_two import TwoSystems
from finassay.reports import numbers as num
from finassay.reports.table import Gaps, Table, lefts, rights
from finassay.reports.tables_compare import NO_CLUSTERS
from finassay.reports.tables_scores import policy_note


def tests(found: TwoSystems) -> Table:
    """Return the tests of the difference over items and over clusters, both tie conventions."""
    gaps, test = Gaps(), found.test
    mcnemar = test.mcnemar
    rows = [
        ("Paired bootstrap, items", *_p(test.item, gaps)),
        ("Paired bootstrap, clusters", *_p(test.cluster, gaps)),
        ("Signs flipped item by item", *_values(test.sign_flip), num.count(test.n)),
    ]
    if mcnemar is not None:
        why = gaps.dash("the exact binomial test has one convention")
        n = num.count(mcnemar.left_only + mcnemar.right_only)
        rows.append(
            ("McNemar, exact", num.p_exact(mcnemar.exact), why, num.p_exact(mcnemar.mid), n)
        )
    return Table(
        key="pair-tests",
        caption="Is the difference more than chance? Two-sided p",
        columns=(
            *lefts("Test"),
            *rights("p, with ties", "without ties", "mid", "Units"),
        ),
        rows=tuple(rows),
        notes=gaps.notes(
            "A resample exactly as far out as the observed difference is a tie: counted as farther "
            "out, not counted, or counted as half. Values marked ~ are by Monte Carlo, all others "
            "exact.",
            f"Clusters: {num.plural(found.n_clusters, 'group')} by {num.listed(found.clusters)}."
            if found.clusters
            else "",
            policy_note(found.policy),
            found.method,
            *found.warnings,
        ),
    )


def _p(test: BootstrapTest | None, gaps: Gaps) -> tuple[str, str, str, str]:
    if test is None:
        dash = gaps.dash(NO_CLUSTERS)
        return dash, dash, dash, dash
    return (*_values(test.p), num.count(test.units))


def _values(p: PValue) -> tuple[str, str, str]:
    mark = "" if p.method == "exact" else "~"
    first, second, third = (num.p_exact(value) for value in (p.inclusive, p.exclusive, p.mid))
    return f"{mark}{first}", f"{mark}{second}", f"{mark}{third}"


def families(found: TwoSystems) -> Table:
    """Return how many items of each family both, one or none of them has right."""
    return Table(
        key="pair-families",
        caption="Items by family: who has them right",
        columns=(
            *lefts("Family"),
            *rights("Both", f"Only {num.shortened(found.left, 24)}"),
            *rights(f"Only {num.shortened(found.right, 24)}", "Neither"),
        ),
        rows=tuple(
            (
                num.clean(one.family) or "(none)",
                *(
                    num.count(count)
                    for count in (one.both, one.left_only, one.right_only, one.neither)
                ),
            )
            for one in found.by_family
        ),
    )
