"""What a verdict is wanted on.  In: nothing.  Out: one case for each verdict, or pair and order."""

from __future__ import annotations

from dataclasses import dataclass

from finassay.judges.candidates import Candidate
from finassay.judges.prompting import DerivedItem, Order
from finassay.records import Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One verdict that is wanted of one judge under one protocol.

    Attributes:
        candidate: the answer that is judged; of a pair, the left one.
        other: the right answer of a pair.
        order: which answer of a pair is shown first.
        prompt: what the judge is sent; None where the verdict is settled without it.
        settled: the verdict that needs no judge; None where there is a prompt.
        flags: what is to be known of the verdict, whatever the judge says.
        shows: ids of the systems whose words the prompt holds.
    """

    candidate: Candidate
    other: Candidate | None = None
    order: Order | None = None
    prompt: DerivedItem | None = None
    settled: Verdict | None = None
    flags: tuple[str, ...] = ()
    shows: tuple[str, ...] = ()

    @property
    def key(self) -> tuple[str, ...]:
        """What tells it from other cases: item, answers and order."""
        sides = [self.candidate.prediction, *([self.other.prediction] if self.other else [])]
        told = [part for one in sides for part in (one.system_id, str(one.trial))]
        return (self.candidate.item.item_id, *told, self.order or "")

    @property
    def digests(self) -> tuple[str, ...]:
        """Digests of what is judged: the item and the texts."""
        sides = [self.candidate.prediction, *([self.other.prediction] if self.other else [])]
        return (self.candidate.item.item_digest, *(one.text_digest for one in sides))
