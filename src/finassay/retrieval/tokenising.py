"""Tokens for lexical search.  In: a passage or a query.  Out: tokens, in order.

The tokeniser "identifiers" keeps what people look things up by.  Beside its words a text has one
token for every circular number ("sebi/ho/cfd/2024/118"), provision ("regulation:30(6)"), amount
("inr:5000000000"), share ("%7.5"), term ("day:30") and date ("date:2024-04-01"), however they are
written.  "plain" has the words alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

from finassay.errors import UnknownNameError
from finassay.retrieval.identifiers import Identifier, identifiers_in, provision_marks
from finassay.text.normalisers import compatible
from finassay.text.units import words

STOP_WORDS = frozenset(
    words(
        "a an and are as at be been by for from has have in into is it its may of on or shall such "
        "than that the their there these this those to under was were where which who will with"
    )
)
"""Function words of English, which no tokeniser keeps.  Negations stay."""

_ABOUT_IDENTIFIERS = frozenset(
    words(
        "act annexure appendix article bearing chapter circular clause clauses dated direction "
        "directions do does in letter master no notification number para paragraph part proviso "
        "provide provides read ref reference regulation regulations require requires rule rules "
        "say says schedule section sections state states sub text what"
    )
)
"""Words that stand beside an identifier without adding to it."""

_HAN = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_SIMPLE = re.compile(rf"[{_HAN}]|[^\W_{_HAN}]+")
_WORD = re.compile(rf"[{_HAN}]|\d+(?:[.,]\d+)*(?!\w)|[^\W_{_HAN}]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """A query, ready to be looked up.

    Attributes:
        tokens: all its tokens.
        identifiers: those of them that name what is asked for: provisions and papers, and where
            there is nothing else, amounts and dates.
        is_identifier: whether there is nothing else in it.
    """

    tokens: tuple[str, ...]
    identifiers: tuple[str, ...] = ()
    is_identifier: bool = False


class Tokeniser(Protocol):
    """Makes tokens of passages and queries; what it does follows from name and version."""

    @property
    def name(self) -> str:
        """The name that stands in manifests, with the version."""
        ...

    def passage(self, text: str, clauses: Iterable[str] = ()) -> list[str]:
        """Return the tokens of a passage, in which these provisions begin."""
        ...

    def query(self, text: str) -> Query:
        """Return a query."""
        ...


class Plain:
    """Words: runs of letters and digits, case-folded, without function words."""

    name = "plain/1"

    def passage(self, text: str, clauses: Iterable[str] = ()) -> list[str]:  # noqa: ARG002
        """Return the words of a passage."""
        return [word for word in _SIMPLE.findall(compatible(text)) if word not in STOP_WORDS]

    def query(self, text: str) -> Query:
        """Return a query of words."""
        return Query(tokens=tuple(self.passage(text)))


class WithIdentifiers:
    """Words in the singular, and a token of its own for everything that is looked up exactly."""

    name = "identifiers/2"

    def passage(self, text: str, clauses: Iterable[str] = ()) -> list[str]:
        """Return words, identifiers, and marks of the provisions that begin in the passage."""
        found = list(_words(text))
        for identifier in identifiers_in(text):
            found += identifier.tokens
        for clause in clauses:
            found += provision_marks(clause)
        return found

    def query(self, text: str) -> Query:
        """Return a query that also asks for the passages in which its provisions begin."""
        found = list(identifiers_in(text))
        is_identifier = any(one.exact for one in found) and not _rest(text, found)
        asked = found if is_identifier else [one for one in found if one.is_name]
        exact = [token for one in asked for token in one.exact]
        return Query(
            tokens=(*_words(text), *(token for one in found for token in one.asked)),
            identifiers=tuple(dict.fromkeys(exact)),
            is_identifier=is_identifier,
        )


def tokens(text: str, tokeniser: str = "identifiers") -> list[str]:
    """Return the tokens of a passage.

    Raises:
        UnknownNameError: there is no such tokeniser.
    """
    return tokeniser_named(tokeniser).passage(text)


def tokeniser_named(name: str) -> Tokeniser:
    """Return the tokeniser of that name.

    Raises:
        UnknownNameError: there is none.
    """
    try:
        return TOKENISERS[name]
    except KeyError:
        raise UnknownNameError(
            f"no tokeniser {name!r}; choose one of {', '.join(TOKENISERS)}"
        ) from None


def singular(word: str) -> str:
    """Return a word without the ending of the English plural.

    Source: the S-stemmer of Harman (1991), "How effective is suffixing?", JASIS 42(1).
    """
    if len(word) < 4 or word[-1] != "s":
        return word
    if word.endswith("ies"):
        return word if word[-4] in "ea" else f"{word[:-3]}y"
    if word.endswith("es"):
        return word if word[-3] in "aeo" else word[:-1]
    return word if word[-2] in "us" else word[:-1]


def _words(text: str) -> Iterator[str]:
    for word in _WORD.findall(compatible(text)):
        if word not in STOP_WORDS:
            yield singular(word) if word.isalpha() else word.replace(",", "")


def _rest(text: str, found: Iterable[Identifier]) -> list[str]:
    """Return the words of a query that are neither identifiers nor beside them."""
    at, kept = 0, []
    for identifier in sorted(found, key=lambda one: one.start):
        kept.append(text[at : identifier.start])
        at = max(at, identifier.end)
    kept.append(text[at:])
    left = _SIMPLE.findall(compatible(" ".join(kept)))
    return [word for word in left if word not in STOP_WORDS | _ABOUT_IDENTIFIERS]


TOKENISERS: dict[str, Tokeniser] = {"identifiers": WithIdentifiers(), "plain": Plain()}
