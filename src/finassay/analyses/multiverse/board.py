"""A leaderboard for each rule.  In: a multiverse.  Out: accuracies and ranks, rules x systems."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.results_multiverse import Ends, Number
from finassay.marking.multiverse.cube import Multiverse

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

NO_ENDS = Ends(low=None, high=None)


@dataclass(frozen=True, kw_only=True, eq=False)
class Board:
    """The systems of a multiverse that can be ranked, under each of its rules.

    Attributes:
        multiverse: R rules, C systems by accuracy under the base rule, best first.
        left_out: systems that are not ranked.
    """

    multiverse: Multiverse
    left_out: tuple[str, ...]

    @property
    def systems(self) -> tuple[str, ...]:
        """C display names."""
        return self.multiverse.systems

    @property
    def base(self) -> int:
        """Place of the base rule."""
        return self.multiverse.base

    @cached_property
    def weights(self) -> Floats:
        """(R,) plausibility of each rule."""
        return self.multiverse.weights

    @cached_property
    def accuracy(self) -> Floats:
        """(R, C) share right; NaN where a rule leaves nothing to count."""
        return self.multiverse.accuracy

    @cached_property
    def ranks(self) -> Floats:
        """(R, C) competition ranks; NaN where there is no accuracy."""
        scores = self.accuracy
        better = np.stack([(scores > scores[:, [j]]).sum(axis=1) for j in range(scores.shape[1])])
        return np.where(np.isnan(scores), np.nan, better.T + 1.0)

    @cached_property
    def is_whole(self) -> Bools:
        """(R,) whether every system has an accuracy under the rule."""
        return np.asarray(~np.isnan(self.accuracy).any(axis=1))

    def kept(self, mask: Bools) -> Board:
        """Return the board of the rules that are kept."""
        return Board(multiverse=self.multiverse.select(mask), left_out=self.left_out)


def board_of(multiverse: Multiverse) -> Board:
    """Return the board of the systems that replied to every item.

    Systems that the judge never read are not ranked where the grid asks whether the judge has a
    say, for it would have it about the others alone.
    """
    away = set(multiverse.unjudged)
    names = [
        name
        for at, name in enumerate(multiverse.systems)
        if name not in away and multiverse.present[:, at].all()
    ]
    accuracy = multiverse.accuracy[multiverse.base]
    scores = {name: accuracy[at] for at, name in enumerate(multiverse.systems)}
    known = {name: -1.0 if np.isnan(scores[name]) else scores[name] for name in names}
    ordered = sorted(names, key=lambda name: (-known[name], name))
    return Board(
        multiverse=multiverse.only_systems(ordered),
        left_out=tuple(name for name in multiverse.systems if name not in names),
    )


def number(value: float) -> Number:
    """Return a number as results hold it: None for NaN."""
    return None if np.isnan(value) else float(value)


def ends_of(values: Floats) -> Ends:
    """Return the smallest and largest of (R,) values, NaN left out."""
    known = values[~np.isnan(values)]
    if not len(known):
        return NO_ENDS
    return Ends(low=float(known.min()), high=float(known.max()))


def rows_of(values: Floats) -> tuple[tuple[Number, ...], ...]:
    """Return a table of numbers as results hold it."""
    return tuple(
        tuple(None if value != value else value for value in row)  # noqa: PLR0124 - only NaN differs from itself
        for row in values.tolist()
    )
