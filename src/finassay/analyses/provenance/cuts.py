"""Texts that were cut.  In: lengths of replies and of logged copies.  Out: caps by file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.kernels.piles import ALPHA, SHORTEST, piles
from finassay.analyses.provenance.effects import counts, effect_text, rank_effect
from finassay.analyses.provenance.inputs import ProvenanceInputs, Section
from finassay.analyses.provenance.results import (
    Check,
    FindingKind,
    LengthPoint,
    Measure,
    ProvenanceFinding,
    RankEffect,
)
from finassay.analyses.wording import count, listed, plural, some
from finassay.marking.reply_matrix import ReplyMatrix

WITNESSES = 20

METHOD = (
    f"a cap is a length of {SHORTEST} characters or more at which so many different replies of one "
    f"system stand that Poisson chance, with the mean of the 20 lengths below, gives p < "
    f"{ALPHA:g} over the lengths tried, and most of them end in mid-sentence"
)


def reply_caps(replies: ReplyMatrix | None, *, skip: Sequence[str] = ()) -> tuple[LengthPoint, ...]:
    """Return the lengths at which the replies of each system pile up.

    Args:
        replies: the replies.
        skip: systems not to look at: people, whose answers nobody cut.
    """
    if replies is None:
        return ()
    return tuple(
        point
        for j, system in enumerate(replies.systems)
        if system not in skip
        for point in _caps_of(replies, j)
    )


def _caps_of(replies: ReplyMatrix, j: int) -> Iterator[LengthPoint]:
    there = replies.present[:, j]
    lengths, is_open = replies.lengths[there, j], replies.open_ended[there, j]
    # One reply given again and again is no cap.
    _, firsts = np.unique(replies.whole_keys[there, j], return_index=True)
    for pile in piles(lengths[firsts], is_open[firsts]):
        yield LengthPoint(
            system=replies.systems[j],
            source=replies.sources[j],
            what="reply",
            length=pile.length,
            n_at=int((lengths == pile.length).sum()),
            n=len(lengths),
            n_longer=int((lengths > pile.length).sum()),
            expected=pile.expected,
            p=pile.p,
            open_ended=pile.open_ended,
        )


def copy_cuts(replies: ReplyMatrix | None) -> tuple[LengthPoint, ...]:
    """Return where the logs of each system cut their copies of references and questions."""
    if replies is None:
        return ()
    found = []
    for j, system in enumerate(replies.systems):
        n = int(replies.present[:, j].sum())
        for what, cut_at in (
            ("reference", replies.reference_cut_at[:, j]),
            ("question", replies.question_cut_at[:, j]),
        ):
            lengths = Counter(cut_at[cut_at > 0].tolist())
            for length, rows in lengths.most_common():
                found.append(
                    LengthPoint(
                        system=system,
                        source=replies.sources[j],
                        what="reference" if what == "reference" else "question",
                        length=length,
                        n_at=rows,
                        n=n,
                        n_longer=sum(lengths[other] for other in lengths if other > length),
                        expected=None,
                        p=None,
                        open_ended=rows,
                    )
                )
    return tuple(found)


def at_cap(replies: ReplyMatrix, caps: Sequence[LengthPoint]) -> NDArray[np.bool_]:
    """Return (R, C) whether a reply stands at a cap of its system."""
    found = np.zeros(replies.lengths.shape, dtype=np.bool_)
    for cap in caps:
        j = replies.systems.index(cap.system)
        found[:, j] |= replies.lengths[:, j] == cap.length
    return found


def check_cuts(
    inputs: ProvenanceInputs, caps: Sequence[LengthPoint], copies: Sequence[LengthPoint]
) -> Iterator[Section]:
    """Yield what was cut: replies, references and questions, by file."""
    replies = inputs.replies
    systems = 0 if replies is None else len(replies.systems)
    found = [] if replies is None or not caps else [_cut_replies(inputs, replies, caps)]
    check = Check(
        kind="cut_replies",
        n=systems,
        unit="systems with replies",
        n_findings=len(found),
        method=METHOD,
        false_alarm_rate=ALPHA * max(systems, 1),
    )
    yield Section(check, found)
    for what in ("reference", "question"):
        own = [point for point in copies if point.what == what]
        named: FindingKind = "cut_references" if what == "reference" else "cut_questions"
        listed_ = [_cut_copies(named, own, replies)] if own and replies is not None else []
        yield Section(
            Check(
                kind=named,
                n=systems,
                unit="systems with replies",
                n_findings=len(listed_),
                method=(
                    f"the log's copy of the {what} is the beginning of the item's; kept at import"
                ),
                false_alarm_rate=0.0,
            ),
            listed_,
        )


def _cut_replies(
    inputs: ProvenanceInputs, replies: ReplyMatrix, caps: Sequence[LengthPoint]
) -> ProvenanceFinding:
    cut = at_cap(replies, caps)
    systems = tuple(dict.fromkeys(cap.system for cap in caps))
    worst = max(caps, key=lambda cap: cap.n_at / cap.n)
    free, effect = _effect(inputs, replies, cut)
    ids = [replies.items[i] for i in np.flatnonzero(cut.any(axis=1))]
    n_at = int(cut.sum())
    said = listed(f"{name} at {some(lengths)}" for name, lengths in _by_system(caps))
    return ProvenanceFinding(
        kind="cut_replies",
        severity="medium",
        title=f"Replies of {plural(len(systems), 'system')} were cut at a fixed length",
        systems=systems,
        evidence=(
            f"{count(n_at)} replies stand at a cap: {said} characters; most of all {worst.system}, "
            f"{worst.n_at} of {worst.n}; no reply at a cap on {count(free)} of "
            f"{plural(len(replies.items), 'item')}{effect_text(effect)}"
        ),
        advice="log whole replies, or report the result on the items where nothing is at a cap",
        measures=(
            Measure(name="replies at a cap", value=n_at),
            Measure(name="items without a reply at a cap", value=free),
        ),
        p=max(cap.p or 0.0 for cap in caps),
        witnesses=tuple(ids[:WITNESSES]),
        n_witnesses=len(ids),
        effect=effect,
        false_alarm_rate=ALPHA,
    )


def _by_system(points: Sequence[LengthPoint]) -> list[tuple[str, list[str]]]:
    named: dict[str, list[str]] = {}
    for point in points:
        named.setdefault(point.system, []).append(str(point.length))
    return list(named.items())


def _clear(where: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return (R,) whether nothing in a row is marked."""
    return np.asarray(~where.any(axis=1), dtype=np.bool_)


def _effect(
    inputs: ProvenanceInputs, replies: ReplyMatrix, cut: NDArray[np.bool_]
) -> tuple[int, RankEffect | None]:
    """Return the items without a reply at a cap, and the ranking on these alone.

    Systems without verdicts on every item are left aside, with their caps.
    """
    stored = inputs.matrices.get(inputs.stored)
    if stored is None:
        return int((~cut.any(axis=1)).sum()), None
    whole = counts(stored, inputs.items)
    names = [name for name in replies.systems if name in whole]
    keep = _clear(cut[:, [replies.systems.index(name) for name in names]])
    n = int(keep.sum())
    if not n:
        return 0, None
    after = counts(stored, inputs.items, systems=names, keep=keep)
    before = {name: whole[name] for name in names}
    text = f"on the {plural(n, 'item')} without a reply at a cap"
    return n, rank_effect(before, after, correction=text, rule=inputs.stored)


def _cut_copies(
    kind: FindingKind, points: Sequence[LengthPoint], replies: ReplyMatrix
) -> ProvenanceFinding:
    what = points[0].what
    table = replies.reference_cut_at if what == "reference" else replies.question_cut_at
    ids = [replies.items[i] for i in np.flatnonzero((table > 0).any(axis=1))]
    main: dict[str, LengthPoint] = {}
    for point in points:
        held = main.get(point.system)
        main[point.system] = point if held is None or point.n_at > held.n_at else held
    rows = sum(point.n_at for point in points)
    told = _by_length(list(main.values()))
    return ProvenanceFinding(
        kind=kind,
        severity="medium" if what == "reference" else "low",
        title=f"The logs of {plural(len(main), 'system')} hold cut {what}s",
        systems=tuple(main),
        evidence=f"{count(rows)} rows in all; {told}",
        advice=(
            f"mark against the {what}s of the items, never against the logged copies"
            if what == "reference"
            else "match rows to items by id, never by the logged question"
        ),
        measures=(
            Measure(name="rows", value=rows),
            *(
                Measure(name=f"cap of {p.source or name}", value=p.length)
                for name, p in main.items()
            ),
        ),
        witnesses=tuple(ids[:WITNESSES]),
        n_witnesses=len(ids),
    )


def _by_length(points: Sequence[LengthPoint]) -> str:
    """Return "at 100 characters in a.csv (20 rows) and b.csv (3 rows); at 150 characters ..."."""
    lengths = sorted({point.length for point in points})
    groups = []
    for length in lengths:
        own = [p for p in points if p.length == length]
        files = listed(f"{p.source or p.system} ({plural(p.n_at, 'row')})" for p in own)
        groups.append(f"at {length} characters in {files}")
    return "; ".join(groups)
