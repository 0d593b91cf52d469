"""Small hand-made studies for tests of provenance, without a study on disk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import polars as pl

from finassay.analyses.provenance.inputs import ProvenanceInputs
from finassay.analyses.provenance.results import Provenance, ProvenanceFinding
from finassay.analyses.provenance.trace import trace_provenance
from finassay.marking.batch import Batch
from finassay.marking.matrix import VerdictMatrix
from finassay.marking.reply_matrix import replies_from
from finassay.marking.rowwise import Marker
from finassay.marking.single import as_scorer
from finassay.records import Item, ReportedScore, Status

CANDIDATES = ("strict/numbers-first", "strict/fuzzy-first", "includes", 'exact[normaliser="words"]')

Texts = Mapping[str, Sequence[str | None]]
"""System -> one reply an item; None where there is none."""


def questions(
    references: Sequence[str], *, families: Sequence[str] = (), task: str = "open"
) -> tuple[Item, ...]:
    """Return items q0, q1, ... that ask different things."""
    return tuple(
        Item(
            item_id=f"q{at}",
            family=families[at] if families else "F",
            task=task,
            question=f"What does clause {at} say?",
            reference=reference,
        )
        for at, reference in enumerate(references)
    )


def verdicts(items: Sequence[Item], right: Mapping[str, Sequence[float | None]]) -> VerdictMatrix:
    """Return items x systems verdicts; None for no verdict at all."""
    return VerdictMatrix.from_cells(
        (
            ((item.item_id,), system, "scored", value)
            for system, values in right.items()
            for item, value in zip(items, values, strict=True)
            if value is not None
        ),
        row_names=("item_id",),
        column_name="system",
    )


def marked(items: Sequence[Item], texts: Texts, rule: str) -> VerdictMatrix:
    """Return the verdicts of a rule on texts."""
    cells = [
        (item, system, text)
        for system, replies in texts.items()
        for item, text in zip(items, replies, strict=True)
        if text is not None
    ]
    frame = pl.DataFrame(
        {
            "reference": [item.reference for item, _, _ in cells],
            "reply": [text for _, _, text in cells],
            "task": [item.task for item, _, _ in cells],
        }
    )
    found = Marker(Batch.from_rows(frame)).mark(as_scorer(rule))
    states: list[Status] = found["status"].to_list()
    return VerdictMatrix.from_cells(
        (
            ((item.item_id,), system, status, value)
            for (item, system, _), status, value in zip(
                cells, states, found["value"].to_list(), strict=True
            )
        ),
        row_names=("item_id",),
        column_name="system",
    )


def inputs(
    items: Sequence[Item],
    texts: Texts,
    *,
    stored: VerdictMatrix | str | None = "strict/numbers-first",
    more: Mapping[str, VerdictMatrix] | None = None,
    reported: Sequence[ReportedScore] = (),
    candidates: Sequence[str] = CANDIDATES,
) -> ProvenanceInputs:
    """Return what an audit of provenance reads; `stored` may name the rule that made it."""
    matrices = dict(more or {})
    if stored is not None:
        matrices["stored"] = marked(items, texts, stored) if isinstance(stored, str) else stored
    at = {item.item_id: i for i, item in enumerate(items)}
    return ProvenanceInputs(
        study="by hand",
        items=tuple(items),
        matrices=matrices,
        candidates={rule: marked(items, texts, rule) for rule in candidates},
        replies=replies_from(list(texts), list(at), lambda system, item: texts[system][at[item]]),
        reported=tuple(reported),
        judge=min((name for name in matrices if name.startswith("judge/")), default=None),
    )


def trace(given: ProvenanceInputs) -> Provenance:
    """Return the audit."""
    return trace_provenance(given)


def only(found: Provenance, kind: str) -> ProvenanceFinding:
    """Return the one finding of this kind."""
    (finding,) = (f for f in found.findings if f.kind == kind)
    return finding


def cell(
    row: str, column: str, printed: str, n: int | None = None, table: str = "Table 1"
) -> ReportedScore:
    """Return one printed percent."""
    return ReportedScore(
        source="paper",
        table=table,
        row=row,
        column=column,
        value=float(printed) / 100,
        printed=printed,
        n=n,
    )
