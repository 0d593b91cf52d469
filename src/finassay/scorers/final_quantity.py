"""Which quantity of a reply is its final answer.  In: a reply that was read.  Out: quantities.

In order: an explicit answer line or box; the last conclusion or calculation that holds a quantity
of the right kind; else the clause that repeats the question best.  What stands before a retraction
("correction:", "was mistaken") is out.  Inside a sentence: the figure whose clause names the
question's subject and period; else what follows the last "=", else what follows the verb ("was",
"amounted to").  Figures that others are compared with ("from 5", "than 7", "not 9") are no answers.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from finassay.scorers.clauses import Subject, head_of, own_clause
from finassay.scorers.replies import Reply
from finassay.text.final_answers import Statement
from finassay.text.patterns import at_word
from finassay.text.quantities import Quantity

Chosen = tuple[Quantity, ...]
Rank = Callable[[Quantity], int]
"""How well the kind of a quantity fits: 0 best, 9 not at all."""

NOT_AT_ALL = 9
_EXPLICIT = frozenset({"answer", "box"})
_CONCLUDING = frozenset({"conclusion", "calculation"})
_LEADING = _EXPLICIT | _CONCLUDING
_EQUALS = re.compile(
    "[=\u2248\u2243]|\\b(?:equals|equal to|comes to|equivalent to|works out (?:to|at))\\b"
)
_MAIN_VERB = re.compile(
    "\\b(?:is|was|were|are|equals?|amount(?:s|ed|ing)? to|total(?:s|l?ed)|stood at"
    "|stands at|came to"
    "|comes to|reached|gives|yields|would be|will be)\\b|[:\uff1a]|为|是"
)
# What stands beside a figure to compare it with, or that it came from, is not the answer.
_BESIDE = re.compile(
    "\\b(?:from|than|versus|vs\\.?|compared (?:to|with)|against|previously|out of|instead of"
    "|rather than|not|no longer|minus|less|plus|divided by|times|multiplied by|page|pages"
    "|paragraph)"
    "\\s+(?:about |approximately |roughly |only |the |a |an |its |\\w+ of )*$"
)
_JOINS = re.compile(
    "^[\\s*_$\\\\]*(?:,?\\s*or\\b|\\(|,?\\s*i\\.?e\\.?|/|equivalently|[=\u2248])[^0-9]{0,30}$"
)
_SLASH_PARTS = re.compile("\\s*[/x*+\u00d7\u00f7^-]\\s*\\(?[$€£₹]?\\d")
_RETRACTS = re.compile(
    at_word(
        r"correction\b|was (?:mistaken|wrong|incorrect|an error)\b"
        r"|is (?:mistaken|wrong|incorrect|an error)\b|i first thought\b"
        r"|scratch that\b|strike that\b|my (?:earlier|previous) (?:statement|answer)\b"
        r"|on (?:second thought|closer (?:look|reading|inspection)|reflection)"
        r"|sorry,? (?:but )?(?:i|that|this|it)\b|apologies,? (?:but )?(?:i|that|this|it)\b"
        r"|i (?:misread|miscalculated|misstated)\b"
        r"|let me (?:correct|redo|recalculate)\b"
    )
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FinalQuantity:
    """The final answer of a reply.

    Attributes:
        quantities: the answer; several when the reply restates it ("0.41 or 41%").
        statement: the sentence or line that it stands in.
        why: what made this the final answer, in words.
        rivals: other figures of the same kind under explicit cues ("Answer 1", "Answer 2").
    """

    quantities: Chosen
    statement: Statement
    why: str
    rivals: Chosen = ()


Held = tuple[Statement, Chosen]


def final_quantity(reply: Reply, rank: Rank, subject: Subject) -> FinalQuantity | None:
    """Return the final answer among the quantities that fit, or None when there is none.

    Args:
        reply: the reply, read.
        rank: how well a quantity fits what is asked.
        subject: what the question is about.
    """
    held = _not_retracted(reply, _held(reply, rank))
    if not held:
        return None
    statement, found, why = _chosen_statement(reply, held, subject)
    quantities = _within(reply, statement, found, subject)
    rivals = tuple(
        q for other, them in held if other.cue in _EXPLICIT and statement.cue in _EXPLICIT
        and other is not statement for q in them[-1:]
    )  # fmt: skip
    return FinalQuantity(quantities=quantities, statement=statement, why=why, rivals=rivals)


def _held(reply: Reply, rank: Rank) -> list[Held]:
    """Return the statements with quantities of the best kind; a conclusion may hold the second."""
    if not reply.quantities:
        return []
    ranked = [
        (statement, [rank(q) for q in found], found)
        for statement in reply.statements
        if (found := reply.quantities_in(statement))
    ]
    best = min([of for _, ranks, _ in ranked for of in ranks], default=NOT_AT_ALL)
    if best == NOT_AT_ALL:
        return []
    held: list[Held] = []
    for statement, ranks, found in ranked:
        least = min(ranks)
        if least == best or (least <= best + 1 < NOT_AT_ALL and statement.cue in _LEADING):
            alike = [q for of, q in zip(ranks, found, strict=True) if of == least]
            held.append((statement, tuple(alike)))
    return held


# One of these stands in every retraction.
_RETRACT_WORDS = frozenset(
    str.split(
        "correction mistaken wrong incorrect error thought scratch strike my closer sorry "
        "apologies misread miscalculated misstated let"
    )
)


def _retraction(reply: Reply) -> int | None:
    """Return where the last retraction of a reply starts, None where it takes nothing back."""
    if _RETRACT_WORDS.isdisjoint(reply.vocabulary) and "on reflection" not in reply.low:
        return None
    found = deque(_RETRACTS.finditer(reply.low), maxlen=1)
    return found[0].start() if found else None


def after_retraction(reply: Reply) -> Reply:
    """Return what a reply says from its last correction on; the whole where it corrects nothing."""
    start = _retraction(reply)
    if not start:
        return reply
    rest = reply.text[start:]
    return Reply(rest) if len(rest) > _FEWEST_LETTERS else reply


_FEWEST_LETTERS = 24


def _not_retracted(reply: Reply, held: list[Held]) -> list[Held]:
    start = _retraction(reply)
    if start is None:
        return held
    later = [pair for pair in held if pair[0].start >= start]
    return later or [pair for pair in held if pair[0].end > start] or held


def _chosen_statement(
    reply: Reply, held: Sequence[Held], subject: Subject
) -> tuple[Statement, Chosen, str]:
    explicit = [pair for pair in held if pair[0].cue in _EXPLICIT]
    if explicit:
        return *explicit[-1], "it is given as the answer"
    if _is_alone(reply, held[0]):
        return *held[0], "it stands alone at the beginning"
    after_cue = _after_open_cue(reply, held, subject)
    if after_cue is not None:
        return *after_cue, "it follows the announcement of the answer"
    concluding = [pair for pair in held if pair[0].cue in _CONCLUDING]
    if concluding:
        return *concluding[-1], "it is the last conclusion"
    shares = [_closeness(reply, pair, subject) for pair in held]
    best = max(shares)
    return *held[shares.index(best)], "its sentence repeats the question best"


def _is_alone(reply: Reply, pair: Held) -> bool:
    """Return whether a reply opens with a line that holds a figure and nothing else."""
    statement, found = pair
    if statement is not reply.statements[0] or len(reply.statements) < 2 or len(found) != 1:
        return False
    around = reply.low[statement.start : found[0].start] + reply.low[found[0].end : statement.end]
    return not any(character.isalnum() for character in around)


def _closeness(reply: Reply, pair: Held, subject: Subject) -> float:
    statement, found = pair
    clause = max(subject.score(own_clause(reply, statement, q)) for q in found)
    change = subject.asks_change and any(_is_change(reply.low, statement, q) for q in found)
    return clause + 0.5 * reply.shared(statement, subject.stems) + 4 * change


def _after_open_cue(reply: Reply, held: Sequence[Held], subject: Subject) -> Held | None:
    """Return the statement that answers after an answer line that ends open ("Answer:")."""
    opens = [s for s in reply.statements if s.cue in _EXPLICIT]
    if not opens:
        return None
    later = [pair for pair in held if pair[0].start >= opens[-1].end]
    if not later:
        return None
    concluding = [pair for pair in later if pair[0].cue in _CONCLUDING]
    return concluding[-1] if concluding else max(later, key=lambda p: _closeness(reply, p, subject))


def _within(reply: Reply, statement: Statement, found: Chosen, subject: Subject) -> Chosen:
    """Return the answer inside a sentence, with its restatements."""
    first = _first_of_answer(reply, statement, found, subject)
    answer = [found[first]]
    for at in range(first + 1, len(found)):
        between = reply.low[found[at - 1].end : found[at].start]
        if not _JOINS.match(between):
            break
        answer.append(found[at])
    return tuple(answer)


def _first_of_answer(reply: Reply, statement: Statement, found: Chosen, subject: Subject) -> int:
    if len(found) == 1:
        return 0
    low = reply.low
    equals = [m.end() for m in _EQUALS.finditer(low, statement.start, statement.end)]
    for position in reversed(equals):
        after = [at for at, q in enumerate(found) if q.start >= position]
        if after and _SLASH_PARTS.match(low, found[after[0]].end) is None:
            return after[0]
    free = [at for at, q in enumerate(found) if not _is_beside(low, statement, q)]
    free = free or list(range(len(found)))
    head = head_of(reply, statement)
    scores = {
        at: subject.score(own_clause(reply, statement, q), head) for at, q in enumerate(found)
    }
    best = max(scores.values())
    named = [at for at in scores if scores[at] == best]
    if best - min(scores.values()) >= 1 and (len(named) == 1 or subject.has_period):
        free = [at for at in named if at in free] or named
    if subject.asks_change:
        free = [at for at in free if _is_change(low, statement, found[at])] or free
        free = [at for at in free if not _is_level(low, statement, found[at])] or free
    for verb in _MAIN_VERB.finditer(low, statement.start, statement.end):
        after = [at for at in free if found[at].start >= verb.end()]
        if after:
            return after[0]
    return free[0] if statement.cue == "none" else free[-1]


def _is_beside(low: str, statement: Statement, quantity: Quantity) -> bool:
    return (
        _BESIDE.search(low, max(statement.start, quantity.start - 40), quantity.start) is not None
    )


_BY = re.compile(
    r"\b(?:by|(?:increase|decrease|change|difference|rise|fall|decline|drop|growth|gain|loss) of)"
    r"\s+(?:about |approximately |only |an? |the |another )*$"
)


def _is_change(low: str, statement: Statement, quantity: Quantity) -> bool:
    return _BY.search(low, max(statement.start, quantity.start - 40), quantity.start) is not None


_LEVEL = re.compile(r"\b(?:to|from|at|stood at|was|is|were|are)\s+(?:about |only |an? |the )*$")


def _is_level(low: str, statement: Statement, quantity: Quantity) -> bool:
    """Return whether words give a quantity as a level ("rose to 5"), where a change is asked."""
    return _LEVEL.search(low, max(statement.start, quantity.start - 24), quantity.start) is not None
