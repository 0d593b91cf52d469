"""Provenance to look at.  In: an audit of provenance.  Out: lines for a terminal, a page."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from pathlib import Path

from finassay.analyses.provenance.results import Provenance, ProvenanceFinding
from finassay.reports import numbers as num
from finassay.reports import tables_provenance as made
from finassay.reports.markdown import escaped, markdown_table
from finassay.reports.plain import table_lines
from finassay.reports.table import Table
from finassay.reports.write import write_file

WIDTH = 100


def provenance_lines(found: Provenance) -> list[str]:
    """Return the audit in lines: findings with evidence, the boards, and what was asked."""
    out = [*_head(found), ""]
    for finding in found.findings:
        out += _finding(finding)
    if not found.findings:
        out += ["Nothing was found.", ""]
    for table in _tables(found):
        out += [*table_lines(table), ""]
    out += _asked(found)
    return out


def _head(found: Provenance) -> list[str]:
    sizes = (
        num.plural(found.n_systems, "system"),
        num.plural(found.n_items, "item"),
        num.plural(found.n_predictions, "reply", "replies"),
        num.plural(len(found.candidates), "candidate rule"),
    )
    return [
        f"Provenance of {num.clean(found.study)}",
        ", ".join(sizes),
        *(f"note: {warning}" for warning in found.warnings),
    ]


def _finding(finding: ProvenanceFinding) -> list[str]:
    lines = [f"{finding.severity:>6}  {num.clean(finding.title)} [{finding.kind}]"]
    # A name may stand first, so nothing is capitalised.
    told = [f"{finding.evidence}."]
    if finding.witnesses:
        told.append(f"look at: {made.witnesses(finding.witnesses, finding.n_witnesses)}.")
    told.append(f"do: {finding.advice}.")
    for text in told:
        indent = " " * 8
        lines += textwrap.wrap(
            num.clean(text),
            WIDTH,
            initial_indent=indent,
            subsequent_indent=indent,
            break_on_hyphens=False,
        )
    return [*lines, ""]


def _tables(found: Provenance) -> Iterator[Table]:
    if found.rules is not None:
        yield made.nearest(found.rules)
        side_by_side = made.boards(found.rules)
        if side_by_side is not None:
            yield side_by_side
    for trace in found.totals:
        if trace.common_rule is not None:
            yield made.totals(trace)
    for table in (made.piles(found), made.length(found)):
        if table is not None:
            yield table


def _asked(found: Provenance) -> list[str]:
    quiet = [check.kind for check in found.checks if check.n and not check.n_findings]
    idle = [check.kind for check in found.checks if not check.n]
    lines = []
    if quiet:
        lines += textwrap.wrap(f"Asked, and nothing found: {', '.join(quiet)}.", WIDTH)
    if idle:
        lines += textwrap.wrap(f"Nothing to look at for: {', '.join(idle)}.", WIDTH)
    return lines


def provenance_page(found: Provenance) -> str:
    """Return the audit as one page of Markdown, with every table and every effect on ranks."""
    blocks = [f"# {escaped(_head(found)[0])}", *map(escaped, _head(found)[1:])]
    if found.findings:
        blocks.append(markdown_table(made.findings(found)))
    else:
        blocks.append("Nothing was found.")
    blocks += [markdown_table(table) for table in _tables(found)]
    effects = [f.effect for f in found.findings if f.effect is not None]
    if effects:
        blocks.append("## What corrections do to ranks")
        blocks += [markdown_table(made.effect(e, i)) for i, e in enumerate(effects, start=1)]
    blocks += ["## What was asked", markdown_table(made.checks(found))]
    return "\n\n".join(blocks) + "\n"


def write_provenance(found: Provenance, directory: str | Path) -> Path:
    """Write the page to DIRECTORY/provenance.md, aside and renamed, and return its path."""
    path = Path(directory) / "provenance.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    write_file(path, provenance_page(found))
    return path
