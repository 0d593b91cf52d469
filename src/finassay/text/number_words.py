"""Numbers in English words.  In: a folded text in lower case.  Out: numerals with their spans.

A small grammar, read left to right: ones and tens below a hundred, hundreds, then scales in falling
order (crore, lakh and the Western ones), with "and", hyphens and commas where English has them,
halves and other fractions, and decimals after "point".  What the grammar does not join are two
numbers ("thirty or sixty"); ordinals and scales without a number are none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple

from finassay.text.folding import Folded
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

_NUMBER_WORDS = frozenset(_SMALL) | {"half"}
_WITH_ARTICLE = frozenset(word for word in (*_SCALES, *_SINGULAR) if word[-1] != "s")
_WORDS = frozenset({*_SMALL, *_SCALES, *_SINGULAR, *_PLURAL, "point"})

_EXACT = Decimal(0)
_SPACE = re.compile(r"[ \xa0]{1,3}|[ \xa0]?-[ \xa0]?")
_AND = re.compile(r"[ \xa0-]{1,3}and[ \xa0-]{1,3}(an?[ \xa0-]{1,3})?")
_COMMA = re.compile(r",[ \xa0]{1,3}(?:and[ \xa0]{1,3})?")
_ARTICLE = re.compile(r"[ \xa0-]{1,3}an?[ \xa0-]{1,3}")
_ARTICLE_BEFORE = re.compile(r"(?<![a-z])an?[ \xa0]{1,3}\Z")
_OF = re.compile(r"[ \xa0]{1,3}of\b")
# "The first half of 2020" is a period; so is any half or third that one of these names.
_NAMED_BEFORE = re.compile(
    r"(?:first|1st|second|2nd|latter|last|other|this|the|next|same|fiscal|each|every|per|past|"
    r"previous|prior|current|final|on|in|h)[ \xa0-]{1,3}\Z"
)


class _Token(NamedTuple):
    word: str
    start: int
    end: int


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
    ordinal: bool = False

    @property
    def value(self) -> Decimal:
        return self.total + self.current

    def take(self, token: _Token) -> None:
        self.tokens += 1
        self.last, self.end = token.word, token.end

    def close(self, scale: int) -> None:
        self.current = Decimal(0)
        self.step *= scale
        self.limit = scale


def holds_words(folded: Folded) -> bool:
    """Return whether a text can hold a number in words: a quick look only."""
    if not _NUMBER_WORDS.isdisjoint(folded.words):
        return True
    return "a" in folded.words and not _WITH_ARTICLE.isdisjoint(folded.words)


def word_numerals(folded: Folded) -> Iterator[Numeral]:
    """Yield the numbers in words of a folded text, in order."""
    low = folded.low
    tokens = [
        _Token(word, at, at + len(word))
        for at, word in folded.places(_WORDS)
        if not low[at - 1 : at].isdigit()
    ]
    index = 0
    while index < len(tokens):
        number, index = _number(low, tokens, index)
        if number is not None:
            alone = number.end - number.start == 3 and number.last == "one"
            loose = alone or number.last == "half a"
            yield Numeral(
                number.start, number.end, number.value, number.step, words=True, loose=loose
            )


def _number(low: str, tokens: list[_Token], index: int) -> tuple[_Number | None, int]:
    """Return the number that starts at a token, if one does, and the index of the token after."""
    number = _opening(low, tokens[index])
    if number is None:
        return None, index + 1
    if number.tokens == 0:
        # "half a million": the half waits for its scale; the article is not a token.
        return _after_half(low, tokens, index, number)
    index += 1
    while index < len(tokens):
        taken = _taken(low, number, tokens, index)
        if not taken:
            break
        index += taken
    return (None if number.ordinal or number.last == "point" else number), index


def _opening(low: str, token: _Token) -> _Number | None:
    word, start = token.word, token.start
    if word == "half":
        named = _NAMED_BEFORE.search(low, max(0, start - 12), start)
        return None if named else _Number(start, token.end, current=Decimal("0.5"))
    article = _ARTICLE_BEFORE.search(low, max(0, start - 5), start)
    if word in _SMALL:
        start = article.start() if article and word == "dozen" else start
        return _Number(start, token.end, current=Decimal(_SMALL[word]), tokens=1, last=word)
    return None if article is None else _after_article(low, token, article.start())


def _after_article(low: str, token: _Token, start: int) -> _Number | None:
    """Return "a hundred" or "a third of"; None for an ordinal or a plural."""
    word = token.word
    if word in _SCALES and word[-1] != "s":
        number = _Number(start, token.end, current=ONE, tokens=1, last="one")
        _scale(number, token)
        return number
    if word in _SINGULAR and _OF.match(low, token.end):
        part = ONE / _SINGULAR[word]
        return _Number(start, token.end, current=part, step=_EXACT, tokens=1, last="/")
    return None


def _after_half(
    low: str, tokens: list[_Token], index: int, number: _Number
) -> tuple[_Number | None, int]:
    """Return "half a million", "half a" before a unit, or "half of"; None for other halves."""
    number.step = _EXACT
    if index + 1 < len(tokens):
        token = tokens[index + 1]
        gap = low[number.end : token.start]
        if len(gap) < 8 and token.word in _SCALES and _ARTICLE.fullmatch(gap):
            _scale(number, token)
            return number, index + 2
    article = _ARTICLE.match(low, number.end)
    if article:
        # "half a per cent": the unit that follows is read after the article.
        number.end += len(article[0].rstrip(" \xa0-"))
        number.last = "half a"
        return number, index + 1
    if _OF.match(low, number.end):
        before = _ARTICLE_BEFORE.search(low, max(0, number.start - 5), number.start)
        number.start = before.start() if before else number.start
        return number, index + 1
    return None, index + 1


def _taken(low: str, number: _Number, tokens: list[_Token], index: int) -> int:
    """Return how many tokens from an index on belong to the number, and take them in."""
    token = tokens[index]
    gap = low[number.end : token.start]
    if len(gap) > 14 or number.last == "/":
        return 0
    if _SPACE.fullmatch(gap):
        return int(_take(low, number, token, gap))
    joint = _AND.fullmatch(gap)
    if joint:
        return _take_after_and(low, number, tokens, index, article=joint[1] is not None)
    return int(_COMMA.fullmatch(gap) is not None and _take_after_comma(number, tokens, index))


def _take(low: str, number: _Number, token: _Token, gap: str) -> bool:
    word = token.word
    if number.last in {"point", "."}:
        return _take_decimal(number, token)
    if word == "point":
        if not _next_is_digit(low, token.end):
            return False
        number.last, number.end = "point", token.end
        return True
    if word in _SMALL:
        return _take_small(number, token)
    return _scale(number, token) if word in _SCALES else _take_fraction(number, token, gap)


def _next_is_digit(low: str, at: int) -> bool:
    following = low[at + 1 : at + 7].split(maxsplit=1)[:1]
    return bool(following) and _SMALL.get(following[0].rstrip(".,;)%"), 10) < 10


def _take_decimal(number: _Number, token: _Token) -> bool:
    digit = _SMALL.get(token.word, 10)
    if digit < 10:
        number.step = ONE.scaleb(-1) if number.last == "point" else number.step.scaleb(-1)
        number.current += digit * number.step
        number.last, number.end = ".", token.end
        return True
    return token.word in _SCALES and _scale(number, token)


def _take_small(number: _Number, token: _Token) -> bool:
    small, below = _SMALL[token.word], number.current % 100
    if token.word == "dozen":
        if number.total or not 0 < number.current < 20:
            return False
        number.current *= 12
    else:
        whole = number.step != 0 and below == below.to_integral_value()
        tens = below >= 20 and below % 10 == 0 and small < 10
        after_scale = below == 0 and (number.current or number.total)
        if not (small and whole and (tens or after_scale)):
            return False
        number.current += small
    number.step = ONE
    number.take(token)
    return True


def _scale(number: _Number, token: _Token) -> bool:
    scale = _SCALES[token.word]
    if scale == 100 and number.last != "." and number.last not in _SCALES:
        if not 0 < number.current < 100:
            return False
        number.current *= 100
    elif number.current and scale < number.limit:
        number.total += number.current * scale
        number.close(scale)
    elif number.total and scale > number.limit:
        # "three lakh crore", "one thousand five crore": a scale of all before it.
        number.total = number.value * scale
        number.close(scale)
    else:
        return False
    number.take(token)
    return True


def _take_fraction(number: _Number, token: _Token, gap: str) -> bool:
    """Take "thirds" after "two"; a singular after more than one is an ordinal ("twenty-fifth")."""
    word = token.word
    singular = word in _SINGULAR
    if number.total or (singular and number.current != 1):
        number.ordinal = singular and word not in {"half", "quarter"}
        number.end = token.end if number.ordinal else number.end
        return number.ordinal
    under = _SINGULAR[word] if singular else _PLURAL[word]
    if (word.startswith("quarter") and "-" not in gap) or not 0 < number.current < under:
        return False
    number.current /= under
    number.step = _EXACT
    number.take(token)
    number.last = "/"
    return True


def _take_after_and(
    low: str, number: _Number, tokens: list[_Token], index: int, *, article: bool
) -> int:
    token = tokens[index]
    if article or token.word == "half":
        return int(_take_and_a_part(low, number, token))
    part = _mixed_part(low, number, tokens, index)
    if part is not None:
        number.current += part
        number.step = _EXACT
        number.take(tokens[index + 1])
        number.last = "/"
        return 2
    if number.last not in _SCALES:
        return 0
    if token.word in _SINGULAR:
        number.ordinal, number.end = True, token.end
        return 1
    return int(token.word in _SMALL and _take_small(number, token))


def _mixed_part(low: str, number: _Number, tokens: list[_Token], index: int) -> Decimal | None:
    """Return the two thirds of "two and two-thirds"; None if no fraction stands at the index."""
    if index + 1 >= len(tokens) or number.total or not 0 < number.current < 100:
        return None
    top, bottom = tokens[index], tokens[index + 1]
    if top.word not in _SMALL or not _SPACE.fullmatch(low[top.end : bottom.start][:5]):
        return None
    under = _SINGULAR.get(bottom.word) if top.word == "one" else _PLURAL.get(bottom.word)
    if under is None or not 0 < _SMALL[top.word] < under:
        return None
    return Decimal(_SMALL[top.word]) / under


def _take_and_a_part(low: str, number: _Number, token: _Token) -> bool:
    """Take "and a half" after a number; a scale may still follow ("two and a half million")."""
    under = _SINGULAR.get(token.word)
    if under is None or not number.current or number.total:
        return False
    if under not in (2, 4) and not _OF.match(low, token.end):
        return False
    number.current += ONE / under
    number.step = _EXACT
    number.take(token)
    number.last = "part"
    return True


def _take_after_comma(number: _Number, tokens: list[_Token], index: int) -> bool:
    """Take "six hundred" after "five thousand,": only what has a scale of its own joins."""
    if number.last not in _SCALES or number.last == "hundred" or index + 1 >= len(tokens):
        return False
    scales = [token.word for token in tokens[index + 1 : index + 4] if token.word in _SCALES]
    if not scales or _SCALES[scales[0]] >= number.limit:
        return False
    return tokens[index].word in _SMALL and _take_small(number, tokens[index])
