"""Caps on the length of replies.  In: lengths.  Out: the cap of each system, and who is at it."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.truncation import truncation_piles
from finassay.errors import UnknownNameError
from finassay.marking.reply_facts import ReplyFacts

DeclaredCaps = Mapping[str, int | None]
"""System -> cap in characters, None for a system whose replies were not cut."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Caps:
    """The caps of some systems.

    Attributes:
        caps: system -> cap in characters, None without one.
        declared: systems whose cap was declared; the others' are what their lengths show.
    """

    caps: Mapping[str, int | None]
    declared: frozenset[str]


def caps_of(
    replies: ReplyFacts, *, declared: DeclaredCaps | None = None, systems: Sequence[str] = ()
) -> Caps:
    """Return the cap of each system: declared, or the length at which its replies pile up.

    Args:
        replies: lengths.
        declared: caps that are known.
        systems: systems to look at; all by default.

    Raises:
        UnknownNameError: a cap is declared for a system that has no replies.
    """
    known = dict(declared or {})
    for name in known:
        if name not in replies.systems:
            near = difflib.get_close_matches(name, replies.systems, n=1, cutoff=0.5)
            hint = (
                f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(replies.systems)}"
            )
            raise UnknownNameError(f"a cap is declared for {name!r}, which has no replies; {hint}")
    wanted = tuple(systems) or replies.systems
    lengths = {
        name: replies.lengths[replies.present[:, at], at].tolist()
        for name in wanted
        if name in replies.systems and name not in known
        for at in [replies.column(name)]
    }
    found = {row.system: row for row in truncation_piles(lengths).rows}
    caps = {
        name: known[name]
        if name in known
        else (found[name].longest if name in found and found[name].is_suspected else None)
        for name in wanted
    }
    return Caps(caps=caps, declared=frozenset(known) & frozenset(wanted))


def at_cap(replies: ReplyFacts, caps: Caps) -> NDArray[np.bool_]:
    """Return (R, C) whether the reply of each of the systems of `caps`, in order, is at its cap."""
    table = np.zeros((len(replies.item_ids), len(caps.caps)), dtype=bool)
    for column, (name, cap) in enumerate(caps.caps.items()):
        if cap is not None and name in replies.systems:
            at = replies.column(name)
            table[:, column] = replies.present[:, at] & (replies.lengths[:, at] >= cap)
    return table


def below_cap(replies: ReplyFacts, caps: Caps) -> NDArray[np.bool_]:
    """Return (R,) whether no reply to the item stands at its system's cap."""
    return np.asarray(~at_cap(replies, caps).any(axis=1))
