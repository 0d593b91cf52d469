"""The references of a study.  In: a snapshot.  Out: an audit of them.

Beside what a reference says against itself: accepted alternatives with another value, corrected
references whose old text has another value, and items on which most systems give one other answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from finassay.analyses.reference_audit.answers import FinalAnswer, compare_answers, final_answer
from finassay.analyses.reference_audit.audit import audit_references
from finassay.analyses.reference_audit.inputs import ReferenceItem, ReferenceTurn
from finassay.analyses.reference_audit.results import (
    ReferenceAudit,
    ReferenceFinding,
    ReferenceKind,
)
from finassay.analyses.results_audit import Severity
from finassay.marking.reply_texts import reply_texts
from finassay.records import Item
from finassay.study.snapshot import Snapshot

SOURCE = "reference"
LEAST_SYSTEMS = 4
"""Systems with an answer that can be read, below which there is no consensus."""

LEAST_SHARE = 2 / 3
"""Share of those systems that must give one and the same answer."""

CONSENSUS_METHOD = (
    f"a consensus is one final answer of at least {LEAST_SYSTEMS} systems and of two in three; it "
    "speaks against a reference only where it differs from it, and systems may share an error"
)


def audit_study_references(snapshot: Snapshot) -> ReferenceAudit:
    """Return what speaks against the references of a study.

    Items without a reference are counted as empty; items whose reference is one of several choices
    or a label are read like any other.
    """
    items = snapshot.items()
    made = tuple(_as_item(item) for item in items)
    found = audit_references(made)
    replies = reply_texts(snapshot)
    more = [
        finding
        for item in items
        for finding in (*_accepted(item), *_consensus(item, replies.get(item.item_id, {})))
    ]
    order = {item.item_id: at for at, item in enumerate(items)}
    every = sorted((*found.findings, *more), key=lambda f: (order[f.item_id], f.start, f.kind))
    kinds = Counter(finding.kind for finding in every)
    suspected = {f.item_id for f in every if f.severity in {"high", "medium"}}
    return replace(
        found,
        sources=tuple(replace(one, n_suspected=len(suspected)) for one in found.sources),
        kinds=tuple(sorted(kinds.items(), key=lambda pair: (-pair[1], pair[0]))),
        findings=tuple(every),
        method=f"{found.method}; {CONSENSUS_METHOD}",
    )


def _as_item(item: Item) -> ReferenceItem:
    turn = ReferenceTurn(question=item.question, references=((SOURCE, item.reference or ""),))
    return ReferenceItem(item_id=item.item_id, turns=(turn,))


def _accepted(item: Item) -> Iterator[ReferenceFinding]:
    """Yield alternatives and an old reference that answer otherwise than the reference."""
    reference = item.reference or ""
    if not reference.strip():
        return
    for number, text in enumerate(item.alternatives, start=1):
        same, own, other = compare_answers(reference, text, question=item.question)
        if same == "different":
            why = "an accepted alternative answers otherwise"
            yield _finding(
                item, _Case("alternative", "low", f"alternative {number}", why), own, other
            )
    if item.erratum is not None:
        old = item.erratum.old_reference
        same, own, other = compare_answers(reference, old, question=item.question)
        if same == "different":
            why = f"corrected by {item.erratum.by}: {item.erratum.reason}"
            yield _finding(item, _Case("erratum", "note", "the old reference", why), own, other)


@dataclass(frozen=True, slots=True)
class _Case:
    kind: ReferenceKind
    severity: Severity
    against: str
    why: str


def _finding(item: Item, case: _Case, own: str, other: str) -> ReferenceFinding:
    return ReferenceFinding(
        item_id=item.item_id,
        turn=1,
        source=SOURCE,
        against=case.against,
        kind=case.kind,
        severity=case.severity,
        start=0,
        end=0,
        said=own,
        stated=own,
        found=other,
        reason=case.why,
    )


def _consensus(item: Item, replies: Mapping[str, str]) -> Iterator[ReferenceFinding]:
    """Yield the one answer of most systems where it is not the reference's."""
    reference = item.reference or ""
    if not reference.strip() or len(replies) < LEAST_SYSTEMS:
        return
    groups: dict[str, list[str]] = {}
    read = 0
    for system, text in replies.items():
        key = _key(final_answer(text, item.question))
        if key:
            read += 1
            groups.setdefault(key, []).append(system)
    if read < LEAST_SYSTEMS or not groups:
        return
    most = max(groups.values(), key=len)
    if len(most) < LEAST_SYSTEMS or len(most) < LEAST_SHARE * read:
        return
    votes = [compare_answers(reference, replies[name], question=item.question) for name in most]
    if all(same == "different" for same, _, _ in votes):
        _, own, other = votes[0]
        severity: Severity = "medium" if len(most) == read else "low"
        why = f"{len(most)} of {read} systems whose answer could be read give it"
        yield _finding(item, _Case("consensus", severity, "systems", why), own, other)


def _key(answer: FinalAnswer) -> str:
    """Return what two answers share when they are one: yes or no, or their figures."""
    if answer.polarity:
        return answer.polarity
    return _figures(answer) if answer.figures else ""


def _figures(answer: FinalAnswer) -> str:
    values: Sequence[float] = [float(figure.value) for figure in answer.figures]
    if all(1900 <= value <= 2100 for value in values):
        # Years are parts of dates, which are not read here.
        return ""
    return " ".join(f"{value:.4g}" for value in sorted(set(values)))
