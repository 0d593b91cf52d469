"""One verdict in the place where it is declared to stand.  In: a slot's text.  Out: what it says.

A slot is what follows "Verdict:", stands in double brackets or is the value of a JSON key.  It is
read whole: "CORRECTION NEEDED", "CORRECT or INCORRECT", "C+" and "mostly correct" are off the menu.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

from finassay.scorers.judge_menus import Menu, Scale

Said = Literal["label", "off menu", "several", "conditional"]


class Token(NamedTuple):
    """What a slot says.

    Attributes:
        said: "label", or why there is none.
        label: the label; a rating as it is printed; "" where there is none.
        end: where in the text the verdict ends.
        rating: the number of a rating.
    """

    said: Said
    label: str
    end: int
    rating: float | None = None


_LEAD = re.compile(
    r"[\s\"'(\[{<>:=|\u2013\u2014\u2022#~-]*"
    r"(?:(?:assistant|response|answer|option|choice|model|candidate)\s+(?=[ab]\b)"
    r"|an?\s+(?=(?:tie|draw)\b))?",
    re.IGNORECASE,
)
_NEGATION = re.compile(r"(?:not|isn't|is not|wasn't|was not|never)\s+(?:a\s+)?", re.IGNORECASE)
_NUMBER = re.compile(r"[-+]?(?:\d{1,15}(?:\.\d{1,15})?|\.\d{1,15})(?![\w.,]\d|[\w%])")
_OUT_OF = re.compile(r"\s?(?:/|out of)\s?(\d{1,9}(?:\.\d{1,6})?)(?![\w%/]|[.,]\d)", re.IGNORECASE)
_RANGE = re.compile(r"\s?(?:-|\u2013|\u2014|to|or|and|/|~)\s?[-+]?\d", re.IGNORECASE)
_CONDITION = re.compile(
    r"[\"'\])} \t]*[,;:]?[ \t]*(?:only\s+)?"
    r"(?:if|when|whenever|unless|provided|assuming|otherwise|except|as long as|in case|but|yet"
    r"|though|although|however)\b",
    re.IGNORECASE,
)
_AFTER_WORD = re.compile(
    r"[\"'\])}>]*\s*(?:$|[\n.,;:!|(\[<\u2013\u2014\u2026\"]|-\s"
    r"|(?:because|since|as(?!\s+(?:far|long))|due|given|based|per)\b)",
    re.IGNORECASE,
)
_AFTER_LETTER = re.compile(
    r"\)\s|[\"'\])}>]*\s*(?:$|[\n.,;:!|(\[<\u2013\u2014\u2026\"]|-\s|(?:because|since)\b)",
    re.IGNORECASE,
)
_BETWEEN = r"[\"'\])}\s]*(?:or|and|nor|vs\.?|versus|/|&)\s*[\"'(\[{]*(?:not\s+)?"
_LISTED = r"[\"'\])}\s]*[|,]\s*[\"'(\[{]*(?:not\s+)?"
_ONLY = re.compile(r"[\s\"'.!,;)\]}>]*\Z")


@dataclass(frozen=True, slots=True)
class _Spellings:
    labels: dict[str, str]
    any_word: re.Pattern[str]
    several: re.Pattern[str]


@lru_cache(maxsize=256)
def _spellings(menu: Menu) -> _Spellings:
    labels = {
        word: option.label
        for option in menu.options
        for word in (*option.words, *option.slot_words, option.label.casefold())
    }
    listed = "|".join(
        re.escape(word).replace(r"\ ", r"\s+") for word in sorted(labels, key=len, reverse=True)
    )
    if not labels:
        listed = r"(?!)"
    bounded = rf"({listed})(?![\w\-+/&?%<>=]|['.]\w)"
    return _Spellings(
        labels=labels,
        any_word=re.compile(bounded, re.IGNORECASE),
        several=re.compile(
            rf"{_BETWEEN}{bounded}|{_LISTED}{bounded}(?=[\"')\]}}\s]*(?:\Z|[\n.,;:!?|]))",
            re.IGNORECASE,
        ),
    )


def read_token(text: str, start: int, end: int, menu: Menu, *, whole: bool) -> Token:
    """Return what a slot says.

    Args:
        text: the text that holds the slot.
        start: where the slot begins.
        end: where it ends.
        menu: what may stand in it.
        whole: nothing but marks may follow the verdict, as in brackets and JSON.
    """
    lead = _LEAD.match(text, start, end)
    at = start if lead is None else lead.end()
    if menu.scale is not None:
        signed = at - 1 if at > 0 and text[at - 1] in "-+" else at
        return _rating(text, signed, end, menu, whole=whole)
    return _word(text, at, end, menu, whole=whole)


def _word(text: str, at: int, end: int, menu: Menu, *, whole: bool) -> Token:
    spelled = _spellings(menu)
    negation = _NEGATION.match(text, at, end) if menu.opposite else None
    found = spelled.any_word.match(text, at if negation is None else negation.end(), end)
    if found is None:
        return Token("off menu", "", at)
    word = " ".join(found[1].casefold().split())
    label = spelled.labels[word]
    meant = label if negation is None else menu.negated(label)
    stop = found.end()
    said = "label" if whole else _what_follows(text, stop, end, menu, letter=len(word) == 1)
    if whole and _ONLY.match(text, stop, end) is None:
        said = "off menu"
    if said in {"several", "conditional"}:
        return Token(said, "", stop)
    return (
        Token("off menu", "", at) if said != "label" or meant is None else Token(said, meant, stop)
    )


def _what_follows(text: str, at: int, end: int, menu: Menu, *, letter: bool) -> Said:
    """Return whether what follows a word leaves it a verdict."""
    if _spellings(menu).several.match(text, at, end) is not None:
        return "several"
    if depends(text, at, end):
        return "conditional"
    after = _AFTER_LETTER if letter else _AFTER_WORD
    return "off menu" if after.match(text, at, end) is None else "label"


def _rating(text: str, at: int, end: int, menu: Menu, *, whole: bool) -> Token:
    found = _NUMBER.match(text, at, end)
    if found is None or menu.scale is None:
        return Token("off menu", "", at)
    stop = found.end()
    out_of = _OUT_OF.match(text, stop, end)
    if out_of is not None:
        if float(out_of[1]) != menu.scale.high:
            return Token("off menu", found[0], stop)
        stop = out_of.end()
    elif _RANGE.match(text, stop, end) is not None:
        return Token("several", "", stop)
    if _CONDITION.match(text, stop, end) is not None:
        return Token("conditional", "", stop)
    after = _ONLY if whole else _AFTER_WORD
    if after.match(text, stop, end) is None:
        return Token("off menu", "", at)
    return rating_token(found[0], float(found[0]), menu, stop)


def rating_token(printed: str, number: float, menu: Menu, end: int) -> Token:
    """Return a rating as a token; one off the scale or between its steps is off the menu."""
    if menu.scale is None or not is_on_scale(number, menu.scale, menu.steps):
        return Token("off menu", printed, end)
    return Token("label", printed, end, number)


def depends(text: str, at: int, end: int | None = None) -> bool:
    """Return whether a condition or a caveat follows a verdict that ends at a position."""
    end = len(text) if end is None else end
    if _CONDITION.match(text, at, end) is not None:
        return True
    caveat = _CAVEAT.search(text, at, min(end, at + _NEAR))
    return caveat is not None and "\n" not in text[at : caveat.start()]


_CAVEAT = re.compile(
    r"\b(?:partial|partially|partly|mostly|almost|nearly|in part|not (?:fully|entirely|completely"
    r"|quite|sure)|with (?:reservations|caveats))\b",
    re.IGNORECASE,
)
_NEAR = 40


def is_on_scale(number: float, scale: Scale, steps: tuple[float, ...] | None) -> bool:
    """Return whether a rating is allowed; no number is rounded or clipped to the scale."""
    return number in steps if steps is not None else scale.low <= number <= scale.high
