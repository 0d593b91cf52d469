"""What the financial rule measures.  In: item, reference and prediction.  Out: a frozen record.

Both sides are read once; which comparison applies is decided by the type of the reference (and by
contract and choices), never by the reply.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from finassay.records import Item, Prediction, Verdict
from finassay.scorers.clauses import Subject, names_of
from finassay.scorers.expectations import Expectation, expectation
from finassay.scorers.final_quantity import after_retraction
from finassay.scorers.financial_numbers import (
    Asked,
    NumberMatches,
    number_matches,
    question_direction,
)
from finassay.scorers.financial_routes import Route, dated_part, settled_by_rule
from finassay.scorers.financial_text import TextMeasure
from finassay.scorers.replies import KEPT, Reply, item_side
from finassay.scorers.shown import shown_quantity
from finassay.text.final_answers import Statement
from finassay.text.polarity import PolarityReading, read_hedges, read_negations, read_polarity
from finassay.text.quantities import Quantity

_YES_NO = re.compile(
    r"[\s*_\"'(\u200b-\u200f\u202a-\u202e]*(?:yes|no|true|false|是|否|不是|हाँ|नहीं)[\s.!*_\"')]*",
    re.IGNORECASE,
)
# Words that a reference may hold beside its number and still be that number.
_BESIDE_NUMBER = frozenset(
    str.split(
        "approximately about around roughly at least most more less than not up to within "
        "only or and a an the of by in is was per cent percent increase increased "
        "decrease decreased decline declined rise rose fall fell total amount usd inr rs "
        "rupees dollars maximum minimum no fewer days months years day month year exactly "
        "nearly over under above below upto plus minus "
    )
)
_LETTER = re.compile(r"[^\W_]")
_WORD = re.compile(r"[^\W\d_]+")
_SENTINEL = re.compile(r"\s*(?:FAIL|ERROR|EXCEPTION|TIMEOUT)\b\s*[:\-]")


@dataclass(frozen=True, slots=True, kw_only=True)
class FinancialMeasure:
    """What the decision needs to know of one reference and one reply.

    Attributes:
        route: which comparison the reference's type asks for.
        settled: the verdict of the rule that a date, choice, set or record is left to.
        number: matches of a number, None where the reply has none of the right kind.
        text: features and guards of a prose answer.
        expected_polarity: yes/no of a reference that is nothing else.
        polarity: yes/no of the reply.
        refuses: the reply declines to answer.
        hedged: the reply commits to nothing; of prose, `text` says so.
        share_asked: the reference is a bare number and the question speaks of a share or ratio.
        percent: the contract's word on percent against fraction.
        comparator: the contract's word on bounds.
        notes: what was seen on the way and may matter ("sentinel", "long-reply", ...).
        reference: the reference as people read it.
    """

    route: Route
    settled: Verdict | None = None
    number: NumberMatches | None = None
    text: TextMeasure | None = None
    expected_polarity: PolarityReading | None = None
    polarity: PolarityReading | None = None
    refuses: bool = False
    hedged: bool = False
    share_asked: bool = False
    percent: Literal["allow", "forbid", "flag"] | None = None
    comparator: Literal["ignore", "respect"] | None = None
    notes: tuple[str, ...] = ()
    reference: str = ""


def measure_financial(*, reference: str, item: Item, prediction: Prediction) -> FinancialMeasure:
    """Return what the financial rule needs to know of one reference and one reply."""
    expected, reply = item_side(reference), Reply(prediction.text)
    notes = _notes(expected, reply)
    if _LETTER.search(expected.text) is None:
        return FinancialMeasure(route="nothing", notes=notes)
    if len(reply.text) <= 2 * len(expected.text) + 40 and _form(expected.text) == _form(reply.text):
        return FinancialMeasure(route="same", notes=notes, reference=expected.text)
    return _compared(expected, reply, item, prediction, notes)


def _compared(
    expected: Reply, reply: Reply, item: Item, prediction: Prediction, notes: tuple[str, ...]
) -> FinancialMeasure:
    wanted, question = expectation(item), item_side(item.question)
    settled = settled_by_rule(expected, item, prediction, reply, wanted)
    if settled is not None:
        route, verdict = settled
        return FinancialMeasure(
            route=route,
            settled=verdict,
            hedged=route == "date" and bool(read_hedges(dated_part(reply, question))),
            notes=notes,
            reference=expected.text,
        )
    if _YES_NO.fullmatch(expected.text) or wanted.wanted == "yes_no":
        return _yes_no(question, expected, reply, notes)
    if _is_refusal(expected):
        return FinancialMeasure(
            route="refusal", refuses=bool(reply.refusals), notes=notes, reference=expected.text
        )
    alone = _number_alone(expected, wanted)
    if alone is not None:
        return _number(alone, question, expected, reply, wanted, notes)
    return _prose(question, expected, reply, wanted, notes)


def _form(text: str) -> str:
    return " ".join(text.casefold().split()).strip(_AROUND)


_AROUND = " .!?\"'*_`"


_ENCLOSED = re.compile("[\u2460-\u24ff]")


def _notes(expected: Reply, reply: Reply) -> tuple[str, ...]:
    notes = ("long-reply",) if reply.cut else ()
    if not reply.text.isascii() and _ENCLOSED.search(reply.text):
        notes = (*notes, "enclosed-number")
    if "\u00b1" in expected.text or "+/-" in expected.text:
        notes = (*notes, "plus-minus")
    return (*notes, "sentinel") if _SENTINEL.match(reply.text) else notes


@lru_cache(maxsize=KEPT)
def _is_refusal(reference: Reply) -> bool:
    if len(reference.text) > _BRIEF or len(reference.words) > _FEW:
        return False
    return bool(reference.refusals) and not reference.quantities


_BRIEF = 160
_FEW = 8


def _yes_no(
    question: Reply, expected: Reply, reply: Reply, notes: tuple[str, ...]
) -> FinancialMeasure:
    theirs = read_polarity(reply.text, question.text, reply.vocabulary)
    ours = read_polarity(expected.text, question.text)
    if theirs is None and read_negations(reply.text):
        notes = (*notes, "implied-polarity")
    if theirs is not None and ours is not None and theirs.boolean != ours.boolean:
        notes = (*notes, "boolean-word")
    around = "" if theirs is None else reply.low[max(0, theirs.start - 8) : theirs.end + 12]
    return FinancialMeasure(
        route="yes_no",
        hedged=bool(read_hedges(around)),
        expected_polarity=ours,
        polarity=theirs,
        refuses=_declines(reply),
        notes=notes,
        reference=expected.text,
    )


def _declines(reply: Reply) -> bool:
    """Return whether a reply opens or closes by declining."""
    found = [refusal for refusal in reply.refusals if not refusal.advises]
    return bool(found) and (found[0].start < 200 or found[-1].end > len(reply.text) - 200)


_ANSWERS_AFTER = re.compile(r"\b(?:however|therefore|nevertheless|but|although|based on|thus)\b")
_NOTED = re.compile(r"(?:mention|report|disclos|indicat|stat|list|show|includ)")


def _only_declines(reply: Reply, *, denial: bool) -> bool:
    """Return whether a reply in prose opens by declining and does not go on to answer."""
    found = [refusal for refusal in reply.refusals if not refusal.advises]
    if denial:
        # "The report mentions no acquisitions" says that there were none.
        found = [r for r in found if r.declines or not _NOTED.search(reply.low, r.start, r.end)]
    if not found or found[0].start > _OPENS:
        return False
    first = next((s for s in reply.statements if s.end > found[0].start), None)
    rest = [s for s in reply.statements if first is not None and s.start >= first.end]
    return not any(_answers_anyway(reply, statement) for statement in rest)


def _answers_anyway(reply: Reply, statement: Statement) -> bool:
    start, end, cue = statement
    if any(start <= refusal.start < end for refusal in reply.refusals):
        return False
    return cue in _ANSWERING or _ANSWERS_AFTER.search(reply.low, start, end) is not None


_ANSWERING = frozenset({"answer", "box", "conclusion"})


_OPENS = 200


@lru_cache(maxsize=KEPT)
def _number_alone(reference: Reply, wanted: Expectation) -> Quantity | None:
    """Return the quantity that a reference consists of, or None when there is more to it."""
    if len(reference.quantities) != 1 or len(reference.text) > 200 or wanted.wanted == "text":
        return None
    one = reference.quantities[0]
    tail = _WORD.findall(reference.low[one.end :])
    if not reference.text[: one.start].strip() and 0 < len(tail) <= 2 and one.kind in _COUNTABLE:
        return one
    rest = f"{reference.low[: one.start]} {reference.low[one.end :]}"
    beside = [word for word in _WORD.findall(rest) if word not in _BESIDE_NUMBER]
    return one if not beside else None


_COUNTABLE = frozenset({"plain", "count"})


@lru_cache(maxsize=KEPT)
def _asked(question: Reply) -> Asked:
    return Asked(
        subject=Subject(question.low, question.stems, names_of(question.text)),
        values=frozenset((q.value, q.kind) for q in question.quantities),
        direction=question_direction(question.text),
    )


_BRACKETED = re.compile(r"\s*\((\d+(?:\.\d+)?)\)\s*\.?\s*")


def _number(
    one: Quantity, question: Reply, expected: Reply, reply: Reply, wanted: Expectation,
    notes: tuple[str, ...],
) -> FinancialMeasure:  # fmt: skip
    decorated = _BRACKETED.fullmatch(reply.text)
    if decorated is not None and one.value >= 0:
        reply = Reply(decorated[1])
    if one.kind in _COUNTABLE and wanted.wanted == "count":
        if wanted.unit == "basis_points":
            one = one._replace(kind="basis_points")
        elif wanted.unit == "percentage_points":
            one = one._replace(kind="percentage_points")
    shown = shown_quantity(one, expected.text, wanted)
    found = number_matches(one, shown, expected, reply, wanted, _asked(question))
    return FinancialMeasure(
        route="number",
        number=found,
        refuses=_declines(reply),
        hedged=found is not None and found.hedged,
        share_asked=one.kind == "plain" and wanted.speaks_of_share,
        percent=wanted.percent,
        comparator=wanted.comparator,
        notes=notes,
        reference=shown,
    )


def _prose(
    question: Reply, expected: Reply, reply: Reply, wanted: Expectation, notes: tuple[str, ...]
) -> FinancialMeasure:
    found = TextMeasure(question, expected, after_retraction(reply), wanted)
    return FinancialMeasure(
        route="text",
        text=found,
        refuses=_only_declines(reply, denial=found.agreement.asked_polarity),
        comparator=wanted.comparator,
        notes=notes,
        reference=expected.text,
    )
