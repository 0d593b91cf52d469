"""Where a reference gives its final answer.  In: a text and its question.  Out: spans and counts.

In order: a box; an answer line; a value alone on the first line; the last conclusion or end of a
calculation with a figure; the whole of a short text; the sentence that repeats the question best.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from finassay.text.content_words import content_stems
from finassay.text.final_answers import Statement, boxes, statements
from finassay.text.spans import lowered

SHORT = 3
"""Statements up to which a text is an answer as a whole."""

_ALONE = 40
_NUMBER_WORDS = {
    word: Fraction(value)
    for value, word in enumerate(
        str.split(
            "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
            "fifteen sixteen seventeen eighteen nineteen twenty"
        )
    )
}
_HOW_MANY = re.compile(r"\bhow many ((?:[a-z]+[ -]?){1,3})")
_ENDS_NOUN = frozenset(
    str.split(
        "are is was were do does did will would can could have has had should must of in on at to "
        "there remain remains left that which it he she they we you"
    )
)
_NONE = frozenset({"no", "zero", "none"})


def answer_place(text: str, question: str = "") -> tuple[int, int]:
    """Return the span of the final answer."""
    boxed = boxes(text)
    found = statements(text)
    if boxed or not found:
        return boxed[-1] if boxed else (0, len(text))
    cued = [at for at, one in enumerate(found) if one.cue == "answer"]
    if cued:
        return _with_next(text, found, cued[-1])
    if _is_alone(text, found):
        return found[0].start, found[0].end
    return _uncued(text, found, question)


def _uncued(text: str, found: Sequence[Statement], question: str) -> tuple[int, int]:
    """Return the span of the last conclusion with a figure, of a short text, or the closest."""
    for holds in (_has_digit, _has_number_word):
        concluding = [
            one for one in found if one.cue in {"conclusion", "calculation"} and holds(text, one)
        ]
        if concluding:
            return concluding[-1].start, concluding[-1].end
    if len(found) <= SHORT:
        return found[0].start, found[-1].end
    best = _closest(text, found, question)
    return best.start, best.end


def _has_digit(text: str, one: Statement) -> bool:
    said = _MARKER.sub("", text[one.start : one.end])
    return any(character.isdigit() for character in said)


_MARKER = re.compile(r"^[\s*_#>(-]*\d{1,3}[.):](?=\s|$)")


def _has_number_word(text: str, one: Statement) -> bool:
    return bool(number_words(text[one.start : one.end]))


def _with_next(text: str, found: Sequence[Statement], at: int) -> tuple[int, int]:
    """Return the span of a statement, and of the next where it ends open ("Answer:")."""
    one = found[at]
    if text[one.start : one.end].rstrip().endswith(":") and at + 1 < len(found):
        return one.start, found[at + 1].end
    return one.start, one.end


def _is_alone(text: str, found: Sequence[Statement]) -> bool:
    """Return whether the first line is a value and nothing else, with an explanation below."""
    first = text[found[0].start : found[0].end]
    if len(found) < 2 or "\n" not in text[found[0].start : found[1].start + 1] + first:
        return False
    line = first.strip().rstrip(".:")
    words = re.findall(r"[^\W\d_]{2,}", line)
    return len(line) <= _ALONE and len(words) <= 2 and any(c.isdigit() for c in line)


def asking_stems(question: str) -> frozenset[str]:
    """Return the stems of the sentences of a question that ask, or of its last sentence."""
    found = [question[one.start : one.end] for one in statements(question)]
    asking = [sentence for sentence in found if sentence.rstrip().endswith("?")]
    return frozenset(content_stems(" ".join(asking or found[-1:])))


def _closest(text: str, found: Sequence[Statement], question: str) -> Statement:
    """Return the statement that repeats the question best: with figures where any holds one."""
    asked = asking_stems(question)
    with_digits = [one for one in found if _has_digit(text, one)]
    last = found[-1]
    shares = {one: len(asked & set(content_stems(text[one.start : one.end]))) for one in found}
    most = max(shares.values())
    if most and most >= (len(asked) + 1) // 2:
        return next(one for one in found if shares[one] == most)
    concluding = [one for one in found if one.cue == "conclusion"]
    return concluding[-1] if concluding else with_digits[-1] if with_digits else last


def in_full(question: str, earlier: Sequence[str]) -> str:
    """Return a question with the one before it where it does not stand alone ("What about")."""
    if earlier and _FOLLOWS.match(lowered(question)):
        return f"{earlier[-1]}\n{question}"
    return question


_FOLLOWS = re.compile(r"\s*(?:(?:and )?(?:what|how) about|and (?:if|what|how)|what if|same )\b")


def counted(text: str, question: str) -> Fraction | None:
    """Return the number of the things that a question counts ("how many brothers ...?").

    The last mention in the first sentence that has one counts; "no brothers" is 0.
    """
    asked = _HOW_MANY.search(lowered(question))
    if asked is None:
        return None
    words = re.split(r"[ -]", asked[1].strip())
    end = next((at for at, word in enumerate(words) if word in _ENDS_NOUN), len(words))
    noun = content_stems(" ".join(words[:end]))[-1:]
    low = lowered(text)
    for one in reversed(statements(text)) if len(statements(text)) > SHORT else statements(text):
        values = _mentions(low[one.start : one.end], noun)
        if values:
            return values[-1]
    return None


def _mentions(low: str, noun: tuple[str, ...]) -> list[Fraction]:
    found: list[Fraction] = []
    words = re.findall(r"\d+|[^\W\d_]+", low)
    for at, word in enumerate(words):
        value = _value(word)
        if value is None:
            continue
        near = words[at + 1 : at + 4]
        if noun and any(content_stems(other) == noun for other in near):
            found.append(value)
    return found


def _value(word: str) -> Fraction | None:
    if word.isdigit():
        return Fraction(word) if len(word) < 10 else None
    return Fraction(0) if word in _NONE else _NUMBER_WORDS.get(word)


def number_words(text: str) -> tuple[Fraction, ...]:
    """Return the numbers from zero to twenty that are written in words, and their parts.

    Example:
        >>> [str(value) for value in number_words("Two-thirds of seven days")]
        ['2/3', '7']
    """
    words = [*re.findall(r"[^\W\d_]+", lowered(text)), ""]
    return tuple(
        _NUMBER_WORDS[word] / _PARTS.get(after, 1)
        for word, after in pairwise(words)
        if word in _NUMBER_WORDS
    )


_PARTS = {
    **dict.fromkeys(("half", "halves"), 2),
    **dict.fromkeys(("third", "thirds"), 3),
    **dict.fromkeys(("quarter", "quarters", "fourth", "fourths"), 4),
    **dict.fromkeys(("fifth", "fifths"), 5),
    **dict.fromkeys(("tenth", "tenths"), 10),
}


_DENIES = re.compile(
    r"\b(?:there (?:is|are|exists?) no|no such|does not exist|do(?:es)? not (?:form|have|exist)"
    r"|cannot be (?:determined|computed|calculated|defined|found)|undefined|not defined"
    r"|no (?:real )?solutions?|impossible|not possible|not enough information|insufficient)\b"
)


def denies(text: str) -> bool:
    """Return whether a text says that there is no such value, or that none can be told."""
    return _DENIES.search(lowered(text)) is not None
