"""Yes, no and which way.  In: a text, and the question that it answers.  Out: readings with spans.

An explicit word is read first: after a cue ("the answer is no"), then at the beginning, then after
a closing word ("..., so yes").  Without one, a sentence that repeats a yes/no question is read by
its negations and directions: "it has not increased" answers "has it increased?" with no.
"""

from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass
from typing import Literal

from finassay.text.content_words import content_stems
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
BOOLEAN_WORDS = frozenset({"true", "false"})

_NEGATION = re.compile(
    "\\b(?:not|no|never|none|neither|nor|nothing|nobody|cannot|fails? to|failed to|absence of"
    "|(?:excluded|exempt|exempted|barred|prohibited) from)\\b|n['\u2019]t\\b"
    "|[不没無无未非](?!过|仅|但|管|论)|नहीं|(?<![^\\W])न(?![^\\W])"
)
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

_DIRECTION = re.compile(
    "\\b(?:increas(?:e[sd]?|ing)|r[io]se[sn]?|rising|risen|raised?|raises|raising|grow(?:s"
    "|n|ing|th)?"
    "|grew|improv(?:e[sd]?|ing|ements?)|gain(?:s|ed|ing)?|expand(?:s|ed|ing)?|expansion|higher"
    "|climb(?:s|ed)?|strengthen(?:s|ed)?|upward|surged?|jumped|widen(?:s|ed)?"
    "|accelerat(?:e[sd]?|ing)|upgrad(?:e[sd]?|ing)|better"
    "|up)\\b|(?:增长|上升|增加|提高|上涨|上调)"
    "|\\b(decreas(?:e[sd]?|ing)|declin(?:e[sd]?|ing)|fall(?:s|en|ing)?|fell|drop(?:s|ped|ping)?"
    "|reduc(?:e[sd]?|ing|tions?)|shr[aiu]nk(?:s|ing)?|worsen(?:s|ed|ing)?|deteriorat(?:e[sd]?|ing)"
    "|lower(?:ed)?|weaken(?:s|ed)?|downward|contract(?:ed|ion)|los(?:t|e|es|ing|s|ses)"
    "|plung(?:ed?|es)"
    "|slump(?:ed|s)?|downgrad(?:e[sd]?|ing)|worse|narrow(?:ed|s)?|down)\\b|(下降|减少|下滑|降低|下跌|下调)"
)
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


@dataclass(frozen=True, slots=True)
class Direction:
    """A word that says which way something went: +1 up, -1 down, turned by a negation before it."""

    start: int
    end: int
    sign: int


def asks_yes_no(question: str) -> bool:
    """Return whether a question asks for yes or no."""
    low = lowered(question)
    asked = _ASKS.search(low)
    if asked is None:
        return False
    more = _ASKS_MORE.search(low)
    return more is None or asked.start() < more.start()


def read_polarity(text: str, question: str = "") -> PolarityReading | None:
    """Return the yes or no that a text says, explicitly or by answering a yes/no question."""
    low = lowered(text)
    explicit = _explicit(low)
    if explicit is not None:
        return explicit
    return _stated(low, question) if question and asks_yes_no(question) else None


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


def _stated(low: str, question: str) -> PolarityReading | None:
    """Return the polarity of the last sentence that repeats the question closely."""
    asked = set(content_stems(question))
    declines = [refusal.start for refusal in read_refusals(low)]
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


def read_negations(text: str) -> tuple[tuple[int, int], ...]:
    """Return the spans of words that negate; "not less than" and "not only" do not."""
    low = lowered(text)
    if not any(cue in low for cue in ("n", "不", "没", "无", "無", "未", "非", "l", "न")):
        return ()
    kept = [found.span() for found in _NEGATION.finditer(low)]
    if not kept:
        return ()
    others = [found.span() for found in _NO_NEGATION.finditer(low)]
    return tuple(span for span in kept if not any(o[0] <= span[0] < o[1] for o in others))


def read_directions(text: str) -> tuple[Direction, ...]:
    """Return the words that say which way something went, in order."""
    low = lowered(text)
    negations = read_negations(low)
    return tuple(
        Direction(*found.span(), _sign(found, negations)) for found in _DIRECTION.finditer(low)
    )


def _sign(found: re.Match[str], negations: tuple[tuple[int, int], ...]) -> int:
    sign = -1 if found[1] or found[2] else 1
    negated = any(
        0 <= found.start() - end <= 12 and not _STOPS.search(found.string, end, found.start())
        for _, end in negations
    )
    return -sign if negated else sign


_STOPS = re.compile("[.,;:!?]")


def read_hedges(text: str) -> tuple[tuple[int, int], ...]:
    """Return the spans of words by which a text commits to nothing."""
    return tuple(found.span() for found in _HEDGE.finditer(lowered(text)))
