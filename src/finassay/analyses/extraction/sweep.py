"""Many cells side by side.  In: one row a cell.  Out: counts of verdicts, changes of side, arms.

Cao, Gang and Veluri count, over 192 cells of FLARE, how many clear, tie or miss their majority
floor by one extracted score; here the same is counted by every rule and by the reachable interval,
which alone can be undetermined.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from finassay.analyses.extraction.results_sweep import (
    BY_INTERVAL,
    ArmPair,
    HumanAgreement,
    LabelSweep,
    OutcomeTally,
    SweepRow,
)
from finassay.errors import UsageError


def label_sweep(
    rows: Sequence[SweepRow],
    *,
    matcher: str,
    item_ids: Sequence[Sequence[str]] = (),
    human: Sequence[HumanAgreement] = (),
    warnings: Sequence[str] = (),
) -> LabelSweep:
    """Return many cells in one table, with counts and comparisons.

    Args:
        rows: one a cell, all under one matcher.
        matcher: what counts as an occurrence of a label, in one line.
        item_ids: ids of the items of each cell, to see whether two arms compare; cells without
            ids compare when they have equally many items.
        human: agreement of rules with people, cell by cell.
        warnings: what is known of the cells already.

    Raises:
        UsageError: there are no cells.
    """
    if not rows:
        raise UsageError("a sweep needs at least one cell, got none")
    items = [frozenset(ids) for ids in item_ids] or [frozenset[str]()] * len(rows)
    return LabelSweep(
        matcher=matcher,
        rows=tuple(rows),
        tallies=(*_tallies(rows, "all"), *_tallies([r for r in rows if r.k == 2], "binary")),
        changing=tuple(row.title for row in rows if row.changes_side),
        arms=tuple(_arms(list(zip(rows, items, strict=True)))),
        human=tuple(_pooled(human)),
        warnings=(*warnings, *_warnings(rows)),
    )


def _tallies(rows: Sequence[SweepRow], cells: str) -> Iterable[OutcomeTally]:
    if not rows:
        return
    yield _tally(BY_INTERVAL, cells, [row.outcome for row in rows])
    for rule in dict.fromkeys(found.rule for row in rows for found in row.rules):
        yield _tally(
            rule,
            cells,
            [found.outcome for row in rows for found in row.rules if found.rule == rule],
        )


def _tally(by: str, cells: str, outcomes: Sequence[str]) -> OutcomeTally:
    counts = Counter(outcomes)
    return OutcomeTally(
        by=by,
        cells=cells,
        n=len(outcomes),
        clears=counts["clears"],
        ties=counts["ties"],
        below=counts["below"],
        undetermined=counts["undetermined"],
    )


def _pooled(human: Sequence[HumanAgreement]) -> Iterable[HumanAgreement]:
    """Yield the agreement of each rule over all cells."""
    for rule in dict.fromkeys(found.rule for found in human):
        parts = [found for found in human if found.rule == rule]
        n, same = sum(part.n for part in parts), sum(part.same for part in parts)
        yield HumanAgreement(
            rule=rule,
            n=n,
            same=same,
            share=same / n if n else None,
            filled_against=sum(part.filled_against for part in parts),
            missed=sum(part.missed for part in parts),
        )


@dataclass(frozen=True, slots=True)
class _Named:
    row: SweepRow
    items: frozenset[str]


def _arms(cells: Sequence[tuple[SweepRow, frozenset[str]]]) -> Iterable[ArmPair]:
    """Yield every free arm beside every exact-answer arm of its task, system and split."""
    free = [_Named(row, items) for row, items in cells if row.answers == "free"]
    exact = [_Named(row, items) for row, items in cells if row.answers == "exact"]
    for left in free:
        for right in exact:
            if _whose(left.row) == _whose(right.row):
                yield _arm_pair(left, right)


def _whose(row: SweepRow) -> tuple[str, str, str]:
    return row.task, row.system, row.split


def _arm_pair(left: _Named, right: _Named) -> ArmPair:
    free, exact = left.row, right.row
    same = free.n == exact.n and free.floor == exact.floor and left.items == right.items
    decided = free.outcome != "undetermined" and same
    return ArmPair(
        task=free.task,
        system=free.system,
        free=free.title,
        exact=exact.title,
        same_items=same,
        free_outcome=_outcome(free),
        exact_outcome=_outcome(exact),
        free_contested=free.contested / free.n,
        exact_contested=exact.contested / exact.n,
        free_coverage=free.covered / free.n,
        exact_coverage=exact.covered / exact.n,
        survives=free.outcome == exact.outcome if decided else None,
    )


def _outcome(row: SweepRow) -> str:
    return f"{row.outcome}/{row.sub_state}" if row.sub_state else row.outcome


def _warnings(rows: Sequence[SweepRow]) -> Iterable[str]:
    undeclared = [row for row in rows if not row.arm or not row.budget]
    if undeclared:
        yield (
            f"{len(undeclared)} of {len(rows)} cells declare no prompt arm or no generation "
            f"budget, so nothing is certified for them"
        )
    silent = [row.title for row in rows if not row.covered]
    if silent:
        yield f"no reply names any label, so nothing can be ambiguous: {', '.join(silent)}"
    twice = [title for title, times in Counter(row.title for row in rows).items() if times > 1]
    if twice:
        yield f"cells that cannot be told apart by what they declare: {', '.join(twice)}"
