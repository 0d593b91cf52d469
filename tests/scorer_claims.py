"""What is claimed of every shipped scorer, in one table.

A property that a `Claims` row does not deny is claimed, and tried on drawn texts; a denial is an
example that shows it.  A registered scorer without a row fails the tests.
"""

from __future__ import annotations

from library_claims import OUTSIDE, OVERLAPS
from one_claim import FEES, Claims, label_rule

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
        not_space_blind=("yes", "yes yes"),  # elements may stand on lines of their own
    ),
    Claims(
        scorer_id="set/jaccard",
        right=("fee; rate", "rate, fee and 30"),
        wrong=("Section 4", "Sections 1, 2, 3, 4, 5"),
        unread="...",
        needs=True,
        not_space_blind=("yes", "yes yes"),  # elements may stand on lines of their own
        has_threshold=True,
    ),
    Claims(
        scorer_id='set/f1[elements="list",threshold=0.5]',
        right=("fee; rate", "rate, fee and 30"),
        wrong=("fee; rate", "tax; 30; 2.5"),
        unread="...",
        needs=True,
        not_space_blind=("yes", "yes yes"),  # elements may stand on lines of their own
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
        not_space_blind=("30 January", "30 January"),  # a date stands on one line
    ),
    Claims(
        scorer_id='date[take="last",order="either",precision="reference"]',
        right=("April 2027", "not 2026, but 1 April 2027"),
        not_reflexive="1 January 2027, not 2 March 2028",
        wrong=("1 January 2027", "1 January 2026"),
        unread="30 days",
        needs=True,
        not_space_blind=("30 January", "30 January"),  # a date stands on one line
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
    # With its defaults it is strict/numbers-first.
    Claims(
        scorer_id="rule",
        has_threshold=True,
        not_reflexive="the rate cannot be determined",
        not_symmetric=("fail: rate", "rate"),
        nothing_equals=("?", "!"),
    ),
)
DECLARED = (
    Claims(
        scorer_id="rule",
        has_threshold=True,
        not_reflexive="the rate cannot be determined",
        not_symmetric=("fail: rate", "rate"),
    ),
    Claims(
        scorer_id='rule[matcher="partial",numbers="last",silence="no_answer",yes_no="leading"]',
        has_threshold=True,
    ),
)
LABELS = (
    label_rule("labels/rule"),
    *(
        label_rule(f"labels/{name}")
        for name in (
            *("card-order", "card-order-word", "text-order", "text-order-word"),
            *("last", "last-word", "longest", "longest-word"),
        )
    ),
    label_rule("labels/rule"),
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
FINANCIAL = (
    Claims(
        scorer_id="financial",
        right=("8.7 billion USD", "The final answer is $8.738 billion."),
        wrong=("8.7 billion USD", "The final answer is $8.738 million."),
        unparsed=("yes", "the"),
        not_symmetric=("30", "30 2.5"),
        # A capital inside a reference makes a name of the word, and of a letter an option.
        not_case_blind=("section fee", "fee"),
        not_space_blind=("fee", "yes fee"),  # sentences end with their line
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
    Claims(
        scorer_id='majority[parts=["token_f1","token_set","token_sort"]]',
        not_symmetric=("yes \u200b", "\u200b"),
    ),
)

ARTIFACTS = (
    Claims(
        scorer_id="closed",
        right=("the rate", "Answer: the rate"),
        wrong=("the rate", "the fee"),
        choices=FEES,
        unread="perhaps",
        needs=True,
        not_symmetric=("the fee", "Answer: the fee"),
    ),
    Claims(
        scorer_id="provision_set",
        right=("Article 7(1)", "Art. 7 para. 1"),
        wrong=("Section 12A", "Section 12"),
        unread="...",
        needs=True,
        # Only entries of a list and the first line of a reply select.
        not_symmetric=("section 4", "section 4\nThe fee and the rate are due by section 5"),
        not_space_blind=("section 4", "section 4"),  # a provision stands on one line
    ),
    Claims(
        scorer_id="key_points",
        right=("fee and rate of tax", "Fee; rate; tax is due."),
        wrong=("fee and rate of tax", "thirty days of notice"),
        unread="...",
        needs=True,
        not_reflexive="fee",  # too short to be a text
        not_symmetric=("fee of tax", "fee of tax due on thirty days"),
        not_space_blind=("the fee of tax\n30", "the fee of tax"),
    ),
)

CLAIMS: dict[str, Claims] = {
    claims.scorer_id: claims
    for claims in (
        *(*STRINGS, *FINANCIAL, *READERS, *TYPED, *SETS, *PUBLISHED, *DECLARED, *LABELS),
        *(*PEERS, *OVERLAPS, *OUTSIDE, *COMPOSITES, *ARTIFACTS),
    )
}
"""Every shipped scorer at least once, some with other parameters too."""

OF_STATES = frozenset({"ask/action", "ask/alignment-words"})
"""Rules that mark what is done at a state; what is claimed of them stands in test_ask.py."""
