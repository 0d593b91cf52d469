"""Choosing a scorer by agreement with people.  In: marks and labels.  Out: marks held out.

Choices and estimates never see the same rows: each row is marked by the variant that the other
folds chose, and rows of one group stand in one fold.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.kernels.calibration import (
    best_of,
    cell_counts,
    group_folds,
    nested_choice,
)
from finassay.analyses.results_calibration import Role
from finassay.errors import UsageError

Bools = NDArray[np.bool_]
Codes = NDArray[np.int64]

ALL = "all"
"""Name of the stratum of all rows."""


MOST_RESAMPLES = 1_000_000
"""Resamples beyond which their table outgrows memory and the ends no longer move."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationSettings:
    """How a calibration is made.

    Attributes:
        folds: outer folds, and inner ones where a family is chosen too.
        seed: seed of folds and resamples.
        resamples: resamples of the groups, 100 to `MOST_RESAMPLES`.
        level: confidence level in (0, 1).

    Raises:
        UsageError: a setting is out of range.
    """

    folds: int = 5
    seed: int = 0
    resamples: int = 10_000
    level: float = 0.95

    def __post_init__(self) -> None:
        if self.folds < 2:
            raise UsageError(f"`folds` must be at least 2, got {self.folds!r}")
        if not 100 <= self.resamples <= MOST_RESAMPLES:
            raise UsageError(
                f"`resamples` must be at least 100 and at most {MOST_RESAMPLES}, got "
                f"{self.resamples!r}"
            )
        if self.seed < 0:
            raise UsageError(f"`seed` must not be negative, got {self.seed!r}")
        if not 0.0 < self.level < 1.0:
            raise UsageError(f"`level` must be in (0, 1), got {self.level!r}; for 95% pass 0.95")


@dataclass(frozen=True, slots=True, kw_only=True)
class FamilyMarks:
    """The marks of one scorer and its variants.

    Attributes:
        name: the scorer as it was asked for.
        ids: C ids of the variants, the scorer itself first.
        is_right: (N, C) whether each variant marks each reply right.
        is_scored: (N, C) whether it has a value.
        is_peer: whether it only stands beside the candidates.
    """

    name: str
    ids: tuple[str, ...]
    is_right: Bools
    is_scored: Bools
    is_peer: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledRows:
    """What people said of N replies, and which of them hang together.

    Attributes:
        is_yes: (N,) whether people call the reply right.
        groups: (N,) group of each row, 0..G-1, none of them empty.
        strata: (name, (N,) whether a row is in it).
    """

    is_yes: Bools
    groups: Codes
    strata: tuple[tuple[str, Bools], ...] = ()

    @property
    def n_groups(self) -> int:
        """Return the number of groups."""
        return int(self.groups.max()) + 1

    @property
    def all_strata(self) -> tuple[tuple[str, Bools], ...]:
        """Return the strata after the one of all rows."""
        return (ALL, np.ones(len(self.is_yes), dtype=np.bool_)), *self.strata


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldOut:
    """The marks of every family on rows that chose nothing.

    Attributes:
        names: M names; after the candidate families, where there are several, comes their choice.
        roles: M roles.
        is_right: (N, M) marks.
        is_scored: (N, M) whether there is a value.
        variants: (F, K) variant of each family that was chosen without fold k.
        families: (K,) candidate family that was chosen without fold k.
        folds: (N,) outer fold of each row.
    """

    names: tuple[str, ...]
    roles: tuple[Role, ...]
    is_right: Bools
    is_scored: Bools
    variants: Codes
    families: Codes
    folds: Codes

    @property
    def chosen(self) -> int:
        """Return which of the M is the choice."""
        return self.roles.index("chosen")


def require_labels(rows: LabelledRows, settings: CalibrationSettings) -> None:
    """Check that there is something to agree on.

    Raises:
        UsageError: people say one and the same of all rows, or there are too few groups.
    """
    n, yes = len(rows.is_yes), int(rows.is_yes.sum())
    if yes in (0, n):
        raise UsageError(
            f"people call {yes} of {n} replies right, so no rule can agree more than by chance; "
            f"expected both kinds (check --positive and --label)"
        )
    if rows.n_groups < 2 * settings.folds:
        raise UsageError(
            f"{settings.folds} folds need at least {2 * settings.folds} groups, two in each, got "
            f"{rows.n_groups}; ask for fewer folds with --folds, or name a finer --group"
        )


def held_out_marks(
    families: Sequence[FamilyMarks], rows: LabelledRows, settings: CalibrationSettings
) -> HeldOut:
    """Return the marks on rows that chose nothing, by cross-validation over groups.

    Raises:
        UsageError: no candidate, labels of one kind only, or too few groups.
    """
    own = [family for family in families if not family.is_peer]
    if not own:
        raise UsageError("expected at least one scorer to calibrate, got none")
    require_labels(rows, settings)
    outer, inner = folds_of(rows, settings, choosing=len(own) > 1)
    ordered = [*own, *(family for family in families if family.is_peer)]
    cells = [cell_counts(f.is_right, rows.is_yes, rows.groups, rows.n_groups) for f in ordered]
    nested = nested_choice(cells[: len(own)], outer, inner)
    alone = [nested_choice([one], outer, inner).variants for one in cells[len(own) :]]
    variants = np.concatenate([nested.variants, *alone])
    return _assembled(ordered, variants, nested.families, outer[rows.groups])


def folds_of(
    rows: LabelledRows, settings: CalibrationSettings, *, choosing: bool
) -> tuple[Codes, list[Codes]]:
    """Return (G,) the outer folds, and for each of them the inner folds of all other groups.

    There are as many inner folds as outer ones, or fewer where that would leave fewer than two
    groups in one; they are empty unless there are families to be chosen from.

    Raises:
        UsageError: there are, and fewer than four groups lie outside an outer fold.
    """
    rng = np.random.default_rng([settings.seed, 0])
    sizes = np.bincount(rows.groups)
    outer = group_folds(sizes, settings.folds, rng)
    outside = [sizes[outer != fold] for fold in range(settings.folds)]
    if not choosing:
        return outer, [np.zeros(0, dtype=np.int64) for _ in outside]
    fewest = min(map(len, outside))
    if fewest < 4:
        raise UsageError(
            f"to choose among several scorers, inner folds need at least 4 groups outside each "
            f"of the {settings.folds} folds, got {fewest}; calibrate one scorer, or name a finer "
            f"--group"
        )
    return outer, [group_folds(rest, min(settings.folds, len(rest) // 2), rng) for rest in outside]


def _assembled(
    families: Sequence[FamilyMarks], variants: Codes, chosen: Codes, folds: Codes
) -> HeldOut:
    at = np.arange(len(folds))
    right = [f.is_right[at, variants[i, folds]] for i, f in enumerate(families)]
    scored = [f.is_scored[at, variants[i, folds]] for i, f in enumerate(families)]
    names = [family.name for family in families]
    candidates = sum(not family.is_peer for family in families)
    roles: list[Role] = ["peer" if family.is_peer else "candidate" for family in families]
    if candidates == 1:
        roles[0] = "chosen"
    else:
        pick = chosen[folds]
        right.insert(candidates, np.stack(right)[pick, at])
        scored.insert(candidates, np.stack(scored)[pick, at])
        names.insert(candidates, f"best of {candidates}, by inner folds")
        roles.insert(candidates, "chosen")
    return HeldOut(
        names=tuple(names),
        roles=tuple(roles),
        is_right=np.stack(right, axis=1),
        is_scored=np.stack(scored, axis=1),
        variants=variants,
        families=chosen,
        folds=folds,
    )


def final_choice(families: Sequence[FamilyMarks], rows: LabelledRows, held: HeldOut) -> int:
    """Return which candidate family has the highest kappa on rows that chose nothing."""
    places = [i for i, role in enumerate(held.roles) if role != "peer"]
    cells = cell_counts(held.is_right[:, places], rows.is_yes, np.zeros_like(rows.groups), 1)[0]
    candidates = sum(not family.is_peer for family in families)
    return best_of(cells[:candidates])
