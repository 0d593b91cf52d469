"""A multiverse, analysed.  In: verdicts of every rule.  Out: one frozen result."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from finassay.analyses.multiverse.board import Board, board_of, rows_of
from finassay.analyses.multiverse.effects import decomposition
from finassay.analyses.multiverse.flips import changes_of, flips
from finassay.analyses.multiverse.floor import PeopleLabels, conclusions, kappa_floor
from finassay.analyses.multiverse.pairs import orders, pair_shares, significant
from finassay.analyses.multiverse.ranges import chance, rule_draws, system_ranges
from finassay.analyses.results_multiverse import (
    KappaFloor,
    MultiverseResult,
    RuleChoice,
    RuleDimension,
    RuleRow,
)
from finassay.analyses.units import Units, units_of
from finassay.analyses.wording import plural
from finassay.errors import UsageError
from finassay.marking.multiverse.cube import Multiverse
from finassay.marking.multiverse.dimensions import UNSCORED
from finassay.records import Item
from finassay.scorers.registry import replayable_id

METHOD = (
    "every rule marks the same replies; competition ranks; percentile intervals from shared "
    "resamples; {test} at level {alpha:g}, inclusive; shares of variance by plausibility"
)
EXACT = "McNemar's exact test"
DRAWN = "the centred bootstrap of differences over clusters"

FEWEST = 2
"""Systems that a leaderboard needs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MultiverseSettings:
    """How a multiverse is analysed.

    Attributes:
        level: confidence level of the intervals, in (0, 1).
        alpha: level of the paired tests, in (0, 1).
        plausible: share of plausibility that the last of the robust orders needs, in (0.5, 1].
        draws: resamples, at least 100.
        seed: seed of the resamples.
        cluster: item columns that make the clusters that are drawn; items without.
        floor: least kappa with people; None keeps every rule.

    Raises:
        UsageError: one of them is out of range.
    """

    level: float = 0.95
    alpha: float = 0.05
    plausible: float = 0.95
    draws: int = 1000
    seed: int = 0
    cluster: tuple[str, ...] = ()
    floor: float | None = None

    def __post_init__(self) -> None:
        for name in ("level", "alpha"):
            if not 0.0 < getattr(self, name) < 1.0:
                raise UsageError(f"`{name}` must be in (0, 1), got {getattr(self, name)!r}")
        if not 0.5 < self.plausible <= 1.0:
            raise UsageError(f"`plausible` must be in (0.5, 1], got {self.plausible!r}")
        if self.draws < 100 or self.seed < 0:
            raise UsageError(
                f"`draws` must be at least 100 and `seed` 0 or more, got {self.draws!r} and "
                f"{self.seed!r}"
            )
        if self.floor is not None and not -1.0 <= self.floor <= 1.0:
            raise UsageError(f"`floor` must be a kappa in [-1, 1], got {self.floor!r}")


def analyse_multiverse(
    multiverse: Multiverse,
    *,
    items: Sequence[Item],
    study: str = "",
    settings: MultiverseSettings | None = None,
    people: PeopleLabels | None = None,
) -> MultiverseResult:
    """Return what holds under every rule, what depends on the rule, and on which choice.

    Args:
        multiverse: verdicts of every rule.
        items: the items of the study, for clusters.
        study: name of the study.
        settings: levels, draws, clusters, floor.
        people: labels of people, where a kappa floor is asked for.

    Raises:
        UsageError: fewer than two systems can be ranked, or a floor without people's labels.
    """
    asked = settings or MultiverseSettings()
    board = _comparable(multiverse)
    floor = _floor(board, people, asked.floor)
    units = _units(board, items, asked.cluster)
    codes = units.codes if asked.cluster else None
    given = chance(
        codes, items=len(multiverse.items), draws=asked.draws, seed=asked.seed, level=asked.level
    )
    pairs = pair_shares(board, significant(board, given, alpha=asked.alpha))
    return MultiverseResult(
        study=study,
        grid=multiverse.grid.name,
        task=multiverse.grid.task,
        dimensions=_dimensions(board),
        systems=board.systems,
        left_out=board.left_out,
        n_items=len(multiverse.items),
        n_rules=len(multiverse.cells),
        n_pruned=multiverse.grid.n_combinations - len(multiverse.cells),
        n_distinct=board.multiverse.n_distinct,
        base=board.base,
        rules=_rules(board),
        accuracy=rows_of(board.accuracy),
        ranks=rows_of(board.ranks),
        ranges=system_ranges(board, rule_draws(board, given), given),
        pairs=pairs,
        orders=orders(board, pairs, plausible=asked.plausible),
        decomposition=decomposition(board),
        flips=flips(board),
        conclusions=conclusions(board),
        floor=floor,
        is_weighted=multiverse.grid.is_weighted,
        policy=_policy(multiverse),
        rank_convention="competition",
        level=asked.level,
        alpha=asked.alpha,
        draws=asked.draws,
        seed=asked.seed,
        resampled=", ".join(asked.cluster) or "items",
        method=METHOD.format(test=DRAWN if asked.cluster else EXACT, alpha=asked.alpha),
        warnings=(*multiverse.warnings, *_notes(board), *units.warnings()),
    )


def _comparable(multiverse: Multiverse) -> Board:
    """Return the board, refused where there is nothing to compare."""
    board = board_of(multiverse)
    if len(board.systems) < FEWEST:
        raise UsageError(
            f"a multiverse compares at least {FEWEST} systems that replied to every item; "
            f"{len(board.systems)} of {len(multiverse.systems)} did; import the other replies"
        )
    if np.isnan(board.accuracy).all():
        raise UsageError(
            f"no rule of the grid {multiverse.grid.name!r} gives a reply of the "
            f"{len(multiverse.items)} items a value: do the items hold references?  Import them "
            "first"
        )
    return board


def _floor(board: Board, people: PeopleLabels | None, least: float | None) -> KappaFloor | None:
    if least is None:
        return None
    if people is None:
        raise UsageError(
            "a kappa floor needs labels of people to agree with; name whose (--people person/NAME)"
        )
    return kappa_floor(board, people, least)


def _units(board: Board, items: Sequence[Item], cluster: tuple[str, ...]) -> Units:
    known = {item.item_id: item for item in items}
    drawn = [known.get(name, Item(item_id=name)) for name in board.multiverse.items]
    return units_of(drawn, cluster)


def _policy(multiverse: Multiverse) -> str:
    asks = any(one.target == UNSCORED for one in multiverse.grid.dimensions)
    return "as each rule says" if asks else multiverse.grid.unscored


def _notes(board: Board) -> tuple[str, ...]:
    found = []
    away = board.multiverse.unjudged
    if away:
        found.append(f"not ranked, because the judge read no reply of them: {', '.join(away)}")
    partial = [name for name in board.left_out if name not in away]
    if partial:
        found.append(f"not ranked, because they did not reply to every item: {', '.join(partial)}")
    empty = int((~board.is_whole).sum())
    if empty:
        found.append(
            f"{plural(empty, 'rule')} with a system that has nothing to count: no rank there"
        )
    return tuple(found)


def _dimensions(board: Board) -> tuple[RuleDimension, ...]:
    multiverse = board.multiverse
    chosen = [dict(cell.choices) for cell in multiverse.cells]
    out = []
    for one in multiverse.grid.dimensions:
        total = math.fsum(choice.weight for choice in one.choices)
        out.append(
            RuleDimension(
                name=one.name,
                title=one.title or one.name,
                choices=tuple(
                    RuleChoice(
                        name=choice.name,
                        weight=choice.weight / total,
                        n_rules=sum(c.get(one.name) == choice.name for c in chosen),
                    )
                    for choice in one.choices
                ),
                applies="; ".join(f"{name}: {', '.join(names)}" for name, names in one.applies),
                n_rules=sum(one.name in c for c in chosen),
                moves_verdicts=_moves(multiverse, one.name),
            )
        )
    return tuple(out)


def _moves(multiverse: Multiverse, name: str) -> bool:
    """Whether two rules that differ in one dimension, and what hangs on it, differ in a verdict."""
    hangs = {name}
    for one in multiverse.grid.dimensions:
        if hangs & {other for other, _ in one.applies}:
            hangs.add(one.name)
    groups: dict[tuple[tuple[str, str], ...], set[int]] = {}
    for cell, verdicts in zip(multiverse.cells, multiverse.verdicts.tolist(), strict=True):
        if name in dict(cell.choices):
            rest = tuple(pair for pair in cell.choices if pair[0] not in hangs)
            groups.setdefault(rest, set()).add(verdicts)
    return any(len(found) > 1 for found in groups.values())


def _rules(board: Board) -> tuple[RuleRow, ...]:
    multiverse = board.multiverse
    verdicts = multiverse.verdicts
    alike = np.bincount(verdicts)
    ids = {one: replayable_id(one) for one in dict.fromkeys(c.scorer for c in multiverse.cells)}
    rows = zip(
        multiverse.cells,
        board.weights.tolist(),
        verdicts.tolist(),
        changes_of(multiverse).tolist(),
        strict=True,
    )
    return tuple(
        RuleRow(
            rule_id=ids[cell.scorer],
            unscored=cell.unscored,
            choices=cell.choices,
            weight=weight,
            verdicts=number,
            n_alike=int(alike[number]),
            n_changes=changes,
        )
        for cell, weight, number, changes in rows
    )
