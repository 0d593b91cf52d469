"""Provisions of law in one way of writing.  In: a text.  Out: canonical provisions, in order.

"Article 7(1)", "Art. 7 para. 1", "paragraph 1 of Article 7", 第七条第一款 and 第7条第1款 are one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from finassay.text.folding import fold
from finassay.text.provisions import Provision, provisions_in

_PARTS = frozenset({"paragraph", "item", "sub-paragraph", "sub-section", "clause", "sub-clause"})
_WITHIN = re.compile(r"[\s,，、]{0,3}")
_OF = re.compile(r"[\s,]{0,3}(?:of|to)\s(?:the\s)?", re.IGNORECASE)
_BRACKETED_ITEM = re.compile(r"第\s?[(（]\s?([一二三四五六七八九十\d]{1,3})\s?[)）]\s?(?=[项項])")
_SPACED = re.compile(r"(?<=第)\s+|(?<=[\d一二三四五六七八九十百零〇])\s+(?=[条條款项項])")


def canonical_provisions(text: str) -> tuple[str, ...]:
    """Return the provisions of a text, each once, as "article 7(1)".

    Numbers are Arabic, levels stand in brackets, heads are in the singular and in lower case.
    """
    tidied = _SPACED.sub("", _BRACKETED_ITEM.sub(r"第\1", text))
    folded = fold(tidied)
    found = list(_joined(folded.text, provisions_in(folded)))
    return tuple(dict.fromkeys(found))


def _joined(text: str, provisions: list[Provision]) -> Iterator[str]:
    """Yield each provision with the paragraphs and items that belong to it."""
    kind = number = ""
    for last, one in pairwise((None, *provisions)):
        if one is None:
            continue
        between = "" if last is None else text[last.end : one.start]
        inner = one.kind in _PARTS and bool(number) and kind not in _PARTS
        if inner and _WITHIN.fullmatch(between) and not _lists(between, one):
            number = f"{number}({one.number.strip('()').lower()})"
            continue
        if last is not None and last.kind in _PARTS and not inner and _OF.fullmatch(between):
            kind, number = one.kind, f"{one.number.lower()}({number.strip('()')})"
            continue
        if number:
            yield f"{kind} {number}"
        kind, number = one.kind, one.number.lower()
    if number:
        yield f"{kind} {number}"


def _lists(between: str, provision: Provision) -> bool:
    """Whether a mark between two provisions begins a new entry of a list."""
    return bool(re.search(r"[,，、]", between)) and provision.kind == "clause"
