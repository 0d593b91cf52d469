"""From counted batches to an audit's numbers.  In: a label histogram.  Out: counts, reach, floor.

For logs too long to be held: `marking.label_counts` reads them once, and what follows from the
histogram alone is here.  Rules that need positions, and the text-function family, need the replies.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from finassay.analyses.extraction.counts import ExtractionCounts
from finassay.analyses.extraction.families import Reach, reach_of_counts
from finassay.analyses.extraction.floors import FloorVerdict, against_floor
from finassay.marking.label_counts import LabelHistogram


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamAudit:
    """What a histogram of named labels says.

    Attributes:
        choices: labels in card order.
        matcher: what counts as an occurrence.
        counts: the five kinds of items.
        reach: what selecting rules can reach.
        card_order_right: items right under extraction in card order.
        floor: right items of the best constant answer.
        stratified_floor: the same inside every stratum; None without declared strata.
        verdict: on which side of the floor the reach lies.
        stratified_verdict: the same against the stratified floor.
    """

    choices: tuple[str, ...]
    matcher: str
    counts: ExtractionCounts
    reach: Reach
    card_order_right: int
    floor: int
    stratified_floor: int | None
    verdict: FloorVerdict
    stratified_verdict: FloorVerdict | None


def counts_of(histogram: LabelHistogram) -> ExtractionCounts:
    """Return the five kinds of items of a histogram."""
    kinds = Counter[str]()
    for (_, gold, named), number in histogram.cells:
        kinds[_kind(gold, named)] += number
    return ExtractionCounts(
        n=histogram.n,
        forced_correct=kinds["forced_correct"],
        forced_wrong=kinds["forced_wrong"],
        contested=kinds["contested"],
        dead=kinds["dead"],
        uncovered=kinds["uncovered"],
    )


def audit_stream(histogram: LabelHistogram) -> StreamAudit:
    """Return the audit of a histogram."""
    counts = counts_of(histogram)
    reached = reach_of_counts(counts)
    golds: dict[str, Counter[int]] = {}
    for (stratum, gold, _), number in histogram.cells:
        golds.setdefault(stratum, Counter())[gold] += number
    total = sum(golds.values(), Counter[int]())
    floor = max(total.values())
    by_stratum = sum(max(part.values()) for part in golds.values())
    is_declared = set(golds) != {""}
    card_order = sum(
        number for (_, gold, named), number in histogram.cells if named & -named == 1 << gold
    )
    return StreamAudit(
        choices=histogram.choices,
        matcher=histogram.matcher.name,
        counts=counts,
        reach=reached,
        card_order_right=card_order,
        floor=floor,
        stratified_floor=by_stratum if is_declared else None,
        verdict=against_floor(reached.low, reached.high, floor),
        stratified_verdict=against_floor(reached.low, reached.high, by_stratum)
        if is_declared
        else None,
    )


def _kind(gold: int, named: int) -> str:
    has_gold = bool(named >> gold & 1)
    if not named:
        return "uncovered"
    if named.bit_count() == 1:
        return "forced_correct" if has_gold else "forced_wrong"
    return "contested" if has_gold else "dead"
