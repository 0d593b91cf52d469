"""Yes, no and which way.  In: a text, and the question that it answers.  Out: readings with spans.

An explicit word is read first: after a cue ("the answer is no"), then at the beginning, then after
a closing word ("..., so yes").  Without one, a sentence that repeats a yes/no question is read by
its negations and directions: "it has not increased" answers "has it increased?" with no.
"""

from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

from finassay.text.content_words import content_stems
from finassay.text.folding import is_apart, places_of, vocabulary
from finassay.text.refusals import read_refusals
from finassay.text.spans import lowered

Polarity = Literal["yes", "no"]
How = Literal["cue", "leading", "closing", "statement"]

_OPEN = "[\\s*_\"'\u201c\u2018(\\[`#>\u202a-\u202e\u2066-\u2069\u200b-\u200f\ufeff:\uff1a-]*"
_YES_NO = "(yes|no|true|false|是的?|否|不是|हाँ|हां|नहीं)"
_AFTER = "(?![^\\W_])"
_CUE = re.compile(
    "(?:\\b(?:answer|conclusion|verdict|result)\\b(?:[^.!?\\n]{0,60}?\\b(?:is|be|would be)\\b)?"
    f"|答案(?:是|为)?|उत्तर){_OPEN}{_YES_NO}{_AFTER}"
)
_LEADING = re.compile(f"{_OPEN}{_YES_NO}{_AFTER}")
_OPENING = re.compile("[.!?:\n]\\s+[*_\"'(]*(yes|no)(?=[*_\"')]*[,.;:!])")
_CLOSING = re.compile(
    "\\b(?:so|therefore|thus|hence|summary|conclusion|conclude|overall|short)\\b[,:]?"
    f"{_OPEN}{_YES_NO}(?=[\\s*_\"'\u201d\u2019)]*(?:[,.;:!]|$|\\n))"
)
# "No change" and "no material risk" hold a determiner, not an answer.
_ENDS_WORD = re.compile("[\\s*_\"'\u201d\u2019)\\]`\u202a-\u202e\u2066-\u2069]*(?:[^\\w\\s]|$|\\n)")
_VALUE: dict[str, Polarity] = {
    "yes": "yes", "true": "yes", "是": "yes", "是的": "yes", "हाँ": "yes", "हां": "yes",
    "no": "no", "false": "no", "否": "no", "不是": "no", "नहीं": "no",
}  # fmt: skip
_YES_NO_WORDS = frozenset({"yes", "no", "true", "false"})
BOOLEAN_WORDS = frozenset({"true", "false"})

# Words that negate, and what has to follow them.
_NEGATION_WORDS = {
    **dict.fromkeys(str.split("not no never none neither nor nothing nobody cannot"), ""),
    **dict.fromkeys(str.split("fail fails failed"), " to"),
    "absence": " of",
    **dict.fromkeys(str.split("excluded exempt exempted barred prohibited"), " from"),
}
_NEGATES = frozenset(_NEGATION_WORDS)
_SHORT_NOT = re.compile("n['\u2019]t\\b")
_OTHER_NEGATION = re.compile("[不没無无未非](?!过|仅|但|管|论)|नहीं|(?<![^\\W])न(?![^\\W])")
_NO_NEGATION = re.compile(
    "\\bnot only\\b|\\bno later\\b|\\bno\\.\\s?\\d|\\bnot (?:less|more|fewer|greater|"
    "earlier|later|exceed)|\\bno (?:less|more|fewer|earlier)|不(?:少于|超过|低于|高于|得?少|得?超)"
)
_AUXILIARY = (
    "is|are|was|were|do|does|did|has|have|had|can|could|will|would|shall|should|may|might|must"
)
_ASKS = re.compile(
    f"(?:^|[.?!:;,\u2014]\\s*)(?:{_AUXILIARY})(?:n['\u2019]t)?\\s+"
    "(?!you\\b|please\\b)\\w|\\bwhether\\b|是否|吗[?？]?|क्या"
)
_ASKS_MORE = re.compile("\\b(?:what|which|who|whom|whose|when|where|why|how)\\b|什么|多少|哪|谁")

_UP = frozenset(
    str.split(
        "increase increases increased increasing rise rises risen rose roses rosen rising raise "
        "raised raises raising grow grows grown growing growth grew improve improves improved "
        "improving improvement improvements gain gains gained gaining expand expands expanded "
        "expanding expansion higher climb climbs climbed strengthen strengthens strengthened "
        "upward surge surged jumped widen widens widened accelerate accelerates accelerated "
        "accelerating upgrade upgrades upgraded upgrading better up"
    )
)
_DOWN = frozenset(
    str.split(
        "decrease decreases decreased decreasing decline declines declined declining fall falls "
        "fallen falling fell drop drops dropped dropping reduce reduces reduced reducing reduction "
        "reductions shrink shrinks shrinking shrank shranks shranking shrunk shrunks shrunking "
        "worsen worsens worsened worsening deteriorate deteriorates deteriorated deteriorating "
        "lower lowered weaken weakens weakened downward contracted contraction lost lose loses "
        "losing loss losses plunge plunged plunges slump slumped slumps downgrade downgrades "
        "downgraded downgrading worse narrow narrowed narrows down"
    )
)
_WAY_WORDS = _UP | _DOWN
DIRECTION_WORDS = _WAY_WORDS | _NEGATES
"""Words that say which way something went, and words that turn them."""
_WAYS = {**dict.fromkeys(_UP, 1), **dict.fromkeys(_DOWN, -1)}

_HAN_DIRECTION = re.compile("(?:增长|上升|增加|提高|上涨|上调)|(下降|减少|下滑|降低|下跌|下调)")
_HEDGE = re.compile(
    "\\b(?:may or may not|might or might not|could be either|either way"
    "|not (?:entirely )?(?:sure|certain"
    "|clear)|unclear|uncertain|(?:hard|difficult|impossible) to (?:say|tell)|it depends|depends on"
    "|possibly|perhaps|maybe|probably|not necessarily|cannot be certain|i (?:think|guess|believe)"
    "|my (?:best )?guess|one could argue|arguabl[ey]|take no position|leaves? (?:both|it|this) open"
    "|(?:do not|don['\u2019]t) know (?:which|whether)|not able to say|whichever you prefer"
    "|yes and no"
    "|(?:may|might|could) (?:as well |equally |also )?have (?:been|\\w+ed|grown|fallen|risen)"
    "|might \\w+ [^.;]{0,60}\\bor (?:on |in |at |to )?|could (?:as well |equally "
    "|also )?be\\b[^.;]{0,60}\\bor|may be\\b[^.;]{0,60}\\bor may)\\b"
    "|可能|也许|大概|未必"
)
_STATEMENT = re.compile(r"[^.!?\n]+(?:\.(?=\S)[^.!?\n]*)*")
_INTRODUCES = re.compile(r"\s*(?:to (?:determine|answer|assess|see|find|calculate)|if|whether)\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class PolarityReading:
    """A yes or a no read out of a text.

    Attributes:
        start: where the words that say it begin.
        end: where they end.
        value: yes or no.
        how: "cue", "leading" and "closing" are explicit words; "statement" was inferred.
        boolean: the word was "true" or "false".
    """

    start: int
    end: int
    value: Polarity
    how: How
    boolean: bool = False


class Direction(NamedTuple):
    """A word that says which way something went: +1 up, -1 down, turned by a negation before it."""

    start: int
    end: int
    sign: int


@lru_cache(maxsize=1024)
def asks_yes_no(question: str) -> bool:
    """Return whether a question asks for yes or no."""
    low = lowered(question)
    asked = _ASKS.search(low)
    if asked is None:
        return False
    more = _ASKS_MORE.search(low)
    return more is None or asked.start() < more.start()


def read_polarity(
    text: str, question: str = "", words: frozenset[str] | None = None
) -> PolarityReading | None:
    """Return the yes or no that a text says, explicitly or by answering a yes/no question.

    Args:
        text: the text.
        question: what it answers.
        words: the vocabulary of the text, where that is known.
    """
    low = lowered(text)
    held = vocabulary(low) if words is None else words
    says = not low.isascii() or not _YES_NO_WORDS.isdisjoint(held)
    explicit = _explicit(low) if says else None
    if explicit is not None:
        return explicit
    return _stated(low, question, held) if question and asks_yes_no(question) else None


def _explicit(low: str) -> PolarityReading | None:
    found = _last(_CUE, low)
    if found is not None and _is_answer(low, found):
        return _reading(found, "cue")
    closing = _last(_CLOSING, low)
    leading = _LEADING.match(low)
    if closing is not None and (leading is None or closing.start() > leading.end()):
        return _reading(closing, "closing")
    if leading is not None and _is_answer(low, leading):
        return _reading(leading, "leading")
    opening = _OPENING.search(low)
    return None if opening is None else _reading(opening, "leading")


def _last(pattern: re.Pattern[str], low: str) -> re.Match[str] | None:
    return next(iter(deque(pattern.finditer(low), maxlen=1)), None)


def _is_answer(low: str, found: re.Match[str]) -> bool:
    return found[1] not in {"no", "是", "नहीं"} or _ENDS_WORD.match(low, found.end()) is not None


def _reading(found: re.Match[str], how: How) -> PolarityReading:
    start, end = found.span(1)
    word = found[1]
    return PolarityReading(
        start=start, end=end, value=_VALUE[word], how=how, boolean=word in BOOLEAN_WORDS
    )


def _stated(low: str, question: str, words: frozenset[str]) -> PolarityReading | None:
    """Return the polarity of the last sentence that repeats the question closely."""
    asked = set(content_stems(question))
    declines = [refusal.start for refusal in read_refusals(low, words)]
    best: tuple[float, int, int] | None = None
    for found in _STATEMENT.finditer(low):
        if _INTRODUCES.match(found[0]):
            continue
        if any(found.start() <= at < found.end() for at in declines):
            continue
        shared = len(asked.intersection(content_stems(found[0])))
        share = shared / len(asked) if asked else 0.0
        if shared >= 2 and share >= 0.4 and (best is None or share >= best[0]):
            best = (share, *found.span())
    if best is None:
        return None
    _, start, end = best
    statement = low[start:end]
    flips = turns(statement) != turns(lowered(question))
    flips ^= _is_prefixed(statement, lowered(question))
    return PolarityReading(start=start, end=end, value="no" if flips else "yes", how="statement")


_NEGATIVE_PREFIX = re.compile(r"\b(?:in|un|dis|non-?|ir|im)(\w{4,})")


def _is_prefixed(statement: str, question: str) -> bool:
    """Return whether one of two texts has a word of the other with a negative prefix."""
    ours = {found[1] for found in _NEGATIVE_PREFIX.finditer(statement)}
    theirs = {found[1] for found in _NEGATIVE_PREFIX.finditer(question)}
    if bool(_DIFFERENT.search(statement)) != bool(_DIFFERENT.search(question)) and (
        _SAME.search(statement) or _SAME.search(question)
    ):
        return True
    return any(re.search(rf"\b{re.escape(word)}", question) for word in ours - theirs) or any(
        re.search(rf"\b{re.escape(word)}", statement) for word in theirs - ours
    )


_SAME = re.compile(r"\b(?:same|identical|equal|alike)\b")
_DIFFERENT = re.compile(r"\b(?:different|differ|differs|differed|unequal)\b")


def turns(low: str) -> bool:
    """Return whether a clause in lower case is turned round: by a negation or a downward word."""
    signs = [direction.sign for direction in read_directions(low)]
    if signs:
        return signs[0] < 0
    return len(read_negations(low)) % 2 == 1


def read_negations(text: str, words: frozenset[str] | None = None) -> tuple[tuple[int, int], ...]:
    """Return the spans of words that negate; "not less than" and "not only" do not.

    Args:
        text: the text.
        words: the vocabulary of the text, or of a longer one that holds it, where that is known.
    """
    low = lowered(text)
    held = _NEGATES & (vocabulary(low) if words is None else words)
    found = _negating_words(low, held) if held else []
    if "n'" in low or "n\u2019" in low:
        found += [match.span() for match in _SHORT_NOT.finditer(low)]
    if not low.isascii():
        found += [match.span() for match in _OTHER_NEGATION.finditer(low)]
    if not found:
        return ()
    found.sort()
    return tuple([span for span in found if _NO_NEGATION.match(low, span[0]) is None])


def _negating_words(low: str, held: frozenset[str]) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for at, word in places_of(held, low):
        end = at + len(word)
        following = _NEGATION_WORDS[word]
        if low.startswith(following, end):
            end += len(following)
            if is_apart(low, at, end):
                found.append((at, end))
    return found


def read_directions(text: str, words: frozenset[str] | None = None) -> tuple[Direction, ...]:
    """Return the words that say which way something went, in order.

    Args:
        text: the text.
        words: the vocabulary of the text, or of a longer one that holds it, where that is known.
    """
    low = lowered(text)
    held = _WAY_WORDS & (vocabulary(low) if words is None else words)
    found = [
        (at, at + len(word), _WAYS[word])
        for at, word in (places_of(held, low) if held else ())
        if is_apart(low, at, at + len(word))
    ]
    if not low.isascii():
        found += [(*m.span(), -1 if m[1] else 1) for m in _HAN_DIRECTION.finditer(low)]
        found.sort()
    if not found:
        return ()
    negations = read_negations(low, words)
    return tuple([Direction(at, end, _sign(low, at, sign, negations)) for at, end, sign in found])


def _sign(low: str, at: int, sign: int, negations: tuple[tuple[int, int], ...]) -> int:
    negated = any(0 <= at - end <= 12 and not _STOPS.search(low, end, at) for _, end in negations)
    return -sign if negated else sign


_STOPS = re.compile("[.,;:!?]")


def read_hedges(text: str, words: frozenset[str] | None = None) -> tuple[tuple[int, int], ...]:
    """Return the spans of words by which a text commits to nothing.

    Args:
        text: the text.
        words: the vocabulary of the text, or of a longer one that holds it, where that is known.
    """
    low = lowered(text)
    if low.isascii() and _HEDGE_WORDS.isdisjoint(vocabulary(low) if words is None else words):
        return ()
    return tuple(found.span() for found in _HEDGE.finditer(low))


# One of these stands in every hedge in English.
_HEDGE_WORDS = frozenset(
    str.split(
        "may might could either sure certain clear unclear uncertain say tell depends possibly "
        "perhaps maybe probably necessarily think guess believe arguable arguably position open "
        "know whichever yes"
    )
)
