"""Lengths that pile up.  In: lengths of texts.  Out: lengths at which they were cut."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

WINDOW = 20
"""Lengths just below one, whose mean says how many texts of one length are to be expected."""

SHORTEST = 50
"""Short answers share a length by themselves."""

FEWEST = 5
"""Different texts that make a pile."""

ALPHA = 1e-6
"""Level of the test of one file, shared between the lengths that occur in it."""

LONGER = 0.05
"""Share of longer texts above which a pile is not the end of the file's lengths."""

OPEN = (0.5, 0.8)
"""Least share of a pile that ends in mid-sentence: where it is the longest, and elsewhere."""


class Pile(NamedTuple):
    """Texts of one length, more than the lengths below let expect."""

    length: int
    n_at: int
    n_longer: int
    expected: float
    p: float
    open_ended: int


def piles(lengths: NDArray[np.int64], is_open: NDArray[np.bool_]) -> tuple[Pile, ...]:
    """Return the lengths at which texts were cut, the longest first.

    With c(L) texts of length L, the count is taken as Poisson with mean
    (1 + c(L - 1) + ... + c(L - 20)) / 20: one text more than was seen, so that an empty window
    does not make a single text a pile.  A pile must also look cut: most of its texts end in
    mid-sentence, and nearly all of them do where longer texts exist.

    Args:
        lengths: (n,) length of each different text in characters.
        is_open: (n,) whether it ends in a letter or a comma.
    """
    if not len(lengths):
        return ()
    counts = np.bincount(lengths)
    below = np.concatenate([[0], np.cumsum(counts)])
    tested = np.flatnonzero(counts >= FEWEST)
    level = ALPHA / np.count_nonzero(counts)
    found = []
    for length in tested[tested >= SHORTEST][::-1].tolist():
        window = int(below[length] - below[max(0, length - WINDOW)])
        expected = (window + 1) / WINDOW
        here = int(counts[length])
        longer = int(len(lengths) - below[length + 1])
        opened = int(is_open[lengths == length].sum())
        p = float(special.pdtrc(here - 1, expected))
        if p < level and opened >= here * OPEN[longer > LONGER * len(lengths)]:
            found.append(Pile(length, here, longer, expected, p, opened))
    return tuple(found)
