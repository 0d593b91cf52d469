"""Reading what a judge says.  In: a judge's reply and the menu it chose from.  Out: one reading.

The last verdict that stands in a declared place counts: in double brackets, after "Verdict:" or
"Grade:", in a tag or box, or under a verdict's key in JSON.  Where there is none, a line that opens
with a word of the menu counts, or a plain first or last sentence.  Whatever leaves a doubt is
unparsed and says why: a last verdict that is off the menu never falls back to an earlier one, two
verdicts side by side are none, and no word inside another ("INCORRECT", "CORRECTION") counts.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from finassay.scorers.judge_menus import (
    ALIGNMENT,
    BINARY,
    CORRECTNESS,
    JUDGEBENCH,
    MENUS,
    PAIRWISE,
    PARTIAL_CREDIT,
    RATING_0_1,
    RATING_0_10,
    Menu,
    Option,
    letter_menu,
    menu_named,
    menu_of,
    rating_menu,
)
from finassay.scorers.judge_places import Doubt, Found, find_verdict
from finassay.scorers.judge_text import JudgeText, plain_reply
from finassay.text.refusals import says_refusal

__all__ = [
    "ALIGNMENT",
    "BINARY",
    "CORRECTNESS",
    "JUDGEBENCH",
    "MENUS",
    "PAIRWISE",
    "PARTIAL_CREDIT",
    "RATING_0_1",
    "RATING_0_10",
    "READER_VERSION",
    "Menu",
    "Option",
    "Reading",
    "letter_menu",
    "menu_named",
    "menu_of",
    "rating_menu",
    "read_verdict",
]

READER_VERSION = "1"
"""Version of the reader; it changes whenever a reading could change."""

ReadingStatus = Literal["scored", "unparsed", "failed"]

_CUT = frozenset({"truncated", "length", "max_tokens", "model_length"})
_NOT_OBTAINED = frozenset({"error", "blocked", "content_filter"})
_MARKED_FAILURE = re.compile(
    r"[\s\[<(\"]*(?:judge|api|http|server|connection|network|transport)[ _-]?"
    r"(?:failed|failure|error|timeout|timed[ _]out|unavailable|reset)(?![^\W_])",
    re.IGNORECASE,
)
_LIKELY_FAILURE = re.compile(
    r"[\s\[<(\"]*(?:(?:request|model|llm|call)[ _-]?(?:failed|failure|error|timeout|timed[ _]out)"
    r"|time-?d?[ _]?out|error|failed|rate[ _]limit(?:ed)?"
    r"|(?:http|status)[ _](?:code:?[ _])?[45]\d\d"
    r"|[45]\d\d[ _](?:error|bad|internal|service|too|gateway))(?![^\W_])",
    re.IGNORECASE,
)
_LONGEST_FAILURE = 600
_SHOWN = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a judge's reply says.

    Attributes:
        label: the verdict as the menu spells it; a rating as printed.  Present when scored, and
            for an option that declines to say.
        value: in [0, 1], present exactly when scored.
        status: "scored"; "unparsed" where no verdict can be read with certainty; "failed" where no
            reply was obtained.
        reason: why, in words; "" when scored.
        span: where the verdict stands in the reply as written, or None.
        place: the kind of place it stands in ("brackets", "marker", "json", "line", ...), or "".
    """

    label: str | None = None
    value: float | None = None
    status: ReadingStatus
    reason: str = ""
    span: tuple[int, int] | None = None
    place: str = ""


def read_verdict(reply: str, *, menu: Menu, finish: str = "stop") -> Reading:
    """Return what a judge's reply says, or why it says nothing.

    Args:
        reply: the judge's reply as it came, thoughts included.
        menu: the verdicts that it was asked to choose from.
        finish: how the reply ended; a cut reply is unparsed, whatever it holds.

    Example:
        >>> read_verdict("The figure differs. [[Incorrect]]", menu=CORRECTNESS).label
        'INCORRECT'
        >>> read_verdict("CORRECTION NEEDED", menu=CORRECTNESS).status
        'unparsed'
    """
    stopped = _stopped(reply, finish)
    if stopped is not None:
        return stopped
    plain = plain_reply(reply)
    found = find_verdict(plain.text, menu)
    if plain.unclosed:
        return _unparsed("the reply opens a block of thoughts and never closes it")
    if isinstance(found, Doubt):
        if found.why == "none" and len(reply) <= _LONGEST_FAILURE and _LIKELY_FAILURE.match(reply):
            return _failed(reply)
        return _unparsed(_why(found, menu, reply, plain), span=_span(plain, found.start, found.end))
    return _scored(found, menu, plain)


def _stopped(reply: str, finish: str) -> Reading | None:
    """Return the reading that the fate of the reply settles, or None if it must be read."""
    if finish in _NOT_OBTAINED:
        return Reading(status="failed", reason=f"the judge gave no reply ({finish})")
    if finish in _CUT:
        return _unparsed("the judge's reply was cut off")
    if not reply.strip():
        return _unparsed("the judge's reply is empty")
    if len(reply) <= _LONGEST_FAILURE and _MARKED_FAILURE.match(reply) is not None:
        return _failed(reply)
    return _unparsed("the judge declines to answer") if finish == "refused" else None


def _failed(reply: str) -> Reading:
    shown = " ".join(reply.split())[:_SHOWN]
    return Reading(status="failed", reason=f"the judge could not be reached: {shown!r}")


def _unparsed(reason: str, span: tuple[int, int] | None = None) -> Reading:
    return Reading(status="unparsed", reason=reason, span=span)


def _span(plain: JudgeText, start: int, end: int) -> tuple[int, int] | None:
    return plain.span(start, end) if start < end else None


def _why(doubt: Doubt, menu: Menu, reply: str, plain: JudgeText) -> str:
    if doubt.why == "none":
        declines = len(reply) <= 100_000 and says_refusal(reply)
        return "the judge declines to answer" if declines else f"no verdict from the menu ({menu})"
    shown = " ".join(plain.text[doubt.start : doubt.end].split())[:_SHOWN]
    return f"{_DOUBTS[doubt.why]}: {shown!r}; the menu is {menu}"


_DOUBTS = {
    "off menu": "the last verdict is not on the menu",
    "several": "several verdicts stand side by side",
    "conditional": "the last verdict depends on a condition",
    "quoted": "the last verdict stands in a quotation",
    "contradiction": "the reply gives verdicts that contradict each other",
}


def _scored(found: Found, menu: Menu, plain: JudgeText) -> Reading:
    span = _span(plain, found.start, found.end)
    if menu.scale is not None and found.rating is not None:
        low, high = menu.scale
        value: float | None = (found.rating - low) / (high - low)
    else:
        value = menu.option(found.label).value
    if value is None:
        return Reading(
            label=found.label,
            status="unparsed",
            reason=f"the judge says {found.label}, which has no value",
            span=span,
            place=found.place,
        )
    return Reading(label=found.label, value=value, status="scored", span=span, place=found.place)
