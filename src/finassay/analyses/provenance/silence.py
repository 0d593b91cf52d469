"""Replies that are no answers.  In: replies and verdicts.  Out: errors, empties, missing rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.alignment import aligned
from finassay.analyses.provenance.effects import counts, effect_text, rank_effect
from finassay.analyses.provenance.inputs import ProvenanceInputs, Section
from finassay.analyses.provenance.results import (
    Check,
    FindingKind,
    Measure,
    ProvenanceFinding,
    RankEffect,
)
from finassay.analyses.wording import plural, some
from finassay.marking.matrix import ABSENT, VerdictMatrix
from finassay.marking.reply_matrix import ReplyMatrix

WITNESSES = 20

_METHODS: Mapping[str, str] = {
    "error_replies": "the reply begins as a failed call does (FAIL:, ERROR:, HTTP 503, traceback)",
    "empty_replies": "the reply is there and blank",
    "empty_credited": "a scorer gives a blank reply or a failed call a value of 1/2 or more",
    "missing_rows": "a system has no reply to an item that another system answered",
}


def check_silence(inputs: ProvenanceInputs) -> Iterator[Section]:
    """Yield failed calls, blank replies, how scorers mark them, and rows that are not there."""
    replies = inputs.replies
    if replies is None:
        yield from (_section(kind, 0, "replies", []) for kind in _KINDS)
        return
    n = int(replies.present.sum())
    machines = np.array([not inputs.is_person(name) for name in replies.systems])
    empty, error = replies.empty & machines, replies.error & machines
    yield _section("error_replies", n, "replies", _errors(inputs, replies, error))
    yield _section("empty_replies", n, "replies", _empties(replies, empty))
    told = [
        finding
        for scorer, matrix in inputs.from_outside.items()
        for finding in _credited(inputs, replies, empty | error, scorer, matrix)
    ]
    silent = int((empty | error).sum())
    yield _section("empty_credited", silent, "blank or failed replies", told)
    yield _section("missing_rows", len(replies.systems), "systems", _missing(inputs, replies))


_KINDS: tuple[FindingKind, ...] = (
    "error_replies",
    "empty_replies",
    "empty_credited",
    "missing_rows",
)


def _section(kind: FindingKind, n: int, unit: str, found: list[ProvenanceFinding]) -> Section:
    check = Check(
        kind=kind,
        n=n,
        unit=unit,
        n_findings=len(found),
        method=_METHODS[kind],
        false_alarm_rate=0.0,
    )
    return Section(check, found)


def _by_system(replies: ReplyMatrix, where: NDArray[np.bool_]) -> dict[str, int]:
    sums = {name: int(where[:, j].sum()) for j, name in enumerate(replies.systems)}
    return dict(sorted(((s, k) for s, k in sums.items() if k), key=lambda pair: -pair[1]))


def _ids(replies: ReplyMatrix, where: NDArray[np.bool_]) -> tuple[str, ...]:
    return tuple(replies.items[i] for i in np.flatnonzero(where.any(axis=1)))


def _told(by_system: Mapping[str, int]) -> str:
    return some(f"{name} {rows}" for name, rows in by_system.items())


def _errors(
    inputs: ProvenanceInputs, replies: ReplyMatrix, error: NDArray[np.bool_]
) -> list[ProvenanceFinding]:
    by_system = _by_system(replies, error)
    if not by_system:
        return []
    ids = _ids(replies, error)
    total, answered = sum(by_system.values()), replies.present.sum(axis=0)
    whole = [s for s, k in by_system.items() if k == answered[replies.systems.index(s)]]
    effect = _without(inputs, replies, error, "without the items of failed calls")
    wholly = f"; every reply of {some(whole)} is one" if whole else ""
    return [
        ProvenanceFinding(
            kind="error_replies",
            severity="high" if whole else "medium",
            title=f"Replies of {plural(len(by_system), 'system')} are failed calls",
            systems=tuple(by_system),
            evidence=(
                f"{plural(total, 'reply', 'replies')}: {_told(by_system)}{wholly}"
                f"{effect_text(effect)}"
            ),
            advice="ask again for these items: a failed call is marked as if it were an answer",
            measures=(Measure(name="failed calls", value=total),),
            witnesses=ids[:WITNESSES],
            n_witnesses=len(ids),
            effect=effect,
        )
    ]


def _without(
    inputs: ProvenanceInputs, replies: ReplyMatrix, where: NDArray[np.bool_], text: str
) -> RankEffect | None:
    """Return the ranking without the items on which a complete system has such a reply."""
    stored = inputs.matrices.get(inputs.stored)
    if stored is None:
        return None
    before = counts(stored, inputs.items)
    names = [name for name in replies.systems if name in before]
    own = where[:, [replies.systems.index(name) for name in names]]
    keep = np.asarray(~own.any(axis=1), dtype=np.bool_)
    if keep.all() or not keep.any():
        return None
    after = counts(stored, inputs.items, systems=list(before), keep=keep)
    return rank_effect(before, after, correction=text, rule=inputs.stored)


def _empties(replies: ReplyMatrix, empty: NDArray[np.bool_]) -> list[ProvenanceFinding]:
    by_system = _by_system(replies, empty)
    if not by_system:
        return []
    ids, total = _ids(replies, empty), sum(by_system.values())
    return [
        ProvenanceFinding(
            kind="empty_replies",
            severity="low",
            title=f"{plural(len(by_system), 'system')} gave blank replies",
            systems=tuple(by_system),
            evidence=f"{plural(total, 'reply', 'replies')}: {_told(by_system)}",
            advice="find out whether the budget ran out or the call failed, and ask again",
            measures=(Measure(name="blank replies", value=total),),
            witnesses=ids[:WITNESSES],
            n_witnesses=len(ids),
        )
    ]


def _credited(
    inputs: ProvenanceInputs,
    replies: ReplyMatrix,
    silent: NDArray[np.bool_],
    scorer: str,
    matrix: VerdictMatrix,
) -> Iterator[ProvenanceFinding]:
    names = [name for name in matrix.columns if name in replies.systems]
    if not names:
        return
    table = aligned(matrix, inputs.items).select(columns=names)
    own = silent[:, [replies.systems.index(name) for name in names]]
    marked, right = own & table.scored, own & table.right
    if not right.any():
        return
    by_system = {s: int(right[:, j].sum()) for j, s in enumerate(names) if right[:, j].any()}
    ids = tuple(inputs.item_ids[i] for i in np.flatnonzero(right.any(axis=1)))
    effect = rank_effect(
        _shares(table, names),
        _shares(table, names, wrong=own),
        rule=scorer,
        correction="with these counted as wrong",
    )
    yield ProvenanceFinding(
        kind="empty_credited",
        severity="high" if scorer == inputs.stored else "medium",
        title=f"{scorer} marks replies right that hold no answer",
        systems=tuple(by_system),
        evidence=(
            f"of {plural(int(marked.sum()), 'blank or failed reply', 'blank or failed replies')} "
            f"that it marked, {int(right.sum())} are right: {_told(by_system)}{effect_text(effect)}"
        ),
        advice="count blank and failed replies as no answer under this scorer",
        measures=(
            Measure(name="blank or failed replies marked", value=int(marked.sum())),
            Measure(name="credited", value=int(right.sum())),
        ),
        witnesses=ids[:WITNESSES],
        n_witnesses=len(ids),
        effect=effect,
    )


def _shares(
    table: VerdictMatrix, names: Sequence[str], *, wrong: NDArray[np.bool_] | None = None
) -> dict[str, tuple[int, int]]:
    """Return (right, scored) of every system, with some replies counted as wrong."""
    right = table.right if wrong is None else table.right & ~wrong
    return {
        name: (int(right[:, j].sum()), int(table.scored[:, j].sum()))
        for j, name in enumerate(names)
        if table.scored[:, j].any()
    }


def _missing(inputs: ProvenanceInputs, replies: ReplyMatrix) -> list[ProvenanceFinding]:
    machines = [name for name in replies.systems if not inputs.is_person(name)]
    there = replies.select(machines).present
    asked = there.any(axis=1)
    gaps = {
        name: int((asked & ~there[:, j]).sum())
        for j, name in enumerate(machines)
        if (asked & ~there[:, j]).any()
    }
    stored = inputs.matrices.get(inputs.stored)
    out = []
    for name, rows in gaps.items():
        j = machines.index(name)
        ids = [replies.items[i] for i in np.flatnonzero(asked & ~there[:, j])]
        marked = _marked_without_reply(inputs, stored, name, ~there[:, j])
        extra = f"; the source has verdicts on {marked} of them" if marked else ""
        out.append(
            ProvenanceFinding(
                kind="missing_rows",
                severity="medium",
                title=f"{name} answered a part of the items",
                systems=(name,),
                evidence=f"no reply to {rows} of {plural(int(asked.sum()), 'item')}{extra}",
                advice="run the missing items, or compare all systems on the shared ones",
                measures=(Measure(name="items without a reply", value=rows),),
                witnesses=tuple(ids[:WITNESSES]),
                n_witnesses=len(ids),
            )
        )
    return out


def _marked_without_reply(
    inputs: ProvenanceInputs,
    stored: VerdictMatrix | None,
    system: str,
    absent: NDArray[np.bool_],
) -> int:
    if stored is None or system not in stored.columns:
        return 0
    table = aligned(stored, inputs.items)
    there = table.status[:, table.columns.index(system)] != ABSENT
    return int((there & absent).sum())
