"""Replies that decline to answer.  In: a reply.  Out: whether its words say so.

A plain list of English phrases: it misses refusals in other words and other languages, so a
count made with it is a lower bound, and a logged fate of the reply goes before it.
"""

from __future__ import annotations

import re

_REFUSES = re.compile(
    r"\b(?:"
    r"i(?:['\u2019]m| am) (?:sorry|unable|not able)"
    r"|i (?:cannot|can ?not|can['\u2019]t|am not in a position to|do not know|don['\u2019]t know)"
    r"|as an (?:ai|artificial intelligence)"
    r"|(?:unable|not able|not possible|impossible) to (?:answer|assess|determine|evaluate|"
    r"predict|provide|say|tell)"
    r"|cannot be (?:answered|assessed|determined|evaluated|predicted)"
    r")\b",
    re.IGNORECASE,
)


def says_refusal(reply: str) -> bool:
    """Return whether a reply holds one of the phrases by which models decline to answer."""
    return _REFUSES.search(reply) is not None
