"""Numbers of provisions with a letter behind a hyphen.  In: a text.  Out: one of the same length.

What was put in between two provisions later has a letter: "section 45-IA" is 45IA, and not a part
of section 45; "Chapter VI-A" is one after VI, which some write VIA.
"""

from __future__ import annotations

import re

_NUMBER = r"(?:\d{1,4}|[IVX]{1,6})(?:-?[A-Z]{1,3})?(?:[ ]?\(\w{1,5}\)){0,6}"
_LISTED = re.compile(
    r"\b(?i:section|sec|regulation|reg|rule|article|art|clause|chapter|part|schedule|paragraph"
    r"|para|annexure|annex|appendix)(?i:s)?\.?[ \xa0]{1,2}"
    rf"{_NUMBER}(?:(?:,[ ]?|[ ](?:and|or|to)[ ]){_NUMBER}){{0,40}}(?![\w-])"
)
_HYPHENED = re.compile(r"(?<![\w(-])(\d{1,4})-([A-Z]{1,3})(?![\w-])")
_ROMAN = re.compile(r"(?<![\w(-])([IVX]{1,6})-?([A-HJ-UWYZ][A-Z]?)(?![\w-])")
_VALUES = {"I": 1, "V": 5, "X": 10}


def with_letters_joined(text: str) -> str:
    """Return a text in which such numbers are one word, and everything is where it was.

    Roman ones become Arabic, since a Roman numeral with a letter behind it is read as a word.

    Example:
        >>> with_letters_joined("as section 45-IA(1) and Chapter VI-A say")
        'as section 45IA (1) and Chapter 6A   say'
    """
    return _LISTED.sub(_joined, text)


def _joined(match: re.Match[str]) -> str:
    return _ROMAN.sub(_arabic, _HYPHENED.sub(_padded, match[0]))


def _padded(match: re.Match[str]) -> str:
    return f"{match[1]}{match[2]} "


def _arabic(match: re.Match[str]) -> str:
    digits = [_VALUES[digit] for digit in match[1]]
    behind = [*digits[1:], 0]
    value = sum(-one if one < after else one for one, after in zip(digits, behind, strict=True))
    written = f"{value}{match[2]}"
    # "XA" has no room for "10A", and stays.
    return written.ljust(len(match[0])) if len(written) <= len(match[0]) else match[0]
