"""Words and marks that stand beside a figure: currencies, scales, units.  Tables only.

Currencies carry their ISO 4217 code.  The yen and yuan sign "¥" is both, so it stays a sign.
"""

from __future__ import annotations

import re
from decimal import Decimal
from types import MappingProxyType
from typing import Literal, NamedTuple

Kind = Literal[
    "plain",
    "money",
    "percent",
    "percentage_points",
    "basis_points",
    "ratio",
    "duration",
    "count",
]


def words(line: str) -> list[str]:
    """Return the words of a line, for tables that are easier to read as prose than as lists."""
    return line.split()


class Unit(NamedTuple):
    """What a word or mark says about the figure beside it.

    Attributes:
        kind: kind of quantity.
        name: currency code, unit of time, "x" or "".
        factor: what one such unit is in the unit named (a paisa is 0.01 INR).
    """

    kind: Kind
    name: str = ""
    factor: Decimal = Decimal(1)


YEN_OR_YUAN = "¥"

CODES = words(
    "USD INR EUR GBP JPY CNY RMB HKD AUD CAD SGD NZD TWD CHF KRW SEK NOK DKK BRL MXN ZAR RUB TRY "
    "THB IDR MYR PHP VND AED SAR ILS PLN CZK HUF CLP COP ARS PKR BDT LKR NPR EGP NGN KES CNH"
)
_ALIAS = {"RMB": "CNY", "CNH": "CNY"}

DOLLARS = MappingProxyType(
    {
        "": "USD",
        "us": "USD",
        "u.s.": "USD",
        "hk": "HKD",
        "a": "AUD",
        "au": "AUD",
        "c": "CAD",
        "ca": "CAD",
        "cdn": "CAD",
        "s": "SGD",
        "sg": "SGD",
        "nz": "NZD",
        "nt": "TWD",
        "r": "BRL",
        "mx": "MXN",
    }
)

# Currency signs and codes as they stand before a figure (lower case); the value is the ISO code.
BEFORE = MappingProxyType(
    {
        **{f"{prefix}$": code for prefix, code in DOLLARS.items()},
        **{code.lower(): _ALIAS.get(code, code) for code in CODES},
        **{f"{code.lower()}$": code for code in ("USD", "HKD", "AUD", "CAD", "SGD", "NZD")},
        "rs": "INR",
        "re": "INR",
        "rs.": "INR",
        "re.": "INR",
        "inr.": "INR",
        "₹": "INR",
        "₨": "INR",
        "rupees": "INR",
        "rupee": "INR",
        "€": "EUR",
        "£": "GBP",
        "¥": YEN_OR_YUAN,
        "₩": "KRW",
        "₽": "RUB",
        "₺": "TRY",
        "₪": "ILS",
        "฿": "THB",
        "人民币": "CNY",
        "人民幣": "CNY",
        "港币": "HKD",
        "港幣": "HKD",
        "美元": "USD",
        "欧元": "EUR",
        "रु": "INR",
        "रु.": "INR",
        "रुपये": "INR",
    }
)

_INR_CENT = Unit("money", "INR", Decimal("0.01"))
_DAY, _WORKING_DAY = Unit("duration", "day"), Unit("duration", "working_day")
_PERCENT, _POINTS = Unit("percent"), Unit("percentage_points")
_BPS = Unit("basis_points")
_TIMES = Unit("ratio", "x")


def _both(singular: str, unit: Unit) -> dict[str, Unit]:
    return {singular: unit, f"{singular}s": unit}


# One word after a figure (lower case).
AFTER: MappingProxyType[str, Unit] = MappingProxyType(
    {
        "%": _PERCENT,
        "percent": _PERCENT,
        "pct": _PERCENT,
        "percents": _PERCENT,
        "प्रतिशत": _PERCENT,
        "‰": Unit("percent", "", Decimal("0.1")),
        "bp": _BPS,
        "bps": _BPS,
        "pp": _POINTS,
        "pps": _POINTS,
        "p.p": _POINTS,
        "ppt": _POINTS,
        "ppts": _POINTS,
        "x": _TIMES,
        "×": _TIMES,
        "times": _TIMES,
        "fold": _TIMES,
        **{code.lower(): Unit("money", _ALIAS.get(code, code)) for code in CODES},
        **_both("dollar", Unit("money", "USD")),
        **_both("rupee", Unit("money", "INR")),
        "rs": Unit("money", "INR"),
        **_both("euro", Unit("money", "EUR")),
        **_both("pound", Unit("money", "GBP")),
        "sterling": Unit("money", "GBP"),
        "yen": Unit("money", "JPY"),
        "yuan": Unit("money", "CNY"),
        "renminbi": Unit("money", "CNY"),
        "won": Unit("money", "KRW"),
        **_both("franc", Unit("money", "CHF")),
        "paise": _INR_CENT,
        "paisa": _INR_CENT,
        **_both("cent", Unit("money", "USD", Decimal("0.01"))),
        "¢": Unit("money", "USD", Decimal("0.01")),
        "pence": Unit("money", "GBP", Decimal("0.01")),
        "$": Unit("money", "USD"),
        "₹": Unit("money", "INR"),
        "€": Unit("money", "EUR"),
        "£": Unit("money", "GBP"),
        "¥": Unit("money", YEN_OR_YUAN),
        "रुपये": Unit("money", "INR"),
        **_both("second", Unit("duration", "second")),
        **_both("minute", Unit("duration", "minute")),
        **_both("min", Unit("duration", "minute")),
        **_both("hour", Unit("duration", "hour")),
        **_both("hr", Unit("duration", "hour")),
        **_both("day", _DAY),
        **_both("workday", _WORKING_DAY),
        **_both("week", Unit("duration", "week")),
        **_both("fortnight", Unit("duration", "week", Decimal(2))),
        **_both("month", Unit("duration", "month")),
        **_both("mth", Unit("duration", "month")),
        **_both("quarter", Unit("duration", "quarter")),
        **_both("year", Unit("duration", "year")),
        **_both("yr", Unit("duration", "year")),
        **_both("decade", Unit("duration", "year", Decimal(10))),
    }
)

# A first word after a figure that needs a second: what may follow it, and what both say.
PAIRS: MappingProxyType[str, tuple[tuple[re.Pattern[str], Unit], ...]] = MappingProxyType(
    {
        "per": ((re.compile(r"[ \xa0]+centum\b|[ \xa0]+cents?\b|cents?\b"), _PERCENT),),
        "basis": ((re.compile(r"[ \xa0-]+points?\b"), _BPS),),
        "percentage": ((re.compile(r"[ \xa0-]+(?:points?|pts?)\b"), _POINTS),),
        "percent": ((re.compile(r"[ \xa0-]+(?:points?|pts?)\b"), _POINTS),),
        "pct": ((re.compile(r"[ \xa0-]+(?:points?|pts?)\b"), _POINTS),),
        "%": ((re.compile(r"[ \xa0-]*(?:points?|pts?)\b|-?age points?\b"), _POINTS),),
        "working": ((re.compile(r"[ \xa0-]+days?\b"), _WORKING_DAY),),
        "business": ((re.compile(r"[ \xa0-]+days?\b"), _WORKING_DAY),),
        "banking": ((re.compile(r"[ \xa0-]+days?\b"), _WORKING_DAY),),
        "bank": ((re.compile(r"[ \xa0-]+working[ \xa0]+days?\b"), _WORKING_DAY),),
        "trading": ((re.compile(r"[ \xa0-]+days?\b"), Unit("duration", "trading_day")),),
        "calendar": (
            (re.compile(r"[ \xa0-]+days?\b"), _DAY),
            (re.compile(r"[ \xa0-]+months?\b"), Unit("duration", "month")),
            (re.compile(r"[ \xa0-]+quarters?\b"), Unit("duration", "quarter")),
            (re.compile(r"[ \xa0-]+years?\b"), Unit("duration", "year")),
        ),
        "clear": ((re.compile(r"[ \xa0-]+days?\b"), Unit("duration", "clear_day")),),
        "consecutive": (
            (re.compile(r"[ \xa0-]+days?\b"), _DAY),
            (re.compile(r"[ \xa0-]+months?\b"), Unit("duration", "month")),
            (re.compile(r"[ \xa0-]+years?\b"), Unit("duration", "year")),
        ),
        "financial": ((re.compile(r"[ \xa0-]+years\b"), Unit("duration", "year")),),
        "fiscal": ((re.compile(r"[ \xa0-]+years\b"), Unit("duration", "year")),),
        "full": ((re.compile(r"[ \xa0-]+years\b"), Unit("duration", "year")),),
        "us": (
            (re.compile(r"[ \xa0]*\$|[ \xa0]+dollars?\b"), Unit("money", "USD")),
            (re.compile(r"[ \xa0]+cents?\b"), Unit("money", "USD", Decimal("0.01"))),
        ),
        "u.s": ((re.compile(r"\.?[ \xa0]*(?:\$|dollars?\b)"), Unit("money", "USD")),),
        "american": ((re.compile(r"[ \xa0]+dollars?\b"), Unit("money", "USD")),),
        "hong": ((re.compile(r"[ \xa0]+kong[ \xa0]+dollars?\b"), Unit("money", "HKD")),),
        "australian": ((re.compile(r"[ \xa0]+dollars?\b"), Unit("money", "AUD")),),
        "canadian": ((re.compile(r"[ \xa0]+dollars?\b"), Unit("money", "CAD")),),
        "singapore": ((re.compile(r"[ \xa0]+dollars?\b"), Unit("money", "SGD")),),
        "indian": ((re.compile(r"[ \xa0]+rupees?\b"), Unit("money", "INR")),),
        "japanese": ((re.compile(r"[ \xa0]+yen\b"), Unit("money", "JPY")),),
        "chinese": ((re.compile(r"[ \xa0]+(?:yuan|renminbi)\b"), Unit("money", "CNY")),),
        "swiss": ((re.compile(r"[ \xa0]+francs?\b"), Unit("money", "CHF")),),
        "british": ((re.compile(r"[ \xa0]+pounds?\b"), Unit("money", "GBP")),),
        "korean": ((re.compile(r"[ \xa0]+won\b"), Unit("money", "KRW")),),
        "south": ((re.compile(r"[ \xa0]+korean[ \xa0]+won\b"), Unit("money", "KRW")),),
        "decimal": ((re.compile(r"[ \xa0]+(?:places?|points?|digits?)\b"), Unit("count")),),
        "significant": ((re.compile(r"[ \xa0]+(?:figures?|digits?)\b"), Unit("count")),),
        "pound": ((re.compile(r"[ \xa0]+sterling\b"), Unit("money", "GBP")),),
        "pounds": ((re.compile(r"[ \xa0]+sterling\b"), Unit("money", "GBP")),),
    }
)

# Codes that may stand in small letters; the others are words too ("try", "all").
LOWER_CODES = frozenset(("usd", "inr", "eur", "gbp", "jpy", "cny", "rmb", "hkd"))

THOUSAND, LAKH, MILLION = Decimal(1000), Decimal(100_000), Decimal(1_000_000)
CRORE, BILLION, TRILLION = Decimal(10_000_000), Decimal(10**9), Decimal(10**12)

# Words of scale, safe with or without a currency.
SCALES: MappingProxyType[str, Decimal] = MappingProxyType(
    {
        "hundred": Decimal(100),
        "hundreds": Decimal(100),
        "thousand": THOUSAND,
        "thousands": THOUSAND,
        "lakh": LAKH,
        "lakhs": LAKH,
        "lac": LAKH,
        "lacs": LAKH,
        "crore": CRORE,
        "crores": CRORE,
        "cr": CRORE,
        "crs": CRORE,
        "million": MILLION,
        "millions": MILLION,
        "mn": MILLION,
        "mln": MILLION,
        "mio": MILLION,
        "mm": MILLION,
        "mil": MILLION,
        "billion": BILLION,
        "billions": BILLION,
        "bn": BILLION,
        "bln": BILLION,
        "trillion": TRILLION,
        "trillions": TRILLION,
        "tn": TRILLION,
        "trn": TRILLION,
        "करोड़": CRORE,
        "करोड": CRORE,
        "लाख": LAKH,
        "हजार": THOUSAND,
        "हज़ार": THOUSAND,
    }
)

# Single letters: scales only where the figure makes them so (see `quantities`).
LETTER_SCALES: MappingProxyType[str, Decimal] = MappingProxyType(
    {"k": THOUSAND, "m": MILLION, "b": BILLION, "t": TRILLION, "l": LAKH}
)

_COUNTED = words(
    "account acquisition analyst bank board branch case client committee company customer "
    "country deposit director employee entity facility firm fund holder household institution "
    "instance investor issuer item job location loan meeting member nominee office officer "
    "participant partner payment person plant point policy position product proposal provision "
    "room segment seat share shareholder site stock store subsidiary supplier test transaction "
    "unit user vehicle vote warrant worker"
)
_IRREGULAR = {"branch": "branches", "fund": "funds"}


def _plural(noun: str) -> str:
    if noun in _IRREGULAR:
        return _IRREGULAR[noun]
    return f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"


COUNTED: MappingProxyType[str, str] = MappingProxyType(
    {**{_plural(noun): noun for noun in _COUNTED}, "people": "person", "persons": "person"}
)

# A bare whole number after one of these is a label, not a quantity.
REFERENCE_NOUNS = frozenset(
    words(
        "iso number step question option part table figure fig page pages p pp note notes item "
        "items exhibit level tier phase stage series version class type category group line row "
        "column slide example scenario chapter annex annexure appendix form box topic asc "
        "asu ifrs ias sfas fas fin basel pillar footnote section sections article "
        "articles rule rules clause clauses regulation regulations paragraph paragraphs para "
        "schedule document doc passage source context evidence case "
        "covid nifty ftse cac dax fortune russell "
        "dow nikkei sensex lot bullet"
    )
)
