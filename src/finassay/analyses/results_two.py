"""Frozen results about two systems.  In: nothing.  Out: their test, and what each has right."""

from __future__ import annotations

from dataclasses import dataclass

from finassay.analyses.results_compare import PairTest
from finassay.analyses.results_items import OverlapPair
from finassay.records import Unscored


@dataclass(frozen=True, slots=True, kw_only=True)
class FamilySplit:
    """How many items of a family both, one or none of two systems have right.

    Attributes:
        family: the family.
        both: items that both have right.
        left_only: items that the left one alone has right.
        right_only: items that the right one alone has right.
        neither: items that none has right.
    """

    family: str
    both: int
    left_only: int
    right_only: int
    neither: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoSystems:
    """Two systems under one rule, item by item.

    Attributes:
        left: display name of one.
        right: display name of the other.
        rule: scorer id, or regime/NAME.
        test: the paired tests, the left one minus the right one.
        overlap: how far they are wrong on the same items.
        clusters: columns of the items that make clusters; () where none do.
        n_clusters: clusters among the items; 0 without.
        won: ids of items that the left one alone has right, sorted.
        lost: ids of items that the right one alone has right.
        both: ids of items that both have right.
        neither: ids of items that none has right.
        by_family: the same as counts, one entry a family.
        n_left_out: items that do not count for both.
        policy: what was done with unscored verdicts.
        level: level of the intervals.
        method: how it was computed.
        warnings: what a reader must know.
    """

    left: str
    right: str
    rule: str
    test: PairTest
    overlap: OverlapPair
    clusters: tuple[str, ...]
    n_clusters: int
    won: tuple[str, ...]
    lost: tuple[str, ...]
    both: tuple[str, ...]
    neither: tuple[str, ...]
    by_family: tuple[FamilySplit, ...]
    n_left_out: int
    policy: Unscored
    level: float
    method: str
    warnings: tuple[str, ...] = ()
