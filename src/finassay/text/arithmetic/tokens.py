"""Signs of arithmetic in free text.  In: any text, LaTeX or plain.  Out: tokens with their spans.

Time is linear in the length of the text.  Currency signs, bold marks and LaTeX spacing are passed
over; what no sum can hold breaks the line of thought.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Literal, NamedTuple

Kind = Literal[
    "number",
    "name",
    "word",
    "op",
    "open",
    "close",
    "relation",
    "soft",
    "bar",
    "bang",
    "percent",
    "of",
    "function",
    "break",
    "line",
    "junk",
]

MOST_DIGITS = 40
"""A longer figure is an identifier and no number to reckon with."""

SCALES = {
    **dict.fromkeys(("thousand", "thousands"), 10**3),
    **dict.fromkeys(("lakh", "lakhs"), 10**5),
    **dict.fromkeys(("million", "millions", "mn", "mm"), 10**6),
    **dict.fromkeys(("crore", "crores", "cr"), 10**7),
    **dict.fromkeys(("billion", "billions", "bn"), 10**9),
    **dict.fromkeys(("trillion", "trillions", "tn"), 10**12),
}
"""Scale words and what they multiply with."""

_COMMANDS: dict[str, tuple[Kind, str]] = {
    **dict.fromkeys(("times", "cdot", "ast"), ("op", "*")),
    "div": ("op", "/"),
    **dict.fromkeys(("frac", "dfrac", "tfrac", "cfrac"), ("function", "frac")),
    "sqrt": ("function", "sqrt"),
    **dict.fromkeys(("le", "leq", "leqslant"), ("relation", "<=")),
    **dict.fromkeys(("ge", "geq", "geqslant"), ("relation", ">=")),
    "lt": ("relation", "<"),
    "gt": ("relation", ">"),
    **dict.fromkeys(("ne", "neq"), ("relation", "!=")),
    **dict.fromkeys(("approx", "simeq", "cong"), ("relation", "~")),
    "equiv": ("relation", "mod"),
    **dict.fromkeys(("ldots", "cdots", "dots", "pm", "mp", "sum", "prod", "int"), ("junk", "")),
    **dict.fromkeys(("implies", "rightarrow", "Rightarrow", "to", "therefore"), ("break", "")),
    **dict.fromkeys(("pmod", "bmod", "mod"), ("break", "mod")),
    **dict.fromkeys(("log", "ln", "sin", "cos", "tan", "exp"), ("function", "other")),
    "pi": ("name", "π"),
    **dict.fromkeys(("lvert", "rvert", "vert"), ("bar", "|")),
    **dict.fromkeys(("begin", "end"), ("break", "")),
}
_WORDS: dict[str, tuple[Kind, str]] = {
    "plus": ("op", "+"),
    "minus": ("op", "-"),
    "times": ("op", "*"),
    "percent": ("percent", "%"),
    "of": ("of", ""),
    "sqrt": ("function", "sqrt"),
    "pi": ("name", "π"),
    **dict.fromkeys(("log", "ln", "sin", "cos", "tan", "exp", "max", "min"), ("function", "other")),
    **dict.fromkeys(("equals", "equal"), ("relation", "=")),
    **dict.fromkeys(("is", "are", "gives", "makes", "yields", "totals"), ("soft", "=")),
    **dict.fromkeys(("mod", "modulo"), ("break", "mod")),
    **dict.fromkeys(
        str.split(
            "and or but so then thus therefore hence which because since if when where while with "
            "for as let given that than from to by between into not"
        ),
        ("break", ""),
    ),
}
_PHRASES: dict[str, tuple[Kind, str]] = {
    "multiplied by": ("op", "*"),
    "divided by": ("op", "/"),
    "is approximately equal to": ("relation", "~"),
    "is approximately": ("soft", "~"),
    "is about": ("soft", "~"),
    "is roughly": ("soft", "~"),
    "is equal to": ("relation", "="),
    "equal to": ("relation", "="),
    "equals to": ("relation", "="),
    "comes to": ("soft", "="),
    "works out to": ("soft", "="),
    "amounts to": ("soft", "="),
    "less than": ("break", ""),
    "more than": ("break", ""),
    "greater than": ("break", ""),
    "square root of": ("function", "sqrt"),
    "the square root of": ("function", "sqrt"),
}
_SIGNS: dict[str, tuple[Kind, str]] = {
    **dict.fromkeys("*×·⋅∗✕", ("op", "*")),
    **dict.fromkeys("/÷∕⁄", ("op", "/")),
    "+": ("op", "+"),
    **dict.fromkeys("-−–", ("op", "-")),
    "^": ("op", "^"),
    "√": ("function", "sqrt"),
    **dict.fromkeys("([{（", ("open", "(")),
    **dict.fromkeys(")]}）", ("close", ")")),
    **dict.fromkeys("%％", ("percent", "%")),
    "|": ("bar", "|"),
    "!": ("bang", "!"),
    **dict.fromkeys("±∑∏∫…", ("junk", "")),
    **dict.fromkeys(",;:?.—，；：？。、⇒→⟹⟶⇔↔∴∵\"“”'‘’", ("break", "")),
    **dict.fromkeys("<＜", ("relation", "<")),
    **dict.fromkeys(">＞", ("relation", ">")),
    **dict.fromkeys("=＝", ("relation", "=")),
    "≠": ("relation", "!="),
    **dict.fromkeys("≤≦", ("relation", "<=")),
    **dict.fromkeys("≥≧", ("relation", ">=")),
    **dict.fromkeys("≈≃≅", ("relation", "~")),
    "≡": ("relation", "mod"),
}
_LONG_SIGNS: dict[str, tuple[Kind, str]] = {
    "<=": ("relation", "<="),
    ">=": ("relation", ">="),
    "==": ("relation", "="),
    "!=": ("relation", "!="),
    "~=": ("relation", "~"),
    **dict.fromkeys(("=>", "->", "==>", "-->", "+=", "-=", "*="), ("break", "")),
    "...": ("junk", ""),
}
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_VULGAR = {
    "½": (1, 2),
    "⅓": (1, 3),
    "⅔": (2, 3),
    "¼": (1, 4),
    "¾": (3, 4),
    "⅕": (1, 5),
    "⅛": (1, 8),
}

_TOKEN = re.compile(
    r"""
      (?P<text>\\(?:text|mathrm|mbox|textbf|mathbf|operatorname)\s?\{[^{}\n]{0,80}\})
    | (?P<skip>\\(?:left|right|big|Big|bigg|Bigg|displaystyle|boxed|quad|qquad)(?![A-Za-z])
        |\\[,;:!\s()$]|[$€£₹¥°&`_\#]|(?:Rs\.?|INR|USD|EUR|US\$)(?=\s?\d))
    | (?P<end>\\\\|\\\[|\\\])
    | (?P<escaped>\\%)
    | \\(?P<command>[A-Za-z]+)
    | (?P<tag></?[a-zA-Z][^<>\n]{0,80}>)
    | (?P<span>(?<![\d.,])(?:(?:19|20)\d\d[-–/]\d\d(?!\d)|\d{1,4}:\d{1,4}(?![\d,])))
    | (?P<number>(?:\d{1,3}(?:(?:,|\{,\})\d{3})+(?!\d)|\d{1,3}(?:,\d{2})+,\d{3}(?!\d)|\d+)(?:\.\d+)?
        |(?<![\w.])\.\d+)
      (?:[ \t\u00a0\u2009\u202f-]?(?P<scale>(?i:thousands?|millions?|billions?|trillions?|lakhs?
        |crores?|mn|bn|tn|mm|cr))\b)?
    | (?P<super>[⁰¹²³⁴⁵⁶⁷⁸⁹]+)
    | (?P<vulgar>[½⅓⅔¼¾⅕⅛])
    | (?P<phrase>(?i:multiplied\ by|divided\ by|is\ approximately(?:\ equal\ to)?|is\ about
        |is\ roughly|is\ equal\ to|equals?\ to|comes\ to|works\ out\ to|amounts\ to|less\ than
        |more\ than|greater\ than|(?:the\ )?square\ root\ of)\b)
    | (?P<name>[^\W\d_](?:_\{?\w{1,3}\}?|[0-9₀-₉]{1,2})?(?![^\W\d_]|['’]))
    | (?P<word>[^\W\d_]+(?:['’\-][^\W\d_]+)*)
    | (?P<bold>\*\*)
    | (?P<long>==>|-->|<=|>=|==|!=|~=|=>|->|\+=|-=|\*=|\.\.\.)
    | (?P<line>\n)
    | (?P<blank>[^\S\n]+)
    | (?P<sign>.)
    """,
    re.VERBOSE,
)
_MARKER = re.compile(
    r"[ \t]*(?:[-*•–][ \t]+|\(?\d{1,2}[.)][ \t]+(?![=+*/<>^×÷-])|\(?[a-z]\)[ \t]+|#+[ \t]|>[ \t]?)+"
)
_PRODUCTS = frozenset({"xy", "yz", "xz", "xyz", "ab", "yx", "zx"})


class Token(NamedTuple):
    """A sign of arithmetic.

    Attributes:
        kind: what it is.
        text: its normal form: "*" for every sign of multiplication, the letter of a name.
        start: where it starts.
        end: where it ends.
        value: of a number, with the scale word behind it; 0 otherwise.
        unit: one unit of the last digit of a number, with the scale; 0 for an exact fraction.
    """

    kind: Kind
    text: str
    start: int
    end: int
    value: Fraction = Fraction(0)
    unit: Fraction = Fraction(0)


def tokens_of(text: str) -> list[Token]:
    """Return the tokens of a text in order, without what no sum needs."""
    found: list[Token] = []
    at = 0
    for line in text.splitlines(keepends=True):
        marker = _MARKER.match(line)
        skip = marker.end() if marker else 0
        cells = line.strip()
        table = cells.startswith("|") and cells.endswith("|") and cells.count("|") > 2
        found += _line_tokens(text, at + skip, at + len(line), table=table)
        at += len(line)
        if not line.endswith("\n"):
            found.append(Token("line", "", at, at))
    return _without_remarks(found)


_LONGEST_REMARK = 12


def _without_remarks(tokens: list[Token]) -> list[Token]:
    """Return the tokens without brackets that only say something about the operand before them.

    "$100 (sci-fi) + $90 (2021)": such a bracket stands apart and holds no sign of a computation.
    """
    found: list[Token] = []
    at = 0
    while at < len(tokens):
        end = _remark(tokens, at) if tokens[at].kind == "open" else None
        if end is None:
            found.append(tokens[at])
            at += 1
        else:
            at = end
    return found


def _remark(tokens: list[Token], at: int) -> int | None:
    """Return the index behind a remark in brackets that opens at a token, None where it is none."""
    before = tokens[at - 1] if at else None
    if before is None or before.kind not in {"number", "percent", "close", "word", "name"}:
        return None
    if before.end == tokens[at].start:
        return None
    for end in range(at + 1, min(len(tokens), at + _LONGEST_REMARK)):
        kind = tokens[end].kind
        if kind == "close":
            inside = tokens[at + 1 : end]
            lone = len(inside) == 1 and inside[0].kind == "number" and before.kind != "name"
            says = any(token.kind in {"word", "break", "soft"} for token in inside)
            says = says and all(token.text != "mod" for token in inside)
            return end + 1 if lone or says else None
        if kind in {"op", "open", "line", "function"}:
            return None
    return None


def _line_tokens(text: str, start: int, end: int, *, table: bool) -> Iterator[Token]:
    for match in _TOKEN.finditer(text, start, end):
        group = match.lastgroup
        if group in {"blank", "skip"}:
            continue
        if group in {"number", "scale"}:
            yield _number(match)
        elif group == "super":
            yield Token("op", "^", match.start(), match.start())
            digits = match[0].translate(_SUPERSCRIPTS)
            yield Token("number", digits, match.start(), match.end(), Fraction(digits[:9]))
        elif group == "vulgar":
            yield Token("number", match[0], *match.span(), Fraction(*_VULGAR[match[0]]))
        elif group == "word" and match[0].lower() in _PRODUCTS:
            for at, letter in enumerate(match[0], match.start()):
                yield Token("name", letter, at, at + 1)
        else:
            yield from _other(text, match, table=table)


def _number(match: re.Match[str]) -> Token:
    digits = match["number"].replace("{,}", "").replace(",", "")
    if len(digits) > MOST_DIGITS:
        return Token("junk", digits[:MOST_DIGITS], *match.span())
    scale = SCALES[match["scale"].lower()] if match["scale"] else 1
    decimals = len(digits.partition(".")[2])
    return Token(
        "number",
        f"{digits} {scale}" if scale > 1 else digits,
        *match.span(),
        Fraction(digits) * scale,
        Fraction(scale, 10**decimals),
    )


def _other(text: str, match: re.Match[str], *, table: bool) -> Iterator[Token]:
    said, (start, end) = match[0], match.span()
    group = match.lastgroup
    kind: Kind = "junk"
    normal = said
    if group == "command":
        kind, normal = _COMMANDS.get(match["command"], ("word", said))
    elif group == "phrase":
        kind, normal = _PHRASES[said.lower()]
    elif group == "name":
        kind, normal = _name(text, match)
    elif group == "word":
        kind, normal = _WORDS.get(said.lower(), ("word", said.lower()))
        if said.lower() in {"squared", "cubed"}:
            yield Token("op", "^", start, start)
            yield Token("number", said, start, end, Fraction(2 if said.lower() == "squared" else 3))
            return
    elif group == "bold":
        if not _is_power(text, start, end):
            return
        kind, normal = "op", "^"
    elif group == "long":
        kind, normal = _LONG_SIGNS[said]
    elif group == "sign":
        kind, normal = _sign(text, start, table=table)
    else:
        kind = _GROUPS.get(group or "", "break")
    yield Token(kind, normal, start, end)


_GROUPS: dict[str, Kind] = {
    "text": "word",
    "escaped": "percent",
    "line": "line",
    # A financial year or a ratio, "2020-21" or "2:1", is no figure to reckon with.
    "span": "junk",
}


def _name(text: str, match: re.Match[str]) -> tuple[Kind, str]:
    """Return a letter as a name, or as a word where it is an article or a pronoun."""
    letter = match[0]
    if letter in {"a", "A", "I"} and _ARTICLE.match(text, match.end()):
        return "word", letter.lower()
    return "name", letter.replace("_", "").replace("{", "").replace("}", "").translate(_LOWERED)


_LOWERED = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
_ARTICLE = re.compile(r"[ \t]+[^\W\d_]{2,}")


def _is_power(text: str, start: int, end: int) -> bool:
    """Return whether two stars stand between two operands, where bold marks stand outside."""
    if not start or end >= len(text):
        return False
    return (text[start - 1].isalnum() or text[start - 1] == ")") and (
        text[end].isalnum() or text[end] in "(-"
    )


def _sign(text: str, at: int, *, table: bool) -> tuple[Kind, str]:
    sign = text[at]
    if sign == "|" and table:
        return "break", ""
    if sign == "–" and text[at - 1 : at].isdigit() and text[at + 1 : at + 2].isdigit():
        return "break", ""
    if sign in "%％" and _OPERAND.match(text, at + 1):
        # "20 % 6", "(2x) % 4": the rest of a division.
        return "op", "%"
    if sign == "~" and _SOON.match(text, at + 1):
        return "relation", "~"
    return _SIGNS.get(sign, ("junk", sign))


_OPERAND = re.compile(r"[ ]?[\d(]|[ ][a-zA-Z](?![\w'])(?![ ]+[a-zA-Z]{2})")
_SOON = re.compile(r"\s?\d")
