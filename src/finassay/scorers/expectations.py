"""What an item asks for.  In: an item.  Out: the kind, unit, scale and precision of its answer.

Fields of the item's answer contract win; what they leave open is read from the question ("in USD
millions", "round to two decimals", "% margin", "how many days", "which year").
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache
from typing import Literal

from finassay.records import AnswerContract, Item
from finassay.text.spans import lowered

Wanted = Literal[
    "any", "number", "money", "percent", "count", "duration", "year", "date", "yes_no", "choice",
    "label", "set", "fields", "text",
]  # fmt: skip

SCALES: dict[str, Decimal] = {
    word: Decimal(value)
    for words, value in (
        ("thousand thousands k 000s", 10**3),
        ("lakh lakhs lac lacs", 10**5),
        ("million millions mn mm m", 10**6),
        ("crore crores cr", 10**7),
        ("billion billions bn b", 10**9),
        ("trillion trillions tn", 10**12),
        ("万", 10**4),
        ("亿", 10**8),
    )
    for word in words.split()
}
_CURRENCIES = {
    "usd": "USD", "us$": "USD", "dollar": "USD", "dollars": "USD", "$": "USD", "inr": "INR",
    "rs": "INR", "rs.": "INR", "₹": "INR", "rupee": "INR", "rupees": "INR", "eur": "EUR",
    "euro": "EUR", "euros": "EUR", "€": "EUR", "gbp": "GBP", "pounds": "GBP", "£": "GBP",
    "cny": "CNY", "rmb": "CNY", "yuan": "CNY", "元": "CNY", "hkd": "HKD", "hk$": "HKD",
    "jpy": "JPY", "yen": "JPY", "sgd": "SGD", "aud": "AUD", "cad": "CAD", "chf": "CHF",
}  # fmt: skip
_CURRENCY = (
    r"(?:usd|us\$|us dollars?|dollars?|inr|rs\.?|₹|rupees?|eur|euros?|gbp|pounds?|rmb|cny"
    r"|yuan|hkd|hk\$|jpy|yen|sgd|aud|cad|chf|\$|€|£)"
)
_SCALE = r"(?:thousands?|lakhs?|lacs?|millions?|mn|mm|crores?|billions?|bn|trillions?)"
_IN_UNIT = re.compile(
    rf"(?:\bin\s|\(|\bunits? of\s"
    rf"|\bexpress(?:ed)? in\s)\s*(?:units of\s+)?(?P<currency>{_CURRENCY})?\s*"
    rf"(?P<scale>{_SCALE})?\s*(?:of\s+)?(?P<later>{_CURRENCY}\b)?"
)
_PERCENT_UNIT = re.compile(
    r"\b(?:in|as a|units of|to the nearest) (?:units of )?percent(?:age)?s?\b"
    r"|\bpercent(?:age)? terms"
    r"|\b(?:what|which|how many) per ?cent(?:age)?\b|% (?:margin|change|growth|of)\b"
    r"|\bin %|\(%\)|百分"
)
_SHARE = re.compile(
    r"%|\bper ?cent|\b(?:ratio|rate|margin|share|proportion|yield|return|cagr|growth"
    r"|fraction|roa|roe"
    r"|payout|turnover|conversion)s?\b|比例|比率|率"
)
_DECIMALS = re.compile(
    r"\b(?:round|rounded|to|with)\b[^.?]{0,40}?\b(one|two|three|four|1|2|3|4) decimals?\b"
    r"|\bnearest (whole|integer|unit)\b"
)
_COUNTED = {"one": 1, "two": 2, "three": 3, "four": 4, "1": 1, "2": 2, "3": 3, "4": 4}
_YEAR = re.compile(r"\b(?:which|what) (?:calendar |fiscal |financial )?year\b|哪一?年")
_DATE = re.compile(
    r"\b(?:on |by )?(?:what|which) date\b|\bwhen (?:is|was|were|did|does|do|will|must"
    r"|should|can|may|has)\b|\bdate (?:is|was|on which)\b|什么时候|何时"
)
_DURATION = re.compile(
    r"\b(?:how many|number of|in) (?:(?:working|business|calendar) )?(day|week|month"
    r"|quarter|year)s\b"
    r"|\bhow long\b|\b(?:period|tenure|time limit|deadline|duration)\b"
)
_COUNT = re.compile(r"\bhow many\b|\bnumber of\b|多少个|几个")
_POINTS = re.compile(r"\b(percentage points?|basis points?|bps)\b")
_WORKING = re.compile(r"\b(?:working|business) days\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Expectation:
    """What the answer to an item should be.

    Attributes:
        wanted: the kind of answer; "any" where neither contract nor question says.
        currency: ISO code, or "".
        unit: unit of a duration ("day", "working_day", ...), "percentage_points", "basis_points"
            or "".
        scale: factor that a bare number of the reference, or of a reply, is meant in; None where
            none was declared.
        decimals: digits after the point that were asked for; None where none were.
        speaks_of_share: the question speaks of a percentage, a rate or a ratio.
        asks_percent: the answer is asked for in percent.
        comparator: the contract's word on bounds, or None.
        percent: the contract's word on percent against fraction, or None.
    """

    wanted: Wanted = "any"
    currency: str = ""
    unit: str = ""
    scale: Decimal | None = None
    decimals: int | None = None
    speaks_of_share: bool = False
    asks_percent: bool = False
    comparator: Literal["ignore", "respect"] | None = None
    percent: Literal["allow", "forbid", "flag"] | None = None


def expectation(item: Item) -> Expectation:
    """Return what an item asks for: its contract first, then its question."""
    return _expected(item.question, item.contract)


@lru_cache(maxsize=4096)
def _expected(question: str, contract: AnswerContract) -> Expectation:
    read = _from_question(lowered(question))
    return _with_contract(read, contract)


def _from_question(low: str) -> Expectation:
    if not low:
        return Expectation()
    currency, scale = _money_unit(low)
    asks_percent = _found(_PERCENT_UNIT, low, "cent", "%", "百分") is not None
    return Expectation(
        wanted=_wanted(low, asks_percent=asks_percent, money=bool(currency or scale)),
        currency=currency,
        unit=_unit(low),
        scale=scale,
        decimals=_decimals(low),
        speaks_of_share=_SHARE.search(low) is not None,
        asks_percent=asks_percent,
    )


_DURATION_CUES = (
    "day", "week", "month", "quarter", "year", "long", "period", "tenure", "limit", "deadline",
    "duration",
)  # fmt: skip


def _found(pattern: re.Pattern[str], low: str, *cues: str) -> re.Match[str] | None:
    """Return the first match of a pattern that holds one of the cues wherever it matches."""
    return pattern.search(low) if any(cue in low for cue in cues) else None


def _money_unit(low: str) -> tuple[str, Decimal | None]:
    for found in _IN_UNIT.finditer(low):
        currency = found["currency"] or found["later"] or ""
        scale = found["scale"]
        if currency or scale:
            code = _CURRENCIES.get(currency.removeprefix("us ").strip(), "USD" if currency else "")
            return code, SCALES[scale] if scale else None
    return "", None


def _unit(low: str) -> str:
    points = _found(_POINTS, low, "point", "bps")
    if points is not None:
        return "percentage_points" if points[1].startswith("percentage") else "basis_points"
    found = _found(_DURATION, low, *_DURATION_CUES)
    if found is None or found[1] is None:
        return ""
    return "working_day" if found[1] == "day" and _WORKING.search(low) else found[1]


def _wanted(low: str, *, asks_percent: bool, money: bool) -> Wanted:
    if _found(_YEAR, low, "year", "年"):
        return "year"
    if asks_percent:
        return "percent"
    if money:
        return "money"
    duration = _found(_DURATION, low, *_DURATION_CUES)
    if duration is not None and (duration[1] or low.find("how long") >= 0):
        return "duration"
    if _found(_COUNT, low, "how many", "number of", "个"):
        return "count"
    return "date" if _found(_DATE, low, "date", "when", "什么时候", "何时") else "any"


def _decimals(low: str) -> int | None:
    found = _found(_DECIMALS, low, "decimal", "nearest")
    if found is None:
        return None
    return 0 if found[2] else _COUNTED[found[1]]


def _with_contract(read: Expectation, contract: AnswerContract) -> Expectation:
    if contract == AnswerContract():
        return read
    unit = (contract.unit or "").strip()
    scale = (contract.scale or "").strip().lower()
    return replace(
        read,
        wanted=_declared_kind(contract.type) or read.wanted,
        currency=_CURRENCIES.get(unit.lower(), read.currency if not unit else ""),
        unit=_declared_unit(unit) if unit else read.unit,
        scale=SCALES.get(scale, read.scale) if scale else read.scale,
        decimals=read.decimals if contract.decimals is None else contract.decimals,
        asks_percent=read.asks_percent or contract.type == "percent" or unit in {"%", "percent"},
        comparator=contract.comparator,
        percent=contract.percent,
    )


def _declared_kind(kind: str | None) -> Wanted | None:
    allowed: dict[str, Wanted] = {
        "text": "text", "number": "number", "money": "money", "percent": "percent", "date": "date",
        "duration": "duration", "yes_no": "yes_no", "choice": "choice", "label": "label",
        "set": "set", "fields": "fields", "year": "year", "count": "count",
    }  # fmt: skip
    return allowed.get(kind or "")


def _declared_unit(unit: str) -> str:
    low = unit.lower().replace(" ", "_").replace("-", "_")
    known = {"bps": "basis_points", "pp": "percentage_points", "days": "day", "months": "month",
             "years": "year", "working_days": "working_day",
             "business_days": "working_day"}  # fmt: skip
    if low in {"%", "percent"} or low in _CURRENCIES:
        return ""
    return known.get(low, low)
