"""One threshold of a rule as it moves.  In: a matrix a threshold.  Out: scores, ranks, flips."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.alignment import aligned, rankable
from finassay.analyses.estimates import Settings, column_estimates
from finassay.analyses.ranking import all_ranks, check_convention, scores_to_rank
from finassay.analyses.regimes import correlation
from finassay.analyses.results_rules import ThresholdAblation, ThresholdCell
from finassay.analyses.results_scores import Estimate, RankConvention, Ranks
from finassay.errors import UsageError
from finassay.marking.matrix import RIGHT, VerdictMatrix
from finassay.records import Item


def threshold_ablation(
    thresholds: Mapping[float, VerdictMatrix],
    *,
    items: Sequence[Item],
    base: float,
    settings: Settings,
    rank_convention: RankConvention = "competition",
    systems: Sequence[str] | None = None,
) -> ThresholdAblation:
    """Return accuracy, rank and flipped items of every system at every threshold.

    Args:
        thresholds: threshold -> items x systems verdicts; the base among them.
        items: every item.
        base: the threshold that the others are compared with.
        settings: policy, level and interval.
        rank_convention: the convention shown first.
        systems: systems to show, in order; default the columns at the base.

    Raises:
        UsageError: the base is not among the thresholds, or the convention is unknown.
    """
    check_convention(rank_convention)
    if base not in thresholds:
        raise UsageError(f"`base` must be one of {sorted(thresholds)}, got {base!r}")
    tables = {t: aligned(thresholds[t], items) for t in sorted(thresholds)}
    names = tuple(systems) if systems is not None else tables[base].columns
    shown = {t: table.select(columns=names) for t, table in tables.items()}
    found = {t: column_estimates(table, settings) for t, table in shown.items()}
    cells = tuple(
        cell for t in shown for cell in _cells(t, shown[t], found[t], base_table=shown[base])
    )
    return ThresholdAblation(
        base=base,
        thresholds=tuple(shown),
        systems=names,
        cells=cells,
        correlations=tuple(
            correlation(f"{base:g}", f"{t:g}", *_paired(cells, base, t)) for t in shown if t != base
        ),
        policy=settings.policy,
        rank_convention=rank_convention,
        method=(
            f"{settings.interval} interval at level {settings.level:g}; right is value >= {RIGHT:g}"
        ),
        warnings=_warnings(cells, names),
    )


def _cells(
    threshold: float,
    table: VerdictMatrix,
    estimates: Sequence[Estimate],
    *,
    base_table: VerdictMatrix,
) -> Iterator[ThresholdCell]:
    given = _ranks(table, estimates)
    right, before = table.right, base_table.right
    item_ids = table.labels("item_id")
    for j, name in enumerate(table.columns):
        gained, lost = right[:, j] & ~before[:, j], before[:, j] & ~right[:, j]
        yield ThresholdCell(
            system=name,
            threshold=threshold,
            estimate=estimates[j],
            ranks=given.get(name),
            newly_accepted=tuple(item_ids[i] for i in np.flatnonzero(gained)),
            newly_rejected=tuple(item_ids[i] for i in np.flatnonzero(lost)),
        )


def _ranks(table: VerdictMatrix, estimates: Sequence[Estimate]) -> dict[str, Ranks]:
    by_name = dict(zip(table.columns, estimates, strict=True))
    ranked = rankable(table, estimates[0].policy) if estimates else ()
    scores, _ = scores_to_rank([by_name[name] for name in ranked])
    return dict(zip(ranked, all_ranks(scores), strict=True))


def _warnings(cells: Sequence[ThresholdCell], systems: Sequence[str]) -> tuple[str, ...]:
    open_cells = [cell for cell in cells if cell.ranks is None]
    unranked = [name for name in systems if any(cell.system == name for cell in open_cells)]
    out = []
    if unranked:
        out.append(
            f"not ranked at a threshold where verdicts are missing or none counts: "
            f"{', '.join(unranked)}"
        )
    if any(cell.ranks is not None and cell.estimate.value is None for cell in cells):
        out.append("ranks order the worst case, because unscored verdicts are counted both ways")
    return tuple(out)


def _paired(
    cells: Sequence[ThresholdCell], base: float, other: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the scores of the systems ranked at both thresholds."""
    ranked = {(c.threshold, c.system): c.estimate for c in cells if c.ranks is not None}
    names = [s for t, s in ranked if t == base and (other, s) in ranked]
    left, _ = scores_to_rank([ranked[base, name] for name in names])
    right, _ = scores_to_rank([ranked[other, name] for name in names])
    return left, right
