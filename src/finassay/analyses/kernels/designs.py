"""Samples with known inclusion probabilities.  In: units and strata.  Out: who is drawn, and how.

A unit is whatever a person labels: one prediction, or one item with the answers of all systems.
Every stratum is a simple random sample without replacement, so each of its units has the same
chance, take / size, and every pair the same joint chance.
"""

from __future__ import annotations

import heapq
import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from finassay.errors import UsageError
from finassay.records import content_digest

Allocation = Literal["equal", "proportional", "neyman"]
"""How labels are shared among strata: the same number each, by size, or by size times spread."""

ALLOCATIONS: tuple[Allocation, ...] = get_args(Allocation)

LEAST = 2
"""Fewest labels a stratum: with one label nothing is known of its spread."""

WHOLE = "all"
"""Name of the only stratum of a simple random sample."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stratum:
    """A stratum and how many of its units are drawn.

    Attributes:
        name: what its units have in common.
        size: units in it, at least 1.
        take: units drawn, 1 to `size`.

    Raises:
        UsageError: `take` is not between 1 and `size`: a stratum of which nothing is drawn has no
            estimate.
    """

    name: str
    size: int
    take: int

    def __post_init__(self) -> None:
        if not 1 <= self.take <= self.size:
            raise UsageError(
                f"stratum {self.name!r} holds {self.size} units, of which 1 to {self.size} can be "
                f"drawn, got {self.take!r}; merge small strata or draw more"
            )

    @property
    def probability(self) -> float:
        """Chance of each of its units to be drawn, in (0, 1]."""
        return self.take / self.size

    @property
    def is_certain(self) -> bool:
        """Whether every unit is drawn."""
        return self.take == self.size


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """A sample.

    Attributes:
        places: (n,) positions of the drawn units in the list they were drawn from, rising.
        strata: (n,) stratum of each.
        probabilities: (n,) inclusion probability of each.
    """

    places: tuple[int, ...]
    strata: tuple[str, ...]
    probabilities: tuple[float, ...]


def allocate(
    sizes: Mapping[str, int],
    *,
    total: int,
    rule: Allocation = "proportional",
    spreads: Mapping[str, float] | None = None,
    least: int = LEAST,
    certain: Collection[str] = (),
) -> tuple[Stratum, ...]:
    """Return the strata with the labels that each gets, in the order of `sizes`; sum is `total`.

    Strata named in `certain` are drawn whole; the others get `least` labels (or all their units,
    where there are fewer), and the rest goes one by one to the stratum with the largest
    w / sqrt(k (k + 1)), k being what it has: w = 1 (equal), its size (proportional) or its size
    times its spread (neyman).  For neyman this is the whole-number allocation with the smallest
    variance of the stratified mean.  Neyman (1934), JRSS 97, 558-625; Wright (2017), Statistics
    and Probability Letters 129, 50-57.

    Args:
        sizes: stratum -> units in it, at least 1 each.
        total: labels that can be spent.
        rule: how they are shared.
        spreads: stratum -> standard deviation of what is estimated, guessed or from a pilot;
            needed for neyman (see `spread_of_share`).
        least: labels that every stratum gets.
        certain: strata that are drawn whole.

    Raises:
        UsageError: `total` is less than the certain strata and `least` need, or more than there
            are units; a stratum is unknown or empty; a spread is missing or negative.
    """
    weights = _weights(sizes, rule, spreads)
    _require_known(certain, sizes)
    if least < 1:
        raise UsageError(f"`least` must be 1 or more, got {least!r}")
    take = {name: n if name in certain else min(least, n) for name, n in sizes.items()}
    spare = total - sum(take.values())
    if spare < 0:
        whole = sum(n for name, n in sizes.items() if name in certain)
        raise UsageError(
            f"{total!r} labels are too few: {whole} units are in strata that are drawn whole, and "
            f"{least} from each of the others make {sum(take.values())}; spend that many, draw "
            f"fewer strata whole, or merge strata"
        )
    if total > sum(sizes.values()):
        raise UsageError(
            f"there are {sum(sizes.values())} units, got `total` {total!r} labels; ask for fewer"
        )
    for name in _one_by_one(sizes, take, weights, spare):
        take[name] += 1
    return tuple(Stratum(name=name, size=sizes[name], take=take[name]) for name in sizes)


def _one_by_one(
    sizes: Mapping[str, int], take: Mapping[str, int], weights: Mapping[str, float], spare: int
) -> Iterable[str]:
    """Yield the stratum that each of the spare labels goes to."""
    order = {name: at for at, name in enumerate(sizes)}
    heap = [_turn(name, take[name], weights, sizes, order) for name in sizes]
    heap = [turn for turn in heap if turn[-2] < sizes[turn[-1]]]
    heapq.heapify(heap)
    for _ in range(spare):
        *_, has, name = heapq.heappop(heap)
        yield name
        if has + 1 < sizes[name]:
            heapq.heappush(heap, _turn(name, has + 1, weights, sizes, order))


def _turn(
    name: str,
    has: int,
    weights: Mapping[str, float],
    sizes: Mapping[str, int],
    order: Mapping[str, int],
) -> tuple[float, float, int, int, str]:
    # Strata without spread come last, by size, so that spare labels still have a home.
    scale = math.sqrt(has * (has + 1.0))
    return -weights[name] / scale, -sizes[name] / scale, order[name], has, name


def _weights(
    sizes: Mapping[str, int], rule: Allocation, spreads: Mapping[str, float] | None
) -> dict[str, float]:
    for name, size in sizes.items():
        if size < 1:
            raise UsageError(f"stratum {name!r} must hold at least one unit, got {size!r}")
    if rule == "equal":
        return dict.fromkeys(sizes, 1.0)
    if rule == "proportional":
        return {name: float(size) for name, size in sizes.items()}
    if rule != "neyman":
        raise UsageError(f"`rule` must be one of {', '.join(ALLOCATIONS)}, got {rule!r}")
    known = spreads or {}
    missing = [name for name in sizes if name not in known]
    if missing:
        raise UsageError(
            f"optimal allocation needs the spread of every stratum, guessed or from a pilot; "
            f"there is none for {missing[0]!r}"
        )
    wrong = [name for name in sizes if not 0.0 <= known[name] < math.inf]
    if wrong:
        raise UsageError(f"a spread must be 0 or more, got {known[wrong[0]]!r} for {wrong[0]!r}")
    return {name: size * known[name] for name, size in sizes.items()}


def _require_known(certain: Collection[str], sizes: Mapping[str, int]) -> None:
    unknown = [name for name in certain if name not in sizes]
    if unknown:
        raise UsageError(
            f"no stratum is called {unknown[0]!r}; there are: {', '.join(sizes) or 'none'}"
        )


def spread_of_share(right: float = 0.0, n: int = 0) -> float:
    """Return a cautious standard deviation of 0/1 values, `right` of n of them 1: never 0.

    sqrt(p (1 - p)) with p = (right + 1) / (n + 2), so that a pilot without an error does not send
    all labels elsewhere; with no pilot it is 1/2, the largest there is.

    Raises:
        ValueError: `right` is outside [0, n].
    """
    if not 0 <= right <= n:
        raise ValueError(f"`right` must be in [0, n], got {right!r} of {n!r}")
    share = (right + 1.0) / (n + 2.0)
    return math.sqrt(share * (1.0 - share))


def stratum_sizes(labels: Iterable[str]) -> dict[str, int]:
    """Return the size of each stratum, sorted by name, from the stratum of every unit."""
    return dict(sorted(Counter(labels).items()))


def simple(ids: Sequence[str], *, total: int, seed: int) -> Drawn:
    """Return a simple random sample of `total` units; see `draw`.

    Raises:
        UsageError: `total` is not between 1 and the number of units, or an id comes twice.
    """
    strata = (Stratum(name=WHOLE, size=max(1, len(ids)), take=total),)
    return draw(ids, [WHOLE] * len(ids), strata, seed=seed)


def draw(
    ids: Sequence[str], labels: Sequence[str], strata: Sequence[Stratum], *, seed: int
) -> Drawn:
    """Return the sample: in each stratum the units whose hashes with the seed are smallest.

    It depends on the seed, the ids and the strata alone, neither on the order of the units nor on
    the machine, and drawing more with the same seed keeps what was drawn before.

    Args:
        ids: id of each unit, all different.
        labels: stratum of each unit.
        strata: how many are drawn from each.
        seed: another seed is another sample.

    Raises:
        UsageError: ids that are not unique, or strata that do not fit the units.
    """
    if len(ids) != len(labels) or len(set(ids)) != len(ids):
        raise UsageError(
            f"a sample needs units with ids of their own and a stratum each, got {len(ids)} ids "
            f"({len(set(ids))} different) and {len(labels)} strata"
        )
    found, planned = stratum_sizes(labels), {stratum.name: stratum for stratum in strata}
    if found != {name: planned[name].size for name in sorted(planned)}:
        raise UsageError(
            f"the strata of the plan and of the units differ: planned "
            f"{ {s.name: s.size for s in strata} }, found {found}; plan anew"
        )
    members: dict[str, list[tuple[str, int]]] = {name: [] for name in planned}
    for place, (unit, label) in enumerate(zip(ids, labels, strict=True)):
        members[label].append((content_digest(str(seed), unit), place))
    chosen = sorted(
        (place, name)
        for name, stratum in planned.items()
        for _, place in sorted(members[name])[: stratum.take]
    )
    return Drawn(
        places=tuple(place for place, _ in chosen),
        strata=tuple(name for _, name in chosen),
        probabilities=tuple(planned[name].probability for _, name in chosen),
    )


def planned_variance(strata: Sequence[Stratum], spreads: Mapping[str, float]) -> float:
    """Return the variance of the stratified mean that a plan will have, given the spreads.

    sum_h W_h^2 (1 - n_h / N_h) S_h^2 / n_h with W_h = N_h / N.  Cochran (1977), Sampling
    Techniques, equation 5.6.
    """
    total = sum(stratum.size for stratum in strata)
    return math.fsum(
        (s.size / total * spreads[s.name]) ** 2 * (1.0 - s.probability) / s.take for s in strata
    )


def joint_probabilities(drawn: Drawn, strata: Sequence[Stratum]) -> NDArray[np.float64]:
    """Return (n, n) chances of each pair of drawn units to be drawn together.

    n_h (n_h - 1) / (N_h (N_h - 1)) inside a stratum, the product across strata, and the
    inclusion probabilities themselves on the diagonal.
    """
    known = {stratum.name: stratum for stratum in strata}
    single = np.asarray(drawn.probabilities)
    out = np.outer(single, single)
    names = np.asarray(drawn.strata, dtype=object)
    for name, stratum in known.items():
        inside = np.flatnonzero(names == name)
        both = stratum.take * (stratum.take - 1) / max(1, stratum.size * (stratum.size - 1))
        out[np.ix_(inside, inside)] = both
    np.fill_diagonal(out, single)
    return out
