"""Scorers that pay for length.  In: verdicts, rules, lengths.  Out: slopes, and findings."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.alignment import aligned
from finassay.analyses.kernels.length_bias import Slope, clustered_slope
from finassay.analyses.provenance.effects import effect_text, rank_effect
from finassay.analyses.provenance.inputs import ProvenanceInputs, Section
from finassay.analyses.provenance.results import (
    Check,
    LengthFavour,
    Measure,
    ProvenanceFinding,
    RankEffect,
)
from finassay.analyses.wording import fixed, plural
from finassay.marking.matrix import VerdictMatrix
from finassay.marking.reply_matrix import ReplyMatrix
from finassay.records import PERSON_PREFIX

ALPHA = 0.01
"""Level over the scorers of a study that credit such replies at all."""

LEAST_SLOPE = 0.05
"""Change of the share credited for twice the length below which nothing is said."""

FEWEST_CREDITED = 10
LEVEL = 0.95
WITNESSES = 20

METHOD = (
    "of the replies that every candidate rule marks wrong, those that the scorer marks right, "
    "regressed on the logarithm of length to base 2 with family effects, errors clustered by item; "
    f"found where the share credited rises by {100 * LEAST_SLOPE:g} points or more for twice the "
    f"length, p < {ALPHA:g} over the scorers; cut, blank and failed replies are left aside"
)


def check_length(
    inputs: ProvenanceInputs, cut: NDArray[np.bool_] | None
) -> tuple[tuple[LengthFavour, ...], Section]:
    """Return how each scorer from outside goes with length, and those that pay for it.

    Where a string rule finds the answer in a long reply, it is no favour to say so too; so only
    replies count in which no candidate rule finds it.

    Args:
        inputs: of the audit.
        cut: (R, C) replies of `inputs.replies` that stand at a cap.
    """
    replies = inputs.replies
    scorers = {
        name: matrix
        for name, matrix in inputs.from_outside.items()
        if not name.startswith(PERSON_PREFIX)
    }
    favours: list[LengthFavour] = []
    found: list[ProvenanceFinding] = []
    if replies is not None and inputs.candidates and scorers:
        usable = replies.present & ~replies.empty & ~replies.error
        usable = usable if cut is None else usable & ~cut
        made = [(name, _Cells(inputs, replies, usable, table)) for name, table in scorers.items()]
        favours = [cells.favour(name) for name, cells in made]
        tests = sum(favour.p is not None for favour in favours)
        found = [
            _finding(inputs, cells, favour)
            for favour, (_, cells) in zip(favours, made, strict=True)
            if _is_found(favour, tests)
        ]
    check = Check(
        kind="length_favour",
        n=len(favours),
        unit="scorers from outside",
        n_findings=len(found),
        method=METHOD,
        false_alarm_rate=ALPHA,
    )
    return tuple(favours), Section(check, found)


class _Cells:
    """The replies of one scorer that every candidate rule marks wrong."""

    def __init__(
        self,
        inputs: ProvenanceInputs,
        replies: ReplyMatrix,
        usable: NDArray[np.bool_],
        matrix: VerdictMatrix,
    ) -> None:
        people = inputs.is_person
        self.systems = [n for n in matrix.columns if n in replies.systems and not people(n)]
        self.table = aligned(matrix, inputs.items).select(columns=self.systems)
        at = [replies.systems.index(name) for name in self.systems]
        self.panel = tuple(inputs.candidates)
        self.open = usable[:, at] & self.table.scored & ~inputs.right_by_any(self.systems)
        rows, self.columns = np.nonzero(self.open)
        self.rows = rows
        self.lengths = replies.lengths[:, at][self.open].astype(np.float64)
        self.credited = self.table.right[self.open]
        names = [item.family for item in inputs.items]
        codes = {name: code for code, name in enumerate(dict.fromkeys(names))}
        self.families = np.array([codes[names[i]] for i in rows], dtype=np.int64)

    def favour(self, scorer: str) -> LengthFavour:
        """Return how the scorer's credit goes with length."""
        clusters = self.rows.astype(np.int64)
        systems = self.columns.astype(np.int64)
        outcome, column = self.credited.astype(np.float64), np.log2(np.maximum(self.lengths, 1.0))
        across = clustered_slope(outcome, column, factors=[self.families], clusters=clusters)
        within = clustered_slope(
            outcome, column, factors=[self.families, systems], clusters=clusters
        )
        low, high = (None, None) if across is None else across.interval(LEVEL)
        return LengthFavour(
            scorer=scorer,
            panel=self.panel,
            n=len(outcome),
            n_items=len(np.unique(clusters)),
            n_credited=int(self.credited.sum()),
            slope=_value(across),
            low=low,
            high=high,
            level=LEVEL,
            p=None if across is None else across.p,
            slope_within=_value(within),
            p_within=None if within is None else within.p,
            median_credited=_median(self.lengths[self.credited]),
            median_other=_median(self.lengths[~self.credited]),
        )

    def effect(self, scorer: str) -> RankEffect | None:
        """Return the ranking when these replies count as wrong."""
        credited = self.open & self.table.right
        before, after = {}, {}
        for j, name in enumerate(self.systems):
            n = int(self.table.scored[:, j].sum())
            right = int(self.table.right[:, j].sum())
            if n:
                before[name] = right, n
                after[name] = right - int(credited[:, j].sum()), n
        text = "with the replies in which no rule finds the answer counted as wrong"
        return rank_effect(before, after, correction=text, rule=scorer)


def _value(slope: Slope | None) -> float | None:
    return None if slope is None else slope.value


def _median(lengths: NDArray[np.float64]) -> float | None:
    return float(np.median(lengths)) if len(lengths) else None


def _is_found(favour: LengthFavour, tests: int) -> bool:
    return (
        favour.slope is not None
        and favour.p is not None
        and favour.slope >= LEAST_SLOPE
        and favour.p * tests < ALPHA
        and favour.n_credited >= FEWEST_CREDITED
    )


def _finding(inputs: ProvenanceInputs, cells: _Cells, favour: LengthFavour) -> ProvenanceFinding:
    order = np.argsort(-cells.lengths, kind="stable")
    longest = [int(cells.rows[i]) for i in order if cells.credited[i]]
    ids = tuple(dict.fromkeys(inputs.item_ids[i] for i in longest))
    effect = cells.effect(favour.scorer)
    slope = favour.slope or 0.0
    within = ""
    if favour.slope_within is not None and favour.p_within is not None:
        points = fixed(100 * favour.slope_within, 1)
        within = f", and {points} points within systems (p {favour.p_within:.2g})"
    return ProvenanceFinding(
        kind="length_favour",
        severity="high" if favour.scorer == inputs.stored else "medium",
        title=f"{favour.scorer} credits long replies in which no rule finds the answer",
        systems=tuple(_gainers(cells)),
        evidence=(
            f"of {plural(favour.n, 'reply', 'replies')} that all {len(favour.panel)} rules mark "
            f"wrong it marks {favour.n_credited} right; the share rises by "
            f"{fixed(100 * slope, 1)} points for twice the length (p {favour.p:.2g}){within}; "
            f"median length {fixed(favour.median_credited or 0.0, 0)} credited against "
            f"{fixed(favour.median_other or 0.0, 0)} not{effect_text(effect)}"
        ),
        advice="have people mark a sample of the long replies that it credits",
        measures=(
            Measure(name="replies that all rules mark wrong", value=favour.n),
            Measure(name="credited", value=favour.n_credited),
            Measure(name="slope", value=slope),
        ),
        p=favour.p,
        witnesses=ids[:WITNESSES],
        n_witnesses=len(ids),
        effect=effect,
        false_alarm_rate=ALPHA,
    )


def _gainers(cells: _Cells) -> Iterator[str]:
    """Yield the systems with credited replies, those with most first."""
    counted = np.bincount(cells.columns[cells.credited], minlength=len(cells.systems))
    for j in np.argsort(-counted, kind="stable"):
        if counted[j]:
            yield cells.systems[int(j)]
