"""Configurations against each other.  In: measures by question.  Out: intervals and tests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.kernels.families import adjusted
from finassay.analyses.kernels.lattice import EXACT_WORK
from finassay.analyses.kernels.mean_intervals import cluster_bootstrap
from finassay.analyses.pair_tests import (
    Pair,
    Sheet,
    bootstrap_p,
    difference_intervals,
    lattice_of,
)
from finassay.analyses.results_compare import PValue
from finassay.analyses.retrieval.results import (
    MEASURES,
    TESTED,
    MeasureName,
    RetrievalDifference,
    RetrievalMeasure,
)

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """What one configuration did with every question.

    Attributes:
        name: name of the configuration.
        values: (Q, M) measures, in order of `MEASURES`.
        search_s: (Q,) seconds of each search.
        whole_s: (Q,) the same with the embedding of the question.
    """

    name: str
    values: Floats
    search_s: Floats
    whole_s: Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class Questions:
    """How questions hang together, and how they are drawn.

    Attributes:
        labels: (Q,) cluster of each question.
        draws: resamples where a distribution is by Monte Carlo.
        seed: seed of what is drawn.
    """

    labels: NDArray[np.int64]
    draws: int
    seed: int

    @property
    def can_be_drawn(self) -> bool:
        """Whether there are clusters to draw; with one every resample is the sample."""
        return len(np.unique(self.labels)) > 1


def measures(run: Run, questions: Questions, *, level: float) -> tuple[RetrievalMeasure, ...]:
    """Return the means of a configuration, with intervals over resampled clusters."""
    ends: tuple[Floats, Floats] | None = None
    if questions.can_be_drawn:
        ends = cluster_bootstrap(
            *_sums(run.values, questions.labels),
            level=level,
            rng=np.random.default_rng(questions.seed),
        )
    return tuple(
        RetrievalMeasure(
            name=name,
            value=float(run.values[:, at].mean()),
            low=None if ends is None else float(ends[0][at]),
            high=None if ends is None else float(ends[1][at]),
        )
        for at, name in enumerate(MEASURES)
    )


def differences(
    runs: Sequence[Run],
    pairs: Sequence[tuple[str, str]],
    questions: Questions,
    *,
    level: float,
) -> tuple[RetrievalDifference, ...]:
    """Return the tests of pairs on every measure of `TESTED`, adjusted as one family by Holm."""
    at = {run.name: number for number, run in enumerate(runs)}
    places = [(at[left], at[right]) for left, right in pairs]
    found = [one for name in TESTED for one in _on(name, runs, places, questions, level=level)]
    inclusive = [one.p.inclusive for one in found if one.p is not None]
    if not questions.can_be_drawn:
        return tuple(found)
    corrected = adjusted(np.array(inclusive, dtype=np.float64), method="holm")
    return tuple(replace(one, adjusted=float(p)) for one, p in zip(found, corrected, strict=True))


def _on(
    name: MeasureName,
    runs: Sequence[Run],
    pairs: Sequence[Pair],
    questions: Questions,
    *,
    level: float,
) -> list[RetrievalDifference]:
    if not pairs:
        return []
    column = MEASURES.index(name)
    values = np.column_stack([run.values[:, column] for run in runs])
    steps, per_one = lattice_of(values)
    sheet = Sheet(
        values=values,
        counted=np.ones(values.shape, dtype=np.bool_),
        steps=steps,
        per_one=per_one,
        labels=questions.labels,
        work=EXACT_WORK,
        draws=questions.draws,
        seed=questions.seed,
    )
    p: list[PValue | None] = [None] * len(pairs)
    ends: list[tuple[float | None, float | None]] = [(None, None)] * len(pairs)
    if questions.can_be_drawn:
        p = list(bootstrap_p(sheet, pairs, clustered=True))
        ends = list(difference_intervals(sheet, pairs, level=level))
    return [
        RetrievalDifference(
            left=runs[left].name,
            right=runs[right].name,
            measure=name,
            difference=float((values[:, left] - values[:, right]).mean()),
            low=ends[number][0],
            high=ends[number][1],
            left_better=int((values[:, left] > values[:, right]).sum()),
            right_better=int((values[:, left] < values[:, right]).sum()),
            p=p[number],
            adjusted=None,
        )
        for number, (left, right) in enumerate(pairs)
    ]


def _sums(values: Floats, labels: NDArray[np.int64]) -> tuple[Floats, Floats]:
    """Return (G, M) sums and (G,) sizes of the clusters."""
    levels, where, sizes = np.unique(labels, return_inverse=True, return_counts=True)
    sums = np.zeros((len(levels), values.shape[1]))
    np.add.at(sums, where, values)
    return sums, sizes.astype(np.float64)
