"""The rules of a grid as rules for claims.  In: a multiverse.  Out: named rules, base first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from finassay.analyses.alignment import aligned
from finassay.analyses.claims.rules import Rule
from finassay.marking.matrix import VerdictMatrix
from finassay.marking.multiverse.cube import Multiverse
from finassay.records import Item
from finassay.scorers.registry import replayable_id


def grid_rules(multiverse: Multiverse, items: Sequence[Item]) -> tuple[Rule, ...]:
    """Return every rule of a multiverse, the base rule first.

    Args:
        multiverse: verdicts of every rule.
        items: the items of the study; those that the grid does not mark hold no verdict.
    """

    @cache
    def laid(sheet: int) -> VerdictMatrix:
        first = multiverse.sheet.tolist().index(sheet)
        return aligned(multiverse.matrix(first), items)

    def verdicts(rule: int) -> Callable[[], VerdictMatrix]:
        return lambda: laid(int(multiverse.sheet[rule]))

    names = {one: replayable_id(one) for one in {cell.scorer for cell in multiverse.cells}}
    weights, vectors = multiverse.weights.tolist(), multiverse.verdicts.tolist()
    order = sorted(range(len(multiverse.cells)), key=lambda at: at != multiverse.base)
    return tuple(
        Rule(
            name=names[multiverse.cells[at].scorer],
            group="grid",
            unscored=multiverse.cells[at].unscored,
            verdicts=verdicts(at),
            choices=multiverse.cells[at].choices,
            weight=weights[at] if multiverse.grid.is_weighted else None,
            vector=vectors[at],
        )
        for at in order
    )
