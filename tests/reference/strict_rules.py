"""Slow textbook twins of the two published strict rules.

They walk over characters and use no regular expression and no similarity library; ratios are exact
fractions.  A word character is a letter, digit or underscore, a digit is a decimal digit, white
space is what `str.isspace` says: the same sets as in Python's `re`.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import groupby

THRESHOLD = Fraction(72, 100)


def numbers_first(reference: str, reply: str, *, is_contradiction: bool) -> bool:
    """Return whether the numbers-first rule calls the reply right."""
    lowered = reply.lower()
    if reply == "" or "fail:" in lowered or "cannot be determined" in lowered:
        return False
    left, right = _spaced_out(reference), _spaced_out(reply)
    if is_contradiction:
        return _starting_yes_no(left) == _starting_yes_no(right)
    if _agree(_numbers_with_commas(left), _numbers_with_commas(right)):
        return True
    return token_set_share(left, right) >= THRESHOLD


def fuzzy_first(reference: str, reply: str, *, is_contradiction: bool) -> bool:
    """Return whether the fuzzy-first rule calls the reply right."""
    left, right = reference.lower().strip(), reply.lower().strip()
    if left == right or token_set_share(left, right) >= THRESHOLD:
        return True
    if _agree(_unsigned_decimals(left), _unsigned_decimals(right)):
        return True
    if not is_contradiction:
        return False
    said = _first_yes_no(left)
    return said != "" and said == _first_yes_no(right)


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"


def _spaced_out(text: str) -> str:
    kept = (c if _is_word(c) or c.isspace() or c in "%." else " " for c in text.lower())
    return " ".join("".join(kept).split())


def _starting_yes_no(text: str) -> str:
    if text[:3] == "yes":
        return "yes"
    return "no" if text[:2] == "no" else text


def _first_yes_no(text: str) -> str:
    for is_word, run in groupby(text, key=_is_word):
        word = "".join(run)
        if is_word and word in {"yes", "no"}:
            return word
    return ""


def _agree(left: set[str], right: set[str]) -> bool:
    return len(left) > 0 and left == right


def _numbers_with_commas(text: str) -> set[str]:
    """Return digits or commas after a digit, at most one stop (even a final one), decimals."""
    found, at = set(), 0
    while at < len(text):
        if not text[at].isdecimal():
            at += 1
            continue
        end = at + 1
        while end < len(text) and (text[end].isdecimal() or text[end] == ","):
            end += 1
        if end < len(text) and text[end] == ".":
            end = _digits_end(text, end + 1)
        found.add(text[at:end])
        at = end
    return found


def _unsigned_decimals(text: str) -> set[str]:
    """Return digits, with decimals only where a digit follows the stop."""
    plain = "".join(c for c in text if c not in ",₹")
    found, at = set(), 0
    while at < len(plain):
        if not plain[at].isdecimal():
            at += 1
            continue
        end = _digits_end(plain, at)
        if plain[end : end + 1] == "." and plain[end + 1 : end + 2].isdecimal():
            end = _digits_end(plain, end + 1)
        found.add(plain[at:end])
        at = end
    return found


def _digits_end(text: str, start: int) -> int:
    end = start
    while end < len(text) and text[end].isdecimal():
        end += 1
    return end


def token_set_share(left: str, right: str) -> Fraction:
    """Return the token set similarity in [0, 1].

    The largest of three similarities of the shared tokens, the shared and the remaining tokens of
    the left side, and those of the right side, each sorted and joined by spaces; 1 when one side's
    tokens all occur in the other, 0 when a side has none.
    """
    lefts, rights = tokens(left), tokens(right)
    if not lefts or not rights:
        return Fraction(0)
    shared, only_left, only_right = lefts & rights, lefts - rights, rights - lefts
    if shared and (not only_left or not only_right):
        return Fraction(1)
    both = " ".join(sorted(shared))
    with_left = f"{both} {' '.join(sorted(only_left))}".strip()
    with_right = f"{both} {' '.join(sorted(only_right))}".strip()
    shares = [indel_share(with_left, with_right)]
    if both:
        shares += [indel_share(both, with_left), indel_share(both, with_right)]
    return max(shares)


def tokens(text: str) -> set[str]:
    """Return the tokens that RapidFuzz sees.

    In texts of which every character is below U+0100, it does not take next line (U+0085) and
    no-break space (U+00A0) for white space; in other texts it does, as Python does in all.
    """
    if all(ord(c) <= 0xFF for c in text):
        kept = text.replace("\u0085", "\ue000").replace("\u00a0", "\ue001")
        return {t.replace("\ue000", "\u0085").replace("\ue001", "\u00a0") for t in kept.split()}
    return set(text.split())


def indel_share(left: str, right: str) -> Fraction:
    """Return twice the length of the longest common subsequence over the total length."""
    row = [0] * (len(right) + 1)
    for a in left:
        previous = row
        row = [0]
        for at, b in enumerate(right):
            row.append(previous[at] + 1 if a == b else max(previous[at + 1], row[at]))
    return Fraction(2 * row[-1], len(left) + len(right))
