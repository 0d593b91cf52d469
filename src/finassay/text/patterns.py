r"""Patterns that a search runs through fast.  In: alternatives.  Out: a pattern.

A search for `\b(?:is|was)` tries every position of a text.  When a pattern opens with a letter out
of a few, the search skips to where one stands; the look back to what stands before it comes after.
"""

from __future__ import annotations

from collections.abc import Iterator


def at_word(alternatives: str) -> str:
    r"""Return a pattern that matches what `\b(?:alternatives)` matches.

    Args:
        alternatives: patterns parted by "|", in order of preference; each opens with a letter that
            has to stand there.

    Raises:
        ValueError: an alternative opens with something else.
    """
    rests: dict[str, list[str]] = {}
    for one in _parted(alternatives):
        if not one[:1].isalpha() or one[1:2] in {"?", "*", "+", "{"}:
            raise ValueError(f"an alternative has to open with a letter of its own, got {one!r}")
        rests.setdefault(one[0], []).append(one[1:])
    return "(?:{})".format(
        "|".join(f"{first}(?<!\\w{first})(?:{'|'.join(rest)})" for first, rest in rests.items())
    )


def _parted(alternatives: str) -> Iterator[str]:
    """Yield the alternatives; a "|" inside brackets parts none."""
    start = depth = 0
    in_set = False
    for at, character in enumerate(alternatives):
        if at and alternatives[at - 1] == "\\":
            continue
        if in_set or character == "[":
            in_set = character != "]"
        elif character == "|" and not depth:
            yield alternatives[start:at]
            start = at + 1
        else:
            depth += (character == "(") - (character == ")")
    yield alternatives[start:]
