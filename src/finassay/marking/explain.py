"""Why a reply got its marks.  In: a snapshot, an item and a system.  Out: every rule's steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import polars as pl

from finassay.errors import SpecError, UnknownNameError
from finassay.marking.single import MarkExplained, trace
from finassay.records import Item, Prediction, Verdict
from finassay.scorers.base import Scorer
from finassay.scorers.composites import Imported
from finassay.scorers.registry import from_spec
from finassay.study.rows import predictions_from
from finassay.study.snapshot import Snapshot

HIDDEN = "(text left out)"


@dataclass(frozen=True, slots=True, kw_only=True)
class PredictionExplained:
    """A reply beside its item, with the verdict and steps of each scorer.

    Attributes:
        item_id: the item.
        system: display name of the system.
        task: task of the item.
        question: the question.
        reference: the accepted answer, or None.
        reply: the reply, whole.
        finish: what became of the reply.
        marks: one entry for each scorer with a verdict.
        stale: scorers whose verdict stands on an older text or item.
    """

    item_id: str
    system: str
    task: str
    question: str
    reference: str | None
    reply: str
    finish: str
    marks: tuple[MarkExplained, ...]
    stale: tuple[str, ...]

    def without_text(self) -> PredictionExplained:
        """Return the same without questions, references, replies and what rules read in them."""
        bare = tuple(
            replace(mark, steps=(), verdict=replace(mark.verdict, extracted=None))
            for mark in self.marks
        )
        return replace(self, question=HIDDEN, reference=HIDDEN, reply=HIDDEN, marks=bare)

    def to_lines(self) -> list[str]:
        """Return the explanation in plain lines."""
        return [
            f"item {self.item_id} ({self.task or 'no task'}), system {self.system}",
            f"question:  {self.question}",
            f"reference: {'(none)' if self.reference is None else self.reference}",
            f"reply:     {self.reply}",
            f"finish:    {self.finish}",
            "",
            *(line for mark in self.marks for line in mark.to_lines()),
            *(f"{name}: stands on an older text; run `finassay score`" for name in self.stale),
        ]


def explain_prediction(
    snapshot: Snapshot,
    *,
    item_id: str,
    system: str,
    scorers: Sequence[str] | None = None,
    trial: int = 0,
) -> PredictionExplained:
    """Return every verdict on a system's reply to an item, with the steps that led to it.

    Args:
        snapshot: pinned tables.
        item_id: the item.
        system: display name, id, or beginning of an id.
        scorers: scorer ids; all with a verdict by default.
        trial: the trial.

    Raises:
        UnknownNameError: no such item, system, prediction or verdict.
    """
    system_id = snapshot.resolve_system(system)
    item = _item(snapshot, item_id)
    held = snapshot.frame("predictions", system_id=system_id, item_id=item_id, trial=trial)
    if not held.height:
        raise UnknownNameError(
            f"system {system!r} has no reply to item {item_id!r} in trial {trial}; see the "
            f"coverage in `finassay audit`"
        )
    prediction = predictions_from(held)[0]
    verdicts = snapshot.frame("verdicts", system_id=system_id, item_id=item_id, trial=trial)
    if scorers is not None:
        missing = sorted(set(scorers) - set(verdicts["scorer_id"].to_list()))
        if missing:
            raise UnknownNameError(
                f"no verdict of {missing[0]!r} on this reply; run `finassay score STUDY --scorer "
                f"{missing[0]!r}`"
            )
        verdicts = verdicts.filter(pl.col("scorer_id").is_in(list(scorers)))
    specs = _specs(snapshot)
    rows = list(verdicts.iter_rows(named=True))
    now = (prediction.text_digest, item.item_digest)
    return PredictionExplained(
        item_id=item_id,
        system=next(s.name for s in snapshot.systems() if s.system_id == system_id),
        task=item.task,
        question=item.question,
        reference=item.reference,
        reply=prediction.text,
        finish=prediction.finish,
        marks=tuple(_mark(row, specs, item, prediction) for row in rows),
        stale=tuple(r["scorer_id"] for r in rows if (r["text_digest"], r["item_digest"]) != now),
    )


def _item(snapshot: Snapshot, item_id: str) -> Item:
    found = [item for item in snapshot.items() if item.item_id == item_id]
    if not found:
        raise UnknownNameError(f"the study holds no item {item_id!r}; see the items table")
    return found[0]


def _specs(snapshot: Snapshot) -> dict[tuple[str, str], str]:
    rows = snapshot.frame("scorers").iter_rows(named=True)
    return {(row["scorer_id"], row["scorer_version"]): row["spec"] for row in rows}


def _mark(
    row: dict[str, object],
    specs: dict[tuple[str, str], str],
    item: Item,
    prediction: Prediction,
) -> MarkExplained:
    key = str(row["scorer_id"]), str(row["scorer_version"])
    scorer = _scorer(specs.get(key))
    steps = trace(scorer, item=item, prediction=prediction) if scorer is not None else ()
    verdict = {name: row[name] for name in ("status", "value", "label", "extracted", "reason")}
    flags = row["flags"] if isinstance(row["flags"], list) else []
    return MarkExplained(
        scorer=key[0],
        version=key[1],
        verdict=Verdict(**verdict, flags=tuple(flags)),  # type: ignore[arg-type]
        steps=steps,
    )


def _scorer(spec: str | None) -> Scorer | None:
    """Return the scorer of a stored spec; None where no rule of today made the verdict.

    That is so for regimes, for imported verdicts, and for scorers of another version.
    """
    if spec is None or '"regime"' in spec:
        return None
    try:
        found = from_spec(spec)
    except (UnknownNameError, SpecError):
        return None
    return None if isinstance(found, Imported) else found
