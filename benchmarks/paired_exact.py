"""Speed of exact paired tests and of shared-resample Monte Carlo, side by side with their peers.

    python benchmarks/paired_exact.py [--json FILE] [--quick]

First part: all 66 pairs of 12 systems on 406 items in 27 clusters (verdicts from a seeded
generator, sizes of clusters as in the published logs).  Peers, all in this run:

* the papers' method: 100,000 resamples of item indices a pair, in numpy (timed on a few pairs);
* a loop over resamples with one mean each, as evaluation harnesses write `bootstrap_stderr`;
* vectorised Monte Carlo on the sums of clusters, with its error when it may take as long as ours.

Second part: 20,000 items in 2,500 clusters x 160 columns x 10,000 draws from one matrix of counts,
beside the product of a ready matrix of counts with the same columns (BLAS alone).
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import time
from itertools import combinations
from pathlib import Path

import numpy as np

from finassay.analyses.kernels.clustered import cluster_sums, clustered_bootstrap_tail
from finassay.analyses.kernels.lattice import bootstrap_tail
from finassay.analyses.kernels.resampling import draw_counts, resampled_means

SIZES = (68, 48, 46, 41, 41, 35, 20, 13, 12, 11, 11, 10, 9, 7, 6, 4, 4, 4, 3, 3, 2, 2, 2, 1, 1, 1,
         1)  # fmt: skip
SYSTEMS = 12
PAPER_DRAWS = 100_000
ITEM_RATIO, CLUSTER_SECONDS, BLAS_RATIO = 500, 2.0, 2.5


def verdicts(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return (406, 12) right/wrong verdicts and (406,) clusters."""
    rng = np.random.default_rng(seed)
    labels = np.repeat(np.arange(len(SIZES)), SIZES)
    hard = rng.normal(size=len(labels)) + rng.normal(size=len(SIZES))[labels]
    skill = np.linspace(2.6, 1.0, SYSTEMS)
    chance = 1 / (1 + np.exp(hard[:, None] - skill))
    return (rng.random(chance.shape) < chance).astype(np.int64), labels


def timed(function, *args):
    start = time.perf_counter()
    result = function(*args)
    return result, time.perf_counter() - start


def best_of(times: int, function, *args):
    """Return the result and the median seconds of several runs."""
    runs = [timed(function, *args) for _ in range(times)]
    return runs[0][0], statistics.median(seconds for _, seconds in runs)


def exact_items(right: np.ndarray):
    pairs = combinations(range(SYSTEMS), 2)
    return [bootstrap_tail(right[:, a] - right[:, b]) for a, b in pairs]


def exact_clusters(right: np.ndarray, labels: np.ndarray):
    pairs = combinations(range(SYSTEMS), 2)
    return [
        clustered_bootstrap_tail(*cluster_sums(right[:, a] - right[:, b], labels)) for a, b in pairs
    ]


def by_index(difference: np.ndarray, draws: int, seed: int) -> float:
    """The papers' method: resample item indices, centre, count."""
    rng = np.random.default_rng(seed)
    observed, reached = difference.mean(), 0
    for start in range(0, draws, 10_000):
        rows = min(10_000, draws - start)
        drawn = difference[rng.integers(0, len(difference), (rows, len(difference)))]
        reached += int((np.abs(drawn.mean(axis=1) - observed) >= abs(observed)).sum())
    return reached / draws


def loop_of_means(values: list[float], draws: int, seed: int) -> float:
    """A standard error as harnesses loop for it: one choice and one mean a resample."""
    rng = np.random.default_rng(seed)
    means = [float(np.mean(rng.choice(values, len(values), replace=True))) for _ in range(draws)]
    return float(np.std(means, ddof=1))


def by_cluster_sums(sums: np.ndarray, sizes: np.ndarray, draws: int, seed: int) -> float:
    rng = np.random.default_rng(seed)
    drawn = rng.integers(0, len(sums), (draws, len(sums)))
    total, items = sums[drawn].sum(axis=1), sizes[drawn].sum(axis=1)
    whole, n = int(sums.sum()), int(sizes.sum())
    return float((np.abs(total * n - whole * items) >= abs(whole) * items).mean())


def first_part(options: argparse.Namespace) -> dict[str, float]:
    right, labels = verdicts(options.seed)
    exact_items(right[:, :]), exact_clusters(right, labels)  # load libraries before the clock
    items, items_s = best_of(5, exact_items, right)
    cpu = time.process_time()
    clusters, clusters_s = best_of(3, exact_clusters, right, labels)
    cpu_s = (time.process_time() - cpu) / 3
    pairs = list(combinations(range(SYSTEMS), 2))
    few = random.Random(1).sample(range(len(pairs)), 2 if options.quick else 4)
    paper_s, paper_off, cluster_off, enough = 0.0, 0.0, 0.0, 0
    for at in few:
        a, b = pairs[at]
        difference = right[:, a] - right[:, b]
        p, seconds = timed(by_index, difference, PAPER_DRAWS, at)
        paper_s += seconds / len(few)
        paper_off = max(paper_off, abs(p - items[at].inclusive))
        sums, sizes = cluster_sums(difference, labels)
        _, probe_s = timed(by_cluster_sums, sums, sizes, 20_000, at)
        enough = max(1, int(20_000 * clusters_s / len(pairs) / probe_s))
        guess = by_cluster_sums(sums, sizes, enough, at)
        cluster_off = max(cluster_off, abs(guess - clusters[at].inclusive))
    _, loop_s = timed(loop_of_means, right[:, 0].astype(float).tolist(), 1000, 1)
    return {
        "pairs": len(pairs),
        "items_exact_s": items_s,
        "papers_method_s_per_pair": paper_s,
        "papers_method_s_all_pairs": paper_s * len(pairs),
        "papers_method_largest_error": paper_off,
        "items_ratio": paper_s * len(pairs) / items_s,
        "loop_of_1000_means_s_per_system": loop_s,
        "clusters_exact_s": clusters_s,
        "clusters_exact_cpu_s": cpu_s,
        "clusters_monte_carlo_draws_in_equal_time": enough,
        "clusters_monte_carlo_largest_error_in_equal_time": cluster_off,
        "clusters_monte_carlo_standard_error_at_half": 0.5 / enough**0.5,
    }


def ours(sums: np.ndarray, sizes: np.ndarray, draws: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return np.concatenate(list(resampled_means(sums, sizes, draws=draws, rng=rng)))


def second_part(options: argparse.Namespace) -> dict[str, float]:
    items, groups, columns, draws = 20_000, 2_500, 160, 10_000
    if options.quick:
        items, groups, columns, draws = 4_000, 500, 40, 2_000
    rng = np.random.default_rng(options.seed)
    labels = np.sort(rng.integers(0, groups, items))
    right = (rng.random((items, columns)) < 0.7).astype(np.float64)
    sizes = np.bincount(labels, minlength=groups).astype(np.float64)
    sums = np.zeros((groups, columns))
    np.add.at(sums, labels, right)
    counts = draw_counts(groups, draws, rng)
    products, shared = [], []
    for run in range(3):
        shared.append(timed(ours, sums, sizes, draws, run)[1])
        products.append(timed(np.matmul, counts, sums)[1])
    ratios = [a / b for a, b in zip(shared, products, strict=True)]
    return {
        "items": items,
        "clusters": groups,
        "columns": columns,
        "draws": draws,
        "shared_resamples_s": statistics.median(shared),
        "blas_product_s": statistics.median(products),
        "ratio_to_blas": statistics.median(ratios),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=20260)
    parser.add_argument("--quick", action="store_true", help="small sizes, no limits checked")
    parser.add_argument("--json", default=None, help="also write the figures to this file")
    options = parser.parse_args()
    figures = {**first_part(options), **second_part(options)}
    for name, value in figures.items():
        print(f"{name:<52}{value:>14,.6g}")
    limits = {
        f"items at least {ITEM_RATIO} times the papers' method": figures["items_ratio"]
        >= ITEM_RATIO,
        f"all cluster pairs within {CLUSTER_SECONDS} s": figures["clusters_exact_s"]
        <= CLUSTER_SECONDS,
        f"shared resamples within {BLAS_RATIO} times BLAS": figures["ratio_to_blas"] <= BLAS_RATIO,
    }
    for name, holds in limits.items():
        print(f"{name:<60}{'yes' if holds else 'NO'}")
    if options.json:
        text = json.dumps({**figures, "limits": limits}, indent=2)
        Path(options.json).write_text(text, encoding="utf-8")
    if not options.quick and not all(limits.values()):
        raise SystemExit("a limit does not hold on this machine")


if __name__ == "__main__":
    main()
