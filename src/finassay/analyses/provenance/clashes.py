"""What cannot all be true.  In: verdicts, replies, logs.  Out: contradictions, card orders."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.alignment import aligned
from finassay.analyses.extraction.card_order import contradictions, infer_card_order
from finassay.analyses.provenance.inputs import ProvenanceInputs, Section
from finassay.analyses.provenance.results import Check, Measure, ProvenanceFinding
from finassay.analyses.wording import listed, plural, some
from finassay.marking.matrix import VerdictMatrix
from finassay.marking.reply_matrix import ReplyMatrix
from finassay.records import JUDGE_PREFIX
from finassay.runs.importers.label_logs import LabelLog

WITNESSES = 20

_WORDS = {
    "right_and_missing": "right although no label was found",
    "right_with_another_label": "right with another label than the accepted one",
    "wrong_with_the_label": "wrong with the accepted label",
}

METHOD = (
    "one scorer gives the same reply to the same item a right and a wrong verdict; or a row of a "
    "log is right and missing at once, right with another label than the accepted one, or wrong "
    "with it"
)


def check_clashes(inputs: ProvenanceInputs) -> Iterator[Section]:
    """Yield contradictions between verdicts, within logs, and card orders that logs give away."""
    found = [
        finding
        for scorer, matrix in inputs.from_outside.items()
        if inputs.replies is not None
        for finding in _same_reply(inputs, inputs.replies, scorer, matrix)
    ]
    for log in inputs.logs:
        found += _within(log)
    yield Section(
        Check(
            kind="contradiction",
            n=len(inputs.from_outside) + len(inputs.logs),
            unit="scorers and logs",
            n_findings=len(found),
            method=METHOD,
            false_alarm_rate=0.0,
        ),
        found,
    )
    marked = [log for log in inputs.logs if any(row.is_right is not None for row in log.rows)]
    orders = [finding for log in marked for finding in _order(log)]
    yield Section(
        Check(
            kind="card_order",
            n=len(marked),
            unit="logs with marks",
            n_findings=len(orders),
            method=(
                "one order of the labels, and not the first label in the text, gives every logged "
                "mark"
            ),
            false_alarm_rate=0.0,
        ),
        orders,
    )


def _same_reply(
    inputs: ProvenanceInputs, replies: ReplyMatrix, scorer: str, matrix: VerdictMatrix
) -> Iterator[ProvenanceFinding]:
    names = [name for name in matrix.columns if name in replies.systems]
    table = aligned(matrix, inputs.items).select(columns=names)
    own = replies.select(names)
    witnesses, minority = _mixed_groups(table, own, table.scored & own.present & ~own.empty)
    if not witnesses:
        return
    ids = tuple(dict.fromkeys(inputs.item_ids[i] for i in witnesses))
    is_judge = scorer.startswith(JUDGE_PREFIX)
    told = some(f"{name} {times}" for name, times in minority.most_common())
    yield ProvenanceFinding(
        kind="contradiction",
        severity="low" if is_judge else "medium",
        title=f"{scorer} marks the same reply right and wrong",
        systems=tuple(name for name, _ in minority.most_common()),
        evidence=(
            f"{plural(len(witnesses), 'reply', 'replies')} to {plural(len(ids), 'item')} that "
            f"systems have in common; on the side of the fewer: {told}"
        ),
        advice=(
            "ask the judge several times, and report how often it changes its mind"
            if is_judge
            else "mark every system with one rule, against one copy of the references"
        ),
        measures=(Measure(name="replies", value=len(witnesses)),),
        witnesses=ids[:WITNESSES],
        n_witnesses=len(ids),
    )


def _mixed_groups(
    table: VerdictMatrix, replies: ReplyMatrix, usable: NDArray[np.bool_]
) -> tuple[list[int], Counter[str]]:
    """Return the items of replies marked both ways, and systems on the side of the fewer."""
    rows, columns = np.nonzero(usable)
    keys, right = replies.whole_keys[usable], table.right[usable]
    order = np.lexsort((keys, rows))
    starts = np.ones(len(order), dtype=np.bool_)
    same_row = rows[order][1:] == rows[order][:-1]
    starts[1:] = ~(same_row & (keys[order][1:] == keys[order][:-1]))
    group = np.cumsum(starts) - 1
    total = np.bincount(group, minlength=1)
    positive = np.bincount(group, weights=right[order], minlength=1)
    mixed = np.flatnonzero((positive > 0) & (positive < total))
    minority: Counter[str] = Counter()
    for number in mixed.tolist():
        members = order[group == number]
        few = 2 * positive[number] <= total[number]
        minority.update(table.columns[columns[m]] for m in members if bool(right[m]) == bool(few))
    firsts = order[np.flatnonzero(starts)] if len(order) else order
    return [int(rows[firsts[number]]) for number in mixed], minority


def _within(log: LabelLog) -> Iterator[ProvenanceFinding]:
    found = contradictions(log)
    if not found:
        return
    kinds = Counter(each.kind for each in found)
    yield ProvenanceFinding(
        kind="contradiction",
        severity="medium",
        title=f"Rows of {log.source} contradict themselves",
        systems=(log.source,),
        evidence=(
            f"{plural(len(found), 'row')} of {len(log.rows)}: "
            f"{listed(f'{rows} {_WORDS[kind]}' for kind, rows in kinds.items())}"
        ),
        advice="mark the replies again; the log's own marks cannot all be true",
        measures=tuple(Measure(name=_WORDS[kind], value=rows) for kind, rows in kinds.items()),
        witnesses=tuple(each.row for each in found[:WITNESSES]),
        n_witnesses=len(found),
    )


def _order(log: LabelLog) -> Iterator[ProvenanceFinding]:
    if len({label.casefold() for label in log.choices()}) < 2:
        return
    order = infer_card_order(log)
    if order.state not in {"identified", "partly"} or order.best is None:
        return
    if order.order is not None:
        told = ", ".join(order.order)
    else:
        told = some(f"{a} before {b}" for a, b in order.pairs)
    rows = plural(order.n_deciding, "row")
    yield ProvenanceFinding(
        kind="card_order",
        severity="note",
        title=f"The marks of {log.source} give away the card order of its labels",
        systems=(log.source,),
        evidence=(
            f"{told}: {order.best.reproduced} of {order.best.n} marks come out as logged; "
            f"{rows} depend on the order"
        ),
        advice="name the order beside the score: another order of the labels gives another score",
        measures=(
            Measure(name="marks that come out as logged", value=order.best.reproduced),
            Measure(name="marks", value=order.best.n),
            Measure(name="rows that depend on the order", value=order.n_deciding),
        ),
    )
