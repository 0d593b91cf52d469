"""Frozen results of an evaluation of retrieval.  In: nothing.  Out: scores and differences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from finassay.analyses.kernels.families import Adjustment
from finassay.analyses.results_compare import PValue
from finassay.records import ReportedScore

MeasureName: TypeAlias = Literal["recall_1", "recall_5", "recall_10", "hit_5", "mrr", "ndcg_10"]
MEASURES: tuple[MeasureName, ...] = get_args(MeasureName)
TESTED: tuple[MeasureName, ...] = ("recall_5", "mrr", "ndcg_10")
"""Measures on which configurations are tested against each other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrievalCorpus:
    """What was searched, and for what.

    Attributes:
        n_items: items that were given.
        n_questions: those of them with a question and a passage.
        n_passages: passages of these, with repeats.
        n_distinct: passages of different text.
        n_contained: distinct passages that stand word for word in a longer one.
        n_documents: documents that they were joined to.
        n_characters: characters of these.
        median_passage: median length of a distinct passage, in characters.
        longest_passage: length of the longest, in characters.
        overlap: least share of a passage that a chunk holds to count for it; 0 for any overlap.
    """

    n_items: int
    n_questions: int
    n_passages: int
    n_distinct: int
    n_contained: int
    n_documents: int
    n_characters: int
    median_passage: float
    longest_passage: int
    overlap: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrievalMeasure:
    """A mean over questions, with its interval over resampled clusters of documents.

    Attributes:
        name: the measure.
        value: mean, in [0, 1].
        low: lower end of the interval; None with one cluster.
        high: upper end.
    """

    name: MeasureName
    value: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class FamilyScores:
    """A configuration on the questions of one family.

    Attributes:
        family: name of the family; "" for items without one.
        n: questions of it.
        recall_5: share of relevant passages among the first five chunks.
        mrr: mean reciprocal rank.
    """

    family: str
    n: int
    recall_5: float
    mrr: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfigurationScores:
    """How one configuration does.

    Attributes:
        name: name of the configuration.
        what: what is different from the default.
        mode: "hybrid", "dense" or "lexical".
        tokeniser: name of the tokeniser.
        embedder: name of the embedding model; "none" without one.
        chunk_size: most characters of a chunk.
        chunk_overlap: most characters that a chunk repeats.
        fusion_k: constant of reciprocal rank fusion.
        identifiers: weight of the ranking by exact identifiers.
        context: whether titles and headings are searched with every chunk.
        n: questions.
        n_chunks: chunks of the index.
        passages_a_chunk: mean number of distinct passages that a chunk counts for.
        measures: in order of `MEASURES`.
        chance_recall_5: expected Recall@5 of chunks drawn at random.
        families: by family of items.
        p50_ms: median time of a query in milliseconds, its embedding included.
        p95_ms: time that 95 of 100 queries stay within.
        search_p50_ms: median time of the search alone.
        search_p95_ms: its 95th percentile.
        index_bytes: size of the index.
    """

    name: str
    what: str
    mode: str
    tokeniser: str
    embedder: str
    chunk_size: int
    chunk_overlap: int
    fusion_k: int
    identifiers: float
    context: bool
    n: int
    n_chunks: int
    passages_a_chunk: float
    measures: tuple[RetrievalMeasure, ...]
    chance_recall_5: float
    families: tuple[FamilyScores, ...]
    p50_ms: float
    p95_ms: float
    search_p50_ms: float
    search_p95_ms: float
    index_bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrievalDifference:
    """A test of two configurations on one measure, over the same questions.

    Attributes:
        left: a configuration.
        right: another.
        measure: what is compared.
        difference: left minus right, in [-1, 1].
        low: lower end of its interval over resampled clusters; None with one cluster.
        high: upper end.
        left_better: questions on which left is better.
        right_better: questions on which right is better.
        p: paired bootstrap over clusters of documents; None with one cluster.
        adjusted: p adjusted over the declared family; None with one cluster.
    """

    left: str
    right: str
    measure: MeasureName
    difference: float
    low: float | None
    high: float | None
    left_better: int
    right_better: int
    p: PValue | None
    adjusted: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrievalEvaluation:
    """Configurations of retrieval on one corpus.

    Attributes:
        corpus: what was searched.
        configurations: in the order in which they were asked for.
        differences: the declared comparisons.
        adjust: how p is adjusted.
        family: number of tests in the declared family.
        alpha: level at which a claim is made.
        level: level of the intervals.
        draws: resamples where a test is by Monte Carlo.
        seed: seed of what is drawn.
        cluster_sizes: questions of each cluster of documents, largest first.
        reported: figures that others printed for another corpus.
        limits: what this corpus cannot show.
        method: how it was measured.
        warnings: what a reader must know.
    """

    corpus: RetrievalCorpus
    configurations: tuple[ConfigurationScores, ...]
    differences: tuple[RetrievalDifference, ...]
    adjust: Adjustment
    family: int
    alpha: float
    level: float
    draws: int
    seed: int
    cluster_sizes: tuple[int, ...]
    reported: tuple[ReportedScore, ...]
    limits: tuple[str, ...]
    method: str
    warnings: tuple[str, ...]

    def configuration(self, name: str) -> ConfigurationScores:
        """Return the scores of a configuration by its name.

        Raises:
            KeyError: it was not run.
        """
        return {one.name: one for one in self.configurations}[name]
