"""Tables about retrieval.  In: an evaluation.  Out: tables."""

from __future__ import annotations

from finassay.analyses.retrieval.results import (
    ConfigurationScores,
    MeasureName,
    RetrievalDifference,
    RetrievalEvaluation,
)
from finassay.records import ReportedScore
from finassay.reports import numbers as num
from finassay.reports.table import Gaps, Table, lefts, rights

NAMES: dict[MeasureName, str] = {
    "recall_1": "Recall@1",
    "recall_5": "Recall@5",
    "recall_10": "Recall@10",
    "hit_5": "Hit@5",
    "mrr": "MRR",
    "ndcg_10": "nDCG@10",
}
_TIMES = (
    "p50 and p95: a query for 10 chunks, with its embedding where the configuration embeds it, one "
    "at a time; search: the same with the embedding ready"
)
_ONE_CLUSTER = "all questions rest on one cluster of documents, so nothing can be resampled"


def tables(result: RetrievalEvaluation) -> list[Table]:
    """Return all tables of an evaluation that have rows."""
    made = (scores(result), differences(result), families(result), published(result))
    return [table for table in made if table.rows]


def scores(result: RetrievalEvaluation) -> Table:
    """Return every configuration with its measures, times and size."""
    corpus = result.corpus
    return Table(
        key="retrieval",
        caption=(
            f"Retrieval of {num.count(corpus.n_distinct)} passages in "
            f"{num.count(corpus.n_documents)} documents by "
            f"{num.count(corpus.n_questions)} questions"
        ),
        columns=(
            *lefts("Configuration"),
            *rights(*NAMES.values(), "R@5 interval", "R@5 by chance"),
            *rights("p50 ms", "p95 ms", "Search p50", "Search p95"),
            *rights("Chunks", "Passages a chunk", "Index, kB"),
        ),
        rows=tuple(_score_row(one) for one in result.configurations),
        notes=tuple(
            dict.fromkeys(num.sentence(note, _names(result)) for note in _notes(result) if note)
        ),
    )


def _names(result: RetrievalEvaluation) -> list[str]:
    return [*(one.name for one in result.configurations), "p50"]


def _notes(result: RetrievalEvaluation) -> list[str]:
    return [
        *(f"{one.name}: {one.what}" for one in result.configurations),
        _TIMES,
        _embedders(result),
        result.method,
        *result.warnings,
        *(f"Not shown by this corpus: {limit}" for limit in result.limits),
    ]


def _embedders(result: RetrievalEvaluation) -> str:
    used = dict.fromkeys(one.embedder for one in result.configurations if one.mode != "lexical")
    return f"Embedding model: {num.listed([num.clean(name) for name in used])}" if used else ""


def _score_row(one: ConfigurationScores) -> tuple[str, ...]:
    by_name = {measure.name: measure for measure in one.measures}
    five = by_name["recall_5"]
    ends = (
        num.EM_DASH
        if five.low is None or five.high is None
        else f"{num.coefficient(five.low)}{num.EN_DASH}{num.coefficient(five.high)}"
    )
    return (
        num.shortened(one.name),
        *(num.coefficient(by_name[name].value) for name in NAMES),
        ends,
        num.coefficient(one.chance_recall_5),
        *(
            num.fixed(ms, 1 if ms < 100 else 0)
            for ms in (one.p50_ms, one.p95_ms, one.search_p50_ms, one.search_p95_ms)
        ),
        num.count(one.n_chunks),
        num.fixed(one.passages_a_chunk, 2),
        num.count(-(-one.index_bytes // 1000)),
    )


def differences(result: RetrievalEvaluation) -> Table:
    """Return the declared comparisons."""
    gaps = Gaps()
    return Table(
        key="retrieval-differences",
        caption="Configurations against each other, on the same questions",
        columns=(
            *lefts("Left", "Right", "Measure"),
            *rights("Left minus right", "Interval", "Left better", "Right better"),
            *rights("p", "Adjusted p"),
        ),
        rows=tuple(_difference_row(one, gaps) for one in result.differences),
        notes=gaps.notes(
            f"Paired bootstrap over {num.plural(len(result.cluster_sizes), 'cluster')} of "
            f"documents; p adjusted by Holm over a declared family of "
            f"{num.plural(result.family, 'test')}.",
            f"{num.level(result.level)} intervals. Better: questions on which one of the two is.",
        ),
    )


def _difference_row(one: RetrievalDifference, gaps: Gaps) -> tuple[str, ...]:
    known = one.low is not None and one.high is not None
    ends = (
        f"{num.signed(one.low, 3)} to {num.signed(one.high, 3)}"
        if known and one.low is not None and one.high is not None
        else gaps.dash(_ONE_CLUSTER)
    )
    return (
        num.shortened(one.left),
        num.shortened(one.right),
        NAMES[one.measure],
        num.signed(one.difference, 3),
        ends,
        num.count(one.left_better),
        num.count(one.right_better),
        gaps.dash(_ONE_CLUSTER) if one.p is None else num.p_value(one.p.inclusive),
        gaps.dash(_ONE_CLUSTER) if one.adjusted is None else num.p_value(one.adjusted),
    )


def families(result: RetrievalEvaluation) -> Table:
    """Return Recall@5 by family of questions; MRR is in the JSON."""
    known = result.configurations[0].families if result.configurations else ()
    names = [num.shortened(one.family, 15) if one.family else "(none)" for one in known]
    counts = [f"{name} {one.n}" for name, one in zip(names, known, strict=True)]
    return Table(
        key="retrieval-families",
        caption="Recall@5 by family of questions",
        columns=(
            *lefts("Configuration"),
            *rights(*names),
        ),
        rows=tuple(
            (
                num.shortened(one.name),
                *(num.coefficient(family.recall_5) for family in one.families),
            )
            for one in result.configurations
        ),
        notes=(num.sentence(f"Questions: {num.listed(counts)}"),) if counts else (),
    )


def published(result: RetrievalEvaluation) -> Table:
    """Return figures that others printed, on another corpus."""
    cells: dict[str, dict[str, ReportedScore]] = {}
    for score in result.reported:
        cells.setdefault(score.row, {})[score.column] = score
    columns = list(dict.fromkeys(score.column for score in result.reported))
    sources = dict.fromkeys(f"{one.source}, {one.table}" for one in result.reported)
    gaps = Gaps()
    return Table(
        key="retrieval-published",
        caption="As reported by others, on another corpus: not to be compared with the above",
        columns=(*lefts("Configuration"), *rights(*(num.clean(name) for name in columns))),
        rows=tuple(
            (
                num.shortened(row),
                *(
                    num.clean(found[name].printed) if name in found else gaps.dash("not printed")
                    for name in columns
                ),
            )
            for row, found in cells.items()
        ),
        notes=gaps.notes(
            *(f"Source: {name}" for name in sources),
            *dict.fromkeys(one.note for one in result.reported),
        ),
    )
