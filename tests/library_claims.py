"""Claims of the scorers that other packages compute."""

from __future__ import annotations

from one_claim import Claims

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
        scorer_id="peer/inspect-match[numeric=true]",
        right=("30", "so it is 30"),
        wrong=("30", "so it is 31"),
        is_slow=True,
        # Marks go from the reference, and from the reply only where the reference is a number.
        not_reflexive="0. rate",
        not_symmetric=("fee", "the fee"),
        nothing_equals=("!", "?"),
        # Two spaces remain where a mark between them goes.
        not_space_blind=("the fee", "the fee"),
    ),
    Claims(
        scorer_id='peer/inspect-match[location="any"]',
        right=("fee", "a Fee of 30"),
        wrong=("fee", "a rate"),
        is_slow=True,
        not_symmetric=("fee", "the fee"),
        nothing_equals=("!", "?"),
        not_space_blind=("the fee", "the fee"),
    ),
    Claims(
        scorer_id="peer/inspect-match",
        right=("fee", "the FEE."),
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
