"""The closed-label rule.  In: an item whose choices are labels.  Out: 0 or 1, or unparsed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from finassay.errors import SpecError
from finassay.records import Item, Prediction, Verdict
from finassay.scorers.base import Rule, require_texts, right_or_wrong
from finassay.text.answer_parts import answer_parts, plain_form

_PAUSE = re.compile(r"\s{0,3}(?:[,.;:!(\n–—。，；：（]|-\s|because\b|since\b|as\b|因为|因)")
_HEDGES = re.compile(
    r"\b(?:or|if|whether|either|neither|maybe|perhaps|might|could|possibly|unless|both)\b|[?？]"
    r"|还是|或|是否|可能|也许|如果|若|要么"
)
_NEGATED = re.compile(
    r"\b(?:not|no|never|neither|nor|cannot|without|non)\b|n['’]t\b|[不非未没无]", re.IGNORECASE
)
_CLAUSE_END = re.compile(r"[,.;:!?\n，。；：！？]")
_ANOTHER = re.compile(r"[\s,、;；/|，]*(?:and\b|or\b|或者?|和|还是)?\s*")
_LEFT_OPEN = re.compile(r"[\s,，]*(?:or\b|或|还是)")
_MOST_WORDS = 14
"""A longer sentence that holds one label discusses it as likely as it chooses it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClosedMeasure:
    """What decides a verdict on a closed list of labels.

    Attributes:
        expected: label of the reference, None where it is none of the choices.
        read: label that the reply states, None where it states none or several.
        shown: the part of the reply that was read.
    """

    expected: str | None
    read: str | None
    shown: str = ""


@dataclass(frozen=True, kw_only=True)
class Closed(Rule[ClosedMeasure]):
    """`closed`: right when the reply states the label of the reference, in a form that is declared.

    Labels are the item's choices.  The answer line, the JSON or the first line states one label,
    in one of its wordings; a reply that states none, or several, is unparsed.

    Attributes:
        wordings: "LABEL=WORDING|WORDING" for labels with other wordings.
    """

    wordings: tuple[str, ...] = ()

    name: ClassVar[str] = "closed"
    version: ClassVar[str] = "1"
    measure_name: ClassVar[str] = "closed"

    def __post_init__(self) -> None:
        require_texts(self, "wordings", self.wordings)
        for entry in self.wordings:
            if "=" not in entry:
                raise SpecError(
                    f"`wordings` of Closed must be LABEL=WORDING|WORDING, got {entry!r}; for "
                    f"instance same=yes|same person"
                )

    def measure(self, *, reference: str, item: Item, prediction: Prediction) -> ClosedMeasure:
        """Return the labels that both sides state."""
        terms = _terms(tuple(dict.fromkeys(item.choices)), self.wordings)
        read, shown = _stated(prediction.text, terms)
        return ClosedMeasure(expected=terms.get(plain_form(reference)), read=read, shown=shown)

    def decide(self, measured: ClosedMeasure) -> Verdict:
        """Return right when both sides state the same label."""
        if measured.expected is None:
            return Verdict(status="not_applicable", reason="the reference is none of the labels")
        if measured.read is None:
            return Verdict(status="unparsed", reason="the reply states no label, or several")
        verdict = right_or_wrong(
            is_right=measured.read == measured.expected,
            reason=f"the reply states {measured.read!r}, the reference {measured.expected!r}",
            extracted=measured.shown,
        )
        return Verdict(
            status="scored",
            value=verdict.value,
            label=measured.read,
            extracted=verdict.extracted,
            reason=verdict.reason,
        )


@lru_cache(maxsize=512)
def _terms(choices: tuple[str, ...], wordings: tuple[str, ...]) -> Mapping[str, str]:
    """Return the label of each wording in plain form, longest first."""
    found = {plain_form(choice): choice for choice in choices}
    for entry in wordings:
        label, _, others = entry.partition("=")
        known = found.get(plain_form(label))
        for other in others.split("|") if known else ():
            if plain_form(other):
                found.setdefault(plain_form(other), known or "")
    return {term: found[term] for term in sorted(found, key=len, reverse=True) if term}


def _stated(reply: str, terms: Mapping[str, str]) -> tuple[str | None, str]:
    """Return the label that a reply states, and where."""
    parts = answer_parts(reply)
    for part in parts.texts:
        label = _opening(plain_form(part), terms)
        if label is not None:
            return label, part
    for part in parts.texts:
        label = _only(plain_form(part), terms)
        if label is not None:
            return label, part
    return None, ""


def _opening(plain: str, terms: Mapping[str, str]) -> str | None:
    """Return the label that a part is, or that it begins with before a pause."""
    if plain in terms:
        return terms[plain]
    for term, label in terms.items():
        if plain.startswith(term) and _PAUSE.match(plain, len(term)):
            return None if _goes_on(plain[len(term) :], label, terms) else label
    return None


def _goes_on(rest: str, label: str, terms: Mapping[str, str]) -> bool:
    """Whether what follows a label at the beginning leaves it open, or names another one."""
    if _LEFT_OPEN.match(rest):
        return True
    between = _ANOTHER.match(rest)
    at = between.end() if between else 0
    return any(
        other != label and _search(term).match(rest, at) is not None
        for term, other in terms.items()
    )


def _only(plain: str, terms: Mapping[str, str]) -> str | None:
    """Return the one label that a short sentence holds, unless it is negated or left open."""
    if _length(plain) > _MOST_WORDS or _HEDGES.search(plain):
        return None
    found = _found(plain, terms)
    # A negated label is "" and settles nothing.
    return (found.pop() or None) if len(found) == 1 else None


def _length(plain: str) -> int:
    """Return a length in words; two Chinese characters count as one."""
    han = sum("\u3400" <= character <= "\u9fff" for character in plain)
    return len(plain.split()) + han // 2


def _found(plain: str, terms: Mapping[str, str]) -> set[str]:
    """Return the labels that occur in a text outside longer ones; "" for one that is negated."""
    found: set[str] = set()
    left = plain
    for term, label in terms.items():
        for match in reversed(list(_search(term).finditer(left))):
            clause = _CLAUSE_END.split(left[: match.start()])[-1]
            found.add("" if _NEGATED.search(clause) else label)
            left = f"{left[: match.start()]}{'|' * len(match[0])}{left[match.end() :]}"
    return found


@lru_cache(maxsize=4096)
def _search(term: str) -> re.Pattern[str]:
    ends = [r"(?<!\w)" if term[0].isascii() else "", r"(?!\w)" if term[-1].isascii() else ""]
    return re.compile(f"{ends[0]}{re.escape(term)}{ends[1]}")
