"""Printed ranks.  In: printed values and ranks.  Out: which convention gives them."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal, InvalidOperation

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.kernels.ranks import ranks
from finassay.analyses.results_rules import ConventionFit, RankContradiction, RankRecognition
from finassay.analyses.results_scores import RANK_CONVENTIONS, RankConvention
from finassay.errors import UsageError


def recognise_ranks(
    rows: Sequence[tuple[str, str, float]],
    *,
    source: str,
    column: str,
    claimed: RankConvention | None = None,
) -> RankRecognition:
    """Return which conventions reproduce a printed column of ranks, and what contradicts them.

    Args:
        rows: (row label, printed value, printed rank); values are compared as decimals, so that
            two rows tie exactly when they are printed alike.  Higher is better.
        source: where the column was printed.
        column: its name.
        claimed: the convention that the source says it uses.

    Raises:
        UsageError: a printed value is not a number.
    """
    keys = _order_keys([value for _, value, _ in rows])
    fits = tuple(_fit(name, rows, keys) for name in RANK_CONVENTIONS)
    reproduces = tuple(fit.convention for fit in fits if not fit.contradictions)
    return RankRecognition(
        source=source,
        column=column,
        n=len(rows),
        has_ties=len(set(keys.tolist())) < len(keys),
        claimed=claimed,
        reproduces=reproduces,
        fits=fits,
        claim_holds=None if claimed is None else claimed in reproduces,
    )


def _order_keys(printed: Sequence[str]) -> NDArray[np.float64]:
    """Return (n,) positions of the values among the distinct ones, 0 for the lowest."""
    try:
        values = [Decimal(text.strip().rstrip("%")) for text in printed]
    except InvalidOperation as error:
        raise UsageError(
            f"printed values must be numbers such as '93.6' or '93.60%', got {list(printed)!r}"
        ) from error
    place = {value: at for at, value in enumerate(sorted(set(values)))}
    return np.array([place[value] for value in values], dtype=np.float64)


def _fit(
    convention: RankConvention,
    rows: Sequence[tuple[str, str, float]],
    keys: NDArray[np.float64],
) -> ConventionFit:
    expected = ranks(keys, convention=convention)
    wrong = tuple(
        RankContradiction(row=row, value=value, printed_rank=printed, expected_rank=float(want))
        for (row, value, printed), want in zip(rows, expected, strict=True)
        if printed != want
    )
    return ConventionFit(
        convention=convention, matches=len(rows) - len(wrong), contradictions=wrong
    )
