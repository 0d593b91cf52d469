"""Why a reply got its marks.  In: a snapshot, an item and a system.  Out: every rule's steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

import polars as pl

from finassay.errors import SpecError, UnknownNameError
from finassay.marking.columns import verdicts_of
from finassay.marking.single import MarkExplained, trace
from finassay.records import AnswerContract, Erratum, Item, Prediction, Verdict
from finassay.scorers.base import Scorer
from finassay.scorers.composites import Imported
from finassay.scorers.registry import from_spec, is_imported
from finassay.study.rows import items_from, predictions_from
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
        alternatives: other accepted answers.
        contract: (field, value) of the item's answer contract, those that are declared.
        erratum: what the reference was before, who changed it and why; None where it stands.
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
    alternatives: tuple[str, ...]
    contract: tuple[tuple[str, str], ...]
    erratum: Erratum | None
    reply: str
    finish: str
    marks: tuple[MarkExplained, ...]
    stale: tuple[str, ...]

    def without_text(self) -> PredictionExplained:
        """Return the same without questions, references, replies and what rules read in them."""
        bare = tuple(replace(mark, steps=(), extracted=None) for mark in self.marks)
        erratum = self.erratum
        if erratum is not None:
            erratum = replace(erratum, old_reference=HIDDEN, reason=HIDDEN)
        return replace(
            self,
            question=HIDDEN,
            reference=HIDDEN,
            alternatives=(),
            erratum=erratum,
            reply=HIDDEN,
            marks=bare,
        )

    def to_lines(self) -> list[str]:
        """Return the explanation in plain lines."""
        return [
            f"item {self.item_id} ({self.task or 'no task'}), system {self.system}",
            f"question:  {self.question}",
            f"reference: {'(none)' if self.reference is None else self.reference}",
            *(f"      or:  {text}" for text in self.alternatives),
            *self._agreed(),
            f"reply:     {self.reply}",
            f"finish:    {self.finish}",
            "",
            *(line for mark in self.marks for line in mark.to_lines()),
            *(() if self.marks else ("no verdict yet; run `finassay score STUDY`",)),
            *(f"{name}: stands on an older text; run `finassay score`" for name in self.stale),
        ]

    def _agreed(self) -> list[str]:
        """Return lines on the answer contract and the erratum, where there are any."""
        contract = ", ".join(f"{name} {value}" for name, value in self.contract)
        found = [f"contract:  {contract}"] if contract else []
        if self.erratum is not None:
            was = self.erratum.old_reference
            found.append(f"erratum:   was {was}; {self.erratum.by}: {self.erratum.reason}")
        return found


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
            what = (
                "its verdicts are imported: import a table that has one on this reply"
                if is_imported(missing[0])
                else f"run `finassay score STUDY --scorer {missing[0]!r}`"
            )
            raise UnknownNameError(f"no verdict of {missing[0]!r} on this reply; {what}")
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
        alternatives=item.alternatives,
        contract=_declared(item.contract),
        erratum=item.erratum,
        reply=prediction.text,
        finish=prediction.finish,
        marks=tuple(
            _mark((row["scorer_id"], row["scorer_version"]), verdict, specs, (item, prediction))
            for row, verdict in zip(rows, verdicts_of(verdicts), strict=True)
        ),
        stale=tuple(r["scorer_id"] for r in rows if (r["text_digest"], r["item_digest"]) != now),
    )


def _declared(contract: AnswerContract) -> tuple[tuple[str, str], ...]:
    values = ((field.name, getattr(contract, field.name)) for field in fields(contract))
    return tuple((name, str(value)) for name, value in values if value is not None)


def _item(snapshot: Snapshot, item_id: str) -> Item:
    found = items_from(snapshot.frame("items", item_id=item_id))
    if not found:
        raise UnknownNameError(f"the study holds no item {item_id!r}; see the items table")
    return found[0]


def _specs(snapshot: Snapshot) -> dict[tuple[str, str], str]:
    rows = snapshot.frame("scorers").iter_rows(named=True)
    return {(row["scorer_id"], row["scorer_version"]): row["spec"] for row in rows}


def _mark(
    key: tuple[str, str],
    verdict: Verdict,
    specs: dict[tuple[str, str], str],
    answer: tuple[Item, Prediction],
) -> MarkExplained:
    item, prediction = answer
    scorer = _scorer(specs.get(key))
    steps = trace(scorer, item=item, prediction=prediction) if scorer is not None else ()
    return MarkExplained.of(verdict, scorer=key[0], version=key[1], steps=steps)


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
