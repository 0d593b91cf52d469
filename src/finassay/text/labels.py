"""Labels in a text.  In: a reply and the choices of an item.  Out: where each label occurs.

A *matcher* says what counts as an occurrence; the *candidate set* of a reply is the set of labels
that occur at least once (Cao, Gang and Veluri, audit of FLARE).  Spans are positions in the
normalised text, because lower-casing and Unicode normalisation can change its length.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import Literal, get_args

from finassay.errors import SpecError, UsageError
from finassay.text.normalisers import compatible, none

Norm = Literal["none", "lower", "compatible"]
"""none: as written; lower: `str.lower`, as FLARE; compatible: case-folded NFKC without format
characters (soft hyphens, zero-width marks), runs of white space as one space."""

MatcherKind = Literal["substring", "word", "regex", "synonym"]
TermKind = Literal["substring", "word"]

_FORMS: MappingProxyType[str, Callable[[str], str]] = MappingProxyType(
    {"none": none, "lower": str.lower, "compatible": compatible}
)
_HYPHENS = "\\-\u2010\u2011"

Edges = tuple[int, int]
Search = Callable[[str], Iterator[Edges]]


def label_form(norm: Norm, text: str) -> str:
    """Return a text under a named normal form.

    Raises:
        SpecError: there is no normal form of that name.
    """
    try:
        return _FORMS[norm](text)
    except KeyError:
        raise SpecError(f"`norm` must be one of {', '.join(_FORMS)}, got {norm!r}") from None


@dataclass(frozen=True, slots=True, kw_only=True)
class Matcher:
    """What counts as an occurrence of a label.

    Attributes:
        kind: "substring" finds a label wherever its characters stand (overlaps count); "word"
            only where no word character stands beside it; "regex" by one pattern a label;
            "synonym" by the label or any of its other terms.
        norm: normal form of reply, labels and terms (not of regex patterns).
        longest: drop a span that lies strictly inside a longer one.
        hyphen_joins: for words, a hyphen beside the label counts as a word character, so that
            "non-negative" does not hold "negative".
        patterns: (label, pattern) for kind "regex", one for every choice.
        synonyms: (label, term, term, ...) for kind "synonym"; labels without an entry stand for
            themselves.
        term: how the terms of kind "synonym" are looked for.

    Raises:
        SpecError: a parameter is out of range, or a pattern cannot be read or matches nothing.
    """

    kind: MatcherKind = "substring"
    norm: Norm = "lower"
    longest: bool = False
    hyphen_joins: bool = False
    patterns: tuple[tuple[str, str], ...] = ()
    synonyms: tuple[tuple[str, ...], ...] = ()
    term: TermKind = "substring"

    def __post_init__(self) -> None:
        _require(self.kind, "kind", get_args(MatcherKind))
        _require(self.norm, "norm", get_args(Norm))
        _require(self.term, "term", get_args(TermKind))
        if (self.kind == "regex") != bool(self.patterns):
            raise SpecError(
                f"`patterns` go with kind 'regex' and only with it, got kind {self.kind!r} with "
                f"patterns {self.patterns!r}"
                "; set the kind, or leave the patterns out"
            )
        if self.synonyms and self.kind != "synonym":
            raise SpecError(
                f"`synonyms` go with kind 'synonym', got kind {self.kind!r}"
                "; set the kind, or leave them out"
            )
        for _, pattern in self.patterns:
            _compiled(pattern)

    @property
    def name(self) -> str:
        """The matcher in one line, with every parameter that differs from the default."""
        kind = f"{self.kind}/{self.term}" if self.kind == "synonym" else self.kind
        extra = [f"norm {self.norm}"]
        extra += ["longest"] if self.longest else []
        extra += ["hyphens join"] if self.hyphen_joins else []
        extra += [f"{label}=/{pattern}/" for label, pattern in self.patterns]
        extra += [f"{label}={'|'.join(terms)}" for label, *terms in self.synonyms]
        return f"{kind} ({', '.join(extra)})"


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """One occurrence: start and end in the normalised text, and the card index of the label."""

    start: int
    end: int
    label: int


class LabelFinder:
    """A matcher made ready for one list of choices; get one from `finder`, which keeps them.

    Attributes:
        matcher: what counts as an occurrence.
        choices: the labels as written, in card order, repeats dropped.
        forms: the labels under the matcher's normal form.
    """

    def __init__(self, matcher: Matcher, choices: Sequence[str]) -> None:
        self.matcher = matcher
        self.choices = tuple(dict.fromkeys(choices))
        self.forms = _distinct_forms(matcher.norm, self.choices)
        self._terms = [self._terms_of(index) for index in range(len(self.choices))]

    @cached_property
    def _searches(self) -> list[list[Search]]:
        return [[self._search(term) for term in terms] for terms in self._terms]

    def _terms_of(self, index: int) -> list[str]:
        if self.matcher.kind == "regex":
            return [pattern for label, pattern in self.matcher.patterns if self._is(index, label)]
        terms = [self.forms[index]]
        for label, *others in self.matcher.synonyms:
            if self._is(index, label):
                terms += [label_form(self.matcher.norm, other) for other in others]
        if not all(term.strip() for term in terms):
            raise SpecError(
                f"a synonym of {self.choices[index]!r} is empty: {terms!r}; take it out"
            )
        return list(dict.fromkeys(terms))

    def _is(self, index: int, label: str) -> bool:
        return label_form(self.matcher.norm, label) == self.forms[index]

    def _search(self, term: str) -> Search:
        kind = self.matcher.term if self.matcher.kind == "synonym" else self.matcher.kind
        if kind == "regex":
            return _pattern_search(term)
        if kind == "word":
            return _word_search(term, joins=self.matcher.hyphen_joins)
        return _substring_search(term)

    def form(self, reply: str) -> str:
        """Return the reply under the matcher's normal form: the text that spans refer to."""
        return label_form(self.matcher.norm, reply)

    def spans(self, reply: str) -> tuple[Span, ...]:
        """Return all occurrences in order of start, end and card index."""
        text = self.form(reply)
        found = sorted(
            {
                Span(start, end, label)
                for label, searches in enumerate(self._searches)
                for search in searches
                for start, end in search(text)
            }
        )
        return tuple(_outermost(found) if self.matcher.longest else found)

    def firsts(self, reply: str) -> tuple[Span, ...]:
        """Return the first occurrence of each term of each label, without regard to `longest`.

        Enough to tell which label comes first, and much less than all occurrences.
        """
        text = self.form(reply)
        found = [
            Span(*edges, label)
            for label, searches in enumerate(self._searches)
            for search in searches
            for edges in [next(search(text), None)]
            if edges is not None
        ]
        return tuple(sorted(found))

    def labels(self, reply: str) -> tuple[int, ...]:
        """Return the candidate set: card indices of the labels that occur, ascending."""
        if self.matcher.longest:
            return tuple(sorted({span.label for span in self.spans(reply)}))
        text = self.form(reply)
        if self.matcher.kind == "substring":
            return tuple(i for i, form in enumerate(self.forms) if form in text)
        return tuple(
            label
            for label, searches in enumerate(self._searches)
            if any(next(search(text), None) is not None for search in searches)
        )

    def index_of(self, label: str) -> int | None:
        """Return the card index of a label: as written, else under the norm; None if neither."""
        if label in self.choices:
            return self.choices.index(label)
        form = self.form(label)
        return self.forms.index(form) if form in self.forms else None


@lru_cache(maxsize=4096)
def finder(matcher: Matcher, choices: tuple[str, ...]) -> LabelFinder:
    """Return the finder of a matcher and a list of choices in card order.

    Raises:
        UsageError: no choices, an empty one, or two that the normal form makes equal.
        SpecError: a choice has no pattern (kind "regex"), or a synonym is empty.
    """
    made = LabelFinder(matcher, choices)
    if matcher.kind == "regex":
        without = [made.choices[i] for i, terms in enumerate(made._terms) if not terms]  # noqa: SLF001 - the finder's own room
        if without:
            raise SpecError(f"`patterns` must name every choice, none is given for {without!r}")
    return made


def label_index(label: str, choices: Sequence[str], norm: Norm = "lower") -> int | None:
    """Return the place of a label among the choices: as written, else under a normal form.

    None when it is none of them, or when the normal form makes several of them equal to it.
    """
    if label in choices:
        return list(choices).index(label)
    form = label_form(norm, label)
    found = [i for i, choice in enumerate(choices) if label_form(norm, choice) == form]
    return found[0] if len(found) == 1 else None


def _require(value: str, field: str, allowed: Iterable[str]) -> None:
    listed = tuple(allowed)
    if value not in listed:
        raise SpecError(f"`{field}` of a matcher must be one of {listed}, got {value!r}")


def _compiled(pattern: str) -> re.Pattern[str]:
    try:
        compiled = re.compile(pattern)
    except re.error as error:
        raise SpecError(
            f"the pattern {pattern!r} cannot be read: {error}; write a regular expression of Python"
        ) from error
    if compiled.search("") is not None:
        raise SpecError(
            f"the pattern {pattern!r} matches the empty text, so it matches anything; tighten it"
        )
    return compiled


def _distinct_forms(norm: Norm, choices: tuple[str, ...]) -> tuple[str, ...]:
    if not choices:
        raise UsageError("labels cannot be looked for without choices; give at least one")
    forms = tuple(label_form(norm, choice) for choice in choices)
    for choice, form in zip(choices, forms, strict=True):
        if not form.strip():
            raise UsageError(
                f"the choice {choice!r} is empty under norm {norm!r}"
                "; choose another norm, or rename the choice"
            )
        if forms.count(form) > 1:
            equal = [c for c, f in zip(choices, forms, strict=True) if f == form]
            raise UsageError(
                f"the choices {equal!r} are equal under norm {norm!r}, so no rule can tell them "
                f"apart; choose another norm or merge them"
            )
    return forms


def _substring_search(term: str) -> Search:
    def search(text: str) -> Iterator[Edges]:
        at = text.find(term)
        while at >= 0:
            yield at, at + len(term)
            at = text.find(term, at + 1)

    return search


def _word_search(term: str, *, joins: bool) -> Search:
    # Not \b, which fails beside a label that begins or ends with a symbol.
    beside = f"[\\w{_HYPHENS}]" if joins else r"\w"
    compiled = re.compile(f"(?<!{beside})(?={re.escape(term)}(?!{beside}))")

    def search(text: str) -> Iterator[Edges]:
        return ((m.start(), m.start() + len(term)) for m in compiled.finditer(text))

    return search


def _pattern_search(pattern: str) -> Search:
    compiled = _compiled(pattern)

    def search(text: str) -> Iterator[Edges]:
        return ((m.start(), m.end()) for m in compiled.finditer(text) if m.end() > m.start())

    return search


def _outermost(spans: Sequence[Span]) -> list[Span]:
    """Return the spans that lie strictly inside no other one, in the order given."""
    kept: list[Span] = []
    reach, holder = -1, (-1, -1)
    for span in sorted(spans, key=lambda s: (s.start, -s.end, s.label)):
        edges = (span.start, span.end)
        if span.end > reach:
            reach, holder = span.end, edges
            kept.append(span)
        elif edges == holder:
            kept.append(span)
    return sorted(kept)
