"""Retrieval put to the test.  In: items with passages.  Out: configurations and differences."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.clusters import clusters_of
from finassay.analyses.kernels.ranked import (
    Relevant,
    chance_recall_at,
    hit_at,
    ndcg_at,
    recall_at,
    reciprocal_rank,
)
from finassay.analyses.retrieval.configurations import PAIRS, Configuration, chosen
from finassay.analyses.retrieval.differences import Questions, Run, differences, measures
from finassay.analyses.retrieval.limits import limits_of
from finassay.analyses.retrieval.questions import Asked, asked_of
from finassay.analyses.retrieval.results import (
    MEASURES,
    ConfigurationScores,
    FamilyScores,
    RetrievalEvaluation,
)
from finassay.errors import UsageError
from finassay.records import Item, ReportedScore
from finassay.retrieval import Index, IndexSettings
from finassay.retrieval.embedders import NO_EMBEDDER, Embedder, embedder_named
from finassay.retrieval.passages import chunks_at
from finassay.retrieval.remembering import Remembering

DEPTH = 100
"""Chunks of a ranking in which the first relevant one is looked for."""

TIMED = 10
"""Chunks that a query asks for when it is timed."""

Step = Callable[[int, int, str], None]
"""Called with how much is done, of how much, and what it was."""

METHOD = (
    f"a chunk counts for the passages that it overlaps; Recall@k is the share of relevant passages "
    f"found, Hit@k whether any is, MRR at the first among {DEPTH}, nDCG binary over chunks; "
    f"intervals and paired tests by the bootstrap that draws clusters of documents"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationSettings:
    """How configurations are measured.

    Attributes:
        overlap: least share of a passage that a chunk must hold to count for it, in [0, 1]; 0 for
            any overlap.
        alpha: level at which a claim is made.
        level: level of the intervals.
        draws: resamples where a test is by Monte Carlo.
        seed: seed of what is drawn.
        cache: folder where embeddings of chunks are kept for the next run; None to keep none.

    Raises:
        UsageError: a setting out of its range.
    """

    overlap: float = 0.0
    alpha: float = 0.05
    level: float = 0.95
    draws: int = 20_000
    seed: int = 0
    cache: Path | None = None

    def __post_init__(self) -> None:
        if not 0.0 <= self.overlap <= 1.0:
            raise UsageError(f"`overlap` must be in [0, 1], got {self.overlap!r}")
        for name in ("alpha", "level"):
            if not 0.0 < getattr(self, name) < 1.0:
                raise UsageError(f"`{name}` must be in (0, 1), got {getattr(self, name)!r}")
        if self.draws < 1:
            raise UsageError(f"`draws` must be at least 1, got {self.draws!r}")


def evaluate_retrieval(
    items: Sequence[Item],
    configurations: Sequence[Configuration] | None = None,
    *,
    settings: EvaluationSettings | None = None,
    embedders: Callable[[str], Embedder | None] = embedder_named,
    reported: Sequence[ReportedScore] = (),
    step: Step | None = None,
) -> RetrievalEvaluation:
    """Return how well configurations of retrieval find the passages that questions were made from.

    Args:
        items: with questions, passages (`context`, or `contexts` of the same number as
            `documents`) and documents.
        configurations: what is compared; all by default.
        settings: how it is measured.
        embedders: makes an embedder of its name.
        reported: figures printed elsewhere, to be shown beside.
        step: told of every text that was embedded and every configuration that is done.

    Raises:
        UsageError: no item has a question with a passage, or no configuration is left.
        MissingExtraError: the package of an embedder is not installed.
    """
    settings = settings or EvaluationSettings()
    configurations = chosen() if configurations is None else configurations
    if not configurations:
        raise UsageError("no configuration to evaluate; name at least one")
    asked = asked_of(items, overlap=settings.overlap)
    bench = _Bench(asked, settings, embedders, step or (lambda *_: None))
    runs = []
    for number, one in enumerate(configurations, start=1):
        runs.append(bench.run(one))
        bench.step(number, len(configurations), one.name)
    clusters = clusters_of(asked.items, ("documents",))
    questions = Questions(labels=clusters.labels, draws=settings.draws, seed=settings.seed)
    names = [one.name for one in configurations]
    pairs = [pair for pair in PAIRS if set(pair) <= set(names)]
    tests = differences(runs, pairs, questions, level=settings.level)
    return RetrievalEvaluation(
        corpus=asked.corpus_facts,
        configurations=tuple(
            bench.scores(one, run, questions) for one, run in zip(configurations, runs, strict=True)
        ),
        differences=tests,
        adjust="holm",
        family=len(tests),
        alpha=settings.alpha,
        level=settings.level,
        draws=settings.draws,
        seed=settings.seed,
        cluster_sizes=clusters.sizes,
        reported=tuple(reported),
        limits=limits_of(asked.corpus_facts),
        method=METHOD,
        warnings=(*asked.warnings, *clusters.warnings),
    )


class _Bench:
    """Indexes and embedders that configurations share."""

    def __init__(
        self,
        asked: Asked,
        settings: EvaluationSettings,
        embedders: Callable[[str], Embedder | None],
        step: Step,
    ) -> None:
        self._asked = asked
        self._settings = settings
        self._named = embedders
        self.step = step
        self._embedders: dict[str, Remembering | None] = {}
        self._indexes: dict[IndexSettings, Index] = {}
        self._relevant: dict[IndexSettings, list[list[list[int]]]] = {}

    def run(self, configuration: Configuration) -> Run:
        """Return what every question measures, and how long each took."""
        index = self._index(configuration.index)
        embedder = self._embedder(configuration.index.embedder)
        relevant = self._relevant[configuration.index]
        texts = [item.question for item in self._asked.items]
        if configuration.needs_embedder and embedder is not None:
            self._embed(embedder, texts)
        index.search(texts[0], k=TIMED, settings=configuration.search)
        rows, search, whole = [], [], []
        places = {chunk.chunk_id: number for number, chunk in enumerate(index.chunks())}
        for text, wanted in zip(texts, relevant, strict=True):
            begun = time.perf_counter()
            index.search(text, k=TIMED, settings=configuration.search)
            seconds = time.perf_counter() - begun
            embedded = 0.0
            if configuration.needs_embedder and embedder is not None:
                embedded = embedder.seconds(text)
            search.append(seconds)
            whole.append(seconds + embedded)
            hits = index.search(text, k=DEPTH, settings=configuration.search)
            rows.append(measured([places[hit.chunk.chunk_id] for hit in hits], wanted))
        return Run(
            name=configuration.name,
            values=np.array(rows, dtype=np.float64),
            search_s=np.array(search),
            whole_s=np.array(whole),
        )

    def scores(
        self, configuration: Configuration, run: Run, questions: Questions
    ) -> ConfigurationScores:
        """Return the scores of a configuration that was run."""
        index, made = self._indexes[configuration.index], configuration.index
        relevant = self._relevant[made]
        search, whole = _percentiles(run.search_s), _percentiles(run.whole_s)
        return ConfigurationScores(
            name=configuration.name,
            what=configuration.what,
            mode=configuration.search.mode,
            tokeniser=made.tokeniser,
            embedder=made.embedder,
            chunk_size=made.chunks.size,
            chunk_overlap=made.chunks.overlap,
            fusion_k=configuration.search.fusion_k,
            identifiers=configuration.search.identifiers,
            context=made.context,
            n=len(run.values),
            n_chunks=len(index),
            passages_a_chunk=self._asked.passages_a_chunk(index.chunks()),
            measures=measures(run, questions, level=self._settings.level),
            chance_recall_5=float(
                np.mean([chance_recall_at(len(index), wanted, 5) for wanted in relevant])
            ),
            families=_families(self._asked, run.values),
            p50_ms=whole[0],
            p95_ms=whole[1],
            search_p50_ms=search[0],
            search_p95_ms=search[1],
            index_bytes=index.size_bytes,
        )

    def _index(self, made: IndexSettings) -> Index:
        if made not in self._indexes:
            index = Index.of(
                self._asked.corpus.documents,
                made,
                embedder=self._embedder(made.embedder),
                progress=lambda done, of: self.step(done, of, "passages embedded"),
            )
            chunks = index.chunks()
            at = {
                place: chunks_at(chunks, place, share=self._settings.overlap)
                for place in self._asked.corpus.distinct
            }
            self._relevant[made] = [[at[one] for one in places] for places in self._asked.wanted]
            self._indexes[made] = index
        return self._indexes[made]

    def _embedder(self, name: str) -> Remembering | None:
        if name not in self._embedders:
            model = None if name == NO_EMBEDDER else self._named(name)
            self._embedders[name] = (
                None if model is None else Remembering(model, folder=self._settings.cache)
            )
        return self._embedders[name]

    def _embed(self, embedder: Remembering, texts: Sequence[str]) -> None:
        for number, text in enumerate(texts, start=1):
            embedder.queries([text])
            self.step(number, len(texts), "questions embedded")


def measured(ranking: Sequence[int], relevant: Relevant) -> list[float]:
    """Return the measures of one question, in order of `MEASURES`."""
    return [
        recall_at(ranking, relevant, 1),
        recall_at(ranking, relevant, 5),
        recall_at(ranking, relevant, 10),
        hit_at(ranking, relevant, 5),
        reciprocal_rank(ranking, relevant),
        ndcg_at(ranking, relevant, 10),
    ]


def _percentiles(seconds: NDArray[np.float64]) -> tuple[float, float]:
    """Return the median and the 95th percentile, in milliseconds."""
    middle, high = np.percentile(seconds, [50, 95]) * 1000
    return float(middle), float(high)


def _families(asked: Asked, values: NDArray[np.float64]) -> tuple[FamilyScores, ...]:
    rows: dict[str, list[int]] = {}
    for number, item in enumerate(asked.items):
        rows.setdefault(item.family, []).append(number)
    recall, mrr = MEASURES.index("recall_5"), MEASURES.index("mrr")
    return tuple(
        FamilyScores(
            family=family,
            n=len(at),
            recall_5=float(values[at, recall].mean()),
            mrr=float(values[at, mrr].mean()),
        )
        for family, at in rows.items()
    )
