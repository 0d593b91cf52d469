"""Frozen results about printed arms.  In: nothing.  Out: scores, ranks and claims by arm."""

from __future__ import annotations

from dataclasses import dataclass

from finassay.analyses.results_rules import Correlation, MoveCount
from finassay.analyses.results_scores import RankConvention


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmColumn:
    """One arm: the same systems and items, marked in one of several ways.

    Attributes:
        arm: name of the column.
        n: rows that print a score.
        low: lowest score, as a fraction.
        high: highest score.
        spread: high minus low.
        leaders: rows with the highest score.
        trailers: rows with the lowest score.
        with_base: rank correlation with the base column, over the rows that both print.
        printed_ranks: conventions that give the ranks printed beside it; empty where none does or
            none are printed.
        has_printed_ranks: whether ranks are printed beside it.
    """

    arm: str
    n: int
    low: float
    high: float
    spread: float
    leaders: tuple[str, ...]
    trailers: tuple[str, ...]
    with_base: Correlation
    printed_ranks: tuple[RankConvention, ...]
    has_printed_ranks: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmRow:
    """One system under every arm.

    Attributes:
        system: label of the printed row.
        base: its score in the base column; None where it prints none.
        scores: one score an arm.
        ranks: one rank an arm, under the declared convention.
        printed: printed ranks, one an arm; empty where none are printed.
        move: largest minus smallest rank among the arms.
    """

    system: str
    base: float | None
    scores: tuple[float, ...]
    ranks: tuple[float, ...]
    printed: tuple[float, ...]
    move: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmClaim:
    """A sentence one may read off one arm, and in which arms it holds.

    Attributes:
        text: the sentence.
        holds: arms in which it holds.
        fails: arms in which it does not.
    """

    text: str
    holds: tuple[str, ...]
    fails: tuple[str, ...]

    @property
    def depends(self) -> bool:
        """Whether it holds in some arms and not in others."""
        return bool(self.holds) and bool(self.fails)


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmsReport:
    """A printed table whose columns are arms of one measurement.

    Attributes:
        source: where it was printed.
        table: its name.
        base: table and column of the scores that arms are correlated with.
        rank_convention: of `ArmRow.ranks`.
        arms: in the order of the table.
        rows: in the order of the table.
        moves: rows that move at least 1, 2, ... ranks, over all arms and each pair, by convention.
        n_pairs: pairs of systems.
        n_held: pairs that stand in the same order in every arm.
        n_tied: pairs that no arm turns over, but that tie in some arms.
        n_turned: pairs that stand one way in one arm and the other way in another.
        claims: first those that depend on the arm.
        method: how it was computed.
        warnings: what a reader must know.
    """

    source: str
    table: str
    base: str
    rank_convention: RankConvention
    arms: tuple[ArmColumn, ...]
    rows: tuple[ArmRow, ...]
    moves: tuple[MoveCount, ...]
    n_pairs: int
    n_held: int
    n_tied: int
    n_turned: int
    claims: tuple[ArmClaim, ...]
    method: str
    warnings: tuple[str, ...] = ()
