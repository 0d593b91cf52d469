"""Numbers in English words.  In: a folded text in lower case.  Out: numerals with their spans.

A small grammar, read left to right: ones and tens below a hundred, hundreds, then scales in falling
order (crore, lakh and the Western ones), with "and", hyphens and commas where English has them,
halves and other fractions, and decimals after "point".  What the grammar does not join are two
numbers ("thirty or sixty"); ordinals and scales without a number are none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal

from finassay.text.numerals import ONE, Numeral
from finassay.text.units import words

_SMALL = {
    word: value
    for value, word in enumerate(
        words(
            "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
            "fifteen sixteen seventeen eighteen nineteen"
        )
    )
} | {
    word: value
    for value, word in zip(
        range(20, 100, 10),
        words("twenty thirty forty fifty sixty seventy eighty ninety"),
        strict=True,
    )
}
_SMALL["fourty"] = 40
_SMALL["dozen"] = 12
_SCALES = {
    "hundred": 100,
    "thousand": 1000,
    "lakh": 100_000,
    "lac": 100_000,
    "million": 10**6,
    "crore": 10**7,
    "billion": 10**9,
    "trillion": 10**12,
}
_SCALES |= {f"{word}s": value for word, value in _SCALES.items() if value > 100}
_SINGULAR = {
    "half": 2,
    "third": 3,
    "quarter": 4,
    "fourth": 4,
    "fifth": 5,
    "sixth": 6,
    "seventh": 7,
    "eighth": 8,
    "ninth": 9,
    "tenth": 10,
    "hundredth": 100,
}
_PLURAL = {f"{word}s": value for word, value in _SINGULAR.items() if word != "half"}
_PLURAL["halves"] = 2

NUMBER_WORDS = frozenset(_SMALL) | {"half"}
_WORDS = sorted(
    {*_SMALL, *_SCALES, *_SINGULAR, *_PLURAL, "point"}, key=lambda word: (-len(word), word)
)
_TOKEN = re.compile(rf"(?<![a-z\d])(?:{'|'.join(_WORDS)})(?![a-z\d])")

_SPACE = re.compile(r"[ \xa0]{1,3}|[ \xa0]?-[ \xa0]?")
_AND = re.compile(r"[ \xa0]{1,3}and[ \xa0]{1,3}(?:an?[ \xa0]{1,3})?|-and-(?:an?-)?")
_COMMA = re.compile(r",[ \xa0]{1,3}(?:and[ \xa0]{1,3})?")
_ARTICLE = re.compile(r"[ \xa0-]{1,3}an?[ \xa0-]{1,3}")
_ARTICLE_BEFORE = re.compile(r"(?<![a-z])an?[ \xa0]{1,3}\Z")
_OF = re.compile(r"[ \xa0]{1,3}of\b")
# "The first half of 2020" is a period; so is any half or third that one of these names.
_NAMED_BEFORE = re.compile(
    r"(?:first|1st|second|2nd|latter|last|other|this|the|next|same|fiscal|each|every|per|past|"
    r"previous|prior|current|final|on|in|h)[ \xa0-]{1,3}\Z"
)


@dataclass(slots=True)
class _Number:
    """A number under construction: parts that have their scale, and the part that has not yet."""

    start: int
    end: int
    total: Decimal = Decimal(0)
    current: Decimal = Decimal(0)
    limit: int = 10**15
    step: Decimal = ONE
    tokens: int = 0
    last: str = ""
    ordinal: bool = field(default=False)

    @property
    def value(self) -> Decimal:
        return self.total + self.current


@dataclass(frozen=True, slots=True)
class _Token:
    word: str
    start: int
    end: int


def word_numerals(low: str) -> Iterator[Numeral]:
    """Yield the numbers in words of a folded text in lower case, in order."""
    tokens = [_Token(m[0], m.start(), m.end()) for m in _TOKEN.finditer(low)]
    index = 0
    while index < len(tokens):
        number, index = _number(low, tokens, index)
        if number is not None:
            yield Numeral(number.start, number.end, number.value, number.step, words=True)


def _number(low: str, tokens: list[_Token], index: int) -> tuple[_Number | None, int]:
    """Return the number that starts at a token, if one does, and the index of the token after."""
    number = _opening(low, tokens[index])
    if number is None:
        return None, index + 1
    if number.tokens == 0:
        # "half a million": the half waits for its scale; the article is not a token.
        return _after_half(low, tokens, index, number)
    index += 1
    while index < len(tokens) and _joins(low, number, tokens, index):
        index += 1
    if number.last == "point":
        return None, index
    return (None if number.ordinal else number), index


def _opening(low: str, token: _Token) -> _Number | None:
    word = token.word
    if word in _SMALL:
        start = token.start
        if word == "dozen":
            article = _ARTICLE_BEFORE.search(low, max(0, start - 5), start)
            start = article.start() if article else start
        return _Number(start, token.end, current=Decimal(_SMALL[word]), tokens=1, last=word)
    if word == "half":
        named = _NAMED_BEFORE.search(low, max(0, token.start - 12), token.start)
        return None if named else _Number(token.start, token.end, current=Decimal("0.5"))
    article = _ARTICLE_BEFORE.search(low, max(0, token.start - 5), token.start)
    if article is None:
        return None
    if word in _SCALES and word[-1] != "s":
        number = _Number(article.start(), token.end, current=ONE, tokens=1, last="one")
        _scale(number, token)
        return number
    if word in _SINGULAR and _OF.match(low, token.end):
        part = ONE / _SINGULAR[word]
        return _Number(
            article.start(), token.end, current=part, step=Decimal(0), tokens=1, last="/"
        )
    return None


def _after_half(
    low: str, tokens: list[_Token], index: int, number: _Number
) -> tuple[_Number | None, int]:
    number.step = Decimal(0)
    if index + 1 < len(tokens):
        token = tokens[index + 1]
        gap = low[number.end : token.start]
        if len(gap) < 8 and token.word in _SCALES and _ARTICLE.fullmatch(gap):
            _scale(number, token)
            return number, index + 2
    article = _ARTICLE.match(low, number.end)
    if article:
        # "half a per cent": the unit that follows is read after the article.
        number.end = article.end() - 1
        return number, index + 1
    article = _ARTICLE_BEFORE.search(low, max(0, number.start - 5), number.start)
    if _OF.match(low, number.end):
        number.start = article.start() if article else number.start
        return number, index + 1
    return None, index + 1


def _joins(low: str, number: _Number, tokens: list[_Token], index: int) -> bool:
    """Return whether a token belongs to the number, and take it in if so."""
    token = tokens[index]
    gap = low[number.end : token.start]
    if len(gap) > 14:
        return False
    if number.last == "/":
        return False
    if _SPACE.fullmatch(gap):
        taken = _take(low, number, token, gap)
    elif _AND.fullmatch(gap):
        taken = _take_after_and(low, number, tokens, index, gap)
    elif _COMMA.fullmatch(gap):
        taken = _take_after_comma(number, tokens, index)
    else:
        return False
    return taken


def _take(low: str, number: _Number, token: _Token, gap: str) -> bool:
    word = token.word
    if number.last == "point" or number.last == ".":
        return _take_decimal(number, token)
    if word == "point":
        if not _next_is_digit(low, token.end):
            return False
        number.last, number.end = "point", token.end
        return True
    if word in _SMALL:
        return _take_small(number, token)
    if word in _SCALES:
        return _scale(number, token)
    return _take_fraction(number, token, gap)


def _next_is_digit(low: str, at: int) -> bool:
    following = _TOKEN.match(low, at + 1)
    return following is not None and _SMALL.get(following[0], 10) < 10


def _take_decimal(number: _Number, token: _Token) -> bool:
    digit = _SMALL.get(token.word, 10)
    if digit < 10:
        if number.last == "point":
            number.step = ONE
        number.step = number.step.scaleb(-1)
        number.current += digit * number.step
        number.last, number.end = ".", token.end
        return True
    return token.word in _SCALES and _scale(number, token)


def _take_small(number: _Number, token: _Token) -> bool:
    small = _SMALL[token.word]
    below = number.current % 100
    fits = small and number.current == number.current.to_integral_value() and number.step != 0
    if token.word == "dozen":
        if number.total or not 0 < number.current < 20:
            return False
        number.current *= 12
    elif (fits and below == 0 and (number.current or number.total)) or (fits and small < 10 and below >= 20 and below % 10 == 0):
        number.current += small
    else:
        return False
    number.step = ONE
    number.tokens += 1
    number.last, number.end = token.word, token.end
    return True


def _scale(number: _Number, token: _Token) -> bool:
    scale = _SCALES[token.word]
    if scale == 100 and number.last != "." and number.last not in _SCALES:
        if not 0 < number.current < 100:
            return False
        number.current *= 100
    elif number.current and scale < number.limit:
        number.total += number.current * scale
        _scaled(number, scale)
    elif number.last in _SCALES and not number.current and number.total:
        # "three lakh crore", "five thousand crore": a scale of a scale.
        number.total *= scale
        _scaled(number, scale)
    else:
        return False
    number.tokens += 1
    number.last, number.end = token.word, token.end
    return True


def _scaled(number: _Number, scale: int) -> None:
    number.current = Decimal(0)
    number.step *= scale
    number.limit = scale


def _take_fraction(number: _Number, token: _Token, gap: str) -> bool:
    """Take "thirds" after "two"; a singular after more than one makes an ordinal ("twenty-fifth")."""
    word = token.word
    under = _PLURAL.get(word) or _SINGULAR.get(word)
    if under is None or number.total:
        if under is not None and word in _SINGULAR:
            number.ordinal, number.end = True, token.end
            return True
        return False
    if word.startswith("quarter") and "-" not in gap:
        return False
    if word in _SINGULAR and number.current != 1:
        number.ordinal = word != "half" and word != "quarter"
        number.end = token.end if number.ordinal else number.end
        return number.ordinal
    if not 0 < number.current < under:
        return False
    number.current /= under
    number.step, number.last, number.end = Decimal(0), "/", token.end
    return True


def _take_after_and(low: str, number: _Number, tokens: list[_Token], index: int, gap: str) -> bool:
    token = tokens[index]
    article = gap.rstrip(" \xa0-").endswith(("a", "an")) and not gap.rstrip(" \xa0-").endswith(
        "and"
    )
    if article:
        return _take_and_a_part(low, number, token)
    if token.word == "half":
        return _take_and_a_part(low, number, token)
    if token.word in _SMALL and index + 1 < len(tokens):
        following = tokens[index + 1]
        between = low[token.end : following.start]
        if following.word in _PLURAL or (following.word in _SINGULAR and token.word == "one"):
            if _SPACE.fullmatch(between) and number.current and not number.total:
                return False
    if number.last not in _SCALES:
        return False
    return token.word in _SMALL and _take_small(number, token)


def _take_and_a_part(low: str, number: _Number, token: _Token) -> bool:
    """Take "and a half" after a number; a scale may still follow ("two and a half million")."""
    under = _SINGULAR.get(token.word)
    if under is None or not number.current or number.total:
        return False
    if under not in (2, 4) and not _OF.match(low, token.end):
        return False
    number.current += ONE / under
    number.step = Decimal(0)
    number.last, number.end = "part", token.end
    return True


def _take_after_comma(number: _Number, tokens: list[_Token], index: int) -> bool:
    """Take "six hundred" after "five thousand,": a comma joins only what has a scale of its own."""
    if number.last not in _SCALES or number.last == "hundred" or index + 1 >= len(tokens):
        return False
    scales = [token.word for token in tokens[index + 1 : index + 4] if token.word in _SCALES]
    if not scales or _SCALES[scales[0]] >= number.limit:
        return False
    return tokens[index].word in _SMALL and _take_small(number, tokens[index])
