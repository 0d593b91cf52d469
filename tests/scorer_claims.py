"""What is claimed of every shipped scorer, in one table.

A property that a `Claims` row does not deny is claimed, and tried on drawn texts; a denial is an
example that shows it.  A registered scorer without a row fails the tests.
"""

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
        needs: it reads something of the reference, and is not applicable (or fails) without it.
        not_reflexive: a text that it does not mark right against itself.
        not_symmetric: a pair marked otherwise when reference and reply change places.
        not_case_blind: a pair marked otherwise when capitals change in the reply.
        not_space_blind: a pair marked otherwise when spaces grow in the reply.
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


STRINGS = (
    Claims(
        scorer_id="exact",
        right=("fee", "fee"),
        not_case_blind=("fee", "fee"),
        not_space_blind=("a fee", "a fee"),
    ),
    Claims(scorer_id='exact[normaliser="squad"]'),
    Claims(scorer_id='exact[normaliser="compatible"]', right=("the fee", "The  FEE")),
    Claims(scorer_id="quasi_exact"),
    Claims(scorer_id="includes", not_symmetric=("fee", "the fee"), right=("fee", "The FEE!")),
    Claims(
        scorer_id="includes[whole_words=true]",
        right=("fee", "The FEE!"),
        wrong=("fee", "fees"),
        not_symmetric=("fee", "the fee"),
    ),
    Claims(scorer_id="token_f1", has_threshold=True),
    Claims(scorer_id="token_f1[threshold=0.5]", has_threshold=True),
    Claims(scorer_id="token_set", has_threshold=True),
    Claims(scorer_id="token_sort", has_threshold=True),
    Claims(scorer_id="partial", has_threshold=True),
)
READERS = (
    Claims(
        scorer_id="financial",
        right=("30 days", "within thirty days"),
        wrong=("30 days", "3 days"),
        unread="...",
        needs=True,
        not_symmetric=("(A) yes 2027 ; fee: (", "2027"),
        not_case_blind=("B", "not"),
        not_space_blind=("4 _", "₹ January 30 \u200b"),
    ),
    Claims(
        scorer_id="yes_no",
        right=("Yes", "yes, it is"),
        wrong=("Yes", "no"),
        unread="perhaps",
        needs=True,
    ),
    Claims(
        scorer_id='yes_no[position="first"]',
        right=("Yes", "well, yes"),
        wrong=("Yes", "no"),
        unread="perhaps",
        needs=True,
        not_symmetric=("yes", "well, yes"),
    ),
    Claims(
        scorer_id="number_set",
        right=("30 days", "within 30 days"),
        wrong=("30 days", "3 days"),
        unread="thirty",
        needs=True,
    ),
    Claims(
        scorer_id='number_set[compare="subset"]',
        right=("30 days", "30 of 60 days"),
        wrong=("30 days", "3 days"),
        unread="thirty",
        needs=True,
        not_symmetric=("1", "1 and 2"),
    ),
    Claims(
        scorer_id="choice",
        right=("the rate", "The answer is (B)."),
        wrong=("the rate", "Answer: A"),
        choices=FEES,
        unread="perhaps",
        needs=True,
        not_symmetric=("the fee", "Answer: A"),
        not_case_blind=("the fee", "A is correct"),
        not_space_blind=("the rate", "yes B"),  # a letter alone on the last line answers
    ),
    Claims(
        scorer_id="choice[anchored=true]",
        right=("B", "the answer is b"),
        wrong=("B", "the answer is a"),
        unread="(B) fits, as shown",
        needs=True,
        not_symmetric=("B", "the answer is b"),
        not_case_blind=("A", "Answer: A Company"),
        not_space_blind=("B", "yes B"),
    ),
)
SETS = (
    Claims(
        scorer_id="set/exact",
        right=("Regulation 30(6); Schedule III", "Schedule III and Reg. 30 (6)"),
        wrong=("Section 12A", "Section 12"),
        unread="...",
        needs=True,
    ),
    Claims(
        scorer_id="set/jaccard",
        right=("fee; rate", "rate, fee and 30"),
        wrong=("Section 4", "Sections 1, 2, 3, 4, 5"),
        unread="...",
        needs=True,
        has_threshold=True,
    ),
    Claims(
        scorer_id='set/f1[elements="list",threshold=0.5]',
        right=("fee; rate", "rate, fee and 30"),
        wrong=("fee; rate", "tax; 30; 2.5"),
        unread="...",
        needs=True,
        has_threshold=True,
    ),
)
TYPED = (
    Claims(
        scorer_id="date",
        right=("1 January 2027", "from 2027-01-01 on"),
        wrong=("1 January 2027", "1 January 2026"),
        unread="30 days",
        needs=True,
        not_symmetric=("1 January 2027", "1 January 2027 or 2 March 2028"),
    ),
    Claims(
        scorer_id='date[take="last",order="either",precision="reference"]',
        right=("April 2027", "not 2026, but 1 April 2027"),
        wrong=("1 January 2027", "1 January 2026"),
        unread="30 days",
        needs=True,
        not_symmetric=("April 2027", "1 April 2027"),
    ),
    Claims(
        scorer_id="fields",
        right=(
            '{"limit": 500000, "on": "2027-01-01"}',
            'So: {"on": "1 Jan 2027", "limit": "5 lakh"}',
        ),
        wrong=('{"limit": 500000}', '{"limit": 5}'),
        unread="limit 500000",
        needs=True,
        has_threshold=True,
        not_symmetric=('{"a": 1}', '{"a": 1, "b": 2}'),
        # Names stand before a colon on a line of their own.
        not_space_blind=("fee: 30\nrate: 2", "fee: 30\nrate: 2 due"),
    ),
)
PUBLISHED = (
    Claims(
        scorer_id="strict/numbers-first",
        has_threshold=True,
        not_reflexive="the rate cannot be determined",
        not_symmetric=("fail: rate", "rate"),
        # Contradiction items, whose texts are compared whole; nothing is left of either text.
        nothing_equals=("?", "!"),
    ),
    Claims(scorer_id="strict/fuzzy-first", has_threshold=True, nothing_equals=("\n", " ")),
    Claims(scorer_id="strict/as-stated", has_threshold=True),
)
LABELS = (
    *(
        label_rule(f"labels/{name}")
        for name in (
            *("card-order", "card-order-word", "text-order", "text-order-word"),
            *("last", "last-word", "longest", "longest-word"),
        )
    ),
    label_rule("labels/letter-fallback", not_case_blind=("yes", "answer: B")),
    label_rule('labels/override[default="yes"]', nothing_equals=("yes", "")),
    label_rule('labels/default-fill[default="yes"]', nothing_equals=("yes", "")),
    label_rule(
        'labels/exact-default[exact="yes",default="no"]',
        right=("yes", "yes"),
        not_case_blind=("yes", "yes"),
        nothing_equals=("no", ""),
    ),
    label_rule(
        'labels/priority[priority=["yes"],default="no"]',
        not_case_blind=("yes", "yES"),
        nothing_equals=("no", ""),
    ),
    label_rule("labels/drop-unparsed", unread="perhaps"),
    label_rule(
        "labels/random-fill[seed=3]",
        not_case_blind=("yes", "fee"),
        not_space_blind=("yes", "rate"),
        nothing_equals=("yes", "..."),
    ),
    label_rule(
        "labels/lm-regex",
        right=("yes", "The answer is yes"),
        not_case_blind=("yes", "The answer is yes"),
    ),
    label_rule("labels/lm-cascade", not_case_blind=("yes", "answer: yes")),
    label_rule('labels/external[labels=[["item","yes"]]]', nothing_equals=("yes", "")),
)
PEERS = (
    Claims(
        scorer_id="peer/any-number",
        right=("0.397", "about 39.6% of 12"),
        wrong=("30 days", "3 days"),
        unread="thirty",
        needs=True,
        not_symmetric=("1", "1 and 2"),
    ),
    Claims(
        scorer_id="peer/last-numbers",
        right=("30", "1, 2, 3, 30, 5"),
        wrong=("30", "30, 1, 2, 3"),
        unread="thirty",
        needs=True,
        not_reflexive="1, 2, 3, 4",
        not_symmetric=("1", "1 and 2"),
    ),
    Claims(
        scorer_id="peer/answered",
        right=("fee", "whatever"),
        wrong=("fee", "I cannot say"),
        not_reflexive="I cannot say",
        not_symmetric=("fee", "I cannot say"),
    ),
)
OVERLAPS = (
    Claims(scorer_id="rouge", has_threshold=True, is_slow=True),
    Claims(scorer_id='rouge[kind="rouge1",tokens="cjk"]', has_threshold=True),
    Claims(
        scorer_id='rouge[kind="rouge2",part="recall"]',
        right=("the audit fee", "The audit fee of 30"),
        wrong=("the audit fee", "the fee"),
        has_threshold=True,
        is_slow=True,
        needs=True,
        not_symmetric=("the fee", "the fee is due"),
    ),
    Claims(
        scorer_id="bleu",
        right=("the fee", "the fee"),
        has_threshold=True,
        is_slow=True,
        not_symmetric=("the fee", "the fee of the audit"),
        not_case_blind=("fee", "fee"),
    ),
    Claims(
        scorer_id='bleu[tokens="zh",lowercase=true]',
        right=("the fee", "The FEE"),
        has_threshold=True,
        is_slow=True,
        not_symmetric=("the fee", "the fee of the audit"),
    ),
    Claims(
        scorer_id="chrf[lowercase=true]",
        right=("the fee", "The FEE"),
        has_threshold=True,
        is_slow=True,
        not_symmetric=("the fee", "the fee of the audit"),
    ),
    Claims(
        scorer_id="chrf",
        right=("the fee", "the fees"),
        has_threshold=True,
        is_slow=True,
        not_symmetric=("the fee", "the fee of the audit"),
        not_case_blind=("fee", "fee"),
    ),
    Claims(
        scorer_id="meteor-nowordnet",
        has_threshold=True,
        is_slow=True,
        # Even equal texts are one chunk: 1 - 0.5 / n ** 3.
        not_reflexive="fee",
        not_symmetric=("the fee", "the fee of the audit"),
    ),
    Claims(
        scorer_id="meteor",
        has_threshold=True,
        is_slow=True,
        not_reflexive="fee",
        not_symmetric=("the fee", "the fee of the audit"),
    ),
    Claims(
        scorer_id="embedding[threshold=0.98]",
        right=("the fee", " the  fee"),
        wrong=("the fee", "A dog barks at the moon"),
        has_threshold=True,
        is_slow=True,
        is_model=True,
        not_case_blind=("fee", "fee"),
    ),
)
OUTSIDE = (
    Claims(
        scorer_id="math_verify",
        right=("30", "so it is 30"),
        wrong=("30", "so it is 31"),
        unread="thirty",
        needs=True,
        is_slow=True,
        not_reflexive="fee",
    ),
    Claims(
        scorer_id="peer/inspect-match",
        right=("30", "so it is 30"),
        wrong=("30", "so it is 31"),
        is_slow=True,
        not_symmetric=("fee", "the fee"),
        nothing_equals=("!", "?"),
        # Two spaces remain where a mark between them goes.
        not_space_blind=("the fee", "the fee"),
    ),
    Claims(
        scorer_id='peer/inspect-match[location="any",numeric=false]',
        right=("fee", "a Fee of 30"),
        wrong=("fee", "a rate"),
        is_slow=True,
        not_symmetric=("fee", "the fee"),
        nothing_equals=("!", "?"),
        not_space_blind=("the fee", "the fee"),
    ),
    Claims(
        scorer_id="peer/inspect-includes",
        right=("fee", "a Fee of 30"),
        wrong=("fee", "a rate"),
        is_slow=True,
        not_symmetric=("fee", "the fee"),
        not_space_blind=("the fee", "the fee"),
    ),
)
COMPOSITES = (
    Claims(scorer_id='any_of[parts=["token_f1","token_set"]]'),
    Claims(
        scorer_id='all_of[parts=["token_f1","token_sort"]]',
        # Nothing is left of one side for token_f1, which takes no part when that is the reference.
        not_symmetric=("No _ _", "_ _ _"),
    ),
    Claims(scorer_id='first_scored[parts=["number_set","token_set"]]'),
    Claims(scorer_id='majority[parts=["token_f1","token_set","token_sort"]]'),
)

CLAIMS: dict[str, Claims] = {
    claims.scorer_id: claims
    for claims in (
        *(*STRINGS, *READERS, *TYPED, *SETS, *PUBLISHED, *LABELS),
        *(*PEERS, *OVERLAPS, *OUTSIDE, *COMPOSITES),
    )
}
"""Every shipped scorer at least once, some with other parameters too."""
