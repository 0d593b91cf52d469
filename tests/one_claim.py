"""One row of the table of claims."""

from __future__ import annotations

from dataclasses import dataclass

from finassay.records import Item, Prediction, Verdict
from finassay.scorers.base import Scorer
from finassay.scorers.registry import load_scorer

Pair = tuple[str, str]
"""A reference and a reply."""

YES_NO = ("no", "yes")
FEES = ("the fee", "the rate")


@dataclass(frozen=True, kw_only=True)
class Claims:
    """One scorer and what it does not claim.

    Attributes:
        scorer_id: id of the scorer.
        right: a pair that it marks right.
        wrong: a pair that it marks wrong.
        choices: the options of every item that it is tried on.
        unread: a reply to the reference of `right` that it calls unparsed; None when it never
            calls a reply so.
        unparsed: another pair that it calls unparsed, of a scorer that reads some kinds of answers
            and compares the words of the others.
        needs: it reads something of the reference, and is not applicable (or fails) without it.
        not_reflexive: a text that it does not mark right against itself.
        not_symmetric: a pair marked otherwise when reference and reply change places.
        not_case_blind: a pair marked otherwise when capitals change on one side.
        not_space_blind: a pair marked otherwise when spaces grow on one side.
        nothing_equals: a pair of which one side holds nothing, marked right all the same.
        has_threshold: it has a field `threshold`.
        is_slow: it is tried on fewer texts.
        is_model: it runs a model, and is tried on very few.
    """

    scorer_id: str
    right: Pair = ("the fee", "The  fee.")
    wrong: Pair = ("the fee", "a rate of tax")
    choices: tuple[str, ...] = ()
    unread: str | None = None
    unparsed: Pair | None = None
    needs: bool = False
    not_reflexive: str | None = None
    not_symmetric: Pair | None = None
    not_case_blind: Pair | None = None
    not_space_blind: Pair | None = None
    nothing_equals: Pair | None = None
    has_threshold: bool = False
    is_slow: bool = False
    is_model: bool = False

    @property
    def scorer(self) -> Scorer:
        """The scorer, made anew."""
        return load_scorer(self.scorer_id)

    def mark(
        self, reference: str, reply: str, *, scorer: Scorer | None = None, task: str = ""
    ) -> Verdict:
        """Return the verdict on a reply to an item with these choices."""
        item = Item(item_id="item", task=task, reference=reference, choices=self.choices)
        reply_given = Prediction(item_id="item", system_id="system", text=reply)
        return (scorer or self.scorer).score(item=item, prediction=reply_given)

    def reference(self, text: str) -> str:
        """Return a text as a reference that the items of this scorer can have."""
        return self.choices[len(text) % len(self.choices)] if self.choices else text


def label_rule(
    scorer_id: str,
    *,
    unread: str | None = None,
    not_case_blind: Pair | None = None,
    not_space_blind: Pair | None = None,
    nothing_equals: Pair | None = None,
    right: Pair = ("yes", "It says yes."),
) -> Claims:
    """Return the claims of a rule that reads one of two labels."""
    return Claims(
        scorer_id=scorer_id,
        right=right,
        wrong=("no", right[1]),
        choices=YES_NO,
        unread=unread,
        needs=True,
        not_reflexive=None,
        not_symmetric=("no", "oh no"),
        not_case_blind=not_case_blind,
        not_space_blind=not_space_blind,
        nothing_equals=nothing_equals,
    )
