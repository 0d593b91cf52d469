"""Pairs beside what judges and baselines say of them.  In: codes.  Out: counts by cluster."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.kernels import pairwise_tables as tables
from finassay.analyses.kernels.bootstrap import grouped_sums
from finassay.analyses.pairwise.candidate_pairs import CandidatePair
from finassay.analyses.pairwise.results_people import VoiceKind
from finassay.analyses.units import Units

Codes = NDArray[np.int64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class VoiceCodes:
    """What a judge or baseline says of P pairs.

    Attributes:
        kind: judge or baseline.
        codes: (P,) SAME, OTHER, NEITHER or MISSING.
        unread: (P,) whether NEITHER means that nothing could be read.
        n_own: pairs with an answer of its own that it was asked about.
        n_missing: pairs that it was not asked about.
    """

    kind: VoiceKind
    codes: Codes
    unread: Bools
    n_own: int
    n_missing: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairBoard:
    """Pairs with what judges and baselines say of them.

    Attributes:
        pairs: P pairs.
        truth: (I, S) what people settled.
        systems: S display names, sorted.
        units: clusters of the items.
        voices: scorer id -> its codes, own answers left out unless asked for.
    """

    pairs: tuple[CandidatePair, ...]
    truth: Codes
    systems: tuple[str, ...]
    units: Units
    voices: Mapping[str, VoiceCodes]

    @property
    def item_of(self) -> Codes:
        """(P,) index of the item of each pair."""
        return np.array([pair.item for pair in self.pairs], dtype=np.int64)

    @property
    def clusters(self) -> Codes:
        """(P,) cluster of each pair."""
        return self.units.codes[self.item_of]

    def block(self, codes: Codes, where: Bools) -> NDArray[np.float64]:
        """Return (G, 3) counts by cluster over the pairs in a (P,) mask."""
        features = tables.pair_features(np.where(where, codes, tables.MISSING))
        sums = grouped_sums(features, self.clusters)
        out = np.zeros((self.units.size, tables.CELLS))
        out[: len(sums)] = sums
        return out

    def n_clusters(self, where: Bools) -> int:
        """Return how many clusters have a pair in a (P,) mask."""
        return len(np.unique(self.clusters[where]))
