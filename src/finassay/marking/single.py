"""Marking one answer.  In: texts.  Out: a verdict.  Needs no frame library."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from finassay.errors import UsageError
from finassay.records import AnswerContract, Finish, Item, Prediction, Status, Verdict
from finassay.scorers.base import Scorer, Traced
from finassay.scorers.composites import Composite
from finassay.scorers.registry import load_scorer, scorer_id_of


def as_scorer(scorer: str | Scorer) -> Scorer:
    """Return the scorer of an id, or the scorer itself."""
    return load_scorer(scorer) if isinstance(scorer, str) else scorer


def as_text(text: object) -> str:
    """Return the text with halves of surrogate pairs, which UTF-8 cannot hold, as U+FFFD.

    Raises:
        UsageError: it is no text.
    """
    if not isinstance(text, str):
        raise UsageError(
            f"reply, reference and question must be text, got {text!r}; pass it as text, as '5'"
        )
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def fate_of(reply: str) -> Finish:
    """Return the `finish` of a reply of which nothing but its text is known."""
    return "not_logged" if reply.strip() else "empty"


def as_item(
    *,
    reference: str | None,
    question: str | None = None,
    choices: Sequence[str] | None = None,
    context: str | None = None,
    task: str | None = None,
    contract: AnswerContract | None = None,
) -> Item:
    """Return an item of what is known of it."""
    return Item(
        item_id="",
        reference=None if reference is None else as_text(reference),
        question=as_text(question or ""),
        choices=tuple(as_text(choice) for choice in choices or ()),
        context=as_text(context or ""),
        task=as_text(task or ""),
        contract=contract or AnswerContract(),
    )


def mark(  # noqa: PLR0913 - an item has these parts, and a caller names the ones that it has
    scorer: str | Scorer,
    *,
    reference: str | None,
    reply: str,
    question: str | None = None,
    choices: Sequence[str] | None = None,
    context: str | None = None,
    task: str | None = None,
    contract: AnswerContract | None = None,
) -> Verdict:
    """Return the verdict of a scorer on one reply.

    Args:
        scorer: a scorer, or the id of one, such as "exact" or "strict/numbers-first".
        reference: the accepted answer; None where there is none.
        reply: the reply as the system gave it.
        question: the question, for scorers that read it.
        choices: the labels or options that the item offers.
        context: the passage that the item gives.
        task: the item's task; `strict/*` mark "contradiction_detection" by yes/no.
        contract: what counts as an answer.

    Raises:
        UnknownNameError: there is no such scorer.
        SpecError: its id cannot be read.
        UsageError: its verdicts are imported, not computed, or what should be a text is none.

    Example:
        >>> mark("strict/numbers-first", reference="30 days", reply="Within 30 days.").value
        1.0
    """
    item = as_item(
        reference=reference,
        question=question,
        choices=choices,
        context=context,
        task=task,
        contract=contract,
    )
    prediction = Prediction(text=as_text(reply), finish=fate_of(reply))
    return as_scorer(scorer).score(item=item, prediction=prediction)


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkExplained:
    """A verdict with the steps that led to it.

    Attributes:
        scorer: scorer id.
        version: version of the scorer.
        status: see `records.Verdict`.
        value: in [0, 1] exactly when the status is "scored".
        label: what the scorer read as a label, or which part decided.
        extracted: what it took from the reply.
        flags: policies that decided, or could have.
        reason: why, in words.
        steps: (what, value) in the order in which the rule looked at them.
    """

    scorer: str
    version: str
    status: Status
    value: float | None
    label: str | None
    extracted: str | None
    flags: tuple[str, ...]
    reason: str
    steps: tuple[tuple[str, str], ...]

    @classmethod
    def of(
        cls, verdict: Verdict, *, scorer: str, version: str, steps: tuple[tuple[str, str], ...]
    ) -> MarkExplained:
        """Return a verdict beside what made it."""
        return cls(
            scorer=scorer,
            version=version,
            status=verdict.status,
            value=verdict.value,
            label=verdict.label,
            extracted=verdict.extracted,
            flags=verdict.flags,
            reason=verdict.reason,
            steps=steps,
        )

    def to_lines(self) -> list[str]:
        """Return the verdict in plain lines."""
        value = "no value" if self.value is None else f"value {self.value:g}"
        flags = f" [{', '.join(self.flags)}]" if self.flags else ""
        return [
            f"{self.scorer} (version {self.version}): {self.status}, {value}{flags}",
            f"  because {self.reason or 'the source says so, and gives no reason'}",
            *(f"  {what}: {value}" for what, value in self.steps),
        ]


def explain_mark(scorer: str | Scorer, *, item: Item, prediction: Prediction) -> MarkExplained:
    """Return the verdict of a scorer with the steps that led to it."""
    rule = as_scorer(scorer)
    return MarkExplained.of(
        rule.score(item=item, prediction=prediction),
        scorer=scorer_id_of(rule),
        version=rule.version,
        steps=trace(rule, item=item, prediction=prediction),
    )


def as_prediction(reply: str) -> Prediction:
    """Return a prediction of which only the text is known."""
    return Prediction(text=as_text(reply), finish=fate_of(reply))


def trace(scorer: Scorer, *, item: Item, prediction: Prediction) -> tuple[tuple[str, str], ...]:
    """Return the steps by which a scorer reaches its verdict, as (what, value)."""
    if isinstance(scorer, Composite):
        return tuple(
            (scorer_id_of(part), part.score(item=item, prediction=prediction).reason)
            for part in scorer.parts
        )
    return scorer.trace(item=item, prediction=prediction) if isinstance(scorer, Traced) else ()
