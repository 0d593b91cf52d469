"""Choosing a rule by agreement, cross-validated.  In: arrays of marks.  Out: choices and kappa.

Everything rests on the four cells of people against a rule, summed over groups of rows: a training
set is a sum of groups, so a choice costs no second look at the rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.kernels.bootstrap import bca_ends
from finassay.analyses.kernels.resampling import chunk_sizes, draw_counts

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Codes = NDArray[np.int64]

TIED = 1e-12
"""Distance within which two kappas are the same number."""


def cell_counts(is_right: Bools, is_yes: Bools, groups: Codes, count: int) -> Floats:
    """Return (count, ..., 4) cells of each group: both yes, rule only, people only, both no.

    Args:
        is_right: (N, ...) whether each rule marks each reply right.
        is_yes: (N,) whether people call it right.
        groups: (N,) group of each row, 0..count-1.
        count: number of groups.
    """
    people = is_yes.reshape(-1, *(1,) * (is_right.ndim - 1))
    sides = (is_right & people, is_right & ~people, ~is_right & people, ~is_right & ~people)
    cells = np.zeros((count, *is_right.shape[1:], 4))
    for at, side in enumerate(sides):
        np.add.at(cells[..., at], groups, side.astype(np.float64))
    return cells


def kappa_of(cells: Floats) -> tuple[Floats, Bools]:
    """Return (...,) Cohen's kappa of (..., 4) cells, and whether it is defined.

    With n rows, (n * agreed - chance) / (n * n - chance), where chance is the sum of the products
    of the margins: undefined without rows, or where both sides say one and the same of all.
    Cohen (1960), Educational and Psychological Measurement 20, 37-46.
    """
    a, b, c, d = (cells[..., at] for at in range(4))
    n = a + b + c + d
    chance = (a + b) * (a + c) + (c + d) * (b + d)
    bottom = n * n - chance
    # Counts are whole, so the smallest bottom that is not zero is far from rounding.
    is_defined = bottom > 0.5
    top = n * (a + d) - chance
    return np.divide(top, bottom, out=np.zeros(n.shape), where=is_defined), is_defined


def f1_of(cells: Floats) -> tuple[Floats, Bools]:
    """Return (...,) F1 of "right" against people, and whether it is defined.

    2 a / (2 a + b + c); undefined where neither side calls anything right.
    """
    a, b, c = (cells[..., at] for at in range(3))
    bottom = 2.0 * a + b + c
    is_defined = bottom > 0.5
    return np.divide(2.0 * a, bottom, out=np.zeros(bottom.shape), where=is_defined), is_defined


def best_of(cells: Floats) -> int:
    """Return the first of C rules with the highest kappa over (C, 4) cells.

    Rules whose kappa is undefined come last, so that the first rule is the choice where nothing
    can be said.
    """
    kappa, is_defined = kappa_of(cells)
    ranked = np.where(is_defined, kappa, -np.inf)
    highest = ranked.max()
    return int(np.argmax(ranked >= highest - TIED)) if np.isfinite(highest) else 0


def group_folds(sizes: Codes, folds: int, rng: np.random.Generator) -> Codes:
    """Return (G,) the fold of each group, so that folds hold about as many rows.

    Groups are shuffled, then the largest first go to the fold with the fewest rows (of these, to
    the one with the fewest groups, then the first).

    Raises:
        ValueError: fewer than two folds, or fewer than two groups a fold.
    """
    if folds < 2 or len(sizes) < 2 * folds:
        raise ValueError(
            f"`folds` must be at least 2 and leave two groups in each, got {folds} folds of "
            f"{len(sizes)} groups"
        )
    shuffled = rng.permutation(len(sizes))
    order = shuffled[np.argsort(-sizes[shuffled], kind="stable")]
    rows, members = np.zeros(folds), np.zeros(folds)
    found = np.empty(len(sizes), dtype=np.int64)
    for group in order.tolist():
        fold = int(np.lexsort((np.arange(folds), members, rows))[0])
        found[group] = fold
        rows[fold] += sizes[group]
        members[fold] += 1
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Nested:
    """What was chosen in every outer fold.

    Attributes:
        variants: (F, K) variant of each family that was chosen without fold k.
        families: (K,) family that was chosen without fold k, by the inner folds.
    """

    variants: Codes
    families: Codes


def nested_choice(families: Sequence[Floats], outer: Codes, inner: Sequence[Codes]) -> Nested:
    """Return the choices of nested cross-validation over groups.

    Without each outer fold, the variant of a family is the one with the highest kappa on all other
    rows.  (A variant has nothing to fit, so its kappa over held-out inner folds, pooled, is its
    kappa on those rows.)  The family is the one whose choices, made again without each of the
    inner folds and applied to that fold, have the highest pooled kappa.  Varma and Simon (2006),
    BMC Bioinformatics 7, 91.

    Args:
        families: for each family (G, C, 4) cells of its C variants in each group.
        outer: (G,) outer fold of each group.
        inner: for each of the K outer folds, the inner folds of the groups outside it, in order.
    """
    variants = np.zeros((len(families), len(inner)), dtype=np.int64)
    chosen = np.zeros(len(inner), dtype=np.int64)
    for fold, inside in enumerate(inner):
        train = outer != fold
        for f, cells in enumerate(families):
            variants[f, fold] = best_of(cells[train].sum(axis=0))
        if len(families) > 1:
            chosen[fold] = best_of(np.stack([held_out_cells(c[train], inside) for c in families]))
    return Nested(variants=variants, families=chosen)


def held_out_cells(cells: Floats, folds: Codes) -> Floats:
    """Return (4,) cells of a family whose variant is chosen without each fold, then applied to it.

    Args:
        cells: (G, C, 4) cells of the variants in each group.
        folds: (G,) fold of each group.
    """
    whole = cells.sum(axis=0)
    pooled = np.zeros(4)
    for fold in np.unique(folds).tolist():
        held_out = cells[folds == fold].sum(axis=0)
        pooled += held_out[best_of(whole - held_out)]
    return pooled


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """Statistics in every resample of the groups.

    Attributes:
        kappa: (B, M) kappa.
        kappa_defined: (B, M) whether it is defined.
        f1: (B, M) F1.
        f1_defined: (B, M) whether it is defined.
    """

    kappa: Floats
    kappa_defined: Bools
    f1: Floats
    f1_defined: Bools


def resampled_agreement(cells: Floats, *, draws: int, rng: np.random.Generator) -> Drawn:
    """Return kappa and F1 of M rules when the G groups are drawn with replacement, as wholes.

    All rules see the same resamples, so their differences are paired.  Field and Welsh (2007),
    JRSS B 69, 369-390, the randomised cluster bootstrap.

    Args:
        cells: (G, M, 4) cells of each rule in each group.
        draws: resamples.
        rng: where randomness comes from.
    """
    groups, rules, _ = cells.shape
    flat = cells.reshape(groups, -1)
    parts = []
    for rows in chunk_sizes(draws, max(groups, 4 * rules)):
        drawn = (draw_counts(groups, rows, rng) @ flat).reshape(rows, rules, 4)
        parts.append((*kappa_of(drawn), *f1_of(drawn)))
    kappa, known, f1, f1_known = (np.concatenate(part) for part in zip(*parts, strict=True))
    return Drawn(kappa=kappa, kappa_defined=known, f1=f1, f1_defined=f1_known)


def interval(
    point: float, drawn: Floats, left_out: Floats, level: float
) -> tuple[float, float] | None:
    """Return the ends of the BCa interval of a statistic; None from fewer than two resamples."""
    if len(drawn) < 2 or not len(left_out):
        return None
    return bca_ends(np.sort(drawn), point, left_out, level)


def centred_p(point: float, drawn: Floats) -> float | None:
    """Return the two-sided p that a difference is zero; None without resamples.

    The share of resamples that lie at least as far from the observed difference as that lies from
    zero, (1 + k) / (1 + B), so that it is never zero.  Davison and Hinkley (1997), Bootstrap
    Methods and their Application, sections 4.2.5 and 4.4.
    """
    if not len(drawn):
        return None
    reached = np.abs(drawn - point) >= abs(point) - TIED
    return float((1 + int(reached.sum())) / (1 + len(drawn)))
