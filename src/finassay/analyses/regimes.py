"""The same predictions under several regimes.  In: matrices.  Out: what the rule alone moves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.alignment import aligned, complete_columns, rankable
from finassay.analyses.estimates import Settings, column_estimates
from finassay.analyses.kernels.correlation import kendall, spearman
from finassay.analyses.ranking import all_ranks, check_convention, scores_to_rank
from finassay.analyses.results_rules import (
    Correlation,
    MoveCount,
    RankedScore,
    RankShift,
    RegimeComparison,
    RegimeRanks,
)
from finassay.analyses.results_scores import RANK_CONVENTIONS, RankConvention
from finassay.analyses.wording import plural
from finassay.errors import UsageError
from finassay.marking.matrix import VerdictMatrix
from finassay.records import Item

METHOD = (
    "Spearman on average ranks (p by all permutations up to 9 systems, otherwise t); Kendall's "
    "tau-b (p exact without ties up to 33 systems, otherwise normal with tie correction)"
)

DecidedBy = Mapping[str, Sequence[tuple[str, str]]]
"""Regime -> (family, scorer id that decides it)."""


def correlation(
    left: str, right: str, x: NDArray[np.float64], y: NDArray[np.float64]
) -> Correlation:
    """Return both rank correlations of two (n,) columns of scores over the same systems."""
    rho, rho_p, rho_method = spearman(x, y)
    tau, tau_p, tau_method = kendall(x, y)
    return Correlation(
        left=left,
        right=right,
        n=len(x),
        spearman=rho,
        spearman_p=rho_p,
        spearman_method=rho_method,
        kendall=tau,
        kendall_p=tau_p,
        kendall_method=tau_method,
    )


def move_counts(
    ranks_by_regime: Mapping[str, Mapping[RankConvention, NDArray[np.float64]]],
) -> tuple[MoveCount, ...]:
    """Return how many systems move at least 1, 2, ... ranks, over all regimes and over each pair.

    A move is the largest minus the smallest rank of a system among the regimes compared.  Each
    value holds the (n,) ranks of the same systems in the same order.
    """
    names = tuple(ranks_by_regime)
    groups = [names] if len(names) > 2 else []
    groups += list(combinations(names, 2))
    return tuple(count for group in groups for count in _moves_in(group, ranks_by_regime))


def _moves_in(
    group: tuple[str, ...], table: Mapping[str, Mapping[RankConvention, NDArray[np.float64]]]
) -> Iterator[MoveCount]:
    moves = {}
    for convention in RANK_CONVENTIONS:
        stacked = np.vstack([table[name][convention] for name in group])
        moves[convention] = stacked.max(axis=0) - stacked.min(axis=0)
    n = len(moves["competition"])
    furthest = int(max(float(move.max(initial=0.0)) for move in moves.values()))
    for at_least in range(1, furthest + 1):
        counts = tuple((name, int((move >= at_least).sum())) for name, move in moves.items())
        yield MoveCount(
            regimes=group,
            at_least=at_least,
            n=n,
            counts=counts,
            depends_on_convention=len({count for _, count in counts}) > 1,
        )


def compare_regimes(
    regimes: Mapping[str, VerdictMatrix],
    *,
    items: Sequence[Item],
    settings: Settings,
    rank_convention: RankConvention = "competition",
    decided_by: DecidedBy | None = None,
    systems: Sequence[str] | None = None,
) -> RegimeComparison:
    """Return how scores and ranks of the same systems change with the regime alone.

    Args:
        regimes: name -> items x systems verdicts, at least two.
        items: every item; a system must have a verdict on all of them under every regime.
        settings: policy, level and interval.
        rank_convention: the convention shown first; all four are computed.
        decided_by: which scorer decided each family under each regime, where known.
        systems: systems to consider, in order; default the columns of the first regime.

    Raises:
        UsageError: fewer than two regimes, or an unknown convention.
    """
    check_convention(rank_convention)
    if len(regimes) < 2:
        raise UsageError(f"a comparison needs at least two regimes, got {sorted(regimes)!r}")
    tables = {name: aligned(matrix, items) for name, matrix in regimes.items()}
    wanted = list(systems) if systems is not None else list(next(iter(tables.values())).columns)
    usable = [rankable(table, settings.policy) for table in tables.values()]
    kept = [s for s in wanted if all(s in names for names in usable)]
    ranked = {
        name: _regime_scores(table.select(columns=kept), settings) for name, table in tables.items()
    }
    scores = {name: np.array([row.score for row in rows]) for name, rows in ranked.items()}
    by_convention = {name: _by_convention(rows) for name, rows in ranked.items()}
    return RegimeComparison(
        systems=tuple(kept),
        left_out=tuple(s for s in wanted if s not in kept),
        regimes=tuple(
            _regime(name, rows, tuple((decided_by or {}).get(name, ())))
            for name, rows in ranked.items()
        ),
        correlations=tuple(
            correlation(a, b, scores[a], scores[b]) for a, b in combinations(scores, 2)
        ),
        shifts=tuple(_shifts(ranked)),
        moves=move_counts(by_convention),
        holds=tuple((c, _holders(kept, by_convention, c)) for c in RANK_CONVENTIONS),
        n_items=len(items),
        policy=settings.policy,
        rank_convention=rank_convention,
        method=METHOD,
        warnings=_warnings(wanted, kept, tables.values()),
    )


def _regime_scores(table: VerdictMatrix, settings: Settings) -> list[RankedScore]:
    estimates = column_estimates(table, settings)
    scores, _ = scores_to_rank(estimates)
    return [
        RankedScore(system=name, estimate=given, score=float(score), ranks=ranks)
        for name, given, score, ranks in zip(
            table.columns, estimates, scores, all_ranks(scores), strict=True
        )
    ]


def _regime(
    name: str, rows: Sequence[RankedScore], decided_by: tuple[tuple[str, str], ...]
) -> RegimeRanks:
    scores = [row.score for row in rows]
    high, low = (max(scores), min(scores)) if scores else (None, None)
    return RegimeRanks(
        regime=name,
        decided_by=decided_by,
        scores=tuple(sorted(rows, key=lambda row: -row.score)),
        leaders=tuple(row.system for row in rows if row.score == high),
        trailers=tuple(row.system for row in rows if row.score == low),
        low=low,
        high=high,
        spread=None if high is None or low is None else high - low,
    )


def _by_convention(rows: Sequence[RankedScore]) -> dict[RankConvention, NDArray[np.float64]]:
    return {c: np.array([row.ranks.under(c) for row in rows]) for c in RANK_CONVENTIONS}


def _shifts(ranked: Mapping[str, Sequence[RankedScore]]) -> Iterator[RankShift]:
    for left, right in combinations(ranked, 2):
        for convention in RANK_CONVENTIONS:
            for a, b in zip(ranked[left], ranked[right], strict=True):
                before, after = a.ranks.under(convention), b.ranks.under(convention)
                yield RankShift(
                    system=a.system,
                    left=left,
                    right=right,
                    convention=convention,
                    rank_left=before,
                    rank_right=after,
                    shift=after - before,
                    score_change=b.score - a.score,
                )


def _holders(
    systems: Sequence[str],
    table: Mapping[str, Mapping[RankConvention, NDArray[np.float64]]],
    convention: RankConvention,
) -> tuple[str, ...]:
    stacked = np.vstack([columns[convention] for columns in table.values()])
    still = (stacked == stacked[0]).all(axis=0)
    return tuple(name for name, held in zip(systems, still, strict=True) if held)


def _warnings(
    wanted: Sequence[str], kept: Sequence[str], tables: Iterable[VerdictMatrix]
) -> tuple[str, ...]:
    whole = [complete_columns(table) for table in tables]
    missing = [name for name in wanted if not all(name in names for names in whole)]
    void = [name for name in wanted if name not in kept and name not in missing]
    out = []
    if missing:
        out.append(f"not compared, because a regime lacks verdicts on them: {', '.join(missing)}")
    if void:
        out.append(
            f"not compared, because none of their verdicts counts under a regime: {', '.join(void)}"
        )
    if len(kept) < 20:
        out.append(
            f"with {plural(len(kept), 'system')} a rank correlation has little power: a large p is "
            f"no proof"
        )
    return tuple(out)
