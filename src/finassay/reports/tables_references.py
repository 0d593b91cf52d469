"""Tables about references.  In: a reference audit.  Out: tables."""

from __future__ import annotations

from finassay.analyses.reference_audit.results import (
    KINDS,
    ReferenceAudit,
    ReferenceFinding,
)
from finassay.analyses.results_audit import SEVERITIES
from finassay.reports import numbers as num
from finassay.reports.table import Column, Table, lefts, rights

SHOWN = 40
SUSPECTED = (
    "Suspected: a finding of severity high or medium. That nothing was found does not mean that a "
    "reference is right."
)
_WIDE = 48


def tables(found: ReferenceAudit) -> list[Table]:
    """Return the tables of a reference audit that have rows."""
    made = (sources(found), pairs(found), kinds(found), findings(found))
    return [table for table in made if table.rows or table.key == "reference-sources"]


def sources(found: ReferenceAudit) -> Table:
    """Return what each source has and how much of it is suspected."""
    return Table(
        key="reference-sources",
        caption="References by source",
        columns=(
            *lefts("Source"),
            *rights("References", "Empty", "Suspected", "Computations checked", "In references"),
        ),
        rows=tuple(
            (
                num.shortened(one.source),
                num.count(one.n),
                num.count(one.n_empty),
                num.count(one.n_suspected),
                num.count(one.n_checked),
                num.count(one.n_texts_checked),
            )
            for one in found.sources
        ),
        notes=(
            num.sentence(found.method),
            SUSPECTED,
            *(num.sentence(warning) for warning in found.warnings),
        ),
    )


def pairs(found: ReferenceAudit) -> Table:
    """Return how often two sources give the same final answer."""
    trusted = f" ({num.shortened(found.trusted)} is taken as right)" if found.trusted else ""
    return Table(
        key="reference-pairs",
        caption=f"Final answers of two sources{trusted}",
        columns=(*lefts("Source", "Other source"), *rights("Both", "Same", "Different", "Unclear")),
        rows=tuple(
            (
                num.shortened(one.left),
                num.shortened(one.right),
                num.count(one.n),
                num.count(one.n_same),
                num.count(one.n_different),
                num.count(one.n_unclear),
            )
            for one in found.pairs
        ),
    )


def kinds(found: ReferenceAudit) -> Table:
    """Return how many findings there are of each kind."""
    return Table(
        key="reference-kinds",
        caption="Findings by kind",
        columns=(*lefts("Kind", "What it says"), Column("Findings")),
        rows=tuple(
            (kind, text, num.count(n))
            for kind, text in KINDS.items()
            for known, n in found.kinds
            if known == kind
        ),
    )


def findings(found: ReferenceAudit) -> Table:
    """Return the findings, the gravest first."""
    ordered = sorted(found.findings, key=lambda one: SEVERITIES.index(one.severity))
    rest = len(ordered) - SHOWN
    return Table(
        key="reference-findings",
        caption="What was found, the gravest first",
        columns=lefts("Severity", "Item", "Source", "Kind", "As written", "Stated", "Found"),
        rows=tuple(_row(one) for one in ordered[:SHOWN]),
        notes=(f"{num.plural(rest, 'more finding')} in the JSON.",) if rest > 0 else (),
    )


def _row(one: ReferenceFinding) -> tuple[str, ...]:
    against = f" / {one.against}" if one.against else ""
    return (
        one.severity,
        f"{num.shortened(one.item_id)} turn {one.turn}",
        num.shortened(f"{one.source}{against}", _WIDE),
        one.kind,
        _cut(one.said),
        _cut(one.stated),
        _cut(one.found),
    )


def _cut(text: str) -> str:
    return num.shortened(" ".join(text.split()), _WIDE) if text.strip() else num.EM_DASH
