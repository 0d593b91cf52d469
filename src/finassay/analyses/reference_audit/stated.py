"""Results stated in words, computed again: remainders, averages, totals, changes, lists.

In: a text.  Out: findings, and how many statements were checked.  Patterns are bounded, so time is
linear in the length of the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from fractions import Fraction

from finassay.analyses.reference_audit.results import ReferenceKind, TextFinding
from finassay.analyses.reference_audit.values import written
from finassay.text.arithmetic.tokens import Token, tokens_of

_N = r"[-−]?[$€£₹]?\d[\d,]{0,30}(?:\.\d{1,20})?(?:\s(?:million|billion|thousand|crore|lakh)\b)?%?"
_LIST = rf"({_N}(?:(?:, | and |, and ){_N}){{1,40}})"
_IS = r"(?: is| was|:| =| equals| of)(?: about| approximately)?"

_REMAINDER = re.compile(
    rf"({_N})\s?(?:(?:is |when )?divided by|÷|/)\s?({_N})(?P<between>[^.\n=]{{0,60}}?)"
    rf"\bremainder(?: of| is| equals| =|:)?\s?(?P<rest>{_N})",
    re.IGNORECASE,
)
_OF_LIST = re.compile(
    rf"\b(?P<what>average|mean|sum|total|product)\s(?:value )?of (?P<list>{_LIST[1:-1]})"
    rf"{_IS} (?P<value>{_N})",
    re.IGNORECASE,
)
_CHANGE = re.compile(
    rf"from (?P<old>{_N}) (?:in \w{{1,10}} )?to (?P<new>{_N})(?P<between>[^.\n;]{{0,50}}?)"
    r"(?P<cue>\b(?:increase|rise|growth|gain|decrease|decline|fall|drop|reduction|change) of|\bby|"
    r"\bup|\bdown)"
    r" (?:about |approximately |roughly )?(?P<share>\d[\d,]{0,12}(?:\.\d{1,12})?)"
    r"\s?(?:%|percent\b)",
    re.IGNORECASE,
)
_TOTAL = re.compile(
    r"^\W{0,8}(?:grand |overall )?(?:total|sum|altogether)(?: amount| cost)?[\s*_]*[:|=]",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?:19|20)\d\d")
_LONGEST = 200_000
MOST_ENTRIES = 200


def check_stated(text: str) -> tuple[list[TextFinding], int]:
    """Return results in words that are other than computed, and how many were computed."""
    if len(text) > _LONGEST:
        return [], 0
    found: list[TextFinding] = []
    checked = 0
    for check in (_remainders, _lists, _changes, _columns):
        for finding in check(text):
            checked += 1
            if finding is not None:
                found.append(finding)
    return found, checked


Checked = Iterator[TextFinding | None]


def _number(text: str) -> tuple[Fraction, Fraction]:
    """Return the value of a figure and one unit of its last digit."""
    sign = -1 if text[:1] in "-−" else 1
    for token in tokens_of(text.lstrip("-−")):
        if token.kind == "number":
            return sign * token.value, token.unit
    return Fraction(0), Fraction(1)


def _close(value: Fraction, stated: Fraction, unit: Fraction) -> bool:
    return value == stated or ((value / unit).denominator != 1 and abs(value - stated) < unit)


def _remainders(text: str) -> Checked:
    for match in _REMAINDER.finditer(text):
        over, under = _number(match[1])[0], _number(match[2])[0]
        rest = _number(match["rest"])[0]
        if under <= 0 or any(part.denominator != 1 for part in (over, under, rest)):
            continue
        expected = Fraction(int(over) % int(under))
        right = rest == expected
        why = f"{written(over)} = {int(over) // int(under)} x {written(under)} + {expected}"
        yield None if right else _finding(text, match.span(), "remainder", (rest, expected), why)


_RESULTS: dict[str, Callable[[list[Fraction]], Fraction]] = {
    "average": lambda values: sum(values, Fraction(0)) / len(values),
    "mean": lambda values: sum(values, Fraction(0)) / len(values),
    "sum": lambda values: sum(values, Fraction(0)),
    "total": lambda values: sum(values, Fraction(0)),
}


def _lists(text: str) -> Checked:
    for match in _OF_LIST.finditer(text):
        what = match["what"].lower()
        entries = [_number(part)[0] for part in re.findall(_N, match["list"])]
        stated, unit = _number(match["value"])
        if len(entries) < 2:
            continue
        if what == "product":
            value = Fraction(1)
            for entry in entries[:12]:
                value *= entry
        else:
            value = _RESULTS[what](entries)
        why = f"the {what} of {len(entries)} figures is {written(value)}"
        right = _close(value, stated, unit)
        yield None if right else _finding(text, match.span(), "stated", (stated, value), why)


def _changes(text: str) -> Checked:
    for match in _CHANGE.finditer(text):
        old, new = _number(match["old"])[0], _number(match["new"])[0]
        if (
            old <= 0
            or new <= 0
            or "%" in match["old"] + match["new"]
            or "point" in match["between"]
        ):
            continue
        stated, unit = _number(match["share"])
        value = abs(new - old) / old * 100
        if abs(value - stated) <= unit:
            yield None
            continue
        why = f"from {written(old)} to {written(new)} is a change of {written(value)}%"
        yield _finding(text, match.span(), "stated", (stated, value), why)


def _columns(text: str) -> Checked:
    """Yield the totals below lists of one figure a line."""
    entries: list[Token] = []
    at = 0
    for line in text.splitlines(keepends=True):
        numbers = [
            token
            for token in tokens_of(line)
            if token.kind == "number" and not _YEAR.fullmatch(token.text)
        ]
        is_total = _TOTAL.match(line) is not None
        if is_total and len(numbers) == 1 and 2 <= len(entries) <= MOST_ENTRIES:
            yield _column(text, entries, numbers[0], (at, at + len(line.rstrip())))
        if len(numbers) == 1 and not is_total and _is_entry(line):
            entries.append(numbers[0])
        elif line.strip():
            entries = []
        at += len(line)


def _is_entry(line: str) -> bool:
    """Return whether a line is an entry: it begins like one of a list or table."""
    return line.lstrip()[:1] in {"-", "*", "•", "|", "+"} and "%" not in line


def _column(
    text: str, entries: list[Token], total: Token, span: tuple[int, int]
) -> TextFinding | None:
    value = sum((entry.value for entry in entries), Fraction(0))
    slack = sum(
        (entry.unit for entry in entries if entry.unit < 1), total.unit if total.unit < 1 else 0
    )
    if abs(value - total.value) <= slack / 2:
        return None
    why = f"the {len(entries)} entries above add up to {written(value)}"
    return _finding(text, span, "sum", (total.value, value), why)


def _finding(
    text: str,
    span: tuple[int, int],
    kind: ReferenceKind,
    values: tuple[Fraction, Fraction],
    reason: str,
) -> TextFinding:
    return TextFinding(
        kind=kind,
        severity="high" if kind == "remainder" else "medium",
        start=span[0],
        end=span[1],
        said=text[span[0] : span[1]],
        stated=written(values[0]),
        found=written(values[1]),
        reason=reason,
    )
