"""Replies that end at one length.  In: reply lengths.  Out: systems whose replies look capped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from scipy import special

from finassay.analyses.results_items import LengthPile, TruncationPiles

WINDOW = 20
FEWEST_AT_LONGEST = 5
SHORTEST_CAP = 50
ALPHA = 1e-6

METHOD = (
    f"a pile is suspected when at least {FEWEST_AT_LONGEST} replies share the longest length, "
    f"that length is at least {SHORTEST_CAP} characters, and a Poisson count with the mean of the "
    f"{WINDOW} lengths just below reaches that many with p < {ALPHA:g}"
)


def truncation_piles(lengths: Mapping[str, Sequence[int]]) -> TruncationPiles:
    """Return, for every system, whether replies pile up at the longest length.

    The import of a file asks less when it says that predictions may be cut: it counts different
    texts at the longest length and does not look at the lengths below.

    Args:
        lengths: system -> length of each reply in characters.
    """
    rows = tuple(_pile(name, replies) for name, replies in lengths.items())
    suspected = [row for row in rows if row.is_suspected]
    return TruncationPiles(
        rows=rows,
        suspected=tuple(row.system for row in suspected),
        n_replies=sum(row.n for row in rows),
        n_at_longest=sum(row.at_longest for row in suspected),
        method=METHOD,
        warnings=_warnings(rows),
    )


def _warnings(rows: Sequence[LengthPile]) -> tuple[str, ...]:
    empty = [row.system for row in rows if not row.n]
    return (f"there are no replies to look at for {', '.join(empty)}",) if empty else ()


def _pile(name: str, replies: Sequence[int]) -> LengthPile:
    if not replies:
        return LengthPile(
            system=name,
            n=0,
            longest=None,
            at_longest=0,
            share=None,
            expected=None,
            is_suspected=False,
        )
    counts = Counter(replies)
    longest = max(counts)
    below = sum(counts[longest - step] for step in range(1, WINDOW + 1))
    # One reply more than was seen, so that an empty window does not make a single reply a pile.
    expected = (below + 1) / WINDOW
    here = counts[longest]
    tail = float(special.pdtrc(here - 1, expected))
    return LengthPile(
        system=name,
        n=len(replies),
        longest=longest,
        at_longest=here,
        share=here / len(replies),
        expected=expected,
        is_suspected=here >= FEWEST_AT_LONGEST and longest >= SHORTEST_CAP and tail < ALPHA,
    )
