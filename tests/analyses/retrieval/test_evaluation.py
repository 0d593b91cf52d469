"""Configurations of retrieval are measured on passages, beside what was counted by hand."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from finassay.analyses.kernels.families import adjusted
from finassay.analyses.retrieval import (
    CONFIGURATIONS,
    EvaluationSettings,
    RetrievalEvaluation,
    chosen,
    evaluate_retrieval,
)
from finassay.analyses.retrieval.differences import Questions, Run, differences, measures
from finassay.analyses.retrieval.questions import asked_of, passages_of
from finassay.analyses.retrieval.results import MEASURES
from finassay.benchmarks.reported import load_reported
from finassay.errors import UnknownNameError, UsageError
from finassay.records import Item
from finassay.retrieval import ChunkSettings, IndexSettings, SearchSettings
from finassay.retrieval.embedders import Embedder, Hashing
from finassay.runs.importers.items_alone import read_items
from real_data import data_root
from reference.paired_bootstrap import every_resample
from retrieval_items import items

SMALL = EvaluationSettings(draws=500)


def hashing(name: str) -> Embedder | None:
    return None if name == "none" else Hashing(dimensions=32)


@pytest.fixture(scope="module")
def found() -> RetrievalEvaluation:
    return evaluate_retrieval(items(), settings=SMALL, embedders=hashing)


def test_every_configuration_is_measured_on_the_same_questions(found: RetrievalEvaluation) -> None:
    assert [one.name for one in found.configurations] == [one.name for one in CONFIGURATIONS]
    assert {one.n for one in found.configurations} == {7}
    assert all(
        [measure.name for measure in one.measures] == list(MEASURES) for one in found.configurations
    )
    facts = found.corpus
    assert (facts.n_items, facts.n_questions, facts.n_passages, facts.n_distinct) == (8, 7, 8, 6)
    assert facts.n_documents == 3
    assert "1 items have no question or no passage and are left out" in found.warnings


def test_a_small_corpus_in_one_chunk_a_document_is_found_whole(found: RetrievalEvaluation) -> None:
    # Three documents of one chunk each: five chunks are all of them, whatever the ranking.
    dense = found.configuration("dense")
    assert dense.n_chunks == 3
    assert dense.passages_a_chunk == 2.0
    by_name = {measure.name: measure.value for measure in dense.measures}
    assert by_name["recall_5"] == by_name["hit_5"] == dense.chance_recall_5 == 1.0


def test_recall_at_one_counts_half_where_one_of_two_passages_is_found() -> None:
    found = evaluate_retrieval(
        items()[6:7], chosen(["bm25"]), settings=SMALL, embedders=hashing
    ).configuration("bm25")
    assert {m.name: m.value for m in found.measures}["recall_1"] == 0.5
    assert {m.name: m.value for m in found.measures}["recall_5"] == 1.0


def test_one_cluster_has_neither_intervals_nor_p() -> None:
    found = evaluate_retrieval(
        items()[:2], chosen(["bm25", "bm25-plain"]), settings=SMALL, embedders=hashing
    )
    assert found.cluster_sizes == (2,)
    assert all(m.low is None for one in found.configurations for m in one.measures)
    assert [(one.p, one.adjusted, one.low) for one in found.differences] == [(None,) * 3] * 3


def test_declared_pairs_are_tested_on_three_measures(found: RetrievalEvaluation) -> None:
    pairs = {(one.left, one.right) for one in found.differences}
    assert ("hybrid", "dense") in pairs
    assert ("hybrid", "bm25") in pairs
    assert ("hybrid", "plain-tokeniser") in pairs
    assert ("bm25", "bm25-plain") in pairs
    assert found.family == len(found.differences) == 3 * len(pairs)
    p = np.array([one.p.inclusive for one in found.differences if one.p is not None])
    again = [one.adjusted for one in found.differences]
    assert again == pytest.approx(adjusted(p, method="holm").tolist())


def test_the_same_run_gives_the_same_scores(found: RetrievalEvaluation) -> None:
    again = evaluate_retrieval(items(), settings=SMALL, embedders=hashing)
    assert again.differences == found.differences
    assert [one.measures for one in again.configurations] == [
        one.measures for one in found.configurations
    ]


def _run(name: str, values: list[float]) -> Run:
    table = np.zeros((len(values), len(MEASURES)))
    table[:, MEASURES.index("recall_5")] = values
    none = np.zeros(len(values))
    return Run(name=name, values=table, search_s=none, whole_s=none)


def test_p_is_that_of_every_way_to_draw_the_clusters() -> None:
    left, right = [1, 1, 0.5, 1, 0, 1, 1], [0, 1, 0, 1, 1, 0, 1]
    labels = [0, 0, 1, 1, 2, 3, 3]
    questions = Questions(labels=np.array(labels), draws=100, seed=0)
    tests = differences([_run("a", left), _run("b", right)], [("a", "b")], questions, level=0.95)
    five = next(one for one in tests if one.measure == "recall_5")
    assert five.difference == pytest.approx(2.5 / 7 - 1 / 7)
    assert (five.left_better, five.right_better) == (3, 1)
    assert five.p is not None
    assert five.p.method == "exact"
    # In halves: the clusters' sums of left minus right, and their sizes.
    inclusive, _ = every_resample([(2, 2), (1, 2), (-2, 1), (2, 2)])
    assert five.p.inclusive == pytest.approx(float(inclusive))


def test_intervals_hold_the_mean() -> None:
    questions = Questions(labels=np.array([0, 0, 1, 2, 3]), draws=100, seed=0)
    five = measures(_run("a", [1, 0, 1, 1, 0]), questions, level=0.95)[1]
    assert five.low is not None
    assert five.high is not None
    assert 0.0 <= five.low < 0.6 < five.high <= 1.0


def test_passages_go_to_the_documents_named_beside_them() -> None:
    pair = passages_of(items()[6])
    assert [one.document_id for one in pair] == ["fees", "dividends"]
    alone = Item(item_id="a", question="?", contexts=("x", "y"), documents=("d",))
    assert [one.document_id for one in passages_of(alone)] == ["d", "d"]
    nameless = Item(item_id="a", question="?", context="x")
    assert [one.document_id for one in passages_of(nameless)] == ["item/a"]


def test_regulations_of_a_pair_stay_apart() -> None:
    pair = replace(items()[6], strata=(("regulation_a", "A"), ("regulation_b", "B")))
    assert [one.regulation for one in passages_of(pair)] == ["A", "B"]


def test_items_without_passages_are_refused() -> None:
    with pytest.raises(UsageError, match="none of 1 items has a question and a passage"):
        asked_of(items()[7:])


def test_no_configuration_is_refused() -> None:
    with pytest.raises(UsageError, match="no configuration to evaluate"):
        evaluate_retrieval(items(), [])


def test_a_configuration_that_is_not_there_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="no configuration 'sparse'; choose from hybrid"):
        chosen(["sparse"])


def test_without_an_embedder_lexical_configurations_are_left() -> None:
    assert [one.name for one in chosen(embedder="none")] == [
        "bm25",
        "bm25-identifiers",
        "bm25-plain",
    ]
    with pytest.raises(UsageError, match="the configurations dense embed queries"):
        chosen(["dense"], embedder="none")


def test_another_embedder_is_used_by_those_that_embed() -> None:
    found = {one.name: one.index.embedder for one in chosen(embedder="hashing")}
    assert found["hybrid"] == found["small-chunks"] == "hashing"
    assert found["bm25"] == "none"


def test_each_configuration_differs_from_the_default_in_what_it_says() -> None:
    by_name = {one.name: one for one in CONFIGURATIONS}
    assert by_name["hybrid"].index == IndexSettings()
    assert by_name["hybrid"].search == SearchSettings()
    assert by_name["small-chunks"].index == IndexSettings(chunks=ChunkSettings(size=800))
    assert by_name["large-chunks"].index == IndexSettings(chunks=ChunkSettings(size=2400))
    assert by_name["fusion-10"].search == SearchSettings(fusion_k=10)
    assert by_name["no-boost"].search == SearchSettings(identifiers=0)
    assert by_name["plain-tokeniser"].index == IndexSettings(tokeniser="plain")
    assert len(by_name) == len(CONFIGURATIONS)


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"overlap": 1.5}, r"`overlap` must be in \[0, 1\], got 1.5"),
        ({"alpha": 0.0}, r"`alpha` must be in \(0, 1\), got 0.0"),
        ({"draws": 0}, "`draws` must be at least 1, got 0"),
    ],
)
def test_settings_out_of_range_are_refused(setting: dict[str, float], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        EvaluationSettings(**setting)  # type: ignore[arg-type]


def test_a_chunk_must_hold_the_share_that_is_asked_for() -> None:
    long = Item(item_id="l", question="word", context="word " * 300, documents=("d",))
    tiny = [
        replace(
            chosen(["bm25"])[0],
            index=IndexSettings(embedder="none", chunks=ChunkSettings(size=400, overlap=0)),
        )
    ]
    any_overlap = evaluate_retrieval([long], tiny, settings=SMALL).configurations[0]
    half = evaluate_retrieval(
        [long], tiny, settings=EvaluationSettings(overlap=0.5, draws=10)
    ).configurations[0]
    assert any_overlap.measures[0].value == 1.0
    assert half.measures[0].value == 0.0


def test_published_figures_are_those_of_the_source() -> None:
    cells = {(one.row, one.column): one.printed for one in load_reported("indiafinbench-retrieval")}
    assert cells["Hybrid RRF (B2)", "Recall@5"] == "0.785"
    assert cells["BM25 only (B1)", "MRR"] == "0.674"
    assert cells["Dense only (B0)", "p50 latency"] == "48 ms"
    assert len(cells) == 18


@pytest.mark.data
def test_the_published_items_make_the_declared_corpus() -> None:
    path = data_root() / "indiafinbench" / "items.json"
    facts = asked_of(read_items(path)).corpus_facts
    assert (facts.n_questions, facts.n_passages, facts.n_distinct) == (406, 468, 456)
    raw = json.loads(path.read_text(encoding="utf-8"))
    names = {row.get(key) for row in raw for key in ("document", "document_a", "document_b")}
    assert facts.n_documents == len(names - {None})
    assert facts.longest_passage == 988


@pytest.mark.data
@pytest.mark.full
def test_bm25_finds_nearly_all_passages_of_the_published_items() -> None:
    path = data_root() / "indiafinbench" / "items.json"
    found = evaluate_retrieval(read_items(path), chosen(["bm25"]), settings=SMALL)
    five = {m.name: m.value for m in found.configurations[0].measures}["recall_5"]
    assert five > 0.9
    assert found.configurations[0].chance_recall_5 < 0.1
