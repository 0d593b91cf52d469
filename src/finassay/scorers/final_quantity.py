"""Which quantity of a reply is its final answer.  In: a reply that was read.  Out: quantities.

In order: an explicit answer line or box; the last conclusion or calculation that holds a quantity
of the right kind; else the sentence that repeats the question best, or the first of equals, for
people answer first and explain after.  Inside a sentence: what follows the last "=", else what
follows the verb ("was", "amounted to"), else the last of the right kind.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from finassay.scorers.replies import Reply
from finassay.text.final_answers import Statement
from finassay.text.quantities import Quantity

Chosen = tuple[Quantity, ...]
Rank = Callable[[Quantity], int]
"""How well the kind of a quantity fits: 0 best, 9 not at all."""

_NOT_AT_ALL = 9

_EXPLICIT = frozenset({"answer", "box"})
_CONCLUDING = frozenset({"conclusion", "calculation"})
_EQUALS = re.compile(
    "[=\u2248\u2243]|\\b(?:equals|equal to|comes to|equivalent to|works out (?:to|at))\\b"
)
_VERB = re.compile(
    "\\b(?:is|was|were|are|be|equals?|amount(?:s|ed|ing)? to|total(?:s|l?ed|ling)?|stood at|stands at"
    "|came to|comes to|reach(?:es|ed)|gives?|yields?|by|paid(?: out)?|received|reported|recorded|had|has"
    "|spent|held|generated|needs?|must|shall|within|of)\\b|[:\uff1a]|为|是"
)
_MAIN_VERB = re.compile(
    "\\b(?:is|was|were|are|equals?|amount(?:s|ed|ing)? to|total(?:s|l?ed)|stood at|stands at|came to"
    "|comes to|reached|gives|yields|would be|will be)\\b|[:\uff1a]|为|是"
)
# What stands beside a figure to compare it with, or that it came from, is not the answer.
_BESIDE = re.compile(
    "\\b(?:from|than|versus|vs\\.?|compared (?:to|with)|against|down from|up from|previously|out of"
    "|between|instead of|rather than|not|minus|less|plus|divided by|times|multiplied by)"
    "\\s+(?:about |approximately |roughly |only |the |a |an |its |\\w+ of )*$"
)
_JOINS = re.compile(
    "^[\\s*_$\\\\]*(?:,?\\s*or\\b|\\(|,?\\s*i\\.?e\\.?|/|equivalently|[=\u2248])[^0-9]{0,30}$"
)
_SLASH_PARTS = re.compile("^\\s*[/x*+\u00d7\u00f7^-]\\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class FinalQuantity:
    """The final answer of a reply.

    Attributes:
        quantities: the answer; several when the reply restates it ("0.41 or 41%").
        statement: the sentence or line that it stands in.
        why: what made this the final answer, in words.
    """

    quantities: Chosen
    statement: Statement
    why: str


def final_quantity(reply: Reply, rank: Rank, asked: frozenset[str]) -> FinalQuantity | None:
    """Return the final answer among the quantities that fit, or None when there is none.

    Args:
        reply: the reply, read.
        rank: how well a quantity fits what is asked.
        asked: content stems of the question.
    """
    within = [
        (statement, _best_ranked(reply.quantities_in(statement), rank))
        for statement in reply.statements
    ]
    held = [(statement, found) for statement, found in within if found]
    if not held:
        return None
    statement, found, why = _chosen_statement(reply, held, asked)
    return FinalQuantity(
        quantities=_within(reply.low, statement, found), statement=statement, why=why
    )


def _best_ranked(quantities: Chosen, rank: Rank) -> Chosen:
    ranked = [(rank(quantity), quantity) for quantity in quantities]
    least = min((of for of, _ in ranked), default=_NOT_AT_ALL)
    return tuple(q for of, q in ranked if of == least) if least < _NOT_AT_ALL else ()


def _chosen_statement(
    reply: Reply, held: Sequence[tuple[Statement, Chosen]], asked: frozenset[str]
) -> tuple[Statement, Chosen, str]:
    explicit = [pair for pair in held if pair[0].cue in _EXPLICIT]
    if explicit:
        return *explicit[-1], "it is given as the answer"
    after_cue = _after_open_cue(reply, held)
    if after_cue is not None:
        return *after_cue, "it follows the announcement of the answer"
    concluding = [pair for pair in held if pair[0].cue in _CONCLUDING]
    if concluding:
        return *_last_conclusion(reply, concluding), "it is the last conclusion"
    shares = [reply.shared(statement, asked) for statement, _ in held]
    best = max(shares)
    return *held[shares.index(best)], "its sentence repeats the question best"


def _after_open_cue(
    reply: Reply, held: Sequence[tuple[Statement, Chosen]]
) -> tuple[Statement, Chosen] | None:
    """Return the statement after an answer line that ends open ("Answer:" and a new line)."""
    opens = [s for s in reply.statements if s.cue in _EXPLICIT]
    if not opens:
        return None
    later = [pair for pair in held if pair[0].start >= opens[-1].end]
    return later[0] if later else None


def _last_conclusion(
    reply: Reply, concluding: Sequence[tuple[Statement, Chosen]]
) -> tuple[Statement, Chosen]:
    """Return the last conclusion or calculation, but not a gloss after a conclusion."""
    last = concluding[-1]
    worded = [pair for pair in concluding if pair[0].cue == "conclusion"]
    if last[0].cue == "conclusion" or not worded:
        return last
    # A calculation after the conclusion shows how it was reached when it ends in the same figure.
    return last


def _within(low: str, statement: Statement, found: Chosen) -> Chosen:
    """Return the answer inside a sentence, with its restatements."""
    first = _first_of_answer(low, statement, found)
    answer = [found[first]]
    for at in range(first + 1, len(found)):
        between = low[found[at - 1].end : found[at].start]
        if not _JOINS.match(between):
            break
        answer.append(found[at])
    return tuple(answer)


def _first_of_answer(low: str, statement: Statement, found: Chosen) -> int:
    equals = [m.end() for m in _EQUALS.finditer(low, statement.start, statement.end)]
    for position in reversed(equals):
        after = [at for at, q in enumerate(found) if q.start >= position]
        if after and not _continues(low, found[after[0]]):
            return after[0]
    free = [
        at
        for at, q in enumerate(found)
        if not _BESIDE.search(low, max(statement.start, q.start - 40), q.start)
    ] or list(range(len(found)))
    for verb in _MAIN_VERB.finditer(low, statement.start, statement.end):
        after = [at for at in free if found[at].start >= verb.end()]
        if after:
            return after[0]
    return free[0] if statement.cue == "none" else free[-1]


def _continues(low: str, quantity: Quantity) -> bool:
    """Return whether a calculation goes on after a quantity ("= 12 / 4")."""
    return (
        _SLASH_PARTS.match(low, quantity.end) is not None
        and low[quantity.end :][:12].strip()[1:].lstrip()[:1].isdigit()
    )
