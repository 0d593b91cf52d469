"""Every table of an audit, made once for all formats.  In: an audit.  Out: tables by key."""

from __future__ import annotations

from collections.abc import Iterator

from finassay.analyses.results import Audit
from finassay.reports import numbers as num
from finassay.reports import (
    tables_compare,
    tables_evidence,
    tables_extraction,
    tables_items,
    tables_methods,
    tables_rules,
    tables_scores,
)
from finassay.reports.json import without_texts
from finassay.reports.outline_people import people_tables
from finassay.reports.table import Column, Table
from finassay.reports.tables_multiverse import multiverse_tables

__all__ = ["Column", "Table", "shown_names", "tables"]


def shown_names(audit: Audit) -> dict[str, str]:
    """Return how each name of a system or person is shown: cleaned, short and different."""
    return num.short_names(_names(audit))


def _names(audit: Audit) -> Iterator[str]:
    for board in (audit.leaderboard, *audit.other_leaderboards, *audit.regime_leaderboards):
        yield from (row.system for row in board.rows)
        yield from (row.system for row in board.reported)
        for person in board.persons:
            yield person.person
            yield from (row.system for row in person.systems)
    if audit.regimes is not None:
        yield from (*audit.regimes.systems, *audit.regimes.left_out)
    if audit.overturns is not None:
        yield from (row.system for row in audit.overturns.rows)
        yield from (row.system for row in audit.overturns.reported)
    if audit.thresholds is not None:
        yield from audit.thresholds.systems
    yield from (system.name for system in audit.systems)
    if audit.agreement is not None:
        yield from (row.system for row in audit.agreement.systems)
    if audit.overlap is not None:
        yield from (name for pair in audit.overlap.pairs for name in (pair.left, pair.right))
    for part in (audit.truncation, audit.categories, audit.extraction):
        if part is not None:
            yield from (row.system for row in part.rows)


def tables(audit: Audit, *, no_text: bool = False) -> dict[str, Table]:
    """Return every table that the audit has numbers for, by key, in reading order.

    Args:
        audit: what was measured.
        no_text: leave out free text that came with the inputs (notes of reported rows).
    """
    audit = without_texts(audit) if no_text else audit
    names = shown_names(audit)
    made = [
        *_scores(audit, names, no_text=no_text),
        *_rules(audit, names),
        *_evidence(audit, names),
        *_items(audit, names),
        *_methods(audit, names),
    ]
    found = {table.key: table for table in made if table is not None}
    if audit.multiverse is not None:
        found |= multiverse_tables(audit.multiverse, names)
    return found | people_tables(audit, names)


def _scores(audit: Audit, names: dict[str, str], *, no_text: bool) -> Iterator[Table | None]:
    board = audit.leaderboard
    yield tables_scores.leaderboard(board, names)
    if board.families:
        yield tables_scores.by_group(board, names)
    if len(board.difficulties) > 1:
        yield tables_scores.by_group(board, names, difficulty=True)
    yield tables_scores.balanced(board, names)
    yield from tables_scores.persons(board, names)
    boards = (board, *audit.regime_leaderboards, *audit.other_leaderboards)
    yield tables_scores.reported(boards, names, no_text=no_text)
    yield tables_scores.every_rule((board, *audit.other_leaderboards), names)


def _rules(audit: Audit, names: dict[str, str]) -> Iterator[Table | None]:
    if audit.regimes is not None:
        yield tables_rules.regimes(audit.regimes, names)
        yield tables_rules.regime_spread(audit.regimes, names)
        yield tables_rules.correlations(
            audit.regimes.correlations,
            key="correlations",
            caption="Rank correlation of the systems between regimes",
        )
        yield tables_rules.moves(audit.regimes)
    if audit.overturns is not None:
        yield tables_rules.overturns(audit.overturns, names)
    if audit.thresholds is not None:
        yield tables_rules.thresholds(audit.thresholds, names)
        yield tables_rules.threshold_changes(audit.thresholds)
        yield tables_rules.correlations(
            audit.thresholds.correlations,
            key="threshold-correlations",
            caption="Rank correlation of the systems with the base threshold",
        )
    if audit.agreement is not None:
        yield tables_rules.agreement(audit.agreement, names)
    yield tables_rules.recognition(audit.recognition)
    if audit.extraction is not None:
        yield tables_extraction.cells(audit.extraction, names)
        yield tables_extraction.tally(audit.extraction)


def _items(audit: Audit, names: dict[str, str]) -> Iterator[Table | None]:
    if audit.coverage is not None:
        yield tables_items.bands(audit.coverage)
        yield tables_items.by_k(audit.coverage)
        yield tables_items.strata(audit.coverage)
    if audit.overlap is not None:
        yield tables_items.overlap(audit.overlap, names)
    if audit.concordance is not None:
        yield tables_items.concordance(audit.concordance)
    if audit.documents is not None:
        yield tables_items.documents(audit.documents)
        yield tables_items.clusters(audit.documents)
    if audit.truncation is not None:
        yield tables_items.truncation(audit.truncation, names)
    if audit.categories is not None:
        yield tables_items.categories(audit.categories, names)


def _evidence(audit: Audit, names: dict[str, str]) -> Iterator[Table | None]:
    if audit.comparisons is not None:
        yield tables_compare.counts(audit.comparisons)
        yield tables_compare.letters(audit.comparisons, names)
        yield tables_compare.pairs(audit.comparisons, names)
    if audit.rank_sets is not None:
        yield tables_evidence.rank_sets(audit.rank_sets, names)
        yield tables_evidence.superiority(audit.rank_sets, names)
    found = audit.item_analysis
    if found is not None:
        yield tables_evidence.item_facts(found)
        yield tables_evidence.contested(found)
        yield tables_evidence.suspects(found)
        if found.labels is not None:
            yield tables_evidence.labels(found.labels, names)


def _methods(audit: Audit, names: dict[str, str]) -> Iterator[Table | None]:
    yield tables_methods.findings(audit, names)
    yield tables_methods.settings(audit)
    yield tables_methods.systems(audit, names)
    if audit.versions or audit.digests:
        yield tables_methods.inputs(audit)
    if audit.packages:
        yield tables_methods.packages(audit)
    yield tables_methods.full_names(names)
