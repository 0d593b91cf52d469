"""Open-book runs.  In: items, an index of documents.  Out: a run whose passages were found.

What was found for each item is kept in the study beside the answers, because an answer from a
passage can only be judged by who can read that passage.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from finassay.errors import UsageError
from finassay.records import Item
from finassay.retrieval import Hit, Index, SearchSettings
from finassay.runs.limits import Limits
from finassay.runs.report import RunReport
from finassay.runs.running import Progress, RunRequest, run_models
from finassay.study import Study
from finassay.study.retrieved import Found, found_for, keep_found

MOST = 100
"""Largest number of passages in a prompt."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrievedPassages:
    """Passages of an index, the best `k` for an item's question; the item's own are not used.

    Attributes:
        index: where they are found.
        k: how many, 1 to 100.
        search: how rankings are made and joined.
    """

    index: Index
    k: int = 5
    search: SearchSettings = field(default_factory=SearchSettings)
    _kept: dict[str, tuple[Hit, ...]] = field(default_factory=dict, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not 1 <= self.k <= MOST:
            raise UsageError(f"`k` must be 1 to {MOST} passages, got {self.k!r}")

    @property
    def label(self) -> str:
        """A few words for the display name of systems."""
        usual = SearchSettings().mode == self.search.mode
        return f"open-book k={self.k}" + ("" if usual else f" {self.search.mode}")

    @property
    def named(self) -> Mapping[str, str]:
        """What decides the passages: index, number and search, as a system's identity holds it."""
        search = self.search
        return {
            "open_book": self.index.digest[:16],
            "open_book.k": str(self.k),
            "open_book.search": f"{search.mode} fusion={search.fusion_k} depth={search.depth} "
            f"identifiers={search.identifiers:g}",
        }

    def of(self, items: Sequence[Item]) -> Mapping[str, tuple[str, ...]]:
        """Return the passages for each item by its id, the best one first."""
        return {item.item_id: tuple(hit.chunk.text for hit in self.hits(item)) for item in items}

    def hits(self, item: Item) -> tuple[Hit, ...]:
        """Return what was found for an item, the same on every call."""
        found = self._kept.get(item.question)
        if found is None:
            found = tuple(self.index.search(item.question, k=self.k, settings=self.search))
            self._kept[item.question] = found
        return found


def run_open_book(
    study: Study,
    request: RunRequest,
    passages: RetrievedPassages,
    *,
    progress: Progress | None = None,
    limits: Limits | None = None,
) -> RunReport:
    """Ask models with passages that were found, and return what came of it.

    What was found stands in the study before anything is asked.

    Args:
        study: holds the items; answers go there.
        request: what is run; its `asking.passages` are these passages.
        passages: where they come from.
        progress: called after every reply.
        limits: what earlier runs of the same command have used.

    Raises:
        UsageError: the request takes its passages from elsewhere, or cannot be carried out.
        StudyError: what was found before is damaged, or what is found cannot be written.
        RunError: Inspect ended with an error of its own.
    """
    if request.asking.passages is not passages:
        raise UsageError("the request must be asked with the passages that are kept with it")
    for spec in request.systems():
        new = list(_new(study, spec.system_id, request.in_scope, passages))
        keep_found(study, spec.system_id, new)
    return run_models(study, request, progress=progress, limits=limits)


def _new(
    study: Study, system_id: str, items: Sequence[Item], passages: RetrievedPassages
) -> Iterator[Found]:
    """Yield what is found for items that nothing is kept for.

    The identity of a system holds the digest of its index, so what was kept for an item before is
    what is found for it now.
    """
    before = {line.item_id for line in found_for(study, system_id)}
    for item in items:
        if item.item_id not in before:
            for hit in passages.hits(item):
                yield Found(
                    item_id=item.item_id,
                    rank=hit.rank,
                    chunk_id=hit.chunk.chunk_id,
                    score=hit.score,
                    text=hit.chunk.text,
                    index=passages.index.digest,
                )
