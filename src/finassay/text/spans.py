"""Texts whose positions are those of the original.  In: a string.  Out: one of the same length."""

from __future__ import annotations


def lowered(text: str) -> str:
    """Return the text in lower case, character by character, so that positions stay the same.

    A character whose lower case is longer (capital I with a dot) is kept as it is.
    """
    low = text.lower()
    if len(low) == len(text):
        return low
    low = _LONGER.join(part.lower() for part in text.split(_LONGER))
    if len(low) == len(text):
        return low
    return "".join(c if len(c.lower()) != 1 else c.lower() for c in text)


_LONGER = "\u0130"
"""The one character of Unicode whose lower case is longer."""
