"""What an arm shows beside an answer.  In: nothing.  Out: references, or why there are none."""

from __future__ import annotations

from dataclasses import dataclass

from finassay.records import Item


@dataclass(frozen=True, slots=True, kw_only=True)
class Grounds:
    """The references that a judge is shown.

    Attributes:
        references: of the graded turn; () under the arm `none`.
        past: those of each turn before it, in order; () for a turn without one.
        note: where they come from, for the record; it never enters a prompt.
    """

    references: tuple[str, ...] = ()
    past: tuple[tuple[str, ...], ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lacking:
    """Why an arm has no reference for an answer.

    Attributes:
        reason: in words.
    """

    reason: str


_ACTIONS = frozenset({"ask", "proceed"})


def accepted_of(item: Item) -> tuple[str, ...]:
    """Return the answers that an item accepts, the empty ones left out.

    Of an ask-or-proceed state these are its needs: its reference names an action.
    """
    reference = item.reference or ""
    listed = (*(() if reference.strip() in _ACTIONS else (reference,)), *item.alternatives)
    return tuple(dict.fromkeys(text for text in listed if text.strip()))
