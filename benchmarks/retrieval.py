"""Retrieval beside a system of rank-bm25, flat dense vectors and rank fusion, in one run.

    python benchmarks/retrieval.py [--items FILE] [--cache FOLDER] [--embedder NAME] [--json FILE]
                                   [--quick]

First part (with --items, or FINASSAY_DATA): the questions of IndiaFinBench look for their passages.
The peer has the same chunks, the same text for each (with titles and headings) and the same
vectors; it ranks by rank-bm25 over words split at spaces, by cosine, and joins the first 100 of
both by reciprocal ranks with k = 60.  Differences are paired, over clusters of documents.

Second part: search in 25,000, 50,000 and 100,000 chunks of made-up text, each size in a process of
its own.  Vectors are hashed words, so that search is timed and not a model.  Times are CPU times,
which depend little on what else the machine does; medians of queries.  Growth is the slope of a
line through the logarithms: 1 is linear.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import random
import resource
import statistics
import time
from pathlib import Path

import numpy as np
from rank_bm25 import BM25Okapi

from finassay.analyses.clusters import clusters_of
from finassay.analyses.retrieval.differences import Questions, Run, differences
from finassay.analyses.retrieval.evaluation import DEPTH, measured
from finassay.analyses.retrieval.questions import asked_of
from finassay.retrieval import Document, Index, IndexSettings, embedder_named
from finassay.retrieval.contents import searched_text
from finassay.retrieval.passages import chunks_at
from finassay.retrieval.remembering import Remembering
from finassay.runs.importers.items_alone import read_items

SIZES = (25_000, 50_000, 100_000)
SPEED_RATIO, GROWTH, LEVEL = 10.0, 1.2, 0.05
QUERIES, PEER_QUERIES = 100, 10
RRF = 60


class Peer:
    """rank-bm25, flat vectors and reciprocal rank fusion, as many systems put them together."""

    def __init__(self, texts: list[str], vectors: np.ndarray) -> None:
        self.bm25 = BM25Okapi([text.lower().split() for text in texts])
        self.vectors = vectors

    def search(self, query: str, vector: np.ndarray, k: int) -> list[int]:
        """Return the places of the best chunks, best first."""
        words = np.argsort(-self.bm25.get_scores(query.lower().split()), kind="stable")[:DEPTH]
        meaning = np.argsort(-(self.vectors @ vector), kind="stable")[:DEPTH]
        fused: dict[int, float] = {}
        for ranking in (words, meaning):
            for rank, place in enumerate(ranking.tolist(), start=1):
                fused[place] = fused.get(place, 0.0) + 1 / (RRF + rank)
        return sorted(fused, key=lambda place: (-fused[place], place))[:k]


def quality(items_file: Path, embedder_name: str, cache: Path | None) -> list[dict]:
    asked = asked_of(read_items(items_file))
    settings = IndexSettings(embedder=embedder_name)
    model = embedder_named(embedder_name)
    embedder = Remembering(model, folder=cache)
    index = Index.of(asked.corpus.documents, settings, embedder=embedder)
    chunks = index.chunks()
    texts = [searched_text(chunk, settings) for chunk in chunks]
    peer = Peer(texts, embedder.passages(texts))
    at = {place: chunks_at(chunks, place) for place in asked.corpus.distinct}
    place_of = {chunk.chunk_id: number for number, chunk in enumerate(chunks)}
    ours, theirs = [], []
    for item, wanted in zip(asked.items, asked.wanted, strict=True):
        relevant = [at[place] for place in wanted]
        hits = index.search(item.question, k=DEPTH)
        ours.append(measured([place_of[hit.chunk.chunk_id] for hit in hits], relevant))
        vector = embedder.queries([item.question])[0]
        theirs.append(measured(peer.search(item.question, vector, DEPTH), relevant))
    none = np.zeros(len(ours))
    runs = [
        Run(name=name, values=np.array(values), search_s=none, whole_s=none)
        for name, values in (("ours", ours), ("peer", theirs))
    ]
    labels = clusters_of(asked.items, ("documents",)).labels
    questions = Questions(labels=labels, draws=20_000, seed=0)
    found = differences(runs, [("ours", "peer")], questions, level=0.95)
    columns = {"recall_5": 1, "mrr": 4, "ndcg_10": 5}
    return [
        {
            "measure": one.measure,
            "ours": float(runs[0].values[:, columns[one.measure]].mean()),
            "peer": float(runs[1].values[:, columns[one.measure]].mean()),
            "difference": one.difference,
            "low": one.low,
            "high": one.high,
            "p": one.p.inclusive,
        }
        for one in found
    ]


def made_up(n: int) -> list[Document]:
    """Return `n` documents of one chunk each: words by Zipf's law, provisions and amounts."""
    rng = np.random.default_rng(20260)
    words = np.array([f"{a}{b}{c}" for a in _SYLLABLES for b in _SYLLABLES for c in _SYLLABLES])
    rng.shuffle(words)
    shares = 1 / np.arange(1, len(words) + 1)
    drawn = rng.choice(len(words), size=(n, 40), p=shares / shares.sum())
    numbers = rng.integers(1, 400, size=(n, 3))
    return [
        Document(
            document_id=f"d{row:06}",
            text=(
                f"{' '.join(words[drawn[row, :20]])} under regulation {numbers[row, 0]}"
                f"({numbers[row, 1] % 9 + 1}), {' '.join(words[drawn[row, 20:]])} of Rs. "
                f"{numbers[row, 2]} crore."
            ),
        )
        for row in range(n)
    ]


_SYLLABLES = [a + b for a in "bdfgklmnprstv" for b in "aeiou"][:24]


def asked_for(documents: list[Document], n: int) -> list[str]:
    rng = random.Random(7)
    queries = []
    for document in rng.sample(documents, n):
        words = document.text.split()
        at = rng.randrange(len(words) - 12)
        queries.append(" ".join(words[at : at + 12]))
    return queries


def timed(search, queries: list[str]) -> tuple[list[float], list[float]]:
    """Return the CPU and wall seconds of each query."""
    cpu, wall = [], []
    search(queries[0])
    for query in queries:
        begun, clock = time.process_time(), time.perf_counter()
        search(query)
        cpu.append(time.process_time() - begun)
        wall.append(time.perf_counter() - clock)
    return cpu, wall


def one_size(n: int, send, *, with_peer: bool) -> None:
    documents = made_up(n)
    queries = asked_for(documents, QUERIES)
    before = _memory()
    begun = time.process_time()
    index = Index.of(documents, IndexSettings(embedder="hashing"))
    index.search(queries[0])
    build_s = time.process_time() - begun
    memory = _memory() - before
    cpu, wall = timed(lambda query: index.search(query, k=10), queries)
    found = {
        "chunks": len(index),
        "build_cpu_s": build_s,
        "memory_mb": memory / 1e6,
        "index_mb": index.size_bytes / 1e6,
        "query_cpu_ms": 1000 * statistics.median(cpu),
        "query_p95_cpu_ms": 1000 * float(np.percentile(cpu, 95)),
        "query_wall_ms": 1000 * statistics.median(wall),
    }
    if with_peer:
        embedder = embedder_named("hashing")
        texts = [document.text for document in documents]
        vectors = embedder.passages(texts)
        begun = time.process_time()
        peer = Peer(texts, vectors)
        found["peer_bm25_build_cpu_s"] = time.process_time() - begun
        cpu, wall = timed(
            lambda query: peer.search(query, embedder.queries([query])[0], 10),
            queries[:PEER_QUERIES],
        )
        found["peer_query_cpu_ms"] = 1000 * statistics.median(cpu)
        found["peer_query_wall_ms"] = 1000 * statistics.median(wall)
        found["ratio"] = found["peer_query_cpu_ms"] / found["query_cpu_ms"]
    send.send(found)


def _memory() -> int:
    """Return the largest resident memory of this process so far, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def speed(sizes: tuple[int, ...]) -> list[dict]:
    found = []
    context = multiprocessing.get_context("spawn")
    for size in sizes:
        receive, send = context.Pipe(duplex=False)
        process = context.Process(
            target=one_size, args=(size, send), kwargs={"with_peer": size == sizes[-1]}
        )
        process.start()
        send.close()
        found.append(receive.recv())
        process.join()
        print(json.dumps(found[-1]), flush=True)
    return found


def growth(rows: list[dict], name: str) -> float:
    sizes = np.log([row["chunks"] for row in rows])
    return float(np.polyfit(sizes, np.log([row[name] for row in rows]), 1)[0])


def default_items() -> Path | None:
    root = os.environ.get("FINASSAY_DATA")
    path = Path(root) / "indiafinbench" / "items.json" if root else None
    return path if path is not None and path.is_file() else None


def first_part(options: argparse.Namespace, figures: dict, limits: dict) -> None:
    if options.items is None:
        print("no items: the first part is left out (name a file with --items)")
        return
    figures["quality"] = quality(options.items, options.embedder, options.cache)
    for row in figures["quality"]:
        name = row["measure"]
        print(
            f"{name:<10} ours {row['ours']:.3f}  peer {row['peer']:.3f}  difference "
            f"{row['difference']:+.3f} [{row['low']:+.3f}, {row['high']:+.3f}]  p {row['p']:.3f}"
        )
        is_worse = row["difference"] < 0 and row["p"] < LEVEL
        limits[f"{name} not worse than the peer's (paired, {LEVEL:g})"] = not is_worse


def second_part(options: argparse.Namespace, figures: dict, limits: dict) -> None:
    # Threads of BLAS wait by spinning, which would count as time of a query.
    os.environ |= {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
    sizes = tuple(size // 50 for size in SIZES) if options.quick else SIZES
    rows = figures["speed"] = speed(sizes)
    for name in ("build_cpu_s", "memory_mb"):
        slope = figures[f"growth of {name}"] = growth(rows, name)
        print(f"growth of {name:<20}{slope:.3f}")
        limits[f"{name} grows at most as chunks to the power of {GROWTH:g}"] = slope <= GROWTH
    ratio = rows[-1]["ratio"]
    print(f"queries: {ratio:.1f} times as fast as the peer")
    limits[f"queries at least {SPEED_RATIO:g} times as fast as the peer's"] = ratio >= SPEED_RATIO


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--items", type=Path, default=default_items(), help="items with passages")
    parser.add_argument("--embedder", default="multilingual-e5-small-q4")
    parser.add_argument("--cache", type=Path, default=None, help="keep embeddings of chunks here")
    parser.add_argument("--json", default=None, help="also write the figures to this file")
    parser.add_argument("--part", choices=("both", "quality", "speed"), default="both")
    parser.add_argument("--quick", action="store_true", help="small sizes, no limits checked")
    options = parser.parse_args()
    limits: dict[str, bool] = {}
    figures: dict[str, object] = {}
    if options.part != "speed":
        first_part(options, figures, limits)
    if options.part != "quality":
        second_part(options, figures, limits)
    for name, holds in limits.items():
        print(f"{name:<70}{'yes' if holds else 'NO'}")
    if options.json:
        text = json.dumps({**figures, "limits": limits}, indent=2)
        Path(options.json).write_text(text, encoding="utf-8")
    if not options.quick and not all(limits.values()):
        raise SystemExit("a limit does not hold on this machine")


if __name__ == "__main__":
    main()
