"""Ten replies worked through by hand, and small cells for the label tests."""

from __future__ import annotations

from finassay.analyses.extraction.cells import LabelCell
from finassay.text.labels import Matcher

CARD = ("negative", "neutral", "positive")

# (stratum, reference, reply); items are numbered from 1.
TEN = (
    ("t", "positive", "Positive, not negative."),
    ("n", "neutral", "neutral"),
    ("t", "negative", "The tone is positive."),
    ("n", "neutral", "I cannot tell from this sentence."),
    ("t", "positive", "Neither negative nor neutral fits."),
    ("n", "neutral", "Negative? No: neutral."),
    ("n", "neutral", "Neutral."),
    ("n", "neutral", "nonnegative, so neutral"),
    ("t", "negative", "NEGATIVE"),
    ("t", "positive", "positively neutral"),
)

NEG, NEU, POS = 0, 1, 2

SETS = {
    "substring": (
        (NEG, POS),
        (NEU,),
        (POS,),
        (),
        (NEG, NEU),
        (NEG, NEU),
        (NEU,),
        (NEG, NEU),
        (NEG,),
        (NEU, POS),
    ),
    "word": (
        (NEG, POS),
        (NEU,),
        (POS,),
        (),
        (NEG, NEU),
        (NEG, NEU),
        (NEU,),
        (NEU,),
        (NEG,),
        (NEU,),
    ),
}
"""The candidate sets, by hand."""

SUBSTRING = Matcher()
WORD = Matcher(kind="word")


def ten(card: tuple[str, ...] = CARD, **changes: object) -> LabelCell:
    """Return the ten replies as a cell."""
    columns: dict[str, object] = {
        "replies": tuple(reply for _, _, reply in TEN),
        "golds": tuple(gold for _, gold, _ in TEN),
        "strata": tuple(stratum for stratum, _, _ in TEN),
        "item_ids": tuple(str(number) for number in range(1, 11)),
        "choices": card,
        "task": "oracle",
        "system": "model",
        "arm": "free",
        "budget": "10 tokens",
    }
    return LabelCell(**{**columns, **changes})


def cell_of(
    replies: tuple[str, ...], golds: tuple[str, ...], card: tuple[str, ...] = CARD
) -> LabelCell:
    """Return a cell with a declared arm and budget."""
    return LabelCell(replies=replies, golds=golds, choices=card, arm="free", budget="10 tokens")
