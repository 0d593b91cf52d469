"""Tokens for lexical search.  In: a text.  Out: tokens, in order."""

from __future__ import annotations


def tokens(text: str, tokeniser: str = "identifiers") -> list[str]:
    """Return the tokens of a passage.

    Raises:
        UnknownNameError: there is no such tokeniser.
    """
    raise NotImplementedError
