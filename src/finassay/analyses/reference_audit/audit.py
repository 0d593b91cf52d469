"""The audit of references.  In: items with references of one or several sources.  Out: findings.

No model is asked.  Each text is computed again where it computes; the final answers of sources are
compared by value; what cannot be told is listed as such and not as an error.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from finassay.analyses.reference_audit.answers import Sameness, compare_answers
from finassay.analyses.reference_audit.conclusions import check_conclusion, check_turns
from finassay.analyses.reference_audit.inputs import ReferenceItem
from finassay.analyses.reference_audit.places import in_full
from finassay.analyses.reference_audit.recompute import recompute
from finassay.analyses.reference_audit.results import (
    PairSummary,
    ReferenceAudit,
    ReferenceFinding,
    ReferenceKind,
    SourceSummary,
    TextFinding,
)
from finassay.analyses.reference_audit.stated import check_stated
from finassay.analyses.results_audit import Severity

METHOD = (
    "computations are read out of the text and computed again with exact fractions, a lone figure "
    "being right when it is the value rounded or cut at its last digit; final answers are read at "
    "a box, an answer line or a conclusion, else at the end, and compared as figures, yes or no, "
    "expressions or prose; no model was asked"
)
SUSPECT: tuple[Severity, ...] = ("high", "medium")
"""Severities that make a reference suspected."""


@dataclass(frozen=True, slots=True)
class TextAudit:
    """What was found in one reference, and how many computations were checked."""

    findings: tuple[TextFinding, ...]
    n_checked: int


def audit_text(
    text: str, *, question: str = "", earlier: Sequence[tuple[str, str]] = ()
) -> TextAudit:
    """Return what does not hold in one reference.

    Args:
        text: the reference.
        question: what it answers.
        earlier: (question, reference) of the turns before, of the same source.
    """
    if not text.strip():
        return TextAudit((_empty(),), 0)
    before = [part for turn in earlier for part in turn]
    computed = recompute(text, question=question, before=before)
    stated, n_stated = check_stated(text)
    asked = " ".join([*(turn[0] for turn in earlier), question])
    concluded = check_conclusion(text, asked)
    turned = check_turns(text, [reference for _, reference in earlier])
    found = {
        (f.start, f.end, f.kind): f for f in (*computed.findings, *stated, *concluded, *turned)
    }
    ordered = sorted(found.values(), key=lambda f: (f.start, f.end))
    return TextAudit(tuple(ordered), computed.n_checked + n_stated)


def _empty() -> TextFinding:
    return TextFinding(
        kind="empty",
        severity="high",
        start=0,
        end=0,
        said="",
        stated="",
        found="",
        reason="there is no text",
    )


def audit_references(items: Sequence[ReferenceItem], *, trusted: str = "") -> ReferenceAudit:
    """Return what is wrong with the references of some items, as far as it can be told.

    Args:
        items: with one or several sources of references each.
        trusted: a source taken as right: where another differs from it, that one alone is
            suspected.  Without it a disagreement is held against both.
    """
    sources = tuple(
        dict.fromkeys(name for item in items for turn in item.turns for name, _ in turn.references)
    )
    found: list[ReferenceFinding] = []
    checked: dict[str, list[int]] = {name: [] for name in sources}
    pairs: dict[tuple[str, str], Counter[str]] = {}
    for item in items:
        own: list[ReferenceFinding] = []
        for name in sources:
            for findings, n in _own(item, name):
                own += findings
                checked[name].append(n)
        faulty = {(f.turn, f.source) for f in own if f.severity in SUSPECT}
        found += own
        found += _between(item, trusted, pairs, faulty)
    order = {item.item_id: at for at, item in enumerate(items)}
    found.sort(key=lambda f: (order[f.item_id], f.turn, sources.index(f.source), f.start, f.kind))
    kinds = Counter(finding.kind for finding in found)
    return ReferenceAudit(
        n_items=len(items),
        n_turns=sum(len(item.turns) for item in items),
        trusted=trusted,
        sources=tuple(_summary(name, items, checked[name], found) for name in sources),
        pairs=tuple(
            PairSummary(
                left=left,
                right=right,
                n=sum(counts.values()),
                n_same=counts["same"],
                n_different=counts["different"],
                n_unclear=counts["unclear"],
            )
            for (left, right), counts in pairs.items()
        ),
        kinds=tuple(sorted(kinds.items(), key=lambda pair: (-pair[1], pair[0]))),
        findings=tuple(found),
        method=METHOD,
        warnings=_warnings(items),
    )


def _warnings(items: Sequence[ReferenceItem]) -> tuple[str, ...]:
    return () if items else ("there are no references",)


def _own(item: ReferenceItem, source: str) -> Iterator[tuple[list[ReferenceFinding], int]]:
    """Yield what the references of one source to one item say against themselves, turn by turn."""
    earlier: list[tuple[str, str]] = []
    for number, turn in enumerate(item.turns, start=1):
        references = dict(turn.references)
        if source not in references:
            continue
        text = references[source]
        audit = audit_text(text, question=turn.question, earlier=earlier)
        yield (
            [_placed(item.item_id, number, source, finding) for finding in audit.findings],
            audit.n_checked,
        )
        earlier.append((turn.question, text))


def _placed(item_id: str, turn: int, source: str, found: TextFinding) -> ReferenceFinding:
    return ReferenceFinding(
        item_id=item_id,
        turn=turn,
        source=source,
        against="",
        kind=found.kind,
        severity=found.severity,
        start=found.start,
        end=found.end,
        said=found.said,
        stated=found.stated,
        found=found.found,
        reason=found.reason,
    )


def _between(
    item: ReferenceItem,
    trusted: str,
    pairs: dict[tuple[str, str], Counter[str]],
    faulty: set[tuple[int, str]],
) -> Iterator[ReferenceFinding]:
    """Yield the disagreements between the sources of an item, turn by turn.

    What a reference with a fault of its own (turn and source in `faulty`) says against another one
    weighs little.
    """
    for number, turn in enumerate(item.turns, start=1):
        question = in_full(turn.question, [one.question for one in item.turns[: number - 1]])
        compared = {
            (left, right): compare_answers(ours, theirs, question=question)
            for (left, ours), (right, theirs) in combinations(turn.references, 2)
            if ours.strip() and theirs.strip()
        }
        for (left, right), (same, told, said) in compared.items():
            pairs.setdefault((left, right), Counter())[same] += 1
            if same == "same":
                continue
            kind: ReferenceKind = "disagreement" if same == "different" else "unclear"
            for source, other, own, theirs in (
                (left, right, told, said),
                (right, left, said, told),
            ):
                if source == trusted:
                    continue
                weak = (number, other) in faulty and (number, source) not in faulty
                low = kind == "unclear" or weak or _is_backed(source, other, trusted, compared)
                how: tuple[ReferenceKind, Severity] = (kind, "low" if low else "medium")
                yield _against(item.item_id, number, (source, other), (own, theirs), how)


Compared = dict[tuple[str, str], tuple[Sameness, str, str]]


def _is_backed(source: str, other: str, trusted: str, compared: Compared) -> bool:
    """Return whether a third source speaks for a source against another that stands alone.

    A trusted source decides alone, either way.
    """
    sides = {
        name: {
            pair[pair[0] == name]
            for pair, (same, _, _) in compared.items()
            if name in pair and same == "same"
        }
        for name in (source, other)
    }
    if other == trusted:
        return False
    if trusted in sides[source]:
        return True
    return bool(sides[source]) and not sides[other]


def _against(
    item_id: str,
    turn: int,
    sources: tuple[str, str],
    values: tuple[str, str],
    how: tuple[ReferenceKind, Severity],
) -> ReferenceFinding:
    return ReferenceFinding(
        item_id=item_id,
        turn=turn,
        source=sources[0],
        against=sources[1],
        kind=how[0],
        severity=how[1],
        start=0,
        end=0,
        said=values[0],
        stated=values[0],
        found=values[1],
        reason=f"{sources[1]} answers otherwise"
        if how[0] == "disagreement"
        else f"whether {sources[1]} answers the same could not be told",
    )


def _summary(
    name: str,
    items: Sequence[ReferenceItem],
    checked: Sequence[int],
    found: Sequence[ReferenceFinding],
) -> SourceSummary:
    texts = [
        text
        for item in items
        for turn in item.turns
        for source, text in turn.references
        if source == name
    ]
    suspected = {(f.item_id, f.turn) for f in found if f.source == name and f.severity in SUSPECT}
    return SourceSummary(
        source=name,
        n=len(texts),
        n_empty=sum(not text.strip() for text in texts),
        n_checked=sum(checked),
        n_texts_checked=sum(n > 0 for n in checked),
        n_suspected=len(suspected),
    )
