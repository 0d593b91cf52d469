"""Which rule made printed totals.  In: printed shares, rules' counts.  Out: the nearest rule."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np

from finassay.analyses.alignment import aligned
from finassay.analyses.kernels.printed import rounded_counts
from finassay.analyses.provenance.inputs import ProvenanceInputs, Section
from finassay.analyses.provenance.printed_tables import Cell, PrintedTable
from finassay.analyses.provenance.results import (
    Check,
    Measure,
    ProvenanceFinding,
    TotalsRow,
    TotalsTrace,
)
from finassay.analyses.wording import plural, some
from finassay.marking.matrix import ABSENT

FIT = 0.05
"""Share of the items by which the common rule may miss the totals of the middle row."""

FAR = 3.0
"""Interquartile ranges above the third quartile: Tukey's far-out fence."""

FEWEST_ROWS = 5
ALL = "all items"
FALSE_ALARMS = 0.01

BY_DIGITS = 1e-6
"""Chance below which printed digits show that a column is over all items of the study."""

METHOD = (
    "the distance of a row from a rule is the sum over the parts of the differences between "
    "printed and marked right answers; the common rule has the smallest median distance, at most "
    f"{FIT:.0%} of the items; a row is odd when another rule comes closer by more than the far-out "
    f"fence (third quartile plus {FAR:g} interquartile ranges) of the other rows' distances from "
    f"the common rule and by more than its cut replies, and lies inside that fence itself; "
    f"{FEWEST_ROWS} rows or more"
)


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of the items that a printed column is over.

    Attributes:
        name: family, or all items.
        rules: rule -> system -> right answers; only systems with a verdict on every item.
        n: items.
    """

    name: str
    rules: Mapping[str, Mapping[str, int]]
    n: int


def trace_totals(
    inputs: ProvenanceInputs, tables: Sequence[PrintedTable], cut: Mapping[str, int]
) -> tuple[tuple[TotalsTrace, ...], Section]:
    """Return which rule each printed row follows by its totals, and rows that follow another.

    Args:
        inputs: of the audit.
        tables: printed numbers.
        cut: system -> replies at a cap, each of which may have been marked when it was whole.
    """
    parts = _parts(inputs)
    traces = [trace for table in tables for trace in _traces(inputs, table, parts, cut)]
    found = [finding for trace in traces for finding in _findings(trace)]
    rows = sum(len(trace.rows) for trace in traces)
    check = Check(
        kind="mixed_rule_totals",
        n=rows,
        unit="printed rows of systems with replies",
        n_findings=len(found),
        method=METHOD,
        false_alarm_rate=FALSE_ALARMS,
    )
    return tuple(traces), Section(check, found)


def _parts(inputs: ProvenanceInputs) -> dict[str, _Part]:
    """Return the families and all items, with every rule's right answers."""
    masks = {ALL: np.ones(len(inputs.items), dtype=np.bool_)}
    for family in dict.fromkeys(item.family for item in inputs.items):
        masks[family] = np.array([item.family == family for item in inputs.items], dtype=np.bool_)
    found: dict[str, dict[str, dict[str, int]]] = {name: {} for name in masks}
    for rule, matrix in inputs.candidates.items():
        table = aligned(matrix, inputs.items)
        for name, mask in masks.items():
            whole = (table.status[mask] != ABSENT).all(axis=0)
            right = table.right[mask].sum(axis=0)
            found[name][rule] = {
                system: int(right[j]) for j, system in enumerate(table.columns) if whole[j]
            }
    return {
        name: _Part(name, rules, int(masks[name].sum())) for name, rules in found.items() if rules
    }


def _traces(
    inputs: ProvenanceInputs,
    table: PrintedTable,
    parts: Mapping[str, _Part],
    cut: Mapping[str, int],
) -> list[TotalsTrace]:
    """Return one trace of the columns that are families, else one a column over all items."""
    by_column: dict[str, list[Cell]] = {}
    for cell in table.cells:
        by_column.setdefault(cell.column, []).append(cell)
    fullest = max((len(cells) for cells in by_column.values()), default=0)
    names = {column: column.removeprefix(f"{inputs.stored}:") for column in by_column}
    families = {
        column: names[column]
        for column, cells in by_column.items()
        if names[column] in parts and 2 * len(cells) > fullest
    }
    if len(families) > 1:
        groups = [families]
    else:
        whole = [column for column, cells in by_column.items() if _is_over(cells, parts.get(ALL))]
        groups = [{column: ALL} for column in whole]
    made = [_trace(inputs, table, group, parts, cut) for group in groups]
    return [trace for trace in made if trace is not None]


def _is_over(cells: Sequence[Cell], part: _Part | None) -> bool:
    """Whether a column is over all items: it says so, or its digits do.

    Where no number of items is printed, all numbers must be shares of the items of the study, and
    so many numbers with these digits must not be so by chance.
    """
    if part is None or not part.n or any(cell.n not in (None, part.n) for cell in cells):
        return False
    if all(cell.n == part.n for cell in cells):
        return True
    chances = [
        min(1.0, (part.n + 1) / (10.0**cell.number.decimals * (100 if cell.is_percent else 1)))
        for cell in cells
    ]
    return math.prod(chances) < BY_DIGITS and all(_counts(cell, part.n) for cell in cells)


def _counts(cell: Cell, n: int) -> tuple[int, ...]:
    return rounded_counts(cell.number, n, scale=100 if cell.is_percent else 1)


def _trace(
    inputs: ProvenanceInputs,
    table: PrintedTable,
    group: Mapping[str, str],
    parts: Mapping[str, _Part],
    cut: Mapping[str, int],
) -> TotalsTrace | None:
    by_row: dict[str, dict[str, Cell]] = {}
    for cell in table.cells:
        if cell.column in group and cell.n in (None, parts[group[cell.column]].n):
            by_row.setdefault(cell.row, {})[cell.column] = cell
    rows = []
    for label, cells in by_row.items():
        system = inputs.printed_names.get(label, label)
        row = _row(label, system, cells, group, parts)
        if len(cells) == len(group) and row is not None:
            rows.append(row)
    if len(rows) < FEWEST_ROWS:
        return None
    common = _common(rows)
    return TotalsTrace(
        source=table.source,
        table=table.name,
        parts=tuple(f"{column} ({group[column]})" for column in group),
        common_rule=common,
        odd=tuple(
            row.row
            for row in rows
            if common is not None and _is_odd(row, rows, common, cut.get(row.system, 0))
        ),
        rows=tuple(rows),
    )


def _row(
    label: str,
    system: str,
    cells: Mapping[str, Cell],
    group: Mapping[str, str],
    parts: Mapping[str, _Part],
) -> TotalsRow | None:
    """Return a row's distance from every rule; None where a cell has no count or no replies."""
    used = {column: parts[group[column]] for column in cells}
    counts = {column: _counts(cell, used[column].n) for column, cell in cells.items()}
    rules = list(next(iter(used.values())).rules) if used else []
    if not used or not all(counts.values()):
        return None
    distances = {
        rule: sum(
            min(abs(k - part.rules[rule][system]) for k in counts[column])
            for column, part in used.items()
        )
        for rule in rules
        if all(system in part.rules[rule] for part in used.values())
    }
    if not distances:
        return None
    return TotalsRow(
        row=label,
        system=system,
        printed_right=sum(ks[0] for ks in counts.values()),
        n=sum(part.n for part in used.values()),
        distances=tuple(sorted(distances.items(), key=lambda pair: pair[1])),
    )


def _common(rows: Sequence[TotalsRow]) -> str | None:
    shares: dict[str, list[float]] = {}
    for row in rows:
        for rule, distance in row.distances:
            shares.setdefault(rule, []).append(distance / row.n)
    whole = {rule: own for rule, own in shares.items() if len(own) == len(rows)}
    if not whole:
        return None
    best = min(whole, key=lambda rule: (median(whole[rule]), sum(whole[rule])))
    return best if median(whole[best]) <= FIT else None


def _far_fence(distances: Sequence[int]) -> float:
    first, third = np.quantile(np.asarray(distances, dtype=np.float64), [0.25, 0.75])
    return float(third + FAR * (third - first))


def _is_odd(row: TotalsRow, rows: Sequence[TotalsRow], common: str, cut: int) -> bool:
    others = [dict(other.distances)[common] for other in rows if other.row != row.row]
    fence = _far_fence(others)
    best, own = row.distances[0][1], dict(row.distances)[common]
    return own - best > max(fence, 1.0, cut) and best <= fence


def _findings(trace: TotalsTrace) -> list[ProvenanceFinding]:
    out = []
    for row in (row for row in trace.rows if row.row in trace.odd):
        common = trace.common_rule or ""
        best = row.distances[0][1]
        rules = [rule for rule, distance in row.distances if distance == best]
        distances = [dict(other.distances)[common] for other in trace.rows if other != row]
        own = dict(row.distances)[common]
        out.append(
            ProvenanceFinding(
                kind="mixed_rule_totals",
                severity="high",
                title=f"The printed totals of {row.row} follow another rule than the rest",
                systems=(row.row,),
                evidence=(
                    f"{trace.source}, {trace.table}, {some(trace.parts)}: its totals are "
                    f"{plural(best, 'answer')} from those of {some(rules)} and {own} from those of "
                    f"{common}; the other rows are {min(distances)} to {max(distances)} from it"
                ),
                advice="mark every system again with one rule before comparing them",
                measures=(
                    Measure(name="answers from its own rule", value=best),
                    Measure(name="answers from the common rule", value=own),
                    Measure(name="most answers of another row", value=max(distances)),
                ),
                witnesses=trace.parts,
                n_witnesses=len(trace.parts),
                false_alarm_rate=FALSE_ALARMS,
            )
        )
    return out
