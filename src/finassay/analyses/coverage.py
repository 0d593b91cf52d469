"""What carries the evidence.  In: items x systems verdicts.  Out: how items separate systems."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.alignment import aligned, complete_columns, difficulties, families
from finassay.analyses.estimates import Settings, points, silent, worst_case_note
from finassay.analyses.kernels.evidence import d_of_k
from finassay.analyses.results_items import (
    CoverageBand,
    ItemCoverage,
    ItemEvidence,
    StratumCoverage,
)
from finassay.analyses.wording import plural
from finassay.marking.matrix import RIGHT, VerdictMatrix, is_right
from finassay.records import Item

MIDDLE = (0.3, 0.8)

METHOD = (
    f"k = systems right on the item (value >= {RIGHT:g}), D = k (M - k) of M (M - 1) / 2 pairs; "
    "middle band 0.3 < k/M < 0.8, after the zero-information (k = 0, M) and near-unanimous "
    "(k = 1, M - 1)"
)


def band_of(k: int, systems: int) -> str:
    """Return the band of an item that k of M systems get right."""
    if k in (0, systems):
        return "zero information"
    if k in (1, systems - 1):
        return "near unanimous"
    return "middle" if MIDDLE[0] < k / systems < MIDDLE[1] else "rest"


BANDS = ("zero information", "near unanimous", "middle", "rest")


def item_coverage(
    matrix: VerdictMatrix,
    *,
    items: Sequence[Item],
    rule: str,
    settings: Settings,
    systems: Sequence[str] | None = None,
) -> ItemCoverage:
    """Return how many pairs of systems each item separates, by band, family and difficulty.

    An item counts when every system has a usable verdict on it (under "wrong" and "bounds" an
    unanswered item is one that the system gets wrong).

    Args:
        matrix: items x systems verdicts of the rule.
        items: every item.
        rule: scorer id.
        settings: policy for the unscored.
        systems: systems to count; default those with a verdict on every item.
    """
    table = aligned(matrix, items)
    names = tuple(systems) if systems is not None else complete_columns(table)
    table = table.select(columns=names)
    values, counted = points(table, settings.policy)
    keep = np.asarray(counted.all(axis=1) & (len(names) > 0), dtype=np.bool_)
    k = np.asarray(is_right(values).sum(axis=1), dtype=np.int64)
    d = d_of_k(k, len(names))
    pairs = len(names) * (len(names) - 1) // 2
    kept = [i for i in range(len(items)) if keep[i]]
    silence = [i for i in kept if k[i] in (0, len(names))]
    n_unscored = int(silent(table.status).sum())
    sizes = _Sizes(k=k, d=d, keep=keep, systems=len(names))
    return ItemCoverage(
        rule=rule,
        systems=names,
        n_items=len(kept),
        n_excluded=len(items) - len(kept),
        n_unscored=n_unscored,
        items=tuple(_evidence(items[i], int(k[i]), int(d[i]), len(names)) for i in kept),
        bands=tuple(sizes.band(name) for name in BANDS),
        by_family=tuple(sizes.stratum(name, mask) for name, mask in families(items)),
        by_difficulty=tuple(sizes.stratum(name, mask) for name, mask in difficulties(items)),
        zero_information=tuple(items[i].item_id for i in silence),
        all_right=sum(int(k[i]) == len(names) for i in silence),
        none_right=sum(int(k[i]) == 0 for i in silence),
        mean_disagreement=float(d[keep].sum()) / (pairs * len(kept)) if pairs and kept else None,
        policy=settings.policy,
        method=METHOD,
        warnings=(
            *_warnings(len(items) - len(kept), len(names)),
            *worst_case_note(settings.policy, n_unscored),
        ),
    )


def _evidence(item: Item, k: int, d: int, n: int) -> ItemEvidence:
    return ItemEvidence(
        item_id=item.item_id, family=item.family, difficulty=item.difficulty, k=k, n=n, d=d
    )


class _Sizes:
    """Sums of D over parts of the counted items."""

    def __init__(
        self, *, k: NDArray[np.int64], d: NDArray[np.int64], keep: NDArray[np.bool_], systems: int
    ) -> None:
        self._k, self._d, self._keep, self._systems = k, d, keep, systems
        self._mass = int(d[keep].sum())
        self._items = int(keep.sum())

    def _share(self, mass: int) -> float | None:
        return mass / self._mass if self._mass else None

    def band(self, name: str) -> CoverageBand:
        """Return the items and the D mass of one band."""
        ks = [k for k in range(self._systems + 1) if band_of(k, self._systems) == name]
        inside = self._keep & np.isin(self._k, ks)
        items, mass = int(inside.sum()), int(self._d[inside].sum())
        return CoverageBand(
            name=name,
            ks=tuple(ks),
            items=items,
            share=items / self._items if self._items else None,
            d_mass=mass,
            d_share=self._share(mass),
        )

    def stratum(self, name: str, mask: NDArray[np.bool_]) -> StratumCoverage:
        """Return how the counted items of one stratum separate the systems."""
        inside = self._keep & mask
        items, mass = int(inside.sum()), int(self._d[inside].sum())
        pairs = self._systems * (self._systems - 1) // 2
        return StratumCoverage(
            stratum=name,
            items=items,
            zero_information=int((inside & (self._d == 0)).sum()),
            mean_disagreement=mass / (pairs * items) if pairs and items else None,
            d_share=self._share(mass),
        )


def _warnings(excluded: int, systems: int) -> tuple[str, ...]:
    out = []
    if excluded:
        out.append(f"{plural(excluded, 'item')} left out: a system has no usable verdict there")
    if systems < 2:
        out.append(f"{plural(systems, 'complete system')}: items can separate no pair")
    return tuple(out)
