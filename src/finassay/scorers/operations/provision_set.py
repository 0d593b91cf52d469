"""The provision-set rule.  In: an item with candidate provisions.  Out: a share in [0, 1]."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import takewhile
from typing import ClassVar, Literal, get_args

from finassay.records import Item, Prediction, Verdict
from finassay.scorers.base import Rule, require_one_of
from finassay.text.answer_parts import answer_parts, bare_lines
from finassay.text.canonical_provisions import canonical_provisions

Credit = Literal["jaccard", "exact"]

MOST_ENTRIES = 100
"""Lines of a list that are read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProvisionMeasure:
    """What decides a verdict on a set of provisions.

    Attributes:
        expected: canonical provisions of the reference.
        read: canonical provisions that the reply selects.
        outside: how many of those are no candidate.
    """

    expected: tuple[str, ...]
    read: tuple[str, ...]
    outside: int = 0


@dataclass(frozen=True, kw_only=True)
class ProvisionSet(Rule[ProvisionMeasure]):
    """`provision_set`: how far the provisions that the reply selects are those of the reference.

    Provisions are compared in canonical writing.  The answer line, the JSON, a list or the first
    line selects them; provisions that only an explanation mentions do not count.

    Attributes:
        credit: "jaccard" gives those named by both over those named by either, as multi-label
            accuracy (Godbole and Sarawagi 2004); "exact" gives 1 for equal sets, else 0.
    """

    credit: Credit = "jaccard"

    name: ClassVar[str] = "provision_set"
    version: ClassVar[str] = "1"
    measure_name: ClassVar[str] = "provision_set"
    decision_fields: ClassVar[frozenset[str]] = frozenset({"credit"})

    def __post_init__(self) -> None:
        require_one_of(self, "credit", self.credit, get_args(Credit))

    def measure(self, *, reference: str, item: Item, prediction: Prediction) -> ProvisionMeasure:
        """Return the canonical provisions of both sides."""
        read = selected_provisions(prediction.text)
        heads = {one for choice in item.choices for one in canonical_provisions(choice)[:1]}
        outside = sum(one not in heads for one in read) if heads else 0
        return ProvisionMeasure(
            expected=canonical_provisions(reference), read=read, outside=outside
        )

    def decide(self, measured: ProvisionMeasure) -> Verdict:
        """Return the share of provisions that agree."""
        expected, read = set(measured.expected), set(measured.read)
        if not expected:
            return Verdict(status="not_applicable", reason="no provision in the reference")
        if not read:
            return Verdict(status="unparsed", reason="the reply selects no provision")
        shared = len(expected & read)
        graded = shared / len(expected | read)
        return Verdict(
            status="scored",
            value=graded if self.credit == "jaccard" else float(expected == read),
            extracted="; ".join(measured.read),
            flags=("not_a_candidate",) if measured.outside else (),
            reason=f"{shared} of {len(expected)} provisions of the reference are among the "
            f"{len(read)} selected",
        )


def selected_provisions(reply: str) -> tuple[str, ...]:
    """Return the canonical provisions that a reply selects."""
    for part in answer_parts(reply).texts:
        lines = bare_lines(part)[:MOST_ENTRIES]
        entries = list(takewhile(_is_entry, lines))
        if entries:
            return canonical_provisions("; ".join(entries))
        if lines and (found := canonical_provisions(lines[0])):
            return found
    return ()


def _is_entry(line: str) -> bool:
    """Whether a line begins with a provision, as an entry of a list does."""
    return bool(canonical_provisions(line[:24]))
