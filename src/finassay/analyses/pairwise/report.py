"""What a file of pairwise judgments says.  In: judged pairs.  Out: a frozen result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from finassay.analyses.estimates import count_rate
from finassay.analyses.kernels.paired import mcnemar
from finassay.analyses.pairwise.decisions import as_derived, derived, menu_for, outcome
from finassay.analyses.pairwise.results import (
    DecisionRule,
    Decisions,
    DerivedDifference,
    OrderEffect,
    PairwiseAccuracy,
    PairwiseJudge,
    PairwiseReport,
    Rederived,
)
from finassay.errors import UsageError
from finassay.runs.pairwise import JudgedPair, OneOrder
from finassay.scorers.judge_verdicts import Menu

METHOD = (
    "decisions in terms of the pair: a second judgment that saw the answers swapped is turned "
    "round first; sum rule: +1 for the label, -1 for its flip, 0 for a tie or no decision, more "
    "than 0 is right; both-orders rule: right where both orders pick the label, a tie where they "
    "differ; pairs without a decision stay in the denominator; Wilson (1927) intervals over pairs; "
    "exact sign test on pairs that prefer the answer shown first more often against the second"
)
RULES: tuple[DecisionRule, ...] = ("sum", "both orders")
TAIL = 240
"""Characters of a reply's end that are shown where a decision does not follow from it."""


def pairwise_report(
    pairs: Sequence[JudgedPair], *, file: str, level: float = 0.95
) -> PairwiseReport:
    """Return accuracy, order effects and re-derived decisions of every judge.

    Args:
        pairs: what judges said, of one or more judges.
        file: name of the file, for people.
        level: confidence level.

    Raises:
        UsageError: a level that does not exist.
    """
    if not 0.0 < level < 1.0:
        raise UsageError(f"`level` must be in (0, 1), got {level!r}; for 95% pass 0.95")
    names = dict.fromkeys(pair.judge for pair in pairs)
    judges = tuple(_judge([p for p in pairs if p.judge == name], name, level) for name in names)
    prompted = [one.rederived for one in judges if one.rederived.read_from == "replies"]
    return PairwiseReport(
        file=file,
        judges=judges,
        n_prompted=sum(one.n for one in prompted),
        n_prompted_same=sum(one.n_same for one in prompted),
        level=level,
        method=METHOD,
    )


def _judge(pairs: Sequence[JudgedPair], name: str, level: float) -> PairwiseJudge:
    menu = menu_for(pairs)
    orders = [one for pair in pairs for one in pair.orders]
    labelled = [pair for pair in pairs if pair.label is not None]
    rederived = _rederived(pairs, menu)
    accuracy = _accuracies(labelled, "stored", level)
    if rederived.read_from:
        accuracy += _accuracies([as_derived(pair, menu) for pair in labelled], "derived", level)
    return PairwiseJudge(
        judge=name,
        n_pairs=len(pairs),
        n_labelled=len(labelled),
        n_decisions=sum(one.winner is not None for one in orders),
        n_missing=sum(one.winner is None for one in orders),
        accuracy=accuracy,
        order=order_effect(pairs, level),
        rederived=rederived,
        warnings=_warnings(pairs, labelled),
    )


def _warnings(pairs: Sequence[JudgedPair], labelled: Sequence[JudgedPair]) -> tuple[str, ...]:
    out = []
    single = sum(len(pair.orders) == 1 for pair in pairs)
    if single:
        out.append(f"{single} pairs were judged in one order only: no order effect can be seen")
    if not labelled:
        out.append("no pair has a label, so there is no accuracy")
    return tuple(out)


def _accuracies(
    pairs: Sequence[JudgedPair], decisions: Decisions, level: float
) -> tuple[PairwiseAccuracy, ...]:
    if not pairs:
        return ()
    sources = sorted({pair.source for pair in pairs if pair.source})
    parts = [("", pairs)]
    if len(sources) > 1:
        parts += [(name, [pair for pair in pairs if pair.source == name]) for name in sources]
    return tuple(
        _accuracy(part, rule, decisions, source, level) for rule in RULES for source, part in parts
    )


def _accuracy(
    pairs: Sequence[JudgedPair],
    rule: DecisionRule,
    decisions: Decisions,
    source: str,
    level: float,
) -> PairwiseAccuracy:
    counts = Counter(outcome(pair, rule) for pair in pairs)
    return PairwiseAccuracy(
        rule=rule,
        decisions=decisions,
        source=source,
        right=count_rate(counts["right"], len(pairs), level=level),
        n_tied=counts["tie"],
        n_wrong=counts["wrong"],
        n_unread=counts["unread"],
    )


def order_effect(pairs: Sequence[JudgedPair], level: float) -> OrderEffect:
    """Return what the order of the answers does to the decisions of one judge."""
    both = [
        (pair.orders[0], pair.orders[1])
        for pair in pairs
        if len(pair.orders) > 1 and all(one.winner is not None for one in pair.orders)
    ]
    kinds = Counter(_kind(one.winner, other.winner) for one, other in both)
    leans = [_preference(one) + _preference(other) for one, other in both]
    every = [one for pair in pairs for one in pair.orders]
    for_first = sum(_preference(one) > 0 for one in every)
    for_second = sum(_preference(one) < 0 for one in every)
    lean_first, lean_second = sum(lean > 0 for lean in leans), sum(lean < 0 for lean in leans)
    same = kinds["same answer"] + kinds["tied twice"]
    return OrderEffect(
        consistent=count_rate(same, len(both), level=level),
        n_same_answer=kinds["same answer"],
        n_reversed=kinds["reversed"],
        n_half_tied=kinds["half tied"],
        n_one_sided=len(pairs) - len(both),
        first=count_rate(for_first, for_first + for_second, level=level),
        n_lean_first=lean_first,
        n_lean_second=lean_second,
        p=mcnemar(lean_first, lean_second)[0],
    )


def _kind(one: str | None, other: str | None) -> str:
    if one == other:
        return "tied twice" if one == "tie" else "same answer"
    return "half tied" if "tie" in {one, other} else "reversed"


def _preference(one: OneOrder) -> int:
    """Return +1 for the answer shown first, -1 for the second, 0 for a tie or no decision."""
    if one.winner is None or one.winner == "tie":
        return 0
    return 1 if (one.winner == "left") == (one.order == "left_first") else -1


def _rederived(pairs: Sequence[JudgedPair], menu: Menu) -> Rederived:
    counts: Counter[str] = Counter()
    differences = []
    for pair in pairs:
        for one in pair.orders:
            found = derived(one, menu)
            if found is None:
                continue
            counts["n"] += 1
            said = _compared(one, found.winner)
            counts[said] += 1
            if said != "same":
                differences.append(
                    DerivedDifference(
                        pair_id=pair.pair_id,
                        order=one.order,
                        stored=one.winner,
                        derived=found.winner,
                        why=found.why,
                        tail=(one.reply or "")[-TAIL:],
                    )
                )
    has_replies = any(one.reply is not None for pair in pairs for one in pair.orders)
    return Rederived(
        read_from="" if not counts["n"] else "replies" if has_replies else "scores",
        menu=str(menu) if has_replies else "",
        n=counts["n"],
        n_same=counts["same"],
        n_no_verdict=counts["no verdict"],
        n_not_stored=counts["not stored"],
        n_equal=counts["equal"],
        n_differ=counts["differ"],
        differences=tuple(differences),
    )


def _compared(one: OneOrder, found: str | None) -> str:
    if found is None:
        return "no verdict"
    if one.winner is None:
        return "not stored"
    if one.winner == found:
        return "same"
    return "equal" if one.scores is not None and found == "tie" else "differ"
