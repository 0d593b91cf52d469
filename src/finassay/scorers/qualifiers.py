"""What a question singles out.  In: a question and a reply.  Out: whether the reply speaks of it.

"What was the average headcount?" is not answered by "the headcount was 520 in the first year".
Each entry has what a question singles out, and words of which a reply in sentences holds one.
"""

from __future__ import annotations

import re
from functools import lru_cache

_ASKED = r"\b(?:is|was|were|are) the (?:\w+ )?"
_PAIRS = (
    (_ASKED + r"average\b", r"averag|\bmean\b|/ ?2\b"),
    (_ASKED + r"median\b", "median"),
    (
        _ASKED + r"maximum\b",
        r"max|up to|at most|exceed|limit|highest|\bcap|n[ot]t? more|ceiling|may|can|within|allow",
    ),
    (
        _ASKED + r"minimum\b",
        "minim|sets|at least|not less|no less|floor|lowest|least|requir|must|need|thresh|shall",
    ),
    (
        r"\b(?:what|which) (?:share|proportion|part|fraction)\b",
        "share|proportion|part|fraction|of (?:the|its|total) |account|contribut|represent|hold",
    ),
    (
        r"\bby how (?:much|many)\b|" + _ASKED + r"(?:change|increase|decrease|difference)\b",
        (
            r"\bby\b|chang|increas|decreas|rose|fell|rise|fall|grew|grow|declin|drop|differ|rais"
            "|cut|up|down|higher|lower|more|less|=|-|from|gain|lost"
        ),
    ),
    (r"\bwomen\b", r"\b(?:women|female)"),
    (r"\bmen\b", r"\b(?:men|male)\b"),
)
_QUALIFIERS = tuple((re.compile(asked), re.compile(said)) for asked, said in _PAIRS)


def leaves_qualifier_out(question: str, reply: str) -> bool:
    """Return whether a reply never speaks of what the question singles out; both in lower case."""
    return any(said.search(reply) is None for said in _singled_out(question))


@lru_cache(maxsize=1024)
def _singled_out(question: str) -> tuple[re.Pattern[str], ...]:
    """Return what a reply has to say of what a question singles out."""
    return tuple(said for asked, said in _QUALIFIERS if asked.search(question) is not None)
