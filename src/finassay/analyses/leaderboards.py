"""Leaderboards.  In: items x systems verdicts of one rule.  Out: rows with intervals and ranks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.alignment import aligned, complete_columns, difficulties, families, rankable
from finassay.analyses.estimates import Settings, estimate, macro_mean, point
from finassay.analyses.labels import LabelFamily, balanced_accuracies, label_families
from finassay.analyses.ranking import all_ranks, check_convention, rank_range, scores_to_rank
from finassay.analyses.results_scores import (
    Estimate,
    Leaderboard,
    LeaderboardRow,
    PersonRow,
    RankConvention,
    ReportedRow,
    SubsetRow,
)
from finassay.marking.matrix import ABSENT, VerdictMatrix
from finassay.records import Item, SystemKind


def leaderboard(
    matrix: VerdictMatrix,
    *,
    items: Sequence[Item],
    rule: str,
    settings: Settings,
    rank_convention: RankConvention = "competition",
    kinds: Mapping[str, SystemKind] | None = None,
    reported: Sequence[ReportedRow] = (),
) -> Leaderboard:
    """Return all systems under one rule: complete ones ranked, the others kept and marked.

    Args:
        matrix: items x systems verdicts of the rule.
        items: every item of the benchmark; a system without a verdict on one is incomplete.
        rule: scorer id or regime name.
        settings: policy, level and interval.
        rank_convention: the convention shown first; all four are computed.
        kinds: kind of each system (model when not named); people are set apart.
        reported: rows that exist only as printed.

    Raises:
        UsageError: unknown convention, or rows that are not items.
        MarkingError: verdicts for items that are not among `items`.
    """
    check_convention(rank_convention)
    board = _Board.of(aligned(matrix, items), items=items, settings=settings)
    known = kinds or {}
    whole = frozenset(complete_columns(board.table))
    rows = [
        replace(board.row(name), kind=known.get(name, "model"), complete=name in whole)
        for name in matrix.columns
        if known.get(name, "model") != "person"
    ]
    ordered, worst = _ordered(rows, frozenset(rankable(board.table, settings.policy)))
    systems = [row.system for row in ordered if row.complete]
    persons = [
        board.person(name, systems, rule) for name in matrix.columns if known.get(name) == "person"
    ]
    return Leaderboard(
        rule=rule,
        policy=settings.policy,
        rank_convention=rank_convention,
        rank_basis="worst" if worst else "value",
        n_items=len(items),
        families=tuple(name for name, _ in board.families),
        difficulties=tuple(name for name, _ in board.difficulties),
        rows=ordered,
        persons=tuple(person for person in persons if person.n_items),
        reported=tuple(reported),
        floors=tuple(label.floor for label in board.labels),
        level=settings.level,
        method=f"{settings.interval} interval at level {settings.level:g}",
        warnings=_warnings(ordered, worst=worst),
    )


Strata = tuple[tuple[str, NDArray[np.bool_]], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Board:
    """One row an item, with the strata found once for all systems."""

    table: VerdictMatrix
    settings: Settings
    families: Strata
    difficulties: Strata
    labels: tuple[LabelFamily, ...]

    @classmethod
    def of(cls, table: VerdictMatrix, *, items: Sequence[Item], settings: Settings) -> _Board:
        """Return the board of a matrix that holds one row an item."""
        return cls(
            table=table,
            settings=settings,
            families=families(items),
            difficulties=difficulties(items),
            labels=label_families(items),
        )

    def on(self, name: str, rows: NDArray[np.bool_] | None = None) -> Estimate:
        """Return one system's estimate, over the rows of a mask or over all."""
        j = self.table.columns.index(name)
        values, status = self.table.values[:, j], self.table.status[:, j]
        if rows is None:
            return estimate(values, status, self.settings)
        return estimate(values[rows], status[rows], self.settings)

    def row(self, name: str) -> LeaderboardRow:
        """Return one system's row, not yet ranked."""
        j = self.table.columns.index(name)
        by_family = tuple((family, self.on(name, mask)) for family, mask in self.families)
        return LeaderboardRow(
            system=name,
            kind="model",
            complete=False,
            estimate=self.on(name),
            per_family=by_family,
            per_difficulty=tuple((d, self.on(name, mask)) for d, mask in self.difficulties),
            macro=macro_mean(tuple(part for _, part in by_family)),
            balanced=balanced_accuracies(self.table, j, labels=self.labels, settings=self.settings),
        )

    def person(self, name: str, systems: Sequence[str], rule: str) -> PersonRow:
        """Return one person on the items they answered, with each system on the same items."""
        answered = np.asarray(self.table.status[:, self.table.columns.index(name)] != ABSENT)
        own = self.on(name, answered)
        beside = [SubsetRow(system=s, estimate=self.on(s, answered)) for s in systems]
        parts = [(family, self.on(name, mask & answered)) for family, mask in self.families]
        mine = point(own)
        scores = {row.system: point(row.estimate) for row in beside}
        known = [score for score in scores.values() if score is not None]
        return PersonRow(
            person=name,
            rule=rule,
            n_items=int(answered.sum()),
            estimate=own,
            per_family=tuple((family, part) for family, part in parts if part.n),
            systems=tuple(sorted(beside, key=lambda row: _falling(scores[row.system]))),
            n_above=None if mine is None else sum(score > mine for score in known),
            n_equal=None if mine is None else sum(score == mine for score in known),
            n_below=None if mine is None else sum(score < mine for score in known),
        )


def _falling(score: float | None) -> tuple[bool, float]:
    """Return a key that sorts the highest score first and what has none last."""
    return (True, 0.0) if score is None else (False, -score)


def _ordered(
    rows: Sequence[LeaderboardRow], usable: frozenset[str]
) -> tuple[tuple[LeaderboardRow, ...], bool]:
    """Return ranked rows by rank then the others by name, and whether ranks are worst cases."""
    ranked = [row for row in rows if row.system in usable]
    estimates = [row.estimate for row in ranked]
    scores, worst = scores_to_rank(estimates)
    found = [
        replace(row, ranks=given, rank_range=rank_range(estimates, i))
        for i, (row, given) in enumerate(zip(ranked, all_ranks(scores), strict=True))
    ]
    order = np.argsort(-scores, kind="stable")
    rest = sorted((row for row in rows if row not in ranked), key=lambda row: row.system)
    return (*(found[i] for i in order), *rest), worst


def _warnings(rows: Sequence[LeaderboardRow], *, worst: bool) -> tuple[str, ...]:
    out = []
    partial = [row.system for row in rows if not row.complete]
    if partial:
        out.append(f"not ranked, because verdicts are missing: {', '.join(partial)}")
    void = [row.system for row in rows if row.complete and row.ranks is None]
    if void:
        out.append(f"not ranked, because none of their verdicts counts: {', '.join(void)}")
    if worst:
        out.append("ranks order the worst case, because unscored verdicts are counted both ways")
    sizes = {row.estimate.n for row in rows if row.ranks is not None}
    if len(sizes) > 1:
        out.append(
            f"ranked systems are not compared on the same items: their denominators run from "
            f"{min(sizes)} to {max(sizes)}"
        )
    failed = {row.system: row.estimate.n_failed for row in rows if row.estimate.n_failed}
    if failed:
        listed = ", ".join(f"{name} {count}" for name, count in failed.items())
        out.append(f"failed verdicts are outside every denominator: {listed}")
    return tuple(out)
