"""A log made up to show what rules can do.  In: nothing.  Out: one cell of 200 replies.

The numbers of items and labels are those of the German credit test set of FLARE (132 good, 68 bad
of 200), and the replies repeat attribute codes without naming a label, as some models do.  No
reply comes from a model: the log shows that a rule alone can make a score.
"""

from __future__ import annotations

from finassay.analyses.extraction.cells import LabelCell

GOOD, BAD = 132, 68
DEMONSTRATION_RULES = (
    "labels/card-order",
    "labels/text-order",
    'labels/default-fill[default="good"]',
    "labels/override",
    "labels/letter-fallback",
    "labels/letter-fallback[boundary=true]",
    "labels/drop-unparsed",
)
"""Rules that the demonstration compares: two that select, and what published code adds to them."""


def demonstration_cell() -> LabelCell:
    """Return 200 replies that name no label, in the shape of a credit task.

    Under every selecting rule the score is 0; filling in "good" scores the share of good clients,
    132 of 200; and a bare letter after a colon reads the attribute code A11 as the answer A,
    which is right for the 131 good clients whose reply repeats its codes.
    """
    golds = ["good"] * GOOD + ["bad"] * BAD
    replies = [_reply(number) for number in range(GOOD + BAD)]
    return LabelCell(
        task="credit (made up)",
        system="repeats attribute codes (made up)",
        arm="demonstration",
        budget="demonstration: replies are whole",
        choices=("good", "bad"),
        replies=tuple(replies),
        golds=tuple(golds),
        item_ids=tuple(f"D{number:03}" for number in range(GOOD + BAD)),
    )


def _reply(number: int) -> str:
    """Return the reply of one client; the first one repeats nothing."""
    if number == 0:
        return "The profile allows several readings."
    months, account = 6 + number % 43, 11 + number % 4
    return f"Attributes of the client: A{account}, {months}, A3{number % 5}, A4{number % 10}."
