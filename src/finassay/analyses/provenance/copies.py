"""The same answers twice.  In: keys of replies, items.  Out: copied systems, duplicate items."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy import special

from finassay.analyses.provenance.effects import counts, effect_text, rank_effect
from finassay.analyses.provenance.inputs import ProvenanceInputs, Section
from finassay.analyses.provenance.results import (
    Check,
    Measure,
    ProvenanceFinding,
    RankEffect,
)
from finassay.analyses.wording import listed, plural
from finassay.marking.reply_matrix import KEY_CHARACTERS, ReplyMatrix
from finassay.records import Item

ALPHA = 1e-3
LONG = 40
CHANCE = 0.5
WITNESSES = 20

PRECISE = ('exact[normaliser="words"]', "includes", "number_set", "yes_no")
"""Rules that a wrong number or label does not pass by looking much like the right one."""

METHOD = (
    f"replies are telling when they are {LONG} characters or longer, or exact, included and number "
    f"matches all mark them wrong, and at most a third of the other systems give them; with fewer "
    "than two others, when those matches mark them wrong; two systems are copies if they share so "
    f"many telling replies (first {KEY_CHARACTERS} characters, whatever case and white space) that "
    f"a binomial count with chance {CHANCE:g}, which independent systems stay far below, gives p < "
    f"{ALPHA:g} over the number of pairs"
)


def check_copies(inputs: ProvenanceInputs) -> Iterator[Section]:
    """Yield systems that hold the same replies, and items that stand in the study twice."""
    pairs = _pairs(inputs)
    found = [_copied(inputs, *pair) for pair in pairs if pair[-1] < ALPHA]
    yield Section(
        Check(
            kind="copied_system",
            n=len(pairs),
            unit="pairs of systems",
            n_findings=len(found),
            method=METHOD,
            false_alarm_rate=ALPHA,
        ),
        found,
    )
    twice = _duplicates(inputs)
    yield Section(
        Check(
            kind="duplicate_items",
            n=len(inputs.items),
            unit="items",
            n_findings=len(twice),
            method=(
                "question, context and choices are the same, whatever case and white space; items "
                "without a question are left aside"
            ),
            false_alarm_rate=0.0,
        ),
        twice,
    )


Pair = tuple[str, str, NDArray[np.bool_], NDArray[np.bool_], float]
"""Both systems, telling items, items with the same reply, p over all pairs."""


def _pairs(inputs: ProvenanceInputs) -> list[Pair]:
    replies = inputs.replies
    if replies is None or len(replies.systems) < 2:
        return []
    columns = range(len(replies.systems))
    given = replies.present & ~replies.empty & ~replies.error
    number = len(replies.systems) * (len(replies.systems) - 1) // 2
    wrong = given & ~inputs.right_by_any(replies.systems, PRECISE)
    return [_pair(replies, (given, wrong), pair, number) for pair in combinations(columns, 2)]


def _pair(
    replies: ReplyMatrix,
    masks: tuple[NDArray[np.bool_], NDArray[np.bool_]],
    pair: tuple[int, int],
    number: int,
) -> Pair:
    (given, wrong), (a, b) = masks, pair
    shared = given[:, a] & given[:, b]
    same = shared & (replies.keys[:, a] == replies.keys[:, b])
    telling = shared & wrong[:, a]
    others = [j for j in range(len(replies.systems)) if j not in pair]
    if len(others) >= 2:
        long = np.minimum(replies.lengths[:, a], replies.lengths[:, b]) >= LONG
        telling = (telling | (shared & long)) & _rare(replies, given, a, others)
    n, k = int(telling.sum()), int((same & telling).sum())
    p = float(special.bdtrc(k - 1, n, CHANCE)) if k else 1.0
    return replies.systems[a], replies.systems[b], telling, same, min(1.0, p * number)


def _rare(
    replies: ReplyMatrix, given: NDArray[np.bool_], a: int, others: Sequence[int]
) -> NDArray[np.bool_]:
    """Return (R,) whether two or more others answered, at most a third of them as this system did.

    What everybody says, being right or a form of words, shows no copy.
    """
    mine = replies.keys[:, [a]]
    answered = given[:, list(others)]
    alike = (answered & (replies.keys[:, list(others)] == mine)).sum(axis=1)
    there = answered.sum(axis=1)
    return np.asarray((there >= 2) & (3 * alike <= there), dtype=np.bool_)


def _copied(
    inputs: ProvenanceInputs,
    left: str,
    right: str,
    telling: NDArray[np.bool_],
    same: NDArray[np.bool_],
    p: float,
) -> ProvenanceFinding:
    both = telling & same
    ids = [inputs.item_ids[i] for i in np.flatnonzero(both)]
    effect = _without(inputs, right)
    return ProvenanceFinding(
        kind="copied_system",
        severity="high",
        title=f"{left} and {right} hold the same replies",
        systems=(left, right),
        evidence=(
            f"{int(both.sum())} of {plural(int(telling.sum()), 'telling reply', 'telling replies')}"
            f" are the same, {int(same.sum())} of all{_clashes(inputs, left, right, same)}"
            f"{effect_text(effect)}"
        ),
        advice="find out which file is the copy, and leave it out",
        measures=(
            Measure(name="same telling replies", value=int(both.sum())),
            Measure(name="telling replies", value=int(telling.sum())),
            Measure(name="same replies", value=int(same.sum())),
        ),
        p=p,
        witnesses=tuple(ids[:WITNESSES]),
        n_witnesses=len(ids),
        effect=effect,
        false_alarm_rate=ALPHA,
    )


def _clashes(inputs: ProvenanceInputs, left: str, right: str, same: NDArray[np.bool_]) -> str:
    """Return what the source's verdicts say of the same replies, where they differ."""
    stored = inputs.matrices.get(inputs.stored)
    if stored is None or not {left, right} <= set(stored.columns):
        return ""
    at = {row[0]: i for i, row in enumerate(stored.rows)}
    a, b = stored.columns.index(left), stored.columns.index(right)
    rows = [at[inputs.item_ids[i]] for i in np.flatnonzero(same) if inputs.item_ids[i] in at]
    differ = int((stored.right[rows, a] != stored.right[rows, b]).sum())
    return f"; the source marks {differ} of them differently" if differ else ""


def _without(inputs: ProvenanceInputs, system: str) -> RankEffect | None:
    stored = inputs.matrices.get(inputs.stored)
    if stored is None:
        return None
    before = counts(stored, inputs.items)
    after = {name: standing for name, standing in before.items() if name != system}
    text = f"without {system}"
    return rank_effect(before, after, correction=text, rule=inputs.stored)


def _duplicates(inputs: ProvenanceInputs) -> list[ProvenanceFinding]:
    groups: dict[tuple[str, ...], list[Item]] = {}
    for item in inputs.items:
        if item.question.strip():
            groups.setdefault(_question(item), []).append(item)
    twice = [group for group in groups.values() if len(group) > 1]
    if not twice:
        return []
    extra = {item.item_id for group in twice for item in group[1:]}
    clashing = [g for g in twice if len({_plain(item.reference or "") for item in g}) > 1]
    effect = _once(inputs, extra)
    named = [item.item_id for group in (*clashing, *twice) for item in group]
    ids = tuple(dict.fromkeys(named))
    clash = f"; {len(clashing)} of the groups have different references" if clashing else ""
    return [
        ProvenanceFinding(
            kind="duplicate_items",
            severity="high" if clashing else "medium",
            title=f"{plural(len(extra), 'item')} stand in the study twice"
            if len(extra) != 1
            else "1 item stands in the study twice",
            systems=(),
            evidence=(
                f"{plural(len(twice), 'question')} with {len(extra) + len(twice)} ids, for "
                f"instance {listed(item.item_id for item in twice[0])}{clash}{effect_text(effect)}"
            ),
            advice="keep each item once: a question that counts twice is evidence counted twice",
            measures=(Measure(name="items too many", value=len(extra)),),
            witnesses=ids[:WITNESSES],
            n_witnesses=len(ids),
            effect=effect,
        )
    ]


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _question(item: Item) -> tuple[str, ...]:
    parts = (item.question, item.context, *item.contexts, *item.choices)
    return tuple(_plain(part) for part in parts)


def _once(inputs: ProvenanceInputs, extra: set[str]) -> RankEffect | None:
    stored = inputs.matrices.get(inputs.stored)
    if stored is None:
        return None
    keep = np.array([item.item_id not in extra for item in inputs.items], dtype=np.bool_)
    before = counts(stored, inputs.items)
    after = counts(stored, inputs.items, systems=list(before), keep=keep)
    return rank_effect(before, after, correction="with each item once", rule=inputs.stored)
