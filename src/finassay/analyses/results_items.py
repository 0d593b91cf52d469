"""Frozen results about items.  In: nothing.  Out: what carries the evidence, and where from."""

from __future__ import annotations

from dataclasses import dataclass

from finassay.records import Unscored


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemEvidence:
    """How one item separates the systems.

    Attributes:
        item_id: the item.
        family: its family.
        difficulty: its difficulty label.
        k: systems that are right on it.
        n: systems counted on it.
        d: k (n - k), the pairs of systems that it separates.
    """

    item_id: str
    family: str
    difficulty: str
    k: int
    n: int
    d: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CoverageBand:
    """Items in one band of k.

    Attributes:
        name: "zero information", "near unanimous", "middle" or "rest".
        ks: values of k in the band.
        items: items in the band.
        share: items / all items; None without items.
        d_mass: sum of D over the band.
        d_share: d_mass / sum of D over all items; None when that is 0.
    """

    name: str
    ks: tuple[int, ...]
    items: int
    share: float | None
    d_mass: int
    d_share: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class StratumCoverage:
    """How the items of one family or difficulty separate the systems."""

    stratum: str
    items: int
    zero_information: int
    mean_disagreement: float | None
    d_share: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemCoverage:
    """What carries the evidence: how many pairs of systems each item separates.

    Attributes:
        rule: scorer id.
        systems: the M systems counted (complete under the rule).
        n_items: items counted.
        n_excluded: items left out because a system has no usable verdict on them.
        n_unscored: verdicts without an answer (counted by `policy`).
        items: one entry a counted item.
        bands: the four bands of k.
        by_family: one entry a family.
        by_difficulty: one entry a difficulty.
        zero_information: items that separate no pair.
        all_right: number of those that every system gets right.
        none_right: number of those that no system gets right.
        mean_disagreement: mean of D / (M (M - 1) / 2); None without items or with M < 2.
        policy: what was done with unscored verdicts.
        method: formula and bands.
        warnings: what a reader must know.
    """

    rule: str
    systems: tuple[str, ...]
    n_items: int
    n_excluded: int
    n_unscored: int
    items: tuple[ItemEvidence, ...]
    bands: tuple[CoverageBand, ...]
    by_family: tuple[StratumCoverage, ...]
    by_difficulty: tuple[StratumCoverage, ...]
    zero_information: tuple[str, ...]
    all_right: int
    none_right: int
    mean_disagreement: float | None
    policy: Unscored
    method: str
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class OverlapPair:
    """How far two systems are wrong on the same items; `jaccard` is None when both are never wrong.

    `both` counts items wrong for both, `either` items wrong for at least one, `n` shared items.
    """

    left: str
    right: str
    both: int
    either: int
    jaccard: float | None
    n: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorOverlap:
    """Overlap of the wrong sets of every pair of systems.

    Attributes:
        rule: scorer id.
        systems: systems compared.
        pairs: one entry a pair, highest Jaccard first.
        highest: the first of `pairs` with a value; None without one.
        median: median Jaccard over the pairs with a value; None without one.
        n_items: items in the matrix.
        n_unscored: verdicts without an answer.
        policy: what was done with unscored verdicts.
        method: the formula.
        warnings: what a reader must know.
    """

    rule: str
    systems: tuple[str, ...]
    pairs: tuple[OverlapPair, ...]
    highest: OverlapPair | None
    median: float | None
    n_items: int
    n_unscored: int
    policy: Unscored
    method: str
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Concordance:
    """Kendall's W: how far the raters order the objects alike.

    Attributes:
        rule: scorer id, or where the ratings come from.
        raters_are: what the raters are, for instance "systems".
        objects_are: what is put in order, for instance "families".
        raters: the raters.
        objects: the objects.
        w: in [0, 1], corrected for ties; None with fewer than 2 raters or objects, or when every
            rater ties everything.
        chi2: m (n - 1) W.
        df: n - 1.
        p: upper tail of chi squared.
        mean_ranks: (object, mean rank; 1 is the highest score), best first.
        n_items: items behind the ratings; None when they were entered as printed.
        n_unscored: verdicts without an answer behind the ratings.
        policy: what was done with unscored verdicts.
        method: formula and source.
        warnings: what a reader must know.
    """

    rule: str
    raters_are: str
    objects_are: str
    raters: tuple[str, ...]
    objects: tuple[str, ...]
    w: float | None
    chi2: float | None
    df: int | None
    p: float | None
    mean_ranks: tuple[tuple[str, float], ...]
    n_items: int | None
    n_unscored: int
    policy: Unscored
    method: str
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentCluster:
    """Documents joined by items that rest on two or more of them."""

    documents: tuple[str, ...]
    items: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentProvenance:
    """Which source documents the items rest on, and which items are not independent draws.

    Attributes:
        n_items: items counted.
        n_without_document: items that name no document (each its own cluster of none: left out).
        per_document: (document, items), most items first.
        clusters: connected components of documents, largest (by items) first.
        sizes: items of each cluster, in that order.
        largest_document: items of the document with most items; None without documents.
        median_per_document: median items a document; None without documents.
        method: how clusters are made.
        warnings: what a reader must know.
    """

    n_items: int
    n_without_document: int
    per_document: tuple[tuple[str, int], ...]
    clusters: tuple[DocumentCluster, ...]
    sizes: tuple[int, ...]
    largest_document: int | None
    median_per_document: float | None
    method: str
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LengthPile:
    """Replies of one system that end at one and the same length.

    Attributes:
        system: display name.
        n: replies.
        longest: length of the longest reply in characters; None without replies.
        at_longest: replies of exactly that length.
        share: at_longest / n; None without replies.
        expected: replies expected there from the lengths just below (mean count a length over
            the 20 lengths below the longest); None without replies.
        is_suspected: whether replies pile up at the longest length as a cap would make them.
    """

    system: str
    n: int
    longest: int | None
    at_longest: int
    share: float | None
    expected: float | None
    is_suspected: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TruncationPiles:
    """Whether replies pile up at a longest length, which is what a cap on logging looks like.

    Attributes:
        rows: one entry a system.
        suspected: systems whose replies pile up.
        n_replies: replies looked at.
        n_at_longest: replies of the suspected systems that stand at their longest length.
        method: how a pile is told from a long tail.
        warnings: what a reader must know.
    """

    rows: tuple[LengthPile, ...]
    suspected: tuple[str, ...]
    n_replies: int
    n_at_longest: int
    method: str
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CategoryRow:
    """Wrong items of one system by category.

    Attributes:
        system: display name.
        errors: "strict" (the rule's errors) or "residual" (those the judge retains).
        counts: (category, wrong items).
        total: wrong items.
        n: items counted.
    """

    system: str
    errors: str
    counts: tuple[tuple[str, int], ...]
    total: int
    n: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorCategories:
    """Errors by the deterministic map from family and difficulty to a category.

    Attributes:
        rule: scorer id of the rule.
        judge: scorer id of the judge that decides the residual; None without one.
        categories: names in order.
        rows: strict and, with a judge, residual row of each system.
        n_unmapped: wrong items whose family has no category.
        n_unscored: verdicts without an answer.
        policy: what was done with unscored verdicts.
        method: the map and its source.
        warnings: what a reader must know.
    """

    rule: str
    judge: str | None
    categories: tuple[str, ...]
    rows: tuple[CategoryRow, ...]
    n_unmapped: int
    n_unscored: int
    policy: Unscored
    method: str
    warnings: tuple[str, ...] = ()
